//! The game's words in a page: a caption beside the pictures, and names of bodies.

use anyhow::{Result, ensure};

use super::columns::Column;
use bitstep::session::Simulation;

/// The most bytes of all words of a recording.
const WORDS_BYTES_MAX: usize = 4 << 20;
/// The most letters of a caption or a name.
const LETTERS_MAX: usize = 400;

/// The words of a recording.
#[derive(Default)]
pub struct Words {
    /// Captions, each with the first picture that it is of.
    captions: Vec<(u64, String)>,
    /// Names of bodies, with their slots and generations.
    names: Vec<(u32, u32, String)>,
    /// The generations that were asked for their names, by slot.
    asked: Vec<Option<u32>>,
    bytes: usize,
}

impl Words {
    /// Takes the words of a state; a body is asked for its name when it is seen first.
    ///
    /// # Errors
    ///
    /// If there are too many words.
    pub fn take<S: Simulation>(&mut self, state: &S, picture: u64) -> Result<()> {
        let caption = cut(state.caption());
        if self.captions.last().map_or("", |(_, before)| before) != caption {
            self.bytes += caption.len();
            self.captions.push((picture, caption));
        }
        for (body, _) in state.world().bodies() {
            let slot = body.slot() as usize;
            if self.asked.len() <= slot {
                self.asked.resize(slot + 1, None);
            }
            if self.asked[slot].replace(body.generation()) == Some(body.generation()) {
                continue;
            }
            if let Some(name) = state.body_name(body).map(cut).filter(|name| !name.is_empty()) {
                self.bytes += name.len();
                self.names.push((body.slot(), body.generation(), name));
            }
        }
        ensure!(
            self.bytes <= WORDS_BYTES_MAX,
            "captions and names have more than {WORDS_BYTES_MAX} bytes, the most that a page takes, after {picture} pictures; \
             try a larger --every"
        );
        Ok(())
    }

    /// Writes them for the page.
    pub fn put(&self, column: &mut Column) {
        column.put(self.captions.len() as u64);
        for (picture, caption) in &self.captions {
            column.put(*picture);
            column.put_text(caption);
        }
        column.put(self.names.len() as u64);
        for (slot, generation, name) in &self.names {
            column.put((*slot).into());
            column.put((*generation).into());
            column.put_text(name);
        }
    }
}

/// The first letters of a text.
fn cut(text: String) -> String {
    match text.char_indices().nth(LETTERS_MAX) {
        Some((end, _)) => text[..end].to_owned(),
        None => text,
    }
}

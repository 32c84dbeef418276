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
    /// Takes the words of a state, and returns whether the caption is another one. A body is asked for its name when it is seen first;
    /// a state that is not known has no caption.
    ///
    /// # Errors
    ///
    /// If there are too many words.
    pub fn take<S: Simulation>(&mut self, state: Option<&S>, picture: u64) -> Result<bool> {
        let caption = cut(state.map_or(String::new(), S::caption));
        let is_other = self.captions.last().map_or("", |(_, before)| before) != caption;
        if is_other {
            self.bytes += caption.len();
            self.captions.push((picture, caption));
        }
        let Some(state) = state else { return Ok(is_other) };
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
        Ok(is_other)
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

#[cfg(test)]
mod tests {
    use super::*;
    use bitstep::{
        World,
        geom::Vec3,
        num::lit,
        session::{Game, Session, Tick},
        shape::Shape,
        state::{BodyId, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
        tick::TickReport,
    };
    use serde::{Deserialize, Serialize};

    /// A game that has another body every third tick, in the same slot.
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Phoenix {
        body: Option<BodyId>,
        deaths: u32,
    }

    impl Game for Phoenix {
        type Input = u8;
        const NAME: &'static str = "phoenix";

        fn tick(&mut self, tick: &mut Tick<'_>, _: &[u8]) {
            if tick.number() % 3 == 1 {
                if let Some(body) = self.body.take() {
                    tick.apply(Command::Remove { body }).unwrap();
                    self.deaths += 1;
                }
                tick.apply(Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO))).unwrap();
                self.body = tick.world().bodies().next().map(|(body, _)| body);
            }
            tick.step();
        }

        fn outcome(&self) -> String {
            let more = if self.deaths == 0 { String::new() } else { "x".repeat(500) };
            format!("{} \u{e9}{more}", self.deaths)
        }

        fn body_name(&self, body: BodyId) -> Option<String> {
            (self.body == Some(body)).then(|| format!("life {}", self.deaths))
        }
    }

    #[test]
    fn captions_begin_where_they_change_and_names_are_of_generations() {
        let mut scenery = SceneryBuilder::default();
        scenery.material(Material::ELASTIC);
        scenery.shape(Shape::sphere(lit("0.5")));
        let world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
        let mut session = Session::new(world, Phoenix { body: None, deaths: 0 }, 1).unwrap();
        let mut words = Words::default();
        let changed: Vec<u64> = (0..9)
            .filter(|&picture| {
                let is_other = words.take(Some(&session), picture).unwrap();
                session.tick(&[], &mut TickReport::default());
                is_other
            })
            .collect();
        assert_eq!(changed, [0, 4, 7]);
        assert_eq!(words.captions.iter().map(|(picture, _)| *picture).collect::<Vec<_>>(), changed);
        let lengths: Vec<_> = words.captions.iter().map(|(_, text)| text.chars().count()).collect();
        assert_eq!(lengths, [3, LETTERS_MAX, LETTERS_MAX]);
        let names: Vec<_> =
            words.names.iter().map(|(slot, generation, name)| (*slot, *generation, name.as_str())).collect();
        assert_eq!(names, [(0, 0, "life 0"), (0, 1, "life 1"), (0, 2, "life 2")]);
        assert!(words.take(None::<&Session<Phoenix>>, 9).unwrap(), "what is not known has no caption");
        assert_eq!(words.captions.last(), Some(&(9, String::new())));
        words.bytes = WORDS_BYTES_MAX;
        session.tick(&[], &mut TickReport::default());
        assert!(words.take(Some(&session), 10).unwrap_err().to_string().contains("--every"));
    }
}

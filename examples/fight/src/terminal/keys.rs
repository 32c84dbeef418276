//! The keyboard: two players on one, or one.

use std::{io, time::Duration};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};

use crate::{Input, online::Keys};

/// Number of frames for which a direction or a block counts as held, where the terminal does not report
/// releases.
const HELD_FRAMES: u8 = 24;
/// The same for all other keys.
const PRESSED_FRAMES: u8 = 2;

/// The meaning of the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// A D W S, and F G R T.
    Left,
    /// The arrows, and K L I O.
    Right,
}

const LEFT: [(KeyCode, Input); 8] = [
    (KeyCode::Char('a'), Input::LEFT),
    (KeyCode::Char('d'), Input::RIGHT),
    (KeyCode::Char('w'), Input::JUMP),
    (KeyCode::Char('s'), Input::BLOCK),
    (KeyCode::Char('f'), Input::PUNCH),
    (KeyCode::Char('g'), Input::KICK),
    (KeyCode::Char('r'), Input::FIRE),
    (KeyCode::Char('t'), Input::THROW),
];

const RIGHT: [(KeyCode, Input); 8] = [
    (KeyCode::Left, Input::LEFT),
    (KeyCode::Right, Input::RIGHT),
    (KeyCode::Up, Input::JUMP),
    (KeyCode::Down, Input::BLOCK),
    (KeyCode::Char('k'), Input::PUNCH),
    (KeyCode::Char('l'), Input::KICK),
    (KeyCode::Char('i'), Input::FIRE),
    (KeyCode::Char('o'), Input::THROW),
];

/// The keys that are held, by player.
#[derive(Debug)]
pub struct Keyboard {
    /// The keys of each player.
    boards: Vec<(Board, usize)>,
    /// Number of frames for which each key of each player still counts as held.
    held: [[u8; 8]; 2],
    tells_releases: bool,
    has_left: bool,
}

impl Keyboard {
    /// A keyboard on which nothing is held.
    pub fn new(boards: Vec<(Board, usize)>, tells_releases: bool) -> Self {
        Self { boards, held: [[0; 8]; 2], tells_releases, has_left: false }
    }

    /// Reads the keys pressed since the last frame.
    ///
    /// # Errors
    ///
    /// All errors of the terminal.
    pub fn read(&mut self) -> io::Result<()> {
        if !self.tells_releases {
            self.held.iter_mut().flatten().for_each(|left| *left = left.saturating_sub(1));
        }
        while poll(Duration::ZERO)? {
            if let Event::Key(key) = read()? {
                self.take(key);
            }
        }
        Ok(())
    }

    /// The keys that a player holds.
    pub fn keys(&self, player: usize) -> Keys {
        if self.has_left {
            return Keys::Leave;
        }
        let held = self.held[player].iter().enumerate().filter(|(_, left)| **left > 0);
        Keys::Held(held.fold(Input::NONE, |keys, (bit, _)| keys.and(Input(1 << bit))))
    }

    fn take(&mut self, key: KeyEvent) {
        let is_interrupt = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        self.has_left |= key.code == KeyCode::Esc || is_interrupt;
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        for &(board, player) in &self.boards {
            let keys = if board == Board::Left { LEFT } else { RIGHT };
            if let Some((_, input)) = keys.into_iter().find(|(name, _)| *name == code) {
                self.held[player] = pressed(self.held[player], input, key.kind, self.tells_releases);
            }
        }
    }
}

/// The keys held after an event.
fn pressed(mut held: [u8; 8], input: Input, kind: KeyEventKind, tells_releases: bool) -> [u8; 8] {
    let sides = Input::LEFT.and(Input::RIGHT).and(Input::BLOCK);
    let bit = input.0.trailing_zeros() as usize;
    if kind == KeyEventKind::Release {
        held[bit] = 0;
    } else if tells_releases {
        held[bit] = 1;
    } else {
        // The opposite direction, or a block, ends this direction.
        if sides.has(input) {
            for (other, left) in held.iter_mut().enumerate() {
                *left = if sides.has(Input(1 << other)) { 0 } else { *left };
            }
        }
        held[bit] = if sides.has(input) { HELD_FRAMES } else { PRESSED_FRAMES };
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: KeyModifiers = KeyModifiers::NONE;

    fn after(tells_releases: bool, events: &[(KeyCode, KeyEventKind)]) -> [Keys; 2] {
        let mut board = Keyboard::new(vec![(Board::Left, 0), (Board::Right, 1)], tells_releases);
        events.iter().for_each(|(code, kind)| board.take(KeyEvent::new_with_kind(*code, NONE, *kind)));
        [board.keys(0), board.keys(1)]
    }

    #[test]
    fn each_player_has_keys_of_its_own() {
        let press = |code| (code, KeyEventKind::Press);
        let keys = after(true, &[press(KeyCode::Char('D')), press(KeyCode::Left), press(KeyCode::Char('k'))]);
        assert_eq!(keys, [Keys::Held(Input::RIGHT), Keys::Held(Input::LEFT.and(Input::PUNCH))]);
        let let_go = (KeyCode::Left, KeyEventKind::Release);
        let keys = after(true, &[press(KeyCode::Left), press(KeyCode::Char('k')), let_go]);
        assert_eq!(keys[1], Keys::Held(Input::PUNCH));
    }

    #[test]
    fn a_direction_without_releases_lasts_until_the_other_one() {
        let press = |letter| (KeyCode::Char(letter), KeyEventKind::Press);
        assert_eq!(
            after(false, &[press('a'), press('f'), press('d')])[0],
            Keys::Held(Input::RIGHT.and(Input::PUNCH))
        );
        let mut held = pressed([0; 8], Input::RIGHT, KeyEventKind::Press, false);
        held.iter_mut().for_each(|left| *left = left.saturating_sub(HELD_FRAMES));
        assert_eq!(held, [0; 8]);
    }

    #[test]
    fn escape_leaves() {
        assert_eq!(after(true, &[(KeyCode::Esc, KeyEventKind::Press)]), [Keys::Leave; 2]);
    }
}

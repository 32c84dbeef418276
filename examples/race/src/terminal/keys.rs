//! The keyboard.

use std::{io, time::Duration};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};

use crate::Input;

/// Number of frames for which a key counts as held, where the terminal does not report releases.
const HELD_FRAMES: u8 = 12;
/// The same for the throttle: until the brake.
const KEPT: u8 = u8::MAX;

/// The keys, by their places in [`Keyboard`].
const KEYS: [(KeyCode, KeyCode); 6] = [
    (KeyCode::Char('w'), KeyCode::Up),
    (KeyCode::Char('s'), KeyCode::Down),
    (KeyCode::Char('a'), KeyCode::Left),
    (KeyCode::Char('d'), KeyCode::Right),
    (KeyCode::Char(' '), KeyCode::Char(' ')),
    (KeyCode::Char('r'), KeyCode::Char('r')),
];
const AHEAD: usize = 0;
const BACK: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;
const BRAKE: usize = 4;
const RESET: usize = 5;

/// The wish of the person at the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pressed {
    /// To drive so.
    Drive(Input),
    /// To leave.
    Leave,
}

/// The keys that are held.
#[derive(Debug)]
pub struct Keyboard {
    /// Number of frames for which each key still counts as held.
    held: [u8; 6],
    tells_releases: bool,
    has_left: bool,
    autopilot: bool,
}

impl Keyboard {
    /// A keyboard on which nothing is held.
    pub const fn new(tells_releases: bool, autopilot: bool) -> Self {
        Self { held: [0; 6], tells_releases, has_left: false, autopilot }
    }

    /// True if the autopilot drives.
    pub const fn is_autopilot(&self) -> bool {
        self.autopilot
    }

    /// Reads the keys pressed since the last frame.
    ///
    /// # Errors
    ///
    /// All errors of the terminal.
    pub fn read(&mut self) -> io::Result<()> {
        if !self.tells_releases {
            self.fade();
        }
        while poll(Duration::ZERO)? {
            if let Event::Key(key) = read()? {
                self.take(key);
            }
        }
        Ok(())
    }

    /// The keys that are held.
    pub fn pressed(&self) -> Pressed {
        if self.has_left {
            return Pressed::Leave;
        }
        let [ahead, back, left, right, brake, reset] = self.held.map(|left| i8::from(left > 0));
        Pressed::Drive(Input {
            throttle: 127 * (ahead - back),
            steer: 127 * (left - right),
            brake: brake > 0,
            reset: reset > 0,
        })
    }

    /// Counts a frame, where releases are not reported.
    fn fade(&mut self) {
        for left in self.held.iter_mut().filter(|left| **left < KEPT) {
            *left = left.saturating_sub(1);
        }
    }

    fn take(&mut self, key: KeyEvent) {
        let is_interrupt = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        self.has_left |= key.code == KeyCode::Esc || is_interrupt;
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        self.autopilot ^= code == KeyCode::Char('p') && key.kind == KeyEventKind::Press;
        if let Some(at) = KEYS.iter().position(|(letter, arrow)| code == *letter || code == *arrow) {
            self.press(at, key.kind);
        }
    }

    fn press(&mut self, at: usize, kind: KeyEventKind) {
        if kind == KeyEventKind::Release {
            self.held[at] = 0;
            return;
        }
        if !self.tells_releases {
            // A key ends the one against it.
            let against: &[usize] = match at {
                AHEAD => &[BACK, BRAKE],
                BACK | BRAKE => &[AHEAD],
                LEFT => &[RIGHT],
                RIGHT => &[LEFT],
                _ => &[],
            };
            against.iter().for_each(|other| self.held[*other] = 0);
        }
        self.held[at] = match at {
            RESET => 1,
            AHEAD if !self.tells_releases => KEPT,
            _ => HELD_FRAMES,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(tells_releases: bool, codes: &[(KeyCode, KeyEventKind)], frames: u8) -> Pressed {
        let mut board = Keyboard::new(tells_releases, false);
        codes
            .iter()
            .for_each(|(code, kind)| board.take(KeyEvent::new_with_kind(*code, KeyModifiers::NONE, *kind)));
        (0..frames).filter(|_| !tells_releases).for_each(|_| board.fade());
        board.pressed()
    }

    #[test]
    fn keys_are_held_until_they_are_let_go() {
        let [press, release] = [KeyEventKind::Press, KeyEventKind::Release];
        let keys = [
            (KeyCode::Up, press),
            (KeyCode::Char('A'), press),
            (KeyCode::Char('d'), press),
            (KeyCode::Left, release),
        ];
        let drive = Input { throttle: 127, steer: -127, ..Input::NONE };
        assert_eq!(after(true, &keys, 0), Pressed::Drive(drive));
        assert_eq!(after(true, &[(KeyCode::Esc, press)], 0), Pressed::Leave);
    }

    #[test]
    fn a_throttle_without_releases_lasts_until_the_brake() {
        let press = |code| (code, KeyEventKind::Press);
        let [throttle, left, brake] = [KeyCode::Up, KeyCode::Left, KeyCode::Char(' ')].map(press);
        let drive = Input { throttle: 127, ..Input::NONE };
        assert_eq!(after(false, &[throttle, left], 0), Pressed::Drive(Input { steer: 127, ..drive }));
        assert_eq!(after(false, &[throttle, left], 12), Pressed::Drive(drive));
        assert_eq!(after(false, &[throttle, brake], 1), Pressed::Drive(Input { brake: true, ..Input::NONE }));
    }
}

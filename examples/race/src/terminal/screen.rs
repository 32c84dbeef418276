//! The terminal in our mode: it is restored however the program ends.

use std::{
    fmt,
    io::{self, IsTerminal, Stdout, Write, stdin, stdout},
    panic,
    sync::Once,
};

use bitstep::session::Session;
use crossterm::{
    cursor::{Hide, Show},
    event::{KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags},
    execute,
    terminal::{
        EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
        supports_keyboard_enhancement,
    },
};

use super::{Canvas, Painter};
use crate::Race;

/// The least columns and rows that a race is legible in.
const SIZE_MIN: [u16; 2] = [60, 20];

/// The reason why the terminal cannot be used for play.
#[derive(Debug)]
pub enum ScreenError {
    /// Input or output is a file or a pipe.
    NoTerminal(&'static str),
    /// It has so many columns and rows.
    TooSmall([u16; 2]),
    /// An error of the terminal.
    Io(io::Error),
}

impl fmt::Display for ScreenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTerminal(what) => {
                write!(f, "{what} is no terminal, and people drive in one; `race run` drives without people")
            }
            Self::TooSmall([columns, rows]) => {
                let [least, low] = SIZE_MIN;
                write!(
                    f,
                    "the terminal has {columns} columns and {rows} rows, at least {least} and {low} are needed"
                )
            }
            Self::Io(error) => write!(f, "terminal: {error}"),
        }
    }
}

impl std::error::Error for ScreenError {}

impl From<io::Error> for ScreenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The terminal in raw mode.
#[derive(Debug)]
pub struct Screen {
    out: Stdout,
    canvas: Canvas,
    tells_releases: bool,
}

impl Screen {
    /// Checks that people can drive here; returns columns and rows.
    ///
    /// # Errors
    ///
    /// If there is no terminal, or it is too small.
    pub fn check() -> Result<[u16; 2], ScreenError> {
        if !stdin().is_terminal() {
            return Err(ScreenError::NoTerminal("standard input"));
        }
        if !stdout().is_terminal() {
            return Err(ScreenError::NoTerminal("standard output"));
        }
        let (columns, rows) = size()?;
        if columns < SIZE_MIN[0] || rows < SIZE_MIN[1] {
            return Err(ScreenError::TooSmall([columns, rows]));
        }
        Ok([columns, rows])
    }

    /// Takes the terminal over.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn open() -> Result<Self, ScreenError> {
        let [columns, rows] = Self::check()?;
        give_back_on_panic();
        let tells_releases = supports_keyboard_enhancement().unwrap_or(false);
        enable_raw_mode()?;
        let mut out = stdout();
        let screen = Self { out: stdout(), canvas: Canvas::new(columns, rows), tells_releases };
        execute!(out, EnterAlternateScreen, Hide)?;
        if tells_releases {
            // Letters report releases only as escape codes.
            let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES
                | KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES;
            execute!(out, PushKeyboardEnhancementFlags(flags))?;
        }
        Ok(screen)
    }

    /// True if the terminal reports releases.
    pub const fn tells_releases(&self) -> bool {
        self.tells_releases
    }

    /// Shows a state, and a line below it.
    ///
    /// # Errors
    ///
    /// All errors of the terminal.
    pub fn show(&mut self, painter: &mut Painter, state: &Session<Race>, line: &str) -> io::Result<()> {
        let (columns, rows) = size()?;
        self.canvas.fit(columns, rows);
        painter.draw(&mut self.canvas, state, line);
        self.out.write_all(self.canvas.changes().as_bytes())?;
        self.out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back(self.tells_releases);
    }
}

/// Restores the terminal; it must not fail, so failures are ignored.
fn give_back(pops: bool) {
    if pops {
        let _ = execute!(stdout(), PopKeyboardEnhancementFlags);
    }
    let _ = execute!(stdout(), Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            give_back(true);
            before(panic);
        }));
    });
}

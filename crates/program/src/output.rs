//! Output for people: the screen, its colours, and numbers as text.

// The use of colour is read from the environment; no simulation reads it.
#![allow(clippy::disallowed_methods)]

use std::{
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    path::Path,
    time::Duration,
};

use anyhow::Result;

use bitstep::state::Limits;

/// Standard output, with colour where a person looks at it.
pub struct Screen {
    out: BufWriter<StdoutLock<'static>>,
    palette: Palette,
}

/// True if texts have colour.
#[derive(Clone, Copy)]
pub struct Palette {
    colour: bool,
}

/// The appearance of a word on a terminal.
#[derive(Clone, Copy)]
pub enum Tone {
    Bold,
    Dim,
    Good,
    Bad,
}

impl Screen {
    /// The screen; colour only on a terminal, and never under `NO_COLOR`.
    #[must_use]
    pub fn open() -> Self {
        let stdout = io::stdout();
        let colour = stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        Self { out: BufWriter::new(stdout.lock()), palette: Palette { colour } }
    }

    /// One line. However long, it is written in one call when the output is flushed: a process that is killed leaves
    /// whole lines.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<()> {
        let line = format!("{}\n", text.as_ref());
        Ok(self.out.write_all(line.as_bytes())?)
    }

    /// A line of a summary: its subject, and its text.
    pub fn fact(&mut self, label: &str, text: impl AsRef<str>) -> Result<()> {
        let label = self.paint(Tone::Dim, &format!("{label:<14}"));
        self.line(format!("  {label}{}", text.as_ref()))
    }

    /// A text in a tone.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        self.palette.paint(tone, text)
    }

    /// The palette of this screen.
    #[must_use]
    pub const fn palette(&self) -> Palette {
        self.palette
    }

    /// Flushes the output.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

impl Palette {
    /// Texts for files and other programs.
    pub const PLAIN: Self = Self { colour: false };

    /// A text in a tone.
    #[must_use]
    pub fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Good => "1;32",
            Tone::Bad => "1;31",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// One line on standard error for an error in a program of this name.
pub fn complain(program: &str, error: &anyhow::Error) {
    // There is no way to report where even this cannot be written.
    let _ = writeln!(io::stderr(), "{program}: {error:#}");
}

/// The command that calls this program from here: its path as it was called, without the present folder.
#[must_use]
pub fn program() -> String {
    let called = std::env::args().next().unwrap_or_else(|| "bitstep".to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    Path::new(&called).strip_prefix(&here).map_or(called.clone(), |path| path.display().to_string())
}

/// A count with commas: `1,234,567`.
pub fn count(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Ticks per second, and the number of steps of each if there are more than one.
pub fn pace(limits: &Limits) -> String {
    match limits.substeps {
        1 => format!("{} per second", limits.tick_rate),
        steps => format!("{} per second in {steps} substeps each", limits.tick_rate),
    }
}

/// A count and its unit: `1 tick`, `2 ticks`.
pub fn counted(number: u64, one: &str) -> String {
    let ending = match (number, one) {
        (1, _) => one.to_owned(),
        (_, "body") => "bodies".to_owned(),
        _ => format!("{one}s"),
    };
    format!("{} {ending}", count(number))
}

/// A time in a suitable unit: `1.234 s`, `5.67 ms`, `89.0 us`.
pub fn duration(time: Duration) -> String {
    let nanos = time.as_nanos();
    match nanos {
        0..1_000_000 => format!("{} us", thousandths(nanos)),
        1_000_000..1_000_000_000 => format!("{} ms", thousandths(nanos / 1_000)),
        _ => format!("{} s", thousandths(nanos / 1_000_000)),
    }
}

/// A number of thousandths as a decimal with at most three digits behind the point.
pub fn thousandths(number: u128) -> String {
    format!("{}.{:03}", count(number / 1_000), number % 1_000)
}

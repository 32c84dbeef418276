//! The end of a subcommand, for the caller of the program.

use std::{io, process::ExitCode};

use anyhow::Result;

use super::output;

/// The meaning of the exit codes, for the help.
pub const EXIT_CODES: &str = "Exit codes: 0 all is well, 1 a recording diverged, 2 bad input.";

/// The end of a subcommand that printed its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everything matched.
    Match,
    /// A recording and its re-run, or two recordings, differ.
    Diverged,
    /// A file or an argument was bad.
    BadInput,
    /// No verdict is possible, in the terms of `git bisect run`.
    CannotTell,
}

impl Ending {
    /// The exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Match => 0,
            Self::Diverged => 1,
            Self::BadInput => 2,
            Self::CannotTell => 125,
        }
    }

    /// The ending of a program that was called in place of this one.
    #[must_use]
    pub const fn of_code(code: i32) -> Self {
        match code {
            0 => Self::Match,
            1 => Self::Diverged,
            _ => Self::BadInput,
        }
    }

    /// The ending of two files: bad input counts before a divergence, and that before a match.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        if other.code() > self.code() { other } else { self }
    }
}

/// The exit code of a program of this name; an error is printed on standard error first.
pub fn finish(program: &str, result: Result<Ending>) -> ExitCode {
    match result {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(program, &error);
            ExitCode::from(2)
        }
    }
}

/// True if the reader of our output has closed it.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().filter_map(|cause| cause.downcast_ref()).any(is_pipe)
}

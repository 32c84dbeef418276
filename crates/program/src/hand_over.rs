//! Recordings of other rules go to the program that has those rules.

// The programs are looked up in the environment; no simulation reads it.
#![allow(clippy::disallowed_methods)]

use std::{
    env::{self, consts::EXE_SUFFIX},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use super::program_of;
use bitstep::{session::Simulation, snapshot::RULES_VERSION};

/// Set for a program that a file is handed to: a program without the rules of its name hands nothing on.
const HANDED_OVER: &str = "BITSTEP_HANDED_OVER";

/// A program of other rules.
pub struct Other {
    program: &'static str,
    path: PathBuf,
    rules: u32,
}

/// The program `NAME-rN` on the PATH, if there is one and this is not such a program itself.
pub fn other_program<S: Simulation>(rules: u32) -> Option<Other> {
    if env::var_os(HANDED_OVER).is_some() {
        return None;
    }
    let program = program_of::<S>();
    let name = format!("{program}-r{rules}{EXE_SUFFIX}");
    let folders = env::var_os("PATH")?;
    let path = env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file())?;
    Some(Other { program, path, rules })
}

impl Other {
    /// Lets it do the same work with a file, and returns its exit code.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or was ended by a signal.
    pub fn run(&self, command: &str, options: &[String], file: &Path) -> Result<i32> {
        let Self { program, path, rules } = self;
        let (name, other) = (file.display(), path.display());
        let told = format!(
            "{program}: {name}: rules version {rules}, this build has {RULES_VERSION}; handed to {other}"
        );
        // There is no way to report where even this cannot be written.
        let _ = writeln!(io::stderr(), "{told}");
        let mut child = Command::new(path);
        child.arg(command).args(options).arg(file).env(HANDED_OVER, rules.to_string());
        let status = child.status().with_context(|| format!("{other}: cannot be started"))?;
        status.code().with_context(|| format!("{other}: was ended by a signal"))
    }
}

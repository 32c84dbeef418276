//! Recordings in folders.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

/// A recording and its path.
pub struct Found {
    pub path: PathBuf,
    /// The path from the folder that was given.
    pub below: PathBuf,
}

/// The recordings that arguments name: a file is itself, a folder is every file below it that ends in
/// `.replay`, in order of name.
///
/// # Errors
///
/// If a folder cannot be read, or has no recording: a user who names one expects some.
pub fn find(arguments: &[PathBuf]) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            let before = found.len();
            collect(argument, Path::new(""), &mut found)?;
            ensure!(found.len() > before, "{}: no file in it ends in .replay", argument.display());
        } else {
            let below = PathBuf::from(argument.file_name().unwrap_or(argument.as_os_str()));
            found.push(Found { path: argument.clone(), below });
        }
    }
    Ok(found)
}

/// Every recording in a folder and those below, in order of name; links are not followed.
fn collect(folder: &Path, below: &Path, found: &mut Vec<Found>) -> Result<()> {
    let context = || format!("{}: cannot be read", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        entries.push(entry.with_context(context)?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, below) = (entry.path(), below.join(entry.file_name()));
        if entry.file_type().with_context(context)?.is_dir() {
            collect(&path, &below, found)?;
        } else if path.extension().is_some_and(|ending| ending == "replay") {
            found.push(Found { path, below });
        }
    }
    Ok(())
}

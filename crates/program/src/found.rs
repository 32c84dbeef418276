//! Recordings in folders.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};

/// A recording and its path.
pub struct Found {
    pub path: PathBuf,
    /// The path from the folder that was given.
    pub below: PathBuf,
    /// True if an argument is its path: then it may be a pipe. A pipe in a folder would be waited for without end.
    pub is_named: bool,
}

/// The recordings that arguments name: a file is itself, a folder is every file below it that ends in
/// `.replay`, in order of name. A folder that cannot be read stands for itself: reading it as a recording says
/// why, and the others are found.
///
/// # Errors
///
/// If a folder has no recording: one that is named should have some.
pub fn find(arguments: &[PathBuf]) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            let before = found.len();
            collect(argument, Path::new(""), &mut found);
            ensure!(found.len() > before, "{}: no file in it ends in .replay", argument.display());
        } else {
            let below = PathBuf::from(argument.file_name().unwrap_or(argument.as_os_str()));
            found.push(Found { path: argument.clone(), below, is_named: true });
        }
    }
    Ok(found)
}

/// Every recording in a folder and those below, in order of name; links to folders are not followed.
fn collect(folder: &Path, below: &Path, found: &mut Vec<Found>) {
    let unread = || Found { path: folder.to_owned(), below: below.to_owned(), is_named: false };
    let Ok(listed) = fs::read_dir(folder) else { return found.push(unread()) };
    let mut entries = Vec::new();
    for entry in listed {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(_) => found.push(unread()),
        }
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, below) = (entry.path(), below.join(entry.file_name()));
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, &below, found);
        } else if path.extension().is_some_and(|ending| ending == "replay") {
            found.push(Found { path, below, is_named: false });
        }
    }
}

//! The broken copy of the repository, and its build.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{
    find::{Mutant, State},
    rewrite::{Rewritten, rewrite},
    rooms::UNIT,
};

/// A copy of all files that git knows, and the folder of what is built from it.
pub struct Tree {
    root: PathBuf,
    build: PathBuf,
}

const SWITCH: &str = include_str!("switch.rs.txt");
const SWITCH_MANIFEST: &str = "[package]\nname = \"bitstep-switch\"\nedition = \"2024\"\n";

impl Tree {
    /// A quick one is for a few tests: the compiler takes most of their time.
    pub fn copied(folder: &Path, is_quick: bool) -> Result<Self> {
        let root = folder.join("tree");
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        let listed = Command::new("git").args(["ls-files", "-z"]).output()?;
        ensure!(listed.status.success(), "git lists no files: run this in the root of the repository");
        for path in String::from_utf8(listed.stdout)?.split_terminator('\0') {
            let to = root.join(path);
            fs::create_dir_all(to.parent().unwrap_or(&root))?;
            fs::copy(path, &to).with_context(|| path.to_owned())?;
        }
        fs::create_dir_all(root.join("switch/src"))?;
        fs::write(root.join("switch/src/lib.rs"), SWITCH)?;
        fs::write(root.join("switch/Cargo.toml"), SWITCH_MANIFEST)?;
        let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
        let with_switch = manifest.replacen(
            "\n[dependencies]\n",
            "\n[dependencies]\nbitstep-switch = { path = \"switch\" }\n",
            1,
        );
        ensure!(with_switch != manifest, "the manifest has no [dependencies]");
        let optimised = "\nbitstep = { opt-level = 3, codegen-units = 1 }\n";
        ensure!(manifest.contains(optimised), "the manifest has no such profile: {optimised}");
        let with_switch = if is_quick {
            with_switch.replace(optimised, "\nbitstep = { opt-level = 1 }\n")
        } else {
            with_switch
        };
        fs::write(root.join("Cargo.toml"), with_switch)?;
        Ok(Self { root: fs::canonicalize(root)?, build: std::path::absolute(folder.join("build"))? })
    }

    /// The sources of a room but for its tests: paths from the root, and texts.
    pub fn sources(&self, folder: &str) -> Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
                let path = entry?.path();
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                if name.ends_with("tests") || name == "sample_hulls" || name == "arbitrary" {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let from_root = path.strip_prefix(&self.root)?.to_string_lossy().into_owned();
                    found.push((from_root, fs::read_to_string(&path)?));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Writes the mutants into the copy, and marks those that the compiler refuses.
    pub fn built(&self, mut mutants: Vec<Mutant>) -> Result<Vec<Mutant>> {
        let originals = self.originals(&mutants)?;
        loop {
            let places = self.write(&originals, &mutants)?;
            let refused = self.refused(&places)?;
            if refused.is_empty() {
                return Ok(mutants);
            }
            println!("{} that do not compile", refused.len());
            for number in refused {
                mutants[number].state = State::Refused;
            }
        }
    }

    fn originals(&self, mutants: &[Mutant]) -> Result<BTreeMap<String, String>> {
        let paths = mutants.iter().map(|mutant| mutant.path.clone());
        paths.map(|path| Ok((path.clone(), fs::read_to_string(self.root.join(path))?))).collect()
    }

    fn write(
        &self,
        originals: &BTreeMap<String, String>,
        mutants: &[Mutant],
    ) -> Result<BTreeMap<String, Rewritten>> {
        let mut written = BTreeMap::new();
        for (path, text) in originals {
            let of_path =
                mutants.iter().filter(|mutant| mutant.path == *path && mutant.state == State::Tried);
            let rewritten = rewrite(text, &of_path.collect::<Vec<_>>());
            fs::write(self.root.join(path), &rewritten.text)?;
            written.insert(path.clone(), rewritten);
        }
        Ok(written)
    }

    /// The mutants at the compiler's errors; an error elsewhere is ours.
    fn refused(&self, places: &BTreeMap<String, Rewritten>) -> Result<Vec<usize>> {
        let output = self.cargo("check", &["--package=bitstep", "--lib", "--all-features"]).output()?;
        if output.status.success() {
            return Ok(Vec::new());
        }
        let mut refused = Vec::new();
        for message in messages(&output.stdout).filter(|message| message["message"]["level"] == "error") {
            let spans = message["message"]["spans"].as_array().map_or(&[][..], Vec::as_slice);
            let numbers: Vec<_> = spans.iter().filter_map(|span| innermost(span, places)).collect();
            if numbers.is_empty() && !spans.is_empty() {
                bail!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
            }
            refused.extend(numbers);
        }
        refused.sort_unstable();
        refused.dedup();
        ensure!(!refused.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(refused)
    }

    fn cargo(&self, verb: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.arg(verb).args(arguments).arg("--message-format=json").current_dir(&self.root);
        // Constants take no notice of a switch, which is an unstable thing to say.
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "--cap-lints=allow")
            .env("CARGO_TARGET_DIR", &self.build);
        command
    }

    /// Builds these programs of tests: their names and files.
    pub fn programs(&self, targets: &[&str]) -> Result<Vec<(String, PathBuf)>> {
        let named: Vec<_> =
            targets.iter().filter(|name| **name != UNIT).map(|name| format!("--test={name}")).collect();
        let mut arguments =
            vec!["--no-run", "--package=bitstep", "--package=bitstep-tests", "--all-features", "--lib"];
        arguments.extend(named.iter().map(String::as_str));
        let output = self.cargo("test", &arguments).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let programs = messages(&output.stdout).filter_map(|message| {
            let name = message["target"]["name"].as_str()?.to_owned();
            Some((name, PathBuf::from(message["executable"].as_str()?)))
        });
        Ok(programs.filter(|(name, _)| targets.contains(&name.as_str())).collect())
    }

    /// The folder in which cargo would run a program.
    pub fn folder_of(&self, program: &str) -> PathBuf {
        if program == UNIT { self.root.clone() } else { self.root.join("tests") }
    }
}

fn messages(output: &[u8]) -> impl Iterator<Item = Value> {
    output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// The shortest piece that was replaced around a place in a rewritten source.
fn innermost(span: &Value, places: &BTreeMap<String, Rewritten>) -> Option<usize> {
    let places = &places.get(span["file_name"].as_str()?)?.places;
    let at = |key: &str| span[key].as_u64().and_then(|value| usize::try_from(value).ok());
    let (begin, end) = (at("byte_start")?, at("byte_end")?);
    let around = places.iter().filter(|(_, range)| range.start <= begin && end <= range.end);
    around.min_by_key(|(_, range)| range.len()).map(|(number, _)| *number)
}

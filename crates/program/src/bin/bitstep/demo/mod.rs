//! `bitstep demo`: recordings that are in this program, their pages, and a desync that is found.
//!
//! Everything is done by the program's own commands, which are printed as they would be typed: what is shown can be repeated, and
//! changed. The recordings are made by `.ci/record-demo`.

use std::{
    ffi::{OsStr, OsString},
    fs,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use bitstep_program::{
    Ending,
    files::write,
    output::{Screen, Tone, program},
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::{Arguments, run::Run};

/// Writes recordings that are in this program, verifies them, makes a page of each, has a wrong bit found, and opens the pages.
#[derive(clap::Args)]
pub struct Demo {
    /// The folder to make and to write into
    #[arg(long, value_name = "FOLDER", default_value = "bitstep-demo")]
    folder: PathBuf,
    /// Open no page in a browser
    #[arg(long)]
    no_open: bool,
}

/// A recording in this program.
struct Recording {
    name: &'static str,
    about: &'static str,
    /// The output of gzip, without a name in its head.
    packed: &'static [u8],
}

const RECORDINGS: [Recording; 3] = [
    Recording {
        name: "castle",
        about: "175 stones that turn and rub, and 25 iron balls shot at them",
        packed: include_bytes!("castle.replay.gz"),
    },
    Recording {
        name: "fight",
        about: "the bodies of a fighting game over rollback netcode",
        packed: include_bytes!("fight.replay.gz"),
    },
    Recording {
        name: "match",
        about: "the bodies of a strategy game in lockstep: two armies of 120",
        packed: include_bytes!("match.replay.gz"),
    },
];

/// A break at pool: the scene in which a bit is flipped, to be changed by the reader.
const SCENE: &str = include_str!("break.ron");

/// The place of the wrong bit.
const INJECTION: &str = "200:7:vel.y";

/// The largest recording, unpacked.
const BYTES_MAX: usize = 4 << 20;

impl Demo {
    /// Writes, shows and opens; exit code 1 if a recording in this program does not come out as recorded.
    pub fn run(self) -> Result<Ending> {
        let folder = &self.folder;
        // Nothing that is there is written over, changed scenes least of all.
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{}: is there already; --folder FOLDER makes another", folder.display())
            }
            made => made.with_context(|| format!("{}: cannot be made", folder.display()))?,
        }
        let at = |name: &str| folder.join(name).into_os_string();
        say("Three recordings are in this program. They come out here as they did where they were made:")?;
        for Recording { name, packed, .. } in &RECORDINGS {
            write(&folder.join(name).with_extension("replay"), &unpacked(packed)?)?;
        }
        let files = RECORDINGS.each_ref().map(|it| at(&format!("{}.replay", it.name)));
        let ending = typed(&[&["verify".as_ref()], &files.each_ref().map(OsString::as_os_str)[..]].concat())?;

        say("\nA page of each, in one file that asks for nothing else: drag to turn, scroll, play, step.")?;
        let mut pages = Vec::new();
        for (Recording { name, about, .. }, file) in RECORDINGS.iter().zip(&files) {
            say(&format!("\n{name}: {about}"))?;
            let page = at(&format!("{name}.html"));
            typed(&["view".as_ref(), file, "--output".as_ref(), &page])?;
            pages.push(page);
        }
        pages.push(self.find_wrong_bit(at)?);
        self.open(&pages)?;
        Ok(ending)
    }

    /// Puts a number wrong, has it found, and returns the page that shows it.
    fn find_wrong_bit(&self, at: impl Fn(&str) -> OsString) -> Result<OsString> {
        say(
            "\nNow one number of one ball is put wrong by a 2^-32th, in one tick of a break at pool, and found:",
        )?;
        let [scene, good, bad, page] = ["break.ron", "break.replay", "wrong.replay", "wrong.html"].map(at);
        write(Path::new(&scene), SCENE.as_bytes())?;
        Run::record(Path::new(&scene), Path::new(&good))?;
        typed(&["run".as_ref(), &scene, "--inject".as_ref(), INJECTION.as_ref(), "--record".as_ref(), &bad])?;
        say("")?;
        let ending = typed(&["diff".as_ref(), &bad])?;
        ensure!(ending == Ending::Diverged, "the wrong bit was not found");
        say("\nBeside a run without it, in one page, over each other from where they part:")?;
        typed(&["view".as_ref(), &good, &bad, "--output".as_ref(), &page])?;
        Ok(page)
    }

    /// Opens the pages where a person looks at the output.
    fn open(&self, pages: &[OsString]) -> Result<()> {
        let wanted = !self.no_open && io::stdout().is_terminal();
        let asked = wanted && pages.iter().filter(|page| asks_to_open(page)).count() == pages.len();
        say(if asked { "\nYour browser was asked to open them:" } else { "\nOpen them in any browser:" })?;
        for page in pages {
            say(&format!("  {}", page.to_string_lossy()))?;
        }
        say(&format!(
            "\n{} is a scene: change it, and run it again.",
            self.folder.join("break.ron").display()
        ))
    }
}

/// Success at asking the system for a page in its browser.
#[cfg(any(unix, windows))]
fn asks_to_open(page: &OsStr) -> bool {
    open::that_detached(page).is_ok()
}

/// Nothing: a WebAssembly program starts no other.
#[cfg(not(any(unix, windows)))]
fn asks_to_open(_page: &OsStr) -> bool {
    false
}

/// A recording from gzip's format, without a name in its head.
fn unpacked(packed: &[u8]) -> Result<Vec<u8>> {
    const HEAD: usize = 10;
    const TAIL: usize = 8;
    ensure!(packed.len() > HEAD + TAIL && packed[3] == 0, "a recording in this program has another head");
    let content = &packed[HEAD..packed.len() - TAIL];
    decompress_to_vec_with_limit(content, BYTES_MAX)
        .ok()
        .context("a recording in this program cannot be unpacked")
}

fn say(text: &str) -> Result<()> {
    let mut screen = Screen::open();
    screen.line(text)?;
    screen.flush()
}

/// Prints a command as it would be typed, and executes it.
fn typed(line: &[&OsStr]) -> Result<Ending> {
    let quoted = |part: &&OsStr| match part.to_string_lossy() {
        text if text.contains(char::is_whitespace) => format!("'{text}'"),
        text => text.into_owned(),
    };
    let mut screen = Screen::open();
    let text = format!("$ {} {}", program(), line.iter().map(quoted).collect::<Vec<_>>().join(" "));
    screen.line(screen.paint(Tone::Bold, &text))?;
    screen.flush()?;
    drop(screen);
    Arguments::of(line)?.execute()
}

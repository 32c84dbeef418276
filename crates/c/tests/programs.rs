//! Programs in C and C++, compiled as their users do, and run.
#![allow(missing_docs)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use bitstep::replay::{Replay, verify};

/// The warnings that are errors.
const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The static library, which cargo makes for these tests.
fn library() -> PathBuf {
    let tests = env::current_exe().unwrap();
    tests.parent().unwrap().join("libbitstep_c.a")
}

/// Compiles a program of this package; returns its path.
fn compiled(compiler: &str, standard: &str, source: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed); // tests run beside each other
    let name = format!("{}-{standard}-{count}", source.replace(['/', '.'], "-"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let done = Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args(WARNINGS)
        .args(["-g", "-O1", "-I"])
        .arg(root().join("include"))
        .arg(root().join(source))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(done.status.success(), "{source} by {compiler}: {}", String::from_utf8_lossy(&done.stderr));
    program
}

/// Runs a program; returns its text.
fn run(program: &Path, arguments: &[&Path]) -> String {
    let done = Command::new(program).args(arguments).output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{}: {out}{error}", program.display());
    out.into_owned()
}

#[test]
fn the_border_keeps_its_rules() {
    assert_eq!(run(&compiled("cc", "c99", "tests/c/border.c"), &[]), "all is well\n");
}

#[test]
fn meshes_and_ground_are_built_and_asked() {
    for standard in ["c99", "c17"] {
        assert_eq!(run(&compiled("cc", standard, "tests/c/level.c"), &[]), "all is well\n");
    }
}

/// Programs in C, and one in C++.
#[test]
fn pictures_have_the_poses_and_lines_of_a_world() {
    for standard in ["c99", "c17"] {
        assert_eq!(run(&compiled("cc", standard, "tests/c/draw.c"), &[]), "all is well\n");
    }
    for standard in ["c++17", "c++20"] {
        assert_eq!(run(&compiled("c++", standard, "tests/c/draw.cpp"), &[]), "");
    }
}

#[test]
fn the_examples_run_and_come_to_the_same() {
    let in_c = run(&compiled("cc", "c99", "examples/falling.c"), &[]);
    assert!(in_c.starts_with("300 ticks, ") && in_c.ends_with("verified\n"), "{in_c}");
    for standard in ["c++17", "c++20"] {
        let text = run(&compiled("c++", standard, "examples/falling.cpp"), &[]);
        assert!(text.starts_with("300 ticks, ") && text.ends_with("verified\n"), "{text}");
    }
}

#[test]
fn commands_are_the_same_as_bytes() {
    assert_eq!(run(&compiled("c++", "c++17", "tests/c/encode.cpp"), &[]), "");
}

#[test]
fn the_header_is_valid_in_every_language_that_takes_it() {
    for standard in ["c99", "c11", "c17"] {
        let program = compiled("cc", standard, "tests/c/golden.c");
        assert!(program.exists());
    }
}

/// The recordings in `replays/` have the checksums in C that they have in Rust.
#[test]
fn goldens_come_out_in_c() {
    let program = compiled("cc", "c99", "tests/c/golden.c");
    let mut seen = 0;
    for entry in fs::read_dir(root().join("../../replays")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "replay") {
            continue;
        }
        seen += 1;
        // A debug build plays every third.
        if cfg!(debug_assertions) && seen % 3 != 0 {
            continue;
        }
        let replay = Replay::<bitstep::World>::read(&fs::read(&path).unwrap()).unwrap();
        let checksum = verify(&replay, |_, _| {}).unwrap().checksum;
        let (text, scene) = (format!("{checksum}\n").repeat(3), path.with_extension("ron"));
        assert_eq!(run(&program, &[&path, &scene]), text, "{}", path.display());
    }
    assert!(seen >= 15, "{seen} recordings");
}

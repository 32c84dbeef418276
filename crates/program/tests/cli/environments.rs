//! The environment reaches no result: neither what is recorded nor what is printed.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::{SMALL, answer, file};

/// A scene in which bodies of several kinds touch, fall asleep and are drawn at random.
const SCENE: &str = "replays/quarry.ron";

/// Settings of a process: names and values, in an otherwise empty environment.
const ENVIRONMENTS: [&[(&str, &str)]; 7] = [
    &[],
    &[("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("LANGUAGE", "de:ar")],
    &[("TZ", "Asia/Kathmandu")],
    &[("HOME", "/nowhere"), ("TMPDIR", "/nowhere"), ("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace")],
    // Fresh memory full of something else, and given back at once.
    &[("MALLOC_PERTURB_", "165"), ("MALLOC_TOP_PAD_", "0"), ("MALLOC_ARENA_MAX", "1")],
    // Every block of any size in a place of its own.
    &[("MALLOC_MMAP_THRESHOLD_", "64"), ("MALLOC_TRIM_THRESHOLD_", "0")],
    &[("RAYON_NUM_THREADS", "1"), ("COLUMNS", "20"), ("NO_COLOR", "1"), ("TERM", "dumb")],
];

const PROGRAM: &str = env!("CARGO_BIN_EXE_bitstep");

/// The program at addresses that the system does not randomize, where it lets `setarch` switch that off.
fn unrandomized() -> Option<Command> {
    let trial = Command::new("setarch").args(["-R", "true"]).output();
    trial.is_ok_and(|trial| trial.status.success()).then(|| {
        let mut command = Command::new("setarch");
        command.args(["-R", PROGRAM]);
        command
    })
}

/// The recording and the output of a run of a scene, in a folder and an environment.
fn run(mut command: Command, scene: &Path, folder: &Path, environment: &[(&str, &str)]) -> (Vec<u8>, String) {
    let recording = folder.join("run.replay");
    command.env_clear().envs(environment.iter().copied()).current_dir(folder).stdin(Stdio::null());
    // Another length of arguments and environment moves the stack.
    let padding = environment.iter().map(|(name, value)| name.len() * value.len()).sum::<usize>();
    command.env("PADDING", "x".repeat(padding * 7 % 4_099));
    let output = command.arg("run").arg(scene).args(["--record", "run.replay"]).output().unwrap();
    let said = answer(output);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    (fs::read(recording).unwrap(), without_times(&said.out))
}

/// The output but for its two lines that name a time.
fn without_times(out: &str) -> String {
    let is_timed =
        |line: &&str| ["simulated", "re-simulated"].contains(&line.split_whitespace().next().unwrap_or(""));
    let (timed, rest): (Vec<&str>, Vec<&str>) = out.lines().partition(is_timed);
    assert_eq!(timed.len(), 2, "{out}");
    rest.join("\n")
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// No seed of hashes is among the settings, since there is none to set: clippy.toml bans maps and sets without an order, and those of the
/// standard library would draw another seed in every run.
#[test]
fn results_are_the_same_in_any_environment_and_folder() {
    let scenes = [
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(SCENE),
        file("environment.ron", SMALL.as_bytes()).into(),
    ];
    for scene in scenes {
        let scene = scene.canonicalize().unwrap();
        let program = || Command::new(PROGRAM);
        let first = run(program(), &scene, &folder("environment"), ENVIRONMENTS[0]);
        assert!(first.0.len() > 500 && first.1.lines().count() > 2, "{}", first.1);
        for (number, environment) in ENVIRONMENTS.iter().enumerate() {
            let again = run(program(), &scene, &folder(&format!("environment-{number}-ü")), environment);
            assert_eq!(again.1, first.1, "{environment:?}");
            assert!(again.0 == first.0, "{}: another recording in {environment:?}", scene.display());
        }
        // Each of these runs had other addresses, which the system randomizes; one run without that.
        if let Some(program) = unrandomized() {
            let again = run(program, &scene, &folder("environment-unrandomized"), ENVIRONMENTS[0]);
            assert!(again == first, "{}: another result at fixed addresses", scene.display());
        }
    }
}

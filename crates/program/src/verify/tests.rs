//! A game whose own code panics: the result of the recording, not the end of the run.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use clap::Parser as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Verify;
use crate::Ending;
use bitstep::{
    World,
    replay::Recorder,
    session::{Game, Session, Tick},
    state::{Limits as WorldLimits, SceneryBuilder},
    tick::TickReport,
};

/// The rules: an input is subtracted from the lives, and more than there are is a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Brittle {
    lives: Lives,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32")]
struct Lives(u32);

/// True while recordings are made: what is recorded is read again then.
static RECORDS: AtomicBool = AtomicBool::new(true);

impl TryFrom<u32> for Lives {
    type Error = String;

    fn try_from(lives: u32) -> Result<Self, String> {
        assert!(lives < 1_000 || RECORDS.load(Ordering::Relaxed), "a game that panics as it is read");
        Ok(Self(lives))
    }
}

impl Game for Brittle {
    type Input = u32;
    const NAME: &'static str = "brittle";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u32]) {
        for lost in inputs {
            assert_eq!(self.lives.0.checked_sub(*lost).map(|_| ()), Some(()), "{lost} lives\nare too many");
            self.lives.0 -= lost;
        }
        tick.step();
    }
}

#[derive(clap::Parser)]
struct Arguments {
    #[command(flatten)]
    verify: Verify,
}

/// A recording of ten ticks, in the sixth of which so many lives are lost.
fn recording(lives: u32, lost: u32) -> Vec<u8> {
    let world = World::new(WorldLimits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    let mut session = Session::new(world, Brittle { lives: Lives(lives) }, 1).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
    let mut report = TickReport::default();
    for tick in 1..=10 {
        let inputs = if tick == 6 { vec![lost] } else { vec![] };
        // A tick that panics cannot be played to be recorded.
        let played = if lost <= lives { &inputs[..] } else { &[] };
        session.tick(played, &mut report);
        recorder.tick(&inputs, &session).unwrap();
    }
    recorder.finish().unwrap()
}

#[test]
fn panics_of_a_game_are_the_results_of_their_recordings() {
    let folder = std::env::temp_dir().join(format!("bitstep-panics-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let files = vec![
        file("1.replay", &recording(3, 1)),
        file("2.replay", &recording(3, 4)),
        file("3.replay", &recording(3, 2)),
        file("4.replay", &recording(1_000, 0)),
        file("5.replay", &recording(3, 3)),
    ];
    RECORDS.store(false, Ordering::Relaxed);
    for jobs in [1, 3] {
        let resume = folder.join(format!("{jobs}.jsonl"));
        let verify = || {
            let options = ["verify".into(), format!("--jobs={jobs}").into(), "--resume".into()];
            let arguments = options.into_iter().chain([resume.clone()]).chain(files.clone());
            Arguments::parse_from(arguments).verify.run::<Session<Brittle>>().unwrap()
        };
        assert_eq!(verify(), Ending::BadInput);
        let lines = fs::read_to_string(&resume).unwrap();
        let told: Vec<_> = lines.lines().map(|line| told(line, &files)).collect();
        let late = "panicked after tick 5: assertion `left == right` failed: 4 lives, are too many, left: None, \
                    right: Some(())";
        let early = "panicked as it was read: a game that panics as it is read";
        assert_eq!(told, ["matches", late, "matches", early, "matches"]);
        // A panic is a verdict, and is not played again.
        assert_eq!(verify(), Ending::BadInput);
        assert_eq!(fs::read_to_string(&resume).unwrap(), lines);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The verdict of a line, without the name of the file.
fn told(line: &str, files: &[PathBuf]) -> String {
    let value: Value = serde_json::from_str(line).unwrap();
    if value["matches"] == true {
        return "matches".to_owned();
    }
    let error = value["error"].as_str().unwrap();
    let (name, error) = error.split_once(": ").unwrap();
    assert!(files.iter().any(|file| file.display().to_string() == name), "{line}");
    assert!(error.ends_with(value["panic"]["message"].as_str().unwrap()), "{line}");
    assert_eq!(value["panic"]["after"].as_u64(), error.contains("after tick 5").then_some(5));
    error.to_owned()
}

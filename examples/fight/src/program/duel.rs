//! `fight run`: this process hosts, and starts the other one.

use std::{
    env,
    error::Error,
    fs,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
};

use super::{
    arguments::{Run, SideOptions},
    play,
};
use crate::link::Link;

/// Plays a script between two processes, and prints the results of both sides; returns the worse exit code of
/// the two.
pub fn run(run: &Run) -> Result<u8, Box<dyn Error>> {
    fs::create_dir_all(&run.folder)?;
    let side = SideOptions {
        port: 0,
        delay: 0,
        patience: run.patience,
        wait: 60,
        injection: None,
        record: run.folder.join("fight-1.replay"),
        weather: run.weather,
    };
    let plan = super::MatchOptions { scripted: Some(run.scripted), frames: run.frames, rate: run.rate };
    let mut link = Link::bind(0, side.forecast()?)?;
    let terms = plan.terms();
    let mut other = Other(joining(run, &link.address()?.to_string())?.spawn()?);
    // The other's report is read while it plays, and printed behind ours.
    let (give, take) = mpsc::channel();
    let mut pipe = other.0.stdout.take().ok_or("no pipe to the other process")?;
    thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut pipe, &mut text);
        give.send(text)
    });
    let ours = match link.host(terms, side.until()) {
        Some(address) => play(side.setup(0, terms, address)?, link)?,
        None => super::gone("the other process did not come")?,
    };
    let theirs = other.0.wait()?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
    print!("{}", take.recv()?);
    Ok(if theirs == 0 { ours } else { ours.max(theirs.min(3)) })
}

/// The other process, which is killed with this value.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended, as expected
        let _ = self.0.wait();
    }
}

/// The command line of the other process.
fn joining(run: &Run, address: &str) -> Result<Command, Box<dyn Error>> {
    let weather = &run.weather;
    let numbers = [
        ("--weather", weather.weather.wrapping_add(1)),
        ("--latency", weather.latency.into()),
        ("--jitter", weather.jitter.into()),
        ("--loss", weather.loss.into()),
        ("--twice", weather.twice.into()),
        ("--rubbish", weather.rubbish.into()),
        ("--patience", run.patience),
    ];
    let mut command = Command::new(env::current_exe()?);
    command.args(["join", address, "--record"]).arg(run.folder.join("fight-2.replay"));
    for (name, value) in numbers {
        command.args([name, &value.to_string()]);
    }
    if let Some(injection) = &run.injection {
        command.args(["--inject", &injection.to_string()]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    Ok(command)
}

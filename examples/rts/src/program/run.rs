//! `rts run`: this process relays, and starts the players.

use std::{
    env,
    error::Error,
    fs,
    io::Read as _,
    net::SocketAddr,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{
    arguments::{RelayOptions, Run},
    listen, plan,
};

/// A process that plays.
struct Player {
    child: Child,
    text: Option<JoinHandle<String>>,
}

/// The delay of a player who comes late.
const LATE: Duration = Duration::from_millis(500);

/// Plays a script between processes, and prints the result of each; returns the worst exit code.
pub fn run(run: &Run) -> Result<u8, Box<dyn Error>> {
    fs::create_dir_all(&run.folder)?;
    let players = run.terms.players;
    let options = RelayOptions {
        terms: run.terms.clone(),
        port: 0,
        begin_with: run.late.then(|| players.saturating_sub(1).max(1)),
        // A player who is late, or takes another state, joins before the end.
        hold: (run.late || run.resync).then_some(run.terms.ticks * 9 / 10),
        patience: run.patience,
        wait: 60,
        load: None,
    };
    let (relay, address) = listen(options.port, plan(&options)?)?;
    let first = if run.late { players - 1 } else { players };
    let mut others = (0..first).map(|seat| start(run, seat, address)).collect::<Result<Vec<_>, _>>()?;
    let late = run.clone();
    let comes_late = run.late.then(|| {
        thread::spawn(move || {
            thread::sleep(LATE);
            start(&late, late.terms.players - 1, address).map_err(|error| error.to_string())
        })
    });
    relay.run(|event| println!("relay: {event}"));
    if let Some(comes_late) = comes_late {
        others.push(comes_late.join().map_err(|_| "the late one did not come")??);
    }
    let mut ended = Vec::new();
    for player in others {
        ended.push(player.end()?);
    }
    ended.iter().for_each(|(_, text)| print!("{text}"));
    println!("{}", verdict(&ended));
    Ok(ended.iter().map(|(code, _)| *code).max().unwrap_or(2))
}

/// The result of all players together.
fn verdict(ended: &[(u8, String)]) -> String {
    let sums: Vec<&str> = ended
        .iter()
        .filter_map(|(_, text)| text.lines().find_map(|line| line.trim().strip_prefix("checksum ")))
        .map(|rest| rest.split(", ").next().unwrap_or_default().trim())
        .collect();
    let is_same = sums.windows(2).all(|pair| pair[0] == pair[1]);
    let is_well = ended.iter().all(|(code, _)| *code == 0);
    match (is_same, is_well) {
        (true, true) => format!("all {} came to the same state", sums.len()),
        (true, false) => {
            format!("all {} came to the same state in the end; not all was well before", sums.len())
        }
        (false, _) => "they did not come to the same state".to_owned(),
    }
}

/// Starts a player; options for one process go to the last.
fn start(run: &Run, seat: u8, relay: SocketAddr) -> Result<Player, Box<dyn Error>> {
    let mut command = Command::new(env::current_exe()?);
    let record = run.folder.join(format!("rts-{}.replay", seat + 1));
    command.args(["peer", &relay.to_string(), "--seat", &(seat + 1).to_string(), "--record"]).arg(record);
    for (is_asked, flag) in [(run.resync, "--resync"), (run.phases, "--phases")] {
        if is_asked {
            command.arg(flag);
        }
    }
    if seat + 1 == run.terms.players {
        if let Some(injection) = &run.injection {
            command.args(["--inject", &injection.to_string()]);
        }
        if let Some((tick, time)) = run.slow {
            command.args(["--slow", &format!("{tick}:{time}")]);
        }
        if let Some(tick) = run.vanish {
            command.args(["--vanish", &tick.to_string()]);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let mut pipe = child.stdout.take().ok_or("no pipe to a player")?;
    let text = thread::spawn(move || {
        let mut text = String::new();
        let _ = pipe.read_to_string(&mut text); // any output is shown
        text
    });
    Ok(Player { child, text: Some(text) })
}

impl Player {
    fn end(mut self) -> Result<(u8, String), Box<dyn Error>> {
        let code = self.child.wait()?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
        let text = self.text.take().and_then(|text| text.join().ok()).unwrap_or_default();
        Ok((code.min(3), text))
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended, as expected
        let _ = self.child.wait();
    }
}

//! `arena [TICKS] [SEED]`: eight players by script, each on a side of its own, over UDP on the loopback with latency and loss.

use std::{error::Error, net::SocketAddr, process::ExitCode, thread, time::Duration};

use arena::{Arena, PLAYERS, initial_state, script};
use bitstep::session::{Session, Simulation};
use bitstep_rollback::{Ending, Forecast, Match, Outcome, Pace, Player, Setup, UdpTransport, Weather};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let numbers = [1_800, 1].map(|usual| arguments.next().unwrap_or(Ok(usual)));
    let done = match numbers {
        [Ok(ticks), Ok(seed)] => run(ticks, seed),
        _ => Err("arena [TICKS] [SEED]: two whole numbers".into()),
    };
    match done {
        Ok(is_well) => ExitCode::from(u8::from(!is_well)),
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::from(2)
        }
    }
}

/// Plays a match; true if all sides came to the same.
fn run(ticks: u64, seed: u64) -> Result<bool, Box<dyn Error>> {
    let sockets = (0..PLAYERS).map(|_| UdpTransport::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>()?;
    let addresses = sockets.iter().map(UdpTransport::address).collect::<Result<Vec<_>, _>>()?;
    let sides: Vec<_> = sockets
        .into_iter()
        .enumerate()
        .map(|(player, socket)| {
            let addresses = addresses.clone();
            thread::spawn(move || {
                side(player, socket, &addresses, ticks, seed).map_err(|error| error.to_string())
            })
        })
        .collect();
    let mut checksums = Vec::new();
    for (player, side) in sides.into_iter().enumerate() {
        let Outcome { ending, tick, stats, state, .. } = side.join().map_err(|_| "a side failed")??;
        println!(
            "player {}: {ending}; {tick} ticks, {} rollbacks of up to {} ticks, {} points, checksum {}",
            player + 1,
            stats.rollbacks,
            stats.deepest,
            state.game().fighters[player].points,
            state.checksum()
        );
        checksums.push((ending == Ending::Finished).then(|| state.checksum()));
    }
    Ok(checksums.iter().all(|checksum| checksum.is_some() && *checksum == checksums[0]))
}

/// One side of the match: all that a game writes to be played over a network.
fn side(
    player: usize,
    socket: UdpTransport,
    addresses: &[SocketAddr],
    ticks: u64,
    seed: u64,
) -> Result<Outcome<Session<Arena>>, Box<dyn Error>> {
    let forecast = Forecast { seed: player as u64, latency: 15, jitter: 15, loss: 5, ..Forecast::default() };
    let at = |other| if other == player { Player::Local } else { Player::Remote(addresses[other]) };
    let players: Vec<_> = (0..PLAYERS).map(at).collect();
    let setup = Setup { last_tick: ticks, input_delay: 1, ..Setup::new(seed, players) };
    let mut game = Match::new(initial_state(seed)?, setup, Weather::new(socket, forecast))?;
    let mut pace = Pace::new(60);
    while game.ending().is_none() {
        game.frame(&[script(seed, player, game.state().tick_count())], |_| {})?;
        pace.wait();
    }
    game.linger(Duration::from_millis(200))?;
    Ok(game.finish()?)
}

//! `rts peer`: a player that plays a script at a relay.

use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufWriter},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use bitstep::{
    peer::Event,
    session::{Simulation, TickLog},
};
use bitstep_lockstep::{Client, ClientEvent, Ending, Part, Setup, transport::TcpLink};

use super::{
    arguments::PeerOptions,
    report::{End, Report},
};
use crate::{Rts, script::script};

/// Longest wait between two looks at the clock.
const WAIT: Duration = Duration::from_millis(5);

/// The paths of the recordings so far.
type Records = Arc<Mutex<Vec<PathBuf>>>;

/// Plays to the end.
pub fn play(options: &PeerOptions) -> Result<Report, Box<dyn Error>> {
    let (records, mut report) = (Records::default(), Report::default());
    let link = connect(options)?;
    let mut client = Client::<Rts, _>::new(link, setup(options, &records));
    let began = Instant::now();
    while client.ending().is_none() {
        client.update(began.elapsed(), |played| {
            let tick = played.state.tick_count();
            if let Some((_, time)) = options.slow.filter(|(slow, _)| *slow == tick) {
                thread::sleep(Duration::from_millis(time));
            }
            if options.save.as_ref().is_some_and(|(saved, _)| *saved == tick) {
                played.save();
            }
            if played.is_playing() {
                for order in script(played.state.seed(), played.seat, played.state) {
                    let _ = played.order(&order); // one that is too large is given by no player
                }
            }
        })?;
        report.injection = client.log().injection_outcome();
        if options.vanish.is_some_and(|tick| client.state().is_some_and(|state| state.tick_count() >= tick)) {
            client.leave();
        }
        let events: Vec<ClientEvent> = client.events().collect();
        for event in events {
            note(event, client.state(), &mut report, options, &records)?;
        }
        client.wait(WAIT)?;
    }
    let mut outcome = client.finish()?;
    for event in std::mem::take(&mut outcome.events) {
        note(event, outcome.state.as_ref(), &mut report, options, &records)?;
    }
    report.records.clone_from(&records.lock().unwrap_or_else(PoisonError::into_inner));
    report.end = Some(End { was_asked: outcome.ending == Ending::Left, outcome });
    Ok(report)
}

/// Connects to the relay; tries again until the time is over.
fn connect(options: &PeerOptions) -> io::Result<TcpLink> {
    let until = Instant::now() + Duration::from_secs(options.wait);
    loop {
        match TcpLink::connect(options.relay) {
            Err(_) if Instant::now() < until => thread::sleep(Duration::from_millis(20)),
            tried => return tried,
        }
    }
}

fn setup(options: &PeerOptions, records: &Records) -> Setup {
    let mut log = if options.phases { TickLog::sums() } else { TickLog::off() };
    if let Some(injection) = options.injection.clone() {
        log = log.injected(injection);
    }
    let (records, record) = (Arc::clone(records), options.record.clone());
    let open = move |part: Part| -> io::Result<bitstep_lockstep::Writer> {
        let path = record_of(&record, part);
        let file = File::create(&path)?;
        records.lock().unwrap_or_else(PoisonError::into_inner).push(path);
        Ok(Box::new(BufWriter::new(file)))
    };
    Setup {
        seat: options.seat.map(|seat| seat - 1),
        resync: options.resync,
        log,
        record: Some(Box::new(open)),
        patience: Duration::from_millis(options.patience),
        wait: Duration::from_secs(options.wait),
        ..Setup::default()
    }
}

/// The path of a recording: the name of a part that began without this player has its first tick.
fn record_of(record: &Path, part: Part) -> PathBuf {
    if part.is_late { record.with_extension(format!("from-{}.replay", part.tick)) } else { record.to_owned() }
}

/// Notes an event, and writes what it brings: a saved match, and the reports of a desync beside the recording.
fn note(
    event: ClientEvent,
    state: Option<&bitstep::session::Session<Rts>>,
    report: &mut Report,
    options: &PeerOptions,
    records: &Records,
) -> Result<(), Box<dyn Error>> {
    let record = records.lock().unwrap_or_else(PoisonError::into_inner).last().cloned();
    let beside = |what: &str, with: u8| {
        let record = record.clone().unwrap_or_else(|| options.record.clone());
        record.with_extension(format!("{what}-{}.replay", u32::from(with) + 1))
    };
    let (bytes, path) = match &event {
        ClientEvent::Saved(saved) => {
            if let Some((_, path)) = &options.save {
                saved.write(path)?;
            }
            return Ok(());
        }
        ClientEvent::Compared { with, finding: Event::Desync { report, .. } } => {
            (report, beside("ours", *with))
        }
        ClientEvent::Compared { with, finding: Event::RemoteReport { theirs, .. } } => {
            (theirs, beside("theirs", *with))
        }
        _ => {
            report.note(event, None, state);
            return Ok(());
        }
    };
    fs::write(&path, bytes)?;
    report.note(event, Some(path), state);
    Ok(())
}

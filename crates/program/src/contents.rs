//! The content of a recording, in words.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{
    output::{Screen, count, counted, pace},
    state::content_line,
};
use bitstep::{
    World,
    replay::{Replay, TickRecord},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// Prints the content of a recording, line by line.
pub fn show_recording<S: Simulation>(screen: &mut Screen, replay: &Replay<S>, bytes: u64) -> Result<()> {
    let initial_state = replay.initial_state().world();
    let (limits, ticks) = (initial_state.limits(), replay.ticks());
    if !S::name().is_empty() {
        screen.fact("game", S::name())?;
    }
    let same =
        if replay.rules_version() == RULES_VERSION { "as this build" } else { "another than this build's" };
    screen.fact("rules", format!("version {}, {same}", replay.rules_version()))?;
    let inputs: usize = ticks.iter().map(|tick| tick.inputs.len()).sum();
    let notes: usize = ticks.iter().map(|tick| tick.notes.len()).sum();
    screen.fact("ticks", format!("{} at {}", count(ticks.len() as u64), pace(limits)))?;
    screen.fact(if S::name().is_empty() { "commands" } else { "inputs" }, count(inputs as u64))?;
    screen.fact("notes", count(notes as u64))?;
    screen.fact("layers", layers_line(replay))?;
    screen.fact("initial state", initial_state_line(replay.initial_state()))?;
    screen.fact("scenery", scenery_line(initial_state))?;
    screen.fact("gravity", format!("{} per tick", initial_state.gravity()))?;
    screen.fact(
        "limits",
        format!("extent {}, speed {} per tick, size {}", limits.extent, limits.speed_max, limits.size_max),
    )?;
    let bounds = format!(
        "mass {}, {} bodies, {} impacts per body and tick, {} candidates per tick",
        limits.mass_max, limits.bodies_max, limits.budget, limits.pairs_max
    );
    screen.fact("", bounds)?;
    screen.fact("rest speed", format!("{} per tick", limits.rest_speed))?;
    screen.fact("sleep", sleep_line(limits.sleep_after))?;
    if limits.separation_speed > 0 {
        screen.fact("separation", format!("{} per tick", limits.separation_speed))?;
    }
    show_sizes(screen, replay, bytes)?;
    let last = match replay.final_checksum() {
        Some(checksum) => format!("{checksum} after the last tick"),
        None => "none of 128 bits after the last tick: the recording was repaired".to_owned(),
    };
    screen.fact("checksum", last)
}

fn initial_state_line<S: Simulation>(initial_state: &S) -> String {
    format!("{} at tick {}", content_line(initial_state.world()), initial_state.tick_count())
}

fn sleep_line(after: u8) -> String {
    match after {
        0 => "no body falls asleep".to_owned(),
        ticks => format!("after {ticks} ticks of stillness"),
    }
}

fn scenery_line(initial_state: &World) -> String {
    let scenery = initial_state.scenery();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for fixed in scenery.statics() {
        *kinds.entry(scenery.shapes()[usize::from(fixed.shape.0)].name()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, number)| counted(*number, kind)).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    let compounds = match scenery.compounds().len() as u64 {
        0 => String::new(),
        count => format!(", {}", counted(count, "compound")),
    };
    format!(
        "{}{kinds}, {}, {}",
        counted(scenery.statics().len() as u64, "static"),
        counted(scenery.shapes().len() as u64, "shape") + &compounds,
        counted(scenery.materials().len() as u64, "material"),
    )
}

fn show_sizes<S: Simulation>(screen: &mut Screen, replay: &Replay<S>, bytes: u64) -> Result<()> {
    let keyframes = replay.keyframes();
    let frames: u64 = keyframes.iter().map(|keyframe| keyframe.snapshot.len() as u64).sum();
    let layers: u64 = replay.ticks().iter().map(TickRecord::layer_bytes).sum();
    let mut initial_state = Vec::new();
    replay.initial_state().encode_into(&mut initial_state);
    let begin = initial_state.len() as u64 + replay.scenery().encode().len() as u64;
    let ticks = bytes.saturating_sub(begin + frames + layers);
    let per_tick = match replay.ticks().len() as u128 {
        0 => String::new(),
        ticks => {
            let tenths = u128::from(bytes - begin.min(bytes)) * 10 / ticks;
            format!(", {}.{} per tick", count(tenths / 10), tenths % 10)
        }
    };
    screen.fact("size", format!("{} bytes{per_tick}", count(bytes)))?;
    let frames = format!("{} {}", counted(keyframes.len() as u64, "keyframe"), count(frames));
    let parts =
        format!("scenery and initial state {}, ticks and checks {}, {frames}", count(begin), count(ticks));
    let layers = if layers > 0 { format!(", trace layers {}", count(layers)) } else { String::new() };
    screen.fact("", parts + &layers)
}

/// The ticks that have a trace layer.
fn layers_line<S: Simulation>(replay: &Replay<S>) -> String {
    let ticks = replay.ticks();
    match ticks.iter().filter(|record| record.has_log()).count() {
        0 => "no trace layers; `diff` finds phases by playing again".to_owned(),
        all if all == ticks.len() => "a trace layer in every tick: what was so after each phase".to_owned(),
        some => format!("a trace layer in {} of {} ticks", count(some as u64), count(ticks.len() as u64)),
    }
}

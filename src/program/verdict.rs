//! What came of a verification, in words and in JSON.

use anyhow::Result;
use serde_json::{Value, json};

use super::output::{Screen, Tone, counted};
use crate::replay::{Divergence, ReadError, Verdict};

/// How many differing fields are shown.
const FIELDS_SHOWN: usize = 8;

/// A verdict in one line.
pub fn describe(screen: &Screen, verdict: &Verdict) -> String {
    match &verdict.divergence {
        None => {
            let good = screen.paint(Tone::Good, "match");
            match verdict.ticks {
                1 => format!("1 tick {good}es, to the last bit"),
                ticks => format!("all {} {good}, to the last bit", counted(ticks, "tick")),
            }
        }
        Some(divergence) => describe_divergence(screen, divergence),
    }
}

/// A verdict on the whole part of a damaged file in one line.
pub fn describe_damaged(screen: &Screen, verdict: &Verdict, damage: &ReadError) -> String {
    let bad = screen.paint(Tone::Bad, &format!("damaged at byte {}", damage.at));
    let part = match &verdict.divergence {
        Some(divergence) => describe_divergence(screen, divergence),
        None if verdict.ticks == 0 => "no tick comes before it".to_owned(),
        None if verdict.ticks == 1 => format!("the tick before it {}es", screen.paint(Tone::Good, "match")),
        None => {
            let good = screen.paint(Tone::Good, "match");
            format!("the {} before it {good}", counted(verdict.ticks, "tick"))
        }
    };
    format!("{bad} ({}); {part}", damage.fault)
}

fn describe_divergence(screen: &Screen, divergence: &Divergence) -> String {
    let Divergence { tick, recorded, found, .. } = divergence;
    let bad = screen.paint(Tone::Bad, "diverged");
    if recorded == found {
        return format!("{bad} in tick {tick}: the whole checksum or the keyframe there is another");
    }
    format!("{bad} in tick {tick}: checksum {recorded:08x} recorded, {found:08x} found")
}

/// Where a verification diverged, or null.
pub fn divergence_json(verdict: &Verdict) -> Value {
    let Some(divergence) = &verdict.divergence else { return Value::Null };
    json!({
        "tick": divergence.tick,
        "recorded": format!("{:08x}", divergence.recorded),
        "found": format!("{:08x}", divergence.found),
        "fields_at": divergence.fields_at,
        "fields": divergence.fields.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// The fields that differ at the next keyframe.
pub fn show_fields(screen: &mut Screen, divergence: &Divergence) -> Result<()> {
    let Some(tick) = divergence.fields_at else {
        return screen.line("  no keyframe follows, so the fields cannot be compared");
    };
    if divergence.fields.is_empty() {
        return screen.line(format!(
            "  after tick {tick} no field differs: it is the recorded checksum that is wrong"
        ));
    }
    screen.line(format!("  fields after tick {tick}, recorded | found:"))?;
    for field in divergence.fields.iter().take(FIELDS_SHOWN) {
        screen.line(format!("    {field}"))?;
    }
    let more = divergence.fields.len().saturating_sub(FIELDS_SHOWN);
    if more > 0 { screen.line(format!("    and {more} more")) } else { Ok(()) }
}

//! The result of a verification, in words and in JSON.

use serde_json::{Value, json};

use super::output::{Palette, Tone, counted};
use bitstep::replay::{Agreement, Damage, Divergence, Verdict};

/// Number of differing fields that are shown.
const FIELDS_SHOWN: usize = 8;

/// A verdict in one line.
pub fn describe(palette: Palette, verdict: &Verdict) -> String {
    match &verdict.divergence {
        None => {
            let good = palette.paint(Tone::Good, "match");
            match verdict.ticks {
                1 => format!("1 tick {good}es, to the last bit"),
                ticks => format!("all {} {good}, to the last bit", counted(ticks, "tick")),
            }
        }
        Some(divergence) => describe_divergence(palette, divergence),
    }
}

/// A verdict on the whole part of a damaged file in one line.
pub fn describe_damaged(palette: Palette, verdict: &Verdict, damage: &Damage) -> String {
    let bad = palette.paint(Tone::Bad, &format!("damaged at byte {}", damage.at));
    let part = match &verdict.divergence {
        Some(divergence) => describe_divergence(palette, divergence),
        None if verdict.ticks == 0 => "no tick comes before it".to_owned(),
        None if verdict.ticks == 1 => format!("the tick before it {}es", palette.paint(Tone::Good, "match")),
        None => {
            let good = palette.paint(Tone::Good, "match");
            format!("the {} before it {good}", counted(verdict.ticks, "tick"))
        }
    };
    format!("{bad} ({}); {part}", damage.fault)
}

fn describe_divergence(palette: Palette, divergence: &Divergence) -> String {
    let Divergence { tick, recorded, found, .. } = divergence;
    let bad = palette.paint(Tone::Bad, "diverged");
    if recorded == found {
        let what = match divergence.comparison.phase {
            Some(_) => "its trace layer",
            None => "the whole checksum or the keyframe there",
        };
        return format!("{bad} in tick {tick}: {what} is another");
    }
    format!("{bad} in tick {tick}: checksum {recorded:08x} recorded, {found:08x} found")
}

/// The divergence of a verification, or null.
pub fn divergence_json(verdict: &Verdict) -> Value {
    let Some(divergence) = &verdict.divergence else { return Value::Null };
    json!({
        "tick": divergence.tick,
        "recorded": format!("{:08x}", divergence.recorded),
        "found": format!("{:08x}", divergence.found),
        "phase": divergence.comparison.phase,
        "fields_at": divergence.comparison.values_at,
        "fields": divergence.comparison.fields().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// The fields that differ after the phase, or at the next keyframe, in lines.
pub fn field_lines(divergence: &Divergence) -> Vec<String> {
    let comparison = &divergence.comparison;
    let place = match (comparison.values_at, &comparison.phase) {
        (Some(tick), _) => format!("tick {tick}"),
        (None, Some(phase)) => format!("{phase} of tick {}", divergence.tick),
        (None, None) => return vec!["  no keyframe follows, so the fields cannot be compared".to_owned()],
    };
    if comparison.difference.is_none() {
        return vec![match comparison.phase {
            Some(_) => format!("  after {place} the hash is another; the values were not kept"),
            None => format!("  after {place} no field differs: it is the recorded checksum that is wrong"),
        }];
    }
    let sides = match comparison.rerun {
        Agreement::NotWithItself => "one run here | another",
        _ => "recorded | found",
    };
    let mut lines = vec![format!("  fields after {place}, {sides}:")];
    lines.extend(comparison.fields().take(FIELDS_SHOWN).map(|field| format!("    {field}")));
    let more = comparison.fields().count().saturating_sub(FIELDS_SHOWN);
    if more > 0 {
        lines.push(format!("    and {more} more"));
    }
    lines
}

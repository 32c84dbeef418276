//! The result of a recording as a line of JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    super::verdict::divergence_json,
    check::{Checked, Done, Outcome, Panicked},
    limits::{Beyond, decimal},
};

/// The line of a recording that was verified here, or could not be.
///
/// Its first key is `build`, in whatever order keys are kept: another crate of a game may set that.
pub fn line(path: &Path, done: &Done, build: Option<&str>) -> String {
    let mut line = json!({ "build": build, "file": path.display().to_string() });
    if let Some(identity) = &done.identity {
        put(&mut line, json!({ "bytes": identity.bytes, "hash": identity.hash }));
    }
    match &done.outcome {
        Outcome::Checked(checked) => put(&mut line, verdict(checked)),
        Outcome::Bad(error) => {
            put(&mut line, json!({ "error": format!("{error:#}") }));
            if let Some(beyond) = error.downcast_ref::<Beyond>() {
                put(&mut line, json!({ "limit": beyond.to_json() }));
            }
            if let Some(Panicked { after, message }) = error.downcast_ref() {
                put(&mut line, json!({ "panic": { "after": after, "message": message } }));
            }
        }
        // These have lines of their own.
        Outcome::Other(_) | Outcome::Earlier(_) => {}
    }
    line.to_string()
}

fn put(line: &mut Value, further: Value) {
    if let (Value::Object(line), Value::Object(further)) = (line, further) {
        line.extend(further);
    }
}

fn verdict(Checked { verdict, damage, speed }: &Checked) -> Value {
    let damage = damage.as_ref().map(|damage| json!({ "at": damage.at, "fault": damage.fault.to_string() }));
    json!({
        "matches": verdict.divergence.is_none() && damage.is_none(),
        "ticks": verdict.ticks,
        "checksum": verdict.checksum.to_string(),
        "divergence": divergence_json(verdict),
        "damage": damage,
        "ticks_per_second": speed.and_then(|speed| u64::try_from(speed.ticks_per_second()).ok()),
        "real_time": speed.and_then(|speed| decimal(speed.real_time_thousandths())),
    })
}

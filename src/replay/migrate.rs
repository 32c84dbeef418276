//! Playing recordings of any rules under this build's, and how far that leads from what was recorded.

use std::collections::BTreeMap;

use super::{Replay, TickRecord};
use crate::{
    num::Scalar,
    session::Simulation,
    snapshot::Checksum,
    state::BodyId,
    tick::{TickReport, World},
};

/// How a recording goes under the rules of this build, beside how it went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Migration {
    /// The version of the rules that it was recorded under.
    pub recorded_rules: u32,
    /// How many ticks were played.
    pub ticks: u64,
    /// The number of the first tick after which the state is another, as the states count.
    pub first_difference: Option<u64>,
    /// The farthest that a body is from where it was recorded, over all keyframes; `None` where no keyframe
    /// has a body that is there under both rules.
    pub deviation: Option<Deviation>,
    /// How both ended, at the last keyframe; `None` without one.
    pub outcome: Option<Outcomes>,
}

/// How far a body is from where it was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    /// The number of the tick that the keyframe follows.
    pub tick: u64,
    /// Which body.
    pub body: BodyId,
    /// The largest difference of a coordinate, in raw.
    pub raw: u64,
}

/// What recorded and found states amount to at one tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// The number of the tick.
    pub tick: u64,
    /// What was recorded.
    pub recorded: String,
    /// What was found.
    pub found: String,
}

impl Migration {
    /// True if every tick came to the same state.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        self.first_difference.is_none()
    }
}

impl Deviation {
    /// The difference in units; what is beyond the largest scalar is cut to it.
    #[must_use]
    pub fn distance(&self) -> Scalar {
        Scalar::from_bits(i64::try_from(self.raw).unwrap_or(i64::MAX))
    }
}

impl Outcomes {
    /// True if both ended in the same way.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.recorded == self.found
    }
}

/// Plays a recording of any rules under this build's; `observe` sees every recorded tick and the state after it.
///
/// States are compared without the rules version that stands in a snapshot, so rules that change nothing for a
/// recording give no difference.
pub fn migrate<S: Simulation>(
    replay: &Replay<S>,
    mut observe: impl FnMut(&TickRecord<S::Input>, &S),
) -> Migration {
    let mut migration = Migration {
        recorded_rules: replay.rules_version(),
        ticks: replay.ticks().len() as u64,
        first_difference: None,
        deviation: None,
        outcome: None,
    };
    let (mut state, mut report, mut bytes) = (replay.opening().clone(), TickReport::default(), Vec::new());
    let mut keyframes = replay.keyframes().iter().peekable();
    let start = state.tick_count();
    for (tick, record) in (start + 1..).zip(replay.ticks()) {
        state.tick(&record.inputs, &mut report);
        observe(record, &state);
        if migration.first_difference.is_none() {
            state.encode_into(&mut bytes);
            S::relabel(&mut bytes, migration.recorded_rules);
            let is_same = Checksum::of(&bytes).short() == record.checksum;
            migration.first_difference = (!is_same).then_some(tick);
        }
        while let Some(keyframe) = keyframes.next_if(|keyframe| keyframe.tick + start <= tick) {
            // What was read can be decoded.
            if let (true, Ok(recorded)) =
                (keyframe.tick + start == tick, S::decode(&keyframe.snapshot, replay.scenery()))
            {
                migration.compare(tick, &recorded, &state);
            }
        }
    }
    migration
}

impl Migration {
    fn compare<S: Simulation>(&mut self, tick: u64, recorded: &S, found: &S) {
        if let Some((body, raw)) = farthest(recorded.world(), found.world()) {
            if self.deviation.is_none_or(|deviation| deviation.raw < raw) {
                self.deviation = Some(Deviation { tick, body, raw });
            }
        }
        self.outcome = Some(Outcomes { tick, recorded: recorded.outcome(), found: found.outcome() });
    }
}

/// The first of the bodies in both worlds that lie farthest apart, and the largest difference of a coordinate.
fn farthest(a: &World, b: &World) -> Option<(BodyId, u64)> {
    let there: BTreeMap<BodyId, _> = b.bodies().map(|(id, body)| (id, body.position)).collect();
    let mut found: Option<(BodyId, u64)> = None;
    for (id, body) in a.bodies() {
        let Some(other) = there.get(&id) else { continue };
        let (here, there) = (body.position.raw(), other.raw());
        let apart = (0..3).map(|axis| here[axis].abs_diff(there[axis])).max().unwrap_or(0);
        if found.is_none_or(|(_, most)| most < apart) {
            found = Some((id, apart));
        }
    }
    found
}

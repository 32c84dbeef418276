//! Migration: recordings of any rules played under this build's rules, and their deviation from the recorded
//! states.

use std::collections::BTreeMap;

use super::{Player, Replay, TickRecord};
use crate::{num::Scalar, session::Simulation, state::BodyId, tick::World};

/// A recording played under the rules of this build, compared with the recorded states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Migration {
    /// The version of the rules that it was recorded under.
    pub recorded_rules: u32,
    /// Number of ticks played.
    pub ticks: u64,
    /// The number of the first tick that does not come out as recorded, as the states count.
    pub first_difference: Option<u64>,
    /// The largest deviation of a body from its recorded position, over all keyframes; `None` where no
    /// keyframe has a body that exists under both rules.
    pub deviation: Option<Deviation>,
    /// The outcomes of both, at the last keyframe; `None` without one.
    pub outcome: Option<Outcomes>,
}

/// The deviation of a body from its recorded position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    /// The number of the tick that the keyframe follows.
    pub tick: u64,
    /// The body.
    pub body: BodyId,
    /// The largest difference of a coordinate, in raw.
    pub raw: u64,
}

/// The recorded and the found outcome at one tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// The number of the tick.
    pub tick: u64,
    /// The recorded outcome.
    pub recorded: String,
    /// The found outcome.
    pub found: String,
}

impl Migration {
    /// True if every tick came out as recorded.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        self.first_difference.is_none()
    }
}

impl Deviation {
    /// The difference in units, clamped to the largest scalar.
    #[must_use]
    pub fn distance(&self) -> Scalar {
        Scalar::from_bits(i64::try_from(self.raw).unwrap_or(i64::MAX))
    }
}

impl Outcomes {
    /// True if both outcomes are the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.recorded == self.found
    }
}

/// Plays a recording of any rules under this build's; `observe` sees every recorded tick and the state after
/// it.
///
/// Ticks are compared as [`Player::step_compared`] does, without the rules version of their snapshots, so rules that change
/// nothing for a recording give no difference.
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
    let mut player = Player::with_budget(replay, 0);
    let mut keyframes = replay.keyframes().iter().peekable();
    let start = player.state().tick_count();
    for (tick, record) in (start + 1..).zip(replay.ticks()) {
        if migration.first_difference.is_some() {
            player.step();
        } else if player.step_compared().is_some_and(|played| !played.is_recorded) {
            migration.first_difference = Some(tick);
        }
        let state = player.state();
        observe(record, state);
        while let Some(keyframe) = keyframes.next_if(|keyframe| keyframe.tick + start <= tick) {
            // A replay that was read can be decoded.
            if let (true, Ok(recorded)) =
                (keyframe.tick + start == tick, S::decode(&keyframe.snapshot, replay.scenery()))
            {
                migration.compare(tick, &recorded, state);
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

/// The body in both worlds with the largest distance between its two positions, the first of several, and the
/// largest difference of a coordinate.
fn farthest(a: &World, b: &World) -> Option<(BodyId, u64)> {
    let there: BTreeMap<BodyId, _> = b.bodies().map(|(id, body)| (id, body.position)).collect();
    let mut found: Option<(BodyId, u64)> = None;
    for (id, body) in a.bodies() {
        let Some(other) = there.get(&id) else { continue };
        let (here, there) = (body.position.raw(), other.raw());
        let [x, y, z] = [0, 1, 2].map(|axis| here[axis].abs_diff(there[axis]));
        let apart = x.max(y).max(z);
        if found.is_none_or(|(_, most)| most < apart) {
            found = Some((id, apart));
        }
    }
    found
}

//! Hit stop: a fighter stands still for some ticks, and then goes on as it would have.
//!
//! The world goes on around it. A body is held by locking its axes; the lock takes its momentum, so its velocity is kept
//! here. This is the only file that knows how.

use bitstep::{
    geom::Vec3,
    session::Tick,
    world::{BodyId, Command, Locks},
};
use serde::{Deserialize, Serialize};

use crate::stage::HELD;

/// How long a body is still held, and what it goes on with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Hold {
    /// In how many ticks it ends.
    pub left: u8,
    /// What it goes on with.
    pub velocity: Vec3,
}

impl Hold {
    /// It is not held.
    pub const NONE: Self = Self { left: 0, velocity: Vec3::ZERO };

    /// Whether it is held.
    pub const fn is_on(&self) -> bool {
        self.left > 0
    }

    /// Holds a body for so many ticks to come, at least; then it has the velocity.
    pub fn begin(&mut self, tick: &mut Tick<'_>, body: BodyId, ticks: u8, velocity: Vec3) {
        self.left = self.left.max(ticks + 1); // one ends when it is counted
        self.velocity = velocity;
        apply(tick, Command::SetLocks { body, locks: HELD });
    }

    /// Counts a tick, and says whether the body is still held in it.
    pub fn count(&mut self, tick: &mut Tick<'_>, body: BodyId) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.left == 0 {
            self.end(tick, body);
        }
        self.left > 0
    }

    /// Lets it go.
    pub fn end(&mut self, tick: &mut Tick<'_>, body: BodyId) {
        self.left = 0;
        apply(tick, Command::SetLocks { body, locks: Locks::NONE });
        apply(tick, Command::SetVelocity { body, velocity: self.velocity });
    }
}

/// Gives a command that nothing can be wrong with: a fighter's body is there, and a pose needs no room.
///
/// A comparison of recordings names the line of whoever calls this.
#[track_caller]
pub fn apply(tick: &mut Tick<'_>, command: Command) {
    let outcome = tick.apply(command);
    debug_assert!(outcome.is_ok(), "{command:?}: {outcome:?}");
}

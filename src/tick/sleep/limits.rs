//! The thresholds of sleep, and its limits on repetition.

/// A body is at rest in a tick in which it moves and rotates by at most the velocity that gravity gives it in
/// this fraction of a second, 2^-8: 0.04 units per second with the gravity of Earth. Without gravity it must
/// not move at all.
pub const STILL_SHIFT: u32 = 8;

/// The threshold at high rates is a quarter of the velocity that gravity gives in a tick: a flying body is
/// never below it for two ticks.
pub const RATE_MAX: u32 = 64;

/// 2^-2: twice the fraction of gravity below which a resting body stays at rest.
pub const HOVER_SHIFT: u32 = 2;

/// Number of replays for sleepers that were left out; in the next one all sleepers are active. It bounds the work of a tick in
/// which each replay finds further ones. With fewer, all sleepers would be visited for the sake of a few. A cost, not a result.
pub const MISSES_MAX: u32 = 4;

/// Number of replays of a tick; in the last one all sleepers wake. It bounds the work of a tick in which those that wake disturb
/// others; islands wake whole, so a few replays reach far. With fewer, sleepers would wake that nothing has disturbed.
pub const PLAYS_MAX: u32 = 8;

/// The margin boxes of the sleepers are rebuilt when more than one in two is stale: each is then looked at in vain at most as often
/// as one that is not, and a rebuild is paid for by as many that woke.
pub const STALE_PART: usize = 2;

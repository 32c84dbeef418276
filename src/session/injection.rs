//! Fault injection: one leaf of the state changed by one raw unit, to test that the change is found.

use std::{fmt, str::FromStr};

use serde::{Serialize, de::DeserializeOwned};

use super::names::END;
use crate::{
    snapshot::{Leaf, Value, leaves},
    state::{BodyId, State, wire},
    tick::{Phase, View, World},
};

/// The leaf of the state that is changed, and the tick and phase.
///
/// Its lowest bit is flipped, so it becomes one raw unit more or less. If no state has that value, the other
/// of the two is tried, then the same with the next bit and the next power of two, as for gravity, which is
/// even. A count of ticks goes up.
///
/// Written `TICK:BODY:FIELD[@PHASE]` or `TICK:PATH[@PHASE]`: `1834:17:vel.y`, `1834:17.2:momentum.y@impacts`,
/// `30:game.gold[1]@orders`. A body is its slot, or slot and generation; `vel` is its momentum and `pos` its
/// position. Without a phase the world is changed after `finish`, the game's part at `end`. The change is
/// made whenever the tick is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injection {
    /// The number of the tick.
    pub tick: u64,
    /// The path of the leaf, as in [`Field`](crate::snapshot::Field).
    pub path: String,
    /// The body that the path must be of, if it was named with its generation.
    pub body: Option<BodyId>,
    /// The phase or mark of the tick after which it is given, the first of that name.
    pub phase: Option<String>,
}

/// The outcome of a [`Injection`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InjectionOutcome {
    /// The change was made.
    Given {
        /// The phase after which it was given.
        phase: String,
        /// The value before.
        was: Value,
        /// The value after.
        is: Value,
    },
    /// The change was not made.
    Failed(InjectionError),
}

/// The reason why a text is no injection, or one was not given.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InjectionError {
    /// A text names no leaf and no tick.
    #[error(
        "`{0}` is not TICK:BODY:FIELD or TICK:PATH, with or without @PHASE, such as 1834:17:vel.y@impacts"
    )]
    Text(String),
    /// The tick was not played.
    #[error("tick {0} was not played")]
    NoTick(u64),
    /// The tick has no such phase.
    #[error("tick {tick} has no phase `{phase}`; it has {}", .known.join(", "))]
    NoPhase {
        /// The tick.
        tick: u64,
        /// The phase that was requested.
        phase: String,
        /// The phases of that tick, in order.
        known: Vec<String>,
    },
    /// The state has no such leaf at that point.
    #[error("there is no `{0}` in the state then")]
    NoLeaf(String),
    /// The slot holds another body at that point.
    #[error("there is no body {0} then")]
    NoBody(BodyId),
    /// There is no value to change: an absent value, an empty list or an empty text.
    #[error("`{0}` is empty then")]
    Empty(String),
    /// The game's part can change at its own marks and at `end` only.
    #[error("`{0}` belongs to the game, which changes at its marks and at `{END}`, in no phase of the world")]
    NotInThisPhase(String),
    /// The state accepts no other value there, whatever power of two is added or subtracted.
    #[error("the state can have no other `{0}` then, as the rest of it is")]
    Refused(String),
}

impl Injection {
    /// The phase after which it is given.
    #[must_use]
    pub fn phase(&self) -> &str {
        let default = if self.is_of_the_game() { END } else { Phase::Finish.name() };
        self.phase.as_deref().unwrap_or(default)
    }

    fn is_of_the_game(&self) -> bool {
        self.path == "game" || self.path.starts_with("game.") || self.path.starts_with("game[")
    }
}

impl FromStr for Injection {
    type Err = InjectionError;

    fn from_str(text: &str) -> Result<Self, InjectionError> {
        parse(text).ok_or_else(|| InjectionError::Text(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Injection> {
    let (tick, place) = text.split_once(':')?;
    // A quoted key of a map may contain any character; a phase stands behind all brackets.
    let (place, phase) = match place.rsplit_once('@') {
        Some((place, phase)) if !phase.contains(']') => (place, Some(phase)),
        _ => (place, None),
    };
    let named = place.split_once(':').and_then(|(body, field)| Some((parse_body(body)?, field)));
    let (path, body) = match named {
        Some(((slot, body), field)) => (format!("slots[{slot}].body.{}", full_name(field)), body),
        None => (place.to_owned(), None),
    };
    let is_empty = path.is_empty() || path.ends_with('.') || phase.is_some_and(str::is_empty);
    let is_torn = path.contains(':') && !path.contains('"');
    let tick = tick.parse().ok().filter(|_| !is_empty && !is_torn)?;
    Some(Injection { tick, path, body, phase: phase.map(str::to_owned) })
}

fn parse_body(text: &str) -> Option<(u32, Option<BodyId>)> {
    match text.split_once('.') {
        None => Some((text.parse().ok()?, None)),
        Some((slot, generation)) => {
            let slot = slot.parse().ok()?;
            Some((slot, Some(BodyId::from_parts(slot, generation.parse().ok()?))))
        }
    }
}

/// The name of a field as the state has it.
fn full_name(field: &str) -> String {
    let (name, rest) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
    let name = match name {
        "vel" | "velocity" => "momentum",
        "pos" => "position",
        name => name,
    };
    format!("{name}{rest}")
}

impl fmt::Display for Injection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, path, body, phase } = self;
        let of_body = path.strip_prefix("slots[").and_then(|rest| rest.split_once("].body."));
        match (of_body, body) {
            (Some((_, field)), Some(body)) => {
                write!(f, "{tick}:{}.{}:{field}", body.slot(), body.generation())?;
            }
            (Some((slot, field)), None) => write!(f, "{tick}:{slot}:{field}")?,
            (None, _) => write!(f, "{tick}:{path}")?,
        }
        phase.as_ref().map_or(Ok(()), |phase| write!(f, "@{phase}"))
    }
}

impl fmt::Display for InjectionOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given { phase, was, is } => write!(f, "after {phase}: {was} became {is}"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

/// A injection that is not given yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dose {
    injection: Injection,
    /// The tick that is being played.
    tick: u64,
    /// The phases of the injected tick so far.
    known: Vec<String>,
    outcome: Option<InjectionOutcome>,
}

impl Dose {
    pub(super) fn new(injection: Injection) -> Self {
        Self { injection, tick: 0, known: Vec::new(), outcome: None }
    }

    /// Begins a tick. A tick played again after a rollback is changed again.
    pub(super) fn begin(&mut self, tick: u64) {
        self.tick = tick;
        if tick == self.injection.tick {
            self.known.clear();
            self.outcome = None;
        }
    }

    /// The outcome so far.
    pub(super) fn outcome(&self) -> InjectionOutcome {
        let Self { injection, known, outcome, .. } = self;
        outcome.clone().unwrap_or_else(|| {
            InjectionOutcome::Failed(if known.is_empty() {
                InjectionError::NoTick(injection.tick)
            } else {
                let (phase, known) = (injection.phase().to_owned(), known.clone());
                InjectionError::NoPhase { tick: injection.tick, phase, known }
            })
        })
    }

    /// True if it is to be given after this phase.
    fn is_due(&mut self, phase: &str) -> bool {
        if self.tick != self.injection.tick {
            return false;
        }
        self.known.push(phase.to_owned());
        self.outcome.is_none() && self.injection.phase() == phase
    }

    /// Gives it after a phase of the world.
    pub(super) fn give_to_view(&mut self, phase: Phase, view: &View<'_>) -> Option<State> {
        if !self.is_due(phase.name()) {
            return None;
        }
        if self.injection.is_of_the_game() {
            let error = InjectionError::NotInThisPhase(self.injection.path.clone());
            self.outcome = Some(InjectionOutcome::Failed(error));
            return None;
        }
        let state = view.state();
        let was_sound = state.check(view.scenery()).is_ok();
        self.give(phase.name(), &state, |state| !was_sound || state.check(view.scenery()).is_ok())
    }

    /// Gives it at a mark of the game.
    pub(super) fn give_at_mark<G>(&mut self, mark: &str, game: &mut G, world: &mut World)
    where
        G: Serialize + DeserializeOwned,
    {
        if !self.is_due(mark) {
            return;
        }
        if self.injection.is_of_the_game() {
            if let Some(altered) = self.give(mark, game, |_| true) {
                *game = altered;
            }
        } else if let Some(altered) =
            self.give(mark, world.state(), |state| state.check(world.scenery()).is_ok())
        {
            let (scenery, events) = (world.scenery().clone(), world.events_enabled());
            *world = World::from_state(altered, scenery).expect("it was checked");
            world.enable_events(events);
        }
    }

    /// The value with the leaf's lowest bit flipped; if that is refused, one raw unit further the other way,
    /// or the same with the next bit.
    fn give<T>(&mut self, phase: &str, value: &T, accepts: impl Fn(&T) -> bool) -> Option<T>
    where
        T: Serialize + DeserializeOwned,
    {
        let found = self.find(value).and_then(|leaf| {
            let encoding = wire::encode(value);
            (0..leaf.width * 8)
                .flat_map(|power| {
                    // A count of ticks that went back would never reach the tick at which a run ends.
                    let goes_down = leaf.path != "tick";
                    let is_set = goes_down && encoding[leaf.at + power / 8] >> (power % 8) & 1 == 1;
                    [(power, !is_set), (power, is_set)]
                })
                .filter_map(|step| stepped(value, &encoding, &leaf, step))
                .find(|(altered, _)| accepts(altered))
                .map(|(altered, is)| (altered, leaf.value, is))
                .ok_or_else(|| InjectionError::Refused(self.injection.path.clone()))
        });
        let (outcome, altered) = match found {
            Ok((altered, was, is)) => {
                (InjectionOutcome::Given { phase: phase.to_owned(), was, is }, Some(altered))
            }
            Err(error) => (InjectionOutcome::Failed(error), None),
        };
        self.outcome = Some(outcome);
        altered
    }

    fn find<T: Serialize>(&self, value: &T) -> Result<Leaf, InjectionError> {
        let path = &self.injection.path;
        let inner = path.strip_prefix("game.").unwrap_or(path.strip_prefix("game").unwrap_or(path));
        let no_leaf = || InjectionError::NoLeaf(path.clone());
        let (leaves, _) = leaves(value).map_err(|_| no_leaf())?;
        if let Some(body) = self.injection.body {
            let generation = format!("slots[{}].generation", body.slot());
            let expected = Value::Whole(body.generation.into());
            if !leaves.iter().any(|leaf| leaf.path == generation && leaf.value == expected) {
                return Err(InjectionError::NoBody(body));
            }
        }
        let leaf = leaves.into_iter().find(|leaf| leaf.path == inner).ok_or_else(no_leaf)?;
        let is_empty = leaf.value == Value::Absent || leaf.width == 0;
        if is_empty { Err(InjectionError::Empty(path.clone())) } else { Ok(leaf) }
    }
}

/// The value with one leaf changed by a power of two, and the leaf's new value; `None` if there is no such
/// value.
fn stepped<T>(value: &T, encoding: &[u8], leaf: &Leaf, (power, is_up): (usize, bool)) -> Option<(T, Value)>
where
    T: Serialize + DeserializeOwned,
{
    let mut bytes = encoding.to_vec();
    let mut step = 1_u8 << (power % 8);
    let mut carries = true;
    for byte in &mut bytes[leaf.at + power / 8..leaf.at + leaf.width] {
        (*byte, carries) = if is_up { byte.overflowing_add(step) } else { byte.overflowing_sub(step) };
        step = 1;
        if !carries {
            break;
        }
    }
    let altered: T = wire::decode(&bytes).ok()?;
    let (before, _) = leaves(value).ok()?;
    let (after, _) = leaves(&altered).ok()?;
    let is_alone = before.len() == after.len()
        && before.iter().zip(&after).all(|(old, new)| old.path == new.path && (old == new || old == leaf));
    let there = after.into_iter().find(|new| new.path == leaf.path)?.value;
    let is_next = match (&leaf.value, &there) {
        // A number that wrapped is not the next one.
        (Value::Whole(was), Value::Whole(is)) => was.abs_diff(*is) == 1 << power,
        (Value::Fixed(was), Value::Fixed(is)) => was.to_bits().abs_diff(is.to_bits()) == 1 << power,
        (was, is) => was != is && !carries,
    };
    (is_alone && is_next).then_some((altered, there))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// A value with bytes in front of the leaf that is changed, and behind it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    struct Row<T> {
        front: u16,
        leaf: T,
        behind: u32,
    }

    fn row<T>(leaf: T) -> Row<T> {
        Row { front: 0xa5a5, leaf, behind: 0x5a5a_a5a5 }
    }

    /// The value that a leaf gets if the state accepts some values only.
    fn given<T>(value: &T, path: &str, accepts: impl Fn(&T) -> bool) -> Result<T, InjectionError>
    where
        T: Serialize + DeserializeOwned,
    {
        let injection = Injection { tick: 1, path: path.to_owned(), body: None, phase: None };
        let mut dose = Dose::new(injection);
        let altered = dose.give("end", value, accepts);
        match dose.outcome.expect("it was given or refused") {
            InjectionOutcome::Given { .. } => Ok(altered.expect("it was given")),
            InjectionOutcome::Failed(error) => Err(error),
        }
    }

    #[test]
    fn a_leaf_has_its_lowest_bit_flipped_that_the_state_accepts_so() {
        for was in [0_u64, 1, 0xff, 0x100, 0x1234_5678_9abc_def0, u64::MAX - 1, u64::MAX, 1 << 63] {
            for power in 0..64 {
                let flipped = was ^ (1 << power);
                // Values that are the power of two away: no lower bit will do.
                let accepts = |it: &Row<u64>| it.leaf.abs_diff(was) == 1 << power;
                assert_eq!(given(&row(was), "leaf", accepts), Ok(row(flipped)), "{was:x} {power}");
            }
            assert_eq!(given(&row(was), "leaf", |_| true), Ok(row(was ^ 1)), "{was:x}");
        }
    }

    #[test]
    fn a_leaf_goes_the_other_way_where_only_that_is_accepted() {
        for was in [1_u32, 0xff, 0x0100_0000, 0x1234_5678, 1 << 31] {
            for power in 0..32 {
                let (step, is_set) = (1_u32 << power, was >> power & 1 == 1);
                let other = if is_set { was.checked_add(step) } else { was.checked_sub(step) };
                let expected = other.map(row).ok_or(InjectionError::Refused("leaf".to_owned()));
                let accepts = |it: &Row<u32>| {
                    it.leaf != was ^ step
                        && [was.wrapping_add(step), was.wrapping_sub(step)].contains(&it.leaf)
                };
                // Both steps of the highest bit lead to the same value.
                if power < 31 {
                    assert_eq!(given(&row(was), "leaf", accepts), expected, "{was:x} {power}");
                }
            }
        }
    }

    #[test]
    fn numbers_do_not_wrap() {
        let refused = |path: &str| InjectionError::Refused(path.to_owned());
        assert_eq!(given(&row(0_u8), "leaf", |it| it.leaf == 255), Err(refused("leaf")));
        assert_eq!(given(&row(255_u8), "leaf", |it| it.leaf == 0), Err(refused("leaf")));
        assert_eq!(given(&row(i16::MAX), "leaf", |it| it.leaf == i16::MIN), Err(refused("leaf")));
        assert_eq!(given(&row(0_u8), "leaf", |it| it.leaf > 100), Ok(row(128)));
    }

    #[test]
    fn a_count_of_ticks_goes_up() {
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        struct Counted {
            tick: u64,
        }
        for tick in [0, 1, 7, 0xff] {
            assert_eq!(given(&Counted { tick }, "tick", |_| true), Ok(Counted { tick: tick + 1 }));
        }
    }

    /// A pair that is read with its second half made from the first.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(from = "(u32, u32)")]
    struct Bound {
        one: u32,
        thrice: u32,
    }

    impl From<(u32, u32)> for Bound {
        fn from((one, _): (u32, u32)) -> Self {
            Self { one, thrice: one.wrapping_mul(3) }
        }
    }

    /// A text that is always read as the same.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(from = "String")]
    struct Constant(String);

    impl From<String> for Constant {
        fn from(_: String) -> Self {
            Self("b".to_owned())
        }
    }

    #[test]
    fn a_change_that_cannot_be_of_one_leaf_alone_is_refused() {
        let bound = row(Bound { one: 3, thrice: 9 });
        for path in ["leaf.one", "leaf.thrice"] {
            assert_eq!(given(&bound, path, |_| true), Err(InjectionError::Refused(path.to_owned())));
        }
        let constant = row(Constant("b".to_owned()));
        assert_eq!(given(&constant, "leaf", |_| true), Err(InjectionError::Refused("leaf".to_owned())));
        let text = row("b".to_owned());
        assert_eq!(given(&text, "leaf", |_| true), Ok(row("c".to_owned())));
    }
}

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

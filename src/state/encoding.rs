//! Encodings with optional fields: a field with its default value takes no bytes, so older encodings stay
//! valid.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error, SeqAccess, Visitor},
    ser::SerializeStruct,
};

use super::{Body, Limits, OnHit, Slot, State};
use crate::num::Scalar;

/// In the byte of [`Limits::flat`]: the world is flat.
const FLAT: u8 = 1;

/// In the byte of [`Limits::flat`]: [`Limits::sleep_after`] follows, and is not 0.
const SLEEPS: u8 = 2;

/// In the byte of [`Limits::flat`]: [`Limits::separation_speed`] follows, and is not 0.
const SEPARATES: u8 = 4;

/// In the byte of [`Limits::flat`]: [`Limits::substeps`] follows, and is not 1.
const STEPS: u8 = 8;

/// In the byte of [`Body::stops`]: the body stops.
const STOPS: u8 = 1;

/// In the byte of [`Body::stops`]: [`Body::frozen`] follows behind the fields that every body has, and is not
/// 0.
const FROZEN: u8 = 2;

/// In the byte of [`Body::stops`]: [`Body::on_hit`] follows, and is not to continue.
const ON_HIT: u8 = 4;

/// In the byte of [`Body::stops`]: [`Body::drive`] follows.
const DRIVE: u8 = 8;

/// In the byte of [`Body::stops`]: [`Body::dominance`] follows, and is not 0.
const PRIORITY: u8 = 64;

/// In the byte of [`Body::stops`]: the body is [`excepted`](Body::excepted). If any body is,
/// [`State::exceptions`] follow behind everything else in the state.
const EXCEPTED: u8 = 16;

/// The largest number of fields of a body.
const BODY: usize = 17;

/// The largest number of fields of limits.
const LIMITS: usize = 13;

/// The largest number of fields of a state.
const STATE: usize = 7;

impl Serialize for Limits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { tick_rate, extent, speed_max, size_max, rest_speed, .. } = self;
        let Self { mass_max, bodies_max, budget, pairs_max, flat, sleep_after, .. } = self;
        let Self { separation_speed, substeps: steps, .. } = self;
        let (sleeps, separates, has_steps) = (*sleep_after > 0, *separation_speed != 0, *steps != 1);
        let left_out = [sleeps, separates, has_steps].into_iter().filter(|is_there| !is_there).count();
        let mut fields = serializer.serialize_struct("Limits", LIMITS - left_out)?;
        fields.serialize_field("tick_rate", tick_rate)?;
        for (name, value) in
            [("extent", extent), ("speed_max", speed_max), ("size_max", size_max), ("rest_speed", rest_speed)]
        {
            fields.serialize_field(name, &Raw(*value))?;
        }
        fields.serialize_field("mass_max", mass_max)?;
        fields.serialize_field("bodies_max", bodies_max)?;
        fields.serialize_field("budget", budget)?;
        fields.serialize_field("pairs_max", pairs_max)?;
        let flags = [(*flat, FLAT), (sleeps, SLEEPS), (separates, SEPARATES), (has_steps, STEPS)];
        let flags: u8 = flags.into_iter().map(|(is_set, flag)| u8::from(is_set) * flag).sum();
        fields.serialize_field("flat", &flags)?;
        if sleeps {
            fields.serialize_field("sleep_after", sleep_after)?;
        }
        if separates {
            fields.serialize_field("separation_speed", &Raw(*separation_speed))?;
        }
        if has_steps {
            fields.serialize_field("steps", steps)?;
        }
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Limits;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the limits of a world")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Limits, A::Error> {
                let tick_rate = next(&mut fields)?;
                let [extent, speed_max, size_max, rest_speed] =
                    next::<[Raw; 4], A>(&mut fields)?.map(|raw| raw.0);
                let [mass_max, bodies_max, budget, pairs_max] = next(&mut fields)?;
                let flags: u8 = next(&mut fields)?;
                let sleep_after: u8 = if flags & SLEEPS == 0 { 0 } else { next(&mut fields)? };
                let Raw(separation_speed) =
                    if flags & SEPARATES == 0 { Raw(Scalar::ZERO) } else { next(&mut fields)? };
                let steps: u8 = if flags & STEPS == 0 { 1 } else { next(&mut fields)? };
                let is_there = [sleep_after != 0, separation_speed != 0, steps != 1];
                if flags > FLAT + SLEEPS + SEPARATES + STEPS
                    || is_there != [SLEEPS, SEPARATES, STEPS].map(|flag| flags & flag != 0)
                {
                    return Err(A::Error::custom("limits.flat says something else than what follows"));
                }
                let flat = flags & FLAT != 0;
                let speeds = Limits { tick_rate, extent, speed_max, size_max, rest_speed, ..Limits::new(1) };
                let speeds = Limits { separation_speed, substeps: steps, ..speeds };
                Ok(Limits { mass_max, bodies_max, budget, pairs_max, flat, sleep_after, ..speeds })
            }
        }
        deserializer.deserialize_tuple(LIMITS, Fields)
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { limits, tick, gravity, layers, slots, sleep, exceptions } = self;
        let (sleeps, excepts) = (self.has_sleep(), !exceptions.is_empty());
        let left_out = usize::from(!sleeps) + usize::from(!excepts);
        let mut fields = serializer.serialize_struct("State", STATE - left_out)?;
        fields.serialize_field("limits", limits)?;
        fields.serialize_field("tick", tick)?;
        fields.serialize_field("gravity", gravity)?;
        fields.serialize_field("layers", layers)?;
        fields.serialize_field("slots", slots)?;
        if sleeps {
            fields.serialize_field("sleep", sleep)?;
        }
        if excepts {
            fields.serialize_field("exceptions", exceptions)?;
        }
        fields.end()
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = State;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the state of a world")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<State, A::Error> {
                let limits: Limits = next(&mut fields)?;
                let (tick, gravity, layers) = (next(&mut fields)?, next(&mut fields)?, next(&mut fields)?);
                let slots: Vec<Slot> = next(&mut fields)?;
                let sleep = if limits.sleep_after == 0 { Vec::new() } else { next(&mut fields)? };
                let is_excepted = |slot: &Slot| slot.body.is_some_and(|body| body.excepted);
                let excepts = slots.iter().any(is_excepted);
                let exceptions = if excepts { next(&mut fields)? } else { Vec::new() };
                Ok(State { limits, tick, gravity, layers, slots, sleep, exceptions })
            }
        }
        deserializer.deserialize_tuple(STATE, Fields)
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { position, momentum, mass, shape, material, body_type: kind, stops, .. } = self;
        let Self {
            layer,
            group,
            locks,
            damping_q16,
            user,
            spin,
            frozen,
            on_hit,
            drive,
            dominance,
            excepted,
            ..
        } = self;
        let (is_frozen, ends_at_hit, is_ranked) = (*frozen > 0, *on_hit != OnHit::Continue, *dominance > 0);
        let rules =
            [(is_frozen, FROZEN), (ends_at_hit, ON_HIT), (drive.is_some(), DRIVE), (is_ranked, PRIORITY)];
        let flags = rules.into_iter().chain([(*stops, STOPS), (*excepted, EXCEPTED)]);
        let flags: u8 = flags.map(|(is_set, flag)| u8::from(is_set) * flag).sum();
        let left_out = rules.into_iter().filter(|(is_there, _)| !is_there).count();
        let mut fields = serializer.serialize_struct("Body", BODY - left_out)?;
        fields.serialize_field("position", position)?;
        fields.serialize_field("momentum", momentum)?;
        fields.serialize_field("mass", mass)?;
        fields.serialize_field("shape", shape)?;
        fields.serialize_field("material", material)?;
        fields.serialize_field("kind", kind)?;
        fields.serialize_field("stops", &flags)?;
        fields.serialize_field("layer", layer)?;
        fields.serialize_field("group", group)?;
        fields.serialize_field("locks", locks)?;
        fields.serialize_field("damping_q16", damping_q16)?;
        fields.serialize_field("user", user)?;
        fields.serialize_field("spin", spin)?;
        if is_frozen {
            fields.serialize_field("frozen", frozen)?;
        }
        if ends_at_hit {
            fields.serialize_field("on_hit", on_hit)?;
        }
        if let Some(drive) = drive {
            fields.serialize_field("drive", drive)?;
        }
        if is_ranked {
            fields.serialize_field("priority", dominance)?;
        }
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Body;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a body")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Body, A::Error> {
                let [position, momentum] = next(&mut fields)?;
                let (mass, shape, material, kind) = next(&mut fields)?;
                let flags: u8 = next(&mut fields)?;
                let (layer, group, locks, damping_q16) = next(&mut fields)?;
                let (user, spin) = next(&mut fields)?;
                let frozen: u16 = if flags & FROZEN == 0 { 0 } else { next(&mut fields)? };
                let on_hit = if flags & ON_HIT == 0 { OnHit::Continue } else { next(&mut fields)? };
                let drive = if flags & DRIVE == 0 { None } else { Some(next(&mut fields)?) };
                let dominance: u8 = if flags & PRIORITY == 0 { 0 } else { next(&mut fields)? };
                let is_there = [frozen > 0, on_hit != OnHit::Continue, dominance > 0];
                if flags & !(STOPS + FROZEN + ON_HIT + DRIVE + PRIORITY + EXCEPTED) != 0
                    || is_there != [FROZEN, ON_HIT, PRIORITY].map(|flag| flags & flag != 0)
                {
                    return Err(A::Error::custom("the byte of stops says something else than what follows"));
                }
                let (stops, excepted) = (flags & STOPS != 0, flags & EXCEPTED != 0);
                let moves = Body { dominance, excepted, ..Body::new(shape, position) };
                let moves = Body { momentum, mass, body_type: kind, stops, spin, ..moves };
                Ok(Body { material, layer, group, locks, damping_q16, user, frozen, on_hit, drive, ..moves })
            }
        }
        deserializer.deserialize_tuple(BODY, Fields)
    }
}

/// A scalar by its raw number.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
struct Raw(#[serde(with = "crate::num::scalar")] Scalar);

fn next<'de, T: DeserializeOwned, A: SeqAccess<'de>>(fields: &mut A) -> Result<T, A::Error> {
    fields.next_element()?.ok_or_else(|| A::Error::custom("a field is missing"))
}

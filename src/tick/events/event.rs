//! Contact events.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    num::Toi,
    state::{BodyId, Collider},
    tick::{Impact, TickReport},
};

/// A change of the contact of a pair at an instant of a tick. It is its own key.
///
/// The order of the fields is the order of events: by tick, instant, kind and ids; no two of a run are
/// equal. So a game can store what it has reacted to, and after a rollback compare the lists of two runs
/// of the same tick.
///
/// ```
/// use bitstep::{
///     World,
///     geom::Vec3,
///     num::lit,
///     shape::Shape,
///     state::{Collider, Command, Limits, Material, Rule, SceneryBuilder, Spawn, Static},
///     tick::{EventKind, TickReport},
/// };
///
/// // A trigger an eighth of a unit thick on layer 1, which layer 0 passes and reports.
/// let mut scenery = SceneryBuilder::default();
/// let material = scenery.material(Material::INELASTIC);
/// let bullet = scenery.shape(Shape::sphere(lit("0.4375")));
/// let trigger = scenery.shape(Shape::aabb(Vec3::new(lit("0.0625"), lit("4"), lit("4"))));
/// let position = Vec3::new(lit("8"), lit("0"), lit("0"));
/// let trigger = scenery.add(Static { shape: trigger, material, position, layer: 1 });
/// let mut world = World::new(Limits::new(60), scenery.build()?)?;
/// world.enable_events(true);
/// let velocity = Vec3::new(lit("16"), lit("0"), lit("0"));
/// let commands = [
///     Command::SetLayers { a: 0, b: 1, rule: Rule::Sensor, allow_overlap: false },
///     Command::Spawn(Spawn { material, velocity, ..Spawn::new(bullet, Vec3::ZERO) }),
/// ];
///
/// // It crosses the trigger within one tick.
/// let mut report = TickReport::default();
/// world.tick(&commands, &mut report).accepted()?;
/// let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.b, event.toi.to_string())).collect();
/// let trigger = Collider::Static(trigger);
/// assert_eq!(told[0], (EventKind::Enter, trigger, "0.46875".to_owned()));
/// assert_eq!(told[1], (EventKind::Exit, trigger, "0.53125".to_owned()));
/// assert_eq!(report.event_groups().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactEvent {
    /// The number of the tick, as in the report.
    pub tick: u64,
    /// The instant within the tick; both ends belong to it.
    pub toi: Toi,
    /// The kind of the event.
    pub kind: EventKind,
    /// The body, or the one of two with the smaller id.
    pub a: BodyId,
    /// The other side of the pair.
    pub b: Collider,
    /// The child shape of each, by its index in the compound; 0 of a single shape.
    pub children: [u8; 2],
    /// Number of events before it with all else equal: two can hit each other twice at one instant, when
    /// a third one is between others.
    pub repeat: u32,
}

/// The kind of an event. At one instant events are in this order.
///
/// In serialized form it is the variant's name or index, as the format has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum EventKind {
    /// Two solids come within their [`touch_gap`](crate::tick::touch_gap), which is where bodies at rest stay.
    Begin,
    /// Two that report each other begin to overlap.
    Enter,
    /// Two solids have an impact, slow or fast; [`TickReport::impact_of`] says how fast.
    Hit,
    /// Two that report each other cease to overlap.
    Exit,
    /// Two solids are farther apart than their touch gap.
    End,
}

impl EventKind {
    /// The kind's name, as traces spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Enter => "enter",
            Self::Hit => "hit",
            Self::Exit => "exit",
            Self::End => "end",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for ContactEvent {
    /// The derived text without the children of two single shapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, toi, kind, a, b, children, repeat } = self;
        let mut text = f.debug_struct("ContactEvent");
        text.field("tick", tick).field("toi", toi).field("kind", kind).field("a", a).field("b", b);
        if *children != [0; 2] {
            text.field("children", children);
        }
        text.field("repeat", repeat).finish()
    }
}

impl fmt::Display for ContactEvent {
    /// All but the tick: `u 0.5  enter 3 s0`; with the children if any is not the first, `u 0.5  enter 3 s0 children 2 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { toi, kind, a, b, children, .. } = self;
        write!(f, "u {toi}  {kind} {a} {b}")?;
        match children {
            [0, 0] => Ok(()),
            [first, second] => write!(f, " children {first} {second}"),
        }
    }
}

impl TickReport {
    /// The events in groups: those of one instant are in one, in order.
    pub fn event_groups(&self) -> impl Iterator<Item = &[ContactEvent]> {
        self.events.chunk_by(|a, b| a.toi == b.toi)
    }

    /// The impact that a hit is about; `None` for other events, and for one of another tick.
    #[must_use]
    pub fn impact_of(&self, event: &ContactEvent) -> Option<&Impact> {
        if event.kind != EventKind::Hit || event.tick != self.tick {
            return None;
        }
        let from = self.impacts.partition_point(|impact| impact.toi < event.toi);
        let at_once = self.impacts[from..].iter().take_while(|impact| impact.toi == event.toi);
        at_once
            .filter(|impact| (impact.a, impact.b, impact.children) == (event.a, event.b, event.children))
            .nth(event.repeat as usize)
    }
}

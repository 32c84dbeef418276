//! The events of a scene after its initial state.

use std::collections::BTreeMap;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    state::{BodyId, Command, CompoundId, Done, Locks, ShapeId, Spawn},
};

use super::{
    command_text::{CommandText, SetHeightsText},
    heights,
    kinds::{Kinds, dominance, filter, layers, locks},
    leaf::{Fault, Leaf, Vector},
    rotation::{angular_velocity, rotation},
    rules::{Other, RuleOrder},
    text::{AtText, BodyText},
};

/// Commands by tick, in the order of the text. Bodies are known by name until their tick comes.
#[derive(Clone, Debug)]
pub struct Timeline {
    orders: BTreeMap<u64, Vec<Order>>,
    /// The ids of names. A name keeps the id of a body that was removed, so that a command for it is refused
    /// as stale.
    names: BTreeMap<String, BodyId>,
}

/// A command for bodies with names.
#[derive(Clone, Debug)]
enum Order {
    Spawn {
        name: Option<String>,
        spawn: Spawn,
    },
    Remove {
        body: String,
    },
    Teleport {
        body: String,
        position: Vec3,
        orientation: Option<Rotation>,
        allow_overlap: bool,
    },
    ApplyImpulseAt {
        body: String,
        impulse: Vec3,
        point: Vec3,
    },
    ApplyAngularImpulse {
        body: String,
        angular_impulse: Vec3,
    },
    SetAngularVelocity {
        body: String,
        angular_velocity: Vec3,
    },
    MoveKinematic {
        body: String,
        position: Vec3,
    },
    SetVelocity {
        body: String,
        velocity: Vec3,
    },
    ApplyImpulse {
        body: String,
        impulse: Vec3,
    },
    SetShape {
        body: String,
        shape: ShapeId,
        allow_overlap: bool,
    },
    SetCompound {
        body: String,
        compound: CompoundId,
        mirrored: bool,
        allow_overlap: bool,
    },
    SetFilter {
        body: String,
        layer: u8,
        group: u16,
        allow_overlap: bool,
    },
    SetLocks {
        body: String,
        locks: Locks,
    },
    SetDamping {
        body: String,
        damping_q16: u16,
    },
    SetSleep {
        body: String,
        sleeps: bool,
    },
    Rule {
        body: String,
        rule: RuleOrder,
    },
    IgnorePair {
        a: String,
        b: Other,
        ticks: u32,
    },
    SetUser {
        body: String,
        user: u64,
    },
    /// One that names no body.
    World(Command),
}

/// The id for a name whose spawn was refused: no world reaches this slot.
const NOBODY: BodyId = BodyId::from_parts(u32::MAX, 0);

impl Timeline {
    /// Reads a timeline for a number of ticks and the bodies of the initial state.
    pub fn of<'a>(
        texts: &[AtText<'a>],
        ticks: u64,
        names: BTreeMap<String, BodyId>,
        kinds: &Kinds,
    ) -> Result<Self, Fault<'a>> {
        let mut reader = Reader { kinds, names };
        for name in texts.iter().flat_map(|at| &at.commands).filter_map(spawned_name) {
            reader.names.entry(name.text("name")?).or_insert(NOBODY);
        }
        let mut orders: BTreeMap<u64, Vec<Order>> = BTreeMap::new();
        for at in texts {
            let list = orders.entry(at.tick.whole("tick", 1, ticks)?).or_default();
            for command in &at.commands {
                reader.read(command, list)?;
            }
        }
        Ok(Self { orders, names: reader.names })
    }

    /// The commands of a tick, for the world as it is just before it.
    ///
    /// Ids of bodies that are spawned here are found by trying the commands on a copy.
    pub fn commands(&mut self, tick: u64, world: &World) -> Vec<Command> {
        let Some(orders) = self.orders.get(&tick) else { return Vec::new() };
        let mut copy = orders.iter().any(|order| order.new_name().is_some()).then(|| world.clone());
        let mut commands = Vec::new();
        for order in orders {
            let command = order.command(&self.names);
            commands.push(command);
            let outcome = copy.as_mut().and_then(|copy| copy.apply(&[command]).outcomes.pop());
            if let (Some(name), Some(Ok(Done::Spawned(id)))) = (order.new_name(), outcome) {
                self.names.insert(name.clone(), id);
            }
        }
        commands
    }
}

impl Order {
    /// The name that a spawn defines.
    const fn new_name(&self) -> Option<&String> {
        match self {
            Self::Spawn { name, .. } => name.as_ref(),
            _ => None,
        }
    }

    fn command(&self, names: &BTreeMap<String, BodyId>) -> Command {
        let id = |name: &String| names.get(name).copied().unwrap_or(NOBODY);
        match self {
            Self::Spawn { spawn, .. } => Command::Spawn(*spawn),
            Self::Remove { body } => Command::Remove { body: id(body) },
            Self::Teleport { body, position, orientation, allow_overlap } => Command::Teleport {
                body: id(body),
                position: *position,
                orientation: *orientation,
                allow_overlap: *allow_overlap,
            },
            Self::ApplyImpulseAt { body, impulse, point } => {
                Command::ApplyImpulseAt { body: id(body), impulse: *impulse, point: *point }
            }
            Self::ApplyAngularImpulse { body, angular_impulse } => {
                Command::ApplyAngularImpulse { body: id(body), angular_impulse: *angular_impulse }
            }
            Self::SetAngularVelocity { body, angular_velocity } => {
                Command::SetAngularVelocity { body: id(body), angular_velocity: *angular_velocity }
            }
            Self::MoveKinematic { body, position } => {
                Command::MoveKinematic { body: id(body), position: *position }
            }
            Self::SetVelocity { body, velocity } => {
                Command::SetVelocity { body: id(body), velocity: *velocity }
            }
            Self::ApplyImpulse { body, impulse } => {
                Command::ApplyImpulse { body: id(body), impulse: *impulse }
            }
            Self::SetShape { body, shape, allow_overlap } => {
                Command::SetShape { body: id(body), shape: *shape, allow_overlap: *allow_overlap }
            }
            Self::SetCompound { body, compound, mirrored, allow_overlap } => Command::SetCompound {
                body: id(body),
                compound: *compound,
                mirrored: *mirrored,
                allow_overlap: *allow_overlap,
            },
            Self::SetFilter { body, layer, group, allow_overlap } => Command::SetFilter {
                body: id(body),
                layer: *layer,
                group: *group,
                allow_overlap: *allow_overlap,
            },
            Self::SetLocks { body, locks } => Command::SetLocks { body: id(body), locks: *locks },
            Self::SetDamping { body, damping_q16 } => {
                Command::SetDamping { body: id(body), damping_q16: *damping_q16 }
            }
            Self::SetSleep { body, sleeps } => Command::SetSleep { body: id(body), sleeps: *sleeps },
            Self::Rule { body, rule } => rule.command(id(body)),
            Self::IgnorePair { a, b, ticks } => {
                Command::IgnorePair { a: id(a), b: b.collider(id), ticks: *ticks }
            }
            Self::SetUser { body, user } => Command::SetUser { body: id(body), user: *user },
            Self::World(command) => *command,
        }
    }
}

/// The context for reading the orders of one timeline.
struct Reader<'k> {
    kinds: &'k Kinds,
    names: BTreeMap<String, BodyId>,
}

impl Reader<'_> {
    /// Appends the orders of a text: one, but for heights one for each part that a command takes.
    fn read<'a>(&self, text: &CommandText<'a>, list: &mut Vec<Order>) -> Result<(), Fault<'a>> {
        let order = match text {
            CommandText::Spawn(body) => self.spawn(body)?,
            CommandText::Remove { body } => Order::Remove { body: self.name(*body)? },
            CommandText::Teleport { body, position, orientation, allow_overlap } => Order::Teleport {
                body: self.name(*body)?,
                position: position.decimals("position")?,
                orientation: orientation.as_ref().map(rotation).transpose()?,
                allow_overlap: *allow_overlap,
            },
            CommandText::ApplyImpulseAt { body, impulse, point } => self.push_at(*body, impulse, point)?,
            CommandText::ApplyAngularImpulse { body, angular_impulse } => {
                let angular_impulse = self.per_tick(angular_impulse, "angular_impulse")?;
                Order::ApplyAngularImpulse { body: self.name(*body)?, angular_impulse }
            }
            CommandText::SetAngularVelocity { body, angular_velocity: vector } => {
                let angular_velocity = angular_velocity(&self.kinds.limits, Some(vector))?;
                Order::SetAngularVelocity { body: self.name(*body)?, angular_velocity }
            }
            CommandText::MoveKinematic { body, position } => {
                Order::MoveKinematic { body: self.name(*body)?, position: position.decimals("position")? }
            }
            CommandText::SetVelocity { body, velocity } => {
                Order::SetVelocity { body: self.name(*body)?, velocity: self.per_tick(velocity, "velocity")? }
            }
            CommandText::ApplyImpulse { body, impulse } => {
                Order::ApplyImpulse { body: self.name(*body)?, impulse: self.per_tick(impulse, "impulse")? }
            }
            CommandText::SetGravity { gravity } => {
                let gravity = self.kinds.limits.gravity_nearest_even(gravity.decimals("gravity")?);
                Order::World(Command::SetGravity { gravity })
            }
            CommandText::SetShape { body, shape, allow_overlap } => Order::SetShape {
                body: self.name(*body)?,
                shape: self.kinds.shape(*shape)?.0,
                allow_overlap: *allow_overlap,
            },
            CommandText::SetCompound { body, compound, mirrored, allow_overlap } => Order::SetCompound {
                body: self.name(*body)?,
                compound: self.kinds.compound(*compound)?.0,
                mirrored: *mirrored,
                allow_overlap: *allow_overlap,
            },
            CommandText::SetFilter { body, layer, group, allow_overlap } => {
                self.set_filter(*body, filter(*layer, *group)?, *allow_overlap)?
            }
            CommandText::SetLayers(text) => Order::World(layers(text)?),
            CommandText::SetHeights(text) => return self.set_heights(text, list),
            CommandText::SetLocks { body, locks: axes } => {
                Order::SetLocks { body: self.name(*body)?, locks: locks(*axes)? }
            }
            CommandText::SetDamping { body, damping } => {
                let damping_q16 = self.kinds.damping_q16(*damping)?;
                Order::SetDamping { body: self.name(*body)?, damping_q16 }
            }
            CommandText::SetSleep { body, sleeps } => {
                Order::SetSleep { body: self.name(*body)?, sleeps: *sleeps }
            }
            CommandText::Drive { body, velocity, accel_max } => self.drive(*body, velocity, *accel_max)?,
            CommandText::EndDrive { body } => self.rule(*body, RuleOrder::EndDrive)?,
            CommandText::SetOnHit { body, on_hit } => self.rule(*body, RuleOrder::on_hit(*on_hit))?,
            CommandText::Freeze { body, ticks } => self.rule(*body, RuleOrder::freeze(*ticks)?)?,
            CommandText::IgnorePair { a, b, ticks } => self.ignore_pair(*a, *b, *ticks)?,
            CommandText::SetDominance { body, dominance } => self.dominance(*body, *dominance)?,
            CommandText::SetUser { body, user } => self.user(*body, *user)?,
        };
        list.push(order);
        Ok(())
    }

    fn set_heights<'a>(&self, text: &SetHeightsText<'a>, list: &mut Vec<Order>) -> Result<(), Fault<'a>> {
        list.extend(heights::commands(text, self.kinds)?.into_iter().map(Order::World));
        Ok(())
    }

    fn dominance<'a>(&self, body: Leaf<'a>, number: Leaf<'a>) -> Result<Order, Fault<'a>> {
        self.rule(body, RuleOrder::SetDominance { dominance: dominance(number)? })
    }

    fn user<'a>(&self, body: Leaf<'a>, user: Leaf<'a>) -> Result<Order, Fault<'a>> {
        Ok(Order::SetUser { body: self.name(body)?, user: user.whole("user", 0, u64::MAX)? })
    }

    fn push_at<'a>(
        &self,
        body: Leaf<'a>,
        impulse: &Vector<'a>,
        point: &Vector<'a>,
    ) -> Result<Order, Fault<'a>> {
        let (impulse, point) = (self.per_tick(impulse, "impulse")?, point.decimals("point")?);
        Ok(Order::ApplyImpulseAt { body: self.name(body)?, impulse, point })
    }

    fn set_filter<'a>(
        &self,
        body: Leaf<'a>,
        (layer, group): (u8, u16),
        allow_overlap: bool,
    ) -> Result<Order, Fault<'a>> {
        Ok(Order::SetFilter { body: self.name(body)?, layer, group, allow_overlap })
    }

    fn drive<'a>(&self, body: Leaf<'a>, velocity: &Vector<'a>, accel: Leaf<'a>) -> Result<Order, Fault<'a>> {
        self.rule(body, RuleOrder::drive(&self.kinds.limits, velocity, accel)?)
    }

    fn ignore_pair<'a>(&self, a: Leaf<'a>, b: Leaf<'a>, ticks: Leaf<'a>) -> Result<Order, Fault<'a>> {
        let ticks = ticks.whole("ticks", 0, u32::MAX.into())? as u32;
        let name = b.text("b")?;
        let other = match (self.names.contains_key(&name), self.kinds.statics.get(&name)) {
            (true, Some(_)) => return Err(b.fault(format!("{name:?} is a body and a static"))),
            (false, Some((id, _))) => Other::Static(*id),
            _ => Other::Body(self.name(b)?),
        };
        Ok(Order::IgnorePair { a: self.name(a)?, b: other, ticks })
    }

    fn rule<'a>(&self, body: Leaf<'a>, rule: RuleOrder) -> Result<Order, Fault<'a>> {
        Ok(Order::Rule { body: self.name(body)?, rule })
    }

    /// A value per second, converted to per tick.
    fn per_tick<'a>(&self, vector: &Vector<'a>, field: &'static str) -> Result<Vec3, Fault<'a>> {
        Ok(self.kinds.limits.velocity_nearest(vector.decimals(field)?))
    }

    fn spawn<'a>(&self, text: &BodyText<'a>) -> Result<Order, Fault<'a>> {
        let kind = self.kinds.kind(&text.kind())?;
        let position = kind.frame.position(text.position.decimals("position")?);
        let velocity = |vector: &Vector<'a>| vector.decimals("velocity");
        let velocity = text.velocity.as_ref().map_or(Ok(Vec3::ZERO), velocity)?;
        let velocity = self.kinds.limits.velocity_nearest(velocity);
        let name = text.name.map(|name| name.text("name")).transpose()?;
        Ok(Order::Spawn { name, spawn: Spawn { position, velocity, ..kind.spawn } })
    }

    fn name<'a>(&self, leaf: Leaf<'a>) -> Result<String, Fault<'a>> {
        let name = leaf.text("body")?;
        if self.names.contains_key(&name) {
            return Ok(name);
        }
        let first = format!("{name}.1");
        Err(leaf.fault(if self.names.contains_key(&first) {
            format!("no body {name:?}, but {first:?}: a generator numbers its bodies, from 1")
        } else {
            format!("no body {name:?}: no initial body and no spawn of this timeline has that name")
        }))
    }
}

fn spawned_name<'a>(text: &CommandText<'a>) -> Option<Leaf<'a>> {
    match text {
        CommandText::Spawn(body) => body.name,
        _ => None,
    }
}

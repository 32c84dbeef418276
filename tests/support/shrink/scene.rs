//! A script as the text of a scene.

use std::fmt::Write;

use bitstep::{
    geom::{Rotation, Vec3},
    num::Scalar,
    shape::{Obb, Shape},
    state::{BodyType, Collider, Command, LayerTable, Limits, Locks, OnHit, Rule, Scenery, ShapeId, Spawn},
};

use super::{Order, Script};

/// The text of a scene, and the parts of the script that it cannot express.
pub struct SceneFile {
    pub text: String,
    pub left_out: Vec<String>,
}

/// A part that a scene cannot express.
type Said = Result<String, &'static str>;

/// The name of a body that does not exist: the last spawn of the scene, which is refused.
const NOBODY: &str = "nobody";

/// Writes a scene that opens with the empty world and gives in each tick the commands of the script.
pub fn scene_file(script: &Script, title: &str, about: &str) -> SceneFile {
    let mut writer = Writer { script, text: String::new(), left_out: Vec::new(), nobody: false };
    writer.head(title, about);
    writer.scenery();
    writer.timeline();
    SceneFile { text: writer.text, left_out: writer.left_out }
}

struct Writer<'a> {
    script: &'a Script,
    text: String,
    left_out: Vec<String>,
    /// True if a command is for a body that does not exist.
    nobody: bool,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").unwrap();
    }

    fn leave_out(&mut self, what: &str, why: &str) {
        self.line(&format!("    // Left out, since {why}: {what}"));
        self.left_out.push(format!("{what}: {why}"));
    }

    fn head(&mut self, title: &str, about: &str) {
        let Limits { tick_rate, extent, speed_max, size_max, rest_speed, .. } = self.script.limits;
        let Limits { mass_max, bodies_max, budget, pairs_max, flat, substeps: steps, .. } =
            self.script.limits;
        let speeds = [speed_max, rest_speed, self.script.limits.separation_speed];
        let [speed_max, rest_speed, separation] = speeds.map(|speed| self.per_second(speed).unwrap());
        let ticks = self.script.ticks.len().max(1);
        self.line(&format!("(\n    title: {title:?},\n    about: {about:?},"));
        self.line(&format!("    tick_rate: {tick_rate},\n    substeps: {steps},\n    ticks: {ticks},"));
        self.line(&format!(
            "    limits: (extent: {extent}, speed_max: {speed_max}, size_max: {size_max}, \
             rest_speed: {rest_speed}, separation_speed: {separation}, mass_max: {mass_max}, bodies_max: {bodies_max}, budget: {budget}, \
             pairs_max: {pairs_max}, flat: {flat}),"
        ));
    }

    fn scenery(&mut self) {
        let scenery: &Scenery = &self.script.scenery;
        self.line("    materials: {");
        for (index, material) in scenery.materials().iter().enumerate() {
            let restitution = Scalar::from_bits(i64::from(material.restitution_q16()) << 16);
            let friction = match material.friction_q16() {
                0 => String::new(),
                some => format!(", friction: {}", Scalar::from_bits(i64::from(some) << 16)),
            };
            self.line(&format!("        \"m{index}\": (restitution: {restitution}{friction}),"));
        }
        self.line("    },\n    shapes: {");
        for (index, shape) in scenery.shapes().iter().enumerate() {
            let (said, whole) = shape_text(shape);
            let said = match scenery.open_face(ShapeId(index as u16)) {
                Some(face) => said.replacen("half:", &format!("open: {:?}, half:", face.name()), 1),
                None => said,
            };
            self.line(&format!("        \"s{index}\": {said},"));
            if !whole {
                self.leave_out(
                    &format!("how shape {index} is turned or placed"),
                    "a scene has no raw shapes",
                );
            }
        }
        self.line("    },\n    statics: [");
        for (index, fixed) in scenery.statics().iter().enumerate() {
            let (shape, material, layer) = (fixed.shape.0, fixed.material.0, fixed.layer);
            let position = vector(fixed.position);
            self.line(&format!(
                "        (name: \"f{index}\", shape: \"s{shape}\", material: \"m{material}\", position: {position}, layer: {layer}),"
            ));
        }
        self.line("    ],");
    }

    fn timeline(&mut self) {
        self.line("    timeline: [");
        let script = self.script;
        for (number, orders) in (1..).zip(&script.ticks) {
            let is_last = number == script.ticks.len();
            if orders.is_empty() && !(is_last && self.nobody) {
                continue;
            }
            self.line(&format!("        (tick: {number}, commands: ["));
            for order in orders {
                match self.order(order) {
                    Ok(said) => self.line(&format!("            {said},")),
                    Err(why) => self.leave_out(&format!("{:?} of tick {number}", order.command), why),
                }
            }
            if is_last && self.nobody {
                let refused = "shape: \"s0\", material: \"m0\", mass: 0, position: (0, 0, 0)";
                self.line(&format!("            spawn(name: \"{NOBODY}\", {refused}), // refused: no mass"));
            }
            self.line("        ]),");
        }
        self.line("    ],\n)");
    }

    /// The name of the body of an order.
    fn name(&mut self, order: &Order) -> String {
        let makes = |other: &&Order| matches!(other.command, Command::Spawn(_)) && other.body == order.body;
        let is_made = order.body.is_some() && self.script.ticks.iter().flatten().any(|other| makes(&other));
        match order.body.filter(|_| is_made) {
            Some(number) => format!("b{number}"),
            None => {
                self.nobody = true;
                NOBODY.to_owned()
            }
        }
    }

    fn order(&mut self, order: &Order) -> Said {
        let body = if is_of_a_body(&order.command) { self.name(order) } else { String::new() };
        let of = |rest: String| format!("(body: \"{body}\", {rest})");
        Ok(match order.command {
            Command::Spawn(spawn) => self.spawn(&body, &spawn)?,
            Command::Remove { .. } => format!("remove(body: \"{body}\")"),
            Command::Teleport { position, orientation, allow_overlap, .. } => {
                let orientation = match orientation {
                    Some(orientation) => format!("orientation: {}, ", turn(orientation)?),
                    None => String::new(),
                };
                let position = vector(position);
                let rest = format!("position: {position}, {orientation}allow_overlap: {allow_overlap}");
                format!("teleport{}", of(rest))
            }
            Command::SetAngularVelocity { angular_velocity, .. } => {
                let velocity = self.velocity(angular_velocity)?;
                format!("set_angular_velocity{}", of(format!("angular_velocity: {velocity}")))
            }
            Command::ApplyImpulseAt { impulse, point, .. } => self.push_at(&body, impulse, point)?,
            Command::ApplyAngularImpulse { angular_impulse, .. } => {
                let impulse = self.velocity(angular_impulse)?;
                format!("apply_angular_impulse{}", of(format!("angular_impulse: {impulse}")))
            }
            Command::MoveKinematic { position, .. } => {
                format!("move_kinematic{}", of(format!("position: {}", vector(position))))
            }
            Command::SetVelocity { velocity, .. } => {
                format!("set_velocity{}", of(format!("velocity: {}", self.velocity(velocity)?)))
            }
            Command::ApplyImpulse { impulse, .. } => {
                format!("apply_impulse{}", of(format!("impulse: {}", self.velocity(impulse)?)))
            }
            Command::SetGravity { gravity } => format!("set_gravity(gravity: {})", self.gravity(gravity)?),
            Command::SetShape { shape, allow_overlap, .. } => {
                let shape = self.shape(shape.0)?;
                format!("set_shape{}", of(format!("shape: {shape}, allow_overlap: {allow_overlap}")))
            }
            Command::SetCompound { compound: set, mirrored, allow_overlap, .. } => {
                let rest = format!("compound: \"set{}\", mirrored: {mirrored}", set.0);
                format!("set_compound{}", of(format!("{rest}, allow_overlap: {allow_overlap}")))
            }
            Command::SetFilter { layer, group, allow_overlap, .. } => {
                let filter = format!("layer: {}, group: {group}", known_layer(layer)?);
                format!("set_filter{}", of(format!("{filter}, allow_overlap: {allow_overlap}")))
            }
            Command::SetLayers { a, b, rule, allow_overlap } => {
                let rule = name_of(rule);
                let (a, b) = (known_layer(a)?, known_layer(b)?);
                format!("set_layers(a: {a}, b: {b}, rule: {rule}, allow_overlap: {allow_overlap})")
            }
            Command::SetLocks { locks, .. } => set_locks(&body, locks),
            Command::SetDamping { damping_q16, .. } => {
                format!("set_damping{}", of(format!("damping: {}", self.damping(damping_q16)?)))
            }
            Command::SetSleep { sleeps, .. } => format!("set_sleep{}", of(format!("sleeps: {sleeps}"))),
            Command::Freeze { ticks, .. } => format!("freeze{}", of(format!("ticks: {ticks}"))),
            Command::SetOnHit { on_hit, .. } => {
                format!("set_on_hit{}", of(format!("on_hit: {}", on_hit.name())))
            }
            Command::Drive { velocity, accel_max, .. } => self.drive(&body, velocity, accel_max)?,
            Command::EndDrive { .. } => format!("end_drive(body: \"{body}\")"),
            Command::SetDominance { dominance, .. } => set_dominance(&body, dominance),
            Command::IgnorePair { b, ticks, .. } => self.ignore_pair(&body, order, (b, ticks))?,
            Command::SetHeights { .. } => return Err("a scene of this kind has no ground"),
            Command::SetUser { user, .. } => format!("set_user{}", of(format!("user: {user}"))),
        })
    }

    fn ignore_pair(&mut self, body: &str, order: &Order, (b, ticks): (Collider, u32)) -> Said {
        Ok(format!("ignore_pair(a: \"{body}\", b: {}, ticks: {ticks})", self.other(order, b)?))
    }

    /// The other one that an order is about.
    fn other(&mut self, order: &Order, other: Collider) -> Said {
        match other {
            Collider::Body(_) => Ok(format!("{:?}", self.name(&Order { body: order.other, ..*order }))),
            Collider::Static(id) if (id.0 as usize) < self.script.scenery.statics().len() => {
                Ok(format!("\"f{}\"", id.0))
            }
            Collider::Static(_) => Err("a scene names its statics"),
        }
    }

    fn push_at(&self, body: &str, impulse: Vec3, point: Vec3) -> Said {
        let impulse = self.velocity(impulse)?;
        Ok(format!("apply_impulse_at(body: \"{body}\", impulse: {impulse}, point: {})", vector(point)))
    }

    /// A drive, without values that cannot be expressed to the bit at a rate that divides no power of two.
    fn drive(&self, body: &str, velocity: Vec3, accel_max: Scalar) -> Said {
        let velocity = self.velocity(velocity)?;
        let rate = i64::from(self.script.limits.steps_per_second());
        let per_second = accel_max.saturating_mul_int(rate * rate);
        Ok(format!("drive(body: \"{body}\", velocity: {velocity}, accel_max: {per_second})"))
    }

    /// A spawn, without the fields that have their default values.
    fn spawn(&self, name: &str, spawn: &Spawn) -> Said {
        let (shape, material) = (self.shape(spawn.shape.0)?, self.material(spawn.material.0)?);
        let mut text = format!("spawn(name: \"{name}\", shape: {shape}, material: {material}");
        let kind = match spawn.body_type {
            BodyType::Dynamic => "dynamic",
            BodyType::Kinematic => "kinematic",
            BodyType::Static => "static",
        };
        let fields = [
            ("mass", spawn.mass.to_string(), spawn.mass != 1),
            ("body_type", kind.to_owned(), spawn.body_type != BodyType::Dynamic),
            ("layer", known_layer(spawn.layer)?.to_string(), spawn.layer != 0),
            ("group", spawn.group.to_string(), spawn.group != 0),
            ("locks", format!("{:?}", axes(spawn.locks)), spawn.locks != Locks::NONE),
            ("damping", self.damping(spawn.damping_q16)?.to_string(), spawn.damping_q16 != 0),
            ("user", spawn.user.to_string(), spawn.user != 0),
            ("allow_overlap", spawn.allow_overlap.to_string(), spawn.allow_overlap),
            ("on_hit", spawn.on_hit.name().to_owned(), spawn.on_hit != OnHit::Continue),
            ("dominance", spawn.dominance.to_string(), spawn.dominance != 0),
            ("rotates", spawn.rotates.to_string(), spawn.rotates),
            ("orientation", turn(spawn.orientation)?, spawn.orientation != Rotation::IDENTITY),
            (
                "angular_velocity",
                self.velocity(spawn.angular_velocity)?,
                spawn.angular_velocity != Vec3::ZERO,
            ),
            ("position", vector(spawn.position), true),
            ("velocity", self.velocity(spawn.velocity)?, spawn.velocity != Vec3::ZERO),
        ];
        for (field, value, _) in fields.iter().filter(|(_, _, is_said)| *is_said) {
            write!(text, ", {field}: {value}").unwrap();
        }
        Ok(text + ")")
    }

    fn shape(&self, index: u16) -> Said {
        let is_known = usize::from(index) < self.script.scenery.shapes().len();
        if is_known { Ok(format!("\"s{index}\"")) } else { Err("a scene names its shapes") }
    }

    fn material(&self, index: u16) -> Said {
        let is_known = usize::from(index) < self.script.scenery.materials().len();
        if is_known { Ok(format!("\"m{index}\"")) } else { Err("a scene names its materials") }
    }

    /// A value per tick as one per second, if that is a scalar.
    fn per_second(&self, per_tick: Scalar) -> Option<Scalar> {
        per_tick.to_bits().checked_mul(self.script.limits.steps_per_second().into()).map(Scalar::from_bits)
    }

    fn velocity(&self, per_tick: Vec3) -> Said {
        self.scaled(per_tick, |velocity| self.per_second(velocity))
    }

    fn gravity(&self, per_tick: Vec3) -> Said {
        if per_tick.raw().iter().any(|raw| raw % 2 != 0) {
            return Err("a scene's gravity is even in raw");
        }
        self.scaled(per_tick, |part| self.per_second(part).and_then(|part| self.per_second(part)))
    }

    fn scaled(&self, per_tick: Vec3, scale: impl Fn(Scalar) -> Option<Scalar>) -> Said {
        let Vec3 { x, y, z } = per_tick;
        match [x, y, z].map(scale) {
            [Some(x), Some(y), Some(z)] => Ok(vector(Vec3::new(x, y, z))),
            _ => Err("per second it is no scalar"),
        }
    }

    fn damping(&self, q16: u16) -> Result<Scalar, &'static str> {
        let raw = (i64::from(q16) * i64::from(self.script.limits.steps_per_second())) << 16;
        let damping = Scalar::from_bits(raw);
        let is_same = self.script.limits.damping_nearest(damping) == Some(q16);
        if is_same { Ok(damping) } else { Err("a scene's damping is per second") }
    }
}

const fn name_of(rule: Rule) -> &'static str {
    match rule {
        Rule::Ignore => "ignore",
        Rule::Sensor => "sensor",
        Rule::Soft => "soft",
        Rule::Solid => "solid",
    }
}

fn known_layer(layer: u8) -> Result<u8, &'static str> {
    if layer < LayerTable::LAYERS { Ok(layer) } else { Err("a scene has no such layer") }
}

fn vector(vector: Vec3) -> String {
    format!("({}, {}, {})", vector.x, vector.y, vector.z)
}

/// A quaternion that reads as the same rotation.
fn turn(rotation: Rotation) -> Said {
    let [w, x, y, z] = rotation.components().map(|part| Scalar::from_bits(i64::from(part) << 2));
    let is_same = Rotation::from_quaternion(w, x, y, z) == Some(rotation);
    if is_same {
        Ok(format!("quaternion({w}, {x}, {y}, {z})"))
    } else {
        Err("a scene's quaternion is of length 1")
    }
}

fn axes(locks: Locks) -> String {
    ["x", "y", "z"]
        .into_iter()
        .enumerate()
        .filter(|(axis, _)| locks.has(*axis))
        .map(|(_, name)| name)
        .collect()
}

/// The text of a shape, and whether it says all of it.
fn shape_text(shape: &Shape) -> (String, bool) {
    match shape {
        Shape::Sphere { radius } => (format!("sphere(radius: {radius})"), true),
        Shape::Aabb { half } => (format!("aabb(half: {})", vector(*half)), true),
        Shape::Obb(obb) => {
            let half =
                Vec3::new(obb.half_edges[0].x.abs(), obb.half_edges[1].y.abs(), obb.half_edges[2].z.abs());
            let is_upright = *obb == Obb::new(half, Rotation::IDENTITY);
            (format!("obb(half: {}, rotation: (1, 0, 0, 0))", vector(half)), is_upright)
        }
        Shape::Plane(plane) => {
            let parts = plane.normal().components().map(|part| Scalar::from_bits(part.into()));
            let normal = vector(Vec3::new(parts[0], parts[1], parts[2]));
            (format!("plane(normal: {normal})"), plane.point() == Vec3::ZERO)
        }
        Shape::Capsule(capsule) => {
            let half_axis = vector(capsule.half_axis);
            (format!("capsule(half_axis: {half_axis}, radius: {})", capsule.radius), true)
        }
        Shape::Hull(form) => {
            let corners: Vec<String> = form.corners().iter().map(|corner| vector(*corner)).collect();
            (format!("hull(points: [{}])", corners.join(", ")), false)
        }
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => (shape.name().to_owned(), false),
    }
}

/// True unless a command is about the world or its ground.
const fn is_of_a_body(command: &Command) -> bool {
    !matches!(command, Command::SetGravity { .. } | Command::SetLayers { .. } | Command::SetHeights { .. })
}

fn set_locks(body: &str, locks: Locks) -> String {
    format!("set_locks(body: \"{body}\", locks: {:?})", axes(locks))
}

fn set_dominance(body: &str, dominance: u8) -> String {
    format!("set_dominance(body: \"{body}\", dominance: {dominance})")
}

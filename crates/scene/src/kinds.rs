//! The kinds of bodies of a scene: shape, material, mass, motion and filters.

use std::collections::BTreeMap;

use bitstep::{
    geom::{Rotation, Vec3},
    num::Scalar,
    shape::{Obb, Shape},
    state::{
        BodyType, Command, CompoundId, LayerTable, Limits, Locks, MaterialId, Rule, ShapeId, Spawn, StaticId,
    },
};

use super::{
    MeshFile,
    build::find,
    hulls::Frame,
    leaf::{Fault, Leaf, Vector},
    rotation::{angular_velocity, check_rotation, rotation},
    text::{KindText, LayersText, MovedBy, RuleText},
};

/// The materials and shapes of bodies, by name, and their limits.
pub struct Kinds {
    pub limits: Limits,
    pub shapes: BTreeMap<String, (ShapeId, Shape)>,
    /// The meshes that were read from files, by the names of their shapes.
    pub meshes: BTreeMap<String, MeshFile>,
    /// Hulls in the frame of their principal axes, for bodies that rotate, where that is not the frame of their points.
    pub principal: BTreeMap<String, (ShapeId, Shape)>,
    /// Compounds with a box around the center that holds all child shapes.
    pub compounds: BTreeMap<String, (CompoundId, Shape)>,
    /// The child shapes of each compound, and their offsets.
    pub children: Vec<Vec<(Shape, Vec3)>>,
    pub materials: BTreeMap<String, MaterialId>,
    /// The statics that have a name, and their shapes.
    pub statics: BTreeMap<String, (StaticId, Shape)>,
}

/// One kind of body.
#[derive(Clone)]
pub struct BodyKind {
    /// All fields except position and velocity.
    pub spawn: Spawn,
    /// The shape in space.
    pub solid: Shape,
    /// The frame in space.
    pub frame: Frame,
}

impl Kinds {
    /// The kind that a body's text names.
    pub fn kind<'a>(&self, text: &KindText<'a>) -> Result<BodyKind, Fault<'a>> {
        let (shape, solid) = self.image(text.shape, (text.mirrored, text.rotates))?;
        let material = find(&self.materials, text.material, "material")?;
        let mass = text.mass.map_or(Ok(1), |mass| mass.whole("mass", 0, u32::MAX.into()))? as u32;
        let kind = match text.body_type {
            MovedBy::Dynamic => BodyType::Dynamic,
            MovedBy::Kinematic => BodyType::Kinematic,
            MovedBy::Static => BodyType::Static,
        };
        let (layer, group) = filter(text.layer, text.group)?;
        let locks = text.locks.map_or(Ok(Locks::NONE), locks)?;
        let damping_q16 = text.damping.map_or(Ok(0), |damping| self.damping_q16(damping))?;
        let user = text.user.map_or(Ok(0), |user| user.whole("user", 0, u64::MAX))?;
        let orientation = text.orientation.as_ref().map_or(Ok(Rotation::IDENTITY), rotation)?;
        let frame = Frame::of(&solid).turned(orientation);
        let orientation = frame.orientation();
        let angular_velocity = angular_velocity(&self.limits, text.angular_velocity.as_ref())?;
        let plain = Spawn { material, mass, body_type: kind, layer, group, ..Spawn::new(shape, Vec3::ZERO) };
        let (rotates, allow_overlap, on_hit) = (text.rotates, text.allow_overlap, text.on_hit.into());
        let turning = Spawn { rotates, orientation, angular_velocity, ..plain };
        let dominance = text.dominance.map_or(Ok(0), dominance)?;
        let turning = Spawn { dominance, ..turning };
        let spawn = Spawn { locks, damping_q16, user, allow_overlap, on_hit, ..turning };
        Ok(BodyKind { spawn, solid, frame })
    }

    /// The kind of an initial body, which must be within the limits.
    pub fn kind_within<'a>(&self, text: &KindText<'a>) -> Result<BodyKind, Fault<'a>> {
        if let Some(mass) = text.mass {
            mass.whole("mass", 1, self.limits.mass_max.into())?;
        }
        let BodyKind { spawn, solid, frame } = self.kind(text)?;
        let shape = text.shape;
        if solid.is_static() {
            let name = solid.name();
            return Err(shape.fault(format!(
                "shape is {name}, a body must be a sphere, an aabb, an obb, a capsule or a hull"
            )));
        }
        solid.check(self.limits.size_max).map_err(|error| shape.fault(format!("{error}, size_max")))?;
        let children =
            self.compound(shape).ok().and_then(|(compound, _)| self.children.get(usize::from(compound.0)));
        check_rotation(text, (spawn.angular_velocity, &solid, children), spawn.mass)?;
        let solid = match solid {
            // The box around a compound rotates with it.
            Shape::Aabb { half } if text.rotates => Shape::Obb(Obb::along_axes(half)),
            solid => solid,
        };
        Ok(BodyKind { spawn, solid: solid.turned(spawn.orientation), frame })
    }

    /// A shape or a compound by its name, and a box that holds it.
    pub fn shape<'a>(&self, name: Leaf<'a>) -> Result<(ShapeId, Shape), Fault<'a>> {
        self.image(name, (false, false))
    }

    /// [`shape`](Self::shape), or the mirror image of a compound, or the hull for a body that rotates.
    fn image<'a>(
        &self,
        name: Leaf<'a>,
        (mirrored, rotates): (bool, bool),
    ) -> Result<(ShapeId, Shape), Fault<'a>> {
        match self.compound(name) {
            Ok((compound, solid)) => Ok((ShapeId::of_compound(compound, mirrored), solid)),
            Err(_) if !mirrored => {
                let principal = self.principal.get(&name.text("shape")?).filter(|_| rotates);
                principal.map_or_else(|| find(&self.shapes, name, "shape"), |found| Ok(found.clone()))
            }
            Err(fault) => Err(fault), // only a compound has a mirror image
        }
    }

    /// A compound by its name.
    pub fn compound<'a>(&self, name: Leaf<'a>) -> Result<(CompoundId, Shape), Fault<'a>> {
        find(&self.compounds, name, "compound")
    }

    /// A damping in parts per second, in the unit of a tick.
    pub fn damping_q16<'a>(&self, leaf: Leaf<'a>) -> Result<u16, Fault<'a>> {
        let damping = leaf.decimal("damping")?;
        self.limits.damping_nearest(damping).ok_or_else(|| {
            let rate = self.limits.tick_rate;
            leaf.fault(format!("damping is {damping}, must be at least 0 and below tick_rate, {rate}"))
        })
    }

    /// A velocity of an initial body, which must be within the limits.
    pub fn velocity_within<'a>(&self, vector: Option<&Vector<'a>>) -> Result<Vec3, Fault<'a>> {
        let Some(vector) = vector else { return Ok(Vec3::ZERO) };
        let velocity = self.limits.velocity_nearest(vector.decimals("velocity")?);
        let limit = self.limits.speed_max;
        let most = limit.to_bits().unsigned_abs();
        // Components of less than 2^32 units have squares that add up to less than 2^128.
        let square = velocity.raw().map(|raw| u128::from(raw.unsigned_abs()).pow(2)).iter().sum::<u128>();
        if square <= u128::from(most).pow(2) {
            return Ok(velocity);
        }
        let length = Scalar::from_bits(i64::try_from(square.isqrt()).unwrap_or(i64::MAX));
        let message =
            format!("velocity is {length} units per tick, must be at most speed_max, {limit} units per tick");
        Err(vector.first().fault(message))
    }
}

/// A layer and a group; 0 where one is left out.
pub fn filter<'a>(of_layer: Option<Leaf<'a>>, group: Option<Leaf<'a>>) -> Result<(u8, u16), Fault<'a>> {
    let layer = of_layer.map_or(Ok(0), |leaf| layer("layer", leaf))?;
    let group = group.map_or(Ok(0), |group| group.whole("group", 0, u16::MAX.into()))?;
    Ok((layer, group as u16))
}

/// A layer by its number.
pub fn layer<'a>(field: &str, leaf: Leaf<'a>) -> Result<u8, Fault<'a>> {
    Ok(leaf.whole(field, 0, u64::from(LayerTable::LAYERS) - 1)? as u8)
}

/// A dominance, by a number.
pub fn dominance(leaf: Leaf<'_>) -> Result<u8, Fault<'_>> {
    Ok(leaf.whole("dominance", 0, u8::MAX.into())? as u8)
}

/// The command for the rule between two layers.
pub fn layers<'a>(text: &LayersText<'a>) -> Result<Command, Fault<'a>> {
    let rule = match text.rule {
        RuleText::Ignore => Rule::Ignore,
        RuleText::Sensor => Rule::Sensor,
        RuleText::Soft => Rule::Soft,
        RuleText::Solid => Rule::Solid,
    };
    Ok(Command::SetLayers {
        a: layer("a", text.a)?,
        b: layer("b", text.b)?,
        rule,
        allow_overlap: text.allow_overlap,
    })
}

/// Axes by their letters: `"xz"`; capital letters lock rotation.
pub fn locks<'a>(leaf: Leaf<'a>) -> Result<Locks, Fault<'a>> {
    let text = leaf.text("locks")?;
    text.chars().try_fold(Locks::NONE, |locks, letter| {
        let axis = match letter {
            'x' => Locks::X,
            'y' => Locks::Y,
            'z' => Locks::Z,
            'X' => Locks::TURN_X,
            'Y' => Locks::TURN_Y,
            'Z' => Locks::TURN_Z,
            _ => {
                let must = "must be letters of \"xyz\", or of \"XYZ\" for turning";
                return Err(leaf.fault(format!("locks is {text:?}, {must}")));
            }
        };
        Ok(locks.and(axis))
    })
}

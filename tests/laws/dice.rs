//! The draws of worlds of any kind: limits, sceneries, positions and speeds, ordinary and at the ends of
//! their ranges.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    shape::{Obb, SIZE_MAX, Shape},
    state::{
        ChildShape, CompoundId, Face, Limits, Locks, Material, MaterialId, Scenery, SceneryBuilder, ShapeId,
        Static,
    },
};

/// The approximate size of bodies, in powers of two of a raw: mostly a unit, but any size that a shape may
/// have.
const SIZES: [u32; 12] = [32, 32, 32, 32, 32, 31, 33, 36, 24, 43, 12, 3];

/// A ball, a small one, a crate, a slab, a brick and a rod that may turn, and a rod and a brick in any
/// direction.
const SHAPES: u64 = 8;
const BRICK: ShapeId = ShapeId(4);
const ROD: ShapeId = ShapeId(5);

/// A slab that is open on a side, in a world that has platforms.
const PLATFORM: ShapeId = ShapeId(8);

/// Two that are balanced, one of any parts.
pub const SETS: u64 = 3;

/// The source of everything in a world.
pub struct Dice {
    pub draws: Draws,
    /// The approximate size of bodies, in raw.
    unit: i64,
    pub limits: Limits,
    /// Slow bodies under gravity as on Earth, so that they come to rest.
    pub is_calm: bool,
    /// The additional draws of soft worlds, in which overlapping bodies separate: every other world is one.
    pub soft: Option<Draws>,
    /// True if there are platforms that are open on one side.
    has_platforms: bool,
}

impl Dice {
    /// The draws of a world.
    pub fn of(seed: u64) -> Self {
        let mut draws = Rng::new(0xC4A05).at(seed, 0, 0);
        let unit = 1 << SIZES[draws.below(SIZES.len() as u64) as usize];
        let is_calm = draws.below(2) == 0;
        let soft = (seed % 2 == 1).then(|| Rng::new(0x50F7).at(seed, 0, 0));
        let has_platforms = seed % 3 == 0;
        let mut dice = Self { draws, unit, limits: Limits::new(60), is_calm, soft, has_platforms };
        dice.limits = dice.limits();
        // Drawn apart, so that worlds of one step do not depend on it.
        let mut draws = Rng::new(0x57E95).at(seed, 0, 0);
        if draws.below(6) == 0 {
            dice.limits.substeps = draws.between(2, 6) as u8;
        }
        if let Some(draws) = &mut dice.soft {
            let raw = [unit / 64, unit / 8, 4 << 32, 1][draws.below(4) as usize];
            dice.limits.separation_speed = Scalar::from_bits(raw.clamp(1, 4 << 32));
        }
        dice
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.draws.below(count) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.draws.below(list.len() as u64) as usize]
    }

    fn limits(&mut self) -> Limits {
        let rate = self.draws.between(10, 120) as u32;
        let sleep_after = if self.one_in(2) { self.draws.between(2, 20) as u8 } else { 0 };
        let usual =
            Limits::new(rate).with_bodies_max(20).with_sleep_after(sleep_after).with_flat(self.one_in(5));
        let usual = usual.with_size_max(SIZE_MAX).with_extent(Scalar::from_bits(1 << 56));
        if self.one_in(2) {
            return usual;
        }
        let speeds = [self.unit, self.unit / 64, 128 << 32, 2048 << 32].map(|raw| raw.clamp(1, 2048 << 32));
        let speed_max = self.pick(&speeds);
        let extents = [1 << 56, (self.unit * 8).min(1 << 56), 1 << 46];
        usual
            .with_extent(Scalar::from_bits(self.pick(&extents)))
            .with_speed_max(Scalar::from_bits(speed_max))
            .with_rest_speed(Scalar::from_bits(self.pick(&[0, 0, speed_max / 8, speed_max])))
            .with_mass_max(self.pick(&[1 << 16, 100, 1]))
            .with_budget(self.pick(&[16, 16, 4, 1]))
            .with_pairs_max(self.pick(&[1 << 22, 1 << 22, 1 << 22, 60, 1]))
    }

    /// A size about a unit, now and then a far smaller or larger one.
    fn size(&mut self) -> Scalar {
        let raw = match self.draws.below(24) {
            0 => self.unit / 64,
            1 => self.unit.saturating_mul(8),
            2 => 1,
            _ => self.draws.between(self.unit / 4, self.unit / 2),
        };
        Scalar::from_bits(raw).clamp(Scalar::DELTA, SIZE_MAX)
    }

    fn sizes(&mut self) -> Vec3 {
        let x = self.size();
        if self.one_in(2) { Vec3::splat(x) } else { Vec3::new(x, self.size(), self.size()) }
    }

    /// Up to so many raw on each axis; in a flat world rarely out of the plane.
    pub fn vector(&mut self, most: i64) -> Vec3 {
        let mut raw =
            [(); 3].map(|()| if self.draws.below(5) == 0 { 0 } else { self.draws.between(-most, most) });
        if self.limits.flat && !self.one_in(50) {
            raw[2] = 0;
        }
        Vec3::from_raw(raw)
    }

    pub fn rotation(&mut self) -> Rotation {
        let parts = [(); 4].map(|()| Scalar::from_bits(self.draws.between(-1 << 32, 1 << 32)));
        let [w, x, y, z] = parts;
        let [x, y] = if self.limits.flat { [Scalar::ZERO; 2] } else { [x, y] };
        let turn = if self.one_in(4) { None } else { Rotation::from_quaternion(w, x, y, z) };
        turn.unwrap_or(Rotation::IDENTITY)
    }

    /// An axis of rotation: in a flat world the third one.
    pub fn about(&mut self, most: i64) -> Vec3 {
        let vector = self.vector(most);
        let z = Scalar::from_bits(self.draws.between(-most, most));
        if self.limits.flat && !self.one_in(50) { Vec3::new(Scalar::ZERO, Scalar::ZERO, z) } else { vector }
    }

    /// A shape, or a ball where the shape is not allowed.
    fn or_ball(&mut self, shape: Shape) -> Shape {
        if shape.check(SIZE_MAX).is_ok() { shape } else { Shape::sphere(self.size()) }
    }

    pub fn scenery(&mut self) -> Option<Arc<Scenery>> {
        let mut builder = SceneryBuilder::default();
        for restitution_q16 in [0, 1 << 14, self.draws.between(0, 1 << 16) as u32] {
            let friction_q16 = self.pick(&[0, 1 << 15, 1 << 16, 1 << 17]);
            builder.material(Material::from_q16(restitution_q16, friction_q16).unwrap());
        }
        let [half, slab, brick, askew] = [(); 4].map(|()| self.sizes());
        let (ball, speck, along, turned) =
            (self.size(), self.size(), self.vector(self.unit / 2), self.rotation());
        let flat = Vec3::new(slab.x, slab.x.min(slab.y) / 4, slab.z).max(Vec3::splat(Scalar::DELTA));
        let brick = self.or_ball(Shape::Obb(Obb::along_axes(brick)));
        let rod = Shape::capsule(Vec3::new(half.x, Scalar::ZERO, Scalar::ZERO), half.y);
        builder.shape(Shape::sphere(ball));
        builder.shape(Shape::sphere(speck / 2 + Scalar::DELTA));
        builder.shape(Shape::aabb(half));
        builder.shape(Shape::aabb(flat));
        assert_eq!(builder.shape(brick), BRICK);
        assert_eq!(builder.shape(rod), ROD);
        builder.shape(self.or_ball(Shape::capsule(along, ball / 2)));
        builder.shape(self.or_ball(Shape::Obb(Obb::new(askew, turned))));
        if self.has_platforms {
            // A shape that needs no draw leaves all others unchanged.
            assert_eq!(builder.shape(Shape::aabb(flat)), PLATFORM);
            builder.one_way(PLATFORM, Face::OF_BOX[(flat.x.to_bits() % 6) as usize]);
        }
        self.add_compounds(&mut builder);
        self.add_statics(&mut builder);
        builder.build().ok()
    }

    /// Balls at the ends of a rod, bricks on both sides, and any parts.
    fn add_compounds(&mut self, builder: &mut SceneryBuilder) {
        let part = |shape, offset| ChildShape { offset, ..ChildShape::new(shape) };
        let [out, up] = [[self.unit / 2, 0, 0], [0, self.unit / 2, 0]]
            .map(|raw| Vec3::from_raw(raw.map(|part: i64| part.min(2048 << 32))));
        builder.compound(vec![part(ROD, Vec3::ZERO), part(ShapeId(0), out), part(ShapeId(0), -out)]);
        builder.compound(vec![part(BRICK, up), part(BRICK, -up)]);
        let any = (0..self.draws.between(1, 5)).map(|_| {
            let layer = if self.one_in(3) { Some(self.draws.below(3) as u8) } else { None };
            let shape = ShapeId(self.draws.below(SHAPES) as u16);
            ChildShape { layer, ..part(shape, self.vector(self.unit.min(2048 << 32))) }
        });
        let any = any.collect();
        builder.compound(any);
    }

    /// Mostly a floor, maybe walls around it, and things on it.
    fn add_statics(&mut self, builder: &mut SceneryBuilder) {
        let tilted = self.draws.between(-300, 300) as i32;
        let floor = self.pick(&[Normal::Y, Normal::Y, Normal::new(tilted, 1000, 0)]);
        let walls = [(floor, 1), (Normal::X, 0), (-Normal::X, 0), (Normal::Z, 2), (-Normal::Z, 2)];
        let count = self.pick(&[0, 1, 1, 3, 5]).min(if self.limits.flat { 3 } else { 5 });
        for (normal, axis) in walls.into_iter().take(count) {
            let plane = Plane::from_point_normal(Vec3::ZERO, normal).expect("a normal");
            let mut place = [0; 3];
            place[axis] = -i64::from(normal.components()[axis].signum()) * self.unit * 3;
            let (shape, material) = (builder.shape(Shape::Plane(plane)), self.material());
            builder.fixed(shape, material, Vec3::from_raw(place));
        }
        for _ in 0..self.draws.below(5) {
            let (shape, material) = (ShapeId(self.draws.below(SHAPES) as u16), self.material());
            let (position, layer) = (self.vector(self.unit * 3), if self.one_in(6) { 1 } else { 0 });
            let is_open = self.has_platforms && position.x.to_bits() % 2 == 0;
            let shape = if is_open { PLATFORM } else { shape };
            builder.add(Static { shape, material, position, layer });
        }
    }

    pub fn material(&mut self) -> MaterialId {
        MaterialId(self.draws.below(3) as u16)
    }

    /// An existing one, or one name too many.
    pub fn shape(&mut self) -> ShapeId {
        let set = CompoundId(self.draws.below(SETS) as u16);
        let mirrored = self.one_in(2);
        if self.one_in(4) {
            ShapeId::of_compound(set, mirrored)
        } else {
            ShapeId(self.draws.below(SHAPES + 2) as u16)
        }
    }

    /// In a grid, near the middle, a hair beside another one, or at the border.
    pub fn position(&mut self, world: &World) -> Vec3 {
        let (unit, extent) = (self.unit, self.limits.extent.to_bits());
        let other = world.bodies().nth(self.draws.below(20) as usize).map(|(_, body)| body.position);
        match (self.draws.below(24), other) {
            (0, _) => self.vector(extent),
            (1, _) => self.vector(2).map_raw(|raw| raw.clamp(-1, 1) * (extent + raw)),
            (2..=6, Some(other)) => {
                let beside = self.vector(1).map_raw(|raw| raw * unit);
                other + beside + self.vector(unit / 100 + 100)
            }
            (7..=14, _) => self.vector(3).map_raw(|raw| raw * unit) + self.vector(unit / 100),
            _ => self.vector(3 * unit),
        }
    }

    /// Slow, mostly; up to the limit, or beyond it.
    pub fn velocity(&mut self) -> Vec3 {
        let (most, unit, is_any) = (self.limits.speed_max.to_bits(), self.unit, self.one_in(5));
        match (self.is_calm, is_any, self.draws.below(8)) {
            (true, ..) => self.vector((unit / 64).min(most)),
            (_, true, 0) => self.vector(4 * most),
            (_, true, 1..=3) => self.vector(1).map_raw(|raw| raw * most),
            (_, true, _) => self.vector(most / 2),
            (_, _, 0..=4) => self.vector((unit / 64).min(most / 2)),
            _ => self.vector(unit.min(most / 2)),
        }
    }

    /// For a mass of 1 of about a unit.
    pub fn twist(&mut self) -> Vec3 {
        let square = (i128::from(self.unit) * i128::from(self.unit)) >> 40;
        self.about(square.clamp(1, 1 << 40) as i64)
    }

    pub fn gravity(&mut self) -> Vec3 {
        let per_second = if self.is_calm { 10 } else { self.pick(&[0, 10, 10, 100, 10_000]) };
        let rate = i128::from(self.limits.steps_per_second());
        let pull = per_second * i128::from(self.unit) / (rate * rate);
        let pull = pull.min(self.limits.speed_max.to_bits().into()) as i64;
        let any = self.vector(pull);
        let gravity = if self.one_in(4) { any } else { Vec3::from_raw([0, -pull, 0]) };
        let is_odd = self.one_in(20);
        gravity.map_raw(|raw| raw / 2 * 2 + i64::from(is_odd))
    }

    pub fn mass(&mut self) -> u32 {
        let most = self.limits.mass_max;
        if self.one_in(30) { self.pick(&[0, most + 1]) } else { self.pick(&[1, 1, 5, 30, most]).min(most) }
    }

    pub fn locks(&mut self, rotates: bool) -> Locks {
        let bits = self.draws.below(64) as u8 & self.draws.below(64) as u8;
        Locks::try_from(if rotates || self.one_in(8) { bits } else { bits & Locks::ALL.bits() })
            .expect("axes")
    }

    pub fn damping(&mut self) -> u16 {
        self.pick(&[0, 0, 300, u16::MAX])
    }
}

//! Families of moving boxes that the box kernels share, and a short way to write a number.

use bitstep::{geom::Vec3, num::Scalar};

use crate::oracle::{ONE, Source};

/// A decimal text in units.
pub fn unit(text: &str) -> Scalar {
    text.parse().unwrap()
}

/// A relative motion of two boxes, in raw; for a sphere and a box `half` is the box's.
#[derive(Clone, Copy, Debug)]
pub struct BoxPair {
    /// B's center minus A's.
    pub offset: Vec3,
    /// B's displacement minus A's.
    pub motion: Vec3,
    /// The (sum of) half extents.
    pub half: Vec3,
    /// A sphere's radius; 0 for two boxes.
    pub radius: i64,
    /// The target distance.
    pub gap: i64,
}

/// What a family starts from: how large things are.
struct Scale {
    half: i64,
    radius: i64,
    motion: i64,
}

/// The families, by name.
pub const FAMILIES: u64 = 13;

/// An adversarial family by number. `round` tells whether there is a sphere.
pub fn box_pair(source: &mut Source, case: u64, round: bool) -> BoxPair {
    let scale = match source.between(0, 5) {
        0 => Scale { half: ONE, radius: ONE, motion: 4 * ONE },
        1 => Scale { half: 1 << 44, radius: 1 << 44, motion: 1 << 45 },
        2 => Scale {
            half: source.scaled(1 << 44),
            radius: source.scaled(1 << 44),
            motion: source.scaled(1 << 45),
        },
        3 => Scale { half: 12, radius: 6, motion: 16 },
        4 => Scale { half: 100 * ONE, radius: ONE / 64, motion: ONE },
        _ => Scale { half: ONE, radius: source.scaled(ONE), motion: source.scaled(1 << 45) },
    };
    let half = source.vector(scale.half.max(1)).map_raw(i64::abs);
    let radius = if round { source.between(0, scale.radius) } else { 0 };
    let gap = [0, 0, 2, 64, 64, 1 << 20, scale.half / 4][source.between(0, 6) as usize];
    let mut pair = BoxPair { offset: Vec3::ZERO, motion: Vec3::ZERO, half, radius, gap };
    let motion = scale.motion.max(1);
    match case % FAMILIES {
        0 | 1 => pair.crosses(source, motion),
        2 => pair.meets_two_axes_at_once(source, motion),
        3 => pair.starts_near(source, motion, 0),
        4 => pair.starts_near(source, motion, gap),
        5 => pair.at_the_limits(source),
        6 => pair.along_an_axis(source, motion),
        7 => pair.slides_inside_the_gap(source, motion),
        8 => pair.grazes(source, motion),
        9 => pair.starts_inside(source, motion),
        10 => pair.tiny(source, round),
        11 => pair.skims(source),
        _ => {
            pair.offset = source.any_vector(1 << 47);
            pair.motion = source.any_vector(1 << 45);
        }
    }
    pair.offset = pair.offset.map_raw(|c| c.clamp(-(1 << 57), 1 << 57));
    pair.motion = pair.motion.map_raw(|c| c.clamp(-(1 << 45), 1 << 45));
    pair
}

impl BoxPair {
    /// The target distance.
    pub fn gap(&self) -> Scalar {
        Scalar::from_bits(self.gap)
    }

    /// The radius.
    pub fn radius(&self) -> Scalar {
        Scalar::from_bits(self.radius)
    }

    /// The half extents with radius and gap: outside of it nothing is near.
    fn reach(&self) -> [i64; 3] {
        self.half.raw().map(|half| half + self.radius + self.gap)
    }

    /// A point on the surface of the box of the reach, give or take.
    fn surface(&self, source: &mut Source, slack: i64) -> Vec3 {
        let reach = self.reach();
        let mut point = reach.map(|reach| source.between(-reach, reach));
        let axis = source.between(0, 2) as usize;
        let side = 1 - 2 * source.between(0, 1);
        point[axis] = side * reach[axis] + source.between(-slack, slack);
        if source.between(0, 2) == 0 {
            let other = (axis + 1) % 3;
            point[other] = side * reach[other] + source.between(-slack, slack);
        }
        Vec3::from_raw(point)
    }

    /// Comes from anywhere to somewhere near the surface.
    fn crosses(&mut self, source: &mut Source, motion: i64) {
        let near = if source.between(0, 1) == 0 { *self } else { Self { radius: 0, ..*self } };
        let target = near.surface(source, 2);
        self.motion = source.vector(motion);
        if self.motion.dot_wide(target) > 0 {
            self.motion = -self.motion; // inward
        }
        let share = source.between(0, (1 << 20) + (1 << 17));
        self.offset =
            target - self.motion.map_raw(|c| (i128::from(c) * i128::from(share) / (1 << 20)) as i64);
    }

    /// Two or three axes meet at one rational time, or a raw beside it.
    fn meets_two_axes_at_once(&mut self, source: &mut Source, motion: i64) {
        let (parts, done) = (source.between(1, 12), source.between(0, 14));
        let step = (motion / 12).max(1);
        let ties = source.between(2, 3);
        let (mut offset, mut speed) = (source.vector(self.half.x.to_bits().max(1)).raw(), [0; 3]);
        let first = source.between(0, 2) as usize;
        for tied in 0..ties as usize {
            let axis = (first + tied) % 3;
            let side = 1 - 2 * source.between(0, 1);
            let stride = source.between(0, step);
            speed[axis] = -side * stride * parts;
            offset[axis] = side * (self.reach()[axis] + stride * done);
            if source.between(0, 9) == 0 {
                offset[axis] += source.between(-1, 1);
            }
        }
        (self.offset, self.motion) = (Vec3::from_raw(offset), Vec3::from_raw(speed));
    }

    /// Starts within a few raw of touching, or of the gap.
    fn starts_near(&mut self, source: &mut Source, motion: i64, less: i64) {
        let near = Self { gap: self.gap - less, ..*self };
        self.offset = near.surface(source, 2);
        self.motion = source.any_vector(motion);
    }

    /// The largest offsets, motions and sizes.
    fn at_the_limits(&mut self, source: &mut Source) {
        let most = 1 << 46;
        self.half = source.any_vector(most).map_raw(|c| c.abs().min(most - self.radius - self.gap));
        self.motion = source.any_vector(1 << 45);
        let far = if source.between(0, 3) == 0 { 1 << 57 } else { most + (1 << 45) };
        self.offset = source.any_vector(far);
    }

    /// Moves along one axis.
    fn along_an_axis(&mut self, source: &mut Source, motion: i64) {
        self.crosses(source, motion);
        let moving = source.axial(motion);
        self.offset = self.offset + self.motion - moving;
        self.motion = moving;
    }

    /// Rests on a floor, nearer than the gap, and moves along it.
    fn slides_inside_the_gap(&mut self, source: &mut Source, motion: i64) {
        self.crosses(source, motion);
        let axis = source.between(0, 2) as usize;
        let (mut offset, mut speed) = (self.offset.raw(), self.motion.raw());
        offset[axis] = self.half.raw()[axis] + self.radius + source.between(-1, self.gap + 1);
        speed[axis] = if source.between(0, 3) == 0 { source.between(-2, 2) } else { 0 };
        (self.offset, self.motion) = (Vec3::from_raw(offset), Vec3::from_raw(speed));
    }

    /// One axis is left when another is met, give or take a raw; or a sphere passes an edge or corner.
    fn grazes(&mut self, source: &mut Source, motion: i64) {
        if self.radius > 0 {
            let corner = self.half.raw().map(|half| half * (1 - 2 * source.between(0, 1)));
            let distance = self.radius + self.gap + source.between(-2, 2);
            let way = source.on_sphere(distance.max(1));
            let mut foot = Vec3::from_raw(corner) + way;
            if source.between(0, 2) == 0 {
                // Beside an edge: nothing of the way goes along it.
                foot.z = Scalar::from_bits(source.between(-self.half.z.to_bits(), self.half.z.to_bits()));
            }
            let along = source.across(foot - Vec3::from_raw(corner), motion);
            let share = source.between(0, 1 << 20);
            self.motion = along;
            self.offset = foot - along.map_raw(|c| (i128::from(c) * i128::from(share) / (1 << 20)) as i64);
            return;
        }
        let parts = source.between(1, 12);
        let done = source.between(0, parts);
        let step = (motion / 12).max(1);
        let reach = self.reach();
        let mut offset = source.vector(self.half.x.to_bits().max(1)).raw();
        let mut speed = [0; 3];
        for (axis, side) in [(0, 1), (1, -1)] {
            speed[axis] = -source.between(0, step) * parts;
            offset[axis] = side * reach[axis] - speed[axis] / parts * done + source.between(-1, 1);
        }
        (self.offset, self.motion) = (Vec3::from_raw(offset), Vec3::from_raw(speed));
    }

    /// Starts overlapping.
    fn starts_inside(&mut self, source: &mut Source, motion: i64) {
        let reach = self.reach();
        self.offset = Vec3::from_raw(reach.map(|reach| source.between(-reach, reach)));
        self.motion = source.any_vector(motion);
        if source.between(0, 7) == 0 {
            self.offset = Vec3::ZERO;
        }
    }

    /// Rises slowly past the levels of two faces, just before it comes over the edge between them: a
    /// sphere above the edge, within reach of either face but not of both at once.
    fn skims(&mut self, source: &mut Source) {
        (self.radius, self.gap) = (source.scaled(1 << 13), self.gap.min(64));
        self.half = self.half.map_raw(|half| half.max(ONE));
        let reach = self.radius + self.gap + 2;
        let (fast, share) = (source.between(ONE, 4 * ONE), source.between(1, 1 << 20));
        let part = |length: i64| (i128::from(length) * i128::from(share) / (1 << 20)) as i64;
        let rises = [(); 2].map(|()| source.between(0, 8 * reach));
        let over = [(); 2].map(|()| source.between(reach / 2, reach));
        let [x, y, z] = self.half.raw();
        self.motion = Vec3::from_raw([rises[0], rises[1], fast]);
        self.offset =
            Vec3::from_raw([x + over[0] - part(rises[0]), y + over[1] - part(rises[1]), -z - part(fast)]);
    }

    /// A few raw in everything.
    fn tiny(&mut self, source: &mut Source, round: bool) {
        self.half = source.vector(4).map_raw(i64::abs);
        (self.radius, self.gap) = (if round { source.between(0, 4) } else { 0 }, source.between(0, 3));
        (self.offset, self.motion) = (source.vector(12), source.vector(14));
    }
}

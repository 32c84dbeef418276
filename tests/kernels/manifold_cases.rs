//! Awkward pairs of shapes in contact: seeded families by number.

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::Scalar,
    shape::{Capsule, Obb, Shape},
};

use crate::oracle::{ONE, Source};

/// What a manifold is asked of.
#[derive(Clone, Debug)]
pub struct Contact {
    pub a: Shape,
    pub b: Shape,
    pub offset: Vec3,
    pub normal: Normal,
    pub band: Scalar,
}

/// How many families there are.
pub const FAMILIES: u64 = 12;

/// A direction of the length 2^30, within 2.
pub fn unit(way: [i128; 3]) -> Option<Normal> {
    let most = way.iter().map(|c| c.unsigned_abs()).max()?;
    let shift = (128 - most.leading_zeros()).saturating_sub(58);
    let up = if shift == 0 { 58_u32.saturating_sub(128 - most.leading_zeros()) } else { 0 };
    let way = way.map(|c| (c.abs() >> shift << up) * c.signum());
    let length = way.iter().map(|c| (c * c) as u128).sum::<u128>().isqrt() as i128;
    if length == 0 {
        return None;
    }
    let [x, y, z] = way.map(|c| (((c.abs() << 31) / length + 1) / 2 * c.signum()) as i32);
    Some(Normal::new(x, y, z))
}

impl Source {
    /// A contact of one of the families.
    pub fn contact(&mut self, case: u64) -> Contact {
        let most = [ONE, 1 << 34, 1 << 43, 1 << 28][self.between(0, 3) as usize];
        match case % FAMILIES {
            0 => self.boxes(most, 0),
            1 => self.boxes(most, 3),
            2 => self.boxes(1 << 43, 1),
            3 => {
                let most = 64 + self.between(0, 4);
                self.twins(64, most)
            }
            4 => self.twins(1 << 43, 1 << 43),
            5 => self.twins(ONE / 4, ONE),
            6 => self.boxes(ONE, 2),
            7 | 8 => {
                let (a, b) = (self.rod(most), Shape::Obb(self.obb(most)));
                if case & 1 == 0 { self.facing(a, b) } else { self.facing(b, a) }
            }
            9 => self.rods(most),
            10 => {
                let (ball, other) = (Shape::sphere(self.size(most)), self.any_shape(most));
                if self.bits() & 1 == 0 { self.facing(ball, other) } else { self.facing(other, ball) }
            }
            _ => self.before_plane(most),
        }
    }

    fn size(&mut self, most: i64) -> Scalar {
        Scalar::from_bits(self.scaled(most).max(1))
    }

    fn band(&mut self) -> Scalar {
        let bits = [0, 0, 6, 14, 20, 24, 30][self.between(0, 6) as usize];
        Scalar::from_bits(if bits == 0 { 0 } else { 1 << bits })
    }

    fn any_shape(&mut self, most: i64) -> Shape {
        match self.between(0, 3) {
            0 => self.rod(most),
            1 => Shape::aabb(Vec3::from_raw([(); 3].map(|()| self.scaled(most).max(64)))),
            2 => Shape::sphere(self.size(most)),
            _ => Shape::Obb(self.obb(most)),
        }
    }

    fn rod(&mut self, most: i64) -> Shape {
        let axis = self.any_vector(most / 2);
        let axis = if axis == Vec3::ZERO { Vec3::from_raw([1, 0, 0]) } else { axis };
        Shape::Capsule(Capsule::new(axis, self.size(most / 2)))
    }

    /// Two boxes: 0 face to face in directions of their own, 1 as large as may be, 2 one nearly as the other,
    /// 3 in any direction.
    fn boxes(&mut self, most: i64, kind: u8) -> Contact {
        let a = if kind == 1 {
            Obb::new(Vec3::from_raw([most / 2 + self.between(0, most / 20); 3]), self.rotation())
        } else {
            self.obb(most)
        };
        let b = match kind {
            2 => {
                let most = 1 << self.between(0, 8);
                Obb { half_edges: a.half_edges.map(|edge| edge + self.vector(most)) }
            }
            1 => {
                Obb::new(Vec3::from_raw([(); 3].map(|()| self.between(most / 4, most / 2))), self.rotation())
            }
            _ => self.obb(most),
        };
        self.facing(Shape::Obb(a), Shape::Obb(b))
    }

    /// One box turned a little about its own third axis over another: what stands in piles.
    fn twins(&mut self, least: i64, most: i64) -> Contact {
        let most = most.min((1 << 44) / 3);
        let mut half = || Vec3::from_raw([(); 3].map(|()| self.between(least.min(most), most)));
        let (p, q) = (half(), half());
        let q = if self.bits() & 1 == 0 { p } else { q };
        let turn = self.rotation();
        let mut parts = turn.components().map(|c| Scalar::from_bits(c.into()));
        parts[0] += Scalar::from_bits(self.between(-8, 8));
        parts[3] += Scalar::from_bits(self.signed(1 << 30));
        let [w, x, y, z] = parts;
        let other = Rotation::from_quaternion(w, x, y, z).unwrap_or(turn);
        let (a, b) = (Obb::new(p, turn), Obb::new(q, other));
        self.facing(Shape::Obb(a), Shape::Obb(b))
    }

    /// Two rods: along each other, nearly so, end to end, across.
    fn rods(&mut self, most: i64) -> Contact {
        let (Shape::Capsule(a), Shape::Capsule(mut b)) = (self.rod(most), self.rod(most)) else {
            unreachable!()
        };
        match self.between(0, 3) {
            0 => b.half_axis = a.half_axis,
            1 => {
                let most = 1 << self.between(1, 16);
                b.half_axis = -(a.half_axis + self.vector(most));
            }
            2 => b.half_axis = a.half_axis.map_raw(|c| c / 3),
            _ => {}
        }
        if b.half_axis == Vec3::ZERO {
            b.half_axis = Vec3::from_raw([0, 1, 0]);
        }
        self.facing(Shape::Capsule(a), Shape::Capsule(b))
    }

    fn before_plane(&mut self, most: i64) -> Contact {
        let normal = loop {
            let way = self.any_vector(1 << 30).raw().map(|c| c as i32);
            if way != [0; 3] {
                break Normal::new(way[0], way[1], way[2]);
            }
        };
        let plane = Plane::from_point_normal(self.any_vector(1 << 44), normal).unwrap();
        let shape = self.any_shape(most);
        let normal = unit(plane.normal().components().map(i128::from)).unwrap();
        let size = shape.bounding_radius().unwrap().to_bits();
        let along = self.across(Vec3::from_raw(normal.components().map(i64::from)), 1 << 44);
        let rise = self.between(-size / 4, size + size / 4);
        let offset = plane.point() + along + stretched(normal, rise);
        let band = self.band();
        if self.bits() & 1 == 0 {
            Contact { a: Shape::Plane(plane), b: shape, offset, normal, band }
        } else {
            Contact { a: shape, b: Shape::Plane(plane), offset: -offset, normal: -normal, band }
        }
    }

    /// Two shapes so that they are near each other along some direction: of a face, of two edges, or any.
    fn facing(&mut self, a: Shape, b: Shape) -> Contact {
        let edges = |shape: &Shape| match shape {
            Shape::Obb(obb) => obb.half_edges.to_vec(),
            Shape::Aabb { half } => Obb::along_axes(*half).half_edges.to_vec(),
            Shape::Capsule(rod) => vec![rod.half_axis],
            _ => Vec::new(),
        };
        let (own, other) = (edges(&a), edges(&b));
        let pick = |source: &mut Self, from: &[Vec3]| {
            if from.is_empty() {
                source.vector(1 << 30)
            } else {
                from[source.between(0, from.len() as i64 - 1) as usize]
            }
        };
        let normal = loop {
            let (p, q) = match self.between(0, 5) {
                0 | 1 => (pick(self, &own), pick(self, &own)),
                2 | 3 => (pick(self, &other), pick(self, &other)),
                4 => (pick(self, &own), pick(self, &other)),
                _ => (self.any_vector(1 << 40), self.any_vector(1 << 40)),
            };
            if let Some(normal) = unit(p.cross_wide(q)) {
                break if self.bits() & 1 == 0 { normal } else { -normal };
            }
        };
        let reach = |shape: &Shape| (shape.support_q32_ceil(normal).unwrap() >> 62) as i64;
        let (sum, size) = (reach(&a) + reach(&b), [&a, &b].map(|s| s.bounding_radius().unwrap().to_bits()));
        let gap = match self.between(0, 3) {
            0 => 0,
            1 => self.between(-2, 64),
            2 => self.signed(1 << 20),
            _ => -self.scaled(sum),
        };
        let way = Vec3::from_raw(normal.components().map(i64::from));
        let aside = match self.between(0, 3) {
            0 => 0,
            1 => size[0].min(size[1]) / 2,
            _ => self.between(0, (size[0] + size[1]) * 3 / 4),
        };
        let along = if aside == 0 { Vec3::ZERO } else { self.across(way, aside) };
        // Now and then level with an edge: sides in one line.
        let level = match self.between(0, 3) {
            0 => pick(self, &own) - pick(self, &other).map_raw(|c| c * (1 - 2 * (aside & 1))),
            _ => Vec3::ZERO,
        };
        let flat = if level.within(Scalar::from_bits(1 << 45)) && !own.is_empty() && !other.is_empty() {
            let height = (normal.dot_wide(level) >> 30) as i64;
            level - stretched(normal, height)
        } else {
            along
        };
        let band = self.band();
        Contact { a, b, offset: flat + stretched(normal, sum + gap), normal, band }
    }
}

/// A length along a direction of 2^30.
pub fn stretched(normal: Normal, length: i64) -> Vec3 {
    Vec3::from_raw(normal.components().map(|c| ((i128::from(c) * i128::from(length)) >> 30) as i64))
}

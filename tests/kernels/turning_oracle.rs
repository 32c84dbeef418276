//! What is exactly so of two bodies that turn, in big integers: whether a direction keeps them apart for a part of
//! the tick, and how far apart they are at an instant.
//!
//! With the unnormalised quaternion Q(u) of a body, of squared length D(u), a half edge e lies along M(Q) e / D, where
//! M is quadratic in Q. So a separation along a direction, times both D, is a polynomial in u of
//! degree 6 for each pair of corners, if the direction changes in a straight line; nothing is rounded but its length,
//! upward.

use bitstep::{
    geom::{Normal, Rotation, Vec3},
    num::Toi,
    shape::{Capsule, Shape},
    sweep::{Passed, Proof, RelativeMotion},
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::oracle::big;

/// A polynomial, the constant first.
type Poly = Vec<BigInt>;

fn plus(a: &Poly, b: &Poly) -> Poly {
    let part = |poly: &Poly, i: usize| poly.get(i).cloned().unwrap_or_default();
    (0..a.len().max(b.len())).map(|i| part(a, i) + part(b, i)).collect()
}

fn times(a: &Poly, b: &Poly) -> Poly {
    let mut product = vec![BigInt::zero(); a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    product
}

fn scaled(a: &Poly, by: &BigInt) -> Poly {
    a.iter().map(|part| part * by).collect()
}

fn constant(value: impl Into<BigInt>) -> Poly {
    vec![value.into()]
}

/// True if a polynomial of degree 6 at most is nowhere below zero from 0 to 1: its form of Bernstein, halved until
/// all numbers are of one sign.
fn is_nowhere_below_zero(poly: &Poly) -> bool {
    const OVER: [[i64; 7]; 7] = [
        // 60 C(i, k) / C(6, k)
        [60, 0, 0, 0, 0, 0, 0],
        [60, 10, 0, 0, 0, 0, 0],
        [60, 20, 4, 0, 0, 0, 0],
        [60, 30, 12, 3, 0, 0, 0],
        [60, 40, 24, 12, 4, 0, 0],
        [60, 50, 40, 30, 20, 10, 0],
        [60, 60, 60, 60, 60, 60, 60],
    ];
    assert!(poly.len() <= 7);
    let numbers = OVER.map(|row| -> BigInt { poly.iter().zip(row).map(|(part, over)| part * over).sum() });
    halves(numbers, 60)
}

fn halves(numbers: [BigInt; 7], depth: u32) -> bool {
    if numbers.iter().all(|number| !number.is_negative()) {
        return true;
    }
    if numbers[0].is_negative() || numbers[6].is_negative() || depth == 0 {
        return false;
    }
    // Casteljau: sums of neighbours; the last of row k has a factor of 2^k.
    let (mut left, mut right, mut row) = (Vec::new(), Vec::new(), numbers.to_vec());
    for level in 0..7_u32 {
        left.push(&row[0] << (6 - level));
        right.push(row.last().expect("a row") << (6 - level));
        row = row.windows(2).map(|pair| &pair[0] + &pair[1]).collect();
    }
    right.reverse();
    let seven = |half: Vec<BigInt>| -> [BigInt; 7] { half.try_into().expect("seven") };
    halves(seven(left), depth - 1) && halves(seven(right), depth - 1)
}

/// Half edges and the corners of a hull at an instant times a number, and that number.
struct Placed {
    edges: Vec<[BigInt; 3]>,
    corners: Vec<[BigInt; 3]>,
    square: BigInt,
}

/// A body over a part of the tick: numbers that depend on time are polynomials from 0 to 1.
struct Body {
    /// The squared length of its quaternion, times 2^124.
    square: Poly,
    /// Half edges times the same.
    edges: Vec<[Poly; 3]>,
    /// The corners of a hull from its center, times the same.
    corners: Vec<[Poly; 3]>,
    /// From its origin to its shape's, times the same.
    arm: [Poly; 3],
    radius: i64,
}

impl Body {
    fn new(shape: &Shape, arm: Vec3, turning: [&Rotation; 2], done: u64, [from, span]: [u64; 2]) -> Self {
        let (edges, rotates, radius) = match shape {
            Shape::Sphere { radius } => (vec![], arm != Vec3::ZERO, radius.to_bits()),
            Shape::Aabb { half } => {
                let [x, y, z] = half.raw();
                (vec![[x, 0, 0], [0, y, 0], [0, 0, z]], false, 0)
            }
            Shape::Obb(obb) => (obb.half_edges.map(Vec3::raw).to_vec(), true, 0),
            Shape::Capsule(capsule) => (vec![capsule.half_axis.raw()], true, capsule.radius.to_bits()),
            Shape::Plane(_) => (vec![], false, 0),
            Shape::Hull(_) => (vec![], true, 0),
            Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => unreachable!("no mesh is drawn"),
        };
        let corners = match shape {
            Shape::Hull(form) => form.corners().iter().map(|corner| corner.raw()).collect(),
            _ => vec![],
        };
        if !rotates {
            let fixed = |edge: [i64; 3]| edge.map(constant);
            let edges = edges.into_iter().map(fixed).collect();
            return Self { square: constant(1), edges, corners: vec![], arm: fixed(arm.raw()), radius };
        }
        let [first, last] = turning.map(|end| end.components().map(i64::from));
        // The nearer of the two quaternions of the end.
        let dot: i128 = (0..4).map(|i| i128::from(first[i]) * i128::from(last[i])).sum();
        let last = if dot < 0 { last.map(|part| -part) } else { last };
        let [w, x, y, z] = [0, 1, 2, 3].map(|i: usize| -> Poly {
            let chord = big(last[i] - first[i]);
            vec![(big(first[i]) << 32) + &chord * (done + from), chord * span]
        });
        let sum = |terms: &[(&Poly, &Poly, i64)]| {
            terms.iter().fold(constant(0), |sum, (a, b, by)| plus(&sum, &scaled(&times(a, b), &big(*by))))
        };
        let square = sum(&[(&w, &w, 1), (&x, &x, 1), (&y, &y, 1), (&z, &z, 1)]);
        let rows = [
            [
                sum(&[(&w, &w, 1), (&x, &x, 1), (&y, &y, -1), (&z, &z, -1)]),
                sum(&[(&x, &y, 2), (&w, &z, -2)]),
                sum(&[(&x, &z, 2), (&w, &y, 2)]),
            ],
            [
                sum(&[(&x, &y, 2), (&w, &z, 2)]),
                sum(&[(&w, &w, 1), (&x, &x, -1), (&y, &y, 1), (&z, &z, -1)]),
                sum(&[(&y, &z, 2), (&w, &x, -2)]),
            ],
            [
                sum(&[(&x, &z, 2), (&w, &y, -2)]),
                sum(&[(&y, &z, 2), (&w, &x, 2)]),
                sum(&[(&w, &w, 1), (&x, &x, -1), (&y, &y, -1), (&z, &z, 1)]),
            ],
        ];
        let turned = |edge: [i64; 3]| {
            [0, 1, 2].map(|row: usize| {
                (0..3).fold(constant(0), |sum, axis| plus(&sum, &scaled(&rows[row][axis], &big(edge[axis]))))
            })
        };
        let all = |vectors: Vec<[i64; 3]>| vectors.into_iter().map(turned).collect();
        Self { square, edges: all(edges), corners: all(corners), arm: turned(arm.raw()), radius }
    }

    /// All corners along a direction, the arm with a sign.
    fn corners(&self, normal: &[Poly; 3], sign: i64) -> Vec<Poly> {
        let arm = scaled(&sum_of_products(&self.arm, normal), &big(sign));
        let of_hull = |corner| plus(&arm, &scaled(&sum_of_products(corner, normal), &big(sign)));
        let all = match &self.corners[..] {
            [] => vec![arm],
            corners => corners.iter().map(of_hull).collect(),
        };
        self.edges.iter().fold(all, |corners, edge| {
            let along = sum_of_products(edge, normal);
            let back = scaled(&along, &big(-1));
            corners.iter().flat_map(|corner| [plus(corner, &along), plus(corner, &back)]).collect()
        })
    }
}

fn sum_of_products(a: &[Poly; 3], b: &[Poly; 3]) -> Poly {
    a.iter().zip(b).fold(constant(0), |sum, (x, y)| plus(&sum, &times(x, y)))
}

/// Two bodies that move and turn, as a sweep is asked about them.
#[derive(Clone, Debug)]
pub struct Pair {
    pub shapes: [Shape; 2],
    pub arms: [Vec3; 2],
    /// From where to where both turn in their whole tick, and how much of that is over.
    pub turns: [[Rotation; 2]; 2],
    pub done: [u64; 2],
    pub offset: Vec3,
    pub motion: Vec3,
    pub gap: i64,
}

impl Pair {
    fn bodies(&self, part: [u64; 2]) -> [Body; 2] {
        [0, 1].map(|i: usize| {
            let turns = [&self.turns[i][0], &self.turns[i][1]];
            Body::new(&self.shapes[i], self.arms[i], turns, self.done[i], part)
        })
    }

    /// From A's origin or its plane's point to B's, in raw times 2^32.
    fn way(&self, [from, span]: [u64; 2]) -> [Poly; 3] {
        let center = |shape: &Shape| match shape {
            Shape::Plane(plane) => plane.point().raw(),
            _ => [0; 3],
        };
        let centers = [center(&self.shapes[0]), center(&self.shapes[1])];
        let (offset, motion) = (self.offset.raw(), self.motion.raw());
        [0, 1, 2].map(|axis: usize| {
            let start = big(offset[axis]) + centers[1][axis] - centers[0][axis];
            vec![(start << 32) + big(motion[axis]) * from, big(motion[axis]) * span]
        })
    }

    /// True if the proof of a part holds for all of it: that the bodies keep so many 2^-16 of a raw.
    pub fn holds(&self, passed: &Passed, kept_q16: &BigInt) -> bool {
        let part = [passed.from.raw(), passed.until.since(passed.from).raw()];
        match passed.proof {
            Proof::Normal { normal, rate } => self.stays_apart((normal, rate), part, kept_q16),
            Proof::Bounds => self.bounds_stay_apart(part),
            Proof::Straight => panic!("no proof by directions"),
        }
    }

    fn stays_apart(&self, (normal, rate): (Normal, [i64; 3]), part: [u64; 2], kept_q16: &BigInt) -> bool {
        self.has_direction(normal);
        // The direction times 2^32.
        let components = normal.components();
        let direct =
            [0, 1, 2].map(|axis: usize| vec![big(components[axis]) << 32, big(rate[axis]) * part[1]]);
        let [a, b] = self.bodies(part);
        let squares = times(&a.square, &b.square);
        let along = sum_of_products(&self.way(part), &direct);
        // All times 2^128. The length of n is at most (n.n / c + c) / 2 for any c, as here its length at first.
        let first = ((big(normal.length_squared()) << 128_u32).sqrt() + 1_u32) << 32_u32;
        let square = sum_of_products(&direct, &direct);
        let length = plus(&scaled(&square, &(big(1) << 128)), &constant(&first * &first));
        let kept: BigInt = kept_q16 + (big(a.radius + b.radius) << 16_u32);
        let over = first << 49_u32;
        // Twice the length c takes the place of a denominator.
        let left = scaled(&along, &((&over) << 64));
        let base = times(&plus(&left, &scaled(&length, &-(kept << 64_u32))), &squares);
        let of_a: Vec<_> = a.corners(&direct, 1).iter().map(|corner| times(corner, &b.square)).collect();
        let of_b: Vec<_> = b.corners(&direct, -1).iter().map(|corner| times(corner, &a.square)).collect();
        let whole = -(over << 96_u32);
        of_a.iter().all(|p| {
            let left = plus(&base, &scaled(p, &whole));
            of_b.iter().all(|q| is_nowhere_below_zero(&plus(&left, &scaled(q, &whole))))
        })
    }

    /// Against a plane only its own normal counts.
    fn has_direction(&self, normal: Normal) {
        match &self.shapes {
            [Shape::Plane(plane), _] => assert_eq!(normal, plane.normal()),
            [_, Shape::Plane(plane)] => assert_eq!(normal, -plane.normal()),
            _ => (),
        }
    }

    fn bounds_stay_apart(&self, part: [u64; 2]) -> bool {
        let reach = big(self.bound(0)) + self.bound(1) + self.gap;
        let way = self.way(part);
        let plane = self.shapes.iter().zip([1, -1]).find_map(|(shape, sign)| match shape {
            Shape::Plane(plane) => Some(plane.normal().components().map(|c| big(c * sign))),
            _ => None,
        });
        if let Some(normal) = plane {
            let along =
                way.iter().zip(&normal).fold(constant(0), |sum, (way, n)| plus(&sum, &scaled(way, n)));
            let square: BigInt = normal.iter().map(|n| n * n).sum();
            let taken = ((square << 128_u32).sqrt() + 1_u32) * (reach << 32_u32);
            return is_nowhere_below_zero(&plus(&scaled(&along, &(big(1) << 64)), &constant(-taken)));
        }
        let square = way.iter().fold(constant(0), |sum, way| plus(&sum, &times(way, way)));
        let reach = reach << 32_u32;
        is_nowhere_below_zero(&plus(&square, &constant(-(&reach * &reach))))
    }

    /// How far from its body's origin a shape reaches, rounded up.
    pub fn bound(&self, i: usize) -> i64 {
        let arm = self.arms[i].length_squared_wide();
        let own = self.shapes[i].bounding_radius().unwrap_or_default().to_bits();
        own + arm.isqrt() as i64 + i64::from(arm.isqrt().pow(2) < arm)
    }

    /// Half edges of both at an instant, times what is given with them, and the way from the middle of A to that of B, times both
    /// and 2^32.
    fn at(&self, toi: Toi) -> ([Placed; 2], [BigInt; 3]) {
        let part = [toi.raw(), 0];
        let first = |poly: &Poly| poly[0].clone();
        let bodies = self.bodies(part);
        let [(arm_a, a), (arm_b, b)] =
            bodies.each_ref().map(|body| (body.arm.each_ref().map(first), first(&body.square)));
        let way = self.way(part).each_ref().map(first);
        let way = [0, 1, 2].map(|i: usize| &way[i] * &a * &b + ((&arm_b[i] * &a - &arm_a[i] * &b) << 32_u32));
        let all = |vectors: &[[Poly; 3]]| vectors.iter().map(|vector| vector.each_ref().map(first)).collect();
        let placed = |body: &Body| Placed {
            edges: all(&body.edges),
            corners: all(&body.corners),
            square: first(&body.square),
        };
        (bodies.each_ref().map(placed), way)
    }

    /// The separation along a direction at an instant, in 2^-16 of a raw, within one.
    pub fn separation_q16(&self, normal: &[BigInt; 3], toi: Toi) -> BigInt {
        let (bodies, way) = self.at(toi);
        let radii: i64 = self
            .shapes
            .iter()
            .map(|shape| match shape {
                Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => radius.to_bits(),
                _ => 0,
            })
            .sum();
        separation_q16(normal, &bodies, &way) - (big(radii) << 16)
    }

    /// The largest separation of two boxes over the fifteen directions, or of a box from a plane, in
    /// 2^-16 of a raw, within one.
    pub fn largest_separation_q16(&self, toi: Toi) -> BigInt {
        if let Some(normal) = self.shapes.iter().zip([1, -1]).find_map(|(shape, sign)| match shape {
            Shape::Plane(plane) => Some(plane.normal().components().map(|c| big(c * sign))),
            _ => None,
        }) {
            return self.separation_q16(&normal, toi);
        }
        let (bodies, way) = self.at(toi);
        let [a, b] = [&bodies[0].edges, &bodies[1].edges];
        let faces =
            |edges: &Vec<[BigInt; 3]>| [(1, 2), (2, 0), (0, 1)].map(|(i, j)| cross(&edges[i], &edges[j]));
        let crossed = a.iter().flat_map(|p| b.iter().map(move |q| cross(p, q)));
        let axes = faces(a).into_iter().chain(faces(b)).chain(crossed);
        let turned = axes.filter(|axis| axis.iter().any(|part| !part.is_zero())).map(|axis| {
            let ahead = dot(&axis, &way);
            let axis = if ahead.is_negative() { axis.map(|part| -part) } else { axis };
            separation_q16(&axis, &bodies, &way)
        });
        turned.max().expect("axes")
    }

    pub fn relative(&self) -> RelativeMotion {
        use bitstep::geom::AngularMotion;
        let turnings = [0, 1].map(|i: usize| {
            let done = Toi::from_raw(self.done[i]).expect("a part of the tick");
            AngularMotion::new(self.turns[i][0], self.turns[i][1]).expect("a turn").rest(done)
        });
        let until = turnings[0].remaining().min(turnings[1].remaining());
        RelativeMotion { offset: self.offset, motion: self.motion, arms: self.arms, turnings, until }
    }
}

fn separation_q16(normal: &[BigInt; 3], bodies: &[Placed; 2], way: &[BigInt; 3]) -> BigInt {
    let [a, b] = bodies;
    let (a_square, b_square) = (&a.square, &b.square);
    let reach = |body: &Placed, sign: i64| -> BigInt {
        let of_edges: BigInt = body.edges.iter().map(|edge| dot(edge, normal).abs()).sum();
        let of_hull = body.corners.iter().map(|corner| dot(corner, normal) * sign).max();
        of_edges + of_hull.unwrap_or_default()
    };
    let wide = dot(normal, way) - ((reach(a, 1) * b_square + reach(b, -1) * a_square) << 32_u32);
    // Of a normal of some 90 bits the root has enough.
    let length = (dot(normal, normal) << 64_u32).sqrt();
    (wide << 16_u32) / (length * a_square * b_square)
}

fn dot(a: &[BigInt; 3], b: &[BigInt; 3]) -> BigInt {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn cross([ax, ay, az]: &[BigInt; 3], [bx, by, bz]: &[BigInt; 3]) -> [BigInt; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

#[test]
fn the_oracle_sees_what_dips_below_zero_between_the_ends() {
    let poly = |parts: &[i64]| parts.iter().map(|&part| big(part)).collect::<Poly>();
    assert!(is_nowhere_below_zero(&poly(&[1])));
    assert!(!is_nowhere_below_zero(&poly(&[-1, 3])));
    assert!(!is_nowhere_below_zero(&poly(&[1, -2])));
    // (2 u - 1)^2 touches zero; 100 times that less 1 dips below it for a tenth.
    assert!(is_nowhere_below_zero(&poly(&[1, -4, 4])));
    assert!(!is_nowhere_below_zero(&poly(&[99, -400, 400])));
    // (3 u - 1)^2 (u + 1)^3 + 1, and less 2.
    assert!(is_nowhere_below_zero(&poly(&[2, -3, -6, 10, 21, 9])));
    assert!(!is_nowhere_below_zero(&poly(&[0, -3, -6, 10, 21, 9])));
}

//! Contact manifolds against exact fractions: the figures clipped side by side, in sight and in big integers.

use bitstep::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::{ManifoldPoint, manifold_shapes},
    shape::{Obb, Shape},
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::{
    box_oracle::{Big3, add, big3, cross, dot, sub},
    manifold_cases::{Contact, FAMILIES},
    oracle::{Source, big, many_cases},
};

type Flat = [BigRational; 2];

/// A point, a segment or a parallelogram, its corners in order.
struct Figure {
    corners: Vec<Big3>,
    radius: BigInt,
}

/// Of the edges of a box those that are level within the band; at most two, by area in sight.
fn level_edges(edges: &[Big3; 3], normal: &Big3, band: Scalar) -> Vec<usize> {
    let level = |edge: &Big3| dot(edge, normal).abs() * 2 <= big(band.to_bits()) << 30;
    let mut free: Vec<usize> = (0..3).filter(|&i| level(&edges[i])).collect();
    let area = |i: usize| dot(&cross(&edges[(i + 1) % 3], &edges[(i + 2) % 3]), normal).abs();
    if free.len() == 3 {
        let most = (0..3).map(area).max().unwrap();
        free.retain(|&i| area(i) < most);
    } else if let [p, q] = free[..] {
        if area(3 - p - q).is_zero() {
            let height = |i: usize| dot(&edges[i], normal).abs();
            free.retain(|&i| height(i) < height(p + q - i));
        }
    }
    free
}

fn figure(shape: &Shape, place: Vec3, normal: &Big3, band: Scalar) -> Option<Figure> {
    let (edges, radius) = match shape {
        Shape::Sphere { radius } => (vec![], *radius),
        Shape::Capsule(rod) => (vec![big3(rod.half_axis)], rod.radius),
        Shape::Aabb { half } => (Obb::along_axes(*half).half_edges.map(big3).to_vec(), Scalar::ZERO),
        Shape::Obb(obb) => (obb.half_edges.map(big3).to_vec(), Scalar::ZERO),
        _ => return None,
    };
    let free = match &edges[..] {
        [p, q, r] => level_edges(&[p.clone(), q.clone(), r.clone()], normal, band),
        [axis] if dot(axis, normal).abs() * 2 <= big(band.to_bits()) << 30 => vec![0],
        _ => vec![],
    };
    let mut corners = vec![big3(place)];
    for (i, edge) in edges.iter().enumerate().filter(|(i, _)| !free.contains(i)) {
        let _ = i;
        let height = dot(edge, normal).signum();
        corners[0] = add(&corners[0], &edge.clone().map(|c| c * &height));
    }
    for &i in &free {
        let mut far: Vec<Big3> = corners.iter().map(|corner| add(corner, &edges[i])).collect();
        far.reverse();
        corners = corners.iter().map(|corner| sub(corner, &edges[i])).chain(far).collect();
    }
    Some(Figure { corners, radius: big(radius.to_bits()) })
}

/// Two axes across the normal: what is seen along it.
struct Sight {
    normal: Big3,
    axes: [Big3; 2],
    /// The normal's length with 64 fraction bits.
    length_q64: BigInt,
}

impl Sight {
    fn new(normal: Normal) -> Self {
        let parts = normal.components();
        let least = (0..3).min_by_key(|&axis: &usize| parts[axis].abs()).unwrap();
        let mut axis = [0; 3].map(big);
        axis[least] = big(1);
        let normal = parts.map(big);
        let first = cross(&normal, &axis);
        let second = cross(&normal, &first);
        let length_q64 = (dot(&normal, &normal) << 128_u8).sqrt();
        Self { axes: [first, second], normal, length_q64 }
    }

    fn of(&self, point: &Big3) -> Flat {
        [0, 1].map(|i: usize| BigRational::from(dot(point, &self.axes[i])))
    }

    /// How far two points are from each other in sight, in raw, rounded up.
    fn distance(&self, a: &[BigRational; 3], b: &[BigRational; 3]) -> BigInt {
        let mut square = BigRational::zero();
        for axis in &self.axes {
            let part: BigRational =
                (0..3).map(|i: usize| (&a[i] - &b[i]) * BigRational::from(axis[i].clone())).sum();
            square += &part * &part / BigRational::from(dot(axis, axis));
        }
        square.ceil().to_integer().sqrt() + 1
    }
}

fn turn(a: &Flat, b: &Flat, c: &Flat) -> BigRational {
    (&b[0] - &a[0]) * (&c[1] - &a[1]) - (&b[1] - &a[1]) * (&c[0] - &a[0])
}

/// What of a convex figure is in a face, side by side of the face.
fn clipped(mut figure: Vec<Flat>, face: &[Flat]) -> Vec<Flat> {
    let sense = turn(&face[0], &face[1], &face[2]).signum();
    for side in 0..4 {
        let (from, to) = (&face[side], &face[(side + 1) % 4]);
        let depth = |point: &Flat| turn(from, to, point) * &sense;
        let mut kept: Vec<Flat> = Vec::new();
        for (index, point) in figure.iter().enumerate() {
            let next = &figure[(index + 1) % figure.len()];
            let (here, there) = (depth(point), depth(next));
            if !here.is_negative() {
                kept.push(point.clone());
            }
            if (here.is_negative() && there.is_positive()) || (here.is_positive() && there.is_negative()) {
                let share = &here / (&here - &there);
                kept.push([0, 1].map(|i: usize| &point[i] + (&next[i] - &point[i]) * &share));
            }
        }
        figure = kept;
    }
    let mut distinct: Vec<Flat> = Vec::new();
    for point in figure {
        if !distinct.contains(&point) {
            distinct.push(point);
        }
    }
    distinct
}

/// The point of a figure that is seen at `place`; `None` on a segment seen from its end.
fn lifted(figure: &Figure, sight: &Sight, place: &Flat) -> Option<[BigRational; 3]> {
    let seen: Vec<Flat> = figure.corners.iter().map(|corner| sight.of(corner)).collect();
    let from = |i: usize, shares: [BigRational; 2]| {
        let along = |to: usize| sub(&figure.corners[to], &figure.corners[0]);
        let (p, q) = (along(1 % figure.corners.len()), along(i));
        [0, 1, 2].map(|axis: usize| {
            BigRational::from(figure.corners[0][axis].clone())
                + &shares[0] * BigRational::from(p[axis].clone())
                + &shares[1] * BigRational::from(q[axis].clone())
        })
    };
    let zero = BigRational::zero();
    match seen.len() {
        1 => Some(from(0, [zero.clone(), zero])),
        2 => {
            let way = [0, 1].map(|i: usize| &seen[1][i] - &seen[0][i]);
            let axis = (0..2).find(|&i| !way[i].is_zero())?;
            let share = (&place[axis] - &seen[0][axis]) / &way[axis];
            Some(from(0, [share, zero]))
        }
        _ => {
            let area = turn(&seen[0], &seen[1], &seen[3]);
            let (s, t) = (turn(&seen[0], place, &seen[3]) / &area, turn(&seen[0], &seen[1], place) / &area);
            Some(from(3, [s, t]))
        }
    }
}

/// An exact point, with 32 fraction bits: twice the place, rounded down, and the gap, rounded down.
struct Exact {
    twice_q32: Big3,
    gap_q32: BigInt,
}

fn exact(sight: &Sight, a: &[BigRational; 3], b: &[BigRational; 3], radii: [&BigInt; 2]) -> Exact {
    let q32 = |value: BigRational| (value * BigRational::from(big(1) << 32_u8)).floor().to_integer();
    let over = |value: BigInt| (value << 96_u8).div_floor(&sight.length_q64);
    let height: BigRational =
        (0..3).map(|i: usize| (&b[i] - &a[i]) * BigRational::from(sight.normal[i].clone())).sum();
    let height_q64 = (height * BigRational::from(big(1) << 64_u8)).floor().to_integer();
    let gap_q32 = ((height_q64 << 32_u8).div_floor(&sight.length_q64)) - ((radii[0] + radii[1]) << 32_u8);
    let twice_q32 =
        [0, 1, 2].map(|i: usize| q32(&a[i] + &b[i]) + over(&sight.normal[i] * (radii[0] - radii[1])));
    Exact { twice_q32, gap_q32 }
}

/// The corners of what two figures have in common, if one is a face or both are segments that cross.
fn in_common(sight: &Sight, a: &Figure, b: &Figure) -> Option<Vec<Flat>> {
    let seen =
        |figure: &Figure| -> Vec<Flat> { figure.corners.iter().map(|corner| sight.of(corner)).collect() };
    let (p, q) = (seen(a), seen(b));
    match (p.len(), q.len()) {
        (_, 4) => Some(clipped(p, &q)),
        (4, _) => Some(clipped(q, &p)),
        (2, 2) => {
            let way = |s: &[Flat]| [0, 1].map(|i: usize| &s[1][i] - &s[0][i]);
            let (u, v) = (way(&p), way(&q));
            let area = &u[0] * &v[1] - &u[1] * &v[0];
            if area.is_zero() {
                return None;
            }
            let d = [0, 1].map(|i: usize| &q[0][i] - &p[0][i]);
            let (s, t) = ((&d[0] * &v[1] - &d[1] * &v[0]) / &area, (&d[0] * &u[1] - &d[1] * &u[0]) / &area);
            let within = |share: &BigRational| !share.is_negative() && share <= &BigRational::from(big(1));
            let meets = within(&s) && within(&t);
            Some(if meets { vec![[0, 1].map(|i: usize| &p[0][i] + &s * &u[i])] } else { vec![] })
        }
        (1, 1) => Some(vec![]),
        _ => None,
    }
}

/// How far off a point is: the worst of its place, twice, and its gap, in 2^-32 raw; `None` if more than `most`
/// raw.
fn off(point: &ManifoldPoint, exact: &Exact, most: i64) -> Option<[i64; 2]> {
    let aside = (0..3)
        .map(|i: usize| ((big(point.place_twice.raw()[i]) << 32_u8) - &exact.twice_q32[i]).abs())
        .max()
        .unwrap();
    let below = &exact.gap_q32 - (big(point.gap.to_bits()) << 32_u8);
    let limit = big(most) << 32_u8;
    (aside <= limit && below.abs() <= limit).then(|| [aside.to_i64().unwrap(), below.to_i64().unwrap()])
}

/// What a run over many contacts met.
#[derive(Default, Debug)]
struct Tally {
    /// By number of points.
    counts: [u32; 9],
    met: u32,
    apart: u32,
    /// In 2^-32 raw.
    worst_twice: i64,
    worst_gap: i64,
    worst_apart: i64,
}

/// Each point is one of the exact ones, and each of these that is within the band is there.
fn judge(contact: &Contact, tally: &mut Tally) {
    let Contact { a, b, offset, normal, band } = contact;
    let found = manifold_shapes(a, b, *offset, *normal, *band);
    tally.counts[found.points().len()] += 1;
    let sight = Sight::new(*normal);
    let back = sight.normal.clone().map(|c| -c);
    let figures = (figure(a, Vec3::ZERO, &sight.normal, *band), figure(b, *offset, &back, *band));
    let (Some(p), Some(q)) = figures else { return judge_plane(contact, &sight) };
    assert!(!found.points().is_empty(), "{contact:?}");
    let Some(common) = in_common(&sight, &p, &q) else { return judge_apart(contact, &sight, &p, &q, tally) };
    let radii = [&p.radius, &q.radius];
    let lift =
        |place: &Flat| Some(exact(&sight, &lifted(&p, &sight, place)?, &lifted(&q, &sight, place)?, radii));
    let Some(exacts) = common.iter().map(lift).collect::<Option<Vec<_>>>() else { return };
    // Segments along each other have two points, and one if these are at one place.
    let are_segments = p.corners.len() == 2 && q.corners.len() == 2;
    let cross = |point: &ManifoldPoint| {
        exacts
            .iter()
            .filter_map(|exact| off(point, exact, 2))
            .any(|[aside, below]| aside <= 3 << 30 && below >= 0)
    };
    let is_one = || !cross(&found.points()[0]) && ends_meet(&sight, &p, &q);
    let are_along = are_segments && (found.points().len() > 1 || is_one());
    if exacts.is_empty() || are_along {
        return judge_apart(contact, &sight, &p, &q, tally);
    }
    tally.met += 1;
    for point in found.points() {
        let near = exacts.iter().filter_map(|exact| off(point, exact, 2)).filter(|off| off[1] >= 0).min();
        let Some([aside, below]) = near else {
            let near: Vec<_> = exacts.iter().map(|exact| off(point, exact, 1 << 29)).collect();
            panic!("{near:?} {contact:?}\n{point:?}")
        };
        tally.worst_twice = tally.worst_twice.max(aside);
        tally.worst_gap = tally.worst_gap.max(below);
    }
    let least = exacts.iter().map(|exact| &exact.gap_q32).min().unwrap();
    let most = least + (big(band.to_bits()) << 32_u8) - (big(2) << 32_u8);
    for exact in exacts.iter().filter(|exact| exact.gap_q32 <= most) {
        // Of two at one place the lesser gap is there.
        let there = |point: &ManifoldPoint| {
            (0..3).all(|i: usize| {
                ((big(point.place_twice.raw()[i]) << 32_u8) - &exact.twice_q32[i]).abs() <= big(1) << 32_u8
            }) && (big(point.gap.to_bits()) << 32_u8) <= exact.gap_q32
        };
        assert!(
            found.points().iter().any(there),
            "{contact:?}\n{} {:?} not in {found:?}",
            exact.gap_q32,
            exact.twice_q32
        );
    }
}

/// True if an end of one segment is an end of the other one, in sight and within what is rounded there.
fn ends_meet(sight: &Sight, p: &Figure, q: &Figure) -> bool {
    let place = |corner: &Big3| corner.clone().map(BigRational::from);
    let meets = |a: &Big3| q.corners.iter().any(|b| sight.distance(&place(a), &place(b)) <= big(4));
    p.corners.iter().any(meets)
}

/// Every point lies between a corner of one and the nearest point of the other, and none is nearer by more than
/// the band.
fn judge_apart(contact: &Contact, sight: &Sight, p: &Figure, q: &Figure, tally: &mut Tally) {
    let found = manifold_shapes(&contact.a, &contact.b, contact.offset, contact.normal, contact.band);
    tally.apart += 1;
    let mut pairs = Vec::new();
    for (one, other, forth) in [(p, q, true), (q, p, false)] {
        for corner in &one.corners {
            let from = corner.clone().map(BigRational::from);
            for side in 0..other.corners.len() {
                let ends = [side, (side + 1) % other.corners.len()].map(|i| other.corners[i].clone());
                let foot = foot(sight, &from, &ends);
                let distance = sight.distance(&from, &foot);
                let [start, end] = ends.clone().map(|end| end.map(BigRational::from));
                let length = sight.distance(&start, &end);
                let height = dot(&sub(&ends[0], &ends[1]), &sight.normal).abs() >> 30_u8;
                let room = (big(4) + &distance * 4 / &length) * (big(1) + height / length);
                let (a, b) = if forth { (from.clone(), foot) } else { (foot, from.clone()) };
                pairs.push((distance, exact(sight, &a, &b, [&p.radius, &q.radius]), room));
            }
        }
    }
    let least = pairs.iter().map(|pair| &pair.0).min().unwrap();
    let most = least + big(contact.band.to_bits()) + 8;
    for point in found.points() {
        let near = pairs.iter().filter(|pair| pair.0 <= &most + &pair.2);
        let off = near.filter_map(|pair| Some((off(point, &pair.1, 1 << 30)?, &pair.2)));
        let worst: Option<BigInt> =
            off.map(|([aside, below], room)| big(aside.max(below.abs())) / room).min();
        let Some(worst) = worst else { panic!("{contact:?}\n{point:?} of {found:?}") };
        assert!(worst <= big(1) << 32_u8, "{} raw: {contact:?}\n{point:?}", worst >> 32_u8);
        tally.worst_apart = tally.worst_apart.max(worst.to_i64().unwrap());
    }
}

/// The point of a side that is seen nearest to a point.
fn foot(sight: &Sight, from: &[BigRational; 3], ends: &[Big3; 2]) -> [BigRational; 3] {
    let way = sub(&ends[1], &ends[0]);
    let (mut along, mut square) = (BigRational::zero(), BigRational::zero());
    for axis in &sight.axes {
        let weight = BigRational::from(dot(axis, axis));
        let part = BigRational::from(dot(&way, axis));
        let to: BigRational = (0..3)
            .map(|i: usize| {
                (&from[i] - BigRational::from(ends[0][i].clone())) * BigRational::from(axis[i].clone())
            })
            .sum();
        along += &part * to / &weight;
        square += &part * &part / weight;
    }
    let one = BigRational::from(big(1));
    let share = if square.is_zero() {
        one / BigRational::from(big(2))
    } else {
        (along / square).max(BigRational::zero()).min(one)
    };
    [0, 1, 2]
        .map(|i: usize| BigRational::from(ends[0][i].clone()) + &share * BigRational::from(way[i].clone()))
}

/// Before a plane: the corners, and the height over the plane itself.
fn judge_plane(contact: &Contact, sight: &Sight) {
    let Contact { a, b, offset, normal, band } = contact;
    let found = manifold_shapes(a, b, *offset, *normal, *band);
    let (plane, shape, place, toward) = match (a, b) {
        (Shape::Plane(plane), shape) => (*plane, shape, *offset, -1),
        (shape, Shape::Plane(plane)) => (plane.moved(*offset), shape, Vec3::ZERO, 1),
        _ => unreachable!(),
    };
    let way = sight.normal.clone().map(|c| c * toward);
    let figure = figure(shape, place, &way, *band).unwrap();
    let (own, point) = (plane.normal().components().map(big), big3(plane.point()));
    let length_q64 = (dot(&own, &own) << 128_u8).sqrt();
    let exacts: Vec<Exact> = figure
        .corners
        .iter()
        .map(|corner| {
            let height_q32 = (dot(&sub(corner, &point), &own) << 96_u8).div_floor(&length_q64);
            let half = &height_q32 + (&figure.radius << 32_u8);
            let twice_q32 = [0, 1, 2].map(|i: usize| {
                (&corner[i] << 33_u8) + ((&way[i] * &half) << 64_u8).div_floor(&sight.length_q64)
            });
            Exact { twice_q32, gap_q32: height_q32 - (&figure.radius << 32_u8) }
        })
        .collect();
    let least = exacts.iter().map(|exact| &exact.gap_q32).min().unwrap();
    let most = least + (big(band.to_bits()) << 32_u8);
    let there = exacts.iter().filter(|exact| exact.gap_q32 <= &most - (big(2) << 32_u8));
    assert!(found.points().len() >= there.count().max(1), "{contact:?}\n{found:?}");
    for point in found.points() {
        let near = exacts.iter().filter_map(|exact| off(point, exact, 2)).min();
        let fits = near
            .is_some_and(|[aside, below]| aside <= 3 << 30 && (0..=(1 << 32) + (1 << 22)).contains(&below));
        assert!(fits, "{near:?} {contact:?}\n{point:?} of {found:?}");
    }
}

#[test]
fn manifolds_are_those_of_the_exact_figures() {
    let (mut source, mut total) = (Source::new(61), Tally::default());
    for case in 0..many_cases(6_000) {
        judge(&source.contact(case), &mut total);
    }
    println!("{total:?}");
    let Tally { counts, met, apart, worst_twice, worst_gap, .. } = total;
    assert!(worst_twice <= 3 << 30 && worst_gap <= (5 << 30) + (1 << 22), "{total:?}");
    assert!(
        met as u64 > many_cases(2_000) && apart as u64 > many_cases(1_000) && FAMILIES == 12,
        "{total:?}"
    );
    assert!(counts[0] == 0 && counts[1..].iter().all(|&count| count as u64 > many_cases(10)), "{counts:?}");
}

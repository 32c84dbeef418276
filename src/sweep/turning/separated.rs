//! Early out by a separating axis: a test whether the solids are farther apart along one of a few directions
//! than they can move in the tick.
//!
//! Bodies that rest side by side, or rotate slowly near each other, are apart along an axis of one of both by
//! much more than they move. The test takes 30 bits and needs no root and no derivative. The search looks at
//! everything that it does not settle. Like all other directions these are only candidates: the proof along
//! each is certain.

use super::{RelativeMotion, bounds::normal_of_plane, solid::center};
use crate::{
    geom::{AngularMotion, IVec3, Normal, Rotation, Vec3},
    num::{
        Scalar,
        bound::{Bound, Width},
        round::{div_nearest, shr_nearest_64},
    },
    shape::{Capsule, Obb, Shape},
};

/// The bits that lengths of solids keep.
const SHORT_BITS: u32 = 30;
/// A number of short lengths that is more than the sum of all rounding: each of six edges and two arms by less than 2 in
/// itself, and all together by 2^-26 of their lengths, as no quaternion deviates from its length by more.
const SLACK: i64 = 64;
/// Upper bound of an axis' length: 2^30 and 2^-26 of it, and the rounding of its components.
const AXIS_LENGTH: i64 = (1 << SHORT_BITS) + 32;

/// The reach of both solids and the chords of both turns, each of which is below 23/16 of the arm that turns.
pub(in crate::sweep) const WIDTH: Width = {
    let (size, slack) = (Bound::power(SHORT_BITS), Bound::number(2 * SLACK as u64));
    let moved = size.times(Bound::number(23)).shifted_back(4);
    Width {
        number: "reach and chord of two solids along a normal, in short lengths",
        bound: Normal::BOUND.length().times(size.plus(moved).plus(slack)),
        held_in: 64,
    }
};
const _: () = WIDTH.check();

/// The span of a solid at the start of its motion.
enum Span<'a> {
    /// Half edges, in short lengths.
    Edges([IVec3<i64>; 3]),
    /// Corners in the body's own frame, in raw; the rows of the rotation matrix with [`SHORT_BITS`]; the shift of lengths.
    Hull(&'a [Vec3], [IVec3<i64>; 3], u32),
}

impl Span<'_> {
    /// The extent along a normal, or against it for a side of -1, times its length.
    #[inline(always)]
    fn extent(&self, normal: Normal, side: i64) -> i64 {
        let normal = IVec3::from(normal);
        match *self {
            Span::Edges(ref edges) => edges.iter().map(|&edge| normal.dot_64(edge).abs()).sum(),
            Span::Hull(corners, rows, shift) => {
                extent_of_hull(normal.map(|part| side * part), (corners, rows, shift))
            }
        }
    }
}

/// The extent of a hull along a normal, times its length. The normal is turned into its frame, not each corner; the error is less than that of three
/// edges.
fn extent_of_hull(normal: IVec3<i64>, (corners, rows, shift): (&[Vec3], [IVec3<i64>; 3], u32)) -> i64 {
    let column = |axis: usize| IVec3(rows.map(|row| row[axis]));
    let own = IVec3::from_fn(|axis| shr_nearest_64(normal.dot_64(column(axis)), SHORT_BITS));
    let short = |corner: &Vec3| IVec3::from(*corner).map(|part| shr_short(part, shift));
    corners.iter().map(|corner| own.dot_64(short(corner))).max().unwrap_or_default()
}

/// A solid at the start of its motion, in short lengths.
struct Sketch<'a> {
    /// Its own axes, where they are directions to try.
    axes: Option<[Normal; 3]>,
    span: Span<'a>,
    /// The vector from its body's origin to its center.
    arm: IVec3<i64>,
    /// Largest displacement of one of its points by rotation.
    swing: i64,
}

/// A direction from A to B along which the gap surely stays for as long as both rotate, if one of the
/// candidates is.
pub(super) fn separated_throughout(
    shapes: [&Shape; 2],
    relative: &RelativeMotion,
    gap: Scalar,
    bounds: [Scalar; 2],
) -> Option<Normal> {
    let size = (bounds[0] + bounds[1]).to_bits().unsigned_abs();
    let shift = (u64::BITS - size.leading_zeros()).saturating_sub(SHORT_BITS);
    let [a, b] = [0, 1].map(|body: usize| {
        let bound = (bounds[body].to_bits() >> shift) + 1;
        let sketch = Sketch::new(shapes[body], &relative.turnings[body], bound, shift);
        sketch.on_arm(relative.arms[body], (&relative.turnings[body], shapes[body]), bound, shift)
    });
    let way = relative.offset + center(shapes[1]) - center(shapes[0]);
    let reach = i128::from((gap + radius(shapes[0]) + radius(shapes[1])).to_bits());
    let moved = a.swing + b.swing + SLACK;
    let holds = |normal: Normal, length: i64| {
        let place = normal.dot_wide(way) + normal.dot_wide(relative.motion).min(0);
        let arms = b.along(normal) - a.along(normal);
        let taken = a.extent(normal, 1) + b.extent(normal, -1) + length * moved;
        place >= (i128::from(taken - arms) << shift) + i128::from(length) * reach
    };
    let between = way + (b.arm() - a.arm()).map_raw(|part| part << shift);
    let toward = |normal: Normal| if normal.dot_wide(between) < 0 { -normal } else { normal };
    if let Some(normal) = normal_of_plane(shapes).map(Normal::lengthened) {
        return holds(normal, normal.length_up() as i64).then_some(normal);
    }
    let axes = [a.axes, b.axes].into_iter().flatten().flatten();
    let across = axes.map(toward).find(|normal| holds(*normal, AXIS_LENGTH));
    if across.is_some() || (a.axes.is_some() && b.axes.is_some()) {
        return across;
    }
    // The normal of two rods, or the direction from the point of one nearest to the other's center to the
    // point of the other nearest to that.
    let short = IVec3::from(between).map(|part| shr_short(part, shift));
    if short.bits() > SHORT_BITS + 1 {
        return None;
    }
    // Spans of edges are their own mirror images: the way to a mirrored point is the same but for its sign.
    let (from_a, from_b) = (b.way_to(a.way_to(short)), a.way_to(b.way_to(short)));
    let crossed = a.rod().zip(b.rod()).map(|(a, b)| a.cross(b));
    let ways = [crossed, Some(from_a.wide()), Some(from_b.wide())].into_iter().flatten();
    let mut normals =
        ways.filter_map(|way| Normal::from_wide(way.0)).map(|normal| toward(normal.lengthened()));
    normals.find(|normal| holds(*normal, normal.length_up() as i64))
}

impl<'a> Sketch<'a> {
    /// A sketch from the bound and the shift of lengths.
    fn new(shape: &'a Shape, turning: &AngularMotion, bound: i64, shift: u32) -> Self {
        let short = |length: Vec3| IVec3::from(length).map(|part| shr_short(part, shift));
        let none = Self { axes: None, span: Span::Edges([IVec3::ZERO; 3]), arm: IVec3::ZERO, swing: 0 };
        match shape {
            Shape::Sphere { .. } | Shape::Plane(_) | Shape::Mesh(_) | Shape::Facet(_) => none,
            Shape::Triangle(triangle) => {
                let still = AngularMotion::still(Rotation::IDENTITY).matrix_q30();
                Self { span: Span::Hull(triangle.corners(), still, shift), ..none }
            }
            Shape::Aabb { half } => {
                let IVec3([x, y, z]) = short(*half);
                let edges = [[x, 0, 0], [0, y, 0], [0, 0, z]].map(IVec3);
                Self {
                    axes: Some([Normal::X, Normal::Y, Normal::Z].map(Normal::lengthened)),
                    span: Span::Edges(edges),
                    ..none
                }
            }
            Shape::Obb(Obb { half_edges }) => {
                let rows = turning.matrix_q30();
                let axes = [0, 1, 2].map(|axis: usize| {
                    let [x, y, z] = rows.map(|row| row[axis].clamp(-(1 << 30), 1 << 30) as i32);
                    Normal::new(x, y, z)
                });
                let edges = half_edges.map(|edge| turned(rows, short(edge)));
                Self { axes: Some(axes), span: Span::Edges(edges), swing: swing(turning, bound), ..none }
            }
            Shape::Capsule(Capsule { half_axis, radius }) => {
                let edge = turned(turning.matrix_q30(), short(*half_axis));
                let arm = bound - (radius.to_bits() >> shift);
                Self {
                    span: Span::Edges([edge, IVec3::ZERO, IVec3::ZERO]),
                    swing: swing(turning, arm),
                    ..none
                }
            }
            Shape::Hull(form) => {
                let span = Span::Hull(form.corners(), turning.matrix_q30(), shift);
                Self { span, swing: swing(turning, bound), ..none }
            }
        }
    }

    /// The sketch at the end of an arm, given its rotation; the bound counts the arm.
    fn on_arm(self, arm: Vec3, (turning, shape): (&AngularMotion, &Shape), bound: i64, shift: u32) -> Self {
        if arm == Vec3::ZERO {
            return self;
        }
        let place = turned(turning.matrix_q30(), IVec3::from(arm).map(|part| shr_short(part, shift)));
        let lever = bound - (radius(shape).to_bits() >> shift);
        Self { arm: place, swing: swing(turning, lever), ..self }
    }

    fn arm(&self) -> Vec3 {
        self.arm.into()
    }

    /// The component of the arm along a normal, times its length.
    fn along(&self, normal: Normal) -> i64 {
        IVec3::from(normal).dot_64(self.arm)
    }

    /// The extent along a normal, or against it for a side of -1, times its length.
    #[inline(always)]
    fn extent(&self, normal: Normal, side: i64) -> i64 {
        self.span.extent(normal, side)
    }

    /// Its half edges, unless it is a hull.
    const fn edges(&self) -> Option<[IVec3<i64>; 3]> {
        match self.span {
            Span::Edges(edges) => Some(edges),
            Span::Hull(..) => None,
        }
    }

    /// Its edge, if it has one.
    fn rod(&self) -> Option<IVec3<i64>> {
        let [edge, other, _] = self.edges()?;
        (edge != IVec3::ZERO && other == IVec3::ZERO).then_some(edge)
    }

    /// The vector from its nearest point, or one close to that, to a point given relative to its center.
    fn way_to(&self, point: IVec3<i64>) -> IVec3<i64> {
        let edges = self.edges().unwrap_or_default();
        edges.iter().fold(point, |way, &edge| {
            let (square, along) = (edge.dot_64(edge), edge.dot_64(point));
            if square == 0 {
                return way;
            }
            let most = i128::from(along.clamp(-square, square));
            way - edge.map(|part| div_nearest(most * i128::from(part), square.into()) as i64)
        })
    }
}

fn radius(shape: &Shape) -> Scalar {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => *radius,
        _ => Scalar::ZERO,
    }
}

/// A length in short units, to nearest.
const fn shr_short(part: i64, shift: u32) -> i64 {
    if shift == 0 { part } else { shr_nearest_64(part, shift) }
}

fn turned(rows: [IVec3<i64>; 3], edge: IVec3<i64>) -> IVec3<i64> {
    IVec3(rows.map(|row| shr_nearest_64(row.dot_64(edge), SHORT_BITS)))
}

/// Largest displacement of a point by a rotation about a point at a distance that is a bound, rounded up.
pub(super) fn swing_ceil(turning: &AngularMotion, bound: Scalar) -> Scalar {
    let bound = bound.to_bits();
    let shift = (i64::BITS - bound.leading_zeros()).saturating_sub(SHORT_BITS);
    Scalar::from_bits(swing(turning, (bound >> shift) + 1) << shift)
}

/// Largest displacement of the end of an arm, rounded up: the chord of the whole rotation.
fn swing(turning: &AngularMotion, arm: i64) -> i64 {
    let axis = turning.axis_q60();
    if axis == IVec3::ZERO {
        return 0;
    }
    // The sine of half the angle. The sum of all rounding, here and in the lengths of the quaternions, is
    // below 40.
    let sine: u64 = axis.0.map(|part| shr_nearest_64(part, 30).unsigned_abs().pow(2)).iter().sum();
    let chord = 2 * sine.isqrt() as i64 + 64;
    ((arm * chord) >> SHORT_BITS) + 1
}

#[cfg(test)]
mod tests;

//! The answers: the library's integers, as text.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{closest_point_shape, distance_point_shape_ceil, distance_shapes_ceil, overlap_shapes},
    shape::Shape,
    sweep::{
        Advance, Hit, RelativeMotion, Span, span_shapes, sweep_shapes, sweep_sphere_plane_two_sided,
        sweep_turning_with,
    },
};
use serde::Serialize;

use super::{
    read::{Ask, Question, Solid},
    refusal::Refusal,
};

/// The farthest apart, along an axis, that a point and a shape may be for the closest point.
const CLOSEST_MAX: Scalar = lit("131072");

/// An answer: decimals and raw integers as strings, so that no reader rounds them.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Sweep(Contact),
    Overlap { overlap: bool },
    Closest(Closest),
    AngularMotion(Turned),
}

/// First and last contact of straight motions.
#[derive(Serialize)]
pub struct Contact {
    hit: bool,
    /// True if the shapes overlap at the start.
    overlap: bool,
    #[serde(flatten)]
    first: Option<First>,
}

/// The first instant of contact, and the last one where it is known.
#[derive(Serialize)]
struct First {
    u: String,
    u_raw: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_raw: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[i32; 3]>,
    a: [String; 3],
    a_raw: [String; 3],
    b: [String; 3],
    b_raw: [String; 3],
}

/// The point of B nearest to A.
#[derive(Serialize)]
pub struct Closest {
    distance: String,
    distance_raw: String,
    point: [String; 3],
    point_raw: [String; 3],
}

/// First contact of rotating shapes.
#[derive(Serialize)]
pub struct Turned {
    /// `None` where the search ended without an answer.
    hit: Option<bool>,
    overlap: bool,
    /// No contact is possible before: each part of that time has a proof.
    clear_until: String,
    clear_until_raw: String,
    /// Left out for a mesh, of whose sweep the library tells none.
    #[serde(skip_serializing_if = "Option::is_none")]
    proofs: Option<usize>,
    #[serde(flatten)]
    first: Option<First>,
}

/// Answers a question.
pub fn answer(question: &Question) -> Result<Answer, Refusal> {
    let Question { ask, a, b, .. } = question;
    Ok(match ask {
        Ask::Sweep => Answer::Sweep(contact(question, &swept(question)?)),
        Ask::Overlap => {
            let overlap = pairs(question).any(|pair| overlaps([pair.a, pair.b], pair.offset));
            Answer::Overlap { overlap }
        }
        Ask::Closest => Answer::Closest(closest(a, b)?),
        Ask::AngularMotion => Answer::AngularMotion(turned(question)),
    })
}

/// Two shapes, or one and a facet of the other, which is a mesh.
struct Pair<'q> {
    a: &'q Shape,
    b: &'q Shape,
    /// B's origin from A's at the start.
    offset: Vec3,
}

/// The pairs of the parts of both solids: one, or one for each facet of a mesh.
fn pairs(question: &Question) -> impl Iterator<Item = Pair<'_>> {
    let Question { a, b, .. } = question;
    let offset = b.position - a.position;
    a.parts.iter().flat_map(move |(p, from_a)| {
        b.parts.iter().map(move |(q, from_b)| Pair { a: p, b: q, offset: offset + *from_b - *from_a })
    })
}

/// The results of a sweep.
struct Swept {
    overlap: bool,
    /// The first contact and, where they approach, its normal.
    first: Option<(Toi, Option<Normal>)>,
    last: Option<Toi>,
}

impl Swept {
    /// The results with those of another facet: the earlier contact, of two at one instant the one with an approach.
    fn and(self, other: Self) -> Self {
        let both = [self.first, other.first].into_iter().flatten();
        let first = both.min_by_key(|(toi, normal)| (*toi, normal.is_none()));
        Self { overlap: self.overlap || other.overlap, first, last: self.last.max(other.last) }
    }
}

fn swept(question: &Question) -> Result<Swept, Refusal> {
    let Question { a, b, gap, .. } = question;
    for (name, sheet, other) in [("a", a, b), ("b", b, a)] {
        if sheet.two_sided && !matches!(other.shape, Shape::Sphere { .. }) {
            return Err(Refusal::value(&format!("{name}.shape.two_sided"), true, "asked of a sphere only"));
        }
    }
    let (offset, motion) = (b.position - a.position, b.motion - a.motion);
    Ok(match (&a.shape, &b.shape) {
        (Shape::Sphere { radius }, Shape::Plane(sheet)) if b.two_sided => {
            against_sheet(offset, motion, *radius, sheet, *gap)
        }
        (Shape::Plane(sheet), Shape::Sphere { radius }) if a.two_sided => {
            let found = against_sheet(-offset, -motion, *radius, sheet, *gap);
            Swept { first: found.first.map(|(toi, normal)| (toi, normal.map(|normal| -normal))), ..found }
        }
        _ => pairs(question)
            .map(|pair| swept_pair(&pair, motion, *gap))
            .reduce(Swept::and)
            .expect("a shape has a part"),
    })
}

fn swept_pair(pair: &Pair<'_>, motion: Vec3, gap: Scalar) -> Swept {
    let Pair { a, b, offset } = *pair;
    let hit = sweep_shapes(a, b, offset, motion, gap);
    let span = span_shapes(a, b, offset, motion, gap);
    let relative = LinearMotion { offset, motion };
    relative.swept(overlaps([a, b], offset), hit, span, |offset| is_within([a, b], offset, gap))
}

/// A sphere against a plane with a front on either side: a sphere is in contact if it is with the half-spaces
/// on both of its sides.
fn against_sheet(offset: Vec3, motion: Vec3, radius: Scalar, sheet: &Plane, gap: Scalar) -> Swept {
    let back = Plane::from_point_normal(sheet.point(), -sheet.normal()).expect("the opposite of a normal");
    let (ball, sides) = (Shape::sphere(radius), [*sheet, back].map(Shape::Plane));
    let spans = sides.each_ref().map(|side| span_shapes(&ball, side, offset, motion, gap));
    let span = match spans {
        [Some(p), Some(q)] => Some(Span { first: p.first.max(q.first), last: p.last.min(q.last) }),
        _ => None,
    };
    let span = span.filter(|span| span.first <= span.last);
    let overlap = sides.iter().all(|side| overlaps([&ball, side], offset));
    let hit = sweep_sphere_plane_two_sided(offset, motion, radius, sheet, gap);
    let relative = LinearMotion { offset, motion };
    relative
        .swept(overlap, hit, span, |offset| sides.iter().all(|side| is_within([&ball, side], offset, gap)))
}

/// The motion of B relative to A.
struct LinearMotion {
    offset: Vec3,
    motion: Vec3,
}

impl LinearMotion {
    /// Combines the results of the kernels. A start in contact is contact at once, and a touch without
    /// approach, which no sweep reports, is contact as well. The last instant is that of the span, or the end
    /// where they are in contact then, or found by bisection: convex shapes are in contact for one stretch of
    /// time.
    fn swept(
        &self,
        overlap: bool,
        hit: Option<Hit>,
        span: Option<Span>,
        touches: impl Fn(Vec3) -> bool,
    ) -> Swept {
        let at = |toi: Toi| self.offset + self.motion.map_raw(|raw| toi.of_nearest(raw));
        let approaches = |hit: &Hit| hit.normal.dot_wide(self.motion) < 0;
        let first = match hit {
            _ if touches(self.offset) => {
                let normal = hit.filter(|hit| hit.toi == Toi::START && approaches(hit));
                Some((Toi::START, normal.map(|hit| hit.normal)))
            }
            Some(hit) => Some((hit.toi, approaches(&hit).then_some(hit.normal))),
            None => span.map(|span| (span.first, None)),
        };
        let last = first.map(|(first, _)| match span {
            _ if touches(at(Toi::END)) => Toi::END,
            Some(span) => span.last.max(first),
            None => last_of(first, |toi| touches(at(toi))),
        });
        Swept { overlap, first, last }
    }
}

/// The last instant of contact, where it ends before the tick does; the first where no later place, rounded,
/// is in contact.
fn last_of(first: Toi, touches: impl Fn(Toi) -> bool) -> Toi {
    let (mut last, mut after) = (first, Toi::END);
    while after.raw() - last.raw() > 1 {
        let middle = Toi::from_raw(last.raw().midpoint(after.raw())).expect("within the tick");
        if touches(middle) { last = middle } else { after = middle }
    }
    last
}

/// True if two shapes overlap; for a point, which has no inside, true if it is in the other or on its
/// surface.
fn overlaps([p, q]: [&Shape; 2], offset: Vec3) -> bool {
    let is_point = |shape: &Shape| *shape == Shape::sphere(Scalar::ZERO);
    if is_point(p) || is_point(q) {
        return is_within([p, q], offset, Scalar::ZERO);
    }
    overlap_shapes(p, q, offset)
}

/// True if two shapes are no farther apart than a gap.
fn is_within([p, q]: [&Shape; 2], offset: Vec3, gap: Scalar) -> bool {
    distance_shapes_ceil(p, q, offset).is_some_and(|distance| distance <= gap)
}

fn contact(question: &Question, found: &Swept) -> Contact {
    let Swept { overlap, first, last } = *found;
    let first = first.map(|(toi, normal)| First::at(question, toi, last, normal));
    Contact { hit: first.is_some(), overlap, first }
}

impl First {
    fn at(question: &Question, toi: Toi, last: Option<Toi>, normal: Option<Normal>) -> Self {
        let place =
            |solid: &Solid| solid.position - solid.center + solid.motion.map_raw(|raw| toi.of_nearest(raw));
        let (a, b) = (place(&question.a), place(&question.b));
        Self {
            u: toi.to_string(),
            u_raw: toi.raw().to_string(),
            last: last.map(|toi| toi.to_string()),
            last_raw: last.map(|toi| toi.raw().to_string()),
            normal: normal.map(Normal::components),
            a: decimals(a),
            a_raw: raws(a),
            b: decimals(b),
            b_raw: raws(b),
        }
    }
}

fn closest(a: &Solid, b: &Solid) -> Result<Closest, Refusal> {
    if !matches!(a.shape, Shape::Sphere { .. }) {
        let limit = "a sphere, whose center is the point; its radius may be 0";
        return Err(Refusal::value("a.shape", a.shape.name(), limit));
    }
    let within = |(_, place): &&(Shape, Vec3)| (a.position - b.position - *place).within(CLOSEST_MAX);
    if !b.parts.iter().all(|part| within(&part)) {
        let limit = format!("at most {CLOSEST_MAX} from b along each axis");
        return Err(Refusal::value("a.position", a.position, limit));
    }
    let center = |place: &Vec3| a.position - b.position - *place;
    let nearest = b.parts.iter().min_by_key(|(part, place)| distance_point_shape_ceil(-center(place), part));
    let (part, place) = nearest.expect("a shape has a part");
    let distance = distance_shapes_ceil(&a.shape, part, -center(place)).unwrap_or_default();
    let point = b.position + *place + closest_point_shape(center(place), part);
    Ok(Closest {
        distance: distance.to_string(),
        distance_raw: distance.to_bits().to_string(),
        point: decimals(point),
        point_raw: raws(point),
    })
}

/// The result of a sweep of rotating shapes, up to the instant from which it proves nothing.
struct Advanced {
    hit: Option<bool>,
    overlap: bool,
    until: Toi,
    normal: Option<Normal>,
}

impl Advanced {
    /// The results with those of another facet: what ends earlier, of two at one instant the hit, and with an approach.
    fn and(self, other: Self) -> Self {
        let key = |one: &Self| {
            let rank = match one.hit {
                Some(true) => u8::from(one.normal.is_none()),
                None => 2,
                Some(false) => 3,
            };
            (one.until, rank)
        };
        let overlap = self.overlap || other.overlap;
        let first = if key(&other) < key(&self) { other } else { self };
        Self { overlap, ..first }
    }
}

fn turned(question: &Question) -> Turned {
    let mut proofs = 0;
    let all = pairs(question).map(|pair| turned_pair(question, &pair, &mut proofs));
    let Advanced { hit, overlap, until, normal } = all.reduce(Advanced::and).expect("a shape has a part");
    let is_mesh = |solid: &Solid| matches!(solid.shape, Shape::Mesh(_));
    Turned {
        hit,
        overlap,
        clear_until: until.to_string(),
        clear_until_raw: until.raw().to_string(),
        proofs: (!is_mesh(&question.a) && !is_mesh(&question.b)).then_some(proofs),
        first: (hit == Some(true)).then(|| First::at(question, until, None, normal)),
    }
}

fn turned_pair(question: &Question, pair: &Pair<'_>, proofs: &mut usize) -> Advanced {
    let Question { a, b, gap, .. } = question;
    let relative = RelativeMotion {
        offset: pair.offset,
        motion: b.motion - a.motion,
        arms: [Vec3::ZERO; 2],
        turnings: [a.turning, b.turning],
        until: Toi::END,
    };
    let forms = [(pair.a, a), (pair.b, b)].map(|(part, solid)| part.turned(solid.turning.at(Toi::START)));
    let overlap = overlaps([&forms[0], &forms[1]], relative.offset);
    let begins = is_within([&forms[0], &forms[1]], relative.offset, *gap);
    let found = sweep_turning_with(pair.a, pair.b, &relative, *gap, |_| *proofs += 1);
    let (hit, until, normal) = match found {
        // A start in contact is contact at once; the sweep gives the approach.
        _ if begins => {
            let at_once = |hit: Hit| (hit.toi == Toi::START).then_some(hit.normal);
            let hit = if let Advance::Hit(hit) = found { at_once(hit) } else { None };
            (Some(true), Toi::START, hit)
        }
        Advance::Hit(hit) => (Some(true), hit.toi, Some(hit.normal)),
        Advance::Clear => (Some(false), Toi::END, None),
        Advance::Unresolved(toi) => (None, toi, None),
    };
    Advanced { hit, overlap, until, normal }
}

fn decimals(vector: Vec3) -> [String; 3] {
    [vector.x, vector.y, vector.z].map(|part| part.to_string())
}

fn raws(vector: Vec3) -> [String; 3] {
    vector.raw().map(|part| part.to_string())
}

//! Visits of two bodies on their paths: when each of them is inside the other's reach.

use std::borrow::Cow;

use super::{
    event::{ContactEvent, EventKind},
    notes::{Legs, Notes},
};
use crate::{
    geom::{AngularMotion, Vec3},
    num::{Scalar, Toi},
    overlap::{is_within, overlap_shapes},
    shape::Shape,
    state::Rule,
    sweep::{Span, span_shapes},
    tick::bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner},
        gap::touch_gap,
    },
};

/// A tick that has ended, as the search for what changed in it sees it.
#[derive(Clone, Copy)]
pub(super) struct Ended<'a> {
    pub bodies: Bodies<'a>,
    pub notes: &'a Notes,
    /// The impacts; sorted.
    pub hits: &'a [(BodyIndex, Partner, ChildPair, Toi)],
    /// The number of the tick.
    pub tick: u64,
}

impl<'a> Ended<'a> {
    /// Adds what changed between the children of some pairs.
    pub fn list_changes(&self, pairs: &[(BodyIndex, Partner)], events: &mut Vec<ContactEvent>) {
        for &pair in pairs {
            for children in self.bodies.pairs_of_children(pair.0, pair.1) {
                self.list_changes_of(pair, children, events);
            }
        }
    }

    fn list_changes_of(
        &self,
        pair: (BodyIndex, Partner),
        children: ChildPair,
        events: &mut Vec<ContactEvent>,
    ) {
        let relation = self.relation(pair, children);
        let [begins, ends] = match relation.rule {
            Rule::Sensor | Rule::Soft => [EventKind::Enter, EventKind::Exit],
            Rule::Solid => [EventKind::Begin, EventKind::End],
            Rule::Ignore => return,
        };
        let (before, over) = (events.len(), self.over_at(pair));
        relation.changes(self.sides(pair), |toi, inside| {
            if toi > over {
                return;
            }
            let kind = if inside { begins } else { ends };
            let event = self.event(pair, children, toi, kind);
            // An end and a beginning at one instant cancel out.
            let undone = ContactEvent { kind: ends, ..event };
            if inside && events.len() > before && events.last() == Some(&undone) {
                events.pop();
            } else {
                events.push(event);
            }
        });
    }

    /// An event of a pair.
    pub fn event(
        &self,
        pair: (BodyIndex, Partner),
        children: ChildPair,
        toi: Toi,
        kind: EventKind,
    ) -> ContactEvent {
        let (a, b) = self.bodies.ids_of(pair);
        ContactEvent { tick: self.tick, toi, kind, a, b, children, repeat: 0 }
    }

    /// The instant at which the first of two was removed, or the end of the tick.
    fn over_at(&self, (a, b): (BodyIndex, Partner)) -> Toi {
        let of_pair =
            self.bodies.sim.gone.iter().filter(|(index, _)| *index == a || Partner::Body(*index) == b);
        of_pair.map(|&(_, toi)| toi).min().unwrap_or(Toi::END)
    }

    fn relation(&self, (a, b): (BodyIndex, Partner), children: ChildPair) -> Relation<'a> {
        let (bodies, hits) = (self.bodies, self.hits);
        let shapes = [bodies.shape_of(Partner::Body(a), children[0]), bodies.shape_of(b, children[1])];
        let rule = bodies.rule_of_children(a, b, children);
        let gap = match rule {
            Rule::Solid => {
                let [own, other] = bodies.typed_shapes(a, b, children);
                touch_gap(own, other) + bodies.turning_skin_of(a, b, shapes)
            }
            _ => Scalar::ZERO,
        };
        let arms = [bodies.own_arm(Partner::Body(a), children[0]), bodies.own_arm(b, children[1])];
        let from = hits.partition_point(|&(x, y, pair, _)| (x, y, pair) < (a, b, children));
        let count = hits[from..].partition_point(|&(x, y, pair, _)| (x, y, pair) == (a, b, children));
        Relation { shapes, arms, rule, gap, hits: &hits[from..from + count] }
    }

    fn sides(&self, (a, b): (BodyIndex, Partner)) -> [Side<'a>; 2] {
        let legs_of = |index: BodyIndex| Side::Moving(self.notes.legs_of(index));
        let other = match b {
            Partner::Body(b) => legs_of(b),
            Partner::Static(id) => Side::Fixed(self.bodies.scenery.fixed(id).position),
        };
        [legs_of(a), other]
    }
}

/// The rule of a pair, and the meaning of inside for it.
pub(super) struct Relation<'a> {
    /// The shapes in their own frames.
    pub shapes: [&'a Shape; 2],
    /// The arms of both child shapes in the frames of their bodies.
    pub arms: [Vec3; 2],
    rule: Rule,
    /// The gap within which two are inside.
    pub gap: Scalar,
    /// Their impacts, in order: at these they touch, however their positions are rounded.
    hits: &'a [(BodyIndex, Partner, ChildPair, Toi)],
}

impl Relation<'_> {
    /// Calls `change` whenever the two get inside or outside of the gap, in the order of time.
    fn changes(&self, sides: [Side<'_>; 2], mut change: impl FnMut(Toi, bool)) {
        let mut segment = Segment::of(sides, Toi::START);
        let mut inside = self.is_inside(&segment, Toi::START);
        if !inside && self.is_hit(Toi::START) {
            change(Toi::START, true);
            inside = true;
        }
        loop {
            let end = segment.end;
            let then = self.is_inside(&segment, end) || (end != Toi::END && self.is_hit(end));
            if segment.rotates() {
                self.changes_turning(&segment, [inside, then], &mut change);
            } else {
                self.changes_straight(&segment, [inside, then], &mut change);
            }
            if end == Toi::END {
                return;
            }
            inside = then;
            segment = segment.next();
        }
    }

    /// The changes in a segment in which neither rotates, given whether they are inside at its ends.
    fn changes_straight(&self, segment: &Segment<'_>, inside: [bool; 2], change: &mut impl FnMut(Toi, bool)) {
        let Segment { start, end, .. } = *segment;
        match inside {
            [true, true] => {}
            [false, true] => change(self.span(segment).map_or(end, |span| span.first), true),
            [true, false] => change(self.span(segment).map_or(start, |span| span.last), false),
            [false, false] => {
                if let Some(visit) = self.visit(segment) {
                    change(visit.first, true);
                    change(visit.last, false);
                }
            }
        }
    }

    /// The exact predicate at an instant of a segment: closer than the touch gap, or overlapping.
    pub(super) fn is_inside(&self, segment: &Segment<'_>, toi: Toi) -> bool {
        let [a, b] = &segment.forms_at(self.shapes, toi);
        let offset = segment.offset_at(toi) + segment.arms_apart(self.arms, toi);
        match self.rule {
            Rule::Solid => is_within(a, b, offset, self.gap),
            Rule::Soft | Rule::Sensor | Rule::Ignore => overlap_shapes(a, b, offset),
        }
    }

    fn is_hit(&self, toi: Toi) -> bool {
        self.hits.binary_search_by_key(&toi, |&(_, _, _, toi)| toi).is_ok()
    }

    /// The part of a segment in which they are inside, by the kernels; `None` where that is not known or
    /// not in it.
    fn span(&self, segment: &Segment<'_>) -> Option<Span> {
        let Segment { start, end, .. } = *segment;
        let [a, b] = &segment.forms_at(self.shapes, start);
        let offset = segment.offset_at(start) + segment.arms_apart(self.arms, start);
        let span = span_shapes(a, b, offset, segment.motion(), self.gap)?;
        let first = start.checked_add(span.first).filter(|&first| first <= end)?;
        let last = start.checked_add(span.last).map_or(end, |last| last.min(end));
        Some(Span { first, last })
    }

    /// A stay inside between two instants outside. That of convex shapes is in one piece, so halfway
    /// through it they must be inside; else it was rounding.
    fn visit(&self, segment: &Segment<'_>) -> Option<Span> {
        let span = self.span(segment).filter(|span| span.first < span.last)?;
        let halfway = Toi::from_raw((span.first.raw() + span.last.raw()) / 2)?;
        self.is_inside(segment, halfway).then_some(span)
    }
}

/// One of two: on its legs, or at the place where it stands.
#[derive(Clone, Copy)]
pub(super) enum Side<'a> {
    Moving(Legs<'a>),
    Fixed(Vec3),
}

impl Side<'_> {
    /// The instant at which the leg under way ends.
    fn end(&self) -> Toi {
        match self {
            Self::Moving(legs) => legs.end(),
            Self::Fixed(_) => Toi::END,
        }
    }

    /// The side from an instant on at which one of two has a new leg.
    fn reach(self, toi: Toi) -> Self {
        match self {
            Self::Moving(legs) => Self::Moving(legs.reach(toi)),
            Self::Fixed(_) => self,
        }
    }

    fn at(&self, toi: Toi) -> Vec3 {
        match self {
            Self::Moving(legs) => legs.now.path.at(toi),
            Self::Fixed(place) => *place,
        }
    }

    fn motion(&self) -> Vec3 {
        match self {
            Self::Moving(legs) => legs.now.path.displacement,
            Self::Fixed(_) => Vec3::ZERO,
        }
    }

    /// The arm of a child shape at an instant in the world's axes, given that in its body's frame.
    ///
    /// **Rounding**: to nearest, as [`Rotation::turn_nearest`](crate::geom::Rotation::turn_nearest).
    fn arm_at(&self, arm: Vec3, toi: Toi) -> Vec3 {
        match self.turning_at(toi) {
            Some(turning) if arm != Vec3::ZERO => turning.at(Toi::START).turn_nearest(arm),
            _ => arm,
        }
    }

    /// The rotation from an instant of the leg under way on; `None` where the shape does not depend on it.
    pub(super) fn turning_at(&self, toi: Toi) -> Option<AngularMotion> {
        match self {
            Self::Moving(legs) => legs.turning().map(|turning| turning.rest(toi.since(legs.now.path.start))),
            Self::Fixed(_) => None,
        }
    }

    fn form_at<'b>(&self, shape: &'b Shape, toi: Toi) -> Cow<'b, Shape> {
        match self.turning_at(toi) {
            Some(turning) => Cow::Owned(shape.turned(turning.at(Toi::START))),
            None => Cow::Borrowed(shape),
        }
    }
}

/// A part of the tick in which both go straight, at even rates of rotation.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a> {
    pub start: Toi,
    pub end: Toi,
    pub sides: [Side<'a>; 2],
}

impl<'a> Segment<'a> {
    /// The segment from an instant to the next at which one of them has a new leg.
    fn of(sides: [Side<'a>; 2], start: Toi) -> Self {
        let [a, b] = sides;
        Self { start, end: a.end().min(b.end()), sides }
    }

    /// The segment that follows.
    fn next(&self) -> Self {
        Self::of(self.sides.map(|side| side.reach(self.end)), self.end)
    }

    /// True if one of them rotates in it.
    fn rotates(&self) -> bool {
        let rotates =
            |side: &Side<'_>| side.turning_at(self.start).is_some_and(|turning| !turning.is_still());
        self.sides.iter().any(rotates)
    }

    /// The shapes of both at an instant, in the world's axes.
    fn forms_at<'b>(&self, shapes: [&'b Shape; 2], toi: Toi) -> [Cow<'b, Shape>; 2] {
        let ([a, b], [shape_a, shape_b]) = (&self.sides, shapes);
        [a.form_at(shape_a, toi), b.form_at(shape_b, toi)]
    }

    /// The offset between two child shapes minus that between the centers, at an instant.
    fn arms_apart(&self, [arm_a, arm_b]: [Vec3; 2], toi: Toi) -> Vec3 {
        let [a, b] = &self.sides;
        b.arm_at(arm_b, toi) - a.arm_at(arm_a, toi)
    }

    /// B's place minus A's.
    pub(super) fn offset_at(&self, toi: Toi) -> Vec3 {
        let [a, b] = &self.sides;
        b.at(toi) - a.at(toi)
    }

    /// B's motion minus A's.
    pub(super) fn motion(&self) -> Vec3 {
        let [a, b] = &self.sides;
        b.motion() - a.motion()
    }
}

//! The paths of bodies between two ticks.

use glam::DVec3;

use crate::engines::{Impact, Moment};

/// The positions of a body at fractions of a tick, in straight lines between them.
pub struct Path {
    pub knots: Vec<(f64, DVec3)>,
    /// True if the body surely took this path. An engine that does not report the instants of impacts is
    /// given the benefit of the doubt: a body that changed direction within the tick may have taken any path.
    pub known: bool,
}

impl Path {
    pub fn bounds(&self, radius: f64) -> [DVec3; 2] {
        let points = || self.knots.iter().map(|(_, point)| *point);
        let low = points().reduce(DVec3::min).unwrap_or_default();
        [low - radius, points().reduce(DVec3::max).unwrap_or_default() + radius]
    }

    /// Where the body was, at a fraction that lies between two knots or on one.
    pub fn at(&self, fraction: f64) -> DVec3 {
        let next = self.knots.iter().position(|(at, _)| *at >= fraction).unwrap_or(self.knots.len() - 1);
        let ((start, from), (end, to)) = (self.knots[next.saturating_sub(1)], self.knots[next]);
        if end > start { from.lerp(to, (fraction - start) / (end - start)) } else { to }
    }
}

/// One tick as an engine showed it.
pub struct Tick<'a> {
    pub before: &'a [Moment],
    /// How far each would have gone without an impact, in units.
    pub free: Vec<DVec3>,
    pub after: &'a [Moment],
    pub impacts: Option<Vec<Impact>>,
    pub restitution: f64,
    pub radius: f64,
}

/// The path of every body through a tick.
pub fn paths(tick: &Tick) -> Vec<Path> {
    let Tick { before, after, .. } = tick;
    let mut bent = tick.impacts.as_ref().map(|impacts| bent(tick, impacts));
    let path = |(index, (from, to)): (usize, (&Moment, &Moment))| {
        if let Some((knots, velocity)) = bent.as_mut().map(|bodies| &mut bodies[index]) {
            let &(at, last) = &knots[knots.len() - 1];
            if (last + *velocity * (1.0 - at)).distance(to.position) < 1e-6 {
                knots.push((1.0, to.position));
                return Path { knots: std::mem::take(knots), known: true };
            }
        }
        let travel = to.position - from.position;
        let known = travel.length() < tick.radius / 2.0
            || [tick.free[index], to.velocity].iter().any(|way| is_along(travel, *way, tick.radius));
        Path { knots: vec![(0.0, from.position), (1.0, to.position)], known }
    };
    before.iter().zip(*after).enumerate().map(path).collect()
}

/// Each body's knots up to its last impact, and its motion per tick from there: all impacts played again.
fn bent(tick: &Tick, impacts: &[Impact]) -> Vec<(Vec<(f64, DVec3)>, DVec3)> {
    let start = |(moment, free): (&Moment, &DVec3)| (vec![(0.0, moment.position)], *free);
    let mut bodies: Vec<_> = tick.before.iter().zip(&tick.free).map(start).collect();
    let mut turn = |index: usize, at: f64, change: DVec3| {
        let (knots, velocity) = &mut bodies[index];
        let &(since, last) = &knots[knots.len() - 1];
        knots.push((at, last + *velocity * (at - since)));
        *velocity += change;
    };
    for impact in impacts {
        let change = impact.normal * impact.closing * (1.0 + tick.restitution);
        let change = if impact.b.is_some() { change / 2.0 } else { change }; // all bodies weigh the same
        turn(impact.a, impact.at, -change);
        if let Some(b) = impact.b {
            turn(b, impact.at, change);
        }
    }
    bodies
}

/// True if a travel is that of a body which moved in one direction throughout.
fn is_along(travel: DVec3, way: DVec3, radius: f64) -> bool {
    let way = way.normalize_or_zero();
    travel.dot(way) > 0.0 && (travel - way * travel.dot(way)).length() < radius / 10.0
}

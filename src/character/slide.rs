//! Along a way, and along what is met on it.

use super::{
    Met, Walker,
    obstacles::{Among, Contact, Surroundings},
};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar,
        round::{div_away, div_nearest},
    },
    sweep::{MOTION_MAX, contact_center},
};

/// How often somebody turns on a way at most.
const TURNS_MAX: u32 = 8;

/// How often a way is turned out of two planes between which it goes, whose line is rounded.
const CREASE_ROUNDS: u32 = 2;

/// Somebody on its way through a tick.
pub(super) struct Stride<'a> {
    pub around: &'a Surroundings,
    pub walker: &'a Walker,
    pub place: Vec3,
    pub walls: Vec<Met>,
    pub ceiling: Option<Met>,
    /// How much higher it is by the steps that it climbed.
    pub step: Vec3,
}

impl Stride<'_> {
    /// What is along the way up of a vector, to nearest.
    pub fn vertical(&self, vector: Vec3) -> Vec3 {
        along(self.walker.up, vector)
    }

    /// A length along the way up.
    pub fn upward(&self, length: Scalar) -> Vec3 {
        toward(self.walker.up, length)
    }

    /// Whether what has a normal is walked on: `run^2 <= slope^2 * rise^2`, in whole numbers.
    pub fn is_walkable(&self, normal: Normal) -> bool {
        let up = self.walker.up;
        let rise = dot(normal, up);
        if rise <= 0 {
            return false;
        }
        let slope_q16 = i128::from(self.walker.slope_max.to_bits() >> 16);
        // All times the square of the length of up: squares of normals are below 2^62, and of their products below 2^124.
        let [whole, rise] =
            [i128::from(normal.length_squared()) * i128::from(up.length_squared()), rise * rise];
        let run = whole - rise;
        // Brought down where the slope's square would not fit.
        let shift = (128 - run.max(rise).leading_zeros()).saturating_sub(80);
        (run >> shift) << 32 <= (rise >> shift) * (slope_q16 * slope_q16)
    }

    fn met(&self, contact: &Contact) -> Met {
        let obstacle = &self.around.obstacles[contact.index];
        Met { collider: obstacle.collider, part: obstacle.part, normal: contact.normal }
    }

    pub fn note_wall(&mut self, contact: &Contact) {
        let met = self.met(contact);
        let is_known = |wall: &Met| (wall.collider, wall.part) == (met.collider, met.part);
        if !self.walls.iter().any(is_known) {
            self.walls.push(met);
        }
    }

    /// The ground that is no farther below a place than a distance, whatever its slope.
    pub fn below(&self, place: Vec3, distance: Scalar, among: Among) -> Option<(Contact, Vec3)> {
        let way = -self.upward(distance);
        let contact = self.around.first(place, way, among)?;
        Some((contact, contact_center(place, way, contact.toi)))
    }

    /// What somebody at a place stands on.
    pub fn footing(&self, place: Vec3, among: Among) -> Option<Contact> {
        let (contact, _) = self.below(place, self.around.gap * 2, among)?;
        Some(contact).filter(|contact| self.stands_on(place, contact))
    }

    pub fn ground(&self, place: Vec3) -> Option<Met> {
        self.footing(place, Among::Under).map(|contact| self.met(&contact))
    }

    /// Goes a way and turns along whatever it meets: for what moves it that is not its own walking.
    pub fn drift(&mut self, way: Vec3, among: Among) {
        let (mut rest, mut planes) = (way, Vec::new());
        for _ in 0..TURNS_MAX {
            if rest == Vec3::ZERO {
                return;
            }
            let Some(contact) = self.around.first(self.place, rest, among) else {
                self.place = self.place + rest;
                return;
            };
            let there = contact_center(self.place, rest, contact.toi);
            rest = rest - (there - self.place);
            self.place = there;
            if self.is_walkable(contact.normal) {
                rest = Vec3::ZERO; // who comes down on ground stays there
            } else {
                self.note(&contact);
                planes.push(contact.normal);
                rest = turn(rest, &planes);
            }
        }
    }

    /// Notes a wall, or a ceiling.
    fn note(&mut self, contact: &Contact) {
        let up = self.walker.up;
        // Within 45 degrees of straight down.
        let rise = dot(contact.normal, up);
        let whole = i128::from(contact.normal.length_squared()) * i128::from(up.length_squared());
        if rise < 0 && 2 * (rise * rise / 4) >= whole / 4 {
            self.ceiling = self.ceiling.or(Some(self.met(contact)));
        } else {
            self.note_wall(contact);
        }
    }

    /// Walks a level way: up what is not too steep, along walls, and up steps if it stands on ground.
    pub fn walk(&mut self, way: Vec3, climbs: bool) {
        let (mut rest, mut planes) = (way, Vec::new());
        for _ in 0..TURNS_MAX {
            if rest == Vec3::ZERO {
                return;
            }
            let Some(contact) = self.around.first(self.place, rest, Among::Firm) else {
                self.place = self.place + rest;
                return;
            };
            let there = contact_center(self.place, rest, contact.toi);
            rest = rest - (there - self.place);
            self.place = there;
            if self.is_walkable(contact.normal) {
                rest = self.climb(rest, contact.normal);
                continue;
            }
            let level = rest - self.vertical(rest);
            if climbs {
                if let Some(left) = self.step_up(level) {
                    rest = left;
                    continue;
                }
            }
            self.note(&contact);
            rest = match self.level(contact.normal) {
                Some(wall) => {
                    planes.push(wall);
                    turn(level, &planes)
                }
                None => Vec3::ZERO, // straight above
            };
        }
    }

    /// A way over ground: as far along the level, and so much higher that it does not go into the ground.
    ///
    /// **Rounding**: away from the ground.
    fn climb(&self, way: Vec3, ground: Normal) -> Vec3 {
        let (depth, rise) = (-ground.dot_wide(way), dot(ground, self.walker.up));
        let part = |part: i32| div_away(i128::from(part) * depth, rise) as i64;
        let [x, y, z] = self.walker.up.components();
        let raised = way + Vec3::from_raw([part(x), part(y), part(z)]);
        // Higher than any way is long: at the greatest speeds up the steepest slopes.
        if raised.within(MOTION_MAX / 2) { turn(raised, &[ground]) } else { Vec3::ZERO }
    }

    /// The normal of a wall without what of it points up or down; `None` if that is all.
    fn level(&self, normal: Normal) -> Option<Normal> {
        let (up, rise) = (self.walker.up, dot(normal, self.walker.up));
        let whole = i128::from(up.length_squared());
        let (parts, ups) = (normal.components(), up.components());
        Normal::from_wide(
            [0, 1, 2].map(|axis| i128::from(parts[axis]) * whole - i128::from(ups[axis]) * rise),
        )
    }

    /// Climbs a step that is in a level way; what is left of the way, or `None` where there is no such step.
    ///
    /// Up as far as there is room, along, and down, no more than a step higher; and what it leads onto is ground.
    fn step_up(&mut self, way: Vec3) -> Option<Vec3> {
        let from = self.place;
        if !self.leads_on(from, way) {
            return None;
        }
        let raised = self.raised(from);
        let ahead = self.until(raised, way);
        let (there, _) = self.down_from(ahead, raised - from)?;
        let climbed = there - (from + (ahead - raised));
        if ahead == raised || climbed == Vec3::ZERO || self.is_too_high(climbed) {
            return None;
        }
        self.place = there;
        self.step = self.step + climbed;
        Some(way - (ahead - raised))
    }

    /// Whether there is ground no more than a step higher in a level way, where all of a round foot is past an edge.
    fn leads_on(&self, from: Vec3, way: Vec3) -> bool {
        if self.walker.step_height == Scalar::ZERO || way == Vec3::ZERO {
            return false;
        }
        let raised = self.raised(from);
        let ahead = self.until(raised, stretched(way, self.around.foot));
        let found = self.down_from(ahead, raised - from + self.upward(self.around.gap));
        ahead != raised
            && found.is_some_and(|(there, normal)| {
                self.is_walkable(normal) && !self.is_too_high(there - (from + (ahead - raised)))
            })
    }

    /// A place as high above another one as a step, and as there is room.
    fn raised(&self, from: Vec3) -> Vec3 {
        self.until(from, self.upward(self.walker.step_height + self.around.gap * 2))
    }

    /// Where a way ends that nothing turns.
    fn until(&self, from: Vec3, way: Vec3) -> Vec3 {
        let toi = self.around.first(from, way, Among::Firm).map(|contact| contact.toi);
        toi.map_or(from + way, |toi| contact_center(from, way, toi))
    }

    /// Where what goes down so far comes to ground, and the ground's normal.
    fn down_from(&self, from: Vec3, height: Vec3) -> Option<(Vec3, Normal)> {
        let contact = self.around.first(from, -height, Among::Under)?;
        Some((contact_center(from, -height, contact.toi), contact.normal))
    }

    /// Whether so much up is more than a step.
    fn is_too_high(&self, climbed: Vec3) -> bool {
        let most = self.upward(self.walker.step_height + self.around.gap);
        self.walker.up.dot_wide(climbed) > self.walker.up.dot_wide(most)
    }

    /// Whether somebody at a place stands on what is met right below it: on ground that is not too steep, or on the edge of some with
    /// a round foot.
    pub fn stands_on(&self, place: Vec3, contact: &Contact) -> bool {
        if self.is_walkable(contact.normal) {
            return true;
        }
        let is_below = dot(contact.normal, self.walker.up) > 0;
        let Some(wall) = self.level(contact.normal).filter(|_| is_below) else { return false };
        self.leads_on(place, -toward(wall, self.around.foot))
    }
}

/// So much along a direction, to nearest.
fn toward(direction: Normal, length: Scalar) -> Vec3 {
    let (length, whole) = (i128::from(length.to_bits()), i128::from(direction.length_up()));
    Vec3::from_raw(direction.components().map(|part| div_nearest(length * i128::from(part), whole) as i64))
}

/// A vector at least so long, in its direction.
///
/// **Rounding**: to nearest.
fn stretched(vector: Vec3, length: Scalar) -> Vec3 {
    let (now, least) = (vector.length_squared_wide().isqrt() as i128, i128::from(length.to_bits()));
    if now >= least || now == 0 {
        return vector;
    }
    vector.map_raw(|raw| div_nearest(i128::from(raw) * least, now) as i64)
}

fn dot(a: Normal, b: Normal) -> i128 {
    let (a, b) = (a.components().map(i128::from), b.components().map(i128::from));
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// What of a vector is along a direction, to nearest.
fn along(direction: Normal, vector: Vec3) -> Vec3 {
    let (length, whole) = (direction.dot_wide(vector), i128::from(direction.length_squared()));
    Vec3::from_raw(direction.components().map(|part| div_nearest(length * i128::from(part), whole) as i64))
}

/// A vector without what of it goes into a plane.
///
/// **Rounding**: away from the plane, by less than a raw on each axis.
fn out_of(vector: Vec3, plane: Normal) -> Vec3 {
    let depth = -plane.dot_wide(vector);
    if depth <= 0 {
        return vector;
    }
    let whole = i128::from(plane.length_squared());
    let out = plane.components().map(|part| div_away(depth * i128::from(part), whole) as i64);
    vector + Vec3::from_raw(out)
}

/// A way turned along the last of several planes, or between it and another one; zero where it is between three.
fn turn(way: Vec3, planes: &[Normal]) -> Vec3 {
    let Some((&last, others)) = planes.split_last() else { return way };
    let goes_into = |way: Vec3, plane: Normal| plane.dot_wide(way) < 0;
    let turned = out_of(way, last);
    let Some(&other) = others.iter().find(|&&other| goes_into(turned, other)) else { return turned };
    let Some(between) = Normal::from_wide(cross(last, other)) else { return Vec3::ZERO };
    let mut turned = along(between, way);
    for _ in 0..CREASE_ROUNDS {
        turned = out_of(out_of(turned, last), other);
    }
    if planes.iter().any(|&plane| goes_into(turned, plane)) || way.dot_wide(turned) <= 0 {
        return Vec3::ZERO;
    }
    turned
}

fn cross(a: Normal, b: Normal) -> [i128; 3] {
    let (a, b) = (a.components().map(i128::from), b.components().map(i128::from));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{Rng, rng::Draws};

    fn normal(draws: &mut Draws) -> Normal {
        loop {
            let parts = [0; 3].map(|_: i32| i128::from(draws.between(-1 << 40, 1 << 40)));
            if let Some(normal) = Normal::from_wide(parts) {
                return normal;
            }
        }
    }

    fn way(draws: &mut Draws) -> Vec3 {
        let most = 1 << draws.between(4, 36);
        Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)))
    }

    #[test]
    fn what_is_turned_out_of_a_plane_is_out_of_it_by_no_more_than_it_must() {
        for case in 0..5_000 {
            let mut draws = Rng::new(1).at(0, case, 0);
            let (plane, way) = (normal(&mut draws), way(&mut draws));
            let turned = out_of(way, plane);
            assert!(plane.dot_wide(turned) >= 0, "{way} {plane:?}");
            assert!(plane.dot_wide(way) < 0 || turned == way);
            // Less than a raw on each axis.
            let most = plane.components().map(|part| i128::from(part).abs()).iter().sum::<i128>();
            assert!(plane.dot_wide(way) >= 0 || plane.dot_wide(turned) < most, "{way} {plane:?}");
        }
    }

    /// Along the line of two planes, out of both; between three, and where the line leads back, nowhere.
    #[test]
    fn a_way_between_planes_goes_into_none_and_not_back() {
        let (mut creases, mut stops, mut ends) = (0, 0, 0);
        for case in 0..20_000 {
            let mut draws = Rng::new(2).at(0, case, 0);
            let planes: Vec<Normal> = (0..draws.between(1, 3)).map(|_| normal(&mut draws)).collect();
            let way = way(&mut draws).map_raw(|raw| raw + (1 << 30));
            let turned = turn(way, &planes);
            assert!(planes.iter().all(|plane| plane.dot_wide(turned) >= 0), "{way} {planes:?}");
            assert!(turned == Vec3::ZERO || way.dot_wide(turned) > 0, "{way} {planes:?}");
            // A line that is found goes on, unless it leads into a third plane or nearly back.
            if let [other, last] = planes[..] {
                let between =
                    Normal::from_wide(cross(last, other)).map_or(Vec3::ZERO, |line| along(line, way));
                let is_crease = out_of(way, last) != way && other.dot_wide(out_of(way, last)) < 0;
                let leads_on = way.dot_wide(between) > way.dot_wide(way) / 16;
                let is_blunt = dot(last, other).abs() < 1 << 59;
                if is_crease && leads_on && is_blunt {
                    creases += 1;
                    stops += usize::from(turned == Vec3::ZERO);
                }
            }
            ends += usize::from(turned == Vec3::ZERO);
        }
        assert!(creases > 500 && ends > 500 && stops * 4 < creases, "{creases} {stops} {ends}");
    }
}

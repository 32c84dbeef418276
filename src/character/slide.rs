//! Collide and slide, with slopes and steps.

use super::limits::{CREASE_ROUNDS, TURNS_MAX};
use super::{
    CharacterHit, CharacterSettings,
    obstacles::{Among, Contact, Surroundings},
};
use crate::{
    geom::{IVec3, Normal, Vec3, is_within_slope},
    num::{
        Scalar,
        bound::{Bound, Width},
        round::{div_away, div_nearest},
    },
    sweep::{MOTION_MAX, contact_center},
};

/// The slope of a ceiling, compared as a square.
pub(super) const WIDTH: Width = {
    let rise: Bound = Normal::BOUND.length().times(Normal::BOUND.length());
    Width { number: "`rise^2` of a normal along the way up", bound: rise.times(rise), held_in: 128 }
};
const _: () = WIDTH.check();

/// The state of a character during its move.
pub(super) struct CollideAndSlide<'a> {
    pub around: &'a Surroundings,
    pub settings: &'a CharacterSettings,
    pub place: Vec3,
    pub walls: Vec<CharacterHit>,
    pub ceiling: Option<CharacterHit>,
    /// The height of the steps that it climbed, as a vector.
    pub step: Vec3,
}

impl CollideAndSlide<'_> {
    /// The component of a vector along the up direction, to nearest.
    pub fn vertical(&self, vector: Vec3) -> Vec3 {
        along(self.settings.up, vector)
    }

    /// A vector of a length in the up direction.
    pub fn upward(&self, length: Scalar) -> Vec3 {
        toward(self.settings.up, length)
    }

    /// True if ground with a normal is walkable.
    pub fn is_walkable(&self, normal: Normal) -> bool {
        is_within_slope(normal, self.settings.up, self.settings.slope_max)
    }

    fn met(&self, contact: &Contact) -> CharacterHit {
        let obstacle = &self.around.obstacles[contact.index];
        CharacterHit { collider: obstacle.collider, child: obstacle.child, normal: contact.normal }
    }

    pub fn note_wall(&mut self, contact: &Contact) {
        let met = self.met(contact);
        let is_known = |wall: &CharacterHit| (wall.collider, wall.child) == (met.collider, met.child);
        if !self.walls.iter().any(is_known) {
            self.walls.push(met);
        }
    }

    /// The first hit below a position within a distance, of any slope.
    pub fn below(&self, place: Vec3, distance: Scalar, among: Among) -> Option<(Contact, Vec3)> {
        let displacement = -self.upward(distance);
        let contact = self.around.first(place, displacement, among)?;
        Some((contact, contact_center(place, displacement, contact.toi)))
    }

    /// The hit on which a character at a position stands.
    pub fn footing(&self, place: Vec3, among: Among) -> Option<Contact> {
        let (contact, _) = self.below(place, self.around.gap * 2, among)?;
        Some(contact).filter(|contact| self.stands_on(place, contact))
    }

    pub fn ground(&self, place: Vec3) -> Option<CharacterHit> {
        self.footing(place, Among::Under).map(|contact| self.met(&contact))
    }

    /// Moves along a vector and slides along all hits: for motion other than walking.
    pub fn drift(&mut self, displacement: Vec3, among: Among) {
        let (mut rest, mut planes) = (displacement, Vec::new());
        for _ in 0..TURNS_MAX {
            if rest == Vec3::ZERO {
                return;
            }
            let Some(contact) = self.around.first(self.place, rest, among) else {
                self.place += rest;
                return;
            };
            let there = contact_center(self.place, rest, contact.toi);
            rest -= there - self.place;
            self.place = there;
            if self.is_walkable(contact.normal) {
                rest = Vec3::ZERO; // a landing does not slide
            } else {
                self.note(&contact);
                planes.push(contact.normal);
                rest = turn(rest, &planes);
            }
        }
    }

    /// Records a wall or a ceiling.
    fn note(&mut self, contact: &Contact) {
        let up = self.settings.up;
        // Within 45 degrees of straight down.
        let rise = self.settings.rise(contact.normal);
        let whole = i128::from(contact.normal.length_squared()) * i128::from(up.length_squared());
        if rise < 0 && 2 * (rise * rise / 4) >= whole / 4 {
            self.ceiling = self.ceiling.or(Some(self.met(contact)));
        } else {
            self.note_wall(contact);
        }
    }

    /// Walks along a level vector: up walkable slopes, along walls, and up steps if `climbs` is true.
    pub fn slide(&mut self, displacement: Vec3, climbs: bool) {
        let (mut rest, mut planes) = (displacement, Vec::new());
        for _ in 0..TURNS_MAX {
            if rest == Vec3::ZERO {
                return;
            }
            let Some(contact) = self.around.first(self.place, rest, Among::Firm) else {
                self.place += rest;
                return;
            };
            let there = contact_center(self.place, rest, contact.toi);
            rest -= there - self.place;
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
                None => Vec3::ZERO, // a ceiling straight above
            };
        }
    }

    /// A path over ground: the same displacement along the level, raised so that it does not enter the
    /// ground.
    ///
    /// **Rounding**: away from the ground.
    fn climb(&self, displacement: Vec3, ground: Normal) -> Vec3 {
        let (depth, rise) = (-ground.dot_wide(displacement), self.settings.rise(ground));
        let part = |part: i32| div_away(i128::from(part) * depth, rise) as i64;
        let [x, y, z] = self.settings.up.components();
        let raised = displacement + Vec3::from_raw([part(x), part(y), part(z)]);
        // Raised above the longest path: at the greatest speeds up the steepest slopes.
        if raised.within(MOTION_MAX / 2) { turn(raised, &[ground]) } else { Vec3::ZERO }
    }

    /// The normal of a wall without its vertical component; `None` if nothing remains.
    fn level(&self, normal: Normal) -> Option<Normal> {
        let (up, rise) = (self.settings.up, self.settings.rise(normal));
        let whole = i128::from(up.length_squared());
        let (parts, ups) = (normal.components(), up.components());
        Normal::from_wide(
            [0, 1, 2].map(|axis| i128::from(parts[axis]) * whole - i128::from(ups[axis]) * rise),
        )
    }

    /// Climbs a step in a level path; returns the rest of the path, or `None` if there is no such step.
    ///
    /// Moves up as far as there is room, forward and down, with a gain of no more than the step height; the
    /// step must lead onto ground.
    fn step_up(&mut self, displacement: Vec3) -> Option<Vec3> {
        let from = self.place;
        if !self.leads_on(from, displacement) {
            return None;
        }
        let raised = self.raised(from);
        let ahead = self.until(raised, displacement);
        let (there, _) = self.down_from(ahead, raised - from)?;
        let climbed = there - (from + (ahead - raised));
        if ahead == raised || climbed == Vec3::ZERO || self.is_too_high(climbed) {
            return None;
        }
        self.place = there;
        self.step += climbed;
        Some(displacement - (ahead - raised))
    }

    /// True if there is ground within the step height along a level path, far enough ahead that a round foot
    /// has passed the edge.
    fn leads_on(&self, from: Vec3, displacement: Vec3) -> bool {
        if self.settings.step_height == Scalar::ZERO || displacement == Vec3::ZERO {
            return false;
        }
        let raised = self.raised(from);
        let ahead = self.until(raised, stretched(displacement, self.around.foot));
        let found = self.down_from(ahead, raised - from + self.upward(self.around.gap));
        ahead != raised
            && found.is_some_and(|(there, normal)| {
                self.is_walkable(normal) && !self.is_too_high(there - (from + (ahead - raised)))
            })
    }

    /// The position above another one by the step height, or as far as there is room.
    fn raised(&self, from: Vec3) -> Vec3 {
        self.until(from, self.upward(self.settings.step_height + self.around.gap * 2))
    }

    /// The end of a path that stops at the first hit.
    fn until(&self, from: Vec3, displacement: Vec3) -> Vec3 {
        let toi = self.around.first(from, displacement, Among::Firm).map(|contact| contact.toi);
        toi.map_or(from + displacement, |toi| contact_center(from, displacement, toi))
    }

    /// The position at which a fall by a height reaches ground, and the ground's normal.
    fn down_from(&self, from: Vec3, height: Vec3) -> Option<(Vec3, Normal)> {
        let contact = self.around.first(from, -height, Among::Under)?;
        Some((contact_center(from, -height, contact.toi), contact.normal))
    }

    /// True if a climb is higher than the step height.
    fn is_too_high(&self, climbed: Vec3) -> bool {
        let most = self.upward(self.settings.step_height + self.around.gap);
        self.settings.up.dot_wide(climbed) > self.settings.up.dot_wide(most)
    }

    /// True if a character at a position stands on the hit right below it: on walkable ground, or with a
    /// round foot on the edge of walkable ground.
    pub fn stands_on(&self, place: Vec3, contact: &Contact) -> bool {
        if self.is_walkable(contact.normal) {
            return true;
        }
        let is_below = self.settings.rise(contact.normal) > 0;
        let Some(wall) = self.level(contact.normal).filter(|_| is_below) else { return false };
        self.leads_on(place, -toward(wall, self.around.foot))
    }
}

/// A vector of a length along a direction, to nearest.
fn toward(direction: Normal, length: Scalar) -> Vec3 {
    let (length, whole) = (i128::from(length.to_bits()), i128::from(direction.length_up()));
    Vec3::from_raw(direction.components().map(|part| div_nearest(length * i128::from(part), whole) as i64))
}

/// A vector lengthened, if it is shorter than a length, to that length.
///
/// **Rounding**: to nearest.
fn stretched(vector: Vec3, length: Scalar) -> Vec3 {
    let (now, least) = (vector.length_squared_wide().isqrt() as i128, i128::from(length.to_bits()));
    if now >= least || now == 0 {
        return vector;
    }
    vector.map_raw(|raw| div_nearest(i128::from(raw) * least, now) as i64)
}

/// The component of a vector along a direction, to nearest.
fn along(direction: Normal, vector: Vec3) -> Vec3 {
    let (length, whole) = (direction.dot_wide(vector), i128::from(direction.length_squared()));
    Vec3::from_raw(direction.components().map(|part| div_nearest(length * i128::from(part), whole) as i64))
}

/// A vector without the component that enters a plane.
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

/// A path deflected along the last of several planes, or along the crease of the last one and another; zero
/// between three.
fn turn(displacement: Vec3, planes: &[Normal]) -> Vec3 {
    let Some((&last, others)) = planes.split_last() else { return displacement };
    let goes_into = |displacement: Vec3, plane: Normal| plane.dot_wide(displacement) < 0;
    let turned = out_of(displacement, last);
    let Some(&other) = others.iter().find(|&&other| goes_into(turned, other)) else { return turned };
    let Some(between) = crease(last, other) else { return Vec3::ZERO };
    let mut turned = along(between, displacement);
    for _ in 0..CREASE_ROUNDS {
        turned = out_of(out_of(turned, last), other);
    }
    if planes.iter().any(|&plane| goes_into(turned, plane)) || displacement.dot_wide(turned) <= 0 {
        return Vec3::ZERO;
    }
    turned
}

/// The direction of the line in which two planes meet; `None` for parallel ones.
fn crease(a: Normal, b: Normal) -> Option<Normal> {
    Normal::from_wide(IVec3::from(a).cross(IVec3::from(b)).0)
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

    fn displacement(draws: &mut Draws) -> Vec3 {
        let most = 1 << draws.between(4, 36);
        Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)))
    }

    #[test]
    fn motion_turned_out_of_a_plane_is_out_of_it_by_no_more_than_it_must() {
        for case in 0..5_000 {
            let mut draws = Rng::new(1).at(0, case, 0);
            let (plane, displacement) = (normal(&mut draws), displacement(&mut draws));
            let turned = out_of(displacement, plane);
            assert!(plane.dot_wide(turned) >= 0, "{displacement} {plane:?}");
            assert!(plane.dot_wide(displacement) < 0 || turned == displacement);
            // Less than a raw on each axis.
            let most = plane.components().map(|part| i128::from(part).abs()).iter().sum::<i128>();
            assert!(
                plane.dot_wide(displacement) >= 0 || plane.dot_wide(turned) < most,
                "{displacement} {plane:?}"
            );
        }
    }

    /// Along the crease of two planes, out of both; zero between three, and where the crease leads back.
    #[test]
    fn a_way_between_planes_goes_into_none_and_not_back() {
        let (mut creases, mut stops, mut ends) = (0, 0, 0);
        for case in 0..20_000 {
            let mut draws = Rng::new(2).at(0, case, 0);
            let planes: Vec<Normal> = (0..draws.between(1, 3)).map(|_| normal(&mut draws)).collect();
            let displacement = displacement(&mut draws).map_raw(|raw| raw + (1 << 30));
            let turned = turn(displacement, &planes);
            assert!(planes.iter().all(|plane| plane.dot_wide(turned) >= 0), "{displacement} {planes:?}");
            assert!(turned == Vec3::ZERO || displacement.dot_wide(turned) > 0, "{displacement} {planes:?}");
            // A crease is followed, unless it leads into a third plane or nearly back.
            if let [other, last] = planes[..] {
                let between = crease(last, other).map_or(Vec3::ZERO, |line| along(line, displacement));
                let is_crease = out_of(displacement, last) != displacement
                    && other.dot_wide(out_of(displacement, last)) < 0;
                let leads_on = displacement.dot_wide(between) > displacement.dot_wide(displacement) / 16;
                let is_blunt = IVec3::from(last).dot(IVec3::from(other)).abs() < 1 << 59;
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

//! One tick of a character: carried, pushed, along the level, and up or down.

use super::limits::PUSHES;
use super::{
    CharacterMove,
    obstacles::{Among, Character, Surroundings, motion_of},
    slide::CollideAndSlide,
};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::length_ceil,
    state::{Collider, State},
    sweep::contact_center,
};

/// The move of a body by a displacement that was checked.
pub(super) fn step(character: Character<'_>, displacement: Vec3) -> CharacterMove {
    let Character { state, scenery, body, settings, .. } = character;
    let start = body.position;
    let spare = settings.step_height * 2 + settings.snap + farthest_lift(state) * 2;
    // The distance that is searched for ground behind an edge.
    let foot = length_ceil(body.form(scenery).half_extent().unwrap_or_default());
    let reach = length_ceil(displacement) + spare + foot + Scalar::ONE / 64;
    let around = Surroundings::of(character, reach);
    let mut slide = CollideAndSlide {
        around: &around,
        settings,
        place: start,
        walls: Vec::new(),
        ceiling: None,
        step: Vec3::ZERO,
    };
    let footing = slide.footing(start, Among::UnderBefore);
    let lift =
        footing.map(|contact| contact.index).filter(|&index| around.obstacles[index].motion != Vec3::ZERO);
    if let Some(lift) = lift {
        slide.drift_but(around.obstacles[lift].motion, lift);
    }
    for _ in 0..PUSHES {
        slide.give_way(start);
    }
    let moved = slide.place;
    slide.go(displacement, footing.is_some());
    let place = [slide.place, moved, start].into_iter().find(|&place| !around.overlaps(place));
    let mut walk = CharacterMove::at(place.unwrap_or(moved));
    walk.is_crushed = place.is_none();
    walk.ground = slide.ground(walk.position);
    walk.carried_by = lift.and_then(|lift| match around.obstacles[lift].collider {
        Collider::Body(id) => Some(id),
        Collider::Static(_) => None,
    });
    walk.step = length_ceil(slide.step);
    (walk.walls, walk.ceiling) = (slide.walls, slide.ceiling);
    walk
}

/// The longest way of a kinematic body in the tick, rounded up.
fn farthest_lift(state: &State) -> Scalar {
    let ways = state.bodies().map(|(_, body)| length_ceil(motion_of(state, body)));
    ways.max().unwrap_or_default()
}

impl CharacterMove {
    const fn at(position: Vec3) -> Self {
        Self {
            position,
            ground: None,
            walls: Vec::new(),
            ceiling: None,
            step: Scalar::ZERO,
            carried_by: None,
            is_crushed: false,
        }
    }
}

impl CollideAndSlide<'_> {
    /// Moves with the lift that carries it, until another obstacle.
    fn drift_but(&mut self, displacement: Vec3, carrier: usize) {
        // The carrier is tested at its end pose, so the path ends at the gap from it, as it began.
        let there = self.place + displacement;
        let first = self.around.first(self.place, displacement, Among::Firm);
        match first {
            Some(contact) if contact.index != carrier => self.be_moved(displacement),
            _ => self.place = there,
        }
    }

    /// Moves by an external displacement: the level component as a walk, so that a slope does not stop it,
    /// then the vertical one.
    fn be_moved(&mut self, displacement: Vec3) {
        let vertical = self.vertical(displacement);
        self.slide(displacement - vertical, false);
        self.drift(vertical, Among::Firm);
    }

    /// Moves out of the way of moving obstacles, given its position when the tick began.
    fn give_way(&mut self, start: Vec3) {
        for index in 0..self.around.obstacles.len() {
            if self.around.obstacles[index].motion == Vec3::ZERO {
                continue;
            }
            let Some(contact) = self.around.come_at(index, start, self.place) else { continue };
            let motion = self.around.obstacles[index].motion - (self.place - start);
            let left = motion - (contact_center(Vec3::ZERO, motion, contact.toi));
            let push = out_of_way(left, contact.normal);
            self.note_wall(&contact);
            self.be_pushed(push, index);
        }
    }

    /// Moves out of the way of an obstacle; in a straight line if that has passed its center, because all
    /// other paths lead into it.
    fn be_pushed(&mut self, displacement: Vec3, pusher: usize) {
        let place = self.place;
        let first = self.around.first(place, displacement, Among::Firm);
        if first.is_none_or(|contact| contact.index != pusher) {
            return self.be_moved(displacement);
        }
        let other = self.around.first_but((place, displacement), Among::Firm, Some(pusher));
        self.place =
            other.map_or(place + displacement, |contact| contact_center(place, displacement, contact.toi));
    }

    /// Makes the requested move: first along the level, then up or down; a rise comes first.
    fn go(&mut self, displacement: Vec3, is_on_ground: bool) {
        let vertical = self.vertical(displacement);
        let is_rising = self.settings.up.dot_wide(vertical) > 0;
        if is_rising {
            self.drift(vertical, Among::Firm);
        }
        self.slide(displacement - vertical, is_on_ground && !is_rising);
        if is_rising {
            return;
        }
        if is_on_ground {
            if let Some((contact, there)) =
                self.below(self.place, self.settings.snap + self.around.gap, Among::Under)
            {
                if self.stands_on(there, &contact) {
                    self.place = there;
                    return;
                }
            }
        }
        self.drift(vertical, Among::Under);
    }
}

/// The displacement that avoids an obstacle with a remaining motion; the normal points to the character.
fn out_of_way(motion: Vec3, normal: crate::geom::Normal) -> Vec3 {
    let (closing, whole) = (normal.dot_wide(motion), i128::from(normal.length_squared()));
    if closing <= 0 {
        return Vec3::ZERO;
    }
    let away = |part: i32| crate::num::round::div_away(closing * i128::from(part), whole) as i64;
    Vec3::from_raw(normal.components().map(away))
}

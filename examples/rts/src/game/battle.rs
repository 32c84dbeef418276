//! Shooting and hits.
//!
//! All hits of a tick are found before any unit is hurt: two that shoot each other fall together.

use bitstep::{
    World,
    geom::{Aabb, Vec3, normalise},
    num::{Scalar, lit},
    query::{PointQuery, QueryFilter},
    session::Tick,
    state::{Collider, Command, Done, MaterialId, OnHit, Refusal, Refused, Spawn},
};

use super::{
    Goal, PLAYERS_MAX, Rts, Scratch, Shot, UNIT_RADIUS,
    field::{SHOT_RADIUS, SHOT_SHAPE, limits, shot_layer, unit_layer},
};

/// Number of hits that a unit takes.
pub const HEALTH: u8 = 20;
/// Number of hits that a shot counts as.
pub const DAMAGE: u8 = 1;
/// Range of a shot, in units, from center to surface.
pub const RANGE: Scalar = lit("6");
/// Speed of a shot, in units per second.
const SHOT_SPEED: Scalar = lit("20");
/// Number of ticks that a shot flies: a little farther than the range.
const SHOT_TICKS: u8 = 8;
/// Number of ticks between two looks of a unit.
const LOOK_EVERY: u64 = 5;
/// Number of ticks until a unit shoots again, plus a draw below the next number.
const RELOAD: u8 = 38;
const RELOAD_SPREAD: u64 = 7;
/// The purpose of that draw.
const RELOAD_DRAW: u64 = 1;
/// Distance in front of a unit at which a shot begins: just outside of it.
const MUZZLE: Scalar = lit("0.52");

const _: () = assert!(MUZZLE.to_bits() > UNIT_RADIUS.to_bits() + SHOT_RADIUS.to_bits());

/// The box around each player's units, grown by the range.
type Bounds = [Option<Aabb>; PLAYERS_MAX as usize];

impl Rts {
    /// Lets units that can shoot look for the nearest foe, and shoot at it; returns the numbers of those that
    /// are hit at once.
    pub(super) fn shoot(&mut self, tick: &mut Tick<'_>) -> Vec<u16> {
        let mut hits = Vec::new();
        for unit in &mut self.units {
            unit.reload = unit.reload.saturating_sub(1);
        }
        if tick.number() % LOOK_EVERY != 0 {
            return hits;
        }
        let bounds = self.bounds(tick);
        for player in 0..PLAYERS_MAX {
            self.look(player, &bounds, tick, &mut hits);
        }
        hits
    }

    /// The box around each player's units, grown by the range.
    fn bounds(&self, tick: &Tick<'_>) -> Bounds {
        let mut bounds = [None; PLAYERS_MAX as usize];
        for unit in &self.units {
            let Some(body) = unit.body.and_then(|body| tick.world().body(body)) else { continue };
            let around = Aabb::around(body.position, Vec3::splat(RANGE + UNIT_RADIUS));
            if let Some(whole) = bounds.get_mut(usize::from(unit.player)) {
                *whole = Some(whole.map_or(around, |whole: Aabb| whole.union(around)));
            }
        }
        bounds
    }

    /// Lets all units of one player look and shoot at once.
    fn look(&mut self, player: u8, bounds: &Bounds, tick: &mut Tick<'_>, hits: &mut Vec<u16>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.ask(player, bounds, tick.world(), &mut scratch);
        if !scratch.askers.is_empty() {
            let world = tick.world();
            match &mut scratch.view {
                // Made once per look: a shot fired in it meets nothing before the step.
                Some(view) if view.tick_count() == world.tick_count() => {}
                Some(view) => view.rebuild(world.state(), world.scenery()),
                none => *none = Some(world.query_view()),
            }
            let foes = (0..PLAYERS_MAX).filter(|&other| other != player);
            let layers = foes.fold(0, |layers, foe| layers | 1 << unit_layer(foe));
            let filter = QueryFilter { layers, ..QueryFilter::ALL };
            if let Some(view) = &scratch.view {
                // Units are within the world's limits, and so is every ball.
                let _ = view.radii(&scratch.balls, &filter, &mut scratch.near);
            }
            for ((&number, ball), near) in scratch.askers.iter().zip(&scratch.balls).zip(scratch.near.iter())
            {
                let Some(Collider::Body(foe)) = near.first().map(|near| near.collider) else { continue };
                let there = tick.world().body(foe).map(|body| body.position);
                let hit = there.and_then(|there| self.fire(tick, number, there - ball.center));
                hits.extend(hit);
            }
        }
        self.scratch = scratch;
    }

    /// The units of a player that can shoot, and have foes nearby.
    fn ask(&self, player: u8, bounds: &Bounds, world: &World, scratch: &mut Scratch) {
        scratch.balls.clear();
        scratch.askers.clear();
        for (number, unit) in (0..=u16::MAX).zip(&self.units) {
            let Some(body) = unit.body.filter(|_| unit.player == player && unit.reload == 0) else {
                continue;
            };
            let Some(body) = world.body(body) else { continue };
            let here = Aabb::around(body.position, Vec3::ZERO);
            let is_foe_near = (0..).zip(bounds).any(|(other, bounds)| {
                other != player && bounds.is_some_and(|bounds: Aabb| bounds.touches(&here))
            });
            if is_foe_near {
                scratch.askers.push(number);
                scratch.balls.push(PointQuery { center: body.position, radius: RANGE });
            }
        }
    }

    /// Lets a unit shoot in a direction; returns the unit that it hits at once, where there is no room for a
    /// shot.
    fn fire(&mut self, tick: &mut Tick<'_>, number: u16, way: Vec3) -> Option<u16> {
        let unit = self.units.get_mut(usize::from(number))?;
        let from = tick.world().body(unit.body?)?.position;
        let direction = normalise(way)?;
        // Toward zero: whole units from a vector of length one.
        let along = |length: Scalar| {
            direction.map_raw(|raw| (i128::from(raw) * i128::from(length.to_bits()) / (1 << 32)) as i64)
        };
        let player = unit.player;
        unit.reload = RELOAD + tick.draws(RELOAD_DRAW, number.into()).below(RELOAD_SPREAD) as u8;
        let spawn = Spawn {
            material: MaterialId(0),
            layer: shot_layer(player),
            velocity: limits().velocity_nearest(along(SHOT_SPEED)),
            on_hit: OnHit::Remove,
            ..Spawn::new(SHOT_SHAPE, from + along(MUZZLE))
        };
        match tick.apply(Command::Spawn(spawn)) {
            Ok(Done::Spawned(body)) => {
                self.shots.push(Shot { body, left: SHOT_TICKS });
                None
            }
            Err(Refused { reason: Refusal::Overlaps { with }, .. }) => unit_hit(tick, with),
            // No room in the world: the shot is lost, on every machine alike.
            _ => None,
        }
    }

    /// Hurts the units that shots hit in the step, and those that were hit at once before it.
    pub(super) fn hit(&mut self, tick: &mut Tick<'_>, mut hits: Vec<u16>) {
        hits.extend(tick.report().removed.iter().filter_map(|removed| unit_hit(tick, removed.by)));
        for number in hits {
            self.hurt(tick, number);
        }
        let mut shots = std::mem::take(&mut self.shots);
        shots.retain_mut(|shot| {
            shot.left = shot.left.saturating_sub(1);
            let flies = tick.world().body(shot.body).is_some();
            if flies && shot.left == 0 {
                let _ = tick.apply(Command::Remove { body: shot.body }); // it exists
            }
            flies && shot.left > 0
        });
        self.shots = shots;
    }

    fn hurt(&mut self, tick: &mut Tick<'_>, number: u16) {
        let Some(unit) = self.units.get_mut(usize::from(number)) else { return };
        unit.health = unit.health.saturating_sub(DAMAGE);
        if unit.health == 0 {
            unit.goal = Goal::Stand;
            if let Some(body) = unit.body.take() {
                let _ = tick.apply(Command::Remove { body }); // it existed
            }
        }
    }
}

/// The number of the unit of a collider.
fn unit_hit(tick: &Tick<'_>, with: Collider) -> Option<u16> {
    let Collider::Body(body) = with else { return None };
    let body = tick.world().body(body).filter(|body| body.layer < PLAYERS_MAX)?;
    u16::try_from(body.user).ok()
}

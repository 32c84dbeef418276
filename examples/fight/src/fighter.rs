//! A fighter: its action, and its reaction to a player's keys.

use bitstep::{
    geom::{Vec3, vec2},
    num::Scalar,
    session::Tick,
    state::{BodyId, Collider, Command, ShapeId},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::{
    Input,
    moves::{BUFFER, DROP_TICKS, JUMP_ALONG, JUMP_UP, WALK, attack_of},
    orders::{apply, frozen},
    shots::Shot,
    stage::{PLATFORM, Pose},
};

/// The action of a fighter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Doing {
    /// Stands, walks or is in the air, and may begin any action.
    Free,
    /// Blocks, as long as the key is held.
    Block,
    /// A punch.
    Punch,
    /// A kick.
    Kick,
    /// Fires a shot.
    Fire,
    /// Tries to grab the other.
    Throw,
    /// Was hit, and is stunned.
    Hurt,
    /// Has blocked an attack, and keeps blocking.
    Guard,
}

/// One of two fighters: all its saved state except the body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighter {
    /// Its body.
    pub body: BodyId,
    /// True if it faces smaller x.
    pub faces_left: bool,
    /// From 100 down to 0.
    pub health: u8,
    /// Number of rounds that it has won.
    pub wins: u16,
    /// The action.
    pub doing: Doing,
    /// Number of ticks of the action; frozen ticks do not count.
    pub frame: u8,
    /// Number of ticks that it is still stunned.
    pub stun: u8,
    /// True if the present attack has hit: it does so once.
    pub has_struck: bool,
    /// True if a body below carried it in the last tick.
    pub grounded: bool,
    /// True if that body was the platform.
    pub on_platform: bool,
    /// Its flying shot.
    pub shot: Option<Shot>,
    /// True if it is frozen in this tick: hit stop.
    pub frozen: bool,
    /// The keys of the last tick.
    keys: Input,
    /// The keys that were pressed and wait to be obeyed, and the number of ticks for which they still do.
    wanted: Input,
    patience: u8,
}

/// The health of a fighter that has not been hit.
pub const HEALTH: u8 = 100;

impl Fighter {
    /// A fighter with a body, ready.
    #[must_use]
    pub const fn new(body: BodyId, faces_left: bool) -> Self {
        Self {
            body,
            faces_left,
            health: HEALTH,
            wins: 0,
            doing: Doing::Free,
            frame: 0,
            stun: 0,
            has_struck: false,
            grounded: true,
            on_platform: false,
            shot: None,
            frozen: false,
            keys: Input::NONE,
            wanted: Input::NONE,
            patience: 0,
        }
    }

    /// Obeys the keys as far as it can. `other` is the other's position at the beginning of the tick.
    pub fn act(&mut self, tick: &mut Tick<'_>, keys: Input, other: Scalar) {
        self.hear(keys);
        self.frozen = frozen(tick.world(), self.body) > 0;
        if self.frozen {
            return;
        }
        self.pass_time();
        if matches!(self.doing, Doing::Free | Doing::Block) {
            self.turn_to(tick, other);
            self.drop_through(tick, keys);
            self.choose(keys);
        }
        self.dress(tick);
        self.move_on(tick, keys);
        if self.doing == Doing::Fire && self.is_active() {
            self.fire(tick);
        }
    }

    /// True if its attack is active in this tick.
    #[must_use]
    pub fn is_active(&self) -> bool {
        attack_of(self.doing).is_some_and(|attack| attack.is_active(self.frame))
    }

    /// True if it cannot begin an action.
    #[must_use]
    pub const fn is_helpless(&self) -> bool {
        matches!(self.doing, Doing::Hurt | Doing::Guard)
    }

    /// Begins another action.
    pub const fn begin(&mut self, doing: Doing) {
        self.doing = doing;
        self.frame = 0;
        self.has_struck = false;
    }

    /// The mirror image, with mirrored keys.
    #[must_use]
    pub const fn in_a_mirror(mut self) -> Self {
        self.keys = self.keys.mirrored();
        self.wanted = self.wanted.mirrored();
        self
    }

    /// A vector given for a fighter that faces right, for this one.
    #[must_use]
    pub fn facing(&self, vector: Vec3) -> Vec3 {
        if self.faces_left { vec2(-vector.x, vector.y) } else { vector }
    }

    /// Learns from a tick whether a body carries it. Landing ends a punch or a kick.
    pub fn land(&mut self, report: &TickReport) {
        if self.frozen {
            return;
        }
        let was_up = !self.grounded;
        self.grounded = carriers(self.body, report).next().is_some();
        self.on_platform = carriers(self.body, report).any(|by| by == PLATFORM);
        if was_up && self.grounded && matches!(self.doing, Doing::Punch | Doing::Kick) {
            self.begin(Doing::Free);
        }
    }

    /// Stores the newly pressed keys.
    const fn hear(&mut self, keys: Input) {
        let pressed = keys.without(self.keys);
        self.keys = keys;
        if pressed.0 != 0 {
            (self.wanted, self.patience) = (pressed, BUFFER);
        } else if self.patience > 0 {
            self.patience -= 1;
        } else {
            self.wanted = Input::NONE;
        }
    }

    /// Advances the action by a tick; at its end the fighter is free.
    fn pass_time(&mut self) {
        self.frame = self.frame.saturating_add(1);
        self.stun = self.stun.saturating_sub(1);
        let is_over = match attack_of(self.doing) {
            Some(attack) => self.frame >= attack.length(),
            None => self.is_helpless() && self.stun == 0,
        };
        if is_over {
            self.begin(Doing::Free);
        }
    }

    /// Faces the other; where both are in one place it keeps its direction.
    fn turn_to(&mut self, tick: &Tick<'_>, other: Scalar) {
        let here = tick.world().body(self.body).map_or(other, |body| body.position.x);
        if self.grounded && here != other {
            self.faces_left = other < here;
        }
    }

    /// Lets go of the platform: a fighter that blocks there and wants to jump falls through it.
    fn drop_through(&mut self, tick: &mut Tick<'_>, keys: Input) {
        if self.on_platform && keys.has(Input::BLOCK) && self.wanted.has(Input::JUMP) {
            self.wanted = Input::NONE;
            (self.grounded, self.on_platform) = (false, false);
            self.begin(Doing::Free);
            apply(tick, Command::IgnorePair { a: self.body, b: PLATFORM, ticks: DROP_TICKS });
        }
    }

    /// Begins the requested action.
    fn choose(&mut self, keys: Input) {
        let asked = [
            (Input::THROW, Doing::Throw, self.grounded),
            (Input::PUNCH, Doing::Punch, true),
            (Input::KICK, Doing::Kick, true),
            (Input::FIRE, Doing::Fire, self.grounded && self.shot.is_none()),
        ];
        for (key, doing, may) in asked {
            if may && self.wanted.has(key) {
                self.wanted = Input::NONE;
                return self.begin(doing);
            }
        }
        let blocks = keys.has(Input::BLOCK) && self.grounded;
        if blocks != (self.doing == Doing::Block) {
            self.begin(if blocks { Doing::Block } else { Doing::Free });
        }
    }

    /// Takes the pose of this tick.
    fn dress(&self, tick: &mut Tick<'_>) {
        let (set, mirrored) = (self.pose().set(), self.faces_left);
        let wears = tick.world().body(self.body).map(|body| body.shape);
        if wears != Some(ShapeId::of_compound(set, mirrored)) {
            apply(
                tick,
                Command::SetCompound { body: self.body, compound: set, mirrored, allow_overlap: false },
            );
        }
    }

    /// The pose of this tick.
    #[must_use]
    pub fn pose(&self) -> Pose {
        match (attack_of(self.doing), self.doing) {
            (Some(attack), _) if attack.is_active(self.frame) => attack.pose,
            (Some(_), _) => Pose::Reach,
            (None, Doing::Hurt) => Pose::Hurt,
            (None, _) if self.grounded => Pose::Stand,
            (None, _) => Pose::Jump,
        }
    }

    /// Walks, jumps or slides. In the air a fighter cannot change its direction.
    fn move_on(&mut self, tick: &mut Tick<'_>, keys: Input) {
        if !self.grounded {
            return;
        }
        let Some(now) = tick.world().body(self.body).map(|body| body.velocity()) else { return };
        let along = |speed: Scalar| Scalar::from_bits(keys.direction() * speed.to_bits());
        let velocity = match self.doing {
            Doing::Free if self.wanted.has(Input::JUMP) => {
                self.wanted = Input::NONE;
                self.grounded = false;
                vec2(along(JUMP_ALONG), JUMP_UP)
            }
            Doing::Free => vec2(along(WALK), Scalar::ZERO),
            Doing::Hurt | Doing::Guard => vec2(slowed(now.x), Scalar::ZERO),
            _ => Vec3::ZERO,
        };
        apply(tick, Command::SetVelocity { body: self.body, velocity });
    }

    fn fire(&mut self, tick: &mut Tick<'_>) {
        let Some(place) = tick.world().body(self.body).map(|body| body.position) else { return };
        self.shot = Shot::fire(tick, place, |vector| self.facing(vector));
    }
}

/// Seven eighths of a speed. **Rounding**: towards zero, so that left and right are the same.
fn slowed(speed: Scalar) -> Scalar {
    Scalar::from_bits(speed.to_bits() / 8 * 7)
}

/// The bodies that pushed a body up in a tick. The listed impulse is the one on B from A.
fn carriers(body: BodyId, report: &TickReport) -> impl Iterator<Item = Collider> {
    report.impulses.iter().filter_map(move |push| {
        let up = push.impulse.y;
        if push.a == body && up < Scalar::ZERO {
            return Some(push.b);
        }
        (push.b == Collider::Body(body) && up > Scalar::ZERO).then_some(Collider::Body(push.a))
    })
}

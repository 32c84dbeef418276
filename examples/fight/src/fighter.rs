//! A fighter: what it does now, and what a player's keys make of that.

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

/// What a fighter does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Doing {
    /// Stands, walks or is in the air, and may do anything.
    Free,
    /// Blocks, as long as the key is held.
    Block,
    /// A punch.
    Punch,
    /// A kick.
    Kick,
    /// Lets a shot go.
    Fire,
    /// Tries to take hold of the other.
    Throw,
    /// Was hit, and is helpless.
    Hurt,
    /// Has blocked something, and goes on blocking.
    Guard,
}

/// One of two fighters: all that is saved of it but its body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighter {
    /// Its body.
    pub body: BodyId,
    /// True if it looks towards smaller x.
    pub faces_left: bool,
    /// From 100 down to 0.
    pub health: u8,
    /// How many rounds it has won.
    pub wins: u16,
    /// What it does.
    pub doing: Doing,
    /// For how many ticks; those in which it is frozen do not count.
    pub frame: u8,
    /// For how many ticks it is still helpless.
    pub stun: u8,
    /// True if the attack under way has struck: it does so once.
    pub has_struck: bool,
    /// True if something below carried it in the last tick.
    pub grounded: bool,
    /// True if that was the platform.
    pub on_platform: bool,
    /// What it has let fly.
    pub shot: Option<Shot>,
    /// True if it is frozen in this tick: hit stop.
    pub frozen: bool,
    /// The keys of the last tick.
    keys: Input,
    /// The keys that were pressed and wait to be obeyed, and for how long they still do.
    wanted: Input,
    patience: u8,
}

/// The health of who was not hit yet.
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

    /// Does what the keys ask for, as far as it can. `other` is where the other one was when the tick began.
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

    /// True if what it does is dangerous in this tick.
    #[must_use]
    pub fn is_active(&self) -> bool {
        attack_of(self.doing).is_some_and(|attack| attack.is_active(self.frame))
    }

    /// True if it can do nothing of its own.
    #[must_use]
    pub const fn is_helpless(&self) -> bool {
        matches!(self.doing, Doing::Hurt | Doing::Guard)
    }

    /// Begins something else.
    pub const fn begin(&mut self, doing: Doing) {
        self.doing = doing;
        self.frame = 0;
        self.has_struck = false;
    }

    /// With the keys that it knows of as they are in a mirror.
    #[must_use]
    pub const fn in_a_mirror(mut self) -> Self {
        self.keys = self.keys.mirrored();
        self.wanted = self.wanted.mirrored();
        self
    }

    /// A vector that is given for who faces right.
    #[must_use]
    pub fn facing(&self, vector: Vec3) -> Vec3 {
        if self.faces_left { vec2(-vector.x, vector.y) } else { vector }
    }

    /// Learns from a tick whether something carries it. Who lands in the midst of a punch or a kick is free.
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

    /// Remembers the keys that are new.
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

    /// Another tick of what it does; at its end it is free.
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

    /// Looks at the other; where both are in one place it looks where it did.
    fn turn_to(&mut self, tick: &Tick<'_>, other: Scalar) {
        let here = tick.world().body(self.body).map_or(other, |body| body.position.x);
        if self.grounded && here != other {
            self.faces_left = other < here;
        }
    }

    /// Lets go of the platform: whoever blocks there and wants to jump falls through it.
    fn drop_through(&mut self, tick: &mut Tick<'_>, keys: Input) {
        if self.on_platform && keys.has(Input::BLOCK) && self.wanted.has(Input::JUMP) {
            self.wanted = Input::NONE;
            (self.grounded, self.on_platform) = (false, false);
            self.begin(Doing::Free);
            apply(tick, Command::Except { a: self.body, b: PLATFORM, ticks: DROP_TICKS });
        }
    }

    /// Begins what was asked for.
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
        if wears != Some(ShapeId::of_set(set, mirrored)) {
            apply(tick, Command::SetShapes { body: self.body, set, mirrored, allow_overlap: false });
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

    /// Walks, jumps or slides. In the air nobody can change where it goes.
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

/// What pushed a body up in a tick. What is listed is what B got from A.
fn carriers(body: BodyId, report: &TickReport) -> impl Iterator<Item = Collider> {
    report.impulses.iter().filter_map(move |push| {
        let up = push.impulse.y;
        if push.a == body && up < Scalar::ZERO {
            return Some(push.b);
        }
        (push.b == Collider::Body(body) && up > Scalar::ZERO).then_some(Collider::Body(push.a))
    })
}

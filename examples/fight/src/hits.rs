//! The hits of a tick. All are found before any has an effect, so no slot comes first, and a trade is a
//! trade.

use bitstep::{
    World,
    geom::vec2,
    num::Scalar,
    overlap::overlap_shapes,
    session::Tick,
    state::{Body, BodyId, Collider},
};

use crate::{
    Attack, Doing, Fighter, attack_of,
    moves::{BREAK, SHOT},
    orders::stop,
    stage::Layer,
};

/// A hit on a fighter in a tick.
#[derive(Clone, Copy, Debug)]
struct Blow {
    attack: &'static Attack,
    /// True if it comes from smaller x.
    from_left: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Strike,
    Throw,
    Shot,
}

/// Applies the hits of both fighters on each other in the tick that was stepped.
pub fn judge(tick: &mut Tick<'_>, fighters: &mut [Fighter; 2]) {
    let blows = [0, 1].map(|victim: usize| find(tick, [&fighters[1 - victim], &fighters[victim]]));
    let shots = shots(tick, fighters);
    let blows = throws_give_way(blows);
    for (victim, blow) in blows.iter().enumerate() {
        if let Some(blow) = blow.filter(|blow| blow.attack.damage > 0) {
            strike(tick, &mut fighters[1 - victim], blow);
        }
    }
    for (victim, blow) in blows.into_iter().enumerate() {
        for blow in [shots[victim], blow].into_iter().flatten() {
            suffer(tick, &mut fighters[victim], blow);
        }
    }
}

/// The hit of one fighter on the other with hands and feet.
fn find(tick: &Tick<'_>, [attacker, victim]: [&Fighter; 2]) -> Option<Blow> {
    let attack = attack_of(attacker.doing)?;
    if !attacker.is_active() || attacker.has_struck || attacker.frozen {
        return None;
    }
    let (kind, layers) = match attacker.doing {
        Doing::Throw => (Kind::Throw, [Layer::Throw, Layer::Push]),
        _ => (Kind::Strike, [Layer::Hit, Layer::Hurt]),
    };
    let may = kind == Kind::Strike || (victim.grounded && !victim.is_helpless());
    let meets = may && touch(tick, [attacker.body, victim.body], layers);
    meets.then_some(Blow { attack, from_left: !attacker.faces_left, kind })
}

/// The hits of shots; used shots are removed.
fn shots(tick: &mut Tick<'_>, fighters: &mut [Fighter; 2]) -> [Option<Blow>; 2] {
    let bodies = [0, 1].map(|index: usize| fighters[index].shot.map(|shot| shot.body));
    let clash = match bodies {
        [Some(a), Some(b)] => touch(tick, [a, b], [Layer::Shot; 2]),
        _ => false,
    };
    let mut blows = [None; 2];
    for owner in [0, 1] {
        let Some(mut shot) = fighters[owner].shot else { continue };
        let victim = &fighters[1 - owner];
        let meets = !clash && touch(tick, [shot.body, victim.body], [Layer::Shot, Layer::Hurt]);
        if meets {
            let from_left = tick.world().body(shot.body).is_some_and(|body| body.velocity().x > 0);
            blows[1 - owner] = Some(Blow { attack: &SHOT, from_left, kind: Kind::Shot });
        }
        shot.left = shot.left.saturating_sub(1);
        let is_spent = clash || meets || shot.left == 0 || shot.meets_the_stage(tick);
        fighters[owner].shot = (!is_spent).then_some(shot);
        if is_spent {
            shot.end(tick);
        }
    }
    blows
}

/// A throw fails if the thrower is hit in the same tick; two throws break each other.
fn throws_give_way(blows: [Option<Blow>; 2]) -> [Option<Blow>; 2] {
    let kinds = blows.map(|blow| blow.map(|blow| blow.kind));
    if kinds == [Some(Kind::Throw); 2] {
        return blows.map(|blow| blow.map(|blow| Blow { attack: &BREAK, ..blow }));
    }
    [0, 1].map(|victim: usize| {
        let gives_way = kinds[victim] == Some(Kind::Throw) && kinds[1 - victim] == Some(Kind::Strike);
        blows[victim].filter(|_| !gives_way)
    })
}

/// The effect of a hit on its attacker: the attack is done, and both stand still.
fn strike(tick: &mut Tick<'_>, attacker: &mut Fighter, blow: Blow) {
    attacker.has_struck = true;
    let Some(velocity) = tick.world().body(attacker.body).map(Body::velocity) else { return };
    stop(tick, attacker.body, blow.attack.stop, velocity);
}

/// The effect of a hit on its victim.
fn suffer(tick: &mut Tick<'_>, victim: &mut Fighter, blow: Blow) {
    let Blow { attack, from_left, kind } = blow;
    // From either side: a fighter that blocks need not turn round in time.
    let guards = matches!(victim.doing, Doing::Block | Doing::Guard);
    let is_blocked = guards && victim.grounded && kind != Kind::Throw;
    let push = if is_blocked { vec2(attack.push.x, Scalar::ZERO) } else { attack.push };
    victim.begin(if is_blocked { Doing::Guard } else { Doing::Hurt });
    victim.stun = if is_blocked { attack.guard } else { attack.stun };
    if !is_blocked {
        victim.health = victim.health.saturating_sub(attack.damage);
        victim.grounded &= push.y == 0;
    }
    let push = if from_left { push } else { vec2(-push.x, push.y) };
    stop(tick, victim.body, attack.stop, push);
}

/// True if a child shape of one on a layer overlapped a child shape of the other on another in the tick that was stepped.
///
/// Events list overlaps that began or ended, however short they were. An overlap for the whole tick has no
/// event, and exists now.
fn touch(tick: &Tick<'_>, bodies: [BodyId; 2], layers: [Layer; 2]) -> bool {
    let world = tick.world();
    let came_or_went = tick.report().events.iter().any(|event| {
        let Collider::Body(b) = event.b else { return false };
        let (pair, children) = if event.a == bodies[0] {
            ([event.a, b], event.children)
        } else {
            ([b, event.a], [event.children[1], event.children[0]])
        };
        pair == bodies
            && [0, 1].into_iter().all(|side: usize| is_on(world, pair[side], children[side], layers[side]))
    });
    came_or_went || overlap_now(world, bodies, layers)
}

fn is_on(world: &World, body: BodyId, child: u8, layer: Layer) -> bool {
    world.body(body).is_some_and(|body| {
        let solid = body.solids(world.scenery()).nth(child.into());
        solid.is_some_and(|solid| solid.layer.unwrap_or(body.layer) == layer as u8)
    })
}

fn overlap_now(world: &World, bodies: [BodyId; 2], layers: [Layer; 2]) -> bool {
    let [Some(a), Some(b)] = bodies.map(|body| world.body(body)) else { return false };
    let on = |body: &Body, layer: Layer, child: Option<u8>| child.unwrap_or(body.layer) == layer as u8;
    a.solids(world.scenery()).filter(|solid| on(a, layers[0], solid.layer)).any(|first| {
        let mut others = b.solids(world.scenery()).filter(|solid| on(b, layers[1], solid.layer));
        others.any(|second| {
            let offset = (b.position + second.offset) - (a.position + first.offset);
            overlap_shapes(&first.shape, &second.shape, offset)
        })
    })
}

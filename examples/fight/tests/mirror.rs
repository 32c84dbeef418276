//! No slot and no side is favoured: the mirror image of a match, with the slots exchanged, is the match, to
//! the bit.
#![allow(missing_docs)]

use bitstep::{geom::Vec3, session::Session, state::BodyId, tick::TickReport};
use fight::{Doing, Fight, Fighter, initial_state, script::script};

/// All state of one fighter and its shot except the names of their bodies, as seen from its own side.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    fighter: Fighter,
    bodies: Vec<[Vec3; 2]>,
}

const NO_BODY: BodyId = BodyId::from_parts(0, 0);

/// The fighters in the order of their sides; in a mirror, if asked for, with the slots exchanged.
fn seen(state: &Session<Fight>, in_a_mirror: bool) -> [Seen; 2] {
    let image = |vector: Vec3| if in_a_mirror { Vec3::new(-vector.x, vector.y, vector.z) } else { vector };
    [0, 1].map(|side: usize| {
        let slot = if in_a_mirror { 1 - side } else { side };
        let mut fighter = state.game().fighters[slot].clone();
        let ids = [Some(fighter.body), fighter.shot.map(|shot| shot.body)];
        let bodies = ids.into_iter().flatten().map(|id| state.world().body(id).unwrap());
        let bodies = bodies.map(|body| [image(body.position), image(body.momentum)]).collect();
        fighter.body = NO_BODY;
        if let Some(shot) = &mut fighter.shot {
            shot.body = NO_BODY;
        }
        fighter.faces_left ^= in_a_mirror;
        let keys = if in_a_mirror { fighter.in_a_mirror() } else { fighter };
        Seen { fighter: keys, bodies }
    })
}

#[test]
fn a_match_in_a_mirror_with_its_slots_exchanged_is_the_match() {
    let (mut trades, mut shots, mut hurt) = (0, 0, 0);
    for seed in 1..=6 {
        let script = script(seed, 2_500).unwrap();
        let (mut plain, mut mirrored) = (initial_state().unwrap(), initial_state().unwrap());
        let mut report = TickReport::default();
        for (tick, [left, right]) in (1..).zip(&script.inputs) {
            plain.tick(&[*left, *right], &mut report);
            mirrored.tick(&[right.mirrored(), left.mirrored()], &mut report);
            assert_eq!(seen(&plain, false), seen(&mirrored, true), "seed {seed}, tick {tick}");
            let fighters = &plain.game().fighters;
            let count = |is: fn(&Fighter) -> bool| fighters.iter().filter(|fighter| is(fighter)).count();
            let struck = count(|fighter| fighter.doing == Doing::Hurt && fighter.frame == 0);
            (hurt, trades) = (hurt + struck, trades + usize::from(struck == 2));
            shots += usize::from(count(|fighter| fighter.shot.is_some()) == 2);
        }
        assert_eq!(plain.game().round, mirrored.game().round);
        assert_eq!(plain.game().clock, mirrored.game().clock);
    }
    // It was a fight.
    assert!(hurt > 1_000 && trades > 5 && shots > 50, "{hurt} ticks, {trades} of both, {shots} of two shots");
}

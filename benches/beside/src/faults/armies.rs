//! Friends, foes and orders: the counts of armies, and that every engine drives them.

use bitstep::geom::Vec3;
use glam::DQuat;

use super::{
    tests::{Drawn, flight, scene, straight},
    *,
};
use crate::{
    engines::ENTRANTS,
    fixed,
    scenes::{
        self,
        armies::{Army, Orders},
    },
    timing,
};

/// The faults when balls of radius .25 of these sides are shown so, tick after tick.
fn found(sides: &[u8], ticks: Vec<Vec<Moment>>) -> Faults {
    let army = Army { sides: sides.to_vec(), goals: Vec::new(), ticks: 0 };
    let scene = Scene { army: Some(army), ..scene() };
    let mut ticks = ticks.into_iter().map(|moments| Drawn { moments, impacts: None });
    let mut watch = Watch::new(&scene, &ticks.next().unwrap());
    ticks.for_each(|tick| watch.look(&tick, &[]));
    watch.finish()
}

/// Balls that stand so far from each other along x.
fn stand(places: [f64; 3]) -> Vec<Moment> {
    straight(&places.map(|x| [[x, 0.0], [0.0, 0.0]]))
}

#[test]
fn overlaps_of_friends_are_no_overlaps_of_foes() {
    let faults =
        found(&[0, 0, 1], vec![stand([0.0, 0.5, 1.0]), stand([0.0, 0.4, 0.85]), stand([0.0, 0.45, 1.0])]);
    let [deepest, [most, last]] = [[faults.deepest.unwrap(); 2], faults.friends.unwrap()];
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(deepest[0], 0.2) && near(most, 0.4) && near(last, 0.2), "{deepest:?} {most} {last}");
    let faults = found(&[2, 2, 2], vec![stand([0.0, 0.5, 1.0]), stand([0.0, 0.4, 0.85])]);
    assert_eq!(faults.deepest, None, "no pair is solid");
}

#[test]
fn foes_pass_through_each_other_and_friends_need_not() {
    let ways = flight(&[[[-1.0, 0.0], [0.5, 0.0]], [[1.0, 0.1], [-0.5, 0.0]]], 4);
    assert_eq!(found(&[0, 1], ways.clone()).bodies_passed, 1);
    assert_eq!(found(&[1, 1], ways).bodies_passed, 0);
}

#[test]
fn armies_begin_apart_and_are_sent_where_the_others_stood() {
    for name in ["march:2000", "blob:2000", "crossing:2000", "crossing:7", "march:1"] {
        let scene = scenes::scene(name).unwrap();
        let army = scene.army.as_ref().unwrap();
        assert_eq!([army.sides.len(), army.goals.len()], [scene.bodies.len(); 2], "{name}");
        let still = || {
            scene.bodies.iter().map(|start| Moment {
                position: double(start.position),
                velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
            })
        };
        let drawn = || Drawn { moments: still().collect(), impacts: None };
        let mut watch = Watch::new(&scene, &drawn());
        watch.look(&drawn(), &vec![Vec3::ZERO; scene.bodies.len()]);
        let faults = watch.finish();
        assert_eq!((faults.friends, faults.escaped), (Some([0.0; 2]), 0), "{name}");
        assert_eq!(faults.deepest, name.starts_with("crossing").then_some(0.0), "{name}");
    }
    let scene = scenes::scene("crossing:2000").unwrap();
    let army = scene.army.unwrap();
    let middle = |side: u8| {
        let of_side = || (0..2_000).filter(|&unit| army.sides[unit] == side);
        let ends =
            of_side().map(|unit| [double(scene.bodies[unit].position).x, double(army.goals[unit].point).x]);
        ends.fold([0.0; 2], |sum, ends| [0, 1].map(|end| sum[end] + ends[end] / 1_000.0))
    };
    let [[from, to], [other_from, other_to]] = [0, 1].map(middle);
    assert!((from - other_to).abs() < 0.1 && (to - other_from).abs() < 0.1 && from < -20.0);
}

/// A standing unit stays where it is nudged to, and returns to its target from where it is pushed to.
#[test]
fn a_unit_that_is_pushed_off_goes_there_again() {
    let army = scenes::scene("march:1").unwrap().army.unwrap();
    let (goal, mut orders) = (army.goals[0].point, Orders::new(&army));
    let mut wanted = |off: Vec3| {
        let at = goal + off;
        let wanted = (0..4).map(|_| orders.velocities([at].into_iter())[0]).last().unwrap();
        (double(wanted), orders.not_there([at].into_iter()))
    };
    let x = |raw: f64| fixed(DVec3::X * raw);
    assert_eq!(wanted(x(-9.0)), (DVec3::X * 4.0, 1));
    assert_eq!(wanted(x(-0.4)).0.x.round(), 2.0, "slower, so as to be there in four ticks");
    assert_eq!(wanted(x(-0.2)).1, 0, "near enough");
    assert_eq!(wanted(x(0.01)), (DVec3::ZERO, 0));
    assert_eq!(wanted(x(0.2)), (DVec3::ZERO, 0));
    assert_eq!(wanted(x(0.3)).1, 1);
    assert!(wanted(x(0.3)).0.x < 0.0);
}

#[test]
fn every_engine_drives_an_army_to_where_it_was_sent() {
    for entrant in ENTRANTS {
        let scene = scenes::scene("march:30").unwrap();
        let mut engine = (entrant.build)(&scene);
        let wanted = vec![Vec3::from_raw([4 << 32, 0, 0]); 30];
        for speed in [1.0, 2.0, 3.0, 4.0, 4.0] {
            engine.tick(&wanted);
            let moments = engine.read();
            assert!(moments.iter().all(|now| (now.velocity.x - speed).abs() < 1e-5), "{}", entrant.name);
        }
        let faults = timing::watch(entrant, &scene);
        assert_eq!(faults.not_there, Some(0), "{}", entrant.name);
        assert!(faults.speed.unwrap() < 1e-3, "{}", entrant.name);
    }
}

#[test]
fn friends_are_soft_and_foes_solid_in_bitstep() {
    let faults = timing::watch(ENTRANTS[0], &scenes::scene("crossing:100").unwrap());
    let [most, _] = faults.friends.unwrap();
    assert!(most > 0.2, "friends overlap by {most}");
    assert!(faults.deepest == Some(0.0) && faults.bodies_passed == 0, "foes by {:?}", faults.deepest);
    assert_eq!(faults.not_there, Some(0));
}

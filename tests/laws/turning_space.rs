//! Space is fair to rotating bodies: a mirrored, permuted or translated world is the image, bit for bit.

use bitstep::{
    geom::{Rotation, Vec3},
    state::{Body, Spawn, Spin},
    tick::{AngularLedger, Cause, Impact, Ledger, TickReport},
};

use crate::{
    support::{change::Change, every, v},
    tumblers::{BALL, BRICK, CUBE, ROD, Scene, add_paddle, floor, ground, heap, solids, turned},
};

fn changes() -> impl Iterator<Item = Change> {
    Change::all(Change::ORDERS).step_by(every(5))
}

fn image_of_body(body: &Body, change: &Change) -> Body {
    let spin = body.spin.map(|spin| Spin {
        orientation: change.rotation(spin.orientation),
        angular_momentum: change.turning(spin.angular_momentum),
    });
    let (position, momentum) = (change.point(body.position), change.vector(body.momentum));
    Body { position, momentum, spin, locks: change.locks(body.locks), ..*body }
}

fn image_of_report(report: &TickReport, change: &Change) -> TickReport {
    let line = |line: [i128; 3]| {
        [0, 1, 2].map(|axis: usize| i128::from(change.signs[axis]) * line[change.axes[axis]])
    };
    let mut ledger = report.ledger;
    Cause::ALL.iter().for_each(|&cause| ledger[cause] = line(ledger[cause]));
    let turn = |impact: &Impact| Impact { normal: change.normal(impact.normal), ..*impact };
    let angular = image_of_angular(&report.angular, &ledger, change);
    let mut image = report.clone();
    (image.impacts, image.ledger, image.angular) =
        (report.impacts.iter().map(turn).collect(), ledger, angular);
    image
}

/// A translated world has additional lines about the origin: the moments of its lines of momentum.
fn image_of_angular(ours: &AngularLedger, ledger: &Ledger, change: &Change) -> AngularLedger {
    let shift = change.shift.raw().map(i128::from);
    let line = |line: [i128; 3], momentum: [i128; 3]| {
        [0, 1, 2].map(|axis: usize| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            let moved = shift[next] * momentum[last] - shift[last] * momentum[next];
            i128::from(change.hand() * change.signs[axis]) * line[change.axes[axis]] + 2 * moved
        })
    };
    let mut image = *ours;
    for &cause in Cause::ALL {
        image[cause] = match cause {
            Cause::Commands => [0; 3], // the angular ledger has none
            _ => line(ours[cause], ledger[cause]),
        };
    }
    image
}

/// The tick after which a world is not the image, and the difference.
fn first_difference(scene: &Scene, change: &Change, ticks: u64) -> Option<String> {
    let (mut here, mut there) = (scene.world(), scene.changed(change));
    let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
    for tick in 0..ticks {
        here.step(&mut ours);
        there.step(&mut theirs);
        for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
            let image = image_of_body(ours, change);
            if *theirs != image {
                let off = |a: Vec3, b: Vec3| (a - b).raw();
                let spins = [theirs, &image].map(|body| body.spin.unwrap());
                return Some(format!(
                    "tick {tick}, {id}: place {:?} momentum {:?} angular {:?} orientation {:?} {:?}",
                    off(theirs.position, image.position),
                    off(theirs.momentum, image.momentum),
                    off(spins[0].angular_momentum, spins[1].angular_momentum),
                    spins[0].orientation.components(),
                    spins[1].orientation.components(),
                ));
            }
        }
        if theirs != image_of_report(&ours, change) {
            return Some(format!("tick {tick}: {theirs:?}\n{ours:?}"));
        }
    }
    None
}

/// Runs a scene and its images.
///
/// # Panics
///
/// If a world is not the image.
pub fn assert_unnoticed(name: &str, scene: &Scene, ticks: u64) {
    let shifts = [v("1000", "-2000", "0.5"), v("-16000", "16000", "0.0000000003")];
    let shifts = shifts.map(|shift| Change { shift, ..Change::NONE });
    let found: Vec<String> = (changes().chain(shifts))
        .filter_map(|change| {
            first_difference(scene, &change, ticks).map(|found| format!("{change:?}: {found}"))
        })
        .collect();
    assert!(
        found.is_empty(),
        "{name}: {} of 50 differ\n{}",
        found.len(),
        found[..found.len().min(3)].join("\n")
    );
}

/// Number of bodies of a world that have rotated since it began.
fn turned_in(scene: &Scene, ticks: u64) -> usize {
    let (mut world, mut report) = (scene.world(), TickReport::default());
    (0..ticks).for_each(|_| world.step(&mut report));
    let differs =
        |(body, spawn): &(&Body, &Spawn)| body.spin.is_some_and(|spin| spin.orientation != spawn.orientation);
    world.bodies().map(|(_, body)| body).zip(&scene.spawns).filter(differs).count()
}

#[test]
fn a_brick_that_falls_on_its_edge() {
    for rate in [10, 60] {
        let mut scene = Scene::new(rate, floor(("0.3", "0.5")));
        scene.add(BRICK, 5, v("0.1", "1.2", "-0.3"), turned("5", "1", "-2", "3"));
        assert_unnoticed("a brick", &scene, 200);
        assert_eq!(turned_in(&scene, 200), 1);
    }
}

#[test]
fn a_brick_that_falls_askew_between_symmetric_edges() {
    for rate in [20, 120] {
        let mut scene = Scene::new(rate, floor(("0", "1")));
        scene.add(CUBE, 5, v("0", "1.2", "0"), turned("2", "0", "0", "1"));
        assert_unnoticed("a cube", &scene, 200);
        assert_eq!(turned_in(&scene, 200), 1);
    }
}

#[test]
fn a_rod_on_a_slope() {
    for (rate, friction) in [(10, "0.3"), (60, "0.3"), (60, "1")] {
        let mut scene = Scene::new(rate, ground(("0.2", friction), &solids(), &[([3, 4, 1], Vec3::ZERO)]));
        scene.add(ROD, 5, v("0.3", "0.6", "0.1"), turned("3", "0", "1", "2"));
        assert_unnoticed("a rod", &scene, 200);
        assert_eq!(turned_in(&scene, 200), 1);
    }
}

#[test]
fn a_ball_that_rolls() {
    for rate in [10, 60] {
        let mut scene = Scene::new(rate, ground(("0.2", "0.9"), &solids(), &[([1, 5, 2], Vec3::ZERO)]));
        scene.add(BALL, 3, v("0.1", "0.4", "0.2"), Rotation::IDENTITY).velocity = v("0.1", "0", "-0.05");
        assert_unnoticed("a ball", &scene, 200);
        assert_eq!(turned_in(&scene, 200), 1);
    }
}

#[test]
fn a_tower() {
    for rate in [20, 60] {
        let mut scene = Scene::new(rate, floor(("0.2", "0.5")));
        for (mass, y) in (3..).zip(["0.31", "0.92", "1.53", "2.14", "2.75"]) {
            scene.add(CUBE, mass, v("0.01", y, "0.02"), turned("9", "0", "1", "0"));
        }
        assert_unnoticed("a tower", &scene, 200);
    }
}

#[test]
fn a_heap() {
    for (rate, bouncy) in [(60, ("0.2", "0.5")), (20, ("0.9", "0.3"))] {
        let scene = heap(rate, bouncy, 8, 3);
        assert_unnoticed("a heap", &scene, 120);
        assert!(turned_in(&scene, 120) >= 6);
    }
}

#[test]
fn a_paddle_in_a_heap() {
    for rate in [20, 60] {
        let mut scene = heap(rate, ("0.2", "0.5"), 9, 5);
        add_paddle(&mut scene, "2", v("0", "0.3", "0"));
        assert_unnoticed("a paddle", &scene, 200);
        assert!(turned_in(&scene, 200) >= 8);
    }
}

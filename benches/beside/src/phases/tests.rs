//! The phases of a scene, with bodies drawn by hand and in every engine.

use bitstep::num::lit;
use glam::{DQuat, DVec3};

use super::*;
use crate::{
    engines::{ENTRANTS, Engine, RESTING},
    scenes::{self, elastic},
};

/// Bodies at these heights.
fn heights(heights: &[f64]) -> Vec<Moment> {
    let at =
        |&z: &f64| Moment { position: DVec3::Z * z, velocity: DVec3::ZERO, orientation: DQuat::IDENTITY };
    heights.iter().map(at).collect()
}

/// A centimeter per second is a sixth of a millimeter in a tick.
#[test]
fn bodies_that_go_far_enough_in_a_tick_move() {
    let scene = Scene { looks: vec![1, 3], ..elastic(lit("0.5").to_bits(), Default::default()) };
    let mut sight = Sight::default();
    let ticks = [[1.0, 4.0], [1.0, 3.0], [1.0, 2.9999], [1.0, 2.9997]].map(|pair| heights(&pair));
    for (tick, pair) in (1..).zip(ticks.windows(2)) {
        sight.look(&scene, tick, &pair[0], &pair[1]);
    }
    let figures = sight.looks.iter().map(|look| (look.tick, look.mean_height, look.top_height, look.moving));
    assert_eq!(figures.collect::<Vec<_>>(), [(1, 2.0, 3.0, 1.0), (3, (1.0 + 2.9997) / 2.0, 2.9997, 1.0)]);
    assert_eq!(sight.calm, 4, "one of two moves in the last tick");
    sight.look(&scene, 4, &ticks[3], &ticks[3]);
    assert_eq!(sight.calm, 4);
}

#[test]
fn stretch_counts_each_tick_with_the_best_of_its_runs() {
    let scene = scenes::scene("tumble:2").unwrap();
    let phase = Phase { name: "drawn", start: 1, end: 4 };
    let runs = [[9.0, 1.0, 5.0, 3.0, 9.0], [9.0, 2.0, 4.0, 6.0, 9.0]];
    let stretch = stretch(&scene, ENTRANTS[0], &phase, &runs.each_ref().map(|run| &run[..]));
    assert_eq!((stretch.milliseconds.best, stretch.milliseconds.median), (3.0, 4.0));
    assert_eq!(stretch.tick, [3.0, 4.0], "median and worst of 1, 4 and 3");
}

#[test]
fn scenes_keep_their_seconds_at_another_rate() {
    let [plain, fast] =
        ["landing-boxes:100", "landing-boxes:100@240"].map(|name| scenes::scene(name).unwrap());
    assert_eq!(fast.rate, 240);
    let ends = |scene: &Scene| scene.phases.iter().map(|phase| phase.end).collect::<Vec<_>>();
    assert_eq!((ends(&plain), ends(&fast)), (vec![150, 660], vec![600, 2_640]));
    assert_eq!(fast.looks[0], 192);
    assert_eq!(scenes::scene("drop:9@30").unwrap().late.unwrap().0, 345);
    for name in ["march:9@30", "crowd:9@0", "crowd:9@1001", "crowd:9#1", "landing-boxes", "still:9#1x"] {
        assert!(scenes::scene(name).is_none(), "{name}");
    }
}

#[test]
fn another_seed_is_another_landing_of_the_same_scene() {
    let places = |name: &str| -> Vec<_> {
        scenes::scene(name).unwrap().bodies.iter().map(|start| start.position).collect()
    };
    assert_eq!(places("landing-balls:100"), places("landing-balls:100#0"));
    let both = [places("landing-balls:100"), places("landing-balls:100#1")];
    assert!((0..100).all(|body| both[0][body] != both[1][body]));
}

#[test]
fn bodies_begin_apart_and_land_in_their_box_in_every_engine() {
    for kind in ["balls", "boxes", "capsules", "locked"] {
        let full = scenes::scene(&format!("landing-{kind}:1000")).unwrap();
        let begin = (ENTRANTS[0].build)(&full);
        let mut watch = Watch::new(&full, begin.as_ref());
        watch.look(begin.as_ref(), &[]);
        assert_eq!(watch.finish().deepest, Some(0.0), "{kind}");

        let phases = vec![Phase { name: "landing", start: 0, end: 60 }];
        let scene =
            Scene { phases, looks: vec![1, 60], ..scenes::scene(&format!("landing-{kind}:20")).unwrap() };
        let resting = ENTRANTS.into_iter().filter(|entrant| RESTING.contains(&entrant.name));
        let of_engines = resting.map(|entrant| {
            let sight = play(entrant, &scene, true).sight;
            let [first, last] = [0, 1].map(|index| sight.looks[index].mean_height);
            let seen = &sight.seen[0];
            assert_eq!((seen.faults.escaped, seen.awake), (0, 20), "{kind} {}", entrant.name);
            assert!(last < first - 0.05, "{kind} {}: from {first} to {last}", entrant.name);
            last
        });
        let of_engines: Vec<_> = of_engines.collect();
        let is_near = |height: &f64| (height - of_engines[0]).abs() < 0.1;
        assert!(of_engines.len() == 4 && of_engines.iter().all(is_near), "{kind}: {of_engines:?}");
    }
}

/// So instructions count the ticks of a run that was never saved.
#[test]
fn restored_engine_goes_on_as_it_would_have() {
    let drop = scenes::scene("drop:5").unwrap();
    let scene = Scene { late: drop.late.map(|(_, start)| (15, start)), ..drop };
    let saved = |engine: &dyn Engine| engine.save().is_some();
    let mut tested = 0;
    for entrant in ENTRANTS.into_iter().filter(|entrant| saved((entrant.build)(&scene).as_ref())) {
        let mut straight = Run::new(entrant, &scene);
        straight.play_to(20);
        let mut restored = Run::new(entrant, &scene);
        restored.engine.restore(&straight.engine.save().unwrap());
        restored.ticks = straight.ticks;
        for run in [&mut straight, &mut restored] {
            run.play_to(80);
        }
        let places = |run: &Run| run.engine.read().iter().map(|moment| moment.position).collect::<Vec<_>>();
        assert_eq!((places(&straight).len(), places(&straight)), (6, places(&restored)), "{}", entrant.name);
        tested += 1;
    }
    assert_eq!(tested, 5);
}

#[test]
fn a_ball_dropped_on_sleepers_wakes_some_of_them() {
    let heap = scenes::scene("drop:5").unwrap();
    let phases =
        vec![Phase { name: "asleep", start: 199, end: 200 }, Phase { name: "struck", start: 200, end: 260 }];
    let late = heap.late.map(|(_, start)| (200, start));
    let scene = Scene { phases, late, ..heap };
    let seen = play(ENTRANTS[0], &scene, true).sight.seen;
    assert_eq!(seen[0].awake, 0);
    assert!((1..=6).contains(&seen[1].awake), "{}", seen[1].awake);
}

//! The timed work is a rollback: it goes back, and reaches the same state again.

use std::{cell::RefCell, rc::Rc};

use super::*;
use crate::engines;

fn settled(entrant: Entrant) -> Crowd {
    Crowd::settled(entrant, &scene("rollback:60").expect("a scene"))
}

impl Crowd {
    fn checksum(&mut self) -> Checksum {
        Checksum::of(self.engine.bytes())
    }
}

#[test]
fn going_back_changes_nothing_however_states_are_kept() {
    for engine in ["bitstep", "rapier"] {
        let ways: Vec<_> = ENTRANTS.into_iter().filter(|entrant| entrant.engine == engine).collect();
        assert_eq!(ways.len(), 2);
        let mut straight = settled(ways[0]);
        let mut others: Vec<_> = ways.iter().map(|way| settled(*way)).collect();
        for tick in 0..200 {
            straight.tick();
            for (crowd, way) in others.iter_mut().zip(&ways) {
                crowd.tick();
                crowd.frame();
                assert_eq!(crowd.checksum(), straight.checksum(), "{engine} {} {tick}", way.kept_as);
            }
        }
    }
}

#[test]
fn confirmed_tick_is_the_one_after_the_tick_that_a_frame_goes_back_to() {
    for entrant in ENTRANTS {
        let mut crowd = settled(entrant);
        let mut sums = Vec::new();
        for tick in 0..30 {
            crowd.tick();
            sums.push(crowd.checksum());
            let confirmed = crowd.frame().confirmed;
            let now = sums.len();
            if now >= BACK as usize {
                assert_eq!(confirmed, sums[now - BACK as usize], "{} {tick}", entrant.engine);
                assert_ne!(sums[now - 1], sums[now - 2], "the crowd moves");
            }
        }
    }
}

#[test]
fn the_crowd_is_that_of_the_scene_of_ticks() {
    let scene = scene("rollback:60").expect("a scene");
    for entrant in ENTRANTS {
        let (mut crowd, mut steering) = (settled(entrant), Steering::new(&scene));
        let of_ticks = engines::ENTRANTS.into_iter().find(|other| other.name == entrant.engine);
        let mut engine = (of_ticks.expect("an engine").build)(&scene);
        for _ in 0..100 {
            crowd.tick();
        }
        for _ in 0..scene.settling + 100 {
            let moments = engine.read();
            engine.tick(steering.velocities(moments.iter().map(|moment| crate::fixed(moment.position))));
        }
        let positions: Vec<_> = engine.read().iter().map(|moment| crate::fixed(moment.position)).collect();
        assert_eq!(crowd.engine.positions(), positions, "{}", entrant.engine);
    }
}

/// Records its calls.
#[derive(Clone, Default)]
struct Listener {
    heard: Rc<RefCell<Vec<String>>>,
}

impl Listener {
    fn hear(&self, what: &str) {
        self.heard.borrow_mut().push(what.into());
    }
}

impl Rewind for Listener {
    fn positions(&self) -> Vec<Vec3> {
        vec![Vec3::ZERO; 60]
    }

    fn want(&mut self, velocities: &[Vec3]) {
        self.hear(&format!("want {}", velocities.len()));
    }

    fn tick(&mut self) {
        self.hear("tick");
    }

    fn save(&mut self) {
        self.hear("save");
    }

    fn restore(&mut self, back: u64) {
        self.hear(&format!("restore {back}"));
    }

    fn bytes(&mut self) -> &[u8] {
        self.hear("bytes");
        &[]
    }
}

#[test]
fn a_frame_is_a_restore_eight_ticks_each_saved_and_a_checksum() {
    let listener = Listener::default();
    let steering = Steering::new(&scene("rollback:60").expect("a scene"));
    let mut crowd = Crowd { engine: Box::new(listener.clone()), steering };
    crowd.tick();
    assert_eq!(listener.heard.take(), ["want 60", "tick", "save"]);
    crowd.frame();
    let heard = listener.heard.take();
    assert_eq!(heard[..4], ["restore 8", "tick", "save", "bytes"]);
    assert_eq!(heard[4..], ["tick", "save"].repeat(7));
}

#[test]
fn frames_count_with_their_best_run_in_the_last_columns_only() {
    let second: Vec<f64> = (0..1_001).map(f64::from).collect();
    let mut first = second.clone();
    first[..5].fill(9_000.0);
    let spread = Spread::of(&[&first, &second]);
    assert_eq!((spread.best, spread.median), (0.0, 502.0));
    assert_eq!((spread.own_median, spread.p999), (500.0, 9_000.0));
    assert_eq!(spread.own_p999, 999.0);
}

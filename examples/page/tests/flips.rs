//! The button's effect: one number of one peer is changed, and both find tick, phase, body, field and values.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use page::{Duel, Weather};

/// Changes a number and plays until both sides know all about it.
fn flipped(side: usize, place: &str) -> Duel {
    let mut duel = Duel::new(7, 3_000).unwrap();
    duel.set_weather(Weather { latency: 60, jitter: 30, loss: 10, rubbish: 10 });
    (0..200).for_each(|_| duel.advance());
    duel.flip(side, place).unwrap();
    for _ in 0..900 {
        duel.advance();
        if [0, 1].iter().all(|&side| duel.side(side).finding().is_done()) {
            return duel;
        }
    }
    panic!("{place}: {}", duel.flip_words(side));
}

fn lines(duel: &Duel, side: usize) -> BTreeMap<String, String> {
    let text = duel.side(side).finding().lines();
    text.lines().filter_map(|line| line.split_once('\t')).map(|(a, b)| (a.into(), b.into())).collect()
}

#[test]
fn sides_name_tick_phase_body_field_and_values() {
    let cases = [
        (0, "0:pos.x@impacts", "impacts", "body 0", "position.x"),
        (1, "1:pos.y@finish", "finish", "body 1", "position.y"),
        (1, "0:vel.x@integrate", "integrate", "body 0", "momentum.x"),
        (0, "game.fighters[1].health", "end", "fighter 1", "health"),
        (1, "game.clock@orders", "orders", "none: it is of the whole", "game.clock"),
    ];
    for (side, place, phase, body, field) in cases {
        let duel = flipped(side, place);
        let words = duel.flip_words(side);
        for seen_by in [0, 1] {
            let found = lines(&duel, seen_by);
            let told = [&found["phase"], &found["body"], &found["field"]];
            assert_eq!(told, [phase, body, field], "{place} {words} {found:?}");
            assert!(
                words.starts_with(&format!("tick {}, after {phase}: ", found["tick"])),
                "{words} {found:?}"
            );
            // The right side has the old value, the other one the changed value.
            let values = if seen_by == side { ["right", "left"] } else { ["left", "right"] };
            let [was, is] = values.map(|name| &found[name]);
            assert!(words.ends_with(&format!("{was} became {is}")), "{words} {found:?}");
            assert_eq!(found["turned"], "1", "one bit, the lowest");
            assert!(found["of"].starts_with("end\t"), "the last of the phases");
            let agrees = if seen_by == side { "right" } else { "left" };
            assert_eq!(found["rerun"], format!("another run here agrees with the {agrees}"));
        }
    }
}

#[test]
fn the_hashes_of_phases_part_where_it_was_put_wrong() {
    let duel = flipped(1, "0:pos.x@impacts");
    let text = duel.side(0).finding().lines();
    let phases: Vec<Vec<_>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("of\t"))
        .map(|line| line.split('\t').collect())
        .collect();
    let names: Vec<_> = phases.iter().map(|phase| phase[0]).collect();
    assert_eq!(names, ["orders", "apply", "integrate", "rest", "impacts", "finish", "hits", "end"]);
    let differ: Vec<_> = phases.iter().map(|phase| phase[1] != phase[2]).collect();
    assert_eq!(differ, [false, false, false, false, true, true, true, true]);
}

/// The support of a fighter is computed in every tick: an earlier change of it is gone then.
#[test]
fn flips_that_the_tick_makes_good_are_tried_again() {
    let mut duel = Duel::new(7, 0).unwrap();
    [0, 1].into_iter().for_each(|player| duel.take_over(player, true)); // both stand
    (0..60).for_each(|_| duel.advance());
    duel.flip(1, "game.fighters[0].grounded@orders").unwrap();
    duel.advance();
    assert_eq!(duel.flip_words(1), "tick 61, after orders: 1 became 0");
    (0..60).for_each(|_| duel.advance());
    assert!(!duel.flip_words(1).contains("tick 61,"), "{}", duel.flip_words(1));
    assert!([0, 1].iter().all(|&side| duel.side(side).finding().tick().is_none()));
}

#[test]
fn impossible_flips_say_why_and_change_nothing() {
    let mut duel = Duel::new(7, 3_000).unwrap();
    assert!(duel.flip(0, "no place").is_ok(), "a path may have any name");
    assert!(duel.flip(0, "").unwrap_err().to_string().contains("TICK:BODY:FIELD"));
    duel.flip(1, "9:pos.x").unwrap();
    (0..800).for_each(|_| duel.advance());
    assert!(
        duel.flip_words(1).starts_with("given up after 600 ticks: there is no `slots[9].body.position.x`"),
        "{}",
        duel.flip_words(1)
    );
    assert!([0, 1].iter().all(|&side| duel.side(side).finding().tick().is_none()));
}

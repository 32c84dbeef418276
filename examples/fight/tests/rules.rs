//! The rules of the game by hand: the ticks of hits, and their effects.
#![allow(missing_docs)]

use bitstep::{
    num::{Scalar, lit},
    session::{Session, Simulation},
    tick::TickReport,
};
use fight::{Doing, Fight, Input, initial_state_at};

const NONE: Input = Input::NONE;

/// A match of which every tick is checked.
struct Bout {
    state: Session<Fight>,
    report: TickReport,
}

impl Bout {
    fn at(left: &str, right: &str) -> Self {
        let places = [left, right].map(|place| place.parse().unwrap());
        Self { state: initial_state_at(places).unwrap(), report: TickReport::default() }
    }

    /// Plays up to a tick; a key is down in the ticks from its first to its last.
    fn until(&mut self, tick: u64, keys: &[(usize, Input, u64, u64)]) {
        while self.state.tick_count() < tick {
            let next = self.state.tick_count() + 1;
            let mut inputs = [NONE; 2];
            for &(player, key, first, last) in keys {
                if (first..=last).contains(&next) {
                    inputs[player] = inputs[player].and(key);
                }
            }
            self.state.tick(&inputs, &mut self.report);
            let odd = [&self.report.impact_limited, &self.report.reverted, &self.report.out_of_bounds];
            assert!(odd.iter().all(|list| list.is_empty()), "tick {next}");
        }
    }

    fn health(&self) -> [u8; 2] {
        [0, 1].map(|slot: usize| self.state.game().fighters[slot].health)
    }

    fn doing(&self) -> [Doing; 2] {
        [0, 1].map(|slot: usize| self.state.game().fighters[slot].doing)
    }

    fn x(&self, slot: usize) -> Scalar {
        self.state.world().body(self.state.game().fighters[slot].body).unwrap().position.x
    }

    fn y(&self, slot: usize) -> Scalar {
        self.state.world().body(self.state.game().fighters[slot].body).unwrap().position.y
    }

    fn shots(&self) -> [bool; 2] {
        [0, 1].map(|slot: usize| self.state.game().fighters[slot].shot.is_some())
    }
}

#[test]
fn a_punch_lands_in_its_first_dangerous_tick() {
    let keys = [(0, Input::PUNCH, 1, 1)];
    let mut bout = Bout::at("-0.7", "0.7");
    bout.until(4, &keys);
    assert_eq!((bout.health(), bout.doing()), ([100, 100], [Doing::Punch, Doing::Free]));
    bout.until(5, &keys);
    assert_eq!((bout.health(), bout.doing()), ([100, 93], [Doing::Punch, Doing::Hurt]));
    // Six ticks both stand still, then one is pushed away, and is slowed down; it hits once only.
    let place = bout.x(1);
    bout.until(11, &keys);
    assert_eq!(bout.x(1), place);
    bout.until(12, &keys);
    assert_eq!(bout.x(1), place + Scalar::from_bits(lit("0.09").to_bits() / 8 * 7));
    bout.until(60, &keys);
    assert_eq!((bout.health(), bout.doing()), ([100, 93], [Doing::Free; 2]));
}

#[test]
fn a_punch_reaches_as_far_as_its_fist() {
    // The fist ends 1.275 before the fighter, and the other's trunk begins 0.4 before its.
    for (right, health) in [("0.8374", 93), ("0.8376", 100)] {
        let mut bout = Bout::at("-0.8374", right);
        bout.until(30, &[(0, Input::PUNCH, 1, 1)]);
        assert_eq!(bout.health(), [100, health], "{right}");
    }
}

#[test]
fn a_fighter_that_leaves_in_the_tick_in_which_the_fist_comes_is_hit() {
    // Four ticks of walking away are 0.28, five 0.35: 1.64 apart when the fist comes out, and 1.71 when the
    // tick is over.
    for (right, health) in [("0.68", 93), ("0.7", 100)] {
        let keys = [(0, Input::PUNCH, 1, 1), (1, Input::RIGHT, 1, 30)];
        let mut bout = Bout::at(if health == 93 { "-0.68" } else { "-0.7" }, right);
        bout.until(30, &keys);
        assert_eq!(bout.health(), [100, health], "{right}");
    }
}

#[test]
fn a_trade_is_a_trade() {
    let mut bout = Bout::at("-0.7", "0.7");
    bout.until(5, &[(0, Input::PUNCH, 1, 1), (1, Input::PUNCH, 1, 1)]);
    assert_eq!((bout.health(), bout.doing()), ([93, 93], [Doing::Hurt; 2]));
    // A tick earlier, and there is none.
    for first in [0, 1] {
        let mut bout = Bout::at("-0.7", "0.7");
        bout.until(30, &[(first, Input::PUNCH, 1, 1), (1 - first, Input::PUNCH, 2, 2)]);
        let mut health = [100, 100];
        health[1 - first] = 93;
        assert_eq!(bout.health(), health);
    }
}

#[test]
fn a_fighter_that_blocks_is_not_hurt_but_by_a_throw() {
    for (key, health, doing) in
        [(Input::PUNCH, 100, Doing::Guard), (Input::KICK, 100, Doing::Guard), (Input::THROW, 85, Doing::Hurt)]
    {
        let mut bout = Bout::at("-0.59", "0.59");
        bout.until(12, &[(0, key, 1, 1), (1, Input::BLOCK, 1, 12)]);
        assert_eq!((bout.health()[1], bout.doing()[1]), (health, doing), "{key:?}");
    }
}

#[test]
fn throws_come_apart_and_give_way_to_strikes() {
    // The hands end 0.8 before the fighter, and the other's push box begins 0.4 before its.
    let mut bout = Bout::at("-0.59", "0.59");
    bout.until(4, &[(0, Input::THROW, 1, 1), (1, Input::THROW, 1, 1)]);
    assert_eq!((bout.health(), bout.doing()), ([100, 100], [Doing::Hurt; 2]));
    // The punch is active in tick 5, and so is the throw.
    let mut bout = Bout::at("-0.59", "0.59");
    bout.until(5, &[(0, Input::THROW, 2, 2), (1, Input::PUNCH, 1, 1)]);
    assert_eq!(bout.health(), [93, 100]);
    // A tick earlier, the punch is over.
    let mut bout = Bout::at("-0.59", "0.59");
    bout.until(5, &[(0, Input::THROW, 1, 1), (1, Input::PUNCH, 1, 1)]);
    assert_eq!(bout.health(), [100, 85]);
    // A jumping fighter cannot be grabbed.
    let mut bout = Bout::at("-0.59", "0.59");
    bout.until(12, &[(0, Input::THROW, 1, 1), (1, Input::JUMP, 3, 3)]);
    assert_eq!(bout.health(), [100, 100]);
}

#[test]
fn a_shot_flies_until_it_hits() {
    // It leaves in tick 13, 0.8 before the fighter, and moves by 0.14: 3.6 up to the other's trunk are 26
    // ticks.
    let keys = [(0, Input::FIRE, 1, 1)];
    let mut bout = Bout::at("-2.5", "2.5");
    bout.until(12, &keys);
    assert_eq!(bout.shots(), [false; 2]);
    bout.until(37, &keys);
    assert_eq!((bout.health(), bout.shots()), ([100, 100], [true, false]));
    bout.until(38, &keys);
    assert_eq!((bout.health(), bout.shots(), bout.doing()[1]), ([100, 92], [false; 2], Doing::Hurt));
    assert_eq!(bout.state.world().bodies().count(), 2);
}

#[test]
fn shots_take_each_other_out_of_the_air() {
    // They begin 3.4 apart, are 0.2 wide each, and close by 0.28: they meet in the eleventh tick.
    let keys = [(0, Input::FIRE, 1, 1), (1, Input::FIRE, 1, 1)];
    let mut bout = Bout::at("-2.5", "2.5");
    bout.until(22, &keys);
    assert_eq!(bout.shots(), [true; 2]);
    bout.until(23, &keys);
    assert_eq!(bout.shots(), [false; 2]);
    bout.until(80, &keys);
    assert_eq!(bout.health(), [100, 100]);
}

#[test]
fn a_fighter_that_jumps_lets_a_shot_pass_to_the_wall() {
    let keys = [(0, Input::FIRE, 1, 1), (1, Input::JUMP, 28, 28)];
    let mut bout = Bout::at("-2.5", "2.5");
    bout.until(72, &keys);
    assert_eq!((bout.health(), bout.shots()), ([100, 100], [true, false]));
    bout.until(73, &keys);
    assert_eq!(bout.shots(), [false; 2], "it is 0.2 wide, and the wall 8.5 from where it began");
}

#[test]
fn a_jump_leads_onto_the_platform_and_off_it() {
    let keys = [(0, Input::JUMP.and(Input::RIGHT), 10, 10), (0, Input::RIGHT, 70, 140)];
    let mut bout = Bout::at("-3.2", "5");
    bout.until(9, &keys);
    assert!(bout.state.game().fighters[0].grounded);
    bout.until(20, &keys);
    assert!(!bout.state.game().fighters[0].grounded && bout.y(0) > 2);
    bout.until(69, &keys);
    assert!(bout.state.game().fighters[0].grounded && bout.y(0) > 3, "{}", bout.y(0));
    bout.until(140, &keys);
    assert!(bout.state.game().fighters[0].grounded && bout.y(0) < 1, "{}", bout.y(0));
}

#[test]
fn the_platform_is_open_from_below_and_lets_go_of_a_fighter_that_asks() {
    let keys = [
        (0, Input::JUMP, 10, 10),
        (0, Input::BLOCK, 100, 110),
        (0, Input::JUMP, 105, 105),
        (1, Input::BLOCK, 100, 150),
        (1, Input::JUMP, 105, 105),
    ];
    let mut bout = Bout::at("-0.5", "5");
    bout.until(99, &keys);
    let fighter = |bout: &Bout| bout.state.game().fighters[0].clone();
    assert!(fighter(&bout).on_platform && bout.y(0) > 3, "{}", bout.y(0));
    bout.until(104, &keys);
    assert_eq!((bout.doing()[0], fighter(&bout).on_platform), (Doing::Block, true));
    bout.until(112, &keys);
    assert!(!fighter(&bout).grounded && bout.y(0) < 3, "{}", bout.y(0));
    bout.until(150, &keys);
    assert!(fighter(&bout).grounded && !fighter(&bout).on_platform && bout.y(0) < 1, "{}", bout.y(0));
    assert_eq!((bout.doing()[1], bout.y(1) < 1), (Doing::Block, true), "on the floor that is no order");
    assert!(bout.state.world().state().ignored_pairs.is_empty());
}

#[test]
fn a_fighter_that_jumps_over_the_other_turns_when_it_lands() {
    let keys = [(0, Input::JUMP.and(Input::RIGHT), 10, 10)];
    let mut bout = Bout::at("2.9", "4.9");
    let (mut crossed, mut landed) = (None, None);
    for tick in 11..90 {
        bout.until(tick, &keys);
        let fighter = &bout.state.game().fighters[0];
        if bout.x(0) > bout.x(1) && crossed.is_none() {
            crossed = Some(tick);
        }
        if crossed.is_some() && landed.is_none() {
            assert!(!fighter.faces_left, "tick {tick}");
            landed = fighter.grounded.then_some(tick);
        } else if landed.is_some_and(|landed| tick > landed) {
            assert!(fighter.faces_left, "tick {tick}");
        }
    }
    assert!(crossed.is_some() && landed > crossed, "{crossed:?} {landed:?}");
    assert!(!bout.state.game().fighters[1].faces_left, "the other has turned round, too");
}

#[test]
fn no_fighter_walks_through_another_or_out() {
    let mut bout = Bout::at("-1", "1");
    bout.until(120, &[(0, Input::RIGHT, 1, 120), (1, Input::LEFT, 1, 120)]);
    assert!(bout.x(0) <= -lit("0.4") && bout.x(1) >= lit("0.4"));
    assert_eq!(bout.x(0), -bout.x(1), "and neither pushes the other");
    let mut bout = Bout::at("-5", "5");
    bout.until(120, &[(0, Input::LEFT, 1, 120)]);
    assert!(bout.x(0) > -lit("6.61") && bout.x(0) < -lit("6.59"), "{}", bout.x(0));
}

#[test]
fn a_key_that_is_pressed_too_early_is_remembered_for_a_while() {
    // The first punch takes 15 ticks.
    for (second, comes) in [(9, false), (10, true), (15, true)] {
        let mut bout = Bout::at("-3", "3");
        bout.until(17, &[(0, Input::PUNCH, 1, 1), (0, Input::PUNCH, second, second)]);
        assert_eq!(bout.doing()[0] == Doing::Punch, comes, "{second}");
    }
}

#[test]
fn rounds_are_won_by_one_or_by_none() {
    // Both approach and punch, in the same ticks: every hit is a trade, the last one too.
    let mut bout = Bout::at("-1", "1");
    let mut lost = None;
    for tick in 1..=1_200 {
        let keys = if tick % 40 == 0 { Input::PUNCH } else { Input::RIGHT };
        bout.state.tick(&[keys, keys.mirrored()], &mut bout.report);
        assert_eq!(bout.health()[0], bout.health()[1], "tick {tick}");
        if bout.health() == [0, 0] {
            lost = lost.or(Some(tick));
        }
    }
    let fight = bout.state.game();
    assert!(lost.is_some());
    assert_eq!((fight.round, fight.fighters[0].wins, fight.fighters[1].wins), (2, 0, 0));
    // A fighter that stands there and does nothing loses.
    let mut bout = Bout::at("-1", "1");
    for tick in 1..=1_500 {
        let keys = if tick % 40 == 0 { Input::PUNCH } else { Input::RIGHT };
        bout.state.tick(&[keys, NONE], &mut bout.report);
    }
    let fight = bout.state.game();
    assert!(fight.fighters[0].wins >= 1 && fight.fighters[1].wins == 0, "{}", bout.state.outcome());
}

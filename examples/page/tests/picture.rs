//! The picture equals the world.
#![allow(missing_docs)]

use fight::{Input, Layer, initial_state};
use page::duel::{UNIT, draw, solo::Solo};

const HEAD: usize = 5;
const FIGHTER: usize = 18;
const SHAPE: usize = 8;

fn numbers(solo: &Solo) -> Vec<i32> {
    let mut numbers = Vec::new();
    draw(solo.state(), &mut |number| numbers.push(number));
    assert_eq!(numbers.len(), HEAD + 2 * FIGHTER + numbers[4] as usize * SHAPE);
    numbers
}

#[test]
fn a_match_at_its_beginning() {
    let all = numbers(&Solo::new().unwrap());
    // Floor, two walls, platform; two fighters with push box, head, trunk, legs.
    assert_eq!(all[..HEAD], [0, 1, 3_600, 0, 4 + 2 * 4]);
    let places = [(-5 * UNIT / 2, 0), (5 * UNIT / 2, 1)];
    for (index, (x, faces_left)) in places.into_iter().enumerate() {
        let fighter = &all[HEAD + index * FIGHTER..][..FIGHTER];
        let height = fighter[2];
        assert!((UNIT * 91 / 100 - height).abs() <= 1);
        assert_eq!(
            fighter,
            [index as i32, x, height, 0, 0, faces_left, 100, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
        );
    }
    let shapes: Vec<&[i32]> = all[HEAD + 2 * FIGHTER..].chunks(SHAPE).collect();
    assert_eq!(shapes[0][..6], [-1, Layer::Stage as i32, 3, 0, 0, 0], "the floor is a plane");
    assert!(shapes[0][6] > 0, "that looks up");
    let head = shapes[5];
    assert_eq!(
        (head[0], head[1], head[2], head[7]),
        (0, Layer::Hurt as i32, 0, UNIT / 4),
        "a ball of the first"
    );
    assert!((head[3] - (-5 * UNIT / 2 + UNIT / 10)).abs() <= 1, "before it: it faces right");
    let mirrored = shapes[9];
    assert!((mirrored[3] - (5 * UNIT / 2 - UNIT / 10)).abs() <= 1, "and the other faces left");
}

#[test]
fn a_shot_and_a_fist() {
    let mut solo = Solo::new().unwrap();
    (0..20).for_each(|_| solo.tick([Input::FIRE, Input::NONE]));
    let all = numbers(&solo);
    let place = solo.state().game().fighters[0].shot.unwrap();
    let there = solo.state().world().body(place.body).unwrap().position;
    assert_eq!(
        all[HEAD + 15..][..3],
        [1, (there.x.to_bits() >> 16) as i32, (there.y.to_bits() >> 16) as i32]
    );
    let mut solo = Solo::new().unwrap();
    (0..6).for_each(|_| solo.tick([Input::NONE, Input::PUNCH]));
    let all = numbers(&solo);
    let fighter = &all[HEAD + FIGHTER..][..FIGHTER];
    assert_eq!((fighter[8], fighter[13], fighter[14]), (2, 1, 2), "a punch, which strikes, in its pose");
    let fist = all[HEAD + 2 * FIGHTER..].chunks(SHAPE).find(|shape| shape[1] == Layer::Hit as i32).unwrap();
    assert_eq!((fist[0], fist[2], fist[7]), (1, 2, UNIT / 8));
    assert!(fist[3] < fighter[1], "to the left");
}

#[test]
fn play_needs_no_picture() {
    let (mut drawn, mut not) = (Solo::new().unwrap(), initial_state().unwrap());
    for _ in 0..30 {
        numbers(&drawn);
        drawn.tick([Input::RIGHT, Input::KICK]);
        not.tick(&[Input::RIGHT, Input::KICK], &mut bitstep::tick::TickReport::default());
    }
    use bitstep::session::Simulation;
    assert_eq!(drawn.state().checksum(), not.checksum());
}

//! The page's content compared with the played recording.

use super::{
    columns::Column,
    decode::{Decoder, signed, take},
    encode::{POSITION_ROOM, TURN_ROOM},
    film::{Film, film},
    prediction::{INSTANTS, instant_of},
    scale::Scale,
    seen::Seen,
};
use crate::playback::Playback;
use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    replay::{RecordOptions, Recorder, Replay},
    shape::{Heights, Mesh, Shape},
    state::{
        BodyId, ChildShape, Command, HeightPatch, Limits, Material, SceneryBuilder, ShapeId, Spawn, StaticId,
    },
    tick::TickReport,
};

fn golden(name: &str) -> Replay {
    let path = format!("{}/../../replays/{name}.replay", env!("CARGO_MANIFEST_DIR"));
    Replay::read(&std::fs::read(path).unwrap()).unwrap()
}

/// Decodes a film picture by picture beside another run of its recording, and compares all content.
fn assert_shows(replay: &Replay, film: &Film, scale: Scale) {
    let (mut playback, mut seen) = (Playback::new(replay), Seen::default());
    seen.take(playback.world(), None);
    let (mut picture, mut points) = (0, 0);
    for (index, (first, packed)) in film.chunks.iter().enumerate() {
        assert_eq!(*first, picture);
        let chunk = miniz_oxide::inflate::decompress_to_vec(packed).unwrap();
        let mut decoder = Decoder::new(&chunk);
        assert_same(&decoder, &seen, scale);
        let last = film.chunks.get(index + 1).map_or(film.numbers.len() as u64 - 1, |(next, _)| *next);
        while picture < last {
            for _ in 0..scale.every() {
                playback.advance();
            }
            picture += 1;
            seen.take(playback.world(), playback.report().filter(|_| scale.every() == 1));
            decoder.tick();
            assert_same(&decoder, &seen, scale);
            points += assert_ways(&decoder, &seen, scale);
        }
        assert!(decoder.is_over());
        decoder.finish();
    }
    assert!(!playback.advance());
    assert_eq!(playback.diverged(), None);
    assert!(points > 0 || scale.every() > 1);
}

fn assert_same(decoder: &Decoder<'_>, seen: &Seen, scale: Scale) {
    assert_eq!(decoder.shown.len(), seen.bodies.len());
    for (actor, (slot, shown)) in seen.bodies.iter().zip(&decoder.shown) {
        let look = actor.look;
        let told = [look.bits(), look.generation.into(), look.shape.0.into(), look.mass.into()];
        assert_eq!((*slot, [shown.bits, shown.generation, shown.shape, shown.mass]), (actor.slot, told));
        let (position, found) = (scale.quanta(actor.position), shown.predicted.position);
        let miss = (0..3).map(|axis| (position[axis] - found[axis]).abs()).max().unwrap();
        assert!(miss <= POSITION_ROOM, "slot {slot}: {position:?} {found:?}");
        let Some(orientation) = actor.orientation else { continue };
        let (turn, found) = (scale.turn(orientation), shown.predicted.turn.unwrap().at);
        let miss = |sign: i64| (0..4).map(|k| (sign * turn[k] - found[k]).abs()).max().unwrap();
        assert!(miss(1).min(miss(-1)) <= TURN_ROOM, "slot {slot}: {turn:?} {found:?}");
    }
}

/// Checks the positions within the tick, and the impacts; returns the number of positions.
fn assert_ways(decoder: &Decoder<'_>, seen: &Seen, scale: Scale) -> usize {
    for (slot, instant, position, turn) in &decoder.points {
        let ways = seen.ways(seen.actor(*slot).unwrap());
        // Of several legs that begin at one instant of 256 any may be meant.
        let near = ways.iter().filter(|way| instant_of(way.start) == *instant).any(|way| {
            let room = 2 * POSITION_ROOM;
            let lies = way.turn.is_none_or(|(at, _)| {
                let at = scale.turn(at);
                let near = |sign: i64| {
                    at.iter().zip(turn.unwrap()).all(|(a, b)| (sign * a - b).abs() <= 2 * TURN_ROOM)
                };
                near(1) || near(-1)
            });
            lies && scale.quanta(way.position).iter().zip(position).all(|(a, b)| (a - b).abs() <= room)
        });
        assert!(near || ways.is_empty(), "slot {slot} at {instant}: {position:?}");
    }
    let mut impacts = decoder.impacts.clone();
    let mut marks: Vec<_> = seen.marks.iter().map(|mark| (mark.instant, mark.a, mark.b)).collect();
    impacts.sort_unstable();
    marks.sort_unstable();
    assert_eq!(impacts, marks);
    let spots = seen.marks.iter().filter_map(|mark| Some(((mark.instant, mark.a, mark.b), mark.spot?)));
    let spots: Vec<_> = spots.collect();
    assert_eq!(decoder.touched.len(), spots.len());
    for (impact, position, normal) in &decoder.touched {
        let mut same = spots.iter().filter(|(key, _)| key == impact).map(|(_, spot)| spot);
        let is_near = |&(at, along): &([i64; 3], [i64; 3])| {
            let near = |a: [i64; 3], b: &[i64; 3], room: i64| (0..3).all(|k| (a[k] - b[k]).abs() <= room);
            near(scale.quanta(at), position, 1 << 15) && near(along, normal, 1 << 23)
        };
        assert!(same.any(is_near), "{impact:?} {position:?} {normal:?}");
    }
    assert!(decoder.points.iter().all(|(_, instant, ..)| (0..INSTANTS).contains(instant)));
    decoder.points.len()
}

fn assert_golden(name: &str, every: u32) {
    let replay = golden(name);
    let scale = Scale::fitting(replay.initial_state(), every);
    let film = film(&replay, scale, 0).unwrap();
    assert_eq!(film.checksum, replay.final_checksum().unwrap().to_string());
    assert_shows(&replay, &film, scale);
}

#[test]
fn balls_that_meet_are_shown_where_they_were() {
    for name in ["break", "cradle", "pile", "jam"] {
        assert_golden(name, 1);
    }
}

#[test]
fn rotating_bodies_are_shown_in_their_orientation() {
    for name in ["tower", "tumble", "rods"] {
        assert_golden(name, 1);
    }
}

#[test]
fn bodies_that_come_go_and_change_are_shown_so() {
    for name in ["timeline", "layers", "lift", "bullets", "skirmish"] {
        assert_golden(name, 1);
    }
}

#[test]
fn the_last_of_several_ticks_in_a_row_is_shown() {
    for name in ["break", "tower"] {
        assert_golden(name, 3); // 600 and 300 ticks
    }
}

/// A ball that becomes a pair of balls and back, is teleported, and whose slot is reused: after a tick
/// without any body, within one by another body, and within one by one that is the same but for its id.
fn changing() -> Replay {
    let mut scenery = SceneryBuilder::default();
    scenery.material(Material::INELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let offset = Vec3::new(lit("1"), lit("0"), lit("0"));
    let pair = scenery.compound(vec![ChildShape::new(ball), ChildShape { offset, ..ChildShape::new(ball) }]);
    let mut world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
    let options = RecordOptions::default();
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    let id = |generation| BodyId::from_parts(0, generation);
    let far = Vec3::new(lit("90"), lit("-7"), lit("3.25"));
    let mut report = TickReport::default();
    for tick in 0..10 {
        let commands = match tick {
            1 => vec![Command::Spawn(Spawn { velocity: offset, ..Spawn::new(ball, Vec3::ZERO) })],
            2 => vec![Command::SetCompound {
                body: id(0),
                compound: pair,
                mirrored: true,
                allow_overlap: false,
            }],
            4 => vec![Command::Teleport {
                body: id(0),
                position: far,
                orientation: None,
                allow_overlap: false,
            }],
            5 => vec![Command::Remove { body: id(0) }],
            6 => vec![Command::Spawn(Spawn::new(ShapeId::of_compound(pair, false), far))],
            7 => vec![Command::Remove { body: id(1) }, Command::Spawn(Spawn::new(ball, Vec3::ZERO))],
            9 => vec![Command::Remove { body: id(2) }, Command::Spawn(Spawn::new(ball, Vec3::ZERO))],
            _ => Vec::new(),
        };
        world.tick(&commands, &mut report).accepted().unwrap();
        assert!(report.outcomes.iter().all(Result::is_ok), "{:?}", report.outcomes);
        recorder.tick(&commands, &world).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

#[test]
fn compounds_positions_and_generations_change_within_ticks() {
    let replay = changing();
    for (every, pictures) in [(1, 11), (2, 6), (5, 3)] {
        let scale = Scale::new(9, every);
        let film = film(&replay, scale, 0).unwrap();
        assert_eq!((film.slots, film.numbers.len()), (1, pictures));
        assert_shows(&replay, &film, scale);
    }
}

/// To 2^-16 of a quantum, halves away from zero on both sides.
#[test]
fn positions_are_to_the_nearest_part_of_a_quantum() {
    let scale = Scale::new(9, 1);
    assert_eq!(scale.quanta([63, 64, 191]), [0, 1, 1]);
    assert_eq!(scale.quanta([-63, -64, -192]), [0, -1, -2]);
    assert_eq!(scale.quanta([1 << 32, -1 << 32, 0]), [1 << 25, -1 << 25, 0]);
    // The displacement by gravity from picture to picture grows with the square of the ticks.
    assert_eq!(Scale::new(9, 3).gravity([-128, 128, 7]), [-9, 9, 0]);
}

#[test]
fn a_ball_touches_at_its_surface() {
    let replay = golden("break");
    let (mut playback, mut seen, mut count) = (Playback::new(&replay), Seen::default(), 0);
    while playback.advance() {
        seen.take(playback.world(), playback.report());
        for (at, _) in seen.marks.iter().filter_map(|mark| mark.spot) {
            let radius = lit("0.286").to_bits();
            let square: i128 = at.iter().map(|part| i128::from(*part).pow(2)).sum();
            let far = square.isqrt() as i64;
            assert!((far - radius).abs() < radius / 100, "{far} {radius}");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn falling_and_flying_bodies_cost_nothing() {
    let mut scenery = SceneryBuilder::default();
    scenery.material(Material::INELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
    let at = |x: i64, y: i64| Vec3::from_raw([x << 32, y << 28, 12_345]);
    let spawn = |x| Command::Spawn(Spawn { velocity: at(0, x), ..Spawn::new(ball, at(3 * x, x)) });
    let gravity = Vec3::from_raw([0, -11_692_000, 0]);
    world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
    world.apply(&(0..20).map(spawn).collect::<Vec<_>>()).accepted().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world).unwrap();
    for _ in 0..120 {
        world.step(&mut TickReport::default());
        recorder.tick(&[], &world).unwrap();
    }
    let replay = Replay::read(&recorder.finish().unwrap()).unwrap();
    let film = film(&replay, Scale::fitting(replay.initial_state(), 1), 0).unwrap();
    let chunk = miniz_oxide::inflate::decompress_to_vec(&film.chunks[0].1).unwrap();
    // 20 bodies at the beginning, their first motions, and two bytes a tick.
    assert!(chunk.len() < 1_000, "{}", chunk.len());
}

#[test]
fn a_film_may_begin_in_the_middle() {
    let replay = golden("break");
    let film = film(&replay, Scale::fitting(replay.initial_state(), 1), 590).unwrap();
    assert_eq!((film.first, film.ticks, film.numbers.len()), (590, 10, 11));
}

/// The second of two grounds of one shape, dug before the first tick, in the second, and filled again in the fourth.
fn dug() -> Replay {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::INELASTIC);
    let level = Heights::new(10, lit("1"), lit("0.25"), (0..120).map(|point| point % 7).collect()).unwrap();
    let shape = scenery.shape(Shape::Mesh(Mesh::of_heights(level).unwrap()));
    scenery.fixed(shape, material, Vec3::lit("0", "-40", "0"));
    let ground = scenery.fixed(shape, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
    let dig = |at, rows: &[i16]| {
        let heights = HeightPatch::new(3, rows).unwrap();
        Command::SetHeights { ground, at, heights, lift: false }
    };
    world.apply(&[dig([0, 1], &[-5; 3])]).accepted().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world).unwrap();
    for tick in 1..=5 {
        let commands = match tick {
            2 => vec![dig([6, 6], &[-9; 9]), dig([7, 10], &[30; 6])],
            4 => vec![dig([0, 1], &[3, 4, 5]), dig([6, 7], &[-8; 3])],
            _ => Vec::new(),
        };
        world.tick(&commands, &mut TickReport::default()).accepted().unwrap();
        recorder.tick(&commands, &world).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

#[test]
fn ground_is_shown_as_it_is_in_each_picture() {
    let replay = dug();
    let heights = |world: &World, ground| -> Vec<i64> {
        let heights = world.scenery().heights(StaticId(ground)).unwrap().heights();
        heights.iter().map(|height| i64::from(*height) << 14).collect()
    };
    for every in [1, 3] {
        let film = film(&replay, Scale::new(9, every), 0).unwrap();
        let mut column = Column::default();
        film.grounds.put(&mut column);
        let mut rest = column.bytes();
        let mut changes = std::collections::BTreeMap::new();
        for _ in 0..take(&mut rest) {
            let (picture, mut point) = (take(&mut rest), 0);
            let points = (0..take(&mut rest)).map(|_| {
                let ground = take(&mut rest);
                point += signed(&mut rest);
                (ground, point as usize, signed(&mut rest))
            });
            changes.insert(picture, points.collect::<Vec<_>>());
        }
        assert!(rest.is_empty());
        assert_eq!(
            changes.keys().copied().collect::<Vec<_>>(),
            if every == 1 { [0, 2, 4] } else { [0, 1, 2] }
        );
        let mut shown: Vec<i64> = (0..120).map(|point| (point % 7) << 14).collect();
        let (mut playback, level) = (Playback::new(&replay), shown.clone());
        for picture in 0..film.numbers.len() as u64 {
            for (ground, point, by) in changes.get(&picture).into_iter().flatten() {
                assert!(*ground == 1 && *by != 0);
                shown[*point] += by;
            }
            assert_eq!(heights(playback.world(), 1), shown, "picture {picture} of every {every}");
            assert_eq!(heights(playback.world(), 0), level);
            for _ in 0..every {
                playback.advance();
            }
        }
    }
}

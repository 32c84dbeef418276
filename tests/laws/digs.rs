//! Ground that commands dig.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, rng::Draws},
    session::Ring,
    shape::{Cell, Heights, Mesh, Shape},
    snapshot::{self, checksum},
    state::{
        BodyId, Collider, Command, HeightPatch, Limits, Material, Refusal, Scenery, SceneryBuilder, ShapeId,
        Spawn, StaticId, TileId,
    },
    tick::TickReport,
};

use crate::{
    meshes::{BASES, drop, pull, shapes},
    support::{every, s, v},
};

const UNIT: i64 = 1 << 32;
const POINTS: u32 = 19;
const GROUND: StaticId = StaticId(0);

/// Ground of heights of few steps with a rim, around the origin.
fn heights(draws: &mut Draws, has_holes: bool) -> Heights {
    let steps = draws.below(4) as i64;
    let height = |index: u32, draws: &mut Draws| {
        let is_rim = [index % POINTS, index / POINTS].iter().any(|step| *step == 0 || *step == POINTS - 1);
        if is_rim { 24 } else { draws.between(0, steps) as i16 }
    };
    let heights = (0..POINTS.pow(2)).map(|index| height(index, draws)).collect();
    let cell = |draws: &mut Draws| {
        let is_hole = has_holes && draws.below(20) == 0;
        let cell = Cell::new(if is_hole { 127 } else { draws.below(2) as u8 });
        if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
    };
    let cells = (0..(POINTS - 1).pow(2)).map(|_| cell(draws)).collect();
    Heights::new(POINTS, s("1"), s("0.25"), heights).unwrap().with_cells(cells).unwrap()
}

fn scenery(heights: Heights) -> Arc<Scenery> {
    let rough = Material::new(s("0.25")).unwrap().with_friction(s("0.5")).unwrap();
    let mut builder = SceneryBuilder::default();
    let material = builder.material(rough);
    builder.material(Material::INELASTIC);
    let shape = builder.shape(Shape::Mesh(Mesh::of_heights(heights).unwrap()));
    builder.fixed(shape, material, v("-9", "0", "-9"));
    shapes().into_iter().for_each(|shape| {
        builder.shape(shape);
    });
    builder.build().unwrap()
}

/// A patch anywhere inside of the rim, of heights up to some steps about 0.
fn any_dig(draws: &mut Draws, steps: i64, lift: bool) -> Command {
    let inside = u64::from(POINTS) - 2;
    let at = [0; 2].map(|_: i32| 1 + draws.below(inside) as u32);
    let count = at.map(|from| 1 + draws.below((inside as u32 + 1 - from).min(8).into()) as u32);
    let (is_level, level) = (draws.below(2) == 0, draws.between(-steps, steps) as i16);
    let height = |_| if is_level { level } else { draws.between(-steps, steps) as i16 };
    let patch: Vec<i16> = (0..count[0] * count[1]).map(height).collect();
    let heights = HeightPatch::new(count[0] as u8, &patch).unwrap();
    Command::SetHeights { ground: GROUND, at, heights, lift }
}

fn fall(rate: u32) -> Command {
    Command::SetGravity { gravity: Vec3::from_raw([0, -pull(rate), 0]) }
}

fn drops(draws: &mut Draws, rate: u32) -> Vec<Command> {
    let speed = 4 * UNIT / i64::from(rate);
    (0..16).map(|_| Command::Spawn(drop(draws, BASES[0], (6 * UNIT, 5 * UNIT, speed)))).collect()
}

#[test]
fn dug_ground_is_to_bodies_what_ground_made_so_is() {
    let mut impulses = 0;
    for case in (0..30).step_by(every(10)) {
        let mut draws = Rng::new(91).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let limits = Limits::new(rate).with_sleep_after(if case % 2 == 0 { 20 } else { 0 });
        let mut dug = World::new(limits, scenery(heights(&mut draws, true))).unwrap();
        let digs: Vec<_> = (0..1 + draws.below(9)).map(|_| any_dig(&mut draws, 4, false)).collect();
        assert_eq!(dug.apply(&digs).accepted().unwrap().len(), digs.len(), "nothing is in the way");
        let made = dug.scenery().heights(GROUND).unwrap().clone();
        let mut made = World::new(limits, scenery(made)).unwrap();
        let commands: Vec<_> = [fall(rate)].into_iter().chain(drops(&mut draws, rate)).collect();
        let mut reports = [TickReport::default(), TickReport::default()];
        for world in [&mut dug, &mut made] {
            world.enable_events(true);
            let _ = world.apply(&commands);
        }
        for tick in 0..4 * rate {
            dug.step(&mut reports[0]);
            made.step(&mut reports[1]);
            let [ours, theirs] = [&dug, &made].map(World::state);
            assert!((&ours.slots, &ours.sleep) == (&theirs.slots, &theirs.sleep), "case {case} tick {tick}");
            assert_eq!(reports[0].events, reports[1].events, "case {case} tick {tick}");
            impulses += reports[0].impulses.len();
        }
    }
    assert!(impulses > 15_000 / every(10), "{impulses}");
}

/// The bodies over the ground, and how far their centers are above it.
fn above_ground(world: &World) -> Vec<(BodyId, Scalar)> {
    let heights = world.scenery().heights(GROUND).unwrap();
    let above = |place: Vec3| Some(place.y - heights.height_at(place.x + s("9"), place.z + s("9"))?);
    world.bodies().filter_map(|(id, body)| Some((id, above(body.position)?))).collect()
}

#[test]
fn a_world_that_digs_goes_on_from_its_snapshot_and_buries_nothing() {
    let (mut accepted, mut refused, mut lifted, mut woken) = (0, 0, 0, 0);
    for case in (0..40).step_by(every(13)) {
        let mut draws = Rng::new(92).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let limits = Limits::new(rate).with_sleep_after(if case % 2 == 0 { 10 } else { 0 });
        let limits = limits.with_separation_speed(if case % 3 == 0 { s("0.0625") } else { Scalar::ZERO });
        let (lifts, level) = (case % 4 == 3, scenery(heights(&mut draws, false)));
        let mut world = World::new(limits, Arc::clone(&level)).unwrap();
        let commands: Vec<_> = [fall(rate)].into_iter().chain(drops(&mut draws, rate)).collect();
        let _ = world.apply(&commands);
        let (mut report, mut again) = (TickReport::default(), TickReport::default());
        let mut before = Vec::new();
        for tick in 0..4 * rate {
            let count = if draws.below(6) == 0 { 1 + draws.below(3) } else { 0 };
            let mut dig = || {
                let lift = lifts && draws.below(2) == 0;
                any_dig(&mut draws, 6, lift)
            };
            let digs: Vec<_> = (0..count).map(|_| dig()).collect();
            let mut restored = snapshot::decode(&snapshot::encode(&world), &level).unwrap();
            let outcomes = world.tick(&digs, &mut report).0.to_vec();
            let _ = restored.tick(&digs, &mut again);
            assert!(world.state() == restored.state(), "case {case} tick {tick}");
            assert_eq!(report, again, "case {case} tick {tick}");
            for (dig, outcome) in digs.iter().zip(&outcomes) {
                let lift = matches!(dig, Command::SetHeights { lift: true, .. });
                (accepted, refused) =
                    (accepted + u32::from(outcome.is_ok()), refused + u32::from(outcome.is_err()));
                lifted += u32::from(lift && outcome.is_ok());
            }
            woken += report.woke.len();
            let now = above_ground(&world);
            for (id, height) in &now {
                let was = before.iter().find(|(other, _)| other == id);
                assert!(
                    *height > 0 || was.is_none_or(|(_, was)| *was <= 0),
                    "case {case} tick {tick}: {id} is buried"
                );
            }
            assert!(lifts || report.overlapping == 0, "case {case} tick {tick}");
            before = now;
        }
    }
    let (part, woken) = (every(13) as u32, woken as u32);
    assert!(accepted > 2_000 / part && refused > 300 / part, "{accepted} {refused}");
    assert!(lifted > 300 / part && woken > 30 / part, "{lifted} {woken}");
}

/// A ball of radius 0.5 and a box that rotates at rest on flat ground, and the fall of each tick.
fn at_rest(limits: Limits) -> World {
    let flat = Heights::new(POINTS, s("1"), s("0.25"), vec![0; POINTS.pow(2) as usize]).unwrap();
    let mut world = World::new(limits, scenery(flat)).unwrap();
    let ball = Spawn::new(ShapeId(1), v("0", "0.5", "0"));
    let brick = Spawn { rotates: true, ..Spawn::new(ShapeId(3), v("4", "0.25", "0")) };
    let commands = [fall(limits.tick_rate), Command::Spawn(ball), Command::Spawn(brick)];
    world.apply(&commands).accepted().unwrap();
    run(&mut world, 120);
    world
}

fn run(world: &mut World, ticks: u32) {
    (0..ticks).for_each(|_| world.step(&mut TickReport::default()));
}

fn level(at: [u32; 2], [columns, rows]: [u8; 2], height: i16, lift: bool) -> Command {
    let heights = vec![height; usize::from(columns) * usize::from(rows)];
    let heights = HeightPatch::new(columns, &heights).unwrap();
    Command::SetHeights { ground: GROUND, at, heights, lift }
}

fn body(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn height(world: &World, slot: u32) -> Scalar {
    world.body(body(slot)).unwrap().position.y
}

#[test]
fn ground_that_sinks_lets_bodies_fall_and_wakes_sleepers() {
    for sleep_after in [0, 20] {
        let mut world = at_rest(Limits::new(60).with_sleep_after(sleep_after));
        assert_eq!(world.sleepers().count(), if sleep_after == 0 { 0 } else { 2 });
        let applied = world.apply(&[level([7, 7], [5, 5], -8, false)]);
        assert_eq!(applied.woke, if sleep_after == 0 { vec![] } else { vec![body(0)] });
        assert_eq!(applied.accepted().map(|done| done.len()), Ok(1));
        run(&mut world, 120);
        assert!((height(&world, 0) - s("-1.5")).abs() < s("0.004"), "{}", height(&world, 0));
        assert!((height(&world, 1) - s("0.25")).abs() < s("0.004"), "{}", height(&world, 1));
    }
}

#[test]
fn ground_that_rises_is_refused_under_a_body_or_lifts_it() {
    let mut world = at_rest(Limits::new(60).with_separation_speed(s("0.0625")).with_sleep_after(20));
    let before = checksum(&world);
    let outcomes = world.apply(&[level([7, 7], [5, 5], 1, false), level([7, 7], [5, 5], 3, true)]).outcomes;
    for outcome in outcomes {
        let refusal = Refusal::OverlapsNow { body: body(0), with: Collider::Static(GROUND) };
        assert_eq!(outcome.unwrap_err().reason, refusal);
    }
    assert_eq!(checksum(&world), before, "a refusal changes nothing");
    let mut report = TickReport::default();
    world.tick(&[level([7, 7], [5, 5], 1, true)], &mut report).accepted().unwrap();
    assert_eq!((report.woke.as_slice(), report.overlapping), ([body(0)].as_slice(), 1));
    for tick in 1..=5 {
        // Gravity takes a part of what the ground lifts in a tick.
        let (risen, most) = (height(&world, 0) - s("0.5"), s("0.0625").saturating_mul_int(tick));
        assert!(
            risen <= most.min(s("0.26")) && risen > most.min(s("0.25")) - s("0.03"),
            "tick {tick}: {risen}"
        );
        world.step(&mut report);
    }
    run(&mut world, 60);
    assert!((height(&world, 0) - s("0.75")).abs() < s("0.004"), "{}", height(&world, 0));
    assert!((height(&world, 1) - s("0.25")).abs() < s("0.004"), "{}", height(&world, 1));
}

#[test]
fn heights_as_the_scenery_has_them_leave_no_tile() {
    let mut world = at_rest(Limits::new(60));
    let (level_ground, before) = (Arc::clone(world.scenery()), checksum(&world));
    let pit = [level([1, 2], [8, 8], -3, false), level([14, 15], [3, 4], 2, false)];
    world.apply(&pit).accepted().unwrap();
    let tiles: Vec<_> = world.state().terrain.tiles().iter().map(|(id, _)| (id.column, id.row)).collect();
    assert_eq!(tiles, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]);
    let tile = world.state().terrain.tile(TileId { ground: GROUND, column: 1, row: 1 }).unwrap();
    assert_eq!((tile.0[0][0], tile.0[1][0], tile.0[2][0], tile.0[7][6]), (-3, -3, 0, 2));
    assert_ne!(checksum(&world), before);
    let kept = level_ground.heights(GROUND).unwrap();
    assert!(kept.heights().iter().all(|height| *height == 0), "what others hold stays");
    let dug = world.scenery().present_shape(GROUND).unwrap();
    assert!(matches!(dug, Shape::Mesh(mesh) if mesh.heights() == world.scenery().heights(GROUND)));
    assert_eq!(world.scenery().content_hash(), level_ground.content_hash());
    assert_eq!(world.scenery().encode(), level_ground.encode());
    let fill = [level([1, 2], [8, 8], 0, false), level([14, 15], [3, 4], 0, false)];
    world.apply(&fill).accepted().unwrap();
    assert_eq!(checksum(&world), before);
}

#[test]
fn heights_that_are_there_already_copy_no_ground() {
    let mut world = at_rest(Limits::new(60));
    let dig = level([2, 3], [5, 4], -2, false);
    assert!(world.apply(&[dig]).accepted().is_ok());
    let (copy, before) = (Arc::clone(world.scenery()), checksum(&world));
    assert!(world.apply(&[dig]).accepted().is_ok());
    assert!(Arc::ptr_eq(&copy, world.scenery()) && checksum(&world) == before);
}

#[test]
fn digs_are_named_in_differences_and_go_back_with_a_ring() {
    let mut world = at_rest(Limits::new(60));
    let mut ring = Ring::new(&world, 4).unwrap();
    ring.save(&world);
    let (tick, before) = (world.tick_count(), world.clone());
    world.tick(&[level([12, 12], [1, 1], -2, false)], &mut TickReport::default()).accepted().unwrap();
    let differences: Vec<_> = snapshot::diff(&before, &world).iter().map(ToString::to_string).collect();
    assert!(differences.contains(&"terrain[0,1,1][4][4]: (no field) | -2".to_owned()), "{differences:?}");
    let mut other = world.clone();
    other.apply(&[level([12, 12], [1, 1], -3, false)]).accepted().unwrap();
    let differences: Vec<_> = snapshot::diff(&world, &other).iter().map(ToString::to_string).collect();
    assert_eq!(differences, ["terrain[0,1,1][4][4]: -2 | -3"]);
    let restored = snapshot::decode(&snapshot::encode(&before), other.scenery()).unwrap();
    assert_eq!(restored.scenery().heights(GROUND), before.scenery().heights(GROUND), "from a dug scenery");
    let restored = snapshot::decode(&snapshot::encode(&world), other.scenery()).unwrap();
    assert_eq!(restored.scenery().heights(GROUND), world.scenery().heights(GROUND));
    ring.restore(tick, &mut world).unwrap();
    assert_eq!(checksum(&world), checksum(&before));
    assert_eq!(world.scenery().heights(GROUND), before.scenery().heights(GROUND));
}

#[test]
fn terrains_that_no_dig_leaves_are_refused() {
    let mut world = at_rest(Limits::new(60));
    world.apply(&[level([12, 12], [1, 1], -2, false), level([17, 17], [2, 2], 3, false)]).accepted().unwrap();
    let bytes = snapshot::encode(&world);
    // Two tiles of an id and 64 heights, the last of which has 3 points each way.
    let (tile, count) = (12 + 128, world.state().terrain.tiles().len());
    assert_eq!(count, 2);
    let first = bytes.len() - 2 * tile;
    let with = |at: usize, part: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + part.len()].copy_from_slice(part);
        snapshot::decode(&bytes, world.scenery()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with(first, &[]), Ok(()));
    let height = |row: usize, column: usize| first + 12 + 2 * (8 * row + column);
    let refused = [
        (first, vec![0, 0, 0, 0, 2, 0, 0, 0, 2], "terrain: its tiles ascend, each once"),
        (first, vec![0, 0, 0, 0, 3], "terrain: its tiles ascend, each once"),
        (first + tile, vec![1], "terrain[1,2,2]: the static is no ground of heights"),
        (first + tile + 4, vec![255; 8], "terrain[0,4294967295,4294967295]: it lies beyond its ground"),
        (first + tile + 4, vec![3], "terrain[0,3,2]: it lies beyond its ground"),
        (height(4, 4), vec![0, 0], "terrain[0,1,1]: it is as in the scenery"),
        (height(0, 0) + tile + 6, vec![1], "terrain[0,2,2]: a point beyond the border has a height"),
        (height(3, 0) + tile, vec![1], "terrain[0,2,2]: a point beyond the border has a height"),
        (height(7, 0), vec![1, 64], "the height at column 8, row 15 is 16385, must be in -16384..=16384"),
        (first - 8, vec![255; 8], "not decodable"),
    ];
    for (at, part, text) in refused {
        let error = with(at, &part).unwrap_err();
        assert!(error.contains(text), "{error}, not {text}");
    }
}

#[test]
fn digs_that_fit_no_ground_are_refused_by_name() {
    let mut world = at_rest(Limits::new(60));
    let before = checksum(&world);
    let dig = |ground: u32, at: [u32; 2], height: i16| {
        let heights = HeightPatch::new(2, &[height; 6]).unwrap();
        Command::SetHeights { ground: StaticId(ground), at, heights, lift: true }
    };
    let refused = [
        (dig(1, [0, 0], 1), "ground: the static is no ground of heights"),
        (dig(u32::MAX, [0, 0], 1), "ground: the static is no ground of heights"),
        (dig(0, [18, 0], 1), "column is 19, must be in 0..=18"),
        (dig(0, [u32::MAX, 0], 1), "column is 4294967296, must be in 0..=18"),
        (dig(0, [0, 17], 1), "row is 19, must be in 0..=18"),
        (dig(0, [3, 5], 16_385), "the height at column 3, row 5 is 16385, must be in -16384..=16384"),
        (dig(0, [3, 5], i16::MIN), "the height at column 3, row 5 is -32768, must be in -16384..=16384"),
    ];
    for (command, text) in refused {
        let reason = world.apply(&[command]).accepted().unwrap_err().reason;
        assert_eq!(reason.to_string(), text);
    }
    assert_eq!(checksum(&world), before);
    world.apply(&[dig(0, [3, 5], 16_384), dig(0, [16, 5], -16_384)]).accepted().unwrap();
    run(&mut world, 2);
    for (columns, heights) in [(0, 4), (9, 9), (2, 3), (1, 9), (4, 0)] {
        assert!(HeightPatch::new(columns, &vec![0; heights]).is_err(), "{columns} {heights}");
    }
}

//! Ground of heights that commands dig and fill, in C as in Rust, heights that are none, and questions about ground.
#![allow(missing_docs)]

use std::{ffi::CString, ptr};

use bitstep::{
    World,
    num::Scalar,
    snapshot,
    state::{Command, HeightPatch, StaticId},
    tick::TickReport,
};
use bitstep_c::{code::*, command::*, ground::*, scene::*, world::*};
use bitstep_scene::Scene;

use self::support::saved;

mod support;

/// A ball over ground of twelve by twelve points, whose heights count in quarters.
fn text() -> String {
    let row = "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],";
    format!(
        r#"(title: "", tick_rate: 60, ticks: 1, gravity: (0, -9.8, 0), materials: {{"m": (restitution: 0.5)}},
        shapes: {{"ball": sphere(radius: 0.5), "ground": heights(cell: 1, unit: 0.25, rows: [{}])}},
        statics: [(name: "ground", shape: "ground", material: "m", position: (0, 0, 0))],
        bodies: [body(name: "ball", shape: "ball", material: "m", position: (5.5, 0.75, 2.5))])"#,
        row.repeat(12)
    )
}

/// The world of a text, in C.
fn in_c(text: &str) -> BitstepWorld {
    let (mut scene, mut world) = (BitstepScene::default(), BitstepWorld::default());
    let text = CString::new(text).unwrap();
    // SAFETY: the text ends with a zero, and the other pointers are to values here.
    unsafe {
        assert_eq!(bitstep_scene_new(text.as_ptr(), &mut scene), BITSTEP_OK);
        assert_eq!(bitstep_scene_world(scene, &mut world), BITSTEP_OK);
    }
    assert_eq!(bitstep_scene_free(scene), BITSTEP_OK);
    world
}

/// Two rows of three heights from the sixth point of the third row on; behind them are others.
fn heights(height: i16, lift: bool) -> BitstepCommand {
    BitstepCommand {
        struct_size: size_of::<BitstepCommand>() as u32,
        kind: BITSTEP_COMMAND_SET_HEIGHTS,
        second: 5,
        third: 2,
        allow_overlap: lift.into(),
        columns: 3,
        rows: 2,
        heights: [[height, height, height, 99, 99, 99, 99, 99]; 8],
        ..BitstepCommand::default()
    }
}

fn apply(world: BitstepWorld, command: &BitstepCommand) -> BitstepCode {
    // SAFETY: the command is here, and null is no place to write to.
    unsafe { bitstep_world_apply(world, command, 1, ptr::null_mut()) }
}

#[test]
fn ground_is_dug_and_filled_as_in_the_library() {
    let mut rust = Scene::parse(&text()).unwrap().initial_state;
    let c = in_c(&text());
    // The ball's lowest point is one step up, and its center three.
    let cases = [(-4, false, true), (2, false, false), (2, true, true), (4, true, false), (0, true, true)];
    for (height, lift, is_accepted) in cases {
        let patch = HeightPatch::new(3, &[height; 6]).unwrap();
        let outcome =
            rust.apply(&[Command::SetHeights { ground: StaticId(0), at: [5, 2], heights: patch, lift }]);
        let code = apply(c, &heights(height, lift));
        let expected = if is_accepted { BITSTEP_OK } else { BITSTEP_ERROR_REFUSED };
        assert_eq!(code, expected, "height {height}, lift {lift}: {outcome:?}");
        assert_eq!(saved(c), snapshot::encode(&rust), "height {height}, lift {lift}");
    }
    for _ in 0..30 {
        rust.step(&mut TickReport::default());
        assert_eq!(bitstep_world_tick(c), BITSTEP_OK);
    }
    assert_eq!(saved(c), snapshot::encode(&rust));
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

#[test]
fn heights_that_are_none_are_refused_and_change_nothing() {
    let world = in_c(&text());
    let before = saved(world);
    let dug = heights(-4, false);
    for (columns, rows) in [(0, 2), (3, 0), (9, 2), (3, 9), (0, 0), (u32::MAX, u32::MAX)] {
        let wrong = BitstepCommand { columns, rows, ..dug };
        assert_eq!(apply(world, &wrong), BITSTEP_ERROR_RANGE, "{columns} columns, {rows} rows");
    }
    assert_eq!(apply(world, &BitstepCommand { allow_overlap: 2, ..dug }), BITSTEP_ERROR_ARGUMENT);
    for wrong in [
        BitstepCommand { second: 10, ..dug },
        BitstepCommand { third: u32::MAX, ..dug },
        BitstepCommand { number: 1, ..dug },
        BitstepCommand { rows: 8, columns: 8, ..dug },
    ] {
        assert_eq!(apply(world, &wrong), BITSTEP_ERROR_REFUSED, "{wrong:?}");
    }
    assert_eq!(saved(world), before);
    let most = BitstepCommand { rows: 8, columns: 7, heights: [[-9; 8]; 8], ..dug };
    assert_eq!(apply(world, &most), BITSTEP_OK);
    let mut rust: World = Scene::parse(&text()).unwrap().initial_state;
    let patch = HeightPatch::new(7, &[-9; 56]).unwrap();
    let command = Command::SetHeights { ground: StaticId(0), at: [5, 2], heights: patch, lift: false };
    rust.apply(&[command]).accepted().unwrap();
    assert_eq!(saved(world), snapshot::encode(&rust));
    assert_eq!(bitstep_world_free(world), BITSTEP_OK);
}

/// A ground with a hole, and a mesh of two facets of which the first one has two triangles, away from the origin.
const PLACED: &str = r#"(title: "", tick_rate: 60, ticks: 1, materials: {"m": (restitution: 0)}, bodies: [],
    shapes: {"s": sphere(radius: 1),
        "ground": heights(cell: 2, unit: 0.25, rows: [[0, 0, 0, 0], [0, 0, 4, 0], [0, 0, 0, 0]], holes: [(0, 1)]),
        "mesh": mesh(points: [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1), (0, 1, 0)], triangles: [(0, 1, 2), (1, 0, 4), (0, 2, 3)])},
    statics: [(name: "a", shape: "s", material: "m", position: (50, 0, 0)),
        (name: "ground", shape: "ground", material: "m", position: (-3, 7.5, 4)),
        (name: "mesh", shape: "mesh", material: "m", position: (20, 0, 0))])"#;

fn sized() -> BitstepGround {
    BitstepGround { struct_size: size_of::<BitstepGround>() as u32, ..BitstepGround::default() }
}

/// The ground of a static at a place in a world.
fn at(world: BitstepWorld, ground: u32, [x, z]: [i64; 2]) -> (BitstepCode, BitstepGround) {
    let mut found = sized();
    // SAFETY: the pointer is to a value here.
    (unsafe { bitstep_world_ground(world, ground, x, z, &mut found) }, found)
}

/// Compares the ground along a row of places with that of the library.
fn compare(world: BitstepWorld, rust: &World) -> usize {
    let (fixed, mut holes) = (rust.scenery().statics()[1], 0);
    let heights = rust.scenery().heights(StaticId(1)).unwrap();
    for place in (-16..48).flat_map(|x| (-16..48).map(move |z| [x, z])) {
        let [x, z] = place.map(|part| i64::from(part) << 29);
        let [right, up] = [x, z].map(Scalar::from_bits);
        let expected = heights.height_at(right, up).zip(heights.normal_at(right, up)).map_or(
            sized(),
            |(height, normal)| BitstepGround {
                is_ground: 1,
                height: (height + fixed.position.y).to_bits(),
                normal: normal.unit().unwrap().into(),
                ..sized()
            },
        );
        let there = [x + fixed.position.x.to_bits(), z + fixed.position.z.to_bits()];
        assert_eq!(at(world, 1, there), (BITSTEP_OK, expected), "{place:?}");
        holes +=
            usize::from(expected.is_ground == 0 && [x, z].iter().all(|part| (0..4 << 32).contains(part)));
    }
    holes
}

#[test]
fn ground_is_asked_as_commands_have_left_it() {
    let (c, mut rust) = (in_c(PLACED), Scene::parse(PLACED).unwrap().initial_state);
    assert_eq!(compare(c, &rust), 256, "places over the hole");
    let (code, top) = at(c, 1, [1 << 32, 6 << 32]);
    assert_eq!((code, top.is_ground, top.height), (BITSTEP_OK, 1, 17 << 31));
    let patch = HeightPatch::new(1, &[-20]).unwrap();
    let ground = StaticId(1);
    rust.apply(&[Command::SetHeights { ground, at: [2, 1], heights: patch, lift: false }])
        .accepted()
        .unwrap();
    let dig = BitstepCommand { number: 1, second: 2, third: 1, columns: 1, rows: 1, ..heights(-20, false) };
    assert_eq!(apply(c, &dig), BITSTEP_OK);
    assert_eq!(compare(c, &rust), 256, "places over the hole");
    assert_eq!(at(c, 1, [1 << 32, 6 << 32]).1.height, 5 << 31);
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

#[test]
fn ground_that_is_none_is_named() {
    let world = in_c(PLACED);
    let (most, least) = (i64::MAX, i64::MIN);
    for place in [[most, most], [least, least], [most, least], [least, 0], [0, most]] {
        assert_eq!(at(world, 1, place), (BITSTEP_OK, sized()), "{place:?}");
    }
    for ground in [0, 2, 3, 4, u32::MAX] {
        assert_eq!(at(world, ground, [0; 2]), (BITSTEP_ERROR_RANGE, sized()), "static {ground}");
    }
    let mut small = BitstepGround { struct_size: 8, ..sized() };
    // SAFETY: the pointer is to a value here, or null.
    unsafe {
        assert_eq!(bitstep_world_ground(world, 1, 0, 0, &mut small), BITSTEP_ERROR_SIZE);
        assert_eq!(bitstep_world_ground(world, 1, 0, 0, ptr::null_mut()), BITSTEP_ERROR_ARGUMENT);
    }
    assert_eq!(bitstep_world_free(world), BITSTEP_OK);
    assert_eq!(at(world, 1, [0; 2]), (BITSTEP_ERROR_HANDLE, sized()));
}

#[test]
fn heights_are_read_as_commands_have_left_them() {
    let world = in_c(PLACED);
    let dig = BitstepCommand { number: 1, second: 2, third: 1, columns: 2, rows: 1, ..heights(-20, false) };
    assert_eq!(apply(world, &dig), BITSTEP_OK);
    let read = |ground: u32, room: usize| {
        let (mut values, mut count) = (vec![9; 16], 0);
        // SAFETY: there is room for so many numbers.
        let code = unsafe { bitstep_world_heights(world, ground, values.as_mut_ptr(), room, &mut count) };
        values.truncate(count);
        (code, values)
    };
    assert_eq!(read(1, 16), (BITSTEP_OK, vec![0, 0, 0, 0, 0, 0, -20, -20, 0, 0, 0, 0]));
    assert_eq!(read(1, 11), (BITSTEP_ERROR_BUFFER, vec![9; 12]));
    assert_eq!(read(0, 16), (BITSTEP_ERROR_RANGE, vec![]));
    assert_eq!(read(3, 16), (BITSTEP_ERROR_RANGE, vec![]));
    assert_eq!(bitstep_world_free(world), BITSTEP_OK);
}

/// The static and the triangles of an index, or the codes.
fn facet(world: BitstepWorld, index: u32) -> Result<(u32, Vec<u32>), [BitstepCode; 2]> {
    let (mut owner, mut triangles, mut count) = (77, [9; 32], 0);
    // SAFETY: the pointers are to values here, and there is room for so many numbers.
    let codes = unsafe {
        [
            bitstep_world_facet_owner(world, index, &mut owner),
            bitstep_world_facet_triangles(world, index, triangles.as_mut_ptr(), 32, &mut count),
        ]
    };
    if codes == [BITSTEP_OK; 2] { Ok((owner, triangles[..count].to_vec())) } else { Err(codes) }
}

#[test]
fn facets_name_their_static_and_their_triangles() {
    let (world, rust) = (in_c(PLACED), Scene::parse(PLACED).unwrap().initial_state);
    let scenery = rust.scenery();
    for index in 0..3 {
        assert_eq!(facet(world, index), Ok((index, Vec::new())));
    }
    let mut seen = [0; 3];
    for index in 3..scenery.static_count() as u32 + 4 {
        let expected = scenery.mesh_part(StaticId(index)).map(|(owner, list)| (owner.0, list.to_vec()));
        seen[expected.as_ref().map_or(0, |part| part.0 as usize)] += 1;
        assert_eq!(facet(world, index).ok(), expected, "{index}");
    }
    assert_eq!(seen[2], 2, "facets of the mesh");
    assert!(seen[1] > 4 && seen[0] >= 4, "{seen:?}");
    assert_eq!(facet(world, 3), Ok((2, vec![0, 2])));
    assert_eq!(facet(world, u32::MAX), Err([BITSTEP_ERROR_RANGE; 2]));
    // SAFETY: null is no place to write to.
    unsafe {
        assert_eq!(bitstep_world_facet_owner(world, 3, ptr::null_mut()), BITSTEP_ERROR_ARGUMENT);
        let mut count = 0;
        let code = bitstep_world_facet_triangles(world, 3, ptr::null_mut(), 0, &mut count);
        assert_eq!((code, count), (BITSTEP_ERROR_BUFFER, 2));
    }
    assert_eq!(bitstep_world_free(world), BITSTEP_OK);
}

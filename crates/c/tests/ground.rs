//! Ground of heights that commands dig and fill, in C as in Rust, and heights that are none.
#![allow(missing_docs)]

use std::{ffi::CString, ptr};

use bitstep::{
    World, snapshot,
    state::{Command, HeightPatch, StaticId},
    tick::TickReport,
};
use bitstep_c::{code::*, command::*, scene::*, world::*};
use bitstep_scene::Scene;

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

fn saved(world: BitstepWorld) -> Vec<u8> {
    let (mut bytes, mut length) = (vec![0; 1 << 12], 0);
    // SAFETY: there are so many bytes.
    let code = unsafe { bitstep_world_save(world, bytes.as_mut_ptr(), bytes.len(), &mut length) };
    assert_eq!(code, BITSTEP_OK);
    bytes.truncate(length);
    bytes
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

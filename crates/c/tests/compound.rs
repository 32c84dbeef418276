//! Compounds and shapes that are open on a side, in C as in Rust, and those that are none.
#![allow(missing_docs)]

use std::{mem::MaybeUninit, ptr};

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    shape::{Heights, Mesh, Shape},
    snapshot,
    state::{
        ChildShape, Command, Face, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn, Static,
    },
    tick::TickReport,
};
use bitstep_c::{body::*, code::*, compound::*, mesh::*, scenery::*, types::*, world::*};

use self::support::saved;

mod support;

const UNIT: i64 = 1 << 32;

/// The number of a fighter's layer for blows.
const BLOWS: u8 = 3;

fn fixed(shape: u16, x: i64) -> Static {
    Static { shape: ShapeId(shape), material: MaterialId(0), position: Vec3::from_raw([x, 0, 0]), layer: 0 }
}

/// A ledge and a roof that are open above, below two fighters, of which one is mirrored.
fn in_rust() -> World {
    let mut builder = SceneryBuilder::default();
    let half = |x, y, z| Vec3::from_raw([x, y, z]);
    builder.shape(Shape::aabb(half(UNIT / 2, UNIT / 2, UNIT / 2)));
    builder.shape(Shape::aabb(half(2 * UNIT, UNIT / 8, 2 * UNIT)));
    let heights = Heights::new(2, Scalar::from(4), Scalar::from(1), vec![0, 1, 0, 1]).unwrap();
    builder.shape(Shape::Mesh(Mesh::of_heights(heights).unwrap()));
    builder.one_way(ShapeId(1), Face::PlusY);
    builder.one_way(ShapeId(2), Face::Front);
    let fist = ChildShape { offset: half(UNIT, 0, 0), layer: Some(BLOWS), ..ChildShape::new(ShapeId(0)) };
    builder.compound(vec![ChildShape::new(ShapeId(0)), fist]);
    builder.material(Material::new(Scalar::ZERO).unwrap());
    builder.add(fixed(1, 0));
    builder.add(fixed(2, 8 * UNIT));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let spawns = [(65_535, 0), (65_534, 10 * UNIT)]
        .map(|(shape, x)| Spawn::new(ShapeId(shape), half(x, -3 * UNIT, 2 * UNIT)));
    for spawn in spawns {
        let spawn = Spawn { velocity: half(0, UNIT / 4, 0), ..spawn };
        world.apply(&[Command::Spawn(spawn)]).accepted().unwrap();
    }
    world
}

fn shape(kind: u32, half: [i64; 3]) -> BitstepShape {
    let [x, y, z] = half;
    BitstepShape {
        struct_size: size_of::<BitstepShape>() as u32,
        kind,
        half: BitstepVec3 { x, y, z },
        rotation: BitstepRotation { w: 1 << 30, ..BitstepRotation::default() },
        ..BitstepShape::default()
    }
}

/// The shapes of the level, its materials and nothing else.
fn shapes() -> BitstepScenery {
    let mut scenery = BitstepScenery::default();
    let boxes = [[UNIT / 2; 3], [2 * UNIT, UNIT / 8, 2 * UNIT]].map(|half| shape(BITSTEP_SHAPE_AABB, half));
    let heights = BitstepHeights {
        struct_size: size_of::<BitstepHeights>() as u32,
        columns: 2,
        rows: 2,
        reserved: 0,
        cell: 4 * UNIT,
        unit: UNIT,
        heights: [0_i16, 1, 0, 1].as_ptr(),
        cells: ptr::null(),
    };
    // SAFETY: all pointers are to values here, or null.
    unsafe {
        assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
        for shape in &boxes {
            assert_eq!(bitstep_scenery_add_shape(scenery, shape, ptr::null_mut()), BITSTEP_OK);
        }
        assert_eq!(bitstep_scenery_add_heights(scenery, &heights, ptr::null_mut()), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_material(scenery, 0, 0, ptr::null_mut()), BITSTEP_OK);
    }
    scenery
}

fn world_of(scenery: BitstepScenery) -> (BitstepCode, BitstepWorld) {
    let (mut limits, mut world) = (MaybeUninit::<BitstepLimits>::uninit(), BitstepWorld::default());
    // SAFETY: all pointers are to values here, of which the first one is written before it is read.
    let code = unsafe {
        assert_eq!(bitstep_limits_init(60, limits.as_mut_ptr()), BITSTEP_OK);
        bitstep_world_new(scenery, limits.as_ptr(), &mut world)
    };
    (code, world)
}

fn child(shape: u32, layer: u32, x: i64) -> BitstepChildShape {
    BitstepChildShape { shape, layer, offset: BitstepVec3 { x, y: 0, z: 0 } }
}

fn compound(scenery: BitstepScenery, children: &[BitstepChildShape]) -> (BitstepCode, u32) {
    let mut id = 7;
    // SAFETY: there are so many children, and the number is here.
    let code = unsafe { bitstep_scenery_add_compound(scenery, children.as_ptr(), children.len(), &mut id) };
    (code, id)
}

fn in_c() -> BitstepWorld {
    let scenery = shapes();
    assert_eq!(bitstep_scenery_set_open_face(scenery, 1, BITSTEP_FACE_MINUS_Z), BITSTEP_OK);
    assert_eq!(bitstep_scenery_set_open_face(scenery, 1, BITSTEP_FACE_PLUS_Y), BITSTEP_OK);
    assert_eq!(bitstep_scenery_set_open_face(scenery, 2, BITSTEP_FACE_FRONT), BITSTEP_OK);
    let children = [child(0, BITSTEP_LAYER_OF_BODY, 0), child(0, BLOWS.into(), UNIT)];
    assert_eq!(compound(scenery, &children), (BITSTEP_OK, 65_535));
    for (shape, x) in [(1, 0), (2, 8 * UNIT)] {
        let position = BitstepVec3 { x, y: 0, z: 0 };
        let fixed = BitstepStatic {
            struct_size: size_of::<BitstepStatic>() as u32,
            shape,
            position,
            ..BitstepStatic::default()
        };
        // SAFETY: it is here.
        assert_eq!(unsafe { bitstep_scenery_add_static(scenery, &fixed, ptr::null_mut()) }, BITSTEP_OK);
    }
    let (code, world) = world_of(scenery);
    assert_eq!((code, bitstep_scenery_free(scenery)), (BITSTEP_OK, BITSTEP_OK));
    for (shape, x) in [(65_535, 0), (65_534, 10 * UNIT)] {
        let mut spawn = MaybeUninit::<BitstepSpawn>::uninit();
        // SAFETY: it is here and written before it is read, and null is no place to write to.
        unsafe {
            assert_eq!(bitstep_spawn_init(shape, spawn.as_mut_ptr()), BITSTEP_OK);
            let spawn = spawn.assume_init_mut();
            spawn.position = BitstepVec3 { x, y: -3 * UNIT, z: 2 * UNIT };
            spawn.velocity.y = UNIT / 4;
            assert_eq!(bitstep_world_spawn(world, spawn, ptr::null_mut()), BITSTEP_OK);
        }
    }
    world
}

/// The bytes of a state begin with the hash of its scenery.
#[test]
fn compounds_and_open_faces_are_those_of_the_library() {
    let (mut rust, c) = (in_rust(), in_c());
    for tick in 0..60 {
        assert_eq!(saved(c), snapshot::encode(&rust), "tick {tick}");
        rust.step(&mut TickReport::default());
        assert_eq!(bitstep_world_tick(c), BITSTEP_OK);
    }
    assert!(rust.bodies().all(|(_, body)| body.position.y > 5), "both have passed what is open");
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

#[test]
fn faces_and_compounds_that_are_none_are_refused() {
    let scenery = shapes();
    assert_eq!(bitstep_scenery_set_open_face(scenery, 3, BITSTEP_FACE_PLUS_X), BITSTEP_ERROR_RANGE);
    assert_eq!(bitstep_scenery_set_open_face(scenery, 65_536, BITSTEP_FACE_PLUS_X), BITSTEP_ERROR_RANGE);
    for face in [7, 255, 256, u32::MAX] {
        assert_eq!(bitstep_scenery_set_open_face(scenery, 0, face), BITSTEP_ERROR_ARGUMENT, "{face}");
    }
    for (shape, layer) in [(65_536, 0), (0, 256), (0, BITSTEP_LAYER_OF_BODY - 1)] {
        assert_eq!(compound(scenery, &[child(shape, layer, 0)]), (BITSTEP_ERROR_RANGE, 7), "{shape} {layer}");
    }
    // SAFETY: null is no place to read from.
    let code = unsafe { bitstep_scenery_add_compound(scenery, ptr::null(), 1, ptr::null_mut()) };
    assert_eq!(code, BITSTEP_ERROR_ARGUMENT);
    assert_eq!(world_of(scenery).0, BITSTEP_OK, "nothing was added");
    for wrong in [child(2, 0, 0), child(9, 0, 0), child(0, 16, 0)] {
        let scenery = shapes();
        assert_eq!(compound(scenery, &[wrong]).0, BITSTEP_OK);
        assert_eq!(world_of(scenery).0, BITSTEP_ERROR_RANGE, "{wrong:?}");
        assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
    }
    assert_eq!(compound(scenery, &[]).0, BITSTEP_OK);
    assert_eq!(world_of(scenery).0, BITSTEP_ERROR_RANGE, "a compound of nothing");
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
    let scenery = shapes();
    assert_eq!(bitstep_scenery_set_open_face(scenery, 0, BITSTEP_FACE_FRONT), BITSTEP_OK);
    assert_eq!(world_of(scenery).0, BITSTEP_ERROR_RANGE, "a box has no front");
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
}

#[test]
fn compounds_are_as_many_as_have_ids() {
    let scenery = shapes();
    let one = [child(0, 0, 0)];
    for number in 0..1 << 15 {
        assert_eq!(compound(scenery, &one), (BITSTEP_OK, 65_535 - 2 * number));
    }
    assert_eq!(compound(scenery, &one), (BITSTEP_ERROR_RANGE, 7));
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
}

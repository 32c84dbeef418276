//! Meshes and ground of heights that are built in C, as in Rust, and such that are none.
#![allow(missing_docs)]

use std::{mem::MaybeUninit, ptr};

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    session::Simulation,
    shape::{Cell, Heights, Mesh, Shape},
    snapshot,
    state::{Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};
use bitstep_c::{body::*, code::*, mesh::*, scenery::*, types::*, world::*};
use bitstep_scene::MeshFile;

use self::support::saved;

mod support;

const UNIT: i64 = 1 << 32;

/// A floor of four triangles of two materials, on which a ridge stands, with everything that a report counts.
const POINTS: [[i64; 3]; 9] =
    [[0, 0, 0], [4, 0, 0], [4, 0, 4], [0, 0, 4], [2, 0, 4], [4, 0, 0], [2, 2, 2], [9, 9, 9], [2, -1, 2]];
const TRIANGLES: [[u32; 3]; 8] =
    [[0, 2, 1], [0, 4, 2], [0, 3, 4], [0, 2, 6], [2, 5, 1], [1, 2, 0], [0, 2, 8], [0, 3, 2]];
const MATERIALS: [u8; 8] = [0, 0, 1, 2, 0, 0, 1, 1];

/// Points of which the last one is off the grid.
fn points() -> [Vec3; 9] {
    let mut points = POINTS.map(|point| Vec3::from_raw(point.map(|part| part * UNIT)));
    points[8] += Vec3::from_raw([1, 0, 0]);
    points
}

fn mesh_of(points: &[BitstepVec3]) -> BitstepMesh {
    BitstepMesh {
        struct_size: size_of::<BitstepMesh>() as u32,
        point_count: points.len() as u32,
        triangle_count: TRIANGLES.len() as u32,
        reserved: 0,
        points: points.as_ptr(),
        triangles: TRIANGLES.as_ptr().cast(),
        materials: MATERIALS.as_ptr(),
    }
}

const HEIGHTS: [i16; 12] = [0, 1, 2, 3, 0, -4, 5, 3, 0, 0, 2, 7];
const CELLS: [u8; 6] = [0, 128, 127, 2, 130, 1];

fn heights() -> BitstepHeights {
    BitstepHeights {
        struct_size: size_of::<BitstepHeights>() as u32,
        columns: 4,
        rows: 3,
        reserved: 0,
        cell: 2 * UNIT,
        unit: UNIT / 4,
        heights: HEIGHTS.as_ptr(),
        cells: CELLS.as_ptr(),
    }
}

fn heights_in_rust() -> Heights {
    let other = Cell::with_other_diagonal;
    let cells =
        vec![Cell::new(0), other(Cell::new(0)), Cell::HOLE, Cell::new(2), other(Cell::new(2)), Cell::new(1)];
    Heights::new(4, lit("2"), lit("0.25"), HEIGHTS.to_vec()).unwrap().with_cells(cells).unwrap()
}

fn file() -> Vec<u8> {
    let mesh = Mesh::with_materials(&points(), &TRIANGLES, &MATERIALS).unwrap();
    MeshFile::new(mesh, vec!["grass".into(), "stone".into()]).unwrap().encode()
}

/// A ball above the static of a shape, at a place, in Rust.
fn in_rust(shape: Shape) -> World {
    let mut builder = SceneryBuilder::default();
    builder.shape(Shape::sphere(lit("0.5")));
    let ground = builder.shape(shape);
    for restitution in ["0.25", "0.5", "0.75"] {
        builder.material(Material::new(lit(restitution)).unwrap().with_friction(lit("0.5")).unwrap());
    }
    builder.fixed(ground, MaterialId(0), Vec3::lit("1", "-2", "3"));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let ball = Spawn { velocity: Vec3::lit("0", "-0.5", "0"), ..Spawn::new(ShapeId(0), place()) };
    world.apply(&[Command::Spawn(ball)]).accepted().unwrap();
    world
}

fn place() -> Vec3 {
    Vec3::lit("3.5", "3", "4.25")
}

/// A scenery with a ball, in C.
fn level() -> BitstepScenery {
    let (mut scenery, ball) = (BitstepScenery::default(), BitstepShape::default());
    let ball = BitstepShape { struct_size: size_of_val(&ball) as u32, radius: UNIT / 2, ..ball };
    // SAFETY: the pointers are to values here, or null where they may be.
    unsafe {
        assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_shape(scenery, &ball, ptr::null_mut()), BITSTEP_OK);
        for quarter in 1..4 {
            let code = bitstep_scenery_add_material(scenery, quarter * UNIT / 4, UNIT / 2, ptr::null_mut());
            assert_eq!(code, BITSTEP_OK);
        }
    }
    scenery
}

/// The same as [`in_rust`] with the shape 1 of a scenery, which is freed.
fn in_c(scenery: BitstepScenery) -> BitstepWorld {
    let (mut limits, mut spawn) = (MaybeUninit::uninit(), MaybeUninit::<BitstepSpawn>::uninit());
    let (mut world, position) = (BitstepWorld::default(), Vec3::lit("1", "-2", "3").into());
    let struct_size = size_of::<BitstepStatic>() as u32;
    let fixed = BitstepStatic { struct_size, shape: 1, position, ..BitstepStatic::default() };
    // SAFETY: the pointers are to values here, of which the first two are filled, or null where they may be.
    unsafe {
        assert_eq!(bitstep_scenery_add_static(scenery, &fixed, ptr::null_mut()), BITSTEP_OK);
        assert_eq!(bitstep_limits_init(60, limits.as_mut_ptr()), BITSTEP_OK);
        assert_eq!(bitstep_world_new(scenery, limits.as_ptr(), &mut world), BITSTEP_OK);
        assert_eq!(bitstep_spawn_init(0, spawn.as_mut_ptr()), BITSTEP_OK);
        let velocity = BitstepVec3 { x: 0, y: -UNIT / 2, z: 0 };
        let spawn = BitstepSpawn { position: place().into(), velocity, ..spawn.assume_init() };
        assert_eq!(bitstep_world_spawn(world, &spawn, ptr::null_mut()), BITSTEP_OK);
    }
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
    world
}

/// Plays both worlds: their snapshots have the hash of the scenery.
fn expect_same(c: BitstepWorld, rust: &mut World) {
    assert_eq!(saved(c), snapshot::encode(rust));
    let before = rust.checksum();
    for _ in 0..40 {
        rust.step(&mut TickReport::default());
        assert_eq!(bitstep_world_tick(c), BITSTEP_OK);
    }
    assert_eq!(saved(c), snapshot::encode(rust));
    assert_ne!(rust.checksum(), before);
}

fn add_mesh(scenery: BitstepScenery, mesh: &BitstepMesh, report: &mut BitstepMeshReport) -> BitstepCode {
    let mut id = 77;
    // SAFETY: the pointers are to values here, and what the struct says of its own is up to each test.
    let code = unsafe { bitstep_scenery_add_mesh(scenery, mesh, report, &mut id) };
    assert_eq!(id, if code == BITSTEP_OK { 1 } else { 77 });
    code
}

fn add_heights(scenery: BitstepScenery, heights: &BitstepHeights) -> BitstepCode {
    let mut id = 77;
    // SAFETY: the pointers are to values here, and what the struct says of its own is up to each test.
    let code = unsafe { bitstep_scenery_add_heights(scenery, heights, &mut id) };
    assert_eq!(id, if code == BITSTEP_OK { 1 } else { 77 });
    code
}

fn sized() -> BitstepMeshReport {
    BitstepMeshReport { struct_size: size_of::<BitstepMeshReport>() as u32, ..BitstepMeshReport::default() }
}

/// The report of a mesh in Rust.
fn expected(mesh: &Mesh) -> BitstepMeshReport {
    let of = mesh.report();
    BitstepMeshReport {
        points: mesh.points().len() as u32,
        triangles: mesh.triangles().len() as u32,
        materials: mesh.material_count().into(),
        facets: of.facets,
        rounded: of.rounded,
        merged: of.merged,
        unused: of.unused,
        degenerate: of.degenerate.len() as u32,
        repeated: of.repeated.len() as u32,
        crowded_edges: of.crowded_edges.len() as u32,
        t_junctions: of.t_junctions.len() as u32,
        open_edges: of.open_edges,
        flat_edges: of.flat_edges,
        bent_edges: of.bent_edges,
        ..sized()
    }
}

#[test]
fn meshes_are_those_of_the_library() {
    let points = points();
    let mesh = Mesh::with_materials(&points, &TRIANGLES, &MATERIALS).unwrap();
    let (scenery, in_c_points) = (level(), points.map(BitstepVec3::from));
    let mut report = sized();
    assert_eq!(add_mesh(scenery, &mesh_of(&in_c_points), &mut report), BITSTEP_OK);
    assert_eq!(report, expected(&mesh));
    let counts = [report.rounded, report.merged, report.unused, report.degenerate, report.repeated];
    assert_eq!(counts, [1; 5], "{report:?}");
    let edges = [report.crowded_edges, report.t_junctions, report.open_edges, report.flat_edges];
    assert!(edges.iter().all(|count| *count > 0) && report.materials == 3, "{report:?}");
    expect_same(in_c(scenery), &mut in_rust(Shape::Mesh(mesh)));
}

#[test]
fn meshes_of_one_material_need_no_list_of_them() {
    let points = points();
    let mesh = Mesh::new(&points, &TRIANGLES).unwrap();
    let (scenery, in_c_points, mut report) = (level(), points.map(BitstepVec3::from), sized());
    let plain = BitstepMesh { materials: ptr::null(), ..mesh_of(&in_c_points) };
    assert_eq!(add_mesh(scenery, &plain, &mut report), BITSTEP_OK);
    assert_eq!((report, report.materials), (expected(&mesh), 1));
    expect_same(in_c(scenery), &mut in_rust(Shape::Mesh(mesh)));
}

#[test]
fn mesh_files_are_those_of_the_library() {
    let (scenery, bytes) = (level(), file());
    let (mut report, mut id) = (sized(), 77);
    let mut add = |bytes: &[u8]| {
        // SAFETY: there are so many bytes, and the other pointers are to values here.
        let code = unsafe {
            bitstep_scenery_add_mesh_file(scenery, bytes.as_ptr(), bytes.len(), &mut report, &mut id)
        };
        (code, id)
    };
    for length in 0..bytes.len() {
        assert_eq!(add(&bytes[..length]), (BITSTEP_ERROR_DATA, 77), "{length} bytes");
    }
    // The names at the end are in no hash.
    for at in 0..bytes.len() - 34 {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert_eq!(add(&damaged), (BITSTEP_ERROR_DATA, 77), "byte {at}");
    }
    assert_eq!(add(&bytes), (BITSTEP_OK, 1));
    let mesh = MeshFile::decode(&bytes).unwrap().mesh().clone();
    assert_eq!(report, expected(&mesh));
    // SAFETY: null is no file, and no place to write to.
    let code =
        unsafe { bitstep_scenery_add_mesh_file(scenery, ptr::null(), 9, ptr::null_mut(), ptr::null_mut()) };
    assert_eq!(code, BITSTEP_ERROR_ARGUMENT);
    expect_same(in_c(scenery), &mut in_rust(Shape::Mesh(mesh)));
}

#[test]
fn heights_are_those_of_the_library() {
    let scenery = level();
    assert_eq!(add_heights(scenery, &heights()), BITSTEP_OK);
    let mesh = Mesh::of_heights(heights_in_rust()).unwrap();
    expect_same(in_c(scenery), &mut in_rust(Shape::Mesh(mesh)));
}

#[test]
fn heights_without_cells_are_of_one_material() {
    let plain = Heights::new(4, lit("2"), lit("0.25"), HEIGHTS.to_vec()).unwrap();
    for cells in [ptr::null(), [0_u8; 6].as_ptr()] {
        let scenery = level();
        assert_eq!(add_heights(scenery, &BitstepHeights { cells, ..heights() }), BITSTEP_OK);
        let mesh = Mesh::of_heights(plain.clone()).unwrap();
        expect_same(in_c(scenery), &mut in_rust(Shape::Mesh(mesh)));
    }
}

#[test]
fn meshes_that_are_none_are_refused() {
    let (scenery, list) = (level(), points().map(BitstepVec3::from));
    let whole = mesh_of(&list);
    let mut far = list;
    (far[3].x, far[4].z) = ((1 << 46) + 1, i64::MIN);
    let mut apart = list;
    apart[3].x = -(1 << 46) + (1 << 20);
    apart[1].x = 1 << 45;
    let mut beyond = TRIANGLES;
    beyond[5][2] = 9;
    let mut last = TRIANGLES;
    last[0][0] = u32::MAX;
    let odd = list.as_ptr().cast::<u8>().wrapping_add(1).cast();
    let cases = [
        (BITSTEP_ERROR_ARGUMENT, BitstepMesh { points: ptr::null(), ..whole }),
        (BITSTEP_ERROR_ARGUMENT, BitstepMesh { triangles: ptr::null(), ..whole }),
        (BITSTEP_ERROR_ARGUMENT, BitstepMesh { points: odd, ..whole }),
        (BITSTEP_ERROR_ARGUMENT, BitstepMesh { reserved: 1, ..whole }),
        (BITSTEP_ERROR_SIZE, BitstepMesh { struct_size: whole.struct_size - 8, ..whole }),
        (BITSTEP_ERROR_SIZE, BitstepMesh { struct_size: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { point_count: (1 << 22) + 1, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { point_count: u32::MAX, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { triangle_count: u32::MAX / 3 + 2, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { triangle_count: u32::MAX, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { triangle_count: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { point_count: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { point_count: 6, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { points: far.as_ptr(), ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { points: apart.as_ptr(), ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { triangles: beyond.as_ptr().cast(), ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepMesh { triangles: last.as_ptr().cast(), ..whole }),
    ];
    for (code, wrong) in cases {
        let mut report = sized();
        assert_eq!(add_mesh(scenery, &wrong, &mut report), code, "{wrong:?}");
        assert_eq!(report, sized(), "{wrong:?}");
    }
    let mut small = BitstepMeshReport { struct_size: 4, ..sized() };
    assert_eq!(add_mesh(scenery, &whole, &mut small), BITSTEP_ERROR_SIZE);
    // SAFETY: null and what is not aligned are no places to write to.
    unsafe {
        let (none, none_of_it) = (ptr::null_mut(), ptr::null_mut());
        let off = list.as_ptr().cast::<u8>().wrapping_add(1).cast_mut().cast();
        assert_eq!(bitstep_scenery_add_mesh(scenery, ptr::null(), none, none_of_it), BITSTEP_ERROR_ARGUMENT);
        assert_eq!(bitstep_scenery_add_mesh(scenery, &whole, none, off), BITSTEP_ERROR_ARGUMENT);
    }
    // Nothing was added: the next shape is the second.
    assert_eq!(add_mesh(scenery, &whole, &mut sized()), BITSTEP_OK);
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
    assert_eq!(add_mesh(scenery, &whole, &mut sized()), BITSTEP_ERROR_HANDLE);
}

#[test]
fn heights_that_are_none_are_refused() {
    let (scenery, whole) = (level(), heights());
    let holes = [127_u8; 6];
    let mut cut = CELLS;
    cut[2] = 255;
    let odd = HEIGHTS.as_ptr().cast::<u8>().wrapping_add(1).cast();
    let cases = [
        (BITSTEP_ERROR_ARGUMENT, BitstepHeights { heights: ptr::null(), ..whole }),
        (BITSTEP_ERROR_ARGUMENT, BitstepHeights { heights: odd, ..whole }),
        (BITSTEP_ERROR_ARGUMENT, BitstepHeights { reserved: 1, ..whole }),
        (BITSTEP_ERROR_SIZE, BitstepHeights { struct_size: whole.struct_size - 8, ..whole }),
        (BITSTEP_ERROR_SIZE, BitstepHeights { struct_size: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { columns: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { rows: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { columns: 1, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { rows: 1, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { columns: 1 << 31, rows: 2, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { columns: 1 << 16, rows: 1 << 16, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { columns: u32::MAX, rows: u32::MAX, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cell: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cell: -UNIT, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cell: UNIT + 1, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cell: i64::MAX, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cell: UNIT << 13, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { unit: 0, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { unit: i64::MIN, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { unit: UNIT << 13, ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cells: holes.as_ptr(), ..whole }),
        (BITSTEP_ERROR_RANGE, BitstepHeights { cells: cut.as_ptr(), ..whole }),
    ];
    for (code, wrong) in cases {
        assert_eq!(add_heights(scenery, &wrong), code, "{wrong:?}");
    }
    // SAFETY: null is no struct, and no place to write to.
    let code = unsafe { bitstep_scenery_add_heights(scenery, ptr::null(), ptr::null_mut()) };
    assert_eq!(code, BITSTEP_ERROR_ARGUMENT);
    assert_eq!(add_heights(scenery, &whole), BITSTEP_OK);
    assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
    assert_eq!(add_heights(scenery, &whole), BITSTEP_ERROR_HANDLE);
}

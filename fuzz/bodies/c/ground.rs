//! Calls that build meshes and ground of heights, and ask for the ground of a world.

use std::ptr;

use bitstep::{geom::Vec3, shape::Mesh};
use bitstep_c::{code::*, compound::*, ground::*, mesh::*, scenery::*, types::*, world::*};
use bitstep_scene::MeshFile;

use super::{Input, Table, add, array, words};

/// Numbers of points and of triangles that are drawn for a mesh, and of points along an axis for heights.
const POINTS_MAX: usize = 8;
const TRIANGLES_MAX: usize = 10;
const AXIS_MAX: usize = 6;

/// The file of a floor of two triangles.
fn file() -> Vec<u8> {
    let at = |x: i64, z: i64| Vec3::from_raw([x << 33, 0, z << 33]);
    let corners = [at(0, 0), at(0, 4), at(4, 4), at(4, 0)];
    let mesh = Mesh::new(&corners, &[[0, 1, 2], [2, 3, 0]]).expect("a mesh");
    MeshFile::new(mesh, vec!["floor".to_owned()]).expect("a short name").encode()
}

impl Input<'_> {
    /// A count of elements that are there: all of them mostly, fewer, or more than anything may have.
    fn count(&mut self, there: usize) -> u32 {
        match self.below(16) {
            0 => self.below(there + 1) as u32,
            1 => u32::MAX - (self.bits() as u32 >> 10), // at least 2^22 of them are too many
            _ => there as u32,
        }
    }

    /// The address of an array, or null now and then.
    fn pointer<T>(&mut self, values: &[T]) -> *const T {
        if self.below(16) == 0 { ptr::null() } else { values.as_ptr() }
    }

    /// The size of a struct, mostly.
    fn size_of<T>(&mut self) -> u32 {
        if self.below(16) == 0 { self.small() } else { size_of::<T>() as u32 }
    }
}

// SAFETY, of all unsafe blocks below: every pointer is null, or to a value here, or to as many of them as a count says that is not refused.
impl Table {
    pub fn call_of_ground(&mut self, input: &mut Input<'_>) -> BitstepCode {
        match input.below(8) {
            0..4 => self.build(input),
            7 => open_or_combine(self.scenery(input), input),
            _ => self.ask(self.world(input), input),
        }
    }

    /// Adds a shape to a scenery, mostly a new one, a static of it, and a world of both.
    fn build(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let scenery = if input.below(4) == 0 { self.scenery(input) } else { self.level() };
        let (code, shape) = match input.below(5) {
            0 => add_file(scenery, input),
            1 | 2 => add_mesh(scenery, input),
            _ => add_heights(scenery, input),
        };
        if code != BITSTEP_OK {
            return code;
        }
        let position = if input.below(4) == 0 { input.vector() } else { BitstepVec3::default() };
        let fixed = BitstepStatic { shape, position, ..Input::sized() };
        let (limits, mut made) = (input.limits(), BitstepWorld::default());
        // SAFETY: as above.
        let code = unsafe {
            assert_eq!(
                bitstep_scenery_add_static(scenery, &fixed, ptr::null_mut()),
                BITSTEP_OK,
                "{}",
                words()
            );
            bitstep_world_new(scenery, &limits, &mut made)
        };
        if code == BITSTEP_OK {
            self.ask(made, input);
            self.ask(made, input);
        }
        add(&mut self.worlds, code, made.handle)
    }

    /// A scenery with a sphere and two materials.
    fn level(&mut self) -> BitstepScenery {
        let (mut made, ball) =
            (BitstepScenery::default(), BitstepShape { radius: 1 << 31, ..Input::sized() });
        // SAFETY: as above.
        unsafe {
            assert_eq!(bitstep_scenery_new(&mut made), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_shape(made, &ball, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_material(made, 1 << 31, 0, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_material(made, 0, 1 << 31, ptr::null_mut()), BITSTEP_OK);
        }
        self.sceneries.push(made.handle);
        made
    }

    fn ask(&mut self, world: BitstepWorld, input: &mut Input<'_>) -> BitstepCode {
        let index = input.small();
        if input.below(2) == 0 {
            return self.ask_for_facet(world, index.wrapping_add(u32::from(input.byte() % 32)));
        }
        let mut at: BitstepGround = Input::sized();
        // SAFETY: as above.
        unsafe {
            let [x, z] = [input.scalar(), input.scalar()];
            let code = bitstep_world_ground(world, index, x, z, &mut at);
            let of_heights =
                array(64, |values, count| bitstep_world_heights(world, index, values, 64, count));
            assert_eq!(code, of_heights, "there is ground, or none: {}", words());
            let normal = at.normal;
            assert!(at.is_ground == 1 && normal.y > 0 || at == Input::sized(), "{at:?}");
            self.of_ground += at.is_ground;
            code
        }
    }

    fn ask_for_facet(&mut self, world: BitstepWorld, facet: u32) -> BitstepCode {
        let (mut owner, mut again) = (0, 0);
        // SAFETY: as above.
        unsafe {
            let code = bitstep_world_facet_owner(world, facet, &mut owner);
            let triangles = array(64, |triangles, count| {
                bitstep_world_facet_triangles(world, facet, triangles, 64, count)
            });
            assert_eq!(code, triangles, "{facet} has an owner, or none: {}", words());
            if code == BITSTEP_OK {
                assert_eq!(bitstep_world_facet_owner(world, owner, &mut again), BITSTEP_OK, "{}", words());
                assert!(owner == again && owner <= facet, "{facet} is of {owner}, that of {again}");
                self.of_ground += u32::from(owner < facet);
            }
            code
        }
    }
}

/// Opens a shape on a face, or adds a compound, of which either may be none.
fn open_or_combine(scenery: BitstepScenery, input: &mut Input<'_>) -> BitstepCode {
    let shape = input.small();
    if input.below(2) == 0 {
        let face = input.below(9) as u32;
        let code = bitstep_scenery_set_open_face(scenery, shape, face);
        assert!(code != BITSTEP_OK || face <= BITSTEP_FACE_FRONT, "{face}");
        return code;
    }
    let layer = if input.below(2) == 0 { BITSTEP_LAYER_OF_BODY } else { input.below(18) as u32 };
    let children = [BitstepChildShape { shape, layer, offset: input.vector() }; 2];
    let (pointer, count, mut id) = (input.pointer(&children), input.below(3), 0);
    // SAFETY: as above.
    let code = unsafe { bitstep_scenery_add_compound(scenery, pointer, count, &mut id) };
    assert_eq!(code == BITSTEP_OK, id > u32::from(u16::MAX >> 1), "{}", words());
    code
}

fn add_file(scenery: BitstepScenery, input: &mut Input<'_>) -> (BitstepCode, u32) {
    let (bytes, mut id) = (input.damaged(&file()), 0);
    // SAFETY: as above.
    let code = unsafe {
        bitstep_scenery_add_mesh_file(scenery, bytes.as_ptr(), bytes.len(), ptr::null_mut(), &mut id)
    };
    (code, id)
}

fn add_mesh(scenery: BitstepScenery, input: &mut Input<'_>) -> (BitstepCode, u32) {
    let points: Vec<_> = (0..input.below(POINTS_MAX + 1)).map(|_| input.vector()).collect();
    let triangles: Vec<[u32; 3]> =
        (0..input.below(TRIANGLES_MAX + 1)).map(|_| [0; 3].map(|_: u32| input.small())).collect();
    let materials: Vec<u8> = triangles.iter().map(|_| input.byte() % 2).collect();
    let mesh = BitstepMesh {
        struct_size: input.size_of::<BitstepMesh>(),
        point_count: input.count(points.len()),
        triangle_count: input.count(triangles.len()),
        reserved: u32::from(input.below(32) == 1),
        points: input.pointer(&points),
        triangles: input.pointer(triangles.as_flattened()),
        materials: if input.below(2) == 0 { ptr::null() } else { materials.as_ptr() },
    };
    let (mut report, mut id) = (Input::sized::<BitstepMeshReport>(), 0);
    // SAFETY: as above.
    let code = unsafe { bitstep_scenery_add_mesh(scenery, &mesh, &mut report, &mut id) };
    let BitstepMeshReport { triangles, degenerate, repeated, facets, .. } = report;
    if code == BITSTEP_OK {
        assert_eq!(triangles + degenerate + repeated, mesh.triangle_count, "{report:?}");
        assert!((1..=triangles).contains(&facets), "{report:?}");
    }
    (code, id)
}

fn add_heights(scenery: BitstepScenery, input: &mut Input<'_>) -> (BitstepCode, u32) {
    let [columns, rows] = [2 + input.below(AXIS_MAX - 1), 2 + input.below(AXIS_MAX - 1)];
    let values: Vec<i16> = (0..columns * rows).map(|_| i16::from(input.byte() as i8)).collect();
    let cells: Vec<u8> = (0..(columns - 1) * (rows - 1)).map(|_| cell(input)).collect();
    let heights = BitstepHeights {
        struct_size: input.size_of::<BitstepHeights>(),
        columns: input.count(columns),
        rows: input.count(rows),
        reserved: u32::from(input.below(32) == 1),
        cell: length(input),
        unit: length(input),
        heights: input.pointer(&values),
        cells: input.pointer(&cells),
    };
    let mut id = 0;
    // SAFETY: as above.
    let code = unsafe { bitstep_scenery_add_heights(scenery, &heights, &mut id) };
    (code, id)
}

/// A cell of the first material, mostly; a hole, or any.
fn cell(input: &mut Input<'_>) -> u8 {
    match input.byte() {
        byte @ ..200 => byte & BITSTEP_CELL_OTHER_DIAGONAL,
        200..254 => BITSTEP_CELL_HOLE,
        _ => input.byte(),
    }
}

/// A length that heights may have, mostly.
fn length(input: &mut Input<'_>) -> i64 {
    if input.below(16) == 0 { input.scalar() } else { (1 + input.below(32) as i64) << 29 }
}

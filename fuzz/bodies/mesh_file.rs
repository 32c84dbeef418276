//! Bytes that may be a mesh file: reading them is a mesh or an error with a place in them, and a mesh that was read has these very bytes and
//! all that a baked mesh promises.
//!
//! A file is also given the content hash of its lists first, so that it gets past that, to the rules behind.

use std::collections::BTreeSet;

use bitstep::{
    geom::Vec3,
    shape::{Mesh, Shape},
    state::{Material, SceneryBuilder},
};
use bitstep_scene::MeshFile;
use xxhash_rust::xxh3::xxh3_128;

/// The place of the content hash.
const HASH: std::ops::Range<usize> = 12..28;
/// The place of the first list: the kind of mesh is before it.
const LISTS: usize = HASH.end + 4;
/// The size of an element of each list: points, triangles, materials.
const SIZES: [usize; 3] = [12, 12, 1];
/// The bits of a raw that the grid of a mesh leaves out.
const STEP_BITS: u32 = 16;

/// Reads a file as it is and with the right hash; returns whether there was a mesh.
///
/// # Panics
///
/// If a promise is broken.
pub fn body(bytes: &[u8]) -> bool {
    let is_read = read(bytes);
    sealed(bytes).is_some_and(|bytes| read(&bytes)) || is_read
}

fn read(bytes: &[u8]) -> bool {
    match MeshFile::decode(bytes) {
        Ok(file) => {
            assert_eq!(file.encode(), bytes, "one mesh has two encodings");
            assert_eq!(file.mesh().content_hash().to_le_bytes(), bytes[HASH], "the hash of another mesh");
            check(&file, bytes.len());
            true
        }
        Err(error) => {
            assert!(error.byte <= bytes.len() as u64, "{error} lies outside of {} bytes", bytes.len());
            false
        }
    }
}

/// Checks a mesh that was read from so many bytes.
fn check(file: &MeshFile, bytes: usize) {
    let (mesh, points) = (file.mesh(), file.mesh().points().collect::<Vec<Vec3>>());
    let (triangles, report) = (mesh.triangles(), mesh.report());
    assert!(!triangles.is_empty() && 12 * (points.len() + triangles.len()) < bytes, "more than was given");
    let is_on_grid = |point: &Vec3| point.raw().iter().all(|raw| raw % (1 << STEP_BITS) == 0);
    assert!(points.iter().all(|point| is_on_grid(point) && point.within(Mesh::EXTENT_MAX)));
    let used: BTreeSet<u32> = triangles.as_flattened().iter().copied().collect();
    assert!(
        used.iter().copied().eq(0..points.len() as u32),
        "a corner that is no point, or a point of no use"
    );

    let left_out = [report.rounded, report.merged, report.unused];
    assert_eq!(left_out, [0; 3], "a file has what is left of baking");
    assert!(report.degenerate.is_empty() && report.repeated.is_empty(), "{report}");
    let ends = report.crowded_edges.as_flattened().iter().chain(&report.t_junctions);
    assert!(ends.into_iter().all(|end| used.contains(end)), "{report}");
    assert!((1..=triangles.len() as u32).contains(&report.facets), "{report}");
    let edges = report.open_edges + report.flat_edges + report.bent_edges;
    assert!(edges as usize <= 3 * triangles.len(), "{report}");

    let materials: Vec<u8> = (0..triangles.len() as u32).map(|triangle| mesh.material_of(triangle)).collect();
    let count = materials.iter().max().map_or(1, |most| u16::from(*most) + 1);
    assert_eq!((mesh.material_count(), file.materials().len()), (count, count.into()));
    let again = Mesh::with_materials(&points, triangles, &materials).expect("a mesh of a mesh");
    assert_eq!((&again, again.report(), again.content_hash()), (mesh, report, mesh.content_hash()));
    let copy = MeshFile::new(again, file.materials().to_vec()).expect("a file of a file");
    assert_eq!(&copy, file);

    let mut scenery = SceneryBuilder::default();
    let materials: Vec<_> = (0..count).map(|_| scenery.material(Material::INELASTIC)).collect();
    let shape = scenery.shape(Shape::Mesh(mesh.clone()));
    scenery.fixed(shape, materials[0], Vec3::ZERO);
    let scenery = scenery.build().expect("a scenery of a mesh");
    assert_eq!(scenery.static_count(), 1 + report.facets as usize, "a facet is an id");
}

/// The bytes with the content hash of their lists; `None` if they have none.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut counts, mut lists, mut rest) = (Vec::new(), Vec::new(), bytes.get(LISTS..)?);
    for size in SIZES {
        let (count, behind) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(size)?;
        counts.extend(count);
        lists.extend(behind.get(..length)?);
        rest = &behind[length..];
    }
    let hash = xxh3_128(&[counts, lists].concat());
    let mut sealed = bytes.to_vec();
    sealed[HASH].copy_from_slice(&hash.to_le_bytes());
    Some(sealed)
}

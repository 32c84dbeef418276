//! The fuzz target of this interface, without a fuzzer: on the committed seeds, on the seeds damaged, on what fuzzing found, and on
//! noise. A world that met none of its calls goes on as before.
#![allow(missing_docs)]

use std::{fs, mem::MaybeUninit, path::Path, ptr};

use bitstep::num::{Draws, Rng};
use bitstep_c::{body::*, code::*, scenery::*, types::*, world::*};

#[path = "../../../fuzz/bodies/corpora.rs"]
mod corpora;
#[path = "../../../fuzz/bodies/c/mod.rs"]
mod driven;

/// A scenery with a sphere, and a world in it with five.
fn sound() -> (BitstepScenery, BitstepWorld) {
    let (mut scenery, mut world) = (BitstepScenery::default(), BitstepWorld::default());
    let mut limits = MaybeUninit::uninit();
    let sphere = BitstepShape {
        struct_size: size_of::<BitstepShape>() as u32,
        kind: BITSTEP_SHAPE_SPHERE,
        radius: 1 << 31,
        half: BitstepVec3::default(),
        rotation: BitstepRotation::default(),
    };
    // SAFETY: every pointer is to a value here.
    unsafe {
        assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_shape(scenery, &sphere, ptr::null_mut()), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_material(scenery, 1 << 31, 0, ptr::null_mut()), BITSTEP_OK);
        bitstep_limits_init(60, limits.as_mut_ptr());
        assert_eq!(bitstep_world_new(scenery, limits.as_ptr(), &mut world), BITSTEP_OK);
        for place in 0..5 {
            let mut spawn = MaybeUninit::uninit();
            bitstep_spawn_init(0, spawn.as_mut_ptr());
            let mut spawn = spawn.assume_init();
            spawn.position.x = place << 34;
            spawn.velocity.x = (2 - place) << 29;
            assert_eq!(bitstep_world_spawn(world, &spawn, ptr::null_mut()), BITSTEP_OK);
        }
    }
    (scenery, world)
}

/// The checksum of a world of its own after some ticks.
fn witness() -> [u8; 16] {
    let ((scenery, world), mut checksum) = (sound(), [0; 16]);
    (0..40).for_each(|_| assert_eq!(bitstep_world_tick(world), BITSTEP_OK));
    // SAFETY: there are 16 bytes.
    assert_eq!(unsafe { bitstep_world_checksum(world, checksum.as_mut_ptr()) }, BITSTEP_OK);
    assert_eq!((bitstep_world_free(world), bitstep_scenery_free(scenery)), (BITSTEP_OK, BITSTEP_OK));
    checksum
}

/// Bytes that no fuzzer chose.
fn noise(draws: &mut Draws) -> Vec<u8> {
    let length = draws.below(3_000);
    (0..length).map(|_| draws.bits() as u8).collect()
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/c");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// All in one test: a handle that is drawn may be one of another thread.
#[test]
fn calls_return_codes_and_disturb_no_other_world() {
    let before = witness();
    let seeds = seeds();
    let idle = seeds.iter().filter(|(name, _)| name.starts_with("no_")).count();
    assert!(idle > 0 && idle < seeds.len(), "{idle} of {} seeds come to nothing", seeds.len());
    for (name, seed) in &seeds {
        assert_eq!(driven::body(seed), !name.starts_with("no_"), "{name}");
    }
    for (number, (_, seed)) in (0..).zip(&seeds) {
        let mut draws = Rng::new(0xC).at(0, number, 0);
        for at in (0..seed.len()).step_by(3) {
            let mut damaged = seed.clone();
            damaged[at] ^= draws.between(1, 255) as u8;
            driven::body(&damaged);
            driven::body(&seed[..at]);
        }
    }
    let found = corpora::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), "c");
    let arrived = found.iter().filter(|input| driven::body(input)).count();
    assert!(arrived > 0, "none of {} came to something", found.len());
    let (mut seen, mut accepted, mut verified, mut of_scenes, mut of_ground) = ([0; 12], 0, 0, 0, 0);
    for round in 0..1_000 {
        let table = driven::play(&noise(&mut Rng::new(0xC).at(1, round, 0)));
        table.seen.iter().zip(&mut seen).for_each(|(of_round, all)| *all += of_round);
        (accepted, verified) = (accepted + table.accepted, verified + table.verified);
        (of_scenes, of_ground) = (of_scenes + table.of_scenes, of_ground + table.of_ground);
    }
    assert_eq!(witness(), before);
    for code in BITSTEP_OK..BITSTEP_ERROR_PANIC {
        assert!(seen[code as usize] > 0, "code {code}: {seen:?}");
    }
    assert!(
        seen[BITSTEP_OK as usize] > 5_000
            && accepted > 100
            && verified > 100
            && of_scenes > 100
            && of_ground > 20,
        "{seen:?}, {accepted}, {verified}, {of_scenes}, {of_ground}"
    );
}

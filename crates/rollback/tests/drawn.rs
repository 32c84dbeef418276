//! The fuzz target of this package, without a fuzzer: on the committed seeds, on the seeds damaged, on what fuzzing found, and on noise.

use std::{fs, path::Path};

use bitstep::num::Rng;

#[path = "../../../fuzz/bodies/corpora.rs"]
mod corpora;
#[path = "../../../fuzz/bodies/rollback.rs"]
mod sides;

#[test]
fn forged_datagrams_fail_no_frame() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/rollback");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut idle = 0;
    for (number, path) in (0..).zip(&paths) {
        let is_idle = path.file_name().unwrap().to_string_lossy().starts_with("no_");
        idle += usize::from(is_idle);
        let seed = fs::read(path).unwrap();
        assert_eq!(sides::body(&seed), !is_idle, "{}", path.display());
        let mut draws = Rng::new(5).at(0, number, 0);
        for at in 0..seed.len() {
            let mut damaged = seed.clone();
            damaged[at] ^= draws.between(1, 255) as u8;
            sides::body(&damaged);
            sides::body(&seed[..at]);
        }
    }
    assert!(idle > 0 && idle < paths.len(), "{idle} of {}", paths.len());
    let found = corpora::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), "rollback");
    let taken = found.iter().filter(|input| sides::body(input)).count();
    assert!(taken > 0, "none of {}", found.len());
    let noise = |round: u64| {
        let mut draws = Rng::new(5).at(1, round, 0);
        (0..draws.below(200)).map(|_| draws.bits() as u8 >> draws.below(8)).collect::<Vec<_>>()
    };
    let taken = (0..300).filter(|&round| sides::body(&noise(round))).count();
    assert!(taken > 50, "{taken}");
}

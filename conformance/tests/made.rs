//! The cases of this checkout are those that the crate makes.

use std::{collections::BTreeSet, path::Path};

use bitstep_conformance::{
    CASES, Depth, Distance, FILES, Overlap, Response, Scene, Sweep, cases_of,
    draw::{self, COUNTS, PAIRS},
    read,
};
use serde::{Serialize, de::DeserializeOwned};

/// A case in so many is made again: all pairs and families get their turn, since this shares no divisor with their numbers.
const EVERY: usize = if cfg!(debug_assertions) { 89 } else { 23 };

fn check<Case: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    index: usize,
    draw: impl Fn(u32) -> Case,
) -> Vec<Case> {
    let cases: Vec<Case> = read(Path::new(CASES), FILES[index]).expect("cases");
    assert_eq!(cases.len() as u32, COUNTS[index]);
    for number in (0..cases.len()).step_by(EVERY) {
        assert_eq!(cases[number], draw(number as u32), "{}, case {number}", FILES[index]);
    }
    cases
}

fn check_kinds(scenes: &[&Scene]) {
    for (number, scene) in scenes.iter().enumerate() {
        let number = number as u32;
        let mut kinds = [scene.a.kind(), scene.b.kind()];
        kinds.sort_unstable();
        assert_eq!((scene.case, kinds), (number, draw::kinds_of(number % PAIRS)));
        assert_ne!(scene.b.kind(), 0, "a plane is A");
        let most = if scene.unit == -10 { 1 << 23 } else { 1 << 39 };
        assert!(scene.size() <= most, "{scene:?}");
    }
    assert_eq!(scenes.iter().map(|scene| scene.unit).collect::<BTreeSet<_>>(), [-24, -10].into());
}

#[test]
fn overlaps_are_made_again() {
    let cases = check(0, draw::overlap);
    check_kinds(&cases.iter().map(|case: &Overlap| &case.scene).collect::<Vec<_>>());
    let of = |sign: i8| cases.iter().filter(|case| case.sign == sign).count();
    assert!(of(-1) > 2_000 && of(0) > 500 && of(1) > 2_000, "{} {} {}", of(-1), of(0), of(1));
}

#[test]
fn distances_are_made_again() {
    let cases = check(1, draw::distance);
    check_kinds(&cases.iter().map(|case: &Distance| &case.scene).collect::<Vec<_>>());
}

#[test]
fn depths_are_made_again() {
    let cases = check(2, draw::depth);
    check_kinds(&cases.iter().map(|case: &Depth| &case.scene).collect::<Vec<_>>());
    assert!(cases.iter().filter(|case| case.direction.is_some()).count() > 500);
}

#[test]
fn sweeps_are_made_again() {
    let cases = check(3, draw::sweep);
    check_kinds(&cases.iter().map(|case: &Sweep| &case.scene).collect::<Vec<_>>());
    let touches: Vec<_> = cases.iter().filter_map(|case| case.touch.as_ref()).collect();
    let grazes = touches.iter().filter(|touch| !touch.enters).count();
    let misses = cases.len() - touches.len();
    assert!(touches.len() > 3_000 && grazes > 200 && misses > 1_000, "{} {grazes} {misses}", touches.len());
}

#[test]
fn responses_are_made_again_and_keep_momentum() {
    for case in check(4, draw::response) {
        let [a, b] = &case.after;
        for axis in 0..3 {
            let exact = |number: &bitstep_conformance::exact::Number| number.bounds()[0].clone();
            let mass = case
                .impact
                .masses
                .map(|mass| num_rational::BigRational::from(num_bigint::BigInt::from(mass)));
            let before = case
                .impact
                .motions
                .map(|motion| num_rational::BigRational::from(num_bigint::BigInt::from(motion[axis])));
            if case.impact.masses.iter().all(|mass| *mass != 0) {
                let after = exact(&a.motion[axis]) * &mass[0] + exact(&b.motion[axis]) * &mass[1];
                assert_eq!(after, &before[0] * &mass[0] + &before[1] * &mass[1], "{:?}", case.impact);
            }
        }
    }
}

#[test]
fn twenty_thousand_cases_are_below_five_megabytes() {
    let bytes: u64 = FILES
        .iter()
        .map(|name| std::fs::metadata(Path::new(CASES).join(format!("{name}.jsonl"))).expect("a file").len())
        .sum();
    let cases: u32 = COUNTS.iter().sum();
    assert!(cases >= 19_000 && bytes < 5_000_000, "{cases} cases, {bytes} bytes");
}

#[test]
fn files_that_are_wrong_are_errors_that_say_where() {
    let header = r#"{"question":"overlap","version":"1.0.0","cases":1}"#;
    let case = r#"{"case":0,"family":"any","unit":-10,"a":{"sphere":1},"b":{"sphere":5},"offset":[-7,1,-7],"sign":1,"separation":"1"}"#;
    let read = |text: &str| cases_of::<Overlap>("overlap", text).map(|cases| cases.len());
    assert_eq!(read(&format!("{header}\n{case}\n")), Ok(1));
    for (text, why) in [
        (String::new(), "overlap is empty"),
        (header.into(), "overlap has 0 cases, and its header says 1"),
        (format!("{header}\n{case}\n{case}\n"), "overlap has 2 cases, and its header says 1"),
        (format!("{header}\n{{}}\n"), "overlap, line 2: missing field `sign`, column 2"),
        (header.replace("overlap", "sweep"), "overlap, line 1: these are cases of sweep"),
        (
            format!("{header}\n{}\n", case.replace("sphere", "cone")),
            "overlap, line 2: unknown variant `cone`",
        ),
    ] {
        let said = read(&text).expect_err("a wrong file");
        assert!(said.starts_with(why), "{said}");
    }
    assert!(cases_of::<Response>("response", "x").is_err());
}

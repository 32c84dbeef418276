//! All directions that a face of the difference of two cores can have.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;

use super::{Big3, cross, dot, is_zero, sub};

/// The directions across three corners of either core, or across two corners of each, both signs of each, without a common divisor.
/// Some are of no face: these separate the cores nowhere by more than those of the faces do.
pub(crate) fn directions(a: &[Big3], b: &[Big3]) -> BTreeSet<Big3> {
    let [of_a, of_b] = [a, b].map(edges);
    let mut all = BTreeSet::new();
    for (ones, others) in [(&of_a, &of_b), (&of_a, &of_a), (&of_b, &of_b)] {
        for one in ones {
            for other in others {
                let across = cross(one, other);
                if !is_zero(&across) {
                    let across = reduced(across);
                    all.insert(across.clone().map(|part| -part));
                    all.insert(across);
                }
            }
        }
    }
    all
}

/// The ways between any two corners, without a common divisor.
fn edges(corners: &[Big3]) -> BTreeSet<Big3> {
    let pairs = corners.iter().enumerate().flat_map(|(i, p)| corners[..i].iter().map(move |q| sub(p, q)));
    pairs.map(reduced).collect()
}

fn reduced(vector: Big3) -> Big3 {
    let divisor = vector[0].gcd(&vector[1]).gcd(&vector[2]);
    vector.map(|part| part / &divisor)
}

/// How far B's core lies beyond A's along a direction, times its length.
pub(crate) fn separation(a: &[Big3], b: &[Big3], direction: &Big3) -> BigInt {
    let most = a.iter().map(|corner| dot(corner, direction)).max();
    let least = b.iter().map(|corner| dot(corner, direction)).min();
    least.expect("a core has a corner") - most.expect("a core has a corner")
}

//! Bounds of pushes: how large they are together, and where nothing gives way.

use super::*;
use crate::state::Locks;

#[test]
fn the_largest_impulses_on_a_body_are_together_what_it_may_take() {
    let heavy = 1 << 16;
    // So many strikes of the first body with the ground, of both, and of the second one with the ground.
    for counts in [[1, 0, 0], [8, 0, 0], [0, 0, 5], [0, 3, 0], [1, 1, 6], [7, 1, 1], [2, 2, 2]] {
        for masses in [[heavy, heavy], [heavy, heavy / 2], [heavy / 3, heavy]] {
            let mut parties = [ground(), body(masses[0], [0; 3], [0; 3]), body(masses[1], [0; 3], [0; 3])];
            let of = |(sides, count)| {
                std::iter::repeat_n(Strike { sides, normal: [0, 0, ONE], ..Strike::default() }, count)
            };
            let mut strikes: Vec<Strike> =
                [[0, 1], [1, 2], [0, 2]].into_iter().zip(counts).flat_map(of).collect();
            begin(&mut strikes, &mut parties);
            let largest = |strike: &Strike| {
                let (mass, whole) = strike.mass_as_one(&parties);
                i128::from(strike.most) * mass / whole
            };
            let most = IMPULSE_MAX << FINE_BITS;
            let sums = [1, 2].map(|index| {
                strikes.iter().filter(|strike| strike.sides.contains(&index)).map(largest).sum::<i128>()
            });
            assert!(sums.iter().all(|&sum| sum <= most), "{counts:?} {masses:?}: {sums:?}");
            // A push is whole, and less than what the mass and one more would take: none is much less.
            let is_alone = counts[1] == 0;
            let nearly = most - (most >> 12);
            assert!(!is_alone || sums.iter().any(|&sum| sum >= nearly), "{counts:?} {masses:?}: {sums:?}");
        }
    }
}

#[test]
fn a_pair_gives_way_where_a_push_makes_more_than_a_4096th_of_its_speed() {
    // A body that is free along x gives way by the square of what the normal has there.
    let along_x = 1 << (UNIT_BITS - 6);
    for (more, gives_way) in [(-1 << 40, false), (0, false), (1 << 40, true), (1 << 44, true)] {
        let unit = [along_x + more, 1 << UNIT_BITS, 0];
        let mut strike = Strike { sides: [0, 1], shares: [0, 1 << SHARE_BITS], unit, ..Strike::default() };
        let locks = Locks::Y.and(Locks::Z);
        let parties = [ground(), Party { locks, strikes: 1, ..body(10, [0; 3], [0; 3]) }];
        assert_eq!(strike.gives_way(&parties), gives_way, "{more}");
        // No other is solved with others, either.
        stiffness::weigh(std::slice::from_mut(&mut strike), &parties);
        assert_eq!(strike.weights[0] != 0, gives_way, "{more}");
    }
}

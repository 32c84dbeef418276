//! Two normals of one plane: a contact's, and the one that a sweep finds.

use crate::{geom::Vec3, shape::length_ceil};

/// How fast two move at most along one normal while they slide along another of the same plane, in raw per tick: both have
/// 30 bits, after two roundings.
pub(super) fn askew(motion: Vec3) -> i64 {
    (length_ceil(motion).to_bits() >> 28) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Normal,
        num::{Draws, Rng, round::div_zero},
    };

    /// A plane's normal as a contact has it, and as a sweep finds it.
    fn both_normals(draws: &mut Draws) -> (Normal, Normal) {
        let mut edge = || Vec3::from_raw([(); 3].map(|()| draws.between(-(1 << 30), 1 << 30)));
        let wide = edge().cross_wide(edge());
        let swept = Normal::from_wide(wide).unwrap();
        (swept.unit_q30().unwrap(), swept.lengthened())
    }

    /// A vector with a given part along a normal, within some raw.
    fn with_part(vector: Vec3, normal: Normal, part: i64) -> Vec3 {
        let more = i128::from(part) - (normal.dot_wide(vector) >> Normal::BITS);
        let along = normal.components().map(|c| div_zero(more * i128::from(c), 1 << Normal::BITS) as i64);
        vector + Vec3::from_raw(along)
    }

    #[test]
    fn who_parts_along_one_normal_of_a_plane_closes_along_no_other() {
        let mut draws = Rng::new(15).at(0, 0, 0);
        let (mut closing, mut parting) = (0, 0);
        for _ in 0..20_000 {
            let (held, swept) = both_normals(&mut draws);
            let size = 1 << draws.between(20, 44);
            let way = Vec3::from_raw([(); 3].map(|()| draws.between(-size, size)));
            let flat = with_part(way, held, 2);
            closing += u32::from(held.dot_wide(flat) >= 0 && swept.dot_wide(flat) < 0);
            let safe = with_part(flat, held, askew(flat) + 2);
            if held.dot_wide(safe) >> Normal::BITS >= i128::from(askew(safe)) {
                parting += 1;
                assert!(swept.dot_wide(safe) >= 0, "{safe:?} {held:?} {swept:?}");
            }
        }
        assert!(closing > 1_000 && parting > 10_000, "{closing} close, {parting} part");
    }
}

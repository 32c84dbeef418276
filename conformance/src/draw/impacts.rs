//! Impacts of two balls, along normals of whole length and at instants that are fractions of few digits.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::dice::{Dice, plus};
use crate::{Impact, Response, exact::Number};

/// Two balls that collide once.
pub fn response(dice: &mut Dice, case: u32) -> Response {
    loop {
        let (direction, length) = dice.whole_direction();
        let reach = dice.between(16, 256) * length;
        let first = dice.between(1, reach - 1);
        let contact = direction.map(|part| part * (reach / length));
        let parts = 1 << dice.between(1, 4);
        let passed = dice.between(1, parts - 1);
        let (family, masses, relative) = match case % 5 {
            0 => ("equal", [(); 2].map(|()| 1), dice.point(2_000)),
            1 => ("light_on_heavy", [1, dice.between(100, 1_000) as u32], dice.point(2_000)),
            2 => {
                let mass = dice.between(1, 8) as u32;
                ("on_fixed", if dice.one_in(2) { [0, mass] } else { [mass, 0] }, dice.point(2_000))
            }
            3 => ("head_on", [(); 2].map(|()| dice.between(1, 8) as u32), contact.map(|part| -part)),
            _ => ("any", [(); 2].map(|()| dice.between(1, 50) as u32), dice.point(2_000)),
        };
        // The way until the impact is a whole number of units.
        let relative = relative.map(|part| part / parts * parts);
        let masses: [u32; 2] = masses;
        let closing: i64 = (0..3).map(|i| relative[i] * contact[i]).sum();
        if closing >= 0 {
            continue;
        }
        let first_motion = match masses {
            [0, _] => [0; 3],
            [_, 0] => relative.map(|part| -part),
            _ => dice.point(1_000),
        };
        return Response::of(Impact {
            case,
            family: family.into(),
            unit: -10,
            radii: [first, reach - first],
            masses,
            restitution: dice.between(0, 16) as u32,
            offset: plus(contact, relative.map(|part| part / parts), -passed),
            motions: [first_motion, plus(first_motion, relative, 1)],
            time: Number::Exact(BigRational::new(BigInt::from(passed), BigInt::from(parts))),
        });
    }
}

//! Heights of the road: banks, hills and a jump.

use bitstep::num::{Scalar, lit, trig::cos};

use super::{ENDS, HALF_WIDTH, LENGTH};
use crate::numbers::{over, times};

/// The slope across the road in a curve: the outside is higher.
const BANK: Scalar = lit("0.2");
/// The length before and behind the end of a curve on which the road begins to lean.
const LEANS: Scalar = lit("20");
/// The beginning of the jump, its length, and its height at its end.
const JUMP: [Scalar; 3] = [lit("60"), lit("15"), lit("1.2")];
/// The beginning of the hills, the length of one, and its height.
const HILLS: [Scalar; 3] = [lit("321.371669"), lit("60"), lit("2")];
/// Number of hills.
const HILLS_COUNT: i64 = 2;

/// The height of the surface; its lower edge is at 0 where there is neither hill nor jump.
pub fn height(along: Scalar, left: Scalar) -> Scalar {
    times(bank(along), HALF_WIDTH - left) + hills(along) + jump(along)
}

/// The slope across the road.
pub fn bank(along: Scalar) -> Scalar {
    let inside = |from: Scalar, to: Scalar| (along - from).min(to - along);
    // The second curve ends where the course begins.
    let second = inside(ENDS[2], LENGTH).max(-along);
    let deep = inside(ENDS[0], ENDS[1]).max(second) + LEANS;
    times(BANK, smooth(over(deep, LEANS * 2)))
}

/// From 0 to 1 without a kink, for a part from 0 to 1.
fn smooth(part: Scalar) -> Scalar {
    let part = part.clamp(Scalar::ZERO, Scalar::ONE);
    times(times(part, part), lit("3") - part * 2)
}

fn hills(along: Scalar) -> Scalar {
    let [from, length, height] = HILLS;
    let way = along - from;
    if way < 0 || way > length * HILLS_COUNT {
        return Scalar::ZERO;
    }
    times(height / 2, Scalar::ONE - cos(over(way, length)))
}

fn jump(along: Scalar) -> Scalar {
    let [from, length, height] = JUMP;
    let part = over(along - from, length);
    if !(Scalar::ZERO..=Scalar::ONE).contains(&part) {
        return Scalar::ZERO;
    }
    times(height, times(part, part))
}

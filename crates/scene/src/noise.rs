//! Heights that are drawn: an integer noise over the points of a ground.

use bitstep::{num::Rng, shape::Mesh};

use super::{
    leaf::{Fault, Leaf},
    text::NoiseText,
};

/// The largest number of points of a ground along an axis.
const POINTS_MAX: u64 = 2049;
/// The largest number of octaves, and of points between the drawn heights of one.
const OCTAVES_MAX: usize = 16;
const STEP_MAX: u64 = 1024;
const HEIGHT_MAX: u64 = 32_767;

/// Heights drawn at every so many points, up to a height from 0; smooth in between.
struct Octave {
    step: i64,
    height: i64,
}

/// The number of heights in a row, and the heights row by row: the sum of all octaves, held to 16 bits.
pub fn of<'a>(name: Leaf<'a>, text: &NoiseText<'a>) -> Result<(u32, Vec<i16>), Fault<'a>> {
    let [columns, rows] =
        [text.points[0].whole("points", 2, POINTS_MAX)?, text.points[1].whole("points", 2, POINTS_MAX)?];
    // The library says the same, but first all heights would be drawn.
    let count = 2 * (columns - 1) * (rows - 1);
    if count > Mesh::COUNT_MAX as u64 {
        return Err(name.fault(format!("points make {count} triangles, at most {}", Mesh::COUNT_MAX)));
    }
    let seed = text.seed.whole("seed", 0, u64::MAX)?;
    if !(1..=OCTAVES_MAX).contains(&text.octaves.len()) {
        return Err(
            name.fault(format!("noise has {} octaves, must have 1 to {OCTAVES_MAX}", text.octaves.len()))
        );
    }
    let octave = |[step, height]: &[Leaf<'a>; 2]| {
        let step = step.whole("step of an octave", 1, STEP_MAX)? as i64;
        Ok(Octave { step, height: height.whole("height of an octave", 0, HEIGHT_MAX)? as i64 })
    };
    let octaves = text.octaves.iter().map(octave).collect::<Result<Vec<Octave>, _>>()?;
    let height = |column: u64, row: u64| {
        let at = [column as i64, row as i64];
        let sum: i64 =
            (0..).zip(&octaves).map(|(number, octave)| octave.at(Rng::new(seed), number, at)).sum();
        sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    };
    let heights = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    Ok((columns as u32, heights.map(|(column, row)| height(column, row)).collect()))
}

impl Octave {
    /// The height at a point, between those that are drawn at the four corners around it. Rounded to nearest, symmetric in sign.
    fn at(&self, rng: Rng, number: u64, [x, z]: [i64; 2]) -> i64 {
        let (step, from) = (self.step, [x / self.step, z / self.step]);
        // 3 t^2 - 2 t^3 of a fraction t of a step, times the step's cube: hills are round, and flat where a height was drawn.
        let weight = |at: i64| at * at * (3 * step - 2 * at);
        let (whole, parts) = (step.pow(3), [weight(x % step), weight(z % step)]);
        let mut sum = 0_i128;
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let [along, across] =
                [(i, parts[0]), (j, parts[1])].map(|(far, part)| if far == 0 { whole - part } else { part });
            let drawn =
                rng.at(number, (from[0] + i) as u64, (from[1] + j) as u64).between(-self.height, self.height);
            sum += i128::from(along) * i128::from(across) * i128::from(drawn);
        }
        let square = i128::from(whole) * i128::from(whole);
        let rounded = (2 * sum.abs() + square) / (2 * square);
        (rounded * sum.signum()) as i64
    }
}

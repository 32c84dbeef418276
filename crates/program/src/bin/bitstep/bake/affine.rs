//! Transforms of models in fractions, so that a coordinate is rounded once.

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;

use super::number::{Number, over_common};

/// The largest number of bits of a numerator: a chain of some hundred nodes, each with a scale and a rotation of full length.
const BITS_MAX: u64 = 1 << 14;
/// The bits of a unit in steps of a mesh's grid.
const GRID_BITS: u32 = 16;
/// The largest magnitude of a coordinate, in steps.
const STEPS_MAX: u32 = 1 << 30;

/// A matrix of three rows and four columns over one denominator, which is positive; the fourth column is added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    rows: [[BigInt; 4]; 3],
    denominator: BigInt,
}

/// A coordinate in steps of a mesh's grid, 2^-16 unit.
pub struct Rounded {
    pub steps: i32,
    /// The distance that it was moved, in units of 2^-32, rounded up.
    pub moved: u32,
}

/// A coordinate that is beyond the grid of a mesh.
#[derive(PartialEq, Eq, Debug)]
pub struct Beyond {
    pub axis: char,
    pub value: String,
}

impl Affine {
    /// The matrix of whole numbers over a denominator, in lowest terms.
    fn of(rows: [[BigInt; 4]; 3], denominator: BigInt) -> Self {
        let common = rows.as_flattened().iter().fold(denominator.clone(), |common, part| common.gcd(part));
        let common = if denominator.sign() == Sign::Minus { -common } else { common };
        Self { rows: rows.map(|row| row.map(|part| part / &common)), denominator: denominator / &common }
    }

    /// A permutation of the axes with signs, times a scale.
    pub fn axes(axes: [[i8; 3]; 3], scale: (&BigInt, &BigInt)) -> Self {
        let row = |row: [i8; 3]| [row[0] * scale.0, row[1] * scale.0, row[2] * scale.0, BigInt::ZERO];
        Self::of(axes.map(row), scale.1.clone())
    }

    /// The transform of sixteen numbers, column by column, as glTF has them; the reason why they are none.
    pub fn of_matrix(numbers: &[Number; 16]) -> Result<Self, String> {
        let (whole, denominator) = over_common(numbers);
        let zero = BigInt::ZERO;
        if [&whole[3], &whole[7], &whole[11], &whole[15]] != [&zero, &zero, &zero, &denominator] {
            return Err("has a last row that is not 0, 0, 0, 1".to_owned());
        }
        let row = |row: usize| [0, 4, 8, 12].map(|column| whole[row + column].clone());
        Ok(Self::of([row(0), row(1), row(2)], denominator))
    }

    /// The transform that scales, rotates by a quaternion x, y, z, w of any length, and then adds; the reason why there is none.
    pub fn of_parts(
        translation: &[Number; 3],
        rotation: &[Number; 4],
        scale: &[Number; 3],
    ) -> Result<Self, String> {
        let ([x, y, z, w], _) = &over_common(rotation); // their length does not count
        let length = x * x + y * y + z * z + w * w;
        if length == BigInt::ZERO {
            return Err("has a rotation of length 0".to_owned());
        }
        let twice = |a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt| 2 * (a * b + c * d);
        let minus = |a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt| 2 * (a * b - c * d);
        let turned = [
            [&length - twice(y, y, z, z), minus(x, y, z, w), twice(x, z, y, w)],
            [twice(x, y, z, w), &length - twice(x, x, z, z), minus(y, z, x, w)],
            [minus(x, z, y, w), twice(y, z, x, w), &length - twice(x, x, y, y)],
        ];
        let ((moved, moved_over), (sized, sized_over)) = (over_common(translation), over_common(scale));
        let rows = std::array::from_fn(|row| {
            std::array::from_fn(|column| match column {
                3 => &moved[row] * &length * &sized_over,
                _ => &turned[row][column] * &sized[column] * &moved_over,
            })
        });
        Ok(Self::of(rows, length * moved_over * sized_over))
    }

    /// This transform after another one; the reason why there is none.
    pub fn after(&self, first: &Self) -> Result<Self, String> {
        let part = |row: usize, column: usize| {
            let sum = (0..3).map(|at| &self.rows[row][at] * &first.rows[at][column]).sum::<BigInt>();
            if column == 3 { sum + &self.rows[row][3] * &first.denominator } else { sum }
        };
        let rows = std::array::from_fn(|row| std::array::from_fn(|column| part(row, column)));
        let product = Self::of(rows, &self.denominator * &first.denominator);
        let parts = product.rows.as_flattened().iter().chain([&product.denominator]);
        match parts.map(BigInt::bits).max() {
            Some(bits) if bits > BITS_MAX => {
                Err(format!("has {bits} bits, at most {BITS_MAX} are worked with"))
            }
            _ => Ok(product),
        }
    }

    /// The image of a point in the grid.
    ///
    /// **Rounding**: each coordinate to the nearest step, halves away from zero; all before is exact.
    pub fn image(&self, point: &[Number; 3]) -> Result<[Rounded; 3], Beyond> {
        let (whole, over) = over_common(point);
        let denominator = &self.denominator * &over;
        let image = |row: &[BigInt; 4]| {
            let products = row.iter().zip(&whole).filter(|(factor, _)| **factor != BigInt::ZERO);
            products.map(|(factor, part)| factor * part).sum::<BigInt>() + &row[3] * &over
        };
        let [x, y, z] = [('x', 0), ('y', 1), ('z', 2)].map(|(axis, row): (_, usize)| {
            let value = image(&self.rows[row]);
            rounded(&value, &denominator).ok_or_else(|| Beyond { axis, value: shown(&value, &denominator) })
        });
        Ok([x?, y?, z?])
    }
}

/// A fraction to the nearest step, halves away from zero; nothing if it is beyond the grid.
fn rounded(value: &BigInt, denominator: &BigInt) -> Option<Rounded> {
    let fine = value << GRID_BITS;
    let magnitude = BigInt::from(fine.magnitude().clone());
    let nearest: BigInt = (2 * magnitude + denominator) / (2 * denominator);
    let steps: BigInt = if fine.sign() == Sign::Minus { -nearest } else { nearest };
    let off = BigInt::from((&steps * denominator - fine).magnitude().clone()) << GRID_BITS;
    let moved = off.div_ceil(denominator);
    let steps = i32::try_from(steps).ok().filter(|steps| steps.unsigned_abs() <= STEPS_MAX)?;
    Some(Rounded { steps, moved: u32::try_from(moved).ok()? })
}

/// A fraction for people, towards zero.
fn shown(value: &BigInt, denominator: &BigInt) -> String {
    let sign = if value.sign() == Sign::Minus { "-" } else { "" };
    let thousandths = BigInt::from(value.magnitude().clone()) * 1_000 / denominator;
    let digits = format!("{thousandths:04}");
    let (whole, rest) = digits.split_at(digits.len() - 3);
    if whole.len() > 20 {
        format!("{sign}{}e{}", &whole[..1], whole.len() - 1)
    } else {
        format!("{sign}{whole}.{rest}")
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    fn numbers<const N: usize>(texts: [&str; N]) -> [Number; N] {
        texts.map(|text| Number::decimal(text).unwrap())
    }

    fn steps(transform: &Affine, point: [&str; 3]) -> [i32; 3] {
        transform.image(&numbers(point)).unwrap_or_else(|_| panic!("{point:?}")).map(|part| part.steps)
    }

    fn identity() -> Affine {
        Affine::axes([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (&BigInt::from(1), &BigInt::from(1)))
    }

    #[test]
    fn coordinates_go_to_the_nearest_step_and_halves_away_from_zero() {
        // A step is 0.0000152587890625.
        assert_eq!(steps(&identity(), ["1", "-1", "0.1"]), [65_536, -65_536, 6_554]);
        assert_eq!(
            steps(&identity(), ["0.00000762939453125", "-0.00000762939453125", "0.0000076293945312"]),
            [1, -1, 0]
        );
        assert_eq!(steps(&identity(), ["16384", "-16384", "1e-400"]), [1 << 30, -1 << 30, 0]);
        let moved =
            identity().image(&numbers(["0.1", "0.5", "0.00000762939453125"])).unwrap_or_else(|_| panic!());
        assert_eq!(moved.map(|part| part.moved), [26_215, 0, 1 << 15], "0.4 of a step, none, a half");
    }

    #[test]
    fn coordinates_beyond_the_grid_are_refused_with_their_value() {
        let refused = |x: &str| {
            identity().image(&numbers([x, "0", "0"])).err().map(|beyond| (beyond.axis, beyond.value))
        };
        assert_eq!(refused("16384.00000762939453124"), None, "it is rounded to the limit");
        assert_eq!(refused("-16384.0001"), Some(('x', "-16384.000".to_owned())));
        assert_eq!(refused("2e300"), Some(('x', "2e300".to_owned())));
    }

    #[test]
    fn rotations_are_those_of_quaternions_of_any_length() {
        let (none, one) = (numbers(["0", "0", "0"]), numbers(["1", "1", "1"]));
        // A quarter turn about y: x goes to -z.
        let turn = Affine::of_parts(&none, &numbers(["0", "0.7071068", "0", "0.7071068"]), &one).unwrap();
        assert_eq!(steps(&turn, ["2", "3", "5"]), [5 << 16, 3 << 16, -2 << 16]);
        // A third of a turn about the diagonal permutes the axes.
        let turn = Affine::of_parts(&none, &numbers(["7", "7", "7", "7"]), &one).unwrap();
        assert_eq!(steps(&turn, ["2", "3", "5"]), [5 << 16, 2 << 16, 3 << 16]);
        let refused = Affine::of_parts(&none, &numbers(["0"; 4]), &one);
        assert_eq!(refused, Err("has a rotation of length 0".to_owned()));
    }

    #[test]
    fn parts_scale_first_then_rotate_then_move() {
        let parts = Affine::of_parts(
            &numbers(["10", "20", "30"]),
            &numbers(["0", "0", "1", "1"]),
            &numbers(["2", "0.5", "-1"]),
        );
        // (1, 2, 3) to (2, 1, -3), a quarter turn about z to (-1, 2, -3), and on.
        assert_eq!(steps(&parts.unwrap(), ["1", "2", "3"]), [9 << 16, 22 << 16, 27 << 16]);
    }

    #[test]
    fn a_matrix_is_given_by_columns_and_its_last_row_is_checked() {
        let good =
            numbers(["0", "2", "0", "0", "1", "0", "0", "0", "0", "0", "3", "0", "5", "6", "7.5", "1"]);
        let matrix = Affine::of_matrix(&good).unwrap();
        assert_eq!(steps(&matrix, ["1", "2", "3"]), [7 << 16, 8 << 16, 33 << 15]);
        let mut bad = good;
        bad[3] = Number::decimal("0.5").unwrap();
        assert_eq!(Affine::of_matrix(&bad), Err("has a last row that is not 0, 0, 0, 1".to_owned()));
    }

    #[test]
    fn transforms_after_each_other_are_one_and_have_a_largest_size() {
        let turn = |translation, scale| {
            let turned = numbers(["0.1234567", "0.3456789", "-0.5678901", "0.7390123"]);
            Affine::of_parts(&numbers(translation), &turned, &numbers(scale)).unwrap()
        };
        let (a, b) =
            (turn(["1", "2", "3"], ["0.3", "1.7", "2"]), turn(["-3", "0.1", "9"], ["1", "1", "0.77"]));
        let both = a.after(&b).unwrap();
        // The same in fractions, one after the other.
        let apply = |transform: &Affine, point: [BigRational; 3]| -> [BigRational; 3] {
            std::array::from_fn(|row| {
                let part = |column: usize| {
                    BigRational::new(transform.rows[row][column].clone(), transform.denominator.clone())
                };
                (0..3).map(|column| part(column) * &point[column]).sum::<BigRational>() + part(3)
            })
        };
        let point = [3, -7, 11].map(|part| BigRational::new(part.into(), 10.into()));
        assert_eq!(apply(&a, apply(&b, point.clone())), apply(&both, point));
        let mut chain = a.clone();
        let error = (0..1_000).find_map(|_| match a.after(&chain) {
            Ok(next) => {
                chain = next;
                None
            }
            Err(error) => Some(error),
        });
        assert!(error.unwrap().ends_with("bits, at most 16384 are worked with"));
    }
}

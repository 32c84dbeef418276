//! Principal axes: the rotation in whose frame a symmetric matrix is diagonal.

use super::mass::Matrix;
use crate::{
    geom::Rotation,
    num::{
        root::sqrt_floor,
        round::{div_nearest, shr_nearest},
    },
};

/// Products of inertia below so small a part of the least moment are none: 2^-20, as of compounds.
const SLACK_SHIFT: u32 = 20;
/// The bits of a matrix while it is rotated, and the fraction bits of a rotation.
const BITS: u32 = 60;
/// Each round makes the largest of three numbers zero; ten come far below the last bit.
const ROUNDS: u32 = 24;

/// The principal axes of a spread of mass: its matrix is diagonal in their frame. No rotation if it nearly is as it stands.
///
/// **Rounding**: within 2^-28 of a radian, where moments differ by more than 2^-20. **Source**: C. Jacobi, *Über ein leichtes Verfahren*
/// (1846): the largest product of inertia is rotated away, and the next.
pub fn principal_axes(spread: &Matrix) -> Rotation {
    if is_diagonal(spread) {
        return Rotation::IDENTITY;
    }
    let largest = spread.iter().flatten().map(|part| part.unsigned_abs()).max().unwrap_or_default();
    let excess = (128 - largest.leading_zeros()) as i32 - BITS as i32;
    let scaled = |part: i128| if excess > 0 { shr_nearest(part, excess as u32) } else { part << -excess };
    let mut matrix = spread.map(|row| row.map(scaled));
    let mut axes = [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| i128::from(i == j) << BITS));
    for _ in 0..ROUNDS {
        let (p, q) = largest_product(&matrix);
        if matrix[p][q].unsigned_abs() <= 1 {
            break;
        }
        let turn = turn_away(matrix[p][p], matrix[q][q], matrix[p][q]);
        matrix = rotated(matrix, (p, q), turn);
        axes = axes.map(|row| turned(row, (p, q), turn));
    }
    of_matrix(&axes)
}

/// True if all products of inertia are none.
fn is_diagonal(spread: &Matrix) -> bool {
    let [x, y, z] = [spread[0][0], spread[1][1], spread[2][2]];
    let least = (x + y).min(y + z).min(z + x);
    [spread[1][2], spread[2][0], spread[0][1]].iter().all(|part| part.abs() <= least >> SLACK_SHIFT)
}

fn largest_product(matrix: &Matrix) -> (usize, usize) {
    let size = |&(p, q): &(usize, usize)| matrix[p][q].abs();
    [(1, 2), (0, 2), (0, 1)].into_iter().max_by_key(size).unwrap_or((0, 1))
}

/// Cosine and sine of the smaller rotation in a plane that makes a product zero, with [`BITS`] fraction bits.
fn turn_away(first: i128, second: i128, product: i128) -> (i128, i128) {
    let (twice, apart) = (2 * product, second - first);
    let length = sqrt_floor((twice * twice + apart * apart).unsigned_abs()).max(1) as i128;
    // The cosine of twice the angle, and from it that of the angle, which is at most an eighth of a turn.
    let cosine_of_twice = (apart.abs() << BITS) / length;
    let cosine = sqrt_floor((((1_i128 << BITS) + cosine_of_twice) << (BITS - 1)).unsigned_abs()) as i128;
    let sine_of_twice = (twice.abs() << BITS) / length;
    let sine = div_nearest(sine_of_twice << (BITS - 1), cosine);
    (cosine, if (twice < 0) == (apart < 0) { sine } else { -sine })
}

/// A row vector in the rotated plane.
fn turned(mut row: [i128; 3], (p, q): (usize, usize), (cosine, sine): (i128, i128)) -> [i128; 3] {
    let (a, b) = (row[p], row[q]);
    row[p] = shr_nearest(cosine * a - sine * b, BITS);
    row[q] = shr_nearest(sine * a + cosine * b, BITS);
    row
}

/// A symmetric matrix in the rotated plane.
fn rotated(matrix: Matrix, plane: (usize, usize), turn: (i128, i128)) -> Matrix {
    let half = transposed(matrix.map(|row| turned(row, plane, turn)));
    half.map(|row| turned(row, plane, turn))
}

fn transposed(matrix: Matrix) -> Matrix {
    [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| matrix[j][i]))
}

/// The rotation of a matrix whose columns are rotated axes, from the largest component of its quaternion.
fn of_matrix([x, y, z]: &Matrix) -> Rotation {
    const ONE: i128 = 1 << BITS;
    let squares = [
        ONE + x[0] + y[1] + z[2],
        ONE + x[0] - y[1] - z[2],
        ONE - x[0] + y[1] - z[2],
        ONE - x[0] - y[1] + z[2],
    ];
    let (a, b, c) = (z[1] - y[2], x[2] - z[0], y[0] - x[1]);
    let (d, e, f) = (x[1] + y[0], z[0] + x[2], y[2] + z[1]);
    let rows = [[squares[0], a, b, c], [a, squares[1], d, e], [b, d, squares[2], f], [c, e, f, squares[3]]];
    let largest = (0..4).rev().max_by_key(|&row| squares[row]).unwrap_or(0);
    Rotation::from_wide(rows[largest]).unwrap_or(Rotation::IDENTITY)
}

//! Volume, center of mass and spread of the mass of a polyhedron.
//!
//! Sums over the tetrahedra between the origin and the triangles of the surface, exact. With `d` the determinant of a triangle's
//! corners `a b c` and `s = a + b + c`, a tetrahedron has the volume `d/6`, the integral `d s / 24` of the place, and
//! `d (s s^T + a a^T + b b^T + c c^T) / 120` of its square.
//!
//! **Source**: F. Tonon, *Explicit Exact Formulas for the 3-D Tetrahedron Inertia Tensor in Terms of its Vertex Coordinates* (2004).

use super::polyhedron::{Point, Polyhedron, volume};
use crate::num::{mul_div::mul_div_nearest, round::shr_nearest};

/// A symmetric matrix.
pub type Matrix = [[i128; 3]; 3];

/// The fraction bits of a place in the grid, and of a square of one.
const PLACE_BITS: u32 = 60;
const SQUARE_BITS: u32 = 80;

/// The sums over a polyhedron; exact.
pub struct Mass {
    /// Six times the volume: up to 2^63.
    six_volumes: i128,
    /// 24 times the integral of the place: up to 2^85.
    places: [i128; 3],
    /// 120 times the integral of its square: up to 2^110.
    squares: Matrix,
}

impl Mass {
    pub fn of(polyhedron: &Polyhedron) -> Self {
        let mut mass = Self { six_volumes: 0, places: [0; 3], squares: [[0; 3]; 3] };
        polyhedron.triangles().for_each(|triangle| mass.add(triangle));
        mass
    }

    fn add(&mut self, triangle: [Point; 3]) {
        // Behind a face that is seen from outside the origin is counted as volume, in front of it as hole.
        let weight = -i128::from(volume(triangle, [0; 3]));
        let corners = triangle.map(|corner| corner.map(i128::from));
        let sum = [0, 1, 2].map(|axis: usize| corners.iter().map(|corner| corner[axis]).sum::<i128>());
        self.six_volumes += weight;
        for (i, row) in self.squares.iter_mut().enumerate() {
            self.places[i] += weight * sum[i];
            for (j, square) in row.iter_mut().enumerate() {
                let corners = corners.iter().map(|corner| corner[i] * corner[j]);
                *square += weight * (sum[i] * sum[j] + corners.sum::<i128>());
            }
        }
    }

    /// Six times the volume, in cells of the grid.
    pub const fn six_volumes(&self) -> i128 {
        self.six_volumes
    }

    /// The center of mass, times two to some bits; each component to nearest, halves away from zero.
    pub fn center(&self, bits: u32) -> [i128; 3] {
        self.places.map(|sum| mul_div_nearest(sum, 1 << bits, 4 * self.six_volumes))
    }

    /// The mean of `r r^T` over the volume, with r from the center of mass, times two to some bits up to 80; to nearest, of values within
    /// 2^-38.
    pub fn spread(&self, bits: u32) -> Matrix {
        let center = self.center(PLACE_BITS);
        let cell = |i: usize, j: usize| {
            let about_origin = mul_div_nearest(self.squares[i][j], 1 << SQUARE_BITS, 20 * self.six_volumes);
            let of_center = mul_div_nearest(center[i], center[j], 1 << (2 * PLACE_BITS - SQUARE_BITS));
            shr_nearest(about_origin - of_center, SQUARE_BITS - bits)
        };
        [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| cell(i, j)))
    }
}

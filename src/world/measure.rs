//! Sums over all bodies, exact.

use super::World;

impl World {
    /// The sum of all momenta, in raw.
    #[must_use]
    pub fn momentum_wide(&self) -> [i128; 3] {
        let mut sum = [0; 3];
        for (_, body) in self.bodies() {
            for (total, raw) in sum.iter_mut().zip(body.momentum.raw()) {
                *total += i128::from(raw);
            }
        }
        sum
    }

    /// Twice the energy, kinetic and in the field of gravity, in mass units times raw squared: the
    /// sum of `P . P / m - 2 m g . x`.
    ///
    /// **Rounding**: each body's `P . P / m` down.
    /// **Range**: inside the world's limits each term is below 2^107; a million of them fit.
    #[must_use]
    pub fn energy_twice_wide(&self) -> i128 {
        let gravity = self.gravity();
        let energies = self.bodies().map(|(_, body)| {
            let mass = i128::from(body.mass);
            body.momentum.dot_wide(body.momentum) / mass - 2 * mass * gravity.dot_wide(body.position)
        });
        energies.sum()
    }
}

//! An island of the last tick once more, for benches: so that what a row costs is measured, and not what is around it.

use crate::tick::contact::rest::{grip_rows::Grip, rows::Effort};

impl Grip {
    /// Solves the motions of the last tick's largest island anew, of those that were not known from the tick before, in no
    /// more than so many steps; returns how many rows were looked at.
    pub fn solve_largest_again(&mut self, steps: i64) -> i64 {
        self.held.clone_from(&self.largest.0);
        self.points.clone_from(&self.largest.1);
        let taken = self.solve(Effort { steps, looks: i64::MAX, solved: 0, still: 0 }, true);
        taken * self.points.len() as i64
    }

    /// Keeps the island that is about to be solved, if it is the largest.
    pub(in crate::tick::contact::rest) fn keep_largest(&mut self) {
        if self.points.len() > self.largest.1.len() {
            self.largest.0.clone_from(&self.held);
            self.largest.1.clone_from(&self.points);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        geom::Vec3,
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, SceneryBuilder, Spawn},
        tick::{TickReport, World},
    };

    #[test]
    fn the_rows_of_a_ball_on_the_ground_are_looked_at_again_and_nothing_changes() {
        let mut builder = SceneryBuilder::default();
        let plain = Material::new(lit("0")).expect("in 0..=1");
        let material = builder.material(plain.with_friction(lit("0.5")).expect("in 0..=16"));
        let floor = builder.shape(Shape::aabb(Vec3::from_raw([8 << 32, 1 << 32, 8 << 32])));
        builder.fixed(floor, material, Vec3::from_raw([0, -1 << 32, 0]));
        let ball = builder.shape(Shape::sphere(lit("1")));
        let limits = Limits::new(60);
        let mut world = World::new(limits, builder.build().expect("a scenery")).expect("limits");
        assert_eq!(world.solve_rows_again(8), 0);
        let gravity = limits.gravity_nearest_even(Vec3::from_raw([0, -10 << 32, 0]));
        let spawn = Spawn {
            material,
            rotates: true,
            ..Spawn::new(ball, Vec3::from_raw([0, (1 << 32) + (1 << 24), 0]))
        };
        let _ = world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]);
        let mut report = TickReport::default();
        world.step(&mut report); // in the first tick nothing is known
        let mut same = world.clone();
        assert_eq!(world.solve_rows_again(0), 0);
        let looked = world.solve_rows_again(8);
        assert!((1..=8).contains(&looked), "{looked}");
        for _ in 0..20 {
            world.step(&mut report);
            same.step(&mut report);
            assert_eq!(world.bodies().collect::<Vec<_>>(), same.bodies().collect::<Vec<_>>());
        }
    }
}

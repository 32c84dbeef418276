//! The parts of a recording in which nothing moves, which a page folds.

use super::{
    columns::Column,
    seen::{Actor, Look, Seen},
};

/// The shortest stillness that is folded, in seconds.
const SECONDS: u64 = 2;

/// Slot, appearance, position and orientation of a body.
type Place = (u32, Look, [i64; 3], Option<[i64; 4]>);

/// Long runs of pictures that show the same.
#[derive(Default)]
pub struct Stillness {
    /// The first and the last picture of each.
    runs: Vec<[u64; 2]>,
    /// The places in the last picture, and the first picture that shows the same.
    places: Vec<Place>,
    since: u64,
}

impl Stillness {
    /// Takes the next picture; `is_other` says that something besides the bodies is not as it was, such as the ground.
    pub fn take(&mut self, seen: &Seen, picture: u64, is_other: bool) {
        let place = |actor: &Actor| (actor.slot, actor.look, actor.position, actor.orientation);
        if !is_other && self.places.iter().copied().eq(seen.bodies.iter().map(place)) {
            return;
        }
        if picture > self.since + 1 {
            self.runs.push([self.since, picture - 1]);
        }
        self.places.clear();
        self.places.extend(seen.bodies.iter().map(place));
        self.since = picture;
    }

    /// Ends with the last picture; keeps the runs that are long enough.
    pub fn finish(&mut self, last: u64, rate: u32, every: u32) {
        self.runs.push([self.since, last]);
        self.runs.retain(|[from, to]| (to - from) * u64::from(every) >= SECONDS * u64::from(rate));
    }

    /// Writes them for the page.
    pub fn put(&self, column: &mut Column) {
        column.put(self.runs.len() as u64);
        self.runs.iter().flatten().for_each(|&picture| column.put(picture));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitstep::{
        World,
        geom::vec2,
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, SceneryBuilder, Spawn},
        tick::TickReport,
    };

    #[test]
    fn long_runs_of_the_same_picture_are_kept() {
        let mut scenery = SceneryBuilder::default();
        scenery.material(Material::INELASTIC);
        let ball = scenery.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(10), scenery.build().unwrap()).unwrap();
        let (mut still, mut seen) = (Stillness::default(), Seen::default());
        let mut report = TickReport::default();
        // At rest for 30 ticks, in motion for 5, at rest for 19, another body for 20.
        for picture in 0..75 {
            let body = world.bodies().map(|(body, _)| body).next();
            let velocity = |x: &str| vec2(lit(x), lit("0"));
            let commands: Vec<Command> = match (picture, body) {
                (0, _) => vec![Command::Spawn(Spawn::new(ball, velocity("0")))],
                (31, Some(body)) => vec![Command::SetVelocity { body, velocity: velocity("0.1") }],
                (36, Some(body)) => vec![Command::SetVelocity { body, velocity: velocity("0") }],
                (55, _) => vec![Command::Spawn(Spawn::new(ball, velocity("9")))],
                _ => Vec::new(),
            };
            assert!(world.tick(&commands, &mut report).0.iter().all(Result::is_ok), "{picture}");
            seen.take(&world, None);
            still.take(&seen, picture, picture == 5);
        }
        still.finish(74, 10, 1);
        assert_eq!(still.runs, [[5, 30]], "something else changes in one; those of 19 ticks are too short");
        still.runs.clear();
        still.finish(75, 10, 1);
        assert_eq!(still.runs, [[55, 75]]);
    }
}

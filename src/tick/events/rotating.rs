//! Visits of two bodies on their paths of which one rotates: when each of them is inside the other's reach.

use super::limits::PART_SHIFT;
use super::visits::{Relation, Segment};
use crate::{
    geom::{AngularMotion, Rotation, Vec3},
    num::Toi,
    sweep::{Advance, RelativeMotion, Span, sweep_turning},
};

/// The instant at which two come inside, or may.
struct Entry {
    /// Outside up to here.
    toi: Toi,
    /// True if the sweep says that they come inside here; else nothing is known beyond.
    is_hit: bool,
}

impl Relation<'_> {
    /// The changes in a segment in which one of both rotates, given whether they are inside at its ends.
    ///
    /// The exact predicates say whether two are inside where a part of at most 14 degrees begins and ends. They come inside where
    /// the sweep says: never late, and as early as [`sweep_turning`] is. They leave at the first instant of the tick's 2^32
    /// at which the predicates say that they are outside; of several such between two looks it is one of them. Two that
    /// are inside at both ends of a part stay inside, though a rocking edge may have left in between. Of several visits
    /// between two ends outside the first is reported.
    pub(super) fn changes_turning(
        &self,
        segment: &Segment<'_>,
        [mut inside, at_end]: [bool; 2],
        change: &mut impl FnMut(Toi, bool),
    ) {
        let count = segment.parts();
        let mut part = *segment;
        for number in 1..=count {
            part.end = segment.part_end(number, count);
            let then = if number == count { at_end } else { self.is_inside(segment, part.end) };
            match (inside, then) {
                (true, true) => {}
                (false, true) => change(self.entry_before(&part, part.end), true),
                (true, false) => change(self.exit_after(&part, part.start), false),
                (false, false) => {
                    if let Some(visit) = self.visit_turning(&part) {
                        change(visit.first, true);
                        change(visit.last, false);
                    }
                }
            }
            (inside, part.start) = (then, part.end);
        }
    }

    /// A stay inside between two instants outside.
    ///
    /// From where the sweep says that they meet, the predicates look for an instant inside, each time twice as far on:
    /// two that only come as near as the sweep is early are not inside.
    fn visit_turning(&self, part: &Segment<'_>) -> Option<Span> {
        let entry = self.sweep(part)?;
        let left = part.end.since(entry.toi).raw();
        let instants = (0..=Toi::BITS).map(|bit| (1 << bit) - 1).take_while(|&step| step < left);
        let mut instants = instants.filter_map(|step| Toi::from_raw(entry.toi.raw() + step));
        let inside = instants.find(|&toi| self.is_inside(part, toi))?;
        let first = if entry.is_hit { entry.toi } else { self.last_outside(part, [entry.toi, inside]) };
        Some(Span { first, last: self.exit_after(part, inside) })
    }

    /// The instant at which two come inside that begin a part outside and are inside at an instant of it.
    fn entry_before(&self, part: &Segment<'_>, inside: Toi) -> Toi {
        match self.sweep(part) {
            Some(Entry { toi, is_hit: true }) => toi,
            entry => self.last_outside(part, [entry.map_or(part.start, |entry| entry.toi), inside]),
        }
    }

    /// The first instant outside of those that are inside at one and outside when a part ends.
    fn exit_after(&self, part: &Segment<'_>, inside: Toi) -> Toi {
        self.narrow([inside, part.end], |toi| self.is_inside(part, toi))[1]
    }

    /// The last instant outside of those that are outside at one instant and inside at another.
    fn last_outside(&self, part: &Segment<'_>, instants: [Toi; 2]) -> Toi {
        self.narrow(instants, |toi| !self.is_inside(part, toi))[0]
    }

    /// The neighboring instants between which something ends that is so at the first and not at the last.
    fn narrow(&self, [mut first, mut last]: [Toi; 2], is_so: impl Fn(Toi) -> bool) -> [Toi; 2] {
        while last.raw() > first.raw() + 1 {
            let Some(middle) = Toi::from_raw(first.raw() + (last.raw() - first.raw()) / 2) else { break };
            if is_so(middle) {
                first = middle;
            } else {
                last = middle;
            }
        }
        [first, last]
    }

    /// The instant at which two come inside in a part that begins outside.
    fn sweep(&self, part: &Segment<'_>) -> Option<Entry> {
        let [a, b] = self.shapes;
        let still = AngularMotion::still(Rotation::IDENTITY);
        let turnings = part.sides.map(|side| side.turning_at(part.start));
        // A body that does not rotate is where its arm says.
        let split = |side: usize| match turnings[side] {
            Some(_) => [self.arms[side], Vec3::ZERO],
            None => [Vec3::ZERO, self.arms[side]],
        };
        let ([arm_a, still_a], [arm_b, still_b]) = (split(0), split(1));
        let relative = RelativeMotion {
            offset: part.offset_at(part.start) + (still_b - still_a),
            motion: part.motion(),
            arms: [arm_a, arm_b],
            turnings: turnings.map(|turning| turning.unwrap_or(still)),
            until: part.end.since(part.start),
        };
        let (passed, is_hit) = match sweep_turning(a, b, &relative, self.gap) {
            Advance::Clear => return None,
            Advance::Hit(hit) => (hit.toi, true),
            Advance::Unresolved(toi) => (toi, false),
        };
        part.start.checked_add(passed).map(|toi| Entry { toi, is_hit })
    }
}

impl Segment<'_> {
    /// Number of parts of the segment: it grows with the rotation of both.
    fn parts(&self) -> u64 {
        let turnings = self.sides.iter().filter_map(|side| side.turning_at(self.start));
        let way: u64 = turnings.flat_map(|turning| turning.chord_q30()).map(|part| part.unsigned_abs()).sum(); // below 2^32
        1 + ((way * self.end.since(self.start).raw()) >> (Toi::BITS + PART_SHIFT))
    }

    /// The instant at which one of so many parts ends; rounded down.
    fn part_end(&self, number: u64, count: u64) -> Toi {
        let length = self.end.since(self.start).raw();
        Toi::from_raw(self.start.raw() + length * number / count).unwrap_or(self.end)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        geom::{AngularMotion, Rotation, Vec3},
        num::{Scalar, Toi, lit},
        overlap::overlap_shapes,
        shape::{Obb, Shape},
        state::{BodyType, Command, Limits, Material, Rule, SceneryBuilder, Spawn, Static},
        tick::{EventKind, TickReport, World},
    };

    fn told(
        body: &Shape,
        lies: [&str; 2],
        spin: &str,
        sensor: &Shape,
        place: [&str; 2],
    ) -> Vec<(EventKind, u64)> {
        run(body, lies, spin, sensor, place).0
    }

    /// The events of a sensor and of a body that rotates at the origin, from the orientation of a quaternion, about z by so many
    /// radians per tick; and its rotation.
    fn run(
        body: &Shape,
        lies: [&str; 2],
        spin: &str,
        sensor: &Shape,
        place: [&str; 2],
    ) -> (Vec<(EventKind, u64)>, AngularMotion) {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let (body, sensor) = (builder.shape(body.clone()), builder.shape(sensor.clone()));
        let [x, y] = place.map(|part| part.parse().unwrap());
        builder.add(Static { shape: sensor, material, position: Vec3::new(x, y, lit("0")), layer: 5 });
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let [w, z] = lies.map(|part| part.parse().unwrap());
        let zero = Scalar::ZERO;
        let orientation = Rotation::from_quaternion(w, zero, zero, z).unwrap();
        let angular_velocity = Vec3::new(zero, zero, spin.parse().unwrap());
        let body = Spawn { body_type: BodyType::Kinematic, rotates: true, ..Spawn::new(body, Vec3::ZERO) };
        let body = Spawn { orientation, angular_velocity, ..body };
        let rule = Command::SetLayers { a: 0, b: 5, rule: Rule::Sensor, allow_overlap: false };
        let mut report = TickReport::default();
        world.enable_events(true);
        world.tick(&[rule, Command::Spawn(body)], &mut report).accepted().unwrap();
        assert!(report.outcomes.iter().all(Result::is_ok), "{:?}", report.outcomes);
        let (_, after) = world.bodies().next().unwrap();
        let turning = AngularMotion::new(orientation, after.pose().orientation).unwrap();
        (report.events.iter().map(|event| (event.kind, event.toi.raw())).collect(), turning)
    }

    fn is_near(told: u64, expected: u64) -> bool {
        told.abs_diff(expected) < 1 << 12
    }

    #[test]
    fn a_rod_swings_through_a_small_sensor_within_a_tick() {
        // From -20 to 20 degrees, where tan(angle / 2) grows evenly with time; it meets a ball at its tip where
        // the sine is 1/9: (1 -+ tan(6.3794 / 2) / tan(20 / 2)) / 2 = 1/2 -+ .158024 of a tick.
        let rod = Shape::capsule(Vec3::new(lit("1"), lit("0"), lit("0")), lit("0.05"));
        let ball = Shape::sphere(lit("0.05"));
        let lies = ["0.98480775301", "-0.17364817767"];
        let told = told(&rod, lies, "0.69813170080", &ball, ["0.9", "0"]);
        assert_eq!([told[0].0, told[1].0], [EventKind::Enter, EventKind::Exit]);
        let [enter, exit] = [told[0].1, told[1].1];
        assert!((1_468_000_000..1_470_000_000).contains(&enter), "{enter}");
        assert!(is_near(exit, (1 << 32) - enter), "{told:?}");
    }

    #[test]
    fn a_corner_that_hardly_misses_a_plane_does_not_enter_it() {
        // The root of 2 is 6074001000 raw, see below. Rotations may be rounded by at least 28 raw.
        let cube = Shape::Obb(Obb::along_axes(Vec3::splat(lit("1"))));
        let floor = Shape::plane(Vec3::new(lit("0"), lit("1"), lit("0"))).unwrap();
        let lies = ["0.96592582629", "0.25881904510"];
        for (below, count) in [(-40, 2), (40, 0), (50, 0), (60, 0), (70, 0), (80, 0), (90, 0), (100, 0)] {
            let y = Scalar::from_bits(-6_074_001_000 - below).to_string();
            assert_eq!(told(&cube, lies, "0.52359877560", &floor, ["0", &y]).len(), count, "{below}");
        }
    }

    #[test]
    fn a_corner_that_is_told_to_enter_a_plane_was_in_it() {
        // From where it dips by a few raw to where it misses by as much as the sweep is early.
        let cube = Shape::Obb(Obb::along_axes(Vec3::splat(lit("1"))));
        let floor = Shape::plane(Vec3::new(lit("0"), lit("1"), lit("0"))).unwrap();
        let lies = ["0.96592582629", "0.25881904510"];
        let mut visits = 0;
        for below in -30..40 {
            let y = Scalar::from_bits(-6_074_001_000 - below);
            let (told, turning) = run(&cube, lies, "0.52359877560", &floor, ["0", &y.to_string()]);
            let Some(&[enter, exit]) = told.first_chunk::<2>() else { continue };
            assert_eq!([enter.0, exit.0], [EventKind::Enter, EventKind::Exit]);
            let is_inside = |toi: u64| {
                let form = cube.turned(turning.at(Toi::from_raw(toi).unwrap()));
                overlap_shapes(&form, &floor, Vec3::new(lit("0"), y, lit("0")))
            };
            assert!(is_inside(exit.1 - 1) && !is_inside(exit.1), "{below}: {told:?}");
            visits += 1;
        }
        assert!((30..70).contains(&visits), "{visits} of 70");
    }

    #[test]
    fn a_corner_dips_into_a_plane_and_leaves_it() {
        // A cube of half edge 1 rotates from 30 to 60 degrees above a plane 1.4 below: its corner is deeper where the
        // cosine of the angle to 45 degrees is above 1.4/sqrt(2), for 8.1301 degrees to both sides;
        // tan(8.1301 / 2) / tan(15 / 2) = .53982 of half a tick.
        let cube = Shape::Obb(Obb::along_axes(Vec3::splat(lit("1"))));
        let floor = Shape::plane(Vec3::new(lit("0"), lit("1"), lit("0"))).unwrap();
        let lies = ["0.96592582629", "0.25881904510"];
        let told = told(&cube, lies, "0.52359877560", &floor, ["0", "-1.4"]);
        assert_eq!([told[0].0, told[1].0], [EventKind::Enter, EventKind::Exit]);
        let [enter, exit] = [told[0].1, told[1].1];
        assert!((987_000_000..989_500_000).contains(&enter), "{enter}");
        assert!(is_near(exit, (1 << 32) - enter), "{told:?}");
    }
}

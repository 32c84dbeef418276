//! A row of dominoes falls in the same time from 30 Hz on, nearly.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Draws, Rng, Scalar},
    state::{Body, Limits, Spawn},
};

use crate::{
    shows::{Stage, Verdict, Watch, lean, place, turned},
    support::{every, v},
};

const PLATES: i64 = 12;
const ROWS: u64 = 6;
/// The rate whose time counts, and those of which so many percent may be missed.
const FINE: u32 = 480;
const RATES: [(u32, u64); 4] = [(30, 15), (60, 11), (120, 5), (240, 5)];

/// A row of plates along any heading, the first of which leans over its edge.
struct Row {
    /// The distance from plate to plate, in thousandths.
    spacing: i64,
    friction: &'static str,
    restitution: &'static str,
    /// The rotation about the vertical, and that of the first plate about its edge, as the real and the other part.
    heading: [i64; 2],
    tilt: [i64; 2],
}

impl Row {
    fn drawn(draws: &mut Draws) -> Self {
        Self {
            spacing: draws.between(450, 550),
            friction: ["0.3", "0.4", "0.5"][draws.below(3) as usize],
            restitution: ["0", "0.1"][draws.below(2) as usize],
            heading: [draws.between(-1_000, 1_000), draws.between(-1_000, 1_000)],
            tilt: [1_000, -draws.between(85, 110)],
        }
    }

    fn world(&self, rate: u32) -> World {
        let mut stage = Stage::floor(self.restitution, self.friction);
        let plate = stage.block("0.06", "0.5", "0.25");
        let [w, y] = self.heading;
        let heading: Rotation = turned([w, 0, y, 0]);
        for index in 0..PLATES {
            let [real, tilt] = if index == 0 { self.tilt } else { [1_000, 0] };
            let along = heading.turn_nearest(place(self.spacing * index, 0, 0));
            let position = along + if index == 0 { place(0, 506, 0) } else { place(0, 502, 0) };
            let orientation = turned([w * real, y * tilt, y * real, w * tilt].map(|part| part / 100));
            stage.add(Spawn { orientation, ..Spawn::new(plate, position) });
        }
        stage.world_within(Limits::new(rate))
    }
}

fn has_fallen(body: &Body) -> bool {
    lean(body, v("0", "1", "0")).abs() < 1 << 31
}

/// The time until all plates lean by more than 60 degrees, in microseconds.
fn time_to_fall(row: &Row, rate: u32) -> Option<u64> {
    let (mut world, mut watch) = (row.world(rate), Watch::default());
    while watch.ticks < 10 * u64::from(rate) {
        watch.tick(&mut world);
        if world.bodies().all(|(_, body)| has_fallen(body)) {
            assert_eq!((watch.held, watch.reverted, watch.unbooked), (0, 0, 0), "{rate} Hz");
            return Some(watch.ticks * 1_000_000 / u64::from(rate));
        }
    }
    None
}

#[test]
fn dominoes_fall_in_the_same_time_at_every_rate() {
    let mut verdict = Verdict::default();
    for index in (0..ROWS).step_by(every(3)) {
        let row = Row::drawn(&mut Rng::new(12).at(index, 0, 0));
        let expected = time_to_fall(&row, FINE).expect("they fall");
        println!("row {index}: {expected} microseconds at {FINE} Hz");
        for (rate, percent) in RATES {
            let time = time_to_fall(&row, rate).unwrap_or(u64::MAX);
            println!("  at {rate} Hz {time}");
            let is_same = time.abs_diff(expected) <= expected * percent / 100;
            verdict.expect(is_same, format!("row {index} at {rate} Hz: {time} for {expected}"));
        }
    }
    verdict.close();
}

/// No plate stands or was thrown: the highest center is below .5, that of a plate that stands.
#[test]
fn fallen_dominoes_lie_on_each_other() {
    let row = Row::drawn(&mut Rng::new(12).at(0, 0, 0));
    let (mut world, mut watch) = (row.world(60), Watch::default());
    watch.run(&mut world, 600);
    let highest = world.bodies().map(|(_, body)| body.position.y).max().unwrap();
    assert!(highest < Scalar::from_bits(1 << 31), "{highest}");
    assert!(watch.still() > 120, "{}", watch.nets());
    let apart = |a: &Body, b: &Body| (b.position - a.position).dot_wide(Vec3::from_raw([1 << 32, 0, 0]));
    let bodies: Vec<Body> = world.bodies().map(|(_, body)| *body).collect();
    let along = apart(&bodies[0], &bodies[1]).signum();
    assert!(bodies.windows(2).all(|pair| apart(&pair[0], &pair[1]).signum() == along), "in their order");
}

//! The cost of ticks, queries, catching up and recordings, with 2,000 units.
//!
//! A scene gives the same result in every run, so each is played several times, and of each tick the shortest
//! time counts: this leaves out other work of the machine.

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use bitstep::{
    geom::Vec3,
    num::lit,
    query::{Batch, PointQuery, QueryFilter},
    replay::Recorder,
    session::{Session, Simulation},
    snapshot::Checksum,
    tick::TickReport,
};
use bitstep_lockstep::Terms;

use crate::{
    Army, Issued, Order, Place, Rts, TICK_RATE, UNITS_MAX, Units, initial_state_at, script::play_alone,
};

/// Ticks of the scripted match that is measured: a minute.
const MATCH_TICKS: u64 = 60 * TICK_RATE as u64;
const HOUR: u64 = 3_600 * TICK_RATE as u64;

/// The orders of a scene, and their ticks.
struct Scene {
    name: &'static str,
    initial_state: Session<Rts>,
    orders: Vec<(u64, Issued)>,
    /// The first measured tick.
    from: u64,
    ticks: u64,
}

/// A place in the rows of a block, from its corner, so many quarters of a unit apart.
fn block(number: u16, side: u16, corner: [i64; 2], quarters: i64) -> Vec3 {
    let [x, y] = corner;
    let along = |corner: i64, index: u16| (corner << 32) + ((i64::from(index) * quarters) << 30);
    Vec3::from_raw([along(x, number % side), along(y, number / side), 0])
}

fn at(x: i64, y: i64) -> Place {
    Place::nearest(Vec3::from_raw([x << 32, y << 32, 0]))
}

fn march(player: u8, units: Units, to: Place) -> Issued {
    Issued { player, order: Order::March { units, to } }
}

/// Marching: 2,000 stand in their rows, and go 80 units on. Blob: 2,000 are sent to one point. Crossing: two
/// armies of 1,000 are sent through each other, and shoot.
fn scenes() -> Result<[Scene; 3], Box<dyn Error>> {
    let all = || Units::of(0..UNITS_MAX);
    let army = |player: u8| Units::of((0..1_000).map(|number| u16::from(player) * 1_000 + number));
    let corner = |player: u8| if player == 0 { [-40, -20] } else { [15, -20] };
    Ok([
        Scene {
            name: "march",
            initial_state: initial_state_at(1, 1, UNITS_MAX, |_, number| block(number, 32, [-56, -31], 4))?,
            orders: vec![(1, march(0, all(), at(-40, 0))), (201, march(0, all(), at(40, 0)))],
            from: 201,
            ticks: 800,
        },
        Scene {
            name: "blob",
            initial_state: initial_state_at(1, 1, UNITS_MAX, |_, number| block(number, 45, [-67, -67], 12))?,
            orders: vec![(1, Issued { player: 0, order: Order::Gather { units: all(), to: at(0, 0) } })],
            from: 1,
            ticks: 1_000,
        },
        Scene {
            name: "crossing",
            initial_state: initial_state_at(1, 2, 1_000, |player, number| {
                block(number, 25, corner(player), 4)
            })?,
            orders: vec![(1, march(0, army(0), at(40, 0))), (1, march(1, army(1), at(-40, 0)))],
            from: 1,
            ticks: 600,
        },
    ])
}

/// The results of a scene.
struct Played {
    times: Vec<Duration>,
    held: u64,
    held_settled: u64,
    settled: Option<u64>,
    end: Session<Rts>,
}

impl Scene {
    fn play(&self) -> Played {
        let (mut state, mut report) = (self.initial_state.clone(), TickReport::default());
        let (mut times, mut held, mut held_settled, mut settled) = (Vec::new(), 0, 0, None);
        for tick in 1..=self.ticks {
            let due = self.orders.iter().filter(|(when, _)| *when == tick);
            let orders: Vec<Issued> = due.map(|(_, issued)| issued.clone()).collect();
            let began = Instant::now();
            state.tick(black_box(&orders), &mut report);
            times.push(began.elapsed());
            let now = (report.impact_limited.len() + report.reverted.len()) as u64;
            held += now;
            let is_settled = tick > self.from && state.game().units().iter().all(|unit| unit.goal.is_done());
            match settled {
                None if is_settled => settled = Some(tick),
                Some(_) => held_settled += now,
                None => {}
            }
        }
        Played { times: times.split_off(self.from as usize - 1), held, held_settled, settled, end: state }
    }

    fn measure(&self, runs: u32) {
        let mut best = self.play();
        for _ in 1..runs {
            best.times.iter_mut().zip(self.play().times).for_each(|(best, time)| *best = time.min(*best));
        }
        let Played { times, held, held_settled, settled, end } = best;
        let way = settled.map_or(times.len(), |tick| (tick + 1 - self.from) as usize).min(times.len());
        let mean = |times: &[Duration]| micros(times.iter().sum::<Duration>() / times.len().max(1) as u32);
        let worst = times.iter().max().copied().unwrap_or_default();
        let then = settled.map_or("they never all stood".to_owned(), |tick| {
            format!("all stand after tick {tick}, then {} a tick, {held_settled} held", mean(&times[way..]))
        });
        println!(
            "{:9} {} a tick under way, worst {}, {held} held; {then}",
            self.name,
            mean(&times[..way]),
            micros(worst)
        );
        println!("          {}", end.outcome());
    }
}

/// Milliseconds, with three decimals.
fn micros(time: Duration) -> String {
    format!("{}.{:03} ms", time.as_micros() / 1_000, time.as_micros() % 1_000)
}

/// The shortest time of several.
fn shortest(runs: u32, mut work: impl FnMut()) -> Duration {
    let one = |work: &mut dyn FnMut()| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    (0..runs.max(1)).map(|_| one(&mut work)).min().unwrap_or_default()
}

/// Each of 2,000 in rows asks for the units within one unit of length.
fn queries(runs: u32) -> Result<(), Box<dyn Error>> {
    let state = initial_state_at(1, 1, UNITS_MAX, |_, number| block(number, 32, [-56, -31], 4))?;
    let mut view = state.world().query_view();
    let ball = |center| PointQuery { center, radius: lit("1") };
    let balls: Vec<PointQuery> = state.world().bodies().map(|(_, body)| ball(body.position)).collect();
    let mut found = Batch::default();
    let mut failed = Ok(());
    let time = shortest(runs * 10, || {
        failed = view.radii(black_box(&balls), &QueryFilter::ALL, &mut found);
    });
    failed?;
    let rebuild = shortest(runs * 10, || {
        let world = black_box(state.world());
        view.rebuild(world.state(), world.scenery())
    });
    let (count, each) = (balls.len(), found.all().len() * 10 / balls.len());
    println!(
        "queries   {} for {count} radius queries in a batch, {}.{} found each; a view in {}",
        micros(time),
        each / 10,
        each % 10,
        micros(rebuild)
    );
    let mut bytes = Vec::new();
    let encode = shortest(runs * 10, || {
        state.encode_into(&mut bytes);
        black_box(Checksum::of(&bytes));
    });
    println!("snapshot  {} bytes; encoded and hashed in {}", bytes.len(), micros(encode));
    Ok(())
}

/// A scripted match of four, and the work of a late joiner with it: play and record, as fast as possible.
fn played(runs: u32) -> Result<(), Box<dyn Error>> {
    let terms = Terms { last_tick: MATCH_TICKS, ..Terms::new::<Rts>(0, 4, &Army { seed: 7, units: 500 })? };
    let mut inputs: Vec<Vec<Issued>> = Vec::new();
    let end = play_alone(&terms, |_, given| inputs.push(given.to_vec()))?;
    let initial_state = terms.initial_state::<Rts>()?;
    let (mut times, mut size) = (vec![Duration::MAX; inputs.len()], [0; 2]);
    for _ in 0..runs {
        let (mut state, mut report) = (initial_state.clone(), TickReport::default());
        let mut recorder = Recorder::new(Vec::new(), &state)?;
        size[0] = recorder.writer().len();
        for (given, best) in inputs.iter().zip(&mut times) {
            let began = Instant::now();
            state.tick(given, &mut report);
            recorder.tick(given, &state)?;
            *best = began.elapsed().min(*best);
        }
        size[1] = recorder.finish()?.len();
    }
    let time: Duration = times.iter().sum();
    let real = Duration::from_secs(MATCH_TICKS) / TICK_RATE;
    println!(
        "match     {} a tick, played and recorded; catches up at {} times real time",
        micros(time / MATCH_TICKS as u32),
        real.as_micros() / time.as_micros().max(1)
    );
    println!("          {}", end.outcome());
    let orders: usize = inputs.iter().map(Vec::len).sum();
    let hour = size[0] as u64 + (size[1] - size[0]) as u64 * HOUR / MATCH_TICKS;
    println!(
        "recording {} bytes for {MATCH_TICKS} ticks with {orders} orders, {} of them the initial state; an hour like this {hour}",
        size[1], size[0]
    );
    Ok(())
}

/// Measures all, or one by its name.
///
/// # Errors
///
/// If there is no scene of that name.
pub fn measure(runs: u32, only: Option<&str>) -> Result<(), Box<dyn Error>> {
    let is_asked = |name: &str| only.is_none_or(|only| only == name);
    let names = ["march", "blob", "crossing", "queries", "match"];
    if !names.iter().any(|name| is_asked(name)) {
        return Err(format!(
            "there is no scene `{}`; there are {}",
            only.unwrap_or_default(),
            names.join(", ")
        )
        .into());
    }
    for scene in scenes()?.iter().filter(|scene| is_asked(scene.name)) {
        scene.measure(runs);
    }
    if is_asked("queries") {
        queries(runs)?;
    }
    if is_asked("match") {
        played(runs)?;
    }
    Ok(())
}

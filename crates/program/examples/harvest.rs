//! A game with its own program: two players' workers dig for gold, and every number of it is verified, sought
//! in and compared with the world's.
//!
//! `cargo run --release --package bitstep-program --example harvest` says what it does. Try
//!
//! ```sh
//! harvest play a.replay
//! harvest verify a.replay
//! harvest play b.replay --inject 70:game.gold[1]@orders
//! harvest diff b.replay
//! ```

use std::{error::Error, fs::File, io::BufWriter, process::ExitCode};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, lit},
    replay::Recorder,
    session::{Game, Session, Simulation, Tick, TickLog},
    shape::Shape,
    state::{BodyId, Command, Done, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

/// Price of a worker.
const PRICE: u32 = 12;
/// Number of ticks of a match: 5 seconds.
const TICKS: u64 = 300;

/// The game's own state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Harvest {
    gold: [u32; 2],
    workers: Vec<Worker>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Worker {
    owner: u8,
    body: BodyId,
    dug: u32,
}

/// An order of a player in a tick.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Order {
    /// Lets a worker run.
    Run { worker: u16, impulse: Vec3 },
    /// Hires another one.
    Hire { owner: u8 },
}

impl Game for Harvest {
    type Input = Order;
    const NAME: &'static str = "harvest";

    fn tick(&mut self, tick: &mut Tick<'_>, orders: &[Order]) {
        for order in orders {
            match order {
                Order::Run { worker, impulse } => self.run(tick, *worker, *impulse),
                Order::Hire { owner } => self.hire(tick, *owner),
            }
        }
        tick.mark("orders", self);
        tick.step();
        for worker in &mut self.workers {
            // A worker that is slow enough digs.
            let moves =
                tick.world().body(worker.body).is_some_and(|body| body.velocity().x.abs() > lit("0.05"));
            let luck = tick.draws(1, worker.body.slot().into()).below(20);
            if !moves && luck == 0 {
                worker.dug += 1;
                self.gold[usize::from(worker.owner % 2)] += 1;
            }
        }
        tick.mark("harvest", self);
    }

    fn outcome(&self) -> String {
        format!("gold {} to {}", self.gold[0], self.gold[1])
    }

    fn body_name(&self, body: BodyId) -> Option<String> {
        let number = self.workers.iter().position(|worker| worker.body == body)?;
        Some(format!("worker {number} of player {}", self.workers[number].owner + 1))
    }
}

impl Harvest {
    fn run(&self, tick: &mut Tick<'_>, worker: u16, impulse: Vec3) {
        if let Some(worker) = self.workers.get(usize::from(worker)) {
            // A command for a removed body is refused, on every machine alike.
            let _ = tick.apply(Command::ApplyImpulse { body: worker.body, impulse });
        }
    }

    fn hire(&mut self, tick: &mut Tick<'_>, owner: u8) {
        let place = usize::from(owner % 2);
        if self.gold[place] < PRICE {
            return;
        }
        let x = if place == 0 { lit("-6") } else { lit("6") };
        let z = tick.draws(2, owner.into()).between(-4 << 32, 4 << 32);
        let position = Vec3::from_raw([x.to_bits(), 0, z]);
        let spawn = Spawn { damping_q16: 1_500, ..Spawn::new(ShapeId(0), position) };
        if let Ok(Done::Spawned(body)) = tick.apply(Command::Spawn(spawn)) {
            self.gold[place] -= PRICE;
            self.workers.push(Worker { owner: owner % 2, body, dug: 0 });
        }
    }
}

/// A walled field, and enough gold for three workers each.
fn initial_state() -> Result<Session<Harvest>, Box<dyn Error>> {
    let mut scenery = SceneryBuilder::default();
    let wood = scenery.material(Material::new(lit("0.5"))?);
    scenery.shape(Shape::sphere(lit("0.5")));
    let side = scenery.shape(Shape::aabb(Vec3::new(lit("0.5"), lit("2"), lit("6"))));
    let end = scenery.shape(Shape::aabb(Vec3::new(lit("9"), lit("2"), lit("0.5"))));
    for sign in [lit("-1"), lit("1")] {
        scenery.fixed(side, wood, Vec3::new(sign * 9, lit("0"), lit("0")));
        scenery.fixed(end, wood, Vec3::new(lit("0"), lit("0"), sign * 6));
    }
    let world = World::new(Limits::new(60), scenery.build()?)?;
    Ok(Session::new(world, Harvest { gold: [3 * PRICE; 2], workers: Vec::new() }, 2024)?)
}

/// The orders of the players: they hire, and chase their workers about.
fn orders(session: &Session<Harvest>) -> Vec<Order> {
    let tick = session.tick_count() + 1;
    let mut draws = Rng::new(7).at(0, 0, tick);
    let mut orders = Vec::new();
    for owner in [0, 1] {
        if draws.below(10) == 0 {
            orders.push(Order::Hire { owner });
        }
    }
    let workers = session.game().workers.len() as u64;
    if workers > 0 && draws.below(4) == 0 {
        let impulse = Vec3::from_raw(
            [0, 1, 2].map(|axis| if axis == 1 { 0 } else { draws.between(-1 << 29, 1 << 29) }),
        );
        orders.push(Order::Run { worker: draws.below(workers) as u16, impulse });
    }
    orders
}

/// Plays a match and records it; with a injection, one number of it is changed on the way.
fn play(file: &str, injection: Option<&str>) -> Result<(), Box<dyn Error>> {
    let mut session = initial_state()?;
    let mut recorder = Recorder::new(BufWriter::new(File::create(file)?), &session)?;
    let mut report = TickReport::default();
    let mut log = TickLog::states();
    if let Some(injection) = injection {
        log = log.injected(injection.parse()?);
    }
    for _ in 0..TICKS {
        let orders = orders(&session);
        let _ = session.tick_logged(&orders, &mut report, &mut log); // the rules had each outcome
        recorder.tick_logged(&orders, &session, &log)?;
    }
    recorder.finish()?;
    println!("{file}: {TICKS} ticks, {}", session.outcome());
    log.injection_outcome().iter().for_each(|outcome| println!("injection: {outcome}"));
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let played = match arguments[..] {
        ["play", file] => play(file, None),
        ["play", file, "--inject", injection] => play(file, Some(injection)),
        // All other work with recordings.
        _ => return bitstep_program::main::<Harvest>(),
    };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("harvest: {error}");
            ExitCode::from(2)
        }
    }
}

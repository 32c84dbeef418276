//! Two peers find a desync: they play the same game over a link, one of them by other rules from tick 200 on,
//! and both learn where. Run it with `cargo run --release --example peers`.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    peer::{Config, Event, Peer},
    session::{Game, Session, Simulation, Tick, TickLog},
    shape::Shape,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

/// A ball that is kicked, and points for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kicks {
    points: [u32; 2],
    /// The value of a kick; a patch has raised it in one of the two builds.
    #[serde(skip)]
    worth: u32,
}

impl Game for Kicks {
    type Input = bool;
    const NAME: &'static str = "kicks";

    fn tick(&mut self, tick: &mut Tick<'_>, kicks: &[bool]) {
        for (points, kick) in self.points.iter_mut().zip(kicks) {
            *points += u32::from(*kick) * (1 + self.worth);
        }
        tick.mark("points", self);
        if kicks.contains(&true) {
            let impulse = Vec3::lit("0.01", "0", "0");
            let _ = tick.apply(Command::ApplyImpulse { body: BodyId::from_parts(0, 0), impulse });
        }
        tick.step();
    }
}

fn initial_state(worth: u32) -> Result<Session<Kicks>, Box<dyn std::error::Error>> {
    let mut scenery = SceneryBuilder::default();
    scenery.material(Material::ELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), scenery.build()?)?;
    world.apply(&[Command::Spawn(Spawn::new(ball, Vec3::ZERO))]).accepted().unwrap();
    Ok(Session::new(world, Kicks { points: [0; 2], worth }, 7)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sides = Vec::new();
    for worth in [0, 1] {
        let session = initial_state(worth)?;
        sides.push((Peer::new(&session, Config::default())?, session, Vec::<Vec<u8>>::new()));
    }
    let (mut report, mut log) = (TickReport::default(), TickLog::sums());
    for tick in 1..=300_u64 {
        let mail = [0, 1].map(|side: usize| std::mem::take(&mut sides[1 - side].2));
        for (side, ((peer, session, out), mail)) in sides.iter_mut().zip(mail).enumerate() {
            // Every third message is lost.
            for (message, _) in mail.iter().zip(tick..).filter(|(_, number)| number % 3 > 0) {
                let _ = peer.receive(message); // a refused message is only worth counting
            }
            let inputs = [tick == 200, tick % 250 == 0];
            session.tick_logged(&inputs, &mut report, &mut log).accepted()?;
            peer.confirm(session, &inputs, &log)?;
            peer.poll(&mut |message| out.push(message.to_vec()));
            while let Some(event) = peer.next_event() {
                match event {
                    Event::Desync { tick: bad, report, .. } => {
                        println!(
                            "peer {side}, in tick {tick}: tick {bad} differs; a report of {} bytes",
                            report.len()
                        );
                    }
                    Event::RemoteReport { comparison, .. } => {
                        println!("peer {side}, in tick {tick}: {}", comparison?)
                    }
                    event => println!("peer {side}, in tick {tick}: {event:?}"),
                }
            }
        }
    }
    let found = sides.iter().all(|(peer, ..)| peer.is_done());
    if found { Ok(()) } else { Err("the desync was not found".into()) }
}

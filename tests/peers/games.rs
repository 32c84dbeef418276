//! The games that are played.

use bitstep::{
    World,
    geom::Vec3,
    session::{Game, Session, Simulation, Tick},
    snapshot,
    state::{BodyId, Command},
};
use serde::{Deserialize, Serialize};

use crate::support::gas;

/// Two players dig for gold, and push a ball of a gas.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Digging {
    pub gold: [u32; 2],
    pub log: Vec<u32>,
}

impl Game for Digging {
    type Input = u32;
    const NAME: &'static str = "digging";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u32]) {
        for (gold, input) in self.gold.iter_mut().zip(inputs) {
            *gold += input % 7 + tick.draws(1, 0).below(3) as u32;
        }
        self.log.push(inputs.len() as u32);
        if self.log.len() > 5 {
            self.log.clear();
        }
        tick.mark("dug", self);
        let impulse = Vec3::from_raw([i64::from(self.gold[0] % 64) << 20, 0, 0]);
        let _ = tick.apply(Command::ApplyImpulse { body: BodyId::from_parts(3, 0), impulse });
        tick.step();
        self.gold[1] += tick.report().impacts.len() as u32;
    }
}

pub fn session() -> Session<Digging> {
    let game = Digging { gold: [0; 2], log: Vec::new() };
    Session::new(gas(3, 5), game, 99).unwrap()
}

pub fn session_inputs(tick: u64) -> Vec<u32> {
    vec![tick as u32 % 11, (tick * tick) as u32 % 13]
}

pub fn world() -> World {
    gas(3, 5)
}

pub fn world_inputs(tick: u64) -> Vec<Command> {
    let push = Command::ApplyImpulse { body: BodyId::from_parts(3, 0), impulse: Vec3::from_raw([9, 0, -7]) };
    if tick % 10 == 0 { vec![push] } else { Vec::new() }
}

/// A world with one raw unit more in the place of a body.
pub fn nudged(world: &World, slot: u32) -> World {
    let mut bytes = snapshot::encode(world);
    let at = 195 + slot as usize * 83 + 5; // by the byte table: no slot is empty
    bytes[at] ^= 1;
    let nudged = snapshot::decode(&bytes, world.scenery()).unwrap();
    let found = snapshot::diff(world, &nudged);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, format!("slots[{slot}].body.position.x"));
    nudged
}

/// A session whose game has other gold.
pub fn richer(session: &Session<Digging>, by: u32) -> Session<Digging> {
    let mut bytes = Vec::new();
    session.encode_into(&mut bytes);
    let game = bytes.len() - (8 + 8 + 4 * session.game().log.len());
    let gold = session.game().gold[0] + by;
    bytes[game..game + 4].copy_from_slice(&gold.to_le_bytes());
    let richer = Session::<Digging>::decode(&bytes, session.scenery()).unwrap();
    assert_eq!(richer.game().gold[0], gold);
    richer
}

//! A game written down, made small where it breaks a law, and shown as a scene.
//!
//! A [`Script`] is the record of a game, with its bodies by number, so that it can be played without some of
//! them. [`explain`] takes one that breaks a law, drops and simplifies everything that is not needed for
//! that, and writes the rest as a scene file, which the program runs.

mod scene;
mod simpler;
mod smaller;

pub use scene::{SceneFile, scene_file};
pub use smaller::{Failure, failure, quietly, shrink};

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use bitstep::{
    World,
    state::{BodyId, Collider, Command, Done, Limits, Outcome, Scenery},
    tick::TickReport,
};

/// The id of a body that does not exist: no world reaches this slot.
const NOBODY: BodyId = BodyId::from_parts(u32::MAX, 0);

/// A check that panics where a law is broken.
pub type Laws<'a> = &'a dyn Fn(&Script);

/// An empty world, and the commands before each tick.
#[derive(Clone, Debug)]
pub struct Script {
    pub limits: Limits,
    pub scenery: Arc<Scenery>,
    pub ticks: Vec<Vec<Order>>,
}

/// A command, with the number of the body that it is for, or that it makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The command; its ids are not used.
    pub command: Command,
    /// `None` where no body has the id, or it is for none.
    pub body: Option<usize>,
    /// The same of a second body.
    pub other: Option<usize>,
}

/// The bodies of a world in which a script is played, by number.
#[derive(Clone, Default, Debug)]
pub struct Cast {
    ids: BTreeMap<usize, BodyId>,
    spawns: usize,
}

impl Script {
    pub fn new(limits: Limits, scenery: &Arc<Scenery>) -> Self {
        Self { limits, scenery: Arc::clone(scenery), ticks: Vec::new() }
    }

    pub fn initial_state(&self) -> World {
        World::new(self.limits, Arc::clone(&self.scenery)).unwrap()
    }

    /// How many commands there are.
    pub fn commands(&self) -> usize {
        self.ticks.iter().map(Vec::len).sum()
    }

    /// Plays all ticks, and calls `after` with the worlds around each of them.
    pub fn play(&self, mut after: impl FnMut(&World, &World, &TickReport)) {
        let (mut world, mut cast, mut report) =
            (self.initial_state(), Cast::default(), TickReport::default());
        for orders in &self.ticks {
            let before = world.clone();
            let outcomes: Vec<_> = orders.iter().map(|order| cast.apply(order, &mut world).0).collect();
            world.step(&mut report);
            report.outcomes = outcomes;
            after(&before, &world, &report);
        }
    }
}

impl Cast {
    /// Records a command, with the present ids; a spawn gets the next number.
    pub fn order(&mut self, command: Command) -> Order {
        if let Command::Spawn(_) = command {
            self.spawns += 1;
            return Order { command, body: Some(self.spawns - 1), other: None };
        }
        let mut copy = command;
        let [body, other] = [id_of(&command), other_id_mut(&mut copy).copied()]
            .map(|id| self.ids.iter().find(|(_, known)| Some(**known) == id).map(|(number, _)| *number));
        Order { command, body, other }
    }

    /// Gives a world the command of an order, for the body that has its number here; the outcome, and
    /// the change of momentum.
    pub fn apply(&mut self, order: &Order, world: &mut World) -> (Outcome, [i128; 3]) {
        let mut applied = world.apply(&[self.command(order)]);
        let outcome = applied.outcomes.remove(0);
        self.note(order, &outcome);
        (outcome, applied.momentum)
    }

    /// Gives the body spawned by an order its number.
    pub fn note(&mut self, order: &Order, outcome: &Outcome) {
        if let (Ok(Done::Spawned(id)), Some(number)) = (outcome, order.body) {
            self.ids.insert(number, *id);
        }
    }

    /// The command of an order, for the body that has its number here.
    pub fn command(&self, order: &Order) -> Command {
        let mut command = order.command;
        let id_of = |number: Option<usize>| number.and_then(|number| self.ids.get(&number)).copied();
        if let Some(id) = id_mut(&mut command) {
            *id = id_of(order.body).unwrap_or(NOBODY);
        }
        if let Some(id) = other_id_mut(&mut command) {
            *id = id_of(order.other).unwrap_or(NOBODY);
        }
        command
    }
}

/// The body that a command is for.
pub fn id_of(command: &Command) -> Option<BodyId> {
    id_mut(&mut command.clone()).copied()
}

fn id_mut(command: &mut Command) -> Option<&mut BodyId> {
    match command {
        Command::Spawn(_)
        | Command::SetGravity { .. }
        | Command::SetLayers { .. }
        | Command::SetHeights { .. } => None,
        Command::Remove { body }
        | Command::Teleport { body, .. }
        | Command::SetAngularVelocity { body, .. }
        | Command::ApplyImpulseAt { body, .. }
        | Command::ApplyAngularImpulse { body, .. }
        | Command::MoveKinematic { body, .. }
        | Command::SetVelocity { body, .. }
        | Command::ApplyImpulse { body, .. }
        | Command::SetShape { body, .. }
        | Command::SetCompound { body, .. }
        | Command::SetFilter { body, .. }
        | Command::SetLocks { body, .. }
        | Command::SetDamping { body, .. }
        | Command::SetSleep { body, .. }
        | Command::Freeze { body, .. }
        | Command::SetOnHit { body, .. }
        | Command::Drive { body, .. }
        | Command::SetDominance { body, .. }
        | Command::EndDrive { body }
        | Command::SetUser { body, .. } => Some(body),
        Command::IgnorePair { a, .. } => Some(a),
    }
}

/// The second body that a command is about.
const fn other_id_mut(command: &mut Command) -> Option<&mut BodyId> {
    match command {
        Command::IgnorePair { b: Collider::Body(b), .. } => Some(b),
        _ => None,
    }
}

/// Makes a script that breaks a law as small as possible, and writes it as a scene file of that name among
/// the temporary files of the tests; returns the failure and the path of the file.
///
/// # Panics
///
/// If the script keeps the laws.
pub fn explain(name: &str, script: &Script, laws: Laws) -> String {
    let (small, Failure { message, .. }) = shrink(script, laws).expect("a script that breaks a law");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("ron");
    let SceneFile { text, left_out } = scene_file(&small, name, &message);
    fs::write(&path, text).unwrap();
    let (ticks, commands) = (small.ticks.len(), small.commands());
    let missing: String = left_out.iter().map(|text| format!("\nthe scene leaves out {text}")).collect();
    let (from_ticks, from) = (script.ticks.len(), script.commands());
    format!(
        "{message}\nshrunk from {from} commands in {from_ticks} ticks to {commands} in {ticks}: \
         bitstep run {}{missing}",
        path.display()
    )
}

//! A tick beside the tick: the same world from its snapshot, with the commands one by one, under every law.

use std::collections::BTreeSet;

use bitstep::{
    World, snapshot,
    state::{BodyId, Command, Outcome},
    tick::{Applied, Cause, TickReport},
};

use super::{
    Pair, assert_budget, assert_events, assert_report, assert_sleep, assert_sound, is_deeper, may_overlap,
    overlapping, overlapping_as, with_meshes,
};

/// A world from a snapshot of another one, in the same tick.
pub struct Beside {
    /// The other one before its tick.
    before: World,
    world: World,
    pairs: BTreeSet<Pair>,
    outcomes: Vec<Outcome>,
    momentum: [i128; 3],
    woke: Vec<BodyId>,
}

impl Beside {
    /// Before the tick's commands.
    ///
    /// # Panics
    ///
    /// If the snapshot of the world is not a world.
    #[must_use]
    pub fn of(before: &World) -> Self {
        let world = snapshot::decode(&snapshot::encode(before), before.scenery()).expect("a state");
        let (before, pairs) = (before.clone(), overlapping(&world));
        Self { before, world, pairs, outcomes: Vec::new(), momentum: [0; 3], woke: Vec::new() }
    }

    /// Takes a command: a refused one changes nothing, and nothing overlaps unless the command allows it.
    ///
    /// # Panics
    ///
    /// If a law is broken.
    pub fn apply(&mut self, command: Command) -> Outcome {
        let (was, saved) = (self.world.momentum_wide(), snapshot::encode(&self.world));
        let Applied { mut outcomes, momentum, woke } = self.world.apply(&[command]);
        let outcome = outcomes.remove(0).map_err(|mut refused| {
            assert_eq!((refused.index, refused.command), (0, command.name()));
            refused.index = self.outcomes.len() as u32; // as in the list of the whole tick
            refused
        });
        assert!(outcomes.is_empty(), "one outcome of {command:?}");
        let is = self.world.momentum_wide();
        assert_eq!([0, 1, 2].map(|axis| is[axis] - was[axis]), momentum, "the momentum of {command:?}");
        if outcome.is_err() {
            assert!(
                woke.is_empty() && snapshot::encode(&self.world) == saved,
                "refused {command:?} changed something"
            );
        }
        let now = overlapping(&self.world);
        let adds = match command {
            Command::SetHeights { .. } => {
                !with_meshes(&self.world, &now).is_subset(&with_meshes(&self.world, &self.pairs))
            }
            _ => !now.is_subset(&self.pairs),
        };
        assert!(may_overlap(&command) || !adds, "{command:?} overlaps");
        self.pairs = now;
        self.outcomes.push(outcome.clone());
        self.momentum.iter_mut().zip(momentum).for_each(|(sum, part)| *sum += part);
        self.woke.extend(woke);
        outcome
    }

    /// Steps, and compares: the other one is now `after`, and its tick had this report.
    ///
    /// # Panics
    ///
    /// If a law is broken.
    pub fn step(mut self, after: &World, theirs: &TickReport) {
        let (mut report, entry) = (TickReport::default(), self.world.clone());
        self.world.enable_events(after.events_enabled());
        self.world.step(&mut report);
        report.woke.append(&mut self.woke);
        report.woke.sort_unstable();
        self.assert_tick(&entry, &report);
        assert!(snapshot::encode(&self.world) == snapshot::encode(after), "restored and continued");
        (report.outcomes, report.ledger[Cause::Commands]) = (self.outcomes, self.momentum);
        assert_eq!(*theirs, report, "the report of a restored world");
        assert_report(&report, &self.before, after);
    }

    fn assert_tick(&self, entry: &World, report: &TickReport) {
        let Self { before, world, pairs, .. } = self;
        let now = overlapping_as(world, entry);
        assert!(now.is_subset(pairs), "overlaps in a tick: {:?}", now.difference(pairs));
        let deeper = now.iter().find(|pair| is_deeper(entry, world, **pair));
        assert!(deeper.is_none(), "deeper in a tick: {deeper:?}");
        let is_cut = entry.limits().pairs_max < 1 << 22;
        assert!(is_cut || report.overlapping as usize == pairs.len(), "{} of {pairs:?}", report.overlapping);
        assert_events(report, entry, world);
        assert_sleep(report, before, entry, world);
        assert_budget(report, entry, world);
        for (id, body) in world.bodies() {
            assert_sound(body, entry.body(id));
            // In a tick of several steps it is reverted to where its last step began.
            let is_back = report.reverted.contains(&id) && entry.limits().substeps == 1;
            assert!(
                !is_back || entry.body(id).is_some_and(|was| was.position == body.position),
                "{id} is reverted to another place"
            );
        }
    }
}

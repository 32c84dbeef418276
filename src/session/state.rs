//! A world and the game around it as one thing.

use std::sync::Arc;

use super::{Game, PhaseState, SessionError, Simulation, Tick, TickLog};
use crate::{
    snapshot::{self, FORMAT_VERSION, Field, RULES_VERSION, SnapshotError, Value, check_versions, visit},
    state::{BodyId, Scenery, StateError, wire},
    tick::{TickOutcomes, TickReport, World},
};

/// The first bytes of a session's snapshot.
const MAGIC: [u8; 6] = *b"bitses";

/// The last tick that a session can be restored at, as a world: no game gets there.
const TICK_MAX: u64 = u64::MAX >> 1;

/// A world, the game's own state and a random seed: saved, compared and played as one.
#[derive(Debug)]
pub struct Session<G> {
    world: World,
    game: G,
    seed: u64,
    tick: u64,
}

impl<G: Game> Session<G> {
    /// A session at tick 0.
    ///
    /// # Errors
    ///
    /// If the game's state holds a float or a map in no order, by its path, or if its encoding cannot be read
    /// back. Entries that come into a list or a map later are not checked here: [`determinism_check`](super::determinism_check)
    /// checks them.
    pub fn new(world: World, game: G, seed: u64) -> Result<Self, SessionError> {
        if G::NAME.len() > 255 {
            return Err(SessionError::Name(G::NAME.len() as u64));
        }
        visit_game(&game)?;
        let bytes = wire::encode(&game);
        let again: G = wire::decode(&bytes).map_err(|error| SessionError::Unreadable(error.to_string()))?;
        if wire::encode(&again) != bytes {
            return Err(SessionError::Unreadable("it comes back as another".to_owned()));
        }
        Ok(Self::of(world, game, (seed, 0)))
    }

    /// A session at a tick, which lists events if its game needs them.
    fn of(mut world: World, game: G, (seed, tick): (u64, u64)) -> Self {
        world.enable_events(world.events_enabled() || G::EVENTS);
        Self { world, game, seed, tick }
    }

    /// The game's own state.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The random seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The world of bodies.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Plays one tick with the players' inputs; the report is of the last step of the world in it, and empty if there was none.
    ///
    /// Players give no commands, so none of theirs is refused: a refusal is for the game to see, in
    /// [`Tick::apply`](super::Tick::apply). Those before the last step are in the report, and returned by
    /// [`tick_logged`](Simulation::tick_logged).
    pub fn tick(&mut self, inputs: &[G::Input], report: &mut TickReport) {
        let _ = self.tick_logged(inputs, report, &mut TickLog::off()); // the game had them
    }
}

impl<G: Clone> Clone for Session<G> {
    fn clone(&self) -> Self {
        let Self { world, game, seed, tick } = self;
        Self { world: world.clone(), game: game.clone(), seed: *seed, tick: *tick }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { world, game, seed, tick } = source;
        self.world.clone_from(world);
        self.game.clone_from(game);
        (self.seed, self.tick) = (*seed, *tick);
    }
}

impl<G: Game> Simulation for Session<G> {
    type Input = G::Input;

    fn name() -> &'static str {
        G::NAME
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn tick_count(&self) -> u64 {
        self.tick
    }

    fn enable_events(&mut self, enabled: bool) {
        self.world.enable_events(enabled || G::EVENTS);
    }

    fn tick_logged<'a>(
        &mut self,
        inputs: &[G::Input],
        report: &'a mut TickReport,
        log: &mut TickLog,
    ) -> TickOutcomes<'a> {
        self.tick += 1;
        log.begin(self.tick);
        log.see_game(|bytes| wire::encode_into(&self.game, bytes));
        let mut tick = Tick::new(&mut self.world, report, log, (self.seed, self.tick));
        self.game.tick(&mut tick, inputs);
        tick.end(&mut self.game);
        TickOutcomes(&report.outcomes)
    }

    fn encode_into(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend(RULES_VERSION.to_le_bytes());
        bytes.push(G::NAME.len() as u8);
        bytes.extend(G::NAME.as_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.tick.to_le_bytes());
        bytes.extend([0; 8]); // the length of the world's part, which is filled in afterwards
        let begin = bytes.len();
        snapshot::append(&self.world, bytes);
        let length = (bytes.len() - begin) as u64;
        bytes[begin - 8..begin].copy_from_slice(&length.to_le_bytes());
        wire::encode_into(&self.game, bytes);
    }

    fn decode(bytes: &[u8], scenery: &Arc<Scenery>) -> Result<Self, SnapshotError> {
        let Parts { seed, tick, world, game } = parts::<G>(bytes)?;
        if tick > TICK_MAX {
            let (field, value) = ("session.tick".to_owned(), tick);
            return Err(StateError::Count { field, value, low: 0, high: TICK_MAX }.into());
        }
        let world = snapshot::decode(world, scenery)?;
        let game = game_of(game)?;
        Ok(Self::of(world, game, (seed, tick)))
    }

    fn relabel(bytes: &mut [u8], rules_version: u32) {
        if !bytes.starts_with(&MAGIC) || parts::<G>(bytes).is_err() {
            return;
        }
        bytes[8..12].copy_from_slice(&rules_version.to_le_bytes());
        let world = MAGIC.len() + 7 + G::NAME.len() + 24;
        snapshot::relabel(&mut bytes[world..], rules_version);
    }

    fn outcome(&self) -> String {
        let said = self.game.outcome();
        if said.is_empty() { self.world.outcome() } else { said }
    }

    fn caption(&self) -> String {
        self.game.outcome()
    }

    fn body_name(&self, body: BodyId) -> Option<String> {
        self.game.body_name(body)
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![
            Field { path: "session.seed".to_owned(), value: Value::Whole(self.seed.into()) },
            Field { path: "session.tick".to_owned(), value: Value::Whole(self.tick.into()) },
        ];
        fields.extend(snapshot::fields(&self.world));
        fields.extend(game_fields(&self.game));
        fields
    }

    fn check(&self) -> Result<(), SnapshotError> {
        visit_game(&self.game).map(|_| ())
    }

    fn encode_inputs(inputs: &[G::Input], bytes: &mut Vec<u8>) {
        let count = u16::try_from(inputs.len()).expect("a tick has fewer than 2^16 inputs");
        bytes.extend(count.to_le_bytes());
        inputs.iter().for_each(|input| wire::encode_into(input, bytes));
    }

    fn decode_inputs(bytes: &[u8]) -> Result<Vec<G::Input>, SessionError> {
        let (count, values) =
            bytes.split_first_chunk().ok_or_else(|| SessionError::Inputs("no count in front".to_owned()))?;
        let inputs = wire::decode_row(values, u16::from_le_bytes(*count));
        inputs.map_err(|error| SessionError::Inputs(error.to_string()))
    }

    fn fields_of(phase: &PhaseState) -> Result<Vec<Field>, SnapshotError> {
        let mut fields = snapshot::fields_of_state(&phase.world)?;
        fields.extend(visit_game(&game_of::<G>(&phase.game)?)?);
        Ok(fields)
    }
}

/// The parts of a session's snapshot.
struct Parts<'a> {
    seed: u64,
    tick: u64,
    world: &'a [u8],
    game: &'a [u8],
}

fn parts<G: Game>(bytes: &[u8]) -> Result<Parts<'_>, SnapshotError> {
    let short = || SnapshotError::NotASnapshot;
    let (head, rest) = bytes.split_at_checked(MAGIC.len() + 7).ok_or_else(short)?;
    if head[..6] != MAGIC {
        return Err(SnapshotError::NotASnapshot);
    }
    check_versions(&head[6..12])?;
    let (name, rest) = rest.split_at_checked(head[12].into()).ok_or_else(short)?;
    if name != G::NAME.as_bytes() {
        let found = String::from_utf8_lossy(name).escape_debug().to_string();
        return Err(SnapshotError::OtherGame { found, here: G::NAME.to_owned() });
    }
    let (numbers, rest) = rest.split_first_chunk::<24>().ok_or_else(short)?;
    let number = |index: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&numbers[index * 8..index * 8 + 8]);
        u64::from_le_bytes(bytes)
    };
    let (seed, tick) = (number(0), number(1));
    let world_bytes = usize::try_from(number(2)).map_err(|_| short())?;
    let (world, game) = rest.split_at_checked(world_bytes).ok_or_else(short)?;
    Ok(Parts { seed, tick, world, game })
}

fn game_of<G: Game>(bytes: &[u8]) -> Result<G, SnapshotError> {
    wire::decode(bytes).map_err(|error| SnapshotError::Damaged(format!("game: {error}")))
}

/// The game's fields; a state that cannot be walked has the reason in place of its fields.
fn game_fields<G: Game>(game: &G) -> Vec<Field> {
    visit_game(game).unwrap_or_else(|error| {
        vec![Field { path: "game".to_owned(), value: Value::Text(error.to_string()) }]
    })
}

/// The game's fields, with their paths in the session.
fn visit_game<G: Game>(game: &G) -> Result<Vec<Field>, SnapshotError> {
    let behind_game = |path: &mut String| path.insert_str(0, "game.");
    match visit(game) {
        Ok(mut fields) => {
            fields.iter_mut().for_each(|field| behind_game(&mut field.path));
            Ok(fields)
        }
        Err(mut error) => {
            if let SnapshotError::Unfit { path, .. } = &mut error {
                behind_game(path);
            }
            Err(error)
        }
    }
}

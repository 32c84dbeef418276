//! A match over a network: [`bitstep_rollback`] in `FixedUpdate`.

use std::{marker::PhantomData, sync::Arc};

use bevy::{app::RunFixedMainLoop, ecs::system::SystemParam, prelude::*};
use bitstep::{
    session::{EventChange, Game, Session, Simulation},
    tick::TickReport,
};
use bitstep_rollback::{Address, Ending, Match, MatchEvent, PlayerInput, RollbackError};

use crate::{
    PhysicsSystems,
    message::{KnownBodies, announce_removals, contacts},
    physics::Effects,
    plugin::add_shared,
    transform::place_changed,
};

/// Plays a [`RollbackMatch`] in `FixedUpdate`, and shows its predicted state.
///
/// `G` is the game, `A` the address of a side: a match of other types is not played. One fixed tick is one frame of the match, with the inputs of [`LocalInputs`]. An app
/// may have this plugin beside [`BitstepPlugin`](crate::BitstepPlugin), and one at a time of a match and [`Physics`](crate::Physics).
///
/// `Time<Fixed>` is the clock of a match as [`Pace`](bitstep_rollback::Pace) is without Bevy, and it is not nudged: a side that is
/// ahead has frames in which its match does not tick, until the others have caught up. Virtual time that is paused stops the
/// match, and other sides drop a side that is silent for too long: a game that is played over a network does not pause it.
pub struct RollbackPlugin<G, A>(PhantomData<fn() -> (G, A)>);

impl<G, A> Default for RollbackPlugin<G, A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<G: Game + 'static, A: Address + Send + Sync> Plugin for RollbackPlugin<G, A>
where
    G::Input: PlayerInput,
{
    fn build(&self, app: &mut App) {
        add_shared(app);
        app.init_resource::<LocalInputs<G::Input>>()
            .add_message::<TickConfirmed<G>>()
            .add_message::<ContactChange>()
            .add_message::<MatchMessage<A>>()
            .add_message::<MatchEnded>()
            .add_message::<MatchFailed>()
            .add_systems(RunFixedMainLoop, begin::<G, A>.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop))
            .add_systems(PostUpdate, begin::<G, A>.before(place_changed))
            .add_systems(FixedUpdate, frame::<G, A>.in_set(PhysicsSystems::Tick).before(announce_removals));
    }
}

/// One side of a match, played for as long as it is there.
///
/// It is no `Send` resource, as a link need not be: `app.insert_non_send(RollbackMatch::new(game))`. While the app runs an exclusive
/// system inserts it, `fn start(world: &mut World)` with `world.insert_non_send(..)`: a command that holds it cannot be queued.
/// After the end it still answers the other sides, until the game removes it; [`into_inner`](Self::into_inner) then has the
/// outcome and ends the recording.
pub struct RollbackMatch<G: Game + 'static, A: Address>
where
    G::Input: PlayerInput,
{
    game: Match<Session<G>, A>,
    bodies: KnownBodies,
    /// The identity of the match. It is the only strong reference, so a weak one tells when the match is dropped.
    life: Arc<()>,
    is_over: bool,
    has_wrong_inputs: bool,
    has_failed: bool,
}

impl<G: Game + 'static, A: Address> RollbackMatch<G, A>
where
    G::Input: PlayerInput,
{
    /// A match that is played from now on.
    #[must_use]
    pub fn new(game: Match<Session<G>, A>) -> Self {
        let state = game.state();
        // A predicted state is not that before the next confirmed tick: then the bodies are known behind that one.
        let is_confirmed = game.confirmed() == state.tick_count();
        let bodies = if is_confirmed { KnownBodies::of(state.world()) } else { KnownBodies::default() };
        let life = Arc::default();
        Self { game, bodies, life, is_over: false, has_wrong_inputs: false, has_failed: false }
    }

    /// The match itself: its predicted state, statistics and ending.
    #[must_use]
    pub const fn game(&self) -> &Match<Session<G>, A> {
        &self.game
    }

    /// The players here leave: see [`Match::leave`].
    pub fn leave(&mut self) {
        self.game.leave();
    }

    /// The match itself, for example to [`finish`](Match::finish) it.
    #[must_use]
    pub fn into_inner(self) -> Match<Session<G>, A> {
        self.game
    }
}

/// The inputs of the players on this side, in their order, which the game sets before [`PhysicsSystems::Tick`].
///
/// They hold until they are set again. The match stands still, with a [`MatchFailed`], while their number is not that of the players
/// here.
///
/// A fixed tick in which the match does not move takes no inputs: a press is kept until the tick count of
/// `game().state()` has risen since.
#[derive(Resource, Clone, PartialEq, Default, Debug)]
pub struct LocalInputs<I: Send + Sync + 'static>(pub Vec<I>);

/// A tick that no rollback will change: each once, in order. Scores and whatever else is final follow from these.
#[derive(Message, Clone, Debug)]
pub struct TickConfirmed<G: Game + 'static> {
    /// Its number.
    pub tick: u64,
    /// The game's own state after it.
    pub game: G,
    /// The inputs of all players, in their order.
    pub inputs: Vec<G::Input>,
    /// Its report.
    pub report: TickReport,
}

/// A change of a predicted event, for sounds that cannot wait for the tick to be confirmed. There are none unless the match lists
/// events.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContactChange(pub EventChange);

/// An event of the match beside its ticks: sides that come and go, and where a desync is.
#[derive(Message, Clone, PartialEq, Debug)]
pub struct MatchMessage<A: Send + Sync + 'static>(pub MatchEvent<A>);

/// The end of the match, once.
#[derive(Message, Clone, PartialEq, Eq, Debug)]
pub struct MatchEnded(pub Ending);

/// An error of the match. A wrong number of inputs is reported once until it is right again, and the match goes on then. All others,
/// such as a recording that cannot be written, stop it for good.
#[derive(Message, Debug)]
pub struct MatchFailed(pub RollbackError);

#[derive(SystemParam)]
struct MatchMessages<'w, G: Game + 'static, A: Address + Send + Sync> {
    confirmed: MessageWriter<'w, TickConfirmed<G>>,
    changes: MessageWriter<'w, ContactChange>,
    events: MessageWriter<'w, MatchMessage<A>>,
    ended: MessageWriter<'w, MatchEnded>,
    failed: MessageWriter<'w, MatchFailed>,
}

/// Begins a match that was inserted, or ends one that was removed.
fn begin<G: Game + 'static, A: Address>(game: Option<NonSend<RollbackMatch<G, A>>>, mut effects: Effects)
where
    G::Input: PlayerInput,
{
    match game {
        Some(game) => effects.begin(game.game.state().world(), &game.life),
        None => effects.end(),
    }
}

/// Plays a frame of the match.
fn frame<G: Game + 'static, A: Address + Send + Sync>(
    game: Option<NonSendMut<RollbackMatch<G, A>>>,
    inputs: Res<LocalInputs<G::Input>>,
    mut effects: Effects,
    mut messages: MatchMessages<G, A>,
) where
    G::Input: PlayerInput,
{
    let Some(mut game) = game.filter(|game| !game.has_failed) else { return };
    let RollbackMatch { game, bodies, life, is_over, has_wrong_inputs, has_failed } = &mut *game;
    effects.begin(game.state().world(), life);
    let played = game.frame(&inputs.0, |tick| {
        let world = tick.state.world();
        effects.contacts.write_batch(contacts(tick.report));
        effects.removals.0.extend(bodies.removed(world, tick.report));
        messages.confirmed.write(TickConfirmed {
            tick: tick.tick,
            game: tick.state.game().clone(),
            inputs: tick.inputs.to_vec(),
            report: tick.report.clone(),
        });
    });
    messages.changes.write_batch(game.changes().iter().copied().map(ContactChange));
    messages.events.write_batch(game.events().map(MatchMessage));
    let predicted = game.state().world();
    let mut withdrawn = bodies.withdrawn(predicted, &effects.entities);
    withdrawn.retain(|body| effects.removals.0.iter().all(|removed| removed.body != body.body));
    effects.removals.0.append(&mut withdrawn);
    // Also where nothing was played: what is shown then comes to rest at the predicted state.
    effects.advance(predicted, Vec::new());
    let is_wrong = matches!(played, Err(RollbackError::Inputs { .. }));
    let was_wrong = std::mem::replace(has_wrong_inputs, is_wrong);
    *has_failed = played.is_err() && !is_wrong;
    if let Err(error) = played
        && !(is_wrong && was_wrong)
    {
        messages.failed.write(MatchFailed(error));
    }
    if let (Some(ending), false) = (game.ending(), *is_over) {
        *is_over = true;
        messages.ended.write(MatchEnded(ending.clone()));
    }
}

//! A match over a network: [`bitstep_rollback`] in `FixedUpdate`.

use std::{marker::PhantomData, ops::Deref};

use bevy::{app::RunFixedMainLoop, ecs::system::SystemParam, prelude::*};
use bitstep::{
    session::{EventChange, Game, Session},
    tick::TickReport,
};
use bitstep_rollback::{Address, Ending, Match, MatchEvent, PlayerInput, RollbackError};

use crate::{
    PhysicsSystems,
    message::{KnownBodies, announce_removals, contacts},
    physics::Effects,
    plugin::add_shared,
};

/// Plays a [`RollbackMatch`] in `FixedUpdate`, and shows its predicted state.
///
/// `G` is the game, `A` the address of a side. One fixed tick is one frame of the match, with the inputs of [`LocalInputs`]. An app
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
            .add_systems(FixedUpdate, frame::<G, A>.in_set(PhysicsSystems::Tick).before(announce_removals));
    }
}

/// One side of a match, played for as long as it is there.
///
/// It is no `Send` resource, as a link need not be: `app.insert_non_send(RollbackMatch::new(game))`, also while the app
/// runs. After the end it still answers the other sides, until the game removes it; [`into_inner`](Self::into_inner) then has the
/// outcome and ends the recording. The match itself is read through this one: its state, statistics and ending.
pub struct RollbackMatch<G: Game + 'static, A: Address>
where
    G::Input: PlayerInput,
{
    game: Match<Session<G>, A>,
    bodies: KnownBodies,
    is_new: bool,
    is_over: bool,
    has_failed: bool,
}

impl<G: Game + 'static, A: Address> RollbackMatch<G, A>
where
    G::Input: PlayerInput,
{
    /// A match that is played from now on.
    #[must_use]
    pub fn new(game: Match<Session<G>, A>) -> Self {
        let bodies = KnownBodies::of(game.state().world());
        Self { game, bodies, is_new: true, is_over: false, has_failed: false }
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

impl<G: Game + 'static, A: Address> Deref for RollbackMatch<G, A>
where
    G::Input: PlayerInput,
{
    type Target = Match<Session<G>, A>;

    fn deref(&self) -> &Self::Target {
        &self.game
    }
}

/// The inputs of the players on this side, in their order, which the game sets before [`PhysicsSystems::Tick`].
///
/// They hold until they are set again. A match fails if their number is not that of the players here.
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

/// An error that stopped the match, once: a wrong number of inputs, or a recording that cannot be written.
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

/// Begins a match that was inserted since the last frame.
fn begin<G: Game + 'static, A: Address>(game: Option<NonSendMut<RollbackMatch<G, A>>>, mut effects: Effects)
where
    G::Input: PlayerInput,
{
    if let Some(mut game) = game.filter(|game| game.is_new) {
        effects.begin(game.state().world());
        game.is_new = false;
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
    let RollbackMatch { game, bodies, is_new, is_over, has_failed } = &mut *game;
    if std::mem::take(is_new) {
        effects.begin(game.state().world());
    }
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
    // Also where nothing was played: what is shown then comes to rest at the predicted state.
    effects.interpolation.advance(game.state().world(), Vec::new());
    if let Err(error) = played {
        *has_failed = true;
        messages.failed.write(MatchFailed(error));
    }
    if let (Some(ending), false) = (game.ending(), *is_over) {
        *is_over = true;
        messages.ended.write(MatchEnded(ending.clone()));
    }
}

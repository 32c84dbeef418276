//! The sync test of ggrs.

use bitstep::{
    session::{Simulation, TickLog},
    snapshot::Checksum,
};
use ggrs::SessionBuilder;

use crate::{
    PlayerInput, RollbackError, Stats,
    ggrs_types::Ggrs,
    rollback::{Rollback, WINDOW},
};

/// The result of a sync test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncTest {
    /// The checksum of the last state.
    pub checksum: Checksum,
    /// Number and depth of the rollbacks.
    pub stats: Stats,
}

/// Plays inputs through ggrs's sync test: in every frame it goes back by `distance` ticks and plays them again, and every
/// checksum must be the same.
///
/// [`determinism_check`](bitstep::session::determinism_check) beside it restores from bytes, looks at every phase, and names
/// the first field that differs.
///
/// # Errors
///
/// The frames that came out differently; inputs of different numbers of players, or of none; a distance that is not in 0..=8.
pub fn sync_test<S: Simulation>(
    initial_state: S,
    inputs: &[impl AsRef<[S::Input]>],
    distance: usize,
) -> Result<SyncTest, RollbackError>
where
    S::Input: PlayerInput,
{
    let players = inputs.first().map_or(0, |inputs| inputs.as_ref().len());
    if players == 0 {
        return Err(RollbackError::Setup("a sync test needs inputs of a player"));
    }
    let builder = SessionBuilder::<Ggrs<S::Input, u8>>::new()
        .with_num_players(players)?
        .with_max_prediction_window(WINDOW + 1)
        .with_check_distance(distance);
    let mut session = builder.start_synctest_session()?;
    let numbers: Vec<_> = (0..players).map(Some).collect();
    let mut rollback = Rollback::new(initial_state, WINDOW as u32 + 4, TickLog::off())?;
    rollback.give_checksums();
    for given in inputs {
        let given = given.as_ref();
        if given.len() != players {
            return Err(RollbackError::Inputs { given: given.len(), players });
        }
        for (player, input) in given.iter().enumerate() {
            session.add_local_input(player, *input)?;
        }
        let requests = session.advance_frame()?;
        rollback.fulfil(requests, &numbers)?;
        // Ticks beyond the distance are final.
        let until = rollback.state().tick_count().saturating_sub(distance as u64 + 1);
        rollback.confirm(until, |_, _| Ok(true))?;
    }
    Ok(SyncTest { checksum: rollback.state().checksum(), stats: rollback.stats })
}

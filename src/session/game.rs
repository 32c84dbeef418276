//! A game's own state and rules, to be saved, compared and played again with its world.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use super::Tick;
use crate::state::BodyId;

/// A game's own state, and its part of a tick.
///
/// The state is whatever serde sees of it: integers, texts, lists, options, and maps with ordered keys. A
/// float, or a map that is not walked in the order of its keys, is refused by its path. Fields that serde
/// skips are not state; [`determinism_check`](super::determinism_check) finds results that depend on them. A file from a stranger can
/// claim any length: no element of a list may take no bytes, and no type may contain itself.
///
/// ```
/// use bitstep::{
///     World,
///     session::{Game, Session, Tick},
///     state::{Limits, SceneryBuilder},
///     tick::TickReport,
/// };
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Harvest { gold: [u32; 2] }
///
/// impl Game for Harvest {
///     type Input = u32;
///     const NAME: &'static str = "harvest";
///
///     fn tick(&mut self, tick: &mut Tick<'_>, players: &[u32]) {
///         for (gold, mined) in self.gold.iter_mut().zip(players) {
///             *gold += mined + tick.draws(1, 0).below(3) as u32;
///         }
///         tick.mark("mined", self);
///         tick.step();
///     }
/// }
///
/// let world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let mut session = Session::new(world, Harvest { gold: [0; 2] }, 7)?;
/// session.tick(&[5, 1], &mut TickReport::default());
/// assert!(session.game().gold[0] >= 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// The input of one player in one tick.
    type Input: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// The game's name in its files: at most 255 bytes. A recording of another game is refused.
    const NAME: &'static str;

    /// True if the rules read the events or impulses of [`Tick::report`]: every tick of a session then lists
    /// them, also when it is verified or rolled back.
    ///
    /// Without it they are there only if an observer [enabled](super::Simulation::enable_events) them, so rules that
    /// read them come to different results; [`determinism_check`](super::determinism_check) finds those.
    const EVENTS: bool = false;

    /// Plays one tick: reads the players' inputs, gives commands to the world, steps it, and changes itself.
    ///
    /// Everything must follow from `self`, the handle and the inputs.
    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[Self::Input]);

    /// The outcome of a run as text that can be compared: two runs with the same text had the same outcome. Viewers show it beside
    /// every tick.
    fn outcome(&self) -> String {
        String::new()
    }

    /// The name of a body in the game's words, such as "fighter 1": for viewers, which ask once for each body, and for
    /// the reports of differences.
    fn body_name(&self, _body: BodyId) -> Option<String> {
        None
    }
}

//! What ggrs is told about a game: inputs and addresses, and no state.

use std::{fmt::Debug, hash::Hash, marker::PhantomData};

use ggrs::{Config, PredictRepeatLast};
use serde::{Serialize, de::DeserializeOwned};

/// An input that ggrs sends and predicts: it predicts that a player goes on as before.
///
/// Its default is the input of a player who has left. It must have the same number of bytes whatever its value.
pub trait PlayerInput: Copy + PartialEq + Default + Serialize + DeserializeOwned + 'static {}

impl<I: Copy + PartialEq + Default + Serialize + DeserializeOwned + 'static> PlayerInput for I {}

/// The address of a side, of whatever kind a link has.
pub trait Address: Clone + PartialEq + Eq + Hash + Debug + 'static {}

impl<A: Clone + PartialEq + Eq + Hash + Debug + 'static> Address for A {}

/// The types of a ggrs session.
#[derive(Debug)]
pub struct Ggrs<I, A>(PhantomData<(I, A)>);

impl<I: PlayerInput, A: Address> Config for Ggrs<I, A> {
    type Input = I;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = A;
}

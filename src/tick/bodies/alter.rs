//! Fault injection: an observer or a test that alters bodies in the middle of a tick.

use super::SimBodies;
#[cfg(feature = "trace")]
use super::body::Conduct;
#[cfg(test)]
use super::{body::SimBody, rotation::SimRotation};
#[cfg(test)]
use crate::num::index::IndexOf;
#[cfg(feature = "trace")]
use crate::{
    num::Toi,
    state::{Scenery, State},
};

impl SimBodies {
    /// Moves the ends of the paths of bodies from where they lead to where an altered state has them, gives the
    /// bodies its momenta, and gives the state the poses and momenta of the start of the tick.
    #[cfg(feature = "trace")]
    pub fn alter(&mut self, state: &State, scenery: &Scenery, altered: &mut State) {
        for index in self.indices() {
            let body = self.bodies[index.place()];
            let slot = body.slot.place();
            let (Some(before), Some(wanted)) = (&state.slots[slot].body, &mut altered.slots[slot].body)
            else {
                continue;
            };
            if body.conduct == Conduct::Frozen {
                continue;
            }
            let end = self.motion(&body).at(Toi::END);
            let moved = &mut self.bodies[index.place()];
            moved.path.position += wanted.position - end.position;
            moved.momentum = wanted.momentum;
            if let (Some(rotation), Some(spin)) = (self.rotation_mut(index), wanted.spin) {
                if spin.orientation != end.orientation {
                    rotation.put(spin.orientation, scenery.hull(body.shape));
                }
                rotation.angular_momentum = spin.angular_momentum;
            }
            (wanted.position, wanted.momentum, wanted.spin) = (before.position, before.momentum, before.spin);
        }
    }

    /// A body, to alter it.
    #[cfg(test)]
    pub fn body_mut(&mut self, index: usize) -> &mut SimBody {
        &mut self.bodies[index]
    }

    /// All bodies, to alter them.
    #[cfg(test)]
    pub fn all_mut(&mut self) -> &mut [SimBody] {
        &mut self.bodies
    }

    /// The rotation of the first body that rotates, to alter it.
    #[cfg(test)]
    pub fn first_rotation_mut(&mut self) -> &mut SimRotation {
        &mut self.rotations[0]
    }

    /// Gives a body the last rotation, or takes it away.
    #[cfg(test)]
    pub fn mix_up_rotation(&mut self, index: usize) {
        let rotation = &mut self.bodies[index].rotation;
        *rotation = if rotation.is_some() { None } else { IndexOf::last(&self.rotations) };
    }
}

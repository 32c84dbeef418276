//! The bodies at the start of the last tick, to find those that begin this one alike.

use super::{SimBodies, arrays::rotation_in, body::SimBody, rotation::SimRotation};

/// The bodies of a tick, kept for the next one.
#[derive(Default, Debug)]
pub struct BodiesBefore {
    bodies: Vec<SimBody>,
    rotations: Vec<SimRotation>,
}

impl BodiesBefore {
    /// Forgets the bodies: none begins the next tick alike.
    pub fn forget(&mut self) {
        self.bodies.clear();
        self.rotations.clear();
    }

    /// Lists for each body of a tick whether it begins this one as the last one, to the last bit, and keeps the
    /// bodies for the next.
    ///
    /// Bodies that are the same are not copied.
    pub fn renew(&mut self, sim: &SimBodies, are_same: &mut Vec<bool>) {
        are_same.clear();
        are_same.extend(sim.bodies.iter().enumerate().map(|(index, body)| {
            self.bodies.get(index) == Some(body) && rotation_in(&self.rotations, body) == sim.rotation(body)
        }));
        for (index, body) in sim.bodies.iter().enumerate().filter(|&(index, _)| !are_same[index]) {
            put(&mut self.bodies, index, body);
        }
        for (index, rotation) in sim.rotations.iter().enumerate() {
            if self.rotations.get(index) != Some(rotation) {
                put(&mut self.rotations, index, rotation);
            }
        }
    }
}

/// Puts an item into its place, or at the end.
fn put<T: Clone>(list: &mut Vec<T>, index: usize, item: &T) {
    match list.get_mut(index) {
        Some(place) => place.clone_from(item),
        None => list.push(item.clone()),
    }
}

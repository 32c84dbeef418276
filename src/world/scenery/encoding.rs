//! The bytes of a scenery.

use crate::{
    shape::Shape,
    world::{
        Material, Static,
        wire::{self, WireError},
    },
};

use super::Lists;

/// Shapes, restitutions and statics: all there is where no material has friction.
type Smooth = (Vec<Shape>, Vec<u32>, Vec<Static>);

impl Lists {
    /// The canonical bytes. Frictions come last, and only where there are any: a scenery without has the bytes
    /// and the hash that it had before there was friction.
    pub(super) fn encode(&self) -> Vec<u8> {
        let part = |of: fn(&Material) -> u32| self.materials.iter().map(of).collect::<Vec<u32>>();
        let mut bytes =
            wire::encode(&(&self.shapes, part(|material| material.restitution_q16), &self.statics));
        let frictions = part(|material| material.friction_q16);
        if frictions.iter().any(|&friction| friction > 0) {
            wire::encode_into(&frictions, &mut bytes);
        }
        bytes
    }

    /// Reads what [`encode`](Self::encode) wrote; no other bytes give the same lists.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let ((shapes, restitutions, statics), rest): (Smooth, _) = wire::decode_front(bytes)?;
        let frictions = if rest.is_empty() { vec![0; restitutions.len()] } else { wire::decode(rest)? };
        if frictions.len() != restitutions.len() {
            let (found, here) = (frictions.len(), restitutions.len());
            return Err(WireError::Malformed(format!("{found} frictions of {here} materials")));
        }
        if !rest.is_empty() && frictions.iter().all(|&friction| friction == 0) {
            return Err(WireError::Malformed("a list of frictions without any".to_owned()));
        }
        let both = restitutions.into_iter().zip(frictions);
        let material = |(restitution_q16, friction_q16)| Material { restitution_q16, friction_q16 };
        Ok(Self { shapes, materials: both.map(material).collect(), statics })
    }
}

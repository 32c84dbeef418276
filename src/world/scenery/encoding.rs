//! The bytes of a scenery.

use crate::{
    shape::Shape,
    world::{
        Material, Part, Static,
        wire::{self, WireError},
    },
};

use super::Lists;

/// Shapes, restitutions and statics: all there is where no material has friction.
type Smooth = (Vec<Shape>, Vec<u32>, Vec<Static>);

impl Lists {
    /// The canonical bytes. Frictions come behind all else, and only where there are any; sets behind them, in lists of
    /// their parts, and if there are any both: a scenery without has the bytes and the hash that it had before there
    /// were either.
    pub(super) fn encode(&self) -> Vec<u8> {
        let part = |of: fn(&Material) -> u32| self.materials.iter().map(of).collect::<Vec<u32>>();
        let mut bytes =
            wire::encode(&(&self.shapes, part(|material| material.restitution_q16), &self.statics));
        let frictions = part(|material| material.friction_q16);
        if frictions.iter().any(|&friction| friction > 0) || !self.sets.is_empty() {
            wire::encode_into(&frictions, &mut bytes);
        }
        if !self.sets.is_empty() {
            wire::encode_into(&self.sets, &mut bytes);
        }
        bytes
    }

    /// Reads what [`encode`](Self::encode) wrote; no other bytes give the same lists.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let ((shapes, restitutions, statics), rest): (Smooth, _) = wire::decode_front(bytes)?;
        let none = vec![0; restitutions.len()];
        let (frictions, rest): (Vec<u32>, Option<&[u8]>) = match rest {
            [] => (none, None),
            rest => wire::decode_front(rest).map(|(frictions, rest)| (frictions, Some(rest)))?,
        };
        let sets: Vec<Vec<Part>> = match rest {
            None | Some([]) => Vec::new(),
            Some(rest) => wire::decode(rest)?,
        };
        let malformed = |reason: String| Err(WireError::Malformed(reason));
        if frictions.len() != restitutions.len() {
            let (found, here) = (frictions.len(), restitutions.len());
            return malformed(format!("{found} frictions of {here} materials"));
        }
        let is_idle = rest == Some(&[]) && frictions.iter().all(|&friction| friction == 0);
        if is_idle {
            return malformed("a list of frictions without any".to_owned());
        }
        if rest.is_some_and(|rest| !rest.is_empty()) && sets.is_empty() {
            return malformed("a list of sets without any".to_owned());
        }
        let both = restitutions.into_iter().zip(frictions);
        let material = |(restitution_q16, friction_q16)| Material { restitution_q16, friction_q16 };
        Ok(Self { shapes, materials: both.map(material).collect(), statics, sets })
    }
}

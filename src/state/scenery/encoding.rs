//! The encoding of a scenery.

use crate::{
    shape::Shape,
    state::{
        ChildShape, Material, Static,
        wire::{self, WireError},
    },
};

use super::{Lists, one_way::OneWay};

/// Shapes, restitutions and statics: all lists of a scenery without friction.
type Smooth = (Vec<Shape>, Vec<u32>, Vec<Static>);

impl Lists {
    /// The canonical bytes. Optional lists follow in this order, each only if it is not empty: frictions;
    /// compounds, as lists of their child shapes; one-way shapes. Each is preceded by all lists before it. So
    /// a scenery without optional lists keeps its bytes and its hash.
    pub(super) fn encode(&self) -> Vec<u8> {
        let part = |of: fn(&Material) -> u32| self.materials.iter().map(of).collect::<Vec<u32>>();
        let mut bytes =
            wire::encode(&(&self.shapes, part(|material| material.restitution_q16), &self.statics));
        let frictions = part(|material| material.friction_q16);
        let lists = [
            frictions.iter().any(|&friction| friction > 0),
            !self.compounds.is_empty(),
            !self.one_ways.is_empty(),
        ];
        if lists.contains(&true) {
            wire::encode_into(&frictions, &mut bytes);
        }
        if lists[1..].contains(&true) {
            wire::encode_into(&self.compounds, &mut bytes);
        }
        if lists[2] {
            wire::encode_into(&self.one_ways, &mut bytes);
        }
        bytes
    }

    /// Reads the bytes of [`encode`](Self::encode); no other bytes give the same lists.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let ((shapes, restitutions, statics), rest): (Smooth, _) = wire::decode_front(bytes)?;
        let none = vec![0; restitutions.len()];
        let (frictions, rest): (Vec<u32>, Option<&[u8]>) = match rest {
            [] => (none, None),
            rest => wire::decode_front(rest).map(|(frictions, rest)| (frictions, Some(rest)))?,
        };
        let (compounds, behind): (Vec<Vec<ChildShape>>, Option<&[u8]>) = match rest {
            None | Some([]) => (Vec::new(), None),
            Some(rest) => wire::decode_front(rest).map(|(compounds, behind)| (compounds, Some(behind)))?,
        };
        let one_ways: Vec<OneWay> = match behind {
            None | Some([]) => Vec::new(),
            Some(behind) => wire::decode(behind)?,
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
        if behind == Some(&[]) && compounds.is_empty() {
            return malformed("a list of compounds without any".to_owned());
        }
        if behind.is_some_and(|behind| !behind.is_empty()) && one_ways.is_empty() {
            return malformed("a list of shapes open on a side without any".to_owned());
        }
        let both = restitutions.into_iter().zip(frictions);
        let material = |(restitution_q16, friction_q16)| Material { restitution_q16, friction_q16 };
        Ok(Self { shapes, materials: both.map(material).collect(), statics, compounds, one_ways })
    }
}

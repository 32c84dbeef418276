//! A state on its way over a link: pieces of its bytes, joined in bounded memory.

use crate::{
    save::SAVE_BYTES_MAX,
    wire::{PIECE_BYTES_MAX, Piece},
};

/// Largest number of pieces of a state.
pub const PIECES_MAX: usize = SAVE_BYTES_MAX.div_ceil(PIECE_BYTES_MAX);

/// The pieces of a saved match's bytes.
pub fn pieces(transfer: u32, tick: u64, bytes: &[u8]) -> impl Iterator<Item = Piece> + '_ {
    let count = bytes.len().div_ceil(PIECE_BYTES_MAX).max(1) as u32;
    (0..count).map(move |index| {
        let begin = (index as usize * PIECE_BYTES_MAX).min(bytes.len());
        let end = (begin + PIECE_BYTES_MAX).min(bytes.len());
        Piece { transfer, tick, index, count, content: bytes[begin..end].to_vec() }
    })
}

/// A saved match that arrives in pieces, in order.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    transfer: u32,
    next: u32,
    count: u32,
    bytes: Vec<u8>,
}

impl Assembly {
    /// Takes a piece; returns the bytes of the saved match with the last one. A new transfer discards the pieces of an older one.
    ///
    /// # Errors
    ///
    /// If it is not the next piece, or there are more than a saved match has.
    pub fn take(&mut self, piece: Piece) -> Result<Option<Vec<u8>>, String> {
        let Piece { transfer, index, count, content, .. } = piece;
        if index == 0 {
            *self = Self { transfer, next: 0, count, bytes: Vec::new() };
        }
        if (transfer, index, count) != (self.transfer, self.next, self.count) || index >= count {
            let (next, count_here) = (self.next, self.count);
            return Err(format!("piece {index} of {count}, it is the turn of {next} of {count_here}"));
        }
        if count as usize > PIECES_MAX {
            return Err(format!("{count} pieces, at most {PIECES_MAX}"));
        }
        self.bytes.extend(content);
        self.next += 1;
        Ok((self.next == self.count).then(|| std::mem::take(self).bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_the_bytes_in_their_order_only() {
        let bytes: Vec<u8> = (0..PIECE_BYTES_MAX * 2 + 5).map(|index| index as u8).collect();
        let all: Vec<Piece> = pieces(7, 9, &bytes).collect();
        assert_eq!(all.len(), 3);
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(all[0].clone()), Ok(None));
        assert_eq!(assembly.take(all[1].clone()), Ok(None));
        assert_eq!(assembly.take(all[2].clone()), Ok(Some(bytes.clone())));
        // A new transfer discards an older one.
        let again: Vec<Piece> = pieces(8, 9, &bytes).collect();
        for piece in [&all[0], &all[1], &again[0], &again[1]] {
            assert_eq!(assembly.take(piece.clone()), Ok(None));
        }
        assert_eq!(assembly.take(again[2].clone()), Ok(Some(bytes)));

        let wrong = [
            vec![all[1].clone()],
            vec![all[0].clone(), all[2].clone()],
            vec![all[0].clone(), all[1].clone(), all[1].clone()],
            vec![all[0].clone(), again[1].clone()],
            vec![all[0].clone(), Piece { count: 4, ..all[1].clone() }],
            vec![Piece { count: PIECES_MAX as u32 + 1, ..all[0].clone() }],
            vec![Piece { count: 0, ..all[0].clone() }],
        ];
        for row in wrong {
            let mut assembly = Assembly::default();
            assert!(row.into_iter().any(|piece| assembly.take(piece).is_err()));
        }
        assert_eq!(pieces(1, 0, &[]).count(), 1);
    }
}

//! The handshake: what must be equal on both sides before two peers compare anything.

use xxhash_rust::xxh3::xxh3_64;

use crate::{
    replay::REPLAY_FORMAT_VERSION,
    session::Simulation,
    snapshot::{self, Difference, FORMAT_VERSION, Field, RULES_VERSION, Value, diff_fields},
    state::{Limits, wire},
};

/// The content of a hello.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Handshake {
    numbers: Numbers,
    game: Vec<u8>,
}

/// Session, rules version, snapshot and replay format, scenery, limits, tick and checksum of the initial state.
type Numbers = (u64, u32, [u16; 2], [u8; 16], Limits, u64, [u8; 16]);

impl Handshake {
    /// The handshake of a peer that starts from this state.
    pub(super) fn of<S: Simulation>(initial_state: &S, session: u64) -> Self {
        let scenery = initial_state.scenery().content_hash().to_le_bytes();
        let checksum = initial_state.checksum().0.to_le_bytes();
        let (limits, tick) = (*initial_state.world().limits(), initial_state.tick_count());
        let formats = [FORMAT_VERSION, REPLAY_FORMAT_VERSION];
        let numbers = (session, RULES_VERSION, formats, scenery, limits, tick, checksum);
        Self { numbers, game: S::name().as_bytes().to_vec() }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = wire::encode(&self.numbers);
        bytes.extend(&self.game);
        bytes
    }

    /// The handshake in a message, or `None` where the bytes are none. A name has at most 255 bytes.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        // The length of the numbers depends on the limits: a world in which bodies sleep has one more.
        let (numbers, game) = wire::decode_front(bytes).ok()?;
        (game.len() <= 255).then(|| Self { numbers, game: game.to_vec() })
    }

    /// The seal of messages between peers of this handshake.
    pub(super) fn seal(&self) -> u64 {
        xxh3_64(&self.encode())
    }

    /// Every field in which this handshake, on the left, and another one differ.
    pub(super) fn differences(&self, theirs: &Self) -> Vec<Difference> {
        diff_fields(&self.fields(), &theirs.fields())
    }

    fn fields(&self) -> Vec<Field> {
        let (session, rules, [snapshot_format, replay_format], scenery, limits, tick, checksum) =
            &self.numbers;
        let hash = |bytes: &[u8; 16]| Value::Text(format!("{:032x}", u128::from_le_bytes(*bytes)));
        let whole = |number: u64| Value::Whole(number.into());
        // A name may contain anything; text shown to people has no control characters.
        let game = String::from_utf8_lossy(&self.game).escape_debug().to_string();
        let mut fields: Vec<_> = [
            ("game", Value::Text(game)),
            ("rules version", whole((*rules).into())),
            ("snapshot format", whole((*snapshot_format).into())),
            ("replay format", whole((*replay_format).into())),
            ("session", whole(*session)),
            ("scenery", hash(scenery)),
            ("initial tick", whole(*tick)),
            ("initial checksum", hash(checksum)),
        ]
        .map(|(path, value)| Field { path: path.to_owned(), value })
        .into();
        let limits = snapshot::visit(limits).expect("limits are whole numbers");
        fields.extend(
            limits.into_iter().map(|Field { path, value }| Field { path: format!("limits.{path}"), value }),
        );
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{state::SceneryBuilder, tick::World};

    #[test]
    fn a_handshake_has_the_bytes_of_its_table() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let handshake = Handshake::of(&world, 0x0123_4567_89ab_cdef);
        let encoded = handshake.encode();
        let limits = wire::encode(world.limits());
        // The table is in docs/formats.md: 63 bytes of limits, and no name for a world alone.
        assert_eq!((limits.len(), encoded.len()), (63, 8 + 4 + 4 + 16 + 63 + 8 + 16));
        let expected = [
            &[0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01][..],
            &RULES_VERSION.to_le_bytes(),
            &FORMAT_VERSION.to_le_bytes(),
            &REPLAY_FORMAT_VERSION.to_le_bytes(),
            &world.scenery().content_hash().to_le_bytes(),
            &limits,
            &0_u64.to_le_bytes(),
            &world.checksum().0.to_le_bytes(),
        ];
        assert_eq!(encoded, expected.concat());
        assert_eq!(Handshake::decode(&encoded), Some(handshake));
        assert_eq!(Handshake::decode(&encoded[..encoded.len() - 1]), None);
    }

    #[test]
    fn names_of_255_bytes_are_read_and_no_longer_ones() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        for (length, is_read) in [(0, true), (254, true), (255, true), (256, false), (5_000, false)] {
            let named = Handshake { game: vec![b'x'; length], ..Handshake::of(&world, 1) };
            assert_eq!(Handshake::decode(&named.encode()), is_read.then_some(named), "{length}");
        }
    }
}

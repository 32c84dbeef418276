//! The heights that commands have changed, by tiles of ground.

use std::{fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};

use super::StaticId;

/// The tiles of the grounds whose heights differ from those of the scenery, ascending by their ids; copies share them until one changes.
///
/// A world's fields name a height by its tile, its row in that and its column: `terrain[4,12,40][7][0]`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Terrain(Option<Arc<Vec<(TileId, Tile)>>>);

/// A tile: the square of [`Tile::POINTS`] times as many points of a ground at a multiple of that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TileId {
    /// The static that is the ground.
    pub ground: StaticId,
    /// Number of tiles before it along x.
    pub column: u32,
    /// Number of tiles before it along z.
    pub row: u32,
}

/// The heights of a tile, row by row, in the ground's unit; those of points beyond its border are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tile(pub [[i16; Tile::POINTS as usize]; Tile::POINTS as usize]);

impl Tile {
    /// Number of points along an edge.
    pub const POINTS: u32 = 8;
}

impl Terrain {
    /// The terrain of a world that no command has changed.
    pub const UNCHANGED: Self = Self(None);

    /// The tiles, ascending by their ids.
    #[must_use]
    pub fn tiles(&self) -> &[(TileId, Tile)] {
        self.0.as_ref().map_or(&[], |tiles| tiles)
    }

    /// The tile of an id, if it differs from the scenery's.
    #[must_use]
    pub fn tile(&self, id: TileId) -> Option<&Tile> {
        let tiles = self.tiles();
        tiles.binary_search_by_key(&id, |(id, _)| *id).ok().map(|place| &tiles[place].1)
    }

    /// Sets a tile; `None` for one as the scenery's.
    pub(super) fn set(&mut self, id: TileId, tile: Option<Tile>) {
        let tiles = Arc::make_mut(self.0.get_or_insert_default());
        match (tiles.binary_search_by_key(&id, |(id, _)| *id), tile) {
            (Ok(place), Some(tile)) => tiles[place].1 = tile,
            (Ok(place), None) => drop(tiles.remove(place)),
            (Err(place), Some(tile)) => tiles.insert(place, (id, tile)),
            (Err(_), None) => {}
        }
        if tiles.is_empty() {
            self.0 = None;
        }
    }

    /// The ids of the tiles in which two differ.
    pub(super) fn differences(&self, other: &Self) -> Vec<TileId> {
        if self == other {
            return Vec::new();
        }
        let differs = |of: &Self, (id, tile): &(TileId, Tile)| (of.tile(*id) != Some(tile)).then_some(*id);
        let of_other = other.tiles().iter().filter(|(id, _)| self.tile(*id).is_none());
        let only_there = of_other.map(|(id, _)| *id);
        self.tiles().iter().filter_map(|tile| differs(other, tile)).chain(only_there).collect()
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.tiles().iter().map(|(id, tile)| (id, tile))).finish()
    }
}

impl Serialize for Terrain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.tiles().iter().map(|(id, tile)| (id, tile)))
    }
}

impl<'de> Deserialize<'de> for Terrain {
    /// Takes the tiles in any order; whether it is theirs is checked with the state.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Tiles)
    }
}

/// The reader of tiles.
struct Tiles;

impl<'de> Visitor<'de> for Tiles {
    type Value = Terrain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tiles by their ids")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Terrain, A::Error> {
        let mut tiles = Vec::new(); // grows as they are read
        while let Some(tile) = map.next_entry()? {
            tiles.push(tile);
        }
        Ok(Terrain((!tiles.is_empty()).then(|| Arc::new(tiles))))
    }
}

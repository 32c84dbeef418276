//! Ground whose heights change: as the level has it, but for the tiles of a [`Terrain`].

use std::sync::Arc;

use super::Scenery;
use crate::{
    shape::{Ground, Heights, Shape},
    state::{HeightPatch, StateError, StaticId, Terrain, Tile, TileId, checks::check_count},
};

impl Scenery {
    /// The heights of a static as they are now; `None` unless it is ground of heights.
    #[must_use]
    pub fn heights(&self, ground: StaticId) -> Option<&Heights> {
        self.ground(ground).map(Ground::heights)
    }

    /// The ground of a static as it is now.
    pub(crate) fn ground(&self, ground: StaticId) -> Option<&Ground> {
        self.grounds.ground_of(ground)
    }

    /// The shape of a static as it is now: a mesh of the present heights for ground, else that of its id.
    #[must_use]
    pub fn present_shape(&self, fixed: StaticId) -> Option<&Shape> {
        self.grounds
            .shape_of(fixed)
            .or_else(|| self.statics().get(fixed.0 as usize).map(|fixed| self.shape(fixed.shape)))
    }

    /// The ground of a static as the level has it.
    fn first_heights(&self, ground: StaticId) -> Option<&Heights> {
        let fixed = self.statics().get(ground.0 as usize)?;
        match self.shape(fixed.shape) {
            Shape::Mesh(mesh) => mesh.heights(),
            _ => None,
        }
    }

    /// The tiles whose heights are not those of the level.
    pub(crate) const fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Replaces heights of a ground from a point on. What has a clone of this keeps its heights.
    pub(crate) fn set_heights(&mut self, ground: StaticId, at: [u32; 2], patch: &HeightPatch) {
        self.grounds.set_heights(ground, at, patch.columns(), patch.heights());
        let tiles = |axis: usize, count: u32| at[axis] / Tile::POINTS..=(at[axis] + count - 1) / Tile::POINTS;
        for row in tiles(1, patch.rows()) {
            for column in tiles(0, patch.columns()) {
                let id = TileId { ground, column, row };
                let of = |heights: Option<&Heights>| heights.map(|heights| tile_of(heights, id));
                let (now, first) = (of(self.heights(ground)), of(self.first_heights(ground)));
                self.terrain.set(id, now.filter(|_| now != first));
            }
        }
    }

    /// The scenery with the ground of a terrain that was checked.
    pub(crate) fn with_terrain(self: &Arc<Self>, terrain: &Terrain) -> Arc<Self> {
        let changed = self.terrain.differences(terrain);
        if changed.is_empty() {
            return Arc::clone(self);
        }
        let mut made = Self::clone(self);
        for id in changed {
            let Some(first) = self.first_heights(id.ground) else { continue };
            let tile = terrain.tile(id).copied().unwrap_or_else(|| tile_of(first, id));
            let [columns, rows] = points_of(first, id);
            let heights = tile.0[..rows].iter().flat_map(|row| &row[..columns]).copied();
            let at = [id.column, id.row].map(|place| place * Tile::POINTS);
            made.grounds.set_heights(id.ground, at, columns as u32, &heights.collect::<Vec<_>>());
        }
        made.terrain = terrain.clone();
        Arc::new(made)
    }

    /// True if heights of a ground are as they are to be.
    pub(crate) fn has_heights(&self, ground: StaticId, at: [u32; 2], patch: &HeightPatch) -> bool {
        let Some(heights) = self.heights(ground) else { return false };
        let columns = patch.columns();
        patch.heights().chunks(columns as usize).zip(at[1]..).all(|(row, place)| {
            let first = (place * heights.size()[0] + at[0]) as usize;
            heights.heights()[first..first + columns as usize] == *row
        })
    }

    /// Checks that heights are of a ground and in its range.
    pub(crate) fn check_patch(
        &self,
        ground: StaticId,
        at: [u32; 2],
        patch: &HeightPatch,
    ) -> Result<(), StateError> {
        let Some(here) = self.ground(ground) else {
            return Err(StateError::impossible("ground", "the static is no ground of heights"));
        };
        let size = here.heights().size();
        for (field, at, count, size) in
            [("column", at[0], patch.columns(), size[0]), ("row", at[1], patch.rows(), size[1])]
        {
            check_count(field, u64::from(at) + u64::from(count) - 1, 0, u64::from(size) - 1)?;
        }
        patch.heights().chunks(patch.columns() as usize).zip(at[1]..).try_for_each(|(heights, row)| {
            heights
                .iter()
                .zip(at[0]..)
                .try_for_each(|(height, column)| check_height(here, [column, row], *height))
        })
    }

    /// Checks that a terrain is one of this level, written as such.
    pub(crate) fn check_terrain(&self, terrain: &Terrain) -> Result<(), StateError> {
        if !terrain.tiles().windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return Err(StateError::impossible("terrain", "its tiles ascend, each once"));
        }
        terrain.tiles().iter().try_for_each(|(id, tile)| self.check_tile(*id, tile))
    }

    fn check_tile(&self, id: TileId, tile: &Tile) -> Result<(), StateError> {
        let refuse = |reason| {
            let TileId { ground, column, row } = id;
            let field = format!("terrain[{},{column},{row}]", ground.0);
            Err(StateError::Impossible { field, reason })
        };
        let (Some(first), Some(ground)) = (self.first_heights(id.ground), self.ground(id.ground)) else {
            return refuse("the static is no ground of heights");
        };
        let [columns, rows] = points_of(first, id);
        if columns == 0 || rows == 0 {
            return refuse("it lies beyond its ground");
        }
        if *tile == tile_of(first, id) {
            return refuse("it is as in the scenery");
        }
        let [first_column, first_row] = [id.column, id.row].map(|place| place * Tile::POINTS);
        for (row, heights) in tile.0.iter().enumerate() {
            let (inside, beyond) = heights.split_at(if row < rows { columns } else { 0 });
            if beyond.iter().any(|height| *height != 0) {
                return refuse("a point beyond the border has a height");
            }
            for (height, column) in inside.iter().zip(first_column..) {
                check_height(ground, [column, first_row + row as u32], *height)?;
            }
        }
        Ok(())
    }
}

fn check_height(ground: &Ground, [column, row]: [u32; 2], value: i16) -> Result<(), StateError> {
    let [low, high] = ground.room();
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(StateError::Height { column, row, value, low, high })
    }
}

/// Number of points of a tile along x and z that are of its ground.
fn points_of(heights: &Heights, id: TileId) -> [usize; 2] {
    let size = heights.size();
    let count =
        |place: u32, points: u32| points.saturating_sub(place.saturating_mul(Tile::POINTS)).min(Tile::POINTS);
    [count(id.column, size[0]) as usize, count(id.row, size[1]) as usize]
}

/// A tile of heights.
fn tile_of(heights: &Heights, id: TileId) -> Tile {
    let ([columns, rows], mut tile) = (points_of(heights, id), Tile::default());
    let [column, row] = [id.column, id.row].map(|place| (place * Tile::POINTS) as usize);
    let in_row = heights.size()[0] as usize;
    for (index, to) in tile.0[..rows].iter_mut().enumerate() {
        let from = (row + index) * in_row + column;
        to[..columns].copy_from_slice(&heights.heights()[from..from + columns]);
    }
    tile
}

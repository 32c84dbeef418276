//! Ground whose heights change, for the page.

use std::{collections::BTreeSet, mem};

use super::{columns::Column, scale::Scale};
use bitstep::{
    World,
    shape::{Heights, Shape},
    state::{Scenery, StaticId, Terrain, Tile, TileId},
};

/// The changes of ground from picture to picture; before the first picture all heights are those of the level.
#[derive(Default)]
pub struct Grounds {
    /// The heights at the last picture.
    terrain: Terrain,
    changes: Vec<Change>,
}

/// The points that are elsewhere from a picture on.
struct Change {
    picture: u64,
    points: Vec<Moved>,
}

/// A point of a ground that gets another height.
struct Moved {
    ground: StaticId,
    /// Its place among the points of the ground, row by row.
    point: i64,
    /// The change of its height, as a size of the page.
    by: i64,
}

impl Grounds {
    /// Takes the heights of a picture.
    pub fn take(&mut self, world: &World, picture: u64) -> bool {
        let (before, now) = (&self.terrain, &world.state().terrain);
        if before == now {
            return false;
        }
        let tiles = before.tiles().iter().chain(now.tiles());
        let ids: BTreeSet<TileId> = tiles.map(|(id, _)| *id).collect();
        let points = ids.into_iter().flat_map(|id| moved(world.scenery(), id, [before, now])).collect();
        self.changes.push(Change { picture, points });
        self.terrain = now.clone();
        true
    }

    /// Writes all changes: the picture, and of each point its ground, its place behind the one before, and its way up.
    pub fn put(&self, column: &mut Column) {
        column.put(self.changes.len() as u64);
        for Change { picture, points } in &self.changes {
            column.put(*picture);
            column.put(points.len() as u64);
            let mut before = 0;
            for Moved { ground, point, by } in points {
                column.put(ground.0.into());
                column.put_signed(point - mem::replace(&mut before, *point));
                column.put_signed(*by);
            }
        }
    }
}

/// The points of a tile whose heights two terrains have otherwise.
fn moved(scenery: &Scenery, id: TileId, [before, now]: [&Terrain; 2]) -> Vec<Moved> {
    let tiles = [before, now].map(|terrain| terrain.tile(id));
    let Some(level) = level_of(scenery, id.ground).filter(|_| tiles[0] != tiles[1]) else {
        return Vec::new();
    };
    let ([columns, rows], unit) = (level.size(), Scale::size(level.unit().to_bits()));
    let along = |place: u32, count: u32| place * Tile::POINTS..((place + 1) * Tile::POINTS).min(count);
    let mut points = Vec::new();
    for row in along(id.row, rows) {
        for column in along(id.column, columns) {
            let point = i64::from(row) * i64::from(columns) + i64::from(column);
            let [y, x] = [row, column].map(|place| (place % Tile::POINTS) as usize);
            let height =
                |tile: Option<&Tile>| tile.map_or(level.heights()[point as usize], |tile| tile.0[y][x]);
            let [old, new] = tiles.map(|tile| i64::from(height(tile)));
            if old != new {
                points.push(Moved { ground: id.ground, point, by: (new - old) * unit });
            }
        }
    }
    points
}

/// The heights with which the level began.
fn level_of(scenery: &Scenery, ground: StaticId) -> Option<&Heights> {
    let fixed = scenery.statics().get(ground.0 as usize)?;
    match scenery.shapes().get(usize::from(fixed.shape.0))? {
        Shape::Mesh(mesh) => mesh.heights(),
        _ => None,
    }
}

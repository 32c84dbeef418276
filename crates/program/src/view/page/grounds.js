// The height of ground where a place is above or below it: of the highest corner of its cell there, or the lowest.
function heightOfGround({ position }, { offset, corners, cell }, place, of) {
  const first = add(add(position, offset), corners[0]);
  const inRow = corners.findIndex((corner) => corner[2] !== corners[0][2]);
  const [column, row] = [0, 2].map((axis) => Math.floor((place[axis] - first[axis]) / cell));
  const inside = column >= 0 && row >= 0 && column + 1 < inRow && (row + 2) * inRow <= corners.length;
  const at = row * inRow + column;
  const own = [at, at + 1, at + inRow, at + inRow + 1];
  return inside ? position[1] + offset[1] + of(...own.map((index) => corners[index][1])) : -Infinity;
}

// Ground that changes, as it is at a picture: its heights go up and down by steps, on as back.

class Grounds {
  constructor(head) {
    this.changes = head.tracks[0].dug;
    this.done = 0;
    // What changes has corners of its own: statics share shapes.
    this.solids = new Map();
    for (const { ground } of this.changes.flatMap((change) => change.points)) {
      if (this.solids.has(ground)) continue;
      const [solid] = head.shapes.get(head.statics[ground].shape);
      this.solids.set(ground, { ...solid, level: solid.corners, corners: solid.corners.map((corner) => [...corner]) });
    }
  }

  // The solids that are not as they were before.
  go(picture) {
    const changed = new Set();
    const { changes } = this;
    while (this.done < changes.length && changes[this.done].picture <= picture) this.add(changes[this.done++], 1, changed);
    while (this.done > 0 && changes[this.done - 1].picture > picture) this.add(changes[--this.done], -1, changed);
    return changed;
  }

  add({ points }, sign, changed) {
    for (const { ground, point, by } of points) {
      const solid = this.solids.get(ground);
      solid.corners[point][1] += sign * by;
      changed.add(solid);
    }
  }
}

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

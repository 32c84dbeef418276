// The chunks of a track, decoded when they are wanted; the least wanted are forgotten.

const ROOM = 192 * 2 ** 20;

class Store {
  // `at` is the number of the page's piece that is the first chunk.
  constructor(track, bits, at, changed) {
    Object.assign(this, { track, bits, at, changed });
    this.chunks = new Map();
    this.coming = new Set();
    this.failed = null;
  }

  // The chunk of the tick that follows a picture.
  index(picture) {
    let [low, high] = [0, this.track.chunks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.track.chunks[middle] <= picture) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The chunk, or null while it is being decoded.
  get(index) {
    const chunk = this.chunks.get(index);
    if (!chunk) {
      this.decode(index);
      return null;
    }
    this.chunks.delete(index);
    this.chunks.set(index, chunk);
    if (index + 1 < this.track.chunks.length && !this.chunks.has(index + 1)) this.decode(index + 1);
    return chunk;
  }

  async decode(index) {
    if (this.coming.has(index) || this.failed || this.coming.size > 2) return;
    this.coming.add(index);
    try {
      const bytes = await piece(this.at + index);
      const first = this.track.chunks[index];
      const behind = index + 1 < this.track.chunks.length ? this.track.chunks[index + 1] : this.track.pictures - 1;
      const { slots } = this.track;
      this.chunks.set(index, new Chunk(bytes, { first, pictures: behind - first + 1, slots, bits: this.bits }));
      this.forget();
    } catch (error) {
      this.failed = error;
    }
    this.coming.delete(index);
    this.changed();
  }

  forget() {
    let bytes = 0;
    for (const chunk of this.chunks.values()) bytes += chunk.positionAt.byteLength + (chunk.turnAt?.byteLength ?? 0);
    for (const [index, chunk] of this.chunks) {
      if (bytes <= ROOM || this.chunks.size <= 2) return;
      bytes -= chunk.positionAt.byteLength + (chunk.turnAt?.byteLength ?? 0);
      this.chunks.delete(index);
    }
  }

  // All bodies at a time in pictures, or null while that is being decoded.
  sample(time) {
    const last = this.track.pictures - 1;
    const picture = Math.max(0, Math.min(Math.floor(time), last - 1));
    const chunk = this.get(this.index(picture));
    return chunk ? new Sample(chunk, picture, last === 0 ? 0 : time - picture) : null;
  }
}

// All bodies at an instant of a tick.
class Sample {
  constructor(chunk, picture, u) {
    Object.assign(this, { chunk, u });
    this.from = picture - chunk.first;
    this.to = Math.min(this.from + 1, chunk.pictures - 1);
    this.nodes = chunk.nodesOf(this.to);
  }

  get marks() {
    return this.chunk.marks[this.to] ?? [];
  }

  // What a body looks like; null where there is none. A body that comes in a tick is there from its beginning.
  look(slot) {
    const { chunk, from, to, u } = this;
    if (slot >= chunk.slots) return null;
    const [before, after] = [from, to].map((picture) => chunk.lookAt[picture * chunk.slots + slot]);
    if (u <= 0) return chunk.looks[before] ?? null;
    return chunk.looks[after] ?? (u < 1 ? chunk.looks[before] : null) ?? null;
  }

  // The two ends of the leg that is under way: instants, positions, and quaternions where it rotates.
  leg(slot) {
    const at = (picture, u) => this.end(slot, picture, u);
    let before = at(this.from, 0);
    for (const node of this.nodes.get(slot) ?? []) {
      if (node.u > this.u) return [before, node];
      before = node;
    }
    return [before, this.chunk.lookAt[this.to * this.chunk.slots + slot] < 0 ? { ...before, u: 1 } : at(this.to, 1)];
  }

  end(slot, picture, u) {
    const { positionAt, turnAt, slots } = this.chunk;
    const at = picture * slots + slot;
    return { u, position: positionAt.subarray(at * 3, at * 3 + 3), turn: turnAt?.subarray(at * 4, at * 4 + 4) ?? null };
  }

  // Where a body is, how it is turned, and where it would go in a tick.
  pose(slot) {
    const { slots, positionAt, turnAt, lookAt } = this.chunk;
    if (turnAt || this.nodes.has(slot) || lookAt[this.to * slots + slot] < 0) return this.poseOnLegs(slot);
    const [a, b, u] = [(this.from * slots + slot) * 3, (this.to * slots + slot) * 3, this.u];
    const motion = [positionAt[b] - positionAt[a], positionAt[b + 1] - positionAt[a + 1], positionAt[b + 2] - positionAt[a + 2]];
    const position = [positionAt[a] + motion[0] * u, positionAt[a + 1] + motion[1] * u, positionAt[a + 2] + motion[2] * u];
    return { position, motion, turn: null };
  }

  poseOnLegs(slot) {
    const [a, b] = this.leg(slot);
    const span = b.u - a.u;
    const part = span > 0 ? (this.u - a.u) / span : 1;
    const position = [0, 1, 2].map((k) => a.position[k] + (b.position[k] - a.position[k]) * part);
    const motion = [0, 1, 2].map((k) => (span > 0 ? (b.position[k] - a.position[k]) / span : 0));
    return { position, motion, turn: a.turn && b.turn ? mixTurns(a.turn, b.turn, part) : null };
  }
}

// A chunk of pictures, decoded: the other half of the program's encoder, with the same integers.

const COLUMNS = 11;
const [POSITION_BITS, TURN_BITS, INSTANTS] = [16, 24, 256];
const [POSITION_STEP, MOTION_STEP, FINE_STEP] = [2 ** 14, 2 ** 13, 2 ** 6];
const [TURN_STEP, RATE_STEP, NORMAL_STEP] = [2 ** 11, 2 ** 6, 2 ** -6];
const FLAG = { gone: 1, look: 2, position: 4, falls: 8, nodes: 16, end: 32, turnEnd: 64 };
const NODE = { position: 1, motion: 2, fine: 4, turn: 8, impact: 16, given: 32 };

const partOf = (length, parts, all) => Math.floor((length * parts + all / 2) / all);

class Chunk {
  // `first` is the number of its first picture, `pictures` how many it has, that one included.
  constructor(bytes, { first, pictures, slots, bits }) {
    Object.assign(this, { first, pictures, slots });
    this.unit = 2 ** -(POSITION_BITS + bits);
    const names = ["control", "look", "instants", "positions", "x", "y", "z", "turns", "fixes", "impacts", "points"];
    columnsOf(bytes, COLUMNS).forEach((column, index) => (this[names[index]] = column));
    // By picture and slot: the number of the look, or -1 where there is no body, the position and the orientation.
    this.looks = [];
    this.look_ = new Int32Array(slots).fill(-1);
    this.lookAt = new Int32Array(pictures * slots).fill(-1);
    this.positionAt = new Float64Array(pictures * slots * 3);
    this.turnAt = null;
    // What is known of each slot.
    this.position = new Float64Array(slots * 3);
    this.motion = new Float64Array(slots * 3);
    this.turn = new Float64Array(slots * 4);
    this.rate = new Float64Array(slots * 4);
    this.falls = new Uint8Array(slots);
    this.since = new Uint8Array(slots);
    // By picture: where bodies are at instants of the tick that leads to it, by slot and time.
    this.nodes = [[]];
    this.marks = [[]];
    this.gravity = this.positions.row(3);
    this.begin();
    for (let picture = 1; picture < pictures; picture++) this.tick(picture);
    for (const name of names) delete this[name];
  }

  begin() {
    const count = this.control.take();
    let slot = -1;
    for (let i = 0; i < count; i++) {
      slot += this.control.take();
      this.readLook(slot);
      this.readWhole(slot);
      this.falls[slot] = this.control.take();
      this.addMotion(slot, FINE_STEP);
      if (this.rotates(slot)) for (let k = 0; k < 4; k++) this.rate[slot * 4 + k] = this.turns.signed() * RATE_STEP;
    }
    this.keep(0);
  }

  rotates(slot) {
    return this.looks[this.look_[slot]].rotates;
  }

  readLook(slot) {
    const bits = this.look.take();
    const look = { generation: this.look.take(), shape: this.look.take(), mass: this.look.take() };
    look.kind = ["dynamic", "kinematic", "static"][bits & 3];
    [look.rotates, look.held, look.asleep] = [(bits & 4) > 0, (bits & 8) > 0, (bits & 16) > 0];
    this.look_[slot] = this.looks.push(look) - 1;
  }

  // A body at rest.
  readWhole(slot) {
    for (let k = 0; k < 3; k++) {
      this.position[slot * 3 + k] = this.positions.signed() * POSITION_STEP;
      this.motion[slot * 3 + k] = 0;
    }
    this.falls[slot] = this.looks[this.look_[slot]].kind === "dynamic" ? 1 : 0;
    this.since[slot] = 0;
    if (!this.rotates(slot)) return;
    this.turn.fill(0, slot * 4, slot * 4 + 4);
    this.rate.fill(0, slot * 4, slot * 4 + 4);
    this.addTurn(slot);
  }

  addMotion(slot, step) {
    this.motion[slot * 3] += this.x.signed() * step;
    this.motion[slot * 3 + 1] += this.y.signed() * step;
    this.motion[slot * 3 + 2] += this.z.signed() * step;
  }

  addFix(slot) {
    for (let k = 0; k < 3; k++) this.position[slot * 3 + k] += this.fixes.signed() * POSITION_STEP;
  }

  addTurn(slot) {
    for (let k = 0; k < 4; k++) this.turn[slot * 4 + k] += this.turns.signed() * TURN_STEP;
    for (let k = 0; k < 4; k++) this.rate[slot * 4 + k] += this.turns.signed() * RATE_STEP;
  }

  tick(picture) {
    this.nodes.push([]);
    [this.given, this.named] = [new Map(), []];
    let done = 0;
    for (let slot = -1, gap = this.control.take(); gap > 0; gap = this.control.take()) {
      slot += gap;
      for (; done < slot; done++) this.goOn(done);
      this.record(picture, slot);
      done = slot + 1;
    }
    for (; done < this.slots; done++) this.goOn(done);
    this.readMarks();
    this.keep(picture);
  }

  goOn(slot) {
    if (this.look_[slot] < 0) return;
    this.start(slot);
    this.go(slot, INSTANTS);
  }

  // Begins a tick: gravity pulls, and the quaternion bends round its sphere.
  start(slot) {
    if (this.falls[slot]) {
      const parts = 2 * INSTANTS - this.since[slot];
      for (let k = 0; k < 3; k++) this.motion[slot * 3 + k] += partOf(this.gravity[k], parts, 2 * INSTANTS);
    }
    this.since[slot] = 0;
    if (!this.rotates(slot)) return;
    let square = 0;
    for (let k = slot * 4; k < slot * 4 + 4; k++) square += this.rate[k] * this.rate[k];
    const one = 2 ** TURN_BITS;
    const bend = Math.floor(square / one);
    if (bend === 0) return;
    for (let k = slot * 4; k < slot * 4 + 4; k++) {
      this.rate[k] -= Math.floor((bend * this.turn[k] + one / 2) / one);
    }
  }

  go(slot, parts) {
    for (let k = slot * 3; k < slot * 3 + 3; k++) this.position[k] += partOf(this.motion[k], parts, INSTANTS);
    if (!this.rotates(slot)) return;
    for (let k = slot * 4; k < slot * 4 + 4; k++) this.turn[k] += partOf(this.rate[k], parts, INSTANTS);
  }

  // What a body did that was not to be expected.
  record(picture, slot) {
    const flags = this.control.take();
    if (flags & FLAG.gone) {
      this.look_[slot] = -1;
      return;
    }
    if (flags & FLAG.look) this.readLook(slot);
    if (flags & FLAG.position) {
      this.readWhole(slot);
      this.note(picture, slot, 0);
    }
    if (flags & FLAG.falls) this.falls[slot] ^= 1;
    this.start(slot);
    let [instant, last] = [0, -1];
    for (let count = flags & FLAG.nodes ? this.control.take() : 0; count > 0; count--) {
      const what = this.control.take();
      const given = what & NODE.given ? this.nextGiven(slot, last) : null;
      const next = given ? given.instant : this.instants.take();
      this.go(slot, next - instant);
      [instant, last] = [next, next];
      this.node(slot, instant, what, given);
      if (instant > 0) this.note(picture, slot, instant);
    }
    this.go(slot, INSTANTS - instant);
    if (flags & FLAG.end) this.addFix(slot);
    if (flags & FLAG.turnEnd) this.addTurn(slot);
  }

  // What changes at an instant.
  node(slot, instant, what, given) {
    if (what & NODE.position) this.addFix(slot);
    const before = this.motion.slice(slot * 3, slot * 3 + 3);
    if (given) for (let k = 0; k < 3; k++) this.motion[slot * 3 + k] += given.motion[k];
    if (what & (NODE.motion | NODE.fine)) this.addMotion(slot, what & NODE.fine ? FINE_STEP : MOTION_STEP);
    if (what & (NODE.motion | NODE.fine | NODE.given)) this.since[slot] = instant;
    if (what & NODE.impact) this.impact(slot, instant, before);
    if (what & NODE.turn) this.addTurn(slot);
  }

  // An impact with a body of a higher slot: of two equals the other gets the motion that the body gives up.
  impact(slot, instant, before) {
    const bits = this.impacts.take();
    const other = slot + Math.floor(bits / 4);
    this.named.push({ u: instant / INSTANTS, a: slot, b: other, fixed: false, spot: (bits & 2) > 0 });
    if (!this.given.has(other)) this.given.set(other, []);
    const row = this.given.get(other);
    let given = row.find((given) => given.instant === instant);
    if (!given) row.push((given = { instant, motion: [0, 0, 0] }));
    if (bits & 1) for (let k = 0; k < 3; k++) given.motion[k] += before[k] - this.motion[slot * 3 + k];
  }

  // What a body gets next after an instant.
  nextGiven(slot, after) {
    const later = (this.given.get(slot) ?? []).filter((given) => given.instant > after);
    return later.reduce((first, given) => (given.instant < first.instant ? given : first));
  }

  // Where a body is at an instant.
  note(picture, slot, instant) {
    const position = [0, 1, 2].map((k) => this.position[slot * 3 + k] * this.unit);
    const turn = this.rotates(slot) ? [0, 1, 2, 3].map((k) => this.turn[slot * 4 + k]) : null;
    this.nodes[picture].push({ slot, u: instant / INSTANTS, position, turn });
  }

  readMarks() {
    const others = Array.from({ length: this.impacts.take() }, () => ({}));
    let instant = 0;
    for (const mark of others) {
      instant += this.impacts.signed();
      mark.u = instant / INSTANTS;
      const a = this.impacts.take();
      const b = this.impacts.take();
      [mark.a, mark.spot] = [Math.floor(a / 2), a % 2 === 1];
      [mark.b, mark.fixed] = [Math.floor(b / 2), b % 2 === 1];
    }
    const marks = this.named.concat(others);
    for (const mark of marks) {
      if (!mark.spot) continue;
      mark.point = this.points.row(3).map((step) => step * this.unit * 2 ** POSITION_BITS);
      mark.normal = unit(this.points.row(3).map((step) => step * NORMAL_STEP));
    }
    this.marks.push(marks);
  }

  // By slot: where bodies are within the tick that leads to a picture.
  nodesOf(picture) {
    const nodes = this.nodes[picture] ?? [];
    if (Array.isArray(nodes)) {
      this.nodes[picture] = new Map();
      for (const node of nodes) {
        const row = this.nodes[picture].get(node.slot);
        if (row) row.push(node);
        else this.nodes[picture].set(node.slot, [node]);
      }
    }
    return this.nodes[picture] ?? new Map();
  }

  // Copies what is known to a picture.
  keep(picture) {
    const at = picture * this.slots;
    this.lookAt.set(this.look_, at);
    const positions = this.positionAt.subarray(at * 3, (at + this.slots) * 3);
    for (let k = 0; k < positions.length; k++) positions[k] = this.position[k] * this.unit;
    if (!this.turnAt && this.looks.some((look) => look.rotates)) {
      this.turnAt = new Float32Array(this.pictures * this.slots * 4);
    }
    if (this.turnAt) this.turnAt.set(this.turn, at * 4);
  }
}

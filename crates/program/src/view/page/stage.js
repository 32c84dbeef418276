// What stands on the stage at an instant, as instances.

const PALETTE = ["#4f7ea8", "#d9924a", "#6a9f8c", "#c0604d", "#8a78ad", "#cdb355", "#4f97a5", "#b27b8d"].map(colourOf);
const TONES = {
  light: { paper: "#f1f3f6", ground: "#e6eaef", soil: "#b4b69e", lines: "#b4bfca", fixed: "#c3cad2", ink: "#2b3a4a" },
  dark: { paper: "#12161b", ground: "#1b2128", soil: "#4a5347", lines: "#39444f", fixed: "#4a545f", ink: "#d5dde6" },
};
const [ASLEEP, HELD, DRIVEN, OTHER] = ["#7f93a8", "#d81b60", "#5e6b78", "#d81b60"].map(colourOf);
const ACCENT = { light: "#06a0d8", dark: "#7fd4f5" };
const LAYERS = ["#2f8fbf", "#d3542c", "#5a9a3c", "#8e5bb5"].map(colourOf);

const NOWHERE = [0, 0, 0];

function colourOf(text) {
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}

class Stage {
  constructor(painter, camera, head) {
    Object.assign(this, { painter, camera, head });
    this.tone = "light";
    this.batches = new Map();
    this.cell = roundSize(camera.radius / 7);
    this.grounds = new Grounds(head);
    const solids = head.statics.flatMap((fixed, index) => {
      fixed.index = index;
      return this.children(fixed.shape).map((solid) => [fixed, this.grounds.solids.get(index) ?? solid]);
    });
    this.fixed = solids.filter(([, solid]) => solid.kind !== "plane");
    this.planes = solids.filter(([, solid]) => solid.kind === "plane");
    this.planes = this.planes.map(([fixed, solid]) => ({ normal: solid.normal, point: add(fixed.position, solid.point) }));
    this.radii = new Map([...head.shapes].map(([id, children]) => [id, Math.max(0, ...children.map(reachOf))]));
    this.cores = new Map([...head.shapes].map(([id, children]) => [id, Math.max(0, ...children.map(coreOf))]));
    this.keys = new Map();
    this.addReference();
    this.middle = mix(camera.home.bounds.low, camera.home.bounds.high, 0.5);
    // From above, and from the left of the camera.
    const [high, low] = head.flat ? [0.7, 1.1] : [1.25, 0.8];
    const yaw = camera.home.yaw - 0.5;
    const level = add(scaled(camera.side, Math.sin(yaw)), scaled(camera.back, Math.cos(yaw)));
    this.sun = unit(add(scaled(camera.up, high), scaled(level, low)));
  }

  children(shape) {
    return this.head.shapes.get(shape) ?? [];
  }

  // A faint grid where nothing else says what is below, or, in a flat world, behind.
  addReference() {
    const { up, back } = this.camera;
    const { low, high } = this.camera.home.bounds;
    const normal = this.head.flat ? back : up;
    const deep = Math.max(0, ...[...this.radii.values()].filter((radius) => radius < 64)) * (this.head.flat ? 1 : 0);
    const corner = [0, 1, 2].map((k) => (normal[k] > 0 ? low[k] : high[k]));
    const hasGround = this.planes.some((plane) => dot(plane.normal, normal) > 0.6);
    if (!hasGround) this.planes.push({ normal, point: sub(corner, scaled(normal, deep)), faint: true });
  }

  // The batch of a mesh in a layer; `side` is 1 or -1 where only the front or the back of its triangles is seen.
  batch(mesh, layer, side = 0) {
    const name = `${layer} ${mesh}${side === 0 ? "" : ` ${side}`}`;
    if (!this.batches.has(name)) {
      const kind = mesh === "ball" ? 0 : mesh === "box" ? 1 : /^(capsule|hull)/.test(mesh) || layer === "way" ? 2 : /^soil/.test(mesh) ? 4 : 3;
      this.batches.set(name, Object.assign(new Batch(mesh, kind), { layer, side }));
    }
    return this.batches.get(name);
  }

  // How fine a round body is drawn: by how large it is in the picture.
  level(position, radius) {
    const eye = this.eye;
    const far = Math.max(Math.sqrt((position[0] - eye[0]) ** 2 + (position[1] - eye[1]) ** 2 + (position[2] - eye[2]) ** 2), 1e-9);
    const dots = ((radius / far) * this.painter.canvas.height) / (2 * Math.tan(this.camera.angle / 2));
    return dots < 9 ? 0 : dots < 45 ? 1 : 2;
  }

  // A solid at a position; a quaternion rotates it. `side` is that of a batch; without it a one-way solid is drawn by its parts.
  add(solid, position, turn, { colour, marks = [0, 0], layer = "solid", side }) {
    if (solid.kind === "sphere" && !turn) {
      this.addBall(add(position, solid.offset), solid.radius, { colour, marks, layer });
      return;
    }
    if (solid.open && side === undefined) {
      addOneWay(this, solid, position, { colour, marks, layer });
      return;
    }
    const rotate = turn ? (vector) => turned(turn, vector) : (vector) => vector;
    const center = sub(add(position, rotate(solid.offset)), this.camera.target);
    if (solid.kind === "box") {
      this.batch("box", layer, side).add(solid.edges.map(rotate), [0, 0, 0], center, colour, [0, marks[1]]);
      return;
    }
    if (solid.faces) {
      const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(rotate);
      this.batch(this.hullMesh(solid), layer, side).add(axes, NOWHERE, center, colour, [solid.cell ?? 0, marks[1]]);
      return;
    }
    const axis = solid.kind === "capsule" ? rotate(solid.axis) : [0, 0, 0];
    const along = solid.kind === "capsule" ? unit(axis) : rotate([0, 1, 0]);
    const [first, second] = solid.kind === "capsule" ? across(along) : [rotate([1, 0, 0]), rotate([0, 0, 1])];
    const edges = [first, along, second].map((edge) => scaled(edge, solid.radius));
    const level = this.level(add(center, this.camera.target), solid.radius);
    const mesh = solid.kind === "sphere" ? "ball" : `capsule${level}`;
    this.batch(mesh, layer).add(edges, axis, center, colour, marks);
  }

  // The name of the mesh of a hull, or of triangles that are one, which is made when it is first drawn.
  hullMesh(solid) {
    if (solid.mesh === undefined) {
      solid.mesh = `${solid.kind === "ground" ? "soil" : "hull"}${Object.keys(this.painter.meshes).length}`;
      this.painter.meshes[solid.mesh] = this.painter.upload(hullMesh(solid));
    }
    return solid.mesh;
  }

  // A ball that does not rotate: most of what there is where there is much.
  addBall(position, radius, { colour, marks, layer }) {
    const { target } = this.camera;
    const batch = layer === "solid" ? (this.balls ??= this.batch("ball", layer)) : this.batch("ball", layer);
    const center = [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
    const edges = [[radius, 0, 0], [0, radius, 0], [0, 0, radius]];
    batch.add(edges, NOWHERE, center, colour, marks);
  }

  // The colour of a body: of its kind where there are several, else its own.
  colour(slot, look) {
    if (look.key === undefined) {
      const key = `${look.shape} ${look.mass}`;
      if (!this.keys.has(key)) this.keys.set(key, this.keys.size);
      look.key = this.keys.get(key);
    }
    const isKind = this.keys.size > 1 && this.keys.size <= PALETTE.length;
    let colour = PALETTE[(isKind ? look.key : slot * 5 + Math.floor(slot / 8)) % PALETTE.length];
    if (look.kind !== "dynamic") colour = DRIVEN;
    if (look.asleep) colour = mix(mix(colour, ASLEEP, 0.75), [0, 0, 0], 0.1);
    return look.held ? HELD : colour;
  }

  // `view` says which bodies are seen, how, and what else.
  draw(view) {
    this.eye = this.camera.eye;
    // Ground is dug just before a tick: on the way to a picture it is as in that.
    for (const solid of this.grounds.go(Math.max(0, Math.ceil(view.time - 1e-9)))) {
      if (solid.mesh) this.painter.refill(solid.mesh, hullMesh(solid));
      solid.ways = undefined;
    }
    for (const batch of this.batches.values()) batch.clear();
    this.addFixed(view.fixed);
    if (view.sample) this.addBodies(view);
    this.paint();
  }

  addFixed(followed) {
    const { right, above } = this.camera.axes();
    const size = this.camera.radius * 0.45;
    const spots = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]];
    const targets = spots.map(([x, y]) => add(this.camera.target, add(scaled(right, x * size), scaled(above, y * size))));
    for (const [fixed, solid] of this.fixed) {
      const hides = solid.kind === "box" && targets.filter((target) => isBetween(this.eye, target, fixed, solid)).length > 1;
      const colour = colourOf(TONES[this.tone][solid.kind === "ground" ? "soil" : "fixed"]);
      const marks = [0, fixed.index === followed ? 1 : 0];
      if ((this.head.sensors >> fixed.layer) & 1) {
        this.add(solid, fixed.position, null, { colour: [...LAYERS[fixed.layer % LAYERS.length], 0.28], marks, layer: "clear", side: 0 });
      } else if (hides) this.add(solid, fixed.position, null, { colour: [...colour, 0.16], marks, layer: "clear" });
      else this.add(solid, fixed.position, null, { colour, marks, layer: "fixed" });
    }
  }

  addBodies(view) {
    const { sample, ghost, following, arrows } = view;
    this.seen = [];
    for (let slot = 0; slot < sample.chunk.slots; slot++) {
      const look = sample.look(slot);
      if (!look) continue;
      const pose = sample.pose(slot);
      const other = ghost?.look(slot) ? ghost.pose(slot) : null;
      const differs = ghost && (!other || length(sub(other.position, pose.position)) > view.room);
      const colour = differs ? mix(this.colour(slot, look), OTHER, 0.25) : this.colour(slot, look);
      this.addBody(slot, look, pose, { colour, marks: [look.rotates ? 1 : 0, slot === following ? 1 : 0] });
      if (differs && other) this.addBody(slot, ghost.look(slot), other, { colour: [...OTHER, 0.42], layer: "clear" });
      if (arrows) this.addArrow(look, pose);
      if (slot === following) this.addPointer(look, pose, colourOf(ACCENT[this.tone]), 1.25);
      if (slot === view.diverged) this.addPointer(look, pose, OTHER, 1.5);
      this.seen.push({ slot, look, pose });
    }
    for (let slot = 0; ghost && slot < ghost.chunk.slots; slot++) {
      const look = ghost.look(slot);
      if (look && !sample.look(slot)) this.addBody(slot, look, ghost.pose(slot), { colour: [...OTHER, 0.42], layer: "clear" });
    }
    if (view.marks) addMarks(this, view);
  }

  // A body with all its children; those on layers of their own are shown through.
  addBody(slot, look, pose, paint) {
    const children = this.children(look.shape);
    for (const solid of children) {
      const own = solid.layer >= 0 && children.length > 1;
      const colour = own ? [...LAYERS[solid.layer % LAYERS.length], 0.5] : paint.colour;
      this.add(solid, pose.position, pose.turn, own ? { ...paint, colour, layer: "clear" } : paint);
    }
  }

  // A ring around a body, before everything else.
  addPointer(look, { position }, colour, wide) {
    const { right, above, ahead } = this.camera.axes();
    const least = length(sub(position, this.eye)) * 0.012;
    const size = Math.max(least, (this.radii.get(look.shape) ?? 1) * wide);
    const edges = [scaled(right, size), scaled(ahead, size), scaled(above, size)];
    this.batch("ring", "top").add(edges, NOWHERE, sub(position, this.camera.target), [...colour, 0.9], [0, 0]);
  }

  // Where a body goes in a tenth of a second; very long arrows are cut.
  addArrow(look, { position, motion }) {
    const whole = scaled(motion, (this.head.rate / this.head.every) * 0.1);
    const most = this.camera.radius * 0.35;
    const way = length(whole) > most ? scaled(unit(whole), most) : whole;
    const size = length(way);
    const radius = this.radii.get(look.shape) ?? 1;
    if (size < radius * 0.02) return;
    const [first, second] = across(scaled(way, 1 / size));
    const thick = Math.min(radius * 0.16, size * 0.25);
    const from = sub(position, this.camera.target);
    const colour = [...colourOf(TONES[this.tone].ink), 1];
    this.batch("arrow", "over").add([scaled(first, thick), way, scaled(second, thick)], [0, 0, 0], from, colour, [0, 0]);
  }

  paint() {
    const { painter, camera } = this;
    const tone = TONES[this.tone];
    const all = [...this.batches.values()];
    const of = (...layers) => all.filter((batch) => layers.includes(batch.layer));
    const middle = sub(this.middle, camera.target);
    const half = camera.radius * 1.25;
    const toward = add(middle, scaled(this.sun, half * 2));
    const view = lookAt(toward, middle, Math.abs(this.sun[1]) > 0.95 ? [1, 0, 0] : [0, 1, 0]);
    const light = multiplied(orthographic(half, half * 0.1, half * 4), view);
    painter.shade(of("solid", "fixed"), light, this.sun);
    const paper = colourOf(tone.paper);
    painter.begin(paper);
    const eye = sub(this.eye, camera.target);
    const values = { camera: camera.matrix(), light, eye, sun: this.sun, up: camera.up, shadowed: 1, cell: this.cell };
    this.paintGround({ ...values, paper, lines: colourOf(tone.lines) });
    const accent = colourOf(ACCENT[this.tone]);
    this.values = { ...values, accent, viewer: [...eye, 1], drawn: 1 };
    this.paintSolids(of("fixed", "solid", "over", "way"));
    painter.blended(() => this.paintSolids(of("passed", "clear", "mark")));
    painter.above(() => this.paintSolids(of("top")));
  }

  paintSolids(batches) {
    const { painter, values } = this;
    painter.use("solid", values);
    for (const batch of batches) {
      if (batch.mesh === "ball") continue;
      painter.gl.uniform1f(painter.at.kind, batch.kind);
      painter.gl.uniform1f(painter.at.side, batch.side);
      painter.gl.uniform1f(painter.at.hatched, batch.layer === "passed" ? 1 : 0);
      painter.draw(batch);
    }
    painter.use("ball", values);
    for (const batch of batches) {
      if (batch.mesh !== "ball") continue;
      if (batch.layer === "clear") painter.draw(batch);
      else painter.round(() => painter.draw(batch));
    }
  }

  // The planes whose front is seen, each cut off by the others.
  paintGround(values) {
    const { painter, camera } = this;
    const tone = TONES[this.tone];
    painter.blended(() => {
      for (const plane of this.planes) {
        if (dot(plane.normal, sub(this.eye, plane.point)) <= 0) continue;
        // Walls end sooner than floors.
        const isWall = !this.head.flat && dot(plane.normal, camera.up) < 0.6;
        const reach = isWall ? camera.radius * 1.7 : Math.max(camera.distance * 1.6, camera.radius * 3.2);
        const away = dot(plane.normal, sub(plane.point, this.middle));
        const middle = add(this.middle, scaled(plane.normal, away));
        const sides = across(plane.normal).map((side) => snapped(side));
        const others = this.planes.filter((other) => other !== plane && !other.faint && dot(other.normal, plane.normal) < 0.999);
        const cut = others.slice(0, 8).flatMap((other) => [...other.normal, dot(other.normal, sub(other.point, camera.target)) - 1e-4]);
        const size = { reachOf: reach, count: Math.min(8, others.length) };
        const origin = this.head.flat || plane.faint ? plane.point : add(scaled(plane.normal, dot(plane.normal, plane.point)), [0, 0, 0]);
        const shift = sides.map((side) => Math.round(dot(sub(middle, origin), side) / (5 * this.cell)) * 5 * this.cell);
        const from = add(origin, add(scaled(sides[0], shift[0]), scaled(sides[1], shift[1])));
        const relative = sub(from, camera.target);
        if (cut.length) values = { ...values, others: cut };
        painter.use("ground", { ...values, ...size, middle: relative, sides: [...sides[0], ...sides[1]] });
        const square = this.batch("square", "ground");
        square.clear();
        const paint = [...colourOf(tone.ground), plane.faint ? 0.45 : 0.8];
        square.add([scaled(sides[0], reach), plane.normal, scaled(sides[1], reach)], [0, 0, 0], relative, paint, [0, 0]);
        painter.draw(square);
      }
    });
  }

  // The body that a ray meets first; -1 for none.
  pick(ray) {
    let [nearest, found] = [Infinity, -1];
    for (const { slot, look, pose } of this.seen ?? []) {
      for (const solid of this.children(look.shape)) {
        const far = rayMeets(this.eye, ray, solid, pose);
        if (far < nearest) [nearest, found] = [far, slot];
      }
    }
    return found;
  }

  // The static that a ray meets first, planes aside; -1 for none.
  pickFixed(ray) {
    let [nearest, found] = [Infinity, -1];
    for (const [fixed, solid] of this.fixed) {
      const far = rayMeets(this.eye, ray, solid, fixed);
      if (far < nearest) [nearest, found] = [far, fixed.index];
    }
    return found;
  }
}

// A size of one digit and zeros: 1, 2 or 5.
function roundSize(size) {
  const ten = 10 ** Math.floor(Math.log10(size));
  return ten * (size / ten >= 5 ? 5 : size / ten >= 2 ? 2 : 1);
}

// How far a solid reaches from the center of its body.
function reachOf(solid) {
  const away = length(solid.offset);
  if (solid.kind === "box") return away + Math.hypot(...solid.edges.map(length));
  if (solid.faces) return away + solid.corners.reduce((most, corner) => Math.max(most, length(corner)), 0);
  return solid.kind === "plane" ? 0 : away + solid.radius + (solid.axis ? length(solid.axis) : 0);
}

// The radius of the largest ball in a solid.
function coreOf(solid) {
  if (solid.kind === "hull") return Math.min(...solid.faces.map((face) => planeOf(solid.corners, face).far));
  return solid.kind === "box" ? Math.min(...solid.edges.map(length)) : (solid.radius ?? 0);
}

// A direction along an axis if it nearly is: grids then lie along the axes.
function snapped(side) {
  const axis = side.findIndex((part) => Math.abs(part) > 0.9999);
  return axis < 0 ? side : [0, 1, 2].map((k) => (k === axis ? 1 : 0));
}

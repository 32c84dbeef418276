// One-way solids: a plate or a front that holds, on what is hatched and passed, with arrows through it.

const WAY = { light: "#0b8a72", dark: "#58d6b6" };
const FEW = 12; // arrows along an edge: of what is wider only those near the middle of the stage are shown
const MANY_PARTS = 96; // of an edge, at most

// Where arrows go through a solid, around its own center: positions on the open face, each with the way out, and their size.
function waysOf(stage, solid, position) {
  solid.ways ??= new WeakMap();
  if (!solid.ways.has(position)) {
    const { radius } = stage.camera;
    const near = { middle: sub(stage.middle, add(position, solid.offset)), reach: radius * 1.6 };
    const find = solid.faces ? waysOfMesh : waysOfBox;
    solid.ways.set(position, find(solid, radius * 0.2, near, stage.head.flat));
  }
  return solid.ways.get(position);
}

// The open face of a box: the number of its edge, that edge toward it, those along it, and the way out.
function openFaceOf({ open, edges }) {
  const axis = "xyz".indexOf(open[1]);
  const edge = scaled(edges[axis], open[0] === "-" ? -1 : 1);
  const along = [edges[(axis + 1) % 3], edges[(axis + 2) % 3]];
  const normal = unit(cross(along[0], along[1]));
  return { axis, edge, along, normal: dot(normal, edge) < 0 ? scaled(normal, -1) : normal };
}

function waysOfBox(solid, spacing, { middle, reach }, flat) {
  const { edge, along, normal } = openFaceOf(solid);
  const isDepth = along.map((side) => flat && Math.abs(unit(side)[2]) > 0.9);
  const widths = along.map((side) => 2 * length(side));
  const isWide = Math.max(...widths) > FEW * spacing;
  const counts = widths.map((wide, k) => (isDepth[k] ? 1 : Math.max(1, Math.min(MANY_PARTS, Math.round(wide / (isWide ? 2 * spacing : spacing))))));
  const ways = [];
  for (let i = 0; i < counts[0]; i++) {
    for (let j = 0; j < counts[1]; j++) {
      const [u, v] = [(2 * i + 1) / counts[0] - 1, (2 * j + 1) / counts[1] - 1];
      const position = add(edge, add(scaled(along[0], u), scaled(along[1], v)));
      if (!isWide || length(sub(position, middle)) < reach) ways.push({ position, normal });
    }
  }
  return { ways, size: Math.min(0.52 * spacing, ...widths.map((wide, k) => (isDepth[k] ? Infinity : 0.9 * wide))) };
}

// Positions on the triangles of a mesh, none near another one.
function waysOfMesh({ corners, faces }, spacing, { middle, reach }) {
  const [low, high] = boxOf(corners);
  const wide = length(sub(high, low));
  const isWide = wide > FEW * spacing;
  const room = isWide ? 2 * spacing : Math.min(spacing, wide / 3);
  const within = isWide ? reach : Infinity;
  const taken = new Set();
  const ways = [];
  for (const face of faces) {
    const own = face.map((corner) => corners[corner]);
    const [least, most] = boxOf(own);
    if (middle.some((part, k) => part + within < least[k] || part - within > most[k])) continue;
    const { normal } = planeOf(corners, face);
    for (const position of spotsIn(own, room)) {
      const cell = position.map((part, k) => Math.floor((part - low[k]) / room + 1e-6)).join(" ");
      if (taken.has(cell) || length(sub(position, middle)) > within) continue;
      taken.add(cell);
      ways.push({ position, normal });
    }
  }
  return { ways, size: 0.52 * Math.min(room, spacing) };
}

// The box around some positions: its lowest and its highest corner.
function boxOf(positions) {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (const position of positions) {
    for (let k = 0; k < 3; k++) [low[k], high[k]] = [Math.min(low[k], position[k]), Math.max(high[k], position[k])];
  }
  return [low, high];
}

// Positions in a triangle, about as far from each other as is asked for.
function spotsIn([a, b, c], room) {
  const [ab, ac] = [sub(b, a), sub(c, a)];
  const parts = Math.max(1, Math.min(MANY_PARTS, Math.round(Math.max(length(ab), length(ac)) / room)));
  const spots = [];
  for (let i = 0; i < parts; i++) {
    for (let j = 0; i + j < parts; j++) spots.push(add(a, add(scaled(ab, (i + 1 / 3) / parts), scaled(ac, (j + 1 / 3) / parts))));
  }
  return spots;
}

// A one-way solid at a position: what holds is as other solids, the rest is seen through.
function addOneWay(stage, solid, position, paint) {
  const way = colourOf(WAY[stage.tone]);
  const through = { colour: [...way, 0.24], marks: paint.marks, layer: "passed" };
  // A plate is seen where other solids would hide what is behind them.
  const [red, green, blue, cover = 1] = paint.colour;
  const firm = { ...paint, colour: [...mix([red, green, blue], way, 0.3), Math.max(cover, 0.55)] };
  if (solid.faces) {
    stage.add(solid, position, null, { ...firm, side: 1 });
    stage.add(solid, position, null, { ...through, side: -1 });
  } else {
    const { axis, edge } = openFaceOf(solid);
    // The plate is a fourth of the box at most, and thinner in a thick one.
    const part = Math.min(0.25, (0.02 * stage.camera.radius) / Math.max(length(edge), 1e-9));
    const slice = (size, from) => {
      const edges = solid.edges.map((own, k) => (k === axis ? scaled(own, size) : own));
      return { ...solid, open: undefined, edges, offset: add(solid.offset, scaled(edge, from)) };
    };
    stage.add(slice(part, 1 - part), position, null, firm);
    stage.add(slice(1 - part, -part), position, null, { ...through, side: 1 });
  }
  addWays(stage, solid, position, way);
}

// Arrows along which bodies pass, from before the open face to behind it.
function addWays(stage, solid, position, colour) {
  const { ways, size } = waysOf(stage, solid, position);
  const center = sub(add(position, solid.offset), stage.camera.target);
  const batch = stage.batch("arrow", "way");
  for (const { position: spot, normal } of ways) {
    const [first, second] = across(normal);
    const from = add(center, sub(spot, scaled(normal, size * 0.4)));
    batch.add([scaled(first, size * 0.17), scaled(normal, size), scaled(second, size * 0.17)], NOWHERE, from, [...colour, 1], [0, 0]);
  }
}

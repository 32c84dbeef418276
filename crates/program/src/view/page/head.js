// What the page is told before it shows anything.

const FORMAT = 4;
const SIZE = 2 ** -16;
const FACES = ["+x", "-x", "+y", "-y", "+z", "-z", "front"];

function readHead(bytes) {
  const from = new Reader(bytes);
  const format = from.take();
  if (format !== FORMAT) throw new Error(`the page has format ${format} and reads ${FORMAT}`);
  const head = { program: from.text(), notes: list(from, () => from.text()) };
  head.bits = from.take();
  head.every = from.take();
  head.rate = from.take();
  head.gravity = from.row(3).map((raw) => raw * 2 ** -32 * head.rate ** 2);
  head.flat = from.take() === 1;
  head.sensors = from.take();
  head.low = from.row(3).map((size) => size * SIZE);
  head.high = from.row(3).map((size) => size * SIZE);
  head.shapes = new Map(list(from, () => [from.take(), readShape(from)]));
  head.statics = list(from, () => ({ shape: from.take(), layer: from.take(), position: sizes(from, 3) }));
  head.tracks = list(from, () => readTrack(from));
  head.divergence = from.take() === 1 ? readDivergence(from) : null;
  return head;
}

function list(from, one) {
  return Array.from({ length: from.take() }, one);
}

function sizes(from, count) {
  return from.row(count).map((size) => size * SIZE);
}

// The child shapes of a body, or of what stands still; what is open on a face is one.
function readShape(from) {
  const open = FACES[from.take() - 1];
  const children = list(from, () => readSolid(from));
  return open ? children.map((solid) => ({ ...solid, open })) : children;
}

// A child shape of a body, or of what stands still: three edges, an axis and a radius, a plane, or corners and faces of a hull, a mesh or ground.
function readSolid(from) {
  const offset = sizes(from, 3);
  const layer = from.take() - 1;
  const kind = ["sphere", "box", "capsule", "plane", "hull", "mesh", "ground"][from.take()];
  const solid = { kind, offset, layer };
  if (kind === "sphere") solid.radius = sizes(from, 1)[0];
  if (kind === "box") solid.edges = [sizes(from, 3), sizes(from, 3), sizes(from, 3)];
  if (kind === "capsule") [solid.axis, solid.radius] = [sizes(from, 3), sizes(from, 1)[0]];
  if (kind === "plane") [solid.point, solid.normal] = [sizes(from, 3), unit(from.row(3))];
  if (kind === "ground") solid.cell = sizes(from, 1)[0];
  if (kind === "hull" || kind === "mesh" || kind === "ground") {
    solid.corners = list(from, () => sizes(from, 3));
    solid.faces = list(from, () => list(from, () => from.take()));
  }
  return solid;
}

function readTrack(from) {
  const track = { name: from.text(), checksum: from.text(), first: from.take(), ticks: from.take() };
  track.pictures = from.take();
  track.slots = from.take();
  track.diverged = from.take() - 1;
  track.chunks = list(from, () => from.take());
  track.dug = list(from, () => readDug(from));
  track.captions = list(from, () => ({ picture: from.take(), text: from.text() }));
  track.names = new Map(list(from, () => [`${from.take()}.${from.take()}`, from.text()]));
  track.still = list(from, () => [from.take(), from.take()]);
  return track;
}

// The points of grounds that are elsewhere from a picture on, and how much higher.
function readDug(from) {
  const picture = from.take();
  let point = 0;
  const points = list(from, () => ({ ground: from.take(), point: (point += from.signed()), by: from.signed() * SIZE }));
  return { picture, points };
}

function readDivergence(from) {
  const divergence = { tick: from.take(), slot: from.take() - 1 };
  for (const name of ["body", "verdict", "phase", "field", "left", "right"]) divergence[name] = from.text();
  return divergence;
}

// The numbers of every picture; energies in mass units times (units per second) squared.
function readNumbers(bytes, pictures, rate) {
  const from = new Reader(bytes);
  const energy = 2 ** from.take() * 2 ** -65 * rate ** 2;
  const row = (scale) => {
    const values = new Float64Array(pictures);
    let value = 0;
    for (let i = 0; i < pictures; i++) values[i] = (value += from.signed()) * scale;
    return values;
  };
  return { energy: row(energy), impacts: row(1), held: row(1), asleep: row(1), bodies: row(1) };
}

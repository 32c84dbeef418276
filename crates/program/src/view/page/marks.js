// Impacts: a ring where two touched, which widens and fades.

// For how many pictures a ring is seen: fewer where there are many.
const FADES = [14, 5];
const MANY = 24;
const MARK = { light: "#c2571a", dark: "#ffb169" };

// The positions of the impacts of the tick that leads to a picture, worked out once.
function spotsOf(stage, chunk, picture) {
  chunk.spots ??= new Map();
  if (!chunk.spots.has(picture)) {
    const before = new Sample(chunk, chunk.first + picture - 1, 0);
    const spots = chunk.marks[picture].map((mark) => spotOf(stage, before, mark));
    const there = spots.filter((spot) => spot !== null);
    chunk.spots.set(picture, there.map((spot) => ({ ...spot, sides: across(spot.normal) })));
  }
  return chunk.spots.get(picture);
}

function spotOf(stage, sample, mark) {
  sample.u = mark.u;
  const look = sample.look(mark.a);
  if (!look) return null;
  const { position } = sample.pose(mark.a);
  const radius = stage.radii.get(look.shape) ?? 1;
  const core = stage.cores.get(look.shape) ?? radius;
  if (mark.spot) return { mark, radius: core, position: add(position, mark.point), normal: mark.normal };
  const other = mark.fixed ? null : sample.look(mark.b);
  if (!other) return null;
  // Two balls touch on the way from one to the other.
  const way = sub(sample.pose(mark.b).position, position);
  const part = radius / (radius + (stage.radii.get(other.shape) ?? radius));
  const least = Math.min(radius, stage.radii.get(other.shape) ?? radius);
  return { mark, radius: least, position: add(position, scaled(way, part)), normal: unit(way) };
}

// The rings of the last few ticks.
function addMarks(stage, { sample, time }) {
  const { chunk } = sample;
  const { target } = stage.camera;
  const batch = stage.batch("ring", "mark");
  const now = Math.min(sample.from + 1, chunk.pictures - 1);
  const colour = colourOf(MARK[stage.tone]);
  const fades = FADES[chunk.marks[now].length > MANY ? 1 : 0];
  for (let picture = Math.max(1, now - fades); picture <= now; picture++) {
    for (const { mark, radius, position, normal, sides } of spotsOf(stage, chunk, picture)) {
      const age = (time - (chunk.first + picture - 1 + mark.u)) / fades;
      if (age < 0 || age >= 1) continue;
      const size = Math.min(radius, stage.camera.radius * 0.1) * (0.35 + 0.85 * Math.sqrt(age));
      const edges = [scaled(sides[0], size), scaled(normal, size), scaled(sides[1], size)];
      batch.add(edges, NOWHERE, sub(position, target), [...colour, 0.9 * (1 - age)], [0, 0]);
    }
  }
}

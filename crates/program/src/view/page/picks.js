// Rays through solids: which is met where, for clicks and for what hides others.

// True if a box is between the eye and a position, and not around both.
function isBetween(eye, target, fixed, box) {
  const center = add(fixed.position, box.offset);
  let [first, last] = [0, 1];
  for (const edge of box.edges) {
    const square = dot(edge, edge);
    const from = dot(sub(eye, center), edge) / square;
    const way = dot(sub(target, eye), edge) / square;
    if (Math.abs(way) < 1e-12) {
      if (Math.abs(from) > 1) return false;
      continue;
    }
    const ends = [(-1 - from) / way, (1 - from) / way];
    [first, last] = [Math.max(first, Math.min(...ends)), Math.min(last, Math.max(...ends))];
  }
  return first < last;
}

// How far along a ray a solid is met; triangles are what only statics have.
function rayMeets(eye, ray, solid, { position, turn }) {
  const rotate = turn ? (vector) => turned(turn, vector) : (vector) => vector;
  const center = add(position, rotate(solid.offset));
  if (solid.kind === "box") {
    let [first, last] = [0, Infinity];
    for (const edge of solid.edges.map(rotate)) {
      const square = dot(edge, edge);
      const from = dot(sub(eye, center), edge) / square;
      const way = dot(ray, edge) / square || 1e-12;
      const ends = [(-1 - from) / way, (1 - from) / way];
      [first, last] = [Math.max(first, Math.min(...ends)), Math.min(last, Math.max(...ends))];
    }
    return first < last ? first : Infinity;
  }
  if (solid.kind === "plane") return Infinity;
  if (solid.kind === "mesh" || solid.kind === "ground") return rayMeetsTriangles(sub(eye, center), ray, solid);
  if (solid.kind === "hull") return rayMeetsHull(sub(eye, center), ray, solid.corners.map(rotate), solid.faces);
  // A rod as a few balls.
  const axis = solid.kind === "capsule" ? rotate(solid.axis) : [0, 0, 0];
  const spots = solid.kind === "capsule" ? [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] : [0];
  let nearest = Infinity;
  for (const spot of spots) {
    const to = sub(add(center, scaled(axis, spot)), eye);
    const along = dot(to, ray);
    const room = solid.radius ** 2 - (dot(to, to) - along ** 2);
    if (along > 0 && room > 0) nearest = Math.min(nearest, along - Math.sqrt(room));
  }
  return nearest;
}

// How far along a ray from a position a hull is met: it is what is behind the planes of all its faces.
function rayMeetsHull(from, ray, corners, faces) {
  let [first, last] = [0, Infinity];
  for (const face of faces) {
    const { normal, far } = planeOf(corners, face);
    const [away, way] = [dot(normal, from) - far, dot(normal, ray)];
    if (way < 0) first = Math.max(first, -away / way);
    else if (way > 0) last = Math.min(last, -away / way);
    else if (away > 0) return Infinity;
  }
  return first < last ? first : Infinity;
}

// How far along a ray from a position the first of some triangles is met, from either side.
function rayMeetsTriangles(from, ray, { corners, faces }) {
  let nearest = Infinity;
  for (const face of faces) {
    const [a, b, c] = face.map((corner) => corners[corner]);
    const [ab, ac] = [sub(b, a), sub(c, a)];
    const aside = cross(ray, ac);
    const size = dot(ab, aside);
    if (Math.abs(size) < 1e-12) continue;
    const away = sub(from, a);
    const u = dot(away, aside) / size;
    if (u < 0 || u > 1) continue;
    const other = cross(away, ab);
    const v = dot(ray, other) / size;
    const far = dot(ac, other) / size;
    if (v >= 0 && u + v <= 1 && far > 0) nearest = Math.min(nearest, far);
  }
  return nearest;
}

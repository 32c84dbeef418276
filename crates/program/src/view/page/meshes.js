// Triangles. A vertex has a position on a unit shape, the end of a rod to which it belongs (-1, 0 or 1), and a normal.

class Mesh {
  constructor() {
    this.vertices = [];
    this.triangles = [];
  }

  vertex(position, normal, end = 0) {
    this.vertices.push(...position, end, ...normal);
    return this.vertices.length / 7 - 1;
  }

  quad(a, b, c, d) {
    this.triangles.push(a, b, c, a, c, d);
  }
}

// A rod with round ends, by rings: a ball whose halves are pulled apart along the second axis.
function rodMesh(rings) {
  const mesh = new Mesh();
  const around = rings * 2;
  const ring = (angle, end) => {
    const first = mesh.vertices.length / 7;
    for (let k = 0; k <= around; k++) {
      const turn = (k / around) * 2 * Math.PI;
      const normal = [Math.cos(angle) * Math.cos(turn), Math.sin(angle), Math.cos(angle) * Math.sin(turn)];
      mesh.vertex(normal, normal, end);
    }
    return first;
  };
  const firsts = [];
  for (let k = 0; k <= rings / 2; k++) firsts.push(ring((k / rings - 0.5) * Math.PI, -1));
  for (let k = rings / 2; k <= rings; k++) firsts.push(ring((k / rings - 0.5) * Math.PI, 1));
  for (let k = 0; k + 1 < firsts.length; k++) {
    for (let i = 0; i < around; i++) {
      mesh.quad(firsts[k] + i, firsts[k + 1] + i, firsts[k + 1] + i + 1, firsts[k] + i + 1);
    }
  }
  return mesh;
}

function boxMesh() {
  const mesh = new Mesh();
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const at = (u, v) => {
        const position = [0, 0, 0];
        [position[axis], position[(axis + 1) % 3], position[(axis + 2) % 3]] = [side, u * side, v];
        const normal = [0, 0, 0];
        normal[axis] = side;
        return mesh.vertex(position, normal);
      };
      mesh.quad(at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
    }
  }
  return mesh;
}

// A hull in units of its own: its faces, with the corners of each around it. Of ground a vertex has for an end how far it is above the level's.
function hullMesh({ corners, faces, level }) {
  const mesh = new Mesh();
  for (const face of faces) {
    const { normal } = planeOf(corners, face);
    const places = face.map((corner) => mesh.vertex(corners[corner], normal, level ? corners[corner][1] - level[corner][1] : 0));
    for (let k = 1; k + 1 < places.length; k++) mesh.triangles.push(places[0], places[k], places[k + 1]);
  }
  return mesh;
}

// The plane of a face of a hull: its normal, and how far out it is.
function planeOf(corners, face) {
  const first = corners[face[0]];
  let sum = [0, 0, 0];
  for (let k = 1; k + 1 < face.length; k++) {
    sum = add(sum, cross(sub(corners[face[k]], first), sub(corners[face[k + 1]], first)));
  }
  const normal = unit(sum);
  return { normal, far: dot(normal, first) };
}

// An arrow along the second axis, one long; its thickness is that of the first and third axis.
function arrowMesh() {
  const mesh = new Mesh();
  const around = 12;
  const ring = (radius, height, slope) => {
    const first = mesh.vertices.length / 7;
    for (let k = 0; k <= around; k++) {
      const turn = (k / around) * 2 * Math.PI;
      const [x, z] = [Math.cos(turn), Math.sin(turn)];
      mesh.vertex([x * radius, height, z * radius], unit([x, slope, z]));
    }
    return first;
  };
  const rings = [ring(0.4, 0, 0), ring(0.4, 0.72, 0), ring(1, 0.72, 0.5), ring(0, 1, 0.5)];
  for (let k = 0; k + 1 < rings.length; k++) {
    for (let i = 0; i < around; i++) {
      mesh.quad(rings[k] + i, rings[k + 1] + i, rings[k + 1] + i + 1, rings[k] + i + 1);
    }
  }
  return mesh;
}

// A flat ring across the second axis.
function ringMesh() {
  const mesh = new Mesh();
  const around = 40;
  for (let k = 0; k <= around; k++) {
    const turn = (k / around) * 2 * Math.PI;
    for (const radius of [0.8, 1]) mesh.vertex([Math.cos(turn) * radius, 0, Math.sin(turn) * radius], [0, 1, 0]);
    if (k > 0) mesh.quad(2 * k - 2, 2 * k, 2 * k + 1, 2 * k - 1);
  }
  return mesh;
}

// A square across the second axis.
function squareMesh() {
  const mesh = new Mesh();
  const corner = (x, z) => mesh.vertex([x, 0, z], [0, 1, 0]);
  mesh.quad(corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1));
  return mesh;
}

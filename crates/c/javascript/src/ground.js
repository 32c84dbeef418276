// Meshes and ground of heights, as bitstep.h has them.

import { array, flat, i16, need, show, u32, u8 } from "./layout.js";
import { HEIGHTS, MESH, VEC3 } from "./structs.js";

const TRIANGLE = array(u32, 3);

function list(name, values) {
  if (!Array.isArray(values)) throw new TypeError(`${show(values)} is no array of ${name}`);
  return values;
}

// The address of a mesh.
export function putMesh(memory, mesh) {
  need(mesh, "points", "triangles");
  const { points, triangles, materials, ...others } = mesh;
  for (const name of Object.keys(others)) throw new TypeError(`there is no ${name} of a mesh`);
  const value = { pointCount: list("points", points).length, triangleCount: list("triangles", triangles).length };
  [value.points, value.triangles] = [memory.putList(VEC3, points), memory.putList(TRIANGLE, triangles)];
  if (materials !== undefined) {
    if (list("materials", materials).length !== triangles.length) throw new TypeError("materials are one for each triangle");
    value.materials = memory.putList(u8, materials);
  }
  return memory.put(MESH, value);
}

// The address of ground of heights.
export function putHeights(memory, ground) {
  need(ground, "cell", "unit", "heights");
  const { cell, unit, heights, cells, ...others } = ground;
  for (const name of Object.keys(others)) throw new TypeError(`there is no ${name} of heights`);
  const points = flat("heights", heights);
  const value = { cell, unit, columns: points.columns, rows: points.rows, heights: memory.putList(i16, points.values) };
  if (cells !== undefined) {
    const kinds = flat("cells", cells);
    if (kinds.rows !== points.rows - 1 || kinds.columns !== points.columns - 1) {
      throw new TypeError("of cells there is one less than of heights along each axis");
    }
    value.cells = memory.putList(u8, kinds.values);
  }
  return memory.put(HEIGHTS, value);
}

// The structs of bitstep.h under the names of this package; test/all.mjs compares them with the header.

import { address, array, as, f32, flag, heights, i32, oneOf, scalar, show, struct, structSize, u32, u64, zero } from "./layout.js";

const fields = { x: scalar, y: scalar, z: scalar };
const vector = struct(fields);
export const VEC3 = { ...array(scalar, 3), align: vector.align, fields: vector.fields };
const quaternion = struct({ w: i32, x: i32, y: i32, z: i32 });
export const ROTATION = { ...array(i32, 4), fields: quaternion.fields };
// It is only read.
export const CHECKSUM = as(array(u64, 2), ([low, high]) => hex(high) + hex(low), (value) => value);
const hex = (part) => part.toString(16).padStart(16, "0");

const collider = struct({ isStatic: flag, index: u32, body: u64 });
export const COLLIDER = as(
  collider,
  ({ isStatic, index, body }) => (isStatic ? { static: index } : { body }),
  (value) => {
    if ((value?.body === undefined) === (value?.static === undefined)) throw new TypeError(`${show(value)} is neither { body } nor { static }`);
    return value.body === undefined ? { isStatic: true, index: value.static } : { body: value.body };
  },
);

export const SHAPE = struct({
  structSize, kind: oneOf("sphere", "aabb", "obb", "capsule", "plane"), radius: scalar, half: VEC3, rotation: ROTATION,
});

export const HULL = struct({ structSize, corners: u32, center: VEC3, axes: ROTATION });

export const STATIC = struct({ structSize, shape: u32, material: u32, layer: u32, position: VEC3 });

export const FACE = oneOf("+x", "-x", "+y", "-y", "+z", "-z", "front");
// The layer of a child shape that has that of its body.
export const LAYER_OF_BODY = 2 ** 32 - 1;
export const CHILD_SHAPE = struct({ shape: u32, layer: u32, offset: VEC3 });

export const MESH = struct({
  structSize, pointCount: u32, triangleCount: u32, reserved: zero, points: address, triangles: address, materials: address,
});

export const MESH_REPORT = struct({
  structSize, points: u32, triangles: u32, materials: u32, facets: u32, rounded: u32, merged: u32, unused: u32, degenerate: u32,
  repeated: u32, crowdedEdges: u32, tJunctions: u32, openEdges: u32, flatEdges: u32, bentEdges: u32,
});

export const HEIGHTS = struct({
  structSize, columns: u32, rows: u32, reserved: zero, cell: scalar, unit: scalar, heights: address, cells: address,
});

export const GROUND = struct({ structSize, isGround: flag, height: scalar, normal: VEC3 });

// Of no struct: two numbers.
export const MATERIAL = struct({ restitution: scalar, friction: scalar });

export const LIMITS = struct({
  structSize, tickRate: u32, substeps: u32, massMax: u32, bodiesMax: u32, budget: u32, pairsMax: u32, flat: flag, sleepAfter: u32,
  reserved: zero, extent: scalar, speedMax: scalar, sizeMax: scalar, restSpeed: scalar, separationSpeed: scalar,
});

export const BODY_TYPE = oneOf("dynamic", "kinematic", "static");
export const ON_HIT = oneOf("continue", "stop", "remove");

export const SPAWN = struct({
  structSize, shape: u32, material: u32, bodyType: BODY_TYPE, mass: u32, layer: u32, group: u32, locks: u32, dampingQ16: u32,
  onHit: ON_HIT, dominance: u32, rotates: flag, allowOverlap: flag, reserved: zero, user: u64, position: VEC3, velocity: VEC3,
  angularVelocity: VEC3, orientation: ROTATION,
});

export const BODY_STATE = struct({
  structSize, shape: u32, body: u64, position: VEC3, velocity: VEC3, momentum: VEC3, angularVelocity: VEC3, orientation: ROTATION,
  mass: u32, bodyType: BODY_TYPE, layer: u32, isAsleep: flag, frozen: u32, rotates: flag, user: u64,
});

export const COMMAND = struct({
  structSize, kind: u32, body: u64, vector: VEC3, point: VEC3, rotation: ROTATION, scalar, other: COLLIDER, user: u64, number: u32,
  second: u32, third: u32, allowOverlap: flag, columns: u32, rows: u32, heights,
});

export const QUERY = struct({
  structSize, layers: u32, origin: VEC3, displacement: VEC3, radius: scalar, shape: SHAPE, excludes: flag, reserved: zero,
  exclude: COLLIDER,
});

export const HIT = struct({ structSize, isHit: flag, toi: u64, collider: COLLIDER, normal: VEC3, point: VEC3 });

export const NEAR = struct({ distance: scalar, collider: COLLIDER });

export const EVENT = struct({ kind: oneOf("begin", "enter", "hit", "exit", "end"), repeat: u32, toi: u64, a: u64, b: COLLIDER });

export const IMPULSE = struct({ a: u64, b: COLLIDER, impulse: VEC3 });

export const REPORT = struct({
  structSize, impacts: u32, tick: u64, impactLimited: u32, velocityCorrected: u32, outOfBounds: u32, blocked: u32, reverted: u32,
  removed: u32, woke: u32, fellAsleep: u32, overlapping: u32, events: u32, impulses: u32, tickHalted: flag,
});

export const VERDICT = struct({ structSize, isSame: flag, ticks: u64, firstDifferent: u64, checksum: CHECKSUM });

// Of bitstep_draw.h.
export const VIEW = struct({ structSize, alpha: f32, origin: VEC3 });

export const POSE = struct({ body: u64, position: array(f32, 3), orientation: array(f32, 4), isNew: flag });

export const LINE = struct({ collider: COLLIDER, a: array(f32, 3), b: array(f32, 3) });

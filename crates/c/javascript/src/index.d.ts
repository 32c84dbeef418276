/**
 * Deterministic fixed-point 3D physics: the same bits on every machine.
 *
 * Numbers with a fraction are raw fixed point, times 2^32, in a `bigint`. A function that takes one also takes a whole `number` or a decimal
 * text in units: `2n ** 31n`, `"0.5"`. A text is rounded exactly; a `number` with a fraction is refused, so that no float gets into a world.
 */

/** Raw fixed point as a `bigint`; units as a whole `number`, or as a decimal text. */
export type Scalar = bigint | number | string;
/** A vector to be read by this package. */
export type Vector = readonly [Scalar, Scalar, Scalar];
/** A vector of raw fixed point. */
export type RawVector = [bigint, bigint, bigint];
/** A unit quaternion, the real component first, each times 2^30; `[2 ** 30, 0, 0, 0]` is no rotation. */
export type Rotation = readonly [number, number, number, number];
/** The id of a body: its slot, and how many were in it before. Ids of removed bodies go stale. */
export type Body = bigint;
/** A body, or a static of the scenery by its index. */
export type Collider = { body: Body } | { static: number };

export type ErrorCode = "argument" | "handle" | "size" | "range" | "refused" | "data" | "order" | "panic" | "poisoned";

/** A call that failed, and why. After `panic`, a fault of the library, the module is of no use: load another one. */
export class BitstepError extends Error {
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
}

export interface Shape {
  kind: "sphere" | "aabb" | "obb" | "capsule" | "plane";
  radius?: Scalar;
  /** Half extents of a box, half the axis of a capsule, or the normal of a plane. */
  half?: Vector;
  rotation?: Rotation;
}

export function sphere(radius: Scalar): Shape;
/** A box along the axes, by its half extents. */
export function aabb(half: Vector): Shape;
/** A box in any direction. */
export function obb(half: Vector, rotation: Rotation): Shape;
/** A capsule, by the vector from its middle to the center of one half ball. */
export function capsule(halfAxis: Vector, radius: Scalar): Shape;
/** A half space, for statics only, by its normal of any length. */
export function plane(normal: Vector): Shape;

/**
 * A hull that was added, and its frame in the space of its points. To have them at a place, rotated, a body has the position
 * `place + rotation * center` and the orientation `rotation * axes`.
 */
export interface Hull {
  /** The number of the shape. */
  shape: number;
  corners: number;
  center: [bigint, bigint, bigint];
  axes: Rotation;
}

/** A raw number as a float, for drawing. Nothing takes it back. */
export function toNumber(raw: bigint): number;

/** The limits of a world; all but the tick rate have defaults. */
export interface Limits {
  /** Number of ticks in a second, 1 to 1,000. */
  tickRate: number;
  /** Number of steps in which a tick is computed, 1 to 16. */
  substeps?: number;
  massMax?: number;
  bodiesMax?: number;
  /** Number of impacts of a body in a tick before it is held. */
  budget?: number;
  /** Largest number of candidates for impacts in a tick. */
  pairsMax?: number;
  /** Whether nothing moves along the third axis. */
  flat?: boolean;
  /** Number of ticks at rest after which bodies fall asleep; 0 for never. */
  sleepAfter?: number;
  /** Largest coordinate, in units. */
  extent?: Scalar;
  /** Largest speed along an axis, in units per tick. */
  speedMax?: Scalar;
  /** Largest half extent of a body, in units. */
  sizeMax?: Scalar;
  /** Closing speed below which an impact does not bounce, in units per tick. */
  restSpeed?: Scalar;
  /** Speed at which soft bodies separate, in units per tick. */
  separationSpeed?: Scalar;
}

export type BodyType = "dynamic" | "kinematic" | "static";
/** The effect of the first impact in a tick on a body. */
export type OnHit = "continue" | "stop" | "remove";

/** The values of a new body: dynamic, of mass 1, at rest at the origin, unless they say something else. */
export interface Spawn {
  /** The number of a shape of the scenery. */
  shape: number;
  material?: number;
  bodyType?: BodyType;
  /** A whole number of mass units, at least 1. */
  mass?: number;
  layer?: number;
  group?: number;
  /** Bits: 1, 2, 4 for no motion along an axis of the world; 8, 16, 32 for no rotation about one of the body. */
  locks?: number;
  /** The fraction of its momentum that it loses in each tick, times 2^16. */
  dampingQ16?: number;
  onHit?: OnHit;
  dominance?: number;
  rotates?: boolean;
  allowOverlap?: boolean;
  user?: bigint;
  /** In units. */
  position?: Vector;
  /** In units per tick. */
  velocity?: Vector;
  /** In radians per tick. */
  angularVelocity?: Vector;
  orientation?: Rotation;
}

/** The state of a body. */
export interface BodyState {
  shape: number;
  body: Body;
  position: RawVector;
  /** In units per tick, to nearest. */
  velocity: RawVector;
  /** In mass units times units per tick: what the state holds. */
  momentum: RawVector;
  angularVelocity: RawVector;
  orientation: [number, number, number, number];
  mass: number;
  bodyType: BodyType;
  layer: number;
  isAsleep: boolean;
  /** Number of ticks for which it is frozen still. */
  frozen: number;
  rotates: boolean;
  user: bigint;
}

export type Rule = "ignore" | "sensor" | "soft" | "solid";

/** Triangles, thin and solid from both sides. Points are rounded to the nearest 2^-16 unit; those at one place are one. */
export interface Mesh {
  points: readonly Vector[];
  /** The places of the corners of each triangle among the points, from 0. */
  triangles: readonly (readonly [number, number, number])[];
  /** A number for the material of each triangle, 0 everywhere by default: a static has its own for 0, and those that follow it. */
  materials?: readonly number[];
}

/** The number of the shape, and what was found in the mesh. */
export interface AddedMesh {
  shape: number;
  /** Number of points that the mesh has. */
  points: number;
  /** Number of triangles that the mesh has. */
  triangles: number;
  /** Number of materials that a static of it needs, from its own on. */
  materials: number;
  /** Flat parts: what collides. */
  facets: number;
  /** Points that were rounded, that are at the place of another one, and that no triangle uses. */
  rounded: number;
  merged: number;
  unused: number;
  /** Triangles that were left out: without an area, and with the corners of an earlier one. */
  degenerate: number;
  repeated: number;
  /** Edges of more than two triangles. */
  crowdedEdges: number;
  /** Points that lie inside an edge of which they are no end. */
  tJunctions: number;
  /** Edges of a single triangle that no others cover, of two in one plane, and of two at an angle. */
  openEdges: number;
  flatEdges: number;
  bentEdges: number;
}

/** One of the shapes of a compound: no plane and no mesh. */
export interface ChildShape {
  shape: number;
  /** Its origin from that of the body. */
  offset?: Vector;
  /** 0 to 15; that of the body by default. */
  layer?: number;
}

/** The faces of a box by its own axes, and the front of a mesh. */
export type Face = "+x" | "-x" | "+y" | "-y" | "+z" | "-z" | "front";

/** Heights along y over a grid in x and z; the origin is at the first point, at height 0. */
export interface Heights {
  /** The edge of a cell, in units: a multiple of 2^-16. */
  cell: Scalar;
  /** The unit in which heights count, in units: a multiple of 2^-16. */
  unit: Scalar;
  /** Rows along z, each along x; 2 or more of both. */
  heights: readonly (readonly number[] | Int16Array)[];
  /** One less along each axis: the number of a material, 0 to 126, to which `OTHER_DIAGONAL` may be added, or `HOLE`. 0 everywhere by default. */
  cells?: readonly (readonly number[] | Uint8Array)[];
}

/** A cell without ground. */
export const HOLE: 127;
/** Added to the material of a cell: the edge between its two triangles runs between the other two corners. */
export const OTHER_DIAGONAL: 128;

/** The ground at a place. */
export interface Ground {
  /** The y of the ground there, in units. */
  height: bigint;
  /** The direction in which it faces, of length one. */
  normal: RawVector;
}

/** A change of a world between ticks. Velocities are in units per tick, and gravity in units per tick per tick. */
export type Command =
  | { kind: "remove"; body: Body }
  | { kind: "teleport"; body: Body; position: Vector; rotation?: Rotation; allowOverlap?: boolean }
  | { kind: "moveKinematic"; body: Body; position: Vector }
  | { kind: "setVelocity"; body: Body; velocity: Vector }
  | { kind: "applyImpulse"; body: Body; impulse: Vector }
  | { kind: "applyImpulseAt"; body: Body; impulse: Vector; point: Vector }
  | { kind: "applyAngularImpulse"; body: Body; angularImpulse: Vector }
  | { kind: "setAngularVelocity"; body: Body; angularVelocity: Vector }
  | { kind: "setGravity"; gravity: Vector }
  | { kind: "setShape"; body: Body; shape: number; allowOverlap?: boolean }
  | { kind: "setFilter"; body: Body; layer: number; group: number; allowOverlap?: boolean }
  | { kind: "setLayers"; a: number; b: number; rule: Rule; allowOverlap?: boolean }
  | { kind: "setLocks"; body: Body; locks: number }
  | { kind: "setDamping"; body: Body; dampingQ16: number }
  | { kind: "freeze"; body: Body; ticks: number }
  | { kind: "drive"; body: Body; velocity: Vector; accelMax: Scalar }
  | { kind: "endDrive"; body: Body }
  | { kind: "setOnHit"; body: Body; onHit: OnHit }
  | { kind: "setDominance"; body: Body; dominance: number }
  | { kind: "ignorePair"; a: Body; b: Collider; ticks: number }
  | { kind: "setSleep"; body: Body; sleeps: boolean }
  | { kind: "setUser"; body: Body; user: bigint }
  /** 1 to 8 rows of 1 to 8 heights of the static `ground`, in its unit, from its point at `column` and `row` on. */
  | { kind: "setHeights"; ground: number; column: number; row: number; heights: number[][]; lift?: boolean };

/** The pose of a body in a picture. */
export interface Pose {
  body: Body;
  /** The center as seen from the origin, in units. */
  position: [number, number, number];
  /** A unit quaternion: x, y, z, and the real component. */
  orientation: [number, number, number, number];
  /** Whether the earlier tick does not have the body: it is where the later one has it. */
  isNew: boolean;
}

/** A line of a wireframe, as seen from an origin, in units. */
export interface Line {
  collider: Collider;
  a: [number, number, number];
  b: [number, number, number];
}

/** Colliders that a query sees; all but `exclude`, in layers by their bits. */
export interface Seen {
  layers?: number;
  exclude?: Collider;
}

export interface Hit {
  /** The part of the displacement until the hit, times 2^32. */
  toi: bigint;
  collider: Collider;
  /** From the caster into the collider, of length one. */
  normal: RawVector;
  /** The place of the ray's end, or of the shape's center, at the hit. */
  point: RawVector;
}

export interface Near {
  /** In units, rounded up; 0 inside. */
  distance: bigint;
  collider: Collider;
}

export interface Event {
  kind: "begin" | "enter" | "hit" | "exit" | "end";
  /** Number of times that the same has happened to the pair in this tick before. */
  repeat: number;
  /** The instant within the tick, times 2^32. */
  toi: bigint;
  /** The body, or the one of two with the smaller id. */
  a: Body;
  b: Collider;
}

/** The total impulse of a pair in a tick, on `b`. */
export interface Impulse {
  a: Body;
  b: Collider;
  impulse: RawVector;
}

/** Numbers of a tick; of bodies where nothing else is said. */
export interface Report {
  /** Number of impacts. */
  impacts: number;
  tick: bigint;
  impactLimited: number;
  velocityCorrected: number;
  outOfBounds: number;
  blocked: number;
  reverted: number;
  removed: number;
  woke: number;
  fellAsleep: number;
  /** Number of solid pairs that overlapped at the start. */
  overlapping: number;
  events: number;
  impulses: number;
  /** Whether all bodies were held for the rest of the tick. */
  tickHalted: boolean;
}

export interface Verdict {
  isSame: boolean;
  ticks: bigint;
  /** The first tick that differs from what was recorded, or `null`. */
  firstDifferent: bigint | null;
  checksum: string;
}

/** A difference of two recordings: which tick, phase and field. */
export interface Difference {
  judgement: string;
  tick?: number;
  phase?: string;
  path?: string;
  difference?: string;
  rerun: string;
}

/**
 * An object of the module. Free what is made often, such as clones: the collector, which frees an object some time after nothing uses it, does
 * not see the memory of the module.
 */
export interface Owned {
  free(): void;
}

/** A level: shapes, materials and statics. Worlds of it stay when it is freed. */
export interface Scenery extends Owned {
  /** The number of the shape. */
  addShape(shape: Shape): number;
  /** The convex hull of points in the frame of its principal axes, for bodies that rotate; it has 4 to 64 corners. */
  addHull(points: readonly Vector[]): Hull;
  /** The same with the axes of the points, for statics and bodies that never rotate. */
  addHullUpright(points: readonly Vector[]): Hull;
  /** A mesh for statics. */
  addMesh(mesh: Mesh): AddedMesh;
  /** The mesh of a file that `bitstep bake` has written, from its content; an error `data` if it is none. */
  addMeshFile(bytes: Uint8Array): AddedMesh;
  /** Ground for statics: the number of the shape. The command `setHeights` changes the heights of a static in a world. */
  addHeights(ground: Heights): number;
  /** A compound, as the shape of a body; its mirror image, with x negated, has that number less 1. */
  addCompound(children: readonly ChildShape[]): number;
  /** Opens a shape on a face: it collides with what was on that side of it when the tick began, and nothing else. */
  setOpenFace(shape: number, face: Face): void;
  /** The number of the material; the restitution is 0 to 1, the coefficient of friction 0 to 16. */
  addMaterial(material?: { restitution?: Scalar; friction?: Scalar }): number;
  /** The index of the static. */
  addStatic(fixed: { shape: number; material: number; layer?: number; position?: Vector }): number;
  /** A world without bodies in the scenery as it is now. */
  world(limits: Limits): World;
}

/** Bodies in a level, and everything that a tick does to them. */
export interface World extends Owned {
  clone(): World;
  /** A recorder that begins with the state as it is. */
  recorder(): Recorder;
  /** Adds a body; an error `refused` if it overlaps. */
  spawn(values: Spawn): Body;
  /** Applies commands at once, in their order; says of each whether it was accepted. One that is refused changes nothing. */
  apply(commands: readonly Command[]): boolean[];
  /** Applies commands as `encode` and recordings have them; gives the number of those that were refused. */
  applyBytes(commands: Uint8Array): number;
  tick(): void;
  readonly tickCount: bigint;
  /** 32 hexadecimal digits, the same on every machine. */
  checksum(): string;
  save(): Uint8Array;
  /** Takes the state of a snapshot of the same scenery, with the limits that it has. Recordings of this world end. */
  restore(snapshot: Uint8Array): void;
  /** The state of a body; `null` if there is none of this id. */
  body(body: Body): BodyState | null;
  /** The states of all bodies, by slot. */
  bodies(): BodyState[];
  /** The gravity for a vector in units per second squared: the nearest that the tick rate has, for `setGravity`. */
  gravityNearest(gravity: Vector): RawVector;
  /** Whether ticks list events and impulses. No state depends on it. */
  enableEvents(isEnabled?: boolean): void;
  report(): Report;
  events(): Event[];
  impulses(): Impulse[];
  /** Wireframes of all bodies as they are, and of all statics; seen from an origin such as the camera's place. */
  lines(origin?: Vector): Line[];
  castRay(query: Seen & { origin: Vector; displacement: Vector }): Hit | null;
  castShape(query: Seen & { shape: Shape; origin: Vector; displacement: Vector }): Hit | null;
  overlap(query: Seen & { shape: Shape; origin: Vector }): Collider[];
  /** The ground of heights of a static at a place as seen from above; `null` over a hole and beyond the border. */
  ground(ground: number, x: Scalar, z: Scalar): Ground | null;
  /** The heights of a static as commands have left them, row by row. */
  heights(ground: number): number[];
  /** The static of the facet that a collider names by its index; a static belongs to itself. */
  facetOwner(facet: number): number;
  /** The triangles of a facet; a static itself has none. */
  facetTriangles(facet: number): number[];
  /** The nearest colliders to a point, `most` at most, by distance and id. */
  nearest(query: Seen & { origin: Vector; radius: Scalar; most: number }): Near[];
}

/** The poses of the last two ticks. A picture cannot change a result. */
export interface Frames extends Owned {
  /** Takes the poses of all bodies: to be called after each tick, of a session by the callback of `advance`. */
  push(world: World): void;
  /** The poses at a part of the way between the two, 0 to 1, by slot, seen from an origin such as the camera's place. */
  between(alpha: number, origin?: Vector): Pose[];
}

/** A scene of RON: a world, what happens in it, and for how long. */
export interface Scene extends Owned {
  readonly tickCount: bigint;
  /** A world as it is before the first tick. */
  world(): World;
  /** Plays the next tick of a world with the commands of the scene; gives the number of those that were refused. */
  tick(world: World): number;
}

export interface Recorder extends Owned {
  /** Records the tick that the world has just played: to be called after each `tick`, before any other change. */
  tick(): void;
  /** Ends the recording; gives its bytes. */
  finish(): Uint8Array;
}

/** A recording that was read. */
export interface Replay extends Owned {
  readonly tickCount: bigint;
  /** A world with the state after a tick; 0, the default, is that before the first. */
  world(tick?: number | bigint): World;
  /** The commands of a tick, from 1, for `applyBytes`. */
  commands(tick: number | bigint): Uint8Array;
  /** Plays the recording and compares every tick. */
  verify(): Verdict;
  /** The first difference in words; `null` if there is none. */
  diff(other: Replay): string | null;
  diffJson(other: Replay): Difference | null;
}

export interface SessionOptions {
  /** Number of players, whose commands are applied in the order of their numbers, from 0. */
  players: number;
  /** Number of ticks that may be played before they are confirmed; 8 by default. Sides have the same. */
  window?: number;
  /** Number of bytes that a player may order for a tick; 65,536 by default. */
  bytesMax?: number;
  /**
   * Called once for each confirmed tick, in order, to read the world: scores, checksums to compare, and events if the world that the session
   * was made of lists them.
   */
  onConfirmed?: (world: World) => void;
}

/**
 * Rollback: ticks are played without the commands that are missing, and again when they come. All that crosses a link is bytes.
 *
 * A player may order any command. A game that does not trust its players sends their inputs, and makes the commands of them on each side.
 */
export interface Session {
  /** The world to draw. Its state is replaced: read it only. */
  readonly world: World;
  /** Number of ticks played. */
  readonly tick: number;
  /** Number of ticks that are confirmed: played with the commands of all players. */
  readonly confirmedTick: number;
  /**
   * Takes the commands of a player for a tick, empty ones included, as `encode` makes them, in any order of ticks and players. `false` if they
   * were known, or the tick is confirmed. An error for other bytes than before, for bytes that are no commands, and for a tick that is more
   * than four windows ahead.
   */
  order(tick: number, player: number, commands: Uint8Array): boolean;
  /**
   * Confirms ticks, plays again what lacked commands, and then one tick more; `false` if that one has to wait for others. `onTick` is called
   * after each of the ticks that are played, for pictures.
   */
  advance(onTick?: (world: World) => void): boolean;
  /** Ends the session; gives the recording of the confirmed ticks: the same for every side, up to the shortest. */
  finish(): Uint8Array;
  free(): void;
}

/** The module. */
export interface Bitstep {
  /** Builds with the same one step the same world to the same bits. */
  readonly rulesVersion: number;
  readonly build: string;
  /** Raw fixed point of a number. */
  raw(number: Scalar): bigint;
  scenery(): Scenery;
  /** Reads a scene from its text; an error `data` that begins with line and column. */
  scene(text: string): Scene;
  /** Two frames without bodies, to draw what is between two ticks. */
  frames(): Frames;
  /** Reads a recording; an error `data` that says what is wrong with the bytes. */
  replay(bytes: Uint8Array): Replay;
  /** A rollback session that begins with the state of a world. */
  session(world: World, options: SessionOptions): Session;
  /** The bytes of commands, for `applyBytes` here or elsewhere; bytes that follow each other are those of all. */
  encode(commands: readonly Command[]): Uint8Array;
  /** The bytes of the command that adds a body. */
  encodeSpawn(values: Spawn): Uint8Array;
}

/**
 * Loads the module: by default the file `bitstep.wasm` of this package, in Node and in a browser. A text is a URL, relative to the page, or in
 * Node to the working directory.
 */
export function load(source?: string | URL | Uint8Array | ArrayBuffer | WebAssembly.Module): Promise<Bitstep>;

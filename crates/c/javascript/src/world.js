// Sceneries and worlds.

import { putCommands, putSpawn } from "./commands.js";
import { putHeights, putMesh } from "./ground.js";
import { flag, i16, indexIn, need, show, u32, u64 } from "./layout.js";
import { CODES, Owned } from "./memory.js";
import { Recorder } from "./recorder.js";
import {
  BODY_STATE, CHECKSUM, CHILD_SHAPE, COLLIDER, EVENT, FACE, GROUND, HIT, HULL, IMPULSE, LAYER_OF_BODY, LIMITS, LINE, MATERIAL, MESH_REPORT, NEAR, QUERY,
  REPORT, SHAPE, STATIC, VEC3,
} from "./structs.js";

const NOT_ROTATED = [1 << 30, 0, 0, 0];
const ALL_LAYERS = 0xffff;
const [OK, REFUSED, NO_BODY] = ["ok", "refused", "noSuchBody"].map((name) => CODES.indexOf(name));

// A level: shapes, materials and statics.
export class Scenery extends Owned {
  constructor(memory) {
    super(memory, memory.out(u64, "bitstep_scenery_new"), "bitstep_scenery_free");
  }

  addShape(shape) {
    const { memory } = this;
    need(shape, "kind");
    return memory.scope(() => memory.out(u32, "bitstep_scenery_add_shape", this.handle, memory.put(SHAPE, { rotation: NOT_ROTATED, ...shape })));
  }

  addHull(points) {
    return this.#addHull("bitstep_scenery_add_hull", points);
  }

  addHullUpright(points) {
    return this.#addHull("bitstep_scenery_add_hull_upright", points);
  }

  #addHull(name, points) {
    const { memory } = this;
    if (!Array.isArray(points)) throw new TypeError(`${show(points)} is no array of points`);
    return memory.scope(() => {
      const [list, at] = [memory.putList(VEC3, points), memory.put(HULL, {})];
      const shape = memory.out(u32, name, this.handle, list, points.length, at);
      return { shape, ...HULL.read(memory, at) };
    });
  }

  addMesh(mesh) {
    const { memory } = this;
    return memory.scope(() => this.#addMesh("bitstep_scenery_add_mesh", putMesh(memory, mesh)));
  }

  addMeshFile(bytes) {
    const { memory } = this;
    return memory.scope(() => this.#addMesh("bitstep_scenery_add_mesh_file", memory.putBytes(bytes), bytes.length));
  }

  #addMesh(name, ...numbers) {
    const { memory } = this;
    const at = memory.put(MESH_REPORT, {});
    const shape = memory.out(u32, name, this.handle, ...numbers, at);
    return { shape, ...MESH_REPORT.read(memory, at) };
  }

  addHeights(ground) {
    const { memory } = this;
    return memory.scope(() => memory.out(u32, "bitstep_scenery_add_heights", this.handle, putHeights(memory, ground)));
  }

  addCompound(children) {
    const { memory } = this;
    if (!Array.isArray(children)) throw new TypeError(`${show(children)} is no array of child shapes`);
    const values = children.map((child) => {
      need(child, "shape");
      return { layer: LAYER_OF_BODY, ...child };
    });
    return memory.scope(() => memory.out(u32, "bitstep_scenery_add_compound", this.handle, memory.putList(CHILD_SHAPE, values), values.length));
  }

  setOpenFace(shape, face) {
    this.memory.call("bitstep_scenery_set_open_face", this.handle, u32.check(shape), indexIn(FACE.names, face));
  }

  addMaterial(material = {}) {
    const { memory } = this;
    return memory.scope(() => {
      const { restitution, friction } = MATERIAL.read(memory, memory.put(MATERIAL, material));
      return memory.out(u32, "bitstep_scenery_add_material", this.handle, restitution, friction);
    });
  }

  addStatic(fixed) {
    const { memory } = this;
    need(fixed, "shape", "material");
    return memory.scope(() => memory.out(u32, "bitstep_scenery_add_static", this.handle, memory.put(STATIC, fixed)));
  }

  world(limits) {
    const { memory } = this;
    need(limits, "tickRate");
    const handle = memory.scope(() => {
      const at = memory.scratch(LIMITS.size);
      memory.call("bitstep_limits_init", u32.check(limits.tickRate), at);
      LIMITS.write(memory, at, limits);
      return memory.out(u64, "bitstep_world_new", this.handle, at);
    });
    return new World(memory, handle);
  }
}

// Bodies in a level, and everything that a tick does to them.
export class World extends Owned {
  constructor(memory, handle) {
    super(memory, handle, "bitstep_world_free");
  }

  clone() {
    return new World(this.memory, this.memory.out(u64, "bitstep_world_clone", this.handle));
  }

  recorder() {
    return new Recorder(this);
  }

  spawn(values) {
    const { memory } = this;
    return memory.scope(() => memory.out(u64, "bitstep_world_spawn", this.handle, putSpawn(memory, values)));
  }

  apply(commands) {
    const { memory } = this;
    return memory.scope(() => {
      const count = commands.length;
      const [at, codes] = [putCommands(memory, commands), memory.scratch(u32.size * count)];
      const code = memory.code("bitstep_world_apply", this.handle, at, count, codes);
      if (code !== REFUSED) memory.check(code);
      return Array.from({ length: count }, (_, index) => u32.read(memory, codes + index * u32.size) === OK);
    });
  }

  applyBytes(bytes) {
    const { memory } = this;
    return memory.scope(() => memory.out(u32, "bitstep_world_apply_bytes", this.handle, memory.putBytes(bytes), bytes.length));
  }

  tick() {
    this.memory.call("bitstep_world_tick", this.handle);
  }

  get tickCount() {
    return this.memory.out(u64, "bitstep_world_tick_count", this.handle);
  }

  checksum() {
    return this.memory.out(CHECKSUM, "bitstep_world_checksum", this.handle);
  }

  save() {
    return this.memory.bytes("bitstep_world_save", this.handle);
  }

  restore(snapshot) {
    const { memory } = this;
    memory.scope(() => memory.call("bitstep_world_restore", this.handle, memory.putBytes(snapshot), snapshot.length));
  }

  body(body) {
    const { memory } = this;
    return memory.scope(() => {
      const at = memory.put(BODY_STATE, {});
      const code = memory.code("bitstep_world_body", this.handle, u64.check(body), at);
      if (code === NO_BODY) return null;
      memory.check(code);
      return BODY_STATE.read(memory, at);
    });
  }

  bodies() {
    return this.memory.list(BODY_STATE, "bitstep_world_bodies", this.handle);
  }

  gravityNearest(gravity) {
    const { memory } = this;
    return memory.scope(() => memory.out(VEC3, "bitstep_world_gravity_nearest", this.handle, memory.put(VEC3, gravity)));
  }

  enableEvents(isEnabled = true) {
    const { memory } = this;
    memory.scope(() => memory.call("bitstep_world_enable_events", this.handle, u32.read(memory, memory.put(flag, isEnabled))));
  }

  report() {
    return this.memory.outSized(REPORT, "bitstep_world_report", this.handle);
  }

  events() {
    return this.memory.list(EVENT, "bitstep_world_events", this.handle);
  }

  impulses() {
    return this.memory.list(IMPULSE, "bitstep_world_impulses", this.handle);
  }

  lines(origin = [0, 0, 0]) {
    const { memory } = this;
    return memory.scope(() => memory.list(LINE, "bitstep_world_lines", this.handle, memory.put(VEC3, origin)));
  }

  castRay(query) {
    need(query, "origin", "displacement");
    return this.#cast("bitstep_world_cast_ray", query);
  }

  castShape(query) {
    need(query, "shape", "origin", "displacement");
    return this.#cast("bitstep_world_cast_shape", query);
  }

  #cast(name, query) {
    const { memory } = this;
    const { isHit, ...hit } = memory.scope(() => memory.outSized(HIT, name, this.handle, putQuery(memory, query)));
    return isHit ? hit : null;
  }

  overlap(query) {
    const { memory } = this;
    need(query, "shape", "origin");
    return memory.scope(() => memory.list(COLLIDER, "bitstep_world_overlap", this.handle, putQuery(memory, query)));
  }

  ground(ground, x, z) {
    const { memory } = this;
    const place = [u32.check(ground), memory.raw(x), memory.raw(z)];
    const { isGround, ...at } = memory.outSized(GROUND, "bitstep_world_ground", this.handle, ...place);
    return isGround ? at : null;
  }

  heights(ground) {
    return this.memory.list(i16, "bitstep_world_heights", this.handle, u32.check(ground));
  }

  facetOwner(facet) {
    return this.memory.out(u32, "bitstep_world_facet_owner", this.handle, u32.check(facet));
  }

  facetTriangles(facet) {
    return this.memory.list(u32, "bitstep_world_facet_triangles", this.handle, u32.check(facet));
  }

  nearest({ most, ...query }) {
    const { memory } = this;
    need({ most, ...query }, "origin", "radius", "most");
    u32.check(most);
    return memory.scope(() => {
      const [asked, at, count] = [putQuery(memory, query), memory.scratch(NEAR.size * most), memory.scratch(u32.size)];
      memory.call("bitstep_world_nearest", this.handle, asked, at, most, count);
      return Array.from({ length: u32.read(memory, count) }, (_, index) => NEAR.read(memory, at + index * NEAR.size));
    });
  }
}

// The address of a query.
function putQuery(memory, { shape, exclude, ...query }) {
  const value = { layers: ALL_LAYERS, ...query, excludes: exclude !== undefined };
  if (shape !== undefined) value.shape = { rotation: NOT_ROTATED, ...shape };
  if (exclude !== undefined) value.exclude = exclude;
  return memory.put(QUERY, value);
}

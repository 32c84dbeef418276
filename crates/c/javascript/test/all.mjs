// node test/all.mjs PACKAGE REPLAY...: what a game does with the package in a folder, and the checksums of recordings, one line each.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...recordings] = process.argv.slice(2);
const url = (path) => pathToFileURL(resolve(folder, path)).href;
const exported = await import(url("src/index.js"));
const { load, BitstepError, HOLE, OTHER_DIAGONAL, sphere, plane, aabb, obb, capsule, toNumber } = exported;
const { COMMANDS, RULES } = await import(url("src/commands.js"));
const structs = await import(url("src/structs.js"));
const { CODES } = await import(url("src/memory.js"));
const header = ["bitstep.h", "bitstep_draw.h"].map((name) => readFileSync(new URL(`../../include/${name}`, import.meta.url), "utf8")).join("\n");
const bitstep = await load();
const another = await load();
const UNIT = 1n << 32n;
const camel = (name) => name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function code(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error.message.length > 3, "a failure has words");
    return error instanceof BitstepError ? error.code : error.name;
  }
  return "ok";
}

// A level of a plane and spheres, and a world with gravity and nothing in it.
function empty(limits = {}, module = bitstep) {
  const level = module.scenery();
  const [ground, ball] = [level.addShape(plane([0, 1, 0])), level.addShape(sphere("0.5"))];
  const material = level.addMaterial({ restitution: "0.5", friction: "0.3" });
  level.addStatic({ shape: ground, material });
  const world = level.world({ tickRate: 60, ...limits });
  assert.deepEqual(world.apply([{ kind: "setGravity", gravity: world.gravityNearest([0, "-9.81", 0]) }]), [true]);
  level.free();
  return { world, ball };
}

function falling(offset, ticks = 200) {
  const { world, ball } = empty();
  const recorder = world.recorder();
  world.enableEvents();
  const bodies = [];
  for (let number = 0; number < 30; number++) {
    const [column, row] = [BigInt(number % 5), BigInt(Math.floor(number / 5) + 2)];
    const position = [column * bitstep.raw("1.25"), row * bitstep.raw("1.5"), BigInt(number * offset)];
    bodies.push(world.spawn({ shape: ball, position, rotates: true }));
  }
  const heard = [];
  for (let tick = 0; tick < ticks; tick++) {
    world.tick();
    recorder.tick();
    heard.push(...world.events());
  }
  return { world, bodies, heard, ball, recording: recorder.finish(), checksum: world.checksum() };
}

// The fields of each struct in the header: names, and types as this package calls them.
function structsOfHeader() {
  const found = new Map();
  for (const [, name, body] of header.matchAll(/typedef struct Bitstep(\w+) \{\n(.*?)\n\} Bitstep/gs)) {
    const fields = [...body.matchAll(/^ {2}(?:const )?(?:struct )?(\w+) (\*?)(\w+)((?:\[\d+\])*);$/gm)];
    const typed = fields.map(([, type, star, field, length]) => [camel(field), star ? "address" : type + length]);
    found.set(name, typed);
  }
  return found;
}

const tests = {
  "structs are those of the header"() {
    const size = { uint32_t: 4, int32_t: 4, uint64_t: 8, BitstepScalar: 8, BitstepBody: 8, BitstepVec3: 24, BitstepRotation: 16 };
    Object.assign(size, { float: 4, "float[3]": 12, "float[4]": 16, BitstepCollider: 16, "uint8_t[16]": 16, BitstepShape: structs.SHAPE.size, "int16_t[8][8]": 128, address: 4 });
    let seen = 0;
    for (const [name, fields] of structsOfHeader()) {
      const mine = structs[name.replace(/(.)([A-Z])/g, "$1_$2").toUpperCase()];
      if (mine?.fields === undefined) {
        assert.ok(["World", "Body", "Recorder", "Replay", "Scenery", "Scene", "Frames"].includes(name), `${name} is missing`);
        continue;
      }
      seen += 1;
      assert.deepEqual(mine.fields.map((field) => field.name), fields.map(([field]) => field), name);
      for (const [index, [field, type]] of fields.entries()) assert.equal(mine.fields[index].type.size, size[type], `${name}.${field}`);
    }
    assert.equal(seen, 25);
  },

  "names are those of the header, in its order"() {
    const numbered = (prefix) => [...header.matchAll(new RegExp(`#define BITSTEP_${prefix}_(\\w+) (\\d+)`, "g"))];
    const lists = { SHAPE: structs.SHAPE.fields[1].type, BODY: structs.BODY_TYPE, ON_HIT: structs.ON_HIT, EVENT: structs.EVENT.fields[0].type };
    for (const [prefix, { names }] of Object.entries(lists)) {
      assert.deepEqual(numbered(prefix).map(([, name, number]) => [camel(name), Number(number)]), names.map((name, index) => [name, index]), prefix);
    }
    assert.deepEqual(numbered("ERROR").map(([, name]) => camel(name)), CODES.slice(1).map((name) => name.replace("SuchBody", "Body")));
    const face = (name) => name.toLowerCase().replace("plus_", "+").replace("minus_", "-");
    assert.deepEqual(numbered("FACE").map(([, name, number]) => [face(name), Number(number)]), structs.FACE.names.map((name, index) => [name, index]));
    assert.equal(Number(header.match(/#define BITSTEP_LAYER_OF_BODY (\d+)/)[1]), structs.LAYER_OF_BODY);
    const rules = header.match(/the rule `third`: (.*)\./)[1];
    assert.deepEqual(rules.split(", ").map((words) => words.split(" ").at(-1)), RULES);
  },

  "types are those of what there is"() {
    const types = readFileSync(new URL("../src/index.d.ts", import.meta.url), "utf8");
    const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
    assert.deepEqual(names(types, /^export (?:function|class|const) (\w+)/gm), Object.keys(exported).sort());
    const { world } = empty();
    const level = bitstep.scenery();
    const objects = { Scenery: level, World: world, Recorder: world.recorder(), Session: bitstep.session(world, { players: 1 }), Bitstep: bitstep };
    objects.Replay = bitstep.replay(objects.Session.finish());
    objects.Frames = bitstep.frames();
    objects.Scene = bitstep.scene(readFileSync(new URL("../../../../replays/cradle.ron", import.meta.url), "utf8"));
    for (const [name, object] of Object.entries(objects)) {
      const declared = types.match(new RegExp(`export interface ${name} [^]*?\n}`))[0];
      const isThere = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((member) => member !== "constructor");
      assert.deepEqual(names(declared, /^ {2}(?:readonly )?(\w+)[(:]/gm), isThere.sort(), name);
    }
  },

  "commands are those of the header, with the fields that it names"() {
    const named = [...header.matchAll(/\/\/ (.*)\n#define BITSTEP_COMMAND_(\w+) (\d+)/g)];
    assert.equal(named.length, Object.keys(COMMANDS).length);
    for (const [, words, name, number] of named) {
      const [mine, fields] = COMMANDS[camel(name)];
      assert.equal(mine, Number(number), name);
      const used = new Set(Object.values(fields).map(([field]) => field).filter((field) => field !== "allowOverlap"));
      if (name === "TELEPORT") used.add("number");
      if (name === "SET_HEIGHTS") used.add("columns").add("rows");
      assert.deepEqual([...used].sort(), [...new Set([...words.matchAll(/`(\w+)`/g)].map(([, field]) => field))].sort(), name);
    }
  },

  "commands do what they say"() {
    const { world, ball } = empty();
    const position = [1, "2.5", 3n * UNIT];
    const body = world.spawn({ shape: ball, position, mass: 4, rotates: true, user: 9n, layer: 3, bodyType: "dynamic" });
    const other = world.spawn({ shape: ball, position: [9, 9, 9] });
    const before = world.body(body);
    assert.deepEqual(before.position, [UNIT, 5n * UNIT / 2n, 3n * UNIT]);
    assert.deepEqual([before.mass, before.rotates, before.user, before.layer, before.bodyType, before.body], [4, true, 9n, 3, "dynamic", body]);
    const turned = [0, 2 ** 30, 0, 0];
    const done = world.apply([
      { kind: "setVelocity", body, velocity: ["0.25", 0, 0] },
      { kind: "applyImpulse", body, impulse: [0, 1, 0] },
      { kind: "setAngularVelocity", body, angularVelocity: ["0.125", 0, 0] },
      { kind: "setUser", body, user: 1n << 63n },
      { kind: "setFilter", body, layer: 5, group: 7 },
      { kind: "remove", body: other },
      { kind: "remove", body: other },
      { kind: "teleport", body, position: [4, 5, 6], rotation: turned },
    ]);
    assert.deepEqual(done, [true, true, true, true, true, true, false, true]);
    const after = world.body(body);
    assert.deepEqual(after.velocity, [UNIT / 4n, UNIT / 4n, 0n]);
    assert.deepEqual([after.position[2], after.orientation, after.user, after.layer], [6n * UNIT, turned, 1n << 63n, 5]);
    assert.ok(after.angularVelocity[0] - UNIT / 8n < 9n && world.body(other) === null);
    assert.equal(world.bodies().length, 1);
    world.apply([{ kind: "teleport", body, position: [7, 5, 6] }, { kind: "freeze", body, ticks: 11 }, { kind: "setSleep", body, sleeps: false }]);
    assert.deepEqual([world.body(body).orientation, world.body(body).frozen], [turned, 11]);
  },

  "heights of ground are set by rows"() {
    const rows = Array.from({ length: 3 }, () => [0, 0, 0]);
    const scene = bitstep.scene(`(title: "", tick_rate: 60, ticks: 1, materials: {"m": (restitution: 0)}, bodies: [],
      shapes: {"s": heights(cell: 1, unit: 0.25, rows: ${JSON.stringify(rows)})},
      statics: [(name: "s", shape: "s", material: "m", position: (0, 0, 0))])`);
    const [world, other] = [scene.world(), scene.world()];
    const dig = { kind: "setHeights", ground: 0, column: 1, row: 0, heights: [[-8, 1], [-7, 2]] };
    assert.deepEqual(world.apply([dig, { ...dig, column: 2 }, { ...dig, heights: [[-8]], lift: true }]), [true, false, true]);
    assert.equal(other.applyBytes(bitstep.encode([dig])), 0);
    assert.deepEqual(other.save(), world.save());
    for (const [x, z, height] of [[1, 0, -8], [2, 0, 1], [1, 1, -7], [2, 1, 2], [0, 0, 0], [1, 2, 0]]) {
      assert.equal(world.castRay({ origin: [x, 8, z], displacement: [0, -16, 0] }).point[1], BigInt(height) << 30n);
    }
    for (const heights of [[], [[]], [[1, 2], [3]], [[1], [2, 3]], [Array(9).fill(0)], Array(9).fill([0]), 3, null, [3], [["1"]]]) {
      assert.equal(code(() => world.apply([{ ...dig, heights }])), "TypeError", JSON.stringify(heights));
    }
    assert.equal(code(() => world.apply([{ ...dig, heights: [[2 ** 15]] }])), "RangeError");
    assert.deepEqual(other.save(), world.save());
  },

  "meshes and ground are built and asked"() {
    const level = bitstep.scenery();
    const points = [[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0]];
    const triangles = [[0, 1, 2], [2, 3, 0], [0, 0, 1]];
    const mesh = level.addMesh({ points, triangles, materials: [0, 1, 1] });
    const { shape, materials, facets, degenerate, openEdges } = mesh;
    assert.deepEqual([shape, mesh.points, mesh.triangles, materials, facets, degenerate], [0, 4, 2, 2, 2, 1]);
    assert.ok(openEdges > 0);
    const heights = [[0, 0, 0], Int16Array.of(0, 4, 0)];
    const ground = level.addHeights({ cell: 1, unit: "0.25", heights, cells: [Uint8Array.of(OTHER_DIAGONAL, HOLE)] });
    assert.deepEqual([ground, level.addMesh({ points, triangles }).materials, level.addHeights({ cell: 1, unit: 1, heights })], [1, 1, 3]);
    const [material] = [level.addMaterial(), level.addMaterial()];
    level.addStatic({ shape, material, position: [20, 0, 0] });
    level.addStatic({ shape: ground, material, position: [0, "0.5", 0] });
    const world = level.world({ tickRate: 60 });
    assert.deepEqual(world.apply([{ kind: "setHeights", ground: 1, column: 1, row: 1, heights: [[8]] }]), [true]);
    const { height, normal } = world.ground(1, "0.5", 1);
    assert.ok(height === 3n * UNIT / 2n && normal[0] < 0n && normal[1] > 0n);
    assert.equal(world.ground(1, "1.5", "0.5"), null);
    assert.deepEqual(world.heights(1), [0, 0, 0, 0, 8, 0]);
    const { collider } = world.castRay({ origin: [23, 1, 1], displacement: [0, -2, 0] });
    assert.deepEqual([world.facetOwner(collider.static), world.facetTriangles(collider.static), world.facetTriangles(1)], [0, [1], []]);
    assert.deepEqual(["ground", "facetOwner", "heights"].map((name) => code(() => world[name](name === "ground" ? 0 : 99, 0, 0))), Array(3).fill("range"));
  },

  "a fighter of two boxes comes up through a ledge"() {
    const level = bitstep.scenery();
    const [box, ledge] = [level.addShape(aabb(["0.5", "0.5", "0.5"])), level.addShape(aabb([2, "0.125", 2]))];
    level.setOpenFace(ledge, "+y");
    const fighter = level.addCompound([{ shape: box }, { shape: box, offset: [0, 1, 0], layer: 3 }]);
    level.addStatic({ shape: ledge, material: level.addMaterial() });
    assert.equal(fighter, 65535);
    const world = level.world({ tickRate: 60 });
    const body = world.spawn({ shape: fighter, position: [0, -2, 0], velocity: [0, "0.25", 0] });
    world.apply([{ kind: "setGravity", gravity: [0, "-0.001953125", 0] }]);
    for (let tick = 0; tick < 400; tick++) world.tick();
    const { position } = world.body(body);
    assert.ok(position[1] > (5n * UNIT) / 8n && position[1] < (3n * UNIT) / 4n, "it stands on the ledge");
    assert.equal(code(() => level.setOpenFace(9, "+x")), "range");
    assert.equal(code(() => level.setOpenFace(0, "top")), "TypeError");
    assert.equal(code(() => level.addCompound([{ offset: [0, 0, 0] }])), "TypeError");
    assert.equal(code(() => level.addCompound([{ shape: box, side: 1 }])), "TypeError");
    assert.equal(code(() => level.addCompound([{ shape: 2 ** 20 }])), "range");
  },

  "meshes and ground that are none are refused"() {
    const level = bitstep.scenery();
    const points = [[0, 0, 0], [0, 0, 4], [4, 0, 4]];
    const [mesh, ground] = [{ points, triangles: [[0, 1, 2]] }, { cell: 1, unit: 1, heights: [[0, 0], [0, 0]] }];
    const meshes = [
      [{ triangles: [[0, 1, 3]] }, "range"], [{ points: [] }, "range"], [{ triangles: [] }, "range"], [{ triangles: [[0, 1]] }, "TypeError"],
      [{ triangles: [[0, 1, -1]] }, "RangeError"], [{ triangles: [0, 1, 2] }, "TypeError"], [{ triangles: 3 }, "TypeError"],
      [{ points: 3 }, "TypeError"], [{ points: [[0, 0]] }, "TypeError"], [{ points: [[0.5, 0, 0]] }, "TypeError"], [{ points: undefined }, "TypeError"],
      [{ materials: [0, 0] }, "TypeError"], [{ materials: [256] }, "RangeError"], [{ materials: null }, "TypeError"], [{ material: 3 }, "TypeError"],
    ];
    for (const [wrong, expected] of meshes) assert.equal(code(() => level.addMesh({ ...mesh, ...wrong })), expected, JSON.stringify(wrong));
    const grounds = [
      [{ heights: [] }, "range"], [{ heights: [[0, 0]] }, "range"], [{ heights: [[0], [0]] }, "range"], [{ heights: [[0, 0], [0]] }, "TypeError"],
      [{ heights: [[0, 0], [0, 2 ** 15]] }, "RangeError"], [{ heights: [[0, 0], [0, "1"]] }, "TypeError"], [{ heights: 3 }, "TypeError"],
      [{ heights: [3, 3] }, "TypeError"], [{ cell: 0 }, "range"], [{ unit: -1 }, "range"], [{ unit: 0.5 }, "TypeError"], [{ cell: undefined }, "TypeError"],
      [{ cells: [[0, 0]] }, "TypeError"], [{ cells: [[HOLE]] }, "range"], [{ cells: [[255]] }, "range"], [{ cells: [[256]] }, "RangeError"],
      [{ holes: [] }, "TypeError"],
    ];
    for (const [wrong, expected] of grounds) assert.equal(code(() => level.addHeights({ ...ground, ...wrong })), expected, JSON.stringify(wrong));
    assert.equal(code(() => level.addMeshFile(new Uint8Array(9))), "data");
    assert.equal(code(() => level.addMeshFile([1, 2])), "TypeError");
    assert.deepEqual([level.addMesh(mesh).shape, level.addHeights(ground)], [0, 1], "nothing was added");
  },

  "bodies sleep unless they are told not to"() {
    const { world, ball } = empty({ sleepAfter: 5 });
    const bodies = [0, 4].map((x) => world.spawn({ shape: ball, position: [x, "0.75", 0] }));
    assert.deepEqual(world.apply([{ kind: "setSleep", body: bodies[1], sleeps: false }]), [true]);
    for (let tick = 0; tick < 300; tick++) world.tick();
    assert.deepEqual(bodies.map((body) => world.body(body).isAsleep), [true, false]);
  },

  "events are heard where they are asked for"() {
    const { world, ball } = empty();
    world.spawn({ shape: ball, position: [0, "0.75", 0] });
    const heard = [true, false].map((isEnabled) => {
      const other = world.clone();
      other.enableEvents(isEnabled);
      let count = 0;
      for (let tick = 0; tick < 60; tick++) {
        other.tick();
        count += other.events().length + other.impulses().length;
      }
      return count > 0;
    });
    assert.deepEqual(heard, [true, false]);
  },

  "pictures are between two ticks"() {
    const { world, ball } = empty();
    const body = world.spawn({ shape: ball, position: [1, 5, 0], velocity: ["0.5", 0, 0] });
    const frames = bitstep.frames();
    assert.deepEqual(frames.between(0), []);
    frames.push(world);
    assert.deepEqual(frames.between(0.5), [{ body, position: [1, 5, 0], orientation: [0, 0, 0, 1], isNew: true }]);
    world.tick();
    const later = world.spawn({ shape: ball, position: [9, 5, 0] });
    frames.push(world);
    const [first, second] = frames.between(0.25, [1, "4.5", 0]);
    assert.deepEqual([first.body, first.position[0], first.isNew, second.body, second.isNew], [body, 0.125, false, later, true]);
    assert.ok(first.position[1] < 0.5 && first.position[1] > 0.49);
    assert.equal(code(() => frames.between(NaN)), "range");
    assert.equal(code(() => frames.between("0")), "TypeError");
    const lines = world.lines([0, 5, 0]);
    assert.deepEqual([lines[0].collider, lines.at(-1).collider, lines[0].a.length], [{ body }, { static: 0 }, 3]);
    assert.ok(lines.filter(({ collider }) => collider.body === later).every(({ a: [x, y, z] }) => Math.abs(Math.hypot(x - 9, y, z) - 0.5) < 1e-6));
  },

  "objects of another module are none of this one"() {
    assert.equal(code(() => bitstep.frames().push(empty({}, another).world)), "TypeError");
  },

  async "a module that met a fault is of no use"() {
    const broken = await load();
    const { memory } = broken.scenery();
    const bitstep_scenery_new = () => { throw new WebAssembly.RuntimeError("unreachable"); };
    memory.exports = { ...memory.exports, bitstep_scenery_new };
    assert.deepEqual([1, 2].map(() => code(() => broken.scenery())), ["panic", "poisoned"]);
    assert.equal(code(() => broken.raw("1")), "poisoned");
    assert.equal(code(() => bitstep.scenery()), "ok");
  },

  "bytes of commands do the same"() {
    const { world, ball } = empty();
    const other = world.clone();
    const spawn = { shape: ball, position: [0, 4, 0], onHit: "remove" };
    const commands = [{ kind: "setUser", body: world.spawn(spawn), user: 5n }];
    world.apply(commands);
    const bytes = [...bitstep.encodeSpawn(spawn), ...bitstep.encode(commands)];
    assert.equal(other.applyBytes(Uint8Array.from(bytes)), 0);
    assert.deepEqual(other.save(), world.save());
    assert.equal(other.applyBytes(bitstep.encode([{ kind: "remove", body: 9n }])), 1);
  },

  "a world falls, is saved, restored and asked"() {
    const { world, bodies, heard, checksum } = falling(1000);
    assert.ok(heard.length > 30 && heard.some(({ kind, b }) => kind === "hit" && b.static === 0));
    assert.deepEqual([world.report().tick, world.tickCount], [200n, 200n]);
    assert.ok(toNumber(world.body(bodies[0]).position[1]) < 4);
    const hit = world.castRay({ origin: [40, 5, 0], displacement: [0, -10, 0] });
    assert.deepEqual([hit.collider, hit.point[1], hit.toi], [{ static: 0 }, 0n, UNIT / 2n]);
    assert.equal(world.castRay({ origin: [40, 5, 0], displacement: [0, -10, 0], exclude: { static: 0 } }), null);
    assert.equal(world.castRay({ origin: [40, 5, 0], displacement: [0, -10, 0], layers: 2 }), null);
    for (const shape of [sphere(1), aabb([1, 1, 1]), obb([1, 1, 1], [2 ** 30, 0, 0, 0]), capsule([0, "0.5", 0], "0.5")]) {
      assert.deepEqual(world.castShape({ shape, origin: [40, 5, 0], displacement: [0, -10, 0] }).point[1] - UNIT < 1000n, true);
    }
    assert.equal(world.nearest({ origin: [0, 0, 0], radius: 50, most: 3 }).length, 3);
    assert.equal(world.overlap({ origin: [0, 0, 0], shape: sphere(20) }).length, 31);
    const snapshot = world.save();
    world.tick();
    assert.notEqual(world.checksum(), checksum);
    world.restore(snapshot);
    assert.equal(world.checksum(), checksum);
  },

  "hulls of points have a center and axes"() {
    const level = bitstep.scenery();
    const ramp = [0, 3].flatMap((z) => [[0, 0, z], [4, 0, z], [4, 2, z]]);
    const [hull, upright] = [level.addHull(ramp), level.addHullUpright([...ramp, [2, "0.5", 1]])];
    assert.deepEqual([hull.shape, upright.shape, hull.corners, upright.corners], [0, 1, 6, 6]);
    assert.deepEqual(hull.center, upright.center);
    assert.deepEqual(upright.axes, [2 ** 30, 0, 0, 0]);
    assert.notDeepEqual(hull.axes, upright.axes);
    assert.equal(code(() => level.addHull(ramp.slice(0, 3))), "range");
    assert.equal(code(() => level.addHull(3)), "TypeError");
  },

  "a recording verifies, and one that differs is named"() {
    const [{ recording, checksum }, { recording: changed }] = [falling(1000), falling(1001)];
    const [replay, other] = [bitstep.replay(recording), bitstep.replay(changed)];
    assert.deepEqual(replay.verify(), { isSame: true, ticks: 200n, firstDifferent: null, checksum });
    assert.equal(replay.diff(replay), null);
    assert.equal(replay.diffJson(replay), null);
    assert.ok(replay.diff(other).length > 20 && replay.diffJson(other).judgement);
    assert.equal(replay.world(200).checksum(), checksum);
    assert.equal(code(() => replay.world(201)), "order");
  },

  "errors say what is wrong"() {
    const { world, ball } = empty();
    assert.equal(code(() => world.spawn({ shape: ball, position: [0, 0, 0] })), "refused");
    assert.equal(code(() => world.spawn({ shape: 99, position: [0, 4, 0] })), "refused");
    assert.equal(code(() => world.spawn({ shape: ball, positon: [0, 4, 0] })), "TypeError");
    assert.equal(code(() => world.spawn({ shape: ball, position: [0.5, 4, 0] })), "TypeError");
    assert.equal(code(() => world.spawn({ shape: ball, position: [0, 4] })), "TypeError");
    assert.equal(code(() => world.spawn({ shape: ball, mass: -1 })), "RangeError");
    assert.equal(code(() => world.apply([{ kind: "jump" }])), "TypeError");
    assert.equal(code(() => world.apply([{ kind: "remove" }])), "TypeError");
    assert.equal(code(() => world.apply([{ kind: "remove", body: 3 }])), "TypeError");
    assert.equal(code(() => world.apply([{ kind: "setLayers", a: 0, b: 0, rule: "gas" }])), "TypeError");
    assert.equal(code(() => world.applyBytes(new Uint8Array(9))), "data");
    assert.equal(code(() => world.restore(new Uint8Array(9))), "data");
    assert.equal(code(() => bitstep.replay(new Uint8Array(0))), "data");
    assert.equal(code(() => bitstep.scene("(title: 3)")), "data");
    assert.equal(code(() => bitstep.raw("1e10")), "range");
    assert.equal(code(() => bitstep.raw(10 ** 30)), "RangeError");
    assert.equal(code(() => bitstep.raw("1\0")), "TypeError");
    const bad = [undefined, null, 3, "0", -1n, 1n << 64n, {}];
    for (const body of bad) assert.match(code(() => world.body(body)), /^(Type|Range)Error$/);
    for (const other of bad.concat(bitstep.scenery())) {
      assert.equal(code(() => bitstep.frames().push(other)), "TypeError");
      assert.equal(code(() => bitstep.session(other, { players: 1 })), "TypeError");
    }
    for (const most of [undefined, -1, 0.5, NaN, Infinity]) {
      assert.match(code(() => world.nearest({ origin: [0, 0, 0], radius: 1, most })), /^(Type|Range)Error$/);
    }
    for (const exclude of [{}, null, 3, { body: undefined }, { body: 1n, static: 1 }]) {
      assert.equal(code(() => world.castRay({ origin: [0, 0, 0], displacement: [0, 1, 0], exclude })), "TypeError");
    }
    const level = bitstep.scenery();
    for (const missing of [() => world.castRay({}), () => level.addStatic({ shape: 0 }), () => level.addShape({}), () => world.spawn({})]) {
      assert.equal(code(missing), "TypeError");
    }
    assert.equal(code(() => level.addMaterial({ restituton: 1 })), "TypeError");
    assert.equal(code(() => level.addMaterial({ restitution: 2 ** 32 })), "RangeError");
    assert.match(code(() => empty({ tickRate: 59.94 })), /Error$/);
    assert.equal(code(() => world.apply([{ kind: "setVelocity", body: 0n, velocity: "123" }])), "TypeError");
    const words = (() => {
      try {
        return world.apply([{ kind: "remove", body: 0n }, { kind: "setVelocity", body: 0n, velocity: [0.5, 0, 0] }]);
      } catch ({ message }) {
        return message;
      }
    })();
    assert.equal(words, 'command 1, "setVelocity": velocity: 0.5 is no bigint, whole number, or text such as "0.5"');
    assert.equal(code(() => world.memory.code("bitstep_world_tick", undefined)), "TypeError");
    assert.equal(code(() => bitstep.scenery()), "ok", "the module is as before");
    assert.equal(code(() => empty({ tickRate: 0 })), "range");
    world.free();
    world.free();
    assert.equal(code(() => world.tick()), "handle");
    assert.equal(code(() => world.apply([])), "handle");
  },

  "memory does not grow with what is freed"() {
    const { world } = falling(1000, 5);
    const large = new Uint8Array(1 << 20);
    const size = () => world.memory.exports.memory.buffer.byteLength;
    let before;
    for (let round = 0; round < 300; round++) {
      assert.equal(code(() => world.restore(large)), "data");
      world.clone().free();
      if (round === 10) before = size();
    }
    assert.equal(size(), before);
  },
};

// A link in which bytes take a drawn number of frames, so that some overtake others.
function link(draw) {
  const flying = [];
  return {
    send: (frame, message) => flying.push({ due: frame + 1 + draw(6), message }),
    take(frame) {
      const here = flying.filter(({ due }) => due <= frame);
      for (const one of here) flying.splice(flying.indexOf(one), 1);
      return here.map(({ message }) => message);
    },
  };
}

// A match of two over bad links: after each frame the world ahead is what comes of the commands that its side knows.
function match(seed) {
  let state = seed;
  const draw = (below) => (state = (state * 48271) % 2147483647) % below;
  const { world, ball } = empty();
  const bodies = [0, 1].map((player) => world.spawn({ shape: ball, position: [4 * player, 2, 0] }));
  const sides = [0, 1].map(() => ({ known: new Map(), heard: [], predicted: [], ordered: 0, link: link(draw) }));
  for (const side of sides) {
    const onConfirmed = (confirmed) => side.heard.push(confirmed.checksum());
    side.session = bitstep.session(world, { players: 2, window: 8, onConfirmed });
  }
  const order = (side, tick, player, bytes) => {
    side.session.order(tick, player, bytes);
    side.known.set(`${tick} ${player}`, new Uint8Array(bytes));
    bytes.fill(0); // the session has a copy
  };
  for (let frame = 0; frame < 400; frame++) {
    for (const [player, side] of sides.entries()) {
      const { session } = side;
      const isAway = player === 0 && frame % 100 > 85; // a page in the background: messages come, and nothing is played
      for (const [tick, bytes] of sides[1 - player].link.take(frame)) order(side, tick, 1 - player, bytes);
      if (isAway) continue;
      if (side.ordered === session.tick) {
        const kick = { kind: "applyImpulse", body: bodies[player], impulse: [draw(3) - 1, draw(2), 0] };
        const bytes = Buffer.from(draw(4) === 0 ? bitstep.encode([kick]) : []);
        side.ordered += 1;
        side.link.send(frame, [side.ordered, Buffer.from(bytes)]);
        order(side, side.ordered, player, bytes);
      }
      if (session.advance()) side.predicted.push(session.world.checksum());
      assert.ok(session.tick - session.confirmedTick <= 8 && session.tick === side.predicted.length);
      if (frame % 40 === 0) assert.equal(session.world.checksum(), played(world, side.known, session.tick), `frame ${frame}`);
    }
  }
  return sides;
}

// The checksum of a world that is played to a tick with commands by tick and player.
function played(world, commands, ticks) {
  const other = world.clone();
  for (let tick = 1; tick <= ticks; tick++) {
    for (const player of [0, 1]) other.applyBytes(commands.get(`${tick} ${player}`) ?? new Uint8Array(0));
    other.tick();
  }
  const checksum = other.checksum();
  other.free();
  return checksum;
}

tests["two sessions over bad links come to the same recording"] = () => {
  for (let seed = 1; seed <= 12; seed++) {
    const sides = match(seed);
    const length = Math.min(...sides.map(({ heard }) => heard.length));
    for (const { heard, predicted, session } of sides) {
      assert.deepEqual(heard.slice(0, length), sides[0].heard.slice(0, length));
      const wrong = heard.filter((checksum, tick) => checksum !== predicted[tick]).length;
      assert.ok(length > 250 && wrong > 20, `${length} ticks, of which ${wrong} came out otherwise than played first`);
      const { isSame, ticks } = bitstep.replay(session.finish()).verify();
      assert.ok(isSame && ticks === BigInt(heard.length));
      session.free();
    }
  }
};

tests["a session refuses what it must"] = () => {
  const { world } = empty();
  const session = bitstep.session(world, { players: 2, window: 3 });
  const none = new Uint8Array(0);
  assert.equal(code(() => session.order(0, 0, none)), "RangeError");
  assert.equal(code(() => session.order(13, 0, none)), "RangeError");
  assert.equal(code(() => session.order(1, 2, none)), "RangeError");
  assert.equal(code(() => session.order(1, 0, new Uint8Array(9))), "data");
  assert.equal(code(() => session.order(1, 0, [])), "TypeError");
  assert.equal(code(() => session.order(1, 0, new Uint8Array(65537))), "RangeError");
  const kick = bitstep.encode([{ kind: "setUser", body: 0n, user: 3n }]);
  assert.deepEqual([session.order(1, 0, kick), session.order(1, 0, kick)], [true, false]);
  assert.equal(code(() => session.order(1, 0, none)), "RangeError");
  assert.deepEqual([1, 2, 3, 4, 5].map(() => session.advance()), [true, true, true, false, false]);
  assert.deepEqual([session.tick, session.confirmedTick], [3, 0]);
  session.order(1, 1, kick);
  const played = [];
  assert.deepEqual([session.advance((world) => played.push(world.tickCount)), session.tick, session.confirmedTick], [true, 4, 1]);
  assert.deepEqual(played, [2n, 3n, 4n]);
  assert.equal(session.order(1, 1, kick), false);
  for (const player of [0, 1]) for (const tick of [2, 3, 4]) session.order(tick, player, none);
  assert.equal(bitstep.replay(session.finish()).tickCount, 4n);
  assert.equal(code(() => session.advance()), "Error");
  assert.equal(code(() => session.order(9, 1, none)), "Error");
  assert.equal(code(() => bitstep.session(world, { players: 0 })), "RangeError");
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
  } catch (error) {
    failed += 1;
    console.error(`${name}: ${error.stack}`);
  }
}
if (failed > 0) process.exit(1);
for (const path of recordings) {
  const replay = bitstep.replay(readFileSync(path));
  const world = replay.world();
  for (let tick = 1n; tick <= replay.tickCount; tick++) {
    world.applyBytes(replay.commands(tick));
    world.tick();
  }
  assert.equal(world.checksum(), replay.verify().checksum);
  const scene = bitstep.scene(readFileSync(path.replace(/replay$/, "ron"), "utf8"));
  const other = scene.world();
  for (let tick = 0n; tick < scene.tickCount; tick++) scene.tick(other);
  assert.equal(other.checksum(), world.checksum(), path);
  console.log(world.checksum());
}

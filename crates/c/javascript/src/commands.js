// Commands by name, with the fields that they have; bitstep.h has one struct for all of them.

import { show } from "./layout.js";
import { COMMAND, ON_HIT, SPAWN } from "./structs.js";

export const RULES = ["ignore", "sensor", "soft", "solid"];
const of = (names, what) => (value) => {
  if (!names.includes(value)) throw new TypeError(`${what}: ${show(value)} is none of ${names.join(", ")}`);
  return names.indexOf(value);
};
const rule = ["third", of(RULES, "rule")];
const onHit = ["number", of(ON_HIT.names, "onHit")];
const sleeps = ["number", of([false, true], "sleeps")];

// Of each command its number, and of its fields the one in C, with what makes a number of the value.
export const COMMANDS = {
  remove: [1, { body: ["body"] }],
  teleport: [2, { body: ["body"], position: ["vector"], rotation: ["rotation"], allowOverlap: ["allowOverlap"] }],
  moveKinematic: [3, { body: ["body"], position: ["vector"] }],
  setVelocity: [4, { body: ["body"], velocity: ["vector"] }],
  applyImpulse: [5, { body: ["body"], impulse: ["vector"] }],
  applyImpulseAt: [6, { body: ["body"], impulse: ["vector"], point: ["point"] }],
  applyAngularImpulse: [7, { body: ["body"], angularImpulse: ["vector"] }],
  setAngularVelocity: [8, { body: ["body"], angularVelocity: ["vector"] }],
  setGravity: [9, { gravity: ["vector"] }],
  setShape: [10, { body: ["body"], shape: ["number"], allowOverlap: ["allowOverlap"] }],
  setFilter: [11, { body: ["body"], layer: ["number"], group: ["second"], allowOverlap: ["allowOverlap"] }],
  setLayers: [12, { a: ["number"], b: ["second"], rule, allowOverlap: ["allowOverlap"] }],
  setLocks: [13, { body: ["body"], locks: ["number"] }],
  setDamping: [14, { body: ["body"], dampingQ16: ["number"] }],
  freeze: [15, { body: ["body"], ticks: ["number"] }],
  drive: [16, { body: ["body"], velocity: ["vector"], accelMax: ["scalar"] }],
  endDrive: [17, { body: ["body"] }],
  setOnHit: [18, { body: ["body"], onHit }],
  setDominance: [19, { body: ["body"], dominance: ["number"] }],
  ignorePair: [20, { a: ["body"], b: ["other"], ticks: ["number"] }],
  setSleep: [21, { body: ["body"], sleeps }],
  setUser: [22, { body: ["body"], user: ["user"] }],
};
const OPTIONAL = ["rotation", "allowOverlap"];

// A command as bitstep.h has it.
function generic({ kind, ...values }) {
  if (!Object.hasOwn(COMMANDS, kind)) throw new TypeError(`there is no command ${show(kind)}`);
  const [number, fields] = COMMANDS[kind];
  for (const name of Object.keys(values)) if (!Object.hasOwn(fields, name)) throw new TypeError(`${kind} has no ${name}`);
  const value = { kind: number, rotation: [1 << 30, 0, 0, 0] };
  for (const [name, [field, into]] of Object.entries(fields)) {
    if (values[name] !== undefined) value[field] = into ? into(values[name]) : values[name];
    else if (!OPTIONAL.includes(name)) throw new TypeError(`${kind} needs ${name}`);
  }
  if (kind === "teleport" && values.rotation !== undefined) value.number = 1;
  return value;
}

// The address of commands in a room.
export function putCommands(memory, commands) {
  return memory.putList(COMMAND, commands.map(generic));
}

// The address of the values of a new body in a room: the defaults, and what is given.
export function putSpawn(memory, values) {
  const at = memory.room(SPAWN.size);
  memory.call("bitstep_spawn_init", values.shape, at);
  SPAWN.write(memory, at, values);
  return at;
}

// Commands by name, with the fields that they have; bitstep.h has one struct for all of them.

import { indexIn, need, show } from "./layout.js";
import { COMMAND, ON_HIT, SPAWN } from "./structs.js";

export const RULES = ["ignore", "sensor", "soft", "solid"];
const rule = ["third", (value) => indexIn(RULES, value)];
const onHit = ["number", (value) => indexIn(ON_HIT.names, value)];
const sleeps = ["number", (value) => indexIn([false, true], value)];

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
  setHeights: [23, { ground: ["number"], column: ["second"], row: ["third"], heights: ["heights"], lift: ["allowOverlap"] }],
};
const OPTIONAL = ["rotation", "allowOverlap", "lift"];

// A command as bitstep.h has it.
function generic({ kind, ...values }) {
  if (!Object.hasOwn(COMMANDS, kind)) throw new TypeError("there is no such command");
  const [number, fields] = COMMANDS[kind];
  for (const name of Object.keys(values)) if (!Object.hasOwn(fields, name)) throw new TypeError(`there is no ${name}`);
  need(values, ...Object.keys(fields).filter((name) => !OPTIONAL.includes(name)));
  const value = { kind: number, rotation: [1 << 30, 0, 0, 0] };
  for (const [name, [field, into]] of Object.entries(fields)) {
    if (values[name] !== undefined) value[field] = into ? into(values[name]) : values[name];
  }
  if (kind === "teleport" && values.rotation !== undefined) value.number = 1;
  if (kind === "setHeights") [value.columns, value.rows] = [values.heights?.[0]?.length ?? 0, values.heights?.length ?? 0];
  return value;
}

// A command as a type: errors name its place, its kind, and the field by its name here.
const WRITTEN = {
  ...COMMAND,
  write(memory, at, [command, place]) {
    try {
      COMMAND.write(memory, at, generic(command));
    } catch (error) {
      const fields = Object.entries(COMMANDS[command?.kind]?.[1] ?? {});
      const named = error.message.replace(/^\w+(?=:)/, (field) => fields.find(([, [of]]) => of === field)?.[0] ?? field);
      if (error instanceof TypeError || error instanceof RangeError) error.message = `command ${place}, ${show(command?.kind)}: ${named}`;
      throw error;
    }
  },
};

// The address of commands.
export function putCommands(memory, commands) {
  return memory.putList(WRITTEN, commands.map((command, place) => [command, place]));
}

// The address of the values of a new body: the defaults, and what is given.
export function putSpawn(memory, values) {
  need(values, "shape");
  const at = memory.scratch(SPAWN.size);
  memory.call("bitstep_spawn_init", 0, at);
  SPAWN.write(memory, at, values);
  return at;
}

// bitstep: deterministic fixed-point physics, as a module of WebAssembly. index.d.ts says what each thing is.

import { putCommands, putSpawn } from "./commands.js";
import { Frames } from "./frames.js";
import { BitstepError, Memory } from "./memory.js";
import { Replay } from "./replay.js";
import { Scene } from "./scene.js";
import { Session } from "./session.js";
import { Scenery, World } from "./world.js";

export { BitstepError };

export const sphere = (radius) => ({ kind: "sphere", radius });
export const aabb = (half) => ({ kind: "aabb", half });
export const obb = (half, rotation) => ({ kind: "obb", half, rotation });
export const capsule = (halfAxis, radius) => ({ kind: "capsule", half: halfAxis, radius });
export const plane = (normal) => ({ kind: "plane", half: normal });

// Cells of ground: the number of a material, 0 to 126, to which the second may be added, or the first.
export const [HOLE, OTHER_DIAGONAL] = [127, 128];

// The number of a raw one as a float, for drawing.
export const toNumber = (raw) => Number(raw) / 2 ** 32;

export async function load(source = new URL("../bitstep.wasm", import.meta.url)) {
  const { instance } = await instantiate(source);
  return new Bitstep(new Memory(instance.exports));
}

async function instantiate(source) {
  if (source instanceof WebAssembly.Module) return { instance: await WebAssembly.instantiate(source, {}) };
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.instantiate(source, {});
  const url = new URL(source, globalThis.location?.href ?? `file://${globalThis.process?.cwd()}/`);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.instantiate(await readFile(url), {});
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.instantiate(await response.arrayBuffer(), {});
}

class Bitstep {
  #memory;

  constructor(memory) {
    this.#memory = memory;
  }

  get rulesVersion() {
    return this.#memory.exports.bitstep_rules_version();
  }

  get build() {
    return this.#memory.textAt(this.#memory.exports.bitstep_build());
  }

  raw(number) {
    return this.#memory.raw(number);
  }

  scenery() {
    return new Scenery(this.#memory);
  }

  scene(text) {
    return new Scene(this.#memory, text);
  }

  frames() {
    return new Frames(this.#memory);
  }

  replay(bytes) {
    return new Replay(this.#memory, bytes);
  }

  session(world, options) {
    this.#memory.handle(World, world);
    return new Session(world, options);
  }

  encode(commands) {
    const memory = this.#memory;
    return memory.scope(() => memory.bytes("bitstep_commands_encode", putCommands(memory, commands), commands.length));
  }

  encodeSpawn(values) {
    const memory = this.#memory;
    return memory.scope(() => memory.bytes("bitstep_spawn_encode", putSpawn(memory, values)));
  }
}

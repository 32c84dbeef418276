// Rollback: a world of confirmed ticks, and one ahead of it that is played without the commands that are missing.

import { u32 } from "./layout.js";

// A tick may have commands before it is played, by so many windows: the other side may be ahead, and orders with a delay.
const WINDOWS_AHEAD = 4;

export class Session {
  #confirmed;
  #ahead;
  #recorder;
  #options;
  #commands = new Map(); // of every tick after the confirmed ones: the bytes of each player, or null
  #isStale = false; // whether the world ahead lacks commands that have come
  #isOver = false;

  constructor(world, { players, window = 8, bytesMax = 65536, onConfirmed = () => {} }) {
    for (const [name, number] of Object.entries({ players, window, bytesMax })) {
      if (!Number.isInteger(number) || number < 1) throw new RangeError(`${name}: ${number} is no number from 1`);
    }
    [this.#confirmed, this.#ahead] = [world.clone(), world.clone()];
    this.#recorder = this.#confirmed.recorder();
    this.#options = { players, window, bytesMax, onConfirmed };
  }

  get world() {
    return this.#ahead;
  }

  get tick() {
    return Number(this.#ahead.tickCount);
  }

  get confirmedTick() {
    return Number(this.#confirmed.tickCount);
  }

  order(tick, player, bytes) {
    this.#demandOpen();
    const { players, window, bytesMax } = this.#options;
    const last = this.tick + WINDOWS_AHEAD * window;
    if (!Number.isInteger(tick) || tick < 1 || tick > last) throw new RangeError(`tick ${tick} is not from 1 to ${last}`);
    if (!Number.isInteger(player) || player < 0 || player >= players) throw new RangeError(`there is no player ${player}`);
    if (!(bytes instanceof Uint8Array)) throw new TypeError("commands are no Uint8Array");
    if (bytes.length > bytesMax) throw new RangeError(`${bytes.length} bytes, at most ${bytesMax}`);
    if (tick <= this.confirmedTick) return false;
    const { memory } = this.#ahead;
    memory.scope(() => memory.out(u32, "bitstep_commands_count", memory.putBytes(bytes), bytes.length)); // throws if they are none
    if (!this.#commands.has(tick)) this.#commands.set(tick, new Array(players).fill(null));
    const all = this.#commands.get(tick);
    if (all[player] !== null) {
      if (!isSame(all[player], bytes)) throw new RangeError(`player ${player} has ordered something else for tick ${tick}`);
      return false;
    }
    all[player] = new Uint8Array(bytes); // also of a Buffer, whose slice is no copy
    if (tick <= this.tick && bytes.length > 0) this.#isStale = true;
    return true;
  }

  advance(onTick = () => {}) {
    this.#demandOpen();
    const { tick } = this;
    this.#confirmTo(tick);
    if (this.#isStale) this.#ahead.restore(this.#confirmed.save());
    this.#isStale = false;
    const moves = tick - this.confirmedTick < this.#options.window;
    while (this.tick < tick + Number(moves)) {
      this.#play(this.#ahead);
      onTick(this.#ahead);
    }
    return moves;
  }

  finish() {
    this.#demandOpen();
    this.#confirmTo(this.tick);
    this.#isOver = true;
    return this.#recorder.finish();
  }

  free() {
    this.#isOver = true;
    for (const owned of [this.#recorder, this.#confirmed, this.#ahead]) owned.free();
  }

  // Confirms ticks up to one, as far as all players have ordered.
  #confirmTo(last) {
    while (this.confirmedTick < last && this.#commands.get(this.confirmedTick + 1)?.every((bytes) => bytes !== null)) {
      this.#play(this.#confirmed);
      this.#recorder.tick();
      this.#commands.delete(this.confirmedTick);
      this.#options.onConfirmed(this.#confirmed);
    }
  }

  #play(world) {
    const commands = this.#commands.get(Number(world.tickCount) + 1) ?? [];
    for (const bytes of commands) if (bytes !== null) world.applyBytes(bytes);
    world.tick();
  }

  #demandOpen() {
    if (this.#isOver) throw new Error("the session is over");
  }
}

function isSame(a, b) {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}

// Rollback: a world of ticks that are confirmed, and one ahead of it, played without the commands that have not come yet.

import { u32 } from "./layout.js";

export class Session {
  #confirmed;
  #ahead;
  #recorder;
  #players;
  #window;
  #onConfirmed;
  #commands = new Map(); // of every tick behind the confirmed ones: the bytes of each player, or null
  #isStale = false; // whether the world ahead lacks commands that have come

  constructor(world, { players, window = 8, onConfirmed = () => {} }) {
    for (const [name, number] of Object.entries({ players, window })) {
      if (!Number.isInteger(number) || number < 1) throw new RangeError(`${name}: ${number} is no number from 1`);
    }
    [this.#confirmed, this.#ahead] = [world.clone(), world.clone()];
    this.#recorder = this.#confirmed.recorder();
    [this.#players, this.#window, this.#onConfirmed] = [players, window, onConfirmed];
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

  // Takes the commands of a player for a tick: once for each, and in any order.
  order(tick, player, bytes) {
    const [first, last] = [this.confirmedTick + 1, this.tick + this.#window];
    if (!Number.isInteger(tick) || tick < first || tick > last) throw new RangeError(`tick ${tick} is not from ${first} to ${last}`);
    if (!Number.isInteger(player) || player < 0 || player >= this.#players) throw new RangeError(`there is no player ${player}`);
    const { memory } = this.#ahead;
    memory.scope(() => memory.out(u32, "bitstep_commands_count", memory.putBytes(bytes), bytes.length)); // throws if they are none
    if (!this.#commands.has(tick)) this.#commands.set(tick, new Array(this.#players).fill(null));
    const all = this.#commands.get(tick);
    if (all[player] !== null) throw new RangeError(`player ${player} has ordered for tick ${tick} before`);
    all[player] = bytes.slice();
    if (tick <= this.tick && bytes.length > 0) this.#isStale = true;
  }

  // Confirms ticks that were played and for which all have ordered, plays again what lacked commands, and then one tick more; false if that
  // one has to wait for others.
  advance() {
    const { tick } = this;
    while (this.confirmedTick < tick && this.#commands.get(this.confirmedTick + 1)?.every((bytes) => bytes !== null)) this.#confirm();
    if (this.#isStale) this.#ahead.restore(this.#confirmed.save());
    this.#isStale = false;
    const moves = tick - this.confirmedTick < this.#window;
    while (this.tick < tick + Number(moves)) this.#play(this.#ahead);
    return moves;
  }

  finish() {
    return this.#recorder.finish();
  }

  free() {
    for (const owned of [this.#recorder, this.#confirmed, this.#ahead]) owned.free();
  }

  #confirm() {
    this.#play(this.#confirmed);
    this.#recorder.tick();
    this.#commands.delete(this.confirmedTick);
    this.#onConfirmed(this.#confirmed);
  }

  #play(world) {
    const commands = this.#commands.get(Number(world.tickCount) + 1) ?? [];
    for (const bytes of commands) if (bytes !== null) world.applyBytes(bytes);
    world.tick();
  }
}

// Recordings that were made: verified, compared, and played.

import { u64 } from "./layout.js";
import { Owned } from "./memory.js";
import { VERDICT } from "./structs.js";
import { World } from "./world.js";

export class Replay extends Owned {
  constructor(memory, bytes) {
    const handle = memory.scope(() => memory.out(u64, "bitstep_replay_new", memory.putBytes(bytes), bytes.length));
    super(memory, handle, "bitstep_replay_free");
  }

  get tickCount() {
    return this.memory.out(u64, "bitstep_replay_tick_count", this.handle);
  }

  world(tick = 0n) {
    return new World(this.memory, this.memory.out(u64, "bitstep_replay_world", this.handle, u64.check(BigInt(tick))));
  }

  commands(tick) {
    return this.memory.bytes("bitstep_replay_commands", this.handle, u64.check(BigInt(tick)));
  }

  verify() {
    const verdict = this.memory.outSized(VERDICT, "bitstep_replay_verify", this.handle);
    return { ...verdict, firstDifferent: verdict.isSame ? null : verdict.firstDifferent };
  }

  diff(other) {
    return this.memory.text("bitstep_replay_diff", this.handle, this.memory.handle(Replay, other)) || null;
  }

  diffJson(other) {
    const text = this.memory.text("bitstep_replay_diff_json", this.handle, this.memory.handle(Replay, other));
    return text ? JSON.parse(text) : null;
  }
}

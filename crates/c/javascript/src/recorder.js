// Recordings that are made.

import { u64 } from "./layout.js";
import { Owned } from "./memory.js";

export class Recorder extends Owned {
  constructor({ memory, handle }) {
    super(memory, memory.out(u64, "bitstep_recorder_new", handle), "bitstep_recorder_free");
  }

  tick() {
    this.memory.call("bitstep_recorder_tick", this.handle);
  }

  finish() {
    return this.memory.bytes("bitstep_recorder_finish", this.handle);
  }
}

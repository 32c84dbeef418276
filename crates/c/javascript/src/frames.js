// Pictures between two ticks.

import { need, u64 } from "./layout.js";
import { Owned } from "./memory.js";
import { POSE, VIEW } from "./structs.js";
import { World } from "./world.js";

export class Frames extends Owned {
  constructor(memory) {
    super(memory, memory.out(u64, "bitstep_frames_new"), "bitstep_frames_free");
  }

  push(world) {
    this.memory.call("bitstep_frames_push", this.handle, this.memory.handle(World, world));
  }

  between(alpha, origin = [0, 0, 0]) {
    const { memory } = this;
    need({ alpha }, "alpha");
    return memory.scope(() => memory.list(POSE, "bitstep_frames_between", this.handle, memory.put(VIEW, { alpha, origin })));
  }
}

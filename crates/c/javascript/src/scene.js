// Scenes of RON.

import { u32, u64 } from "./layout.js";
import { Owned } from "./memory.js";
import { World } from "./world.js";

export class Scene extends Owned {
  constructor(memory, text) {
    const handle = memory.scope(() => memory.out(u64, "bitstep_scene_new", memory.putText(text)));
    super(memory, handle, "bitstep_scene_free");
  }

  get tickCount() {
    return this.memory.out(u64, "bitstep_scene_tick_count", this.handle);
  }

  world() {
    return new World(this.memory, this.memory.out(u64, "bitstep_scene_world", this.handle));
  }

  tick(world) {
    return this.memory.out(u32, "bitstep_scene_tick", this.handle, this.memory.handle(World, world));
  }
}

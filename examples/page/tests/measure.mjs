// What a tick takes in a module: node examples/page/tests/measure.mjs MODULE.wasm. Three rounds of the script of seed 7.

import { readFileSync } from "node:fs";

const TICKS = 3_000;
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { exports } = instance;

function bytes(name, ...numbers) {
  const length = exports[name](...numbers) >>> 0;
  return new Uint8Array(exports.memory.buffer, exports.out_at(), length).slice();
}

const keys = bytes("script_keys", 7, TICKS);
for (let round = 0; round < 3; round++) {
  exports.solo_open();
  const times = Array.from({ length: TICKS }, (_, tick) => {
    const begin = process.hrtime.bigint();
    exports.solo_tick(keys[2 * tick], keys[2 * tick + 1]);
    return Number(process.hrtime.bigint() - begin) / 1_000;
  }).sort((a, b) => a - b);
  console.log(`median ${times[TICKS / 2].toFixed(2)}, slowest of a hundred ${times[TICKS * 0.99].toFixed(2)} microseconds`);
}
console.log(new TextDecoder().decode(bytes("solo_checksum")));

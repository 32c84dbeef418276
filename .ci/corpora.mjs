// What fuzzing found, kept as fuzz/corpora/TARGET: inputs, each after its length in four bytes, that reach code which no others reach.
//
//   node .ci/corpora.mjs unpack TARGET...   into fuzz/corpus/TARGET, a file each, where .ci/fuzz goes on from them
//   node .ci/corpora.mjs pack TARGET...     the few that fuzz/corpus/TARGET needs; .ci/fuzz has built the targets
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Places that an input has to reach alone to be kept. In scenes, those that reach a single one are two of three, for 7 % of the places.
const PLACES_MIN = 2;

const [order, ...targets] = process.argv.slice(2);
for (const target of targets) ({ unpack, pack })[order](target);

function unpack(target) {
  const folder = join("fuzz/corpus", target);
  const packed = join("fuzz/corpora", target);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(packed)) return;
  const bytes = readFileSync(packed);
  for (let at = 0, number = 0; at < bytes.length; number++) {
    const length = bytes.readUInt32LE(at);
    writeFileSync(join(folder, `packed-${number}`), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

function pack(target) {
  const folder = mkdtempSync(join(tmpdir(), "corpora-"));
  merge(target, folder, "all", "all.txt", [join("fuzz/seeds", target), join("fuzz/corpus", target)]);
  const { files, places } = merge(target, folder, "few", "few.txt", [join(folder, "all")]);
  const kept = cover(places, seeded(target, folder)).map((index) => readFileSync(files[index]));
  kept.sort((a, b) => a.length - b.length || a.compare(b));
  const length = (input) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(input.length);
    return bytes;
  };
  mkdirSync("fuzz/corpora", { recursive: true });
  const packed = Buffer.concat(kept.flatMap((input) => [length(input), input]));
  writeFileSync(join("fuzz/corpora", target), packed);
  rmSync(folder, { recursive: true });
  console.log(`${target}: ${kept.length} of ${readdirSync(join("fuzz/corpus", target)).length} inputs, ${packed.length} bytes`);
}

// Inputs into a folder so that all are reached that `from` reaches; with the places that each of `from` reaches.
function merge(target, folder, into, notes, from) {
  mkdirSync(join(folder, into));
  const triple = execFileSync("rustc", ["--print", "host-tuple"], { encoding: "utf8" }).trim();
  const program = join(process.env.CARGO_TARGET_DIR ?? "fuzz/target", triple, "release", target);
  const path = join(folder, notes);
  const order = ["-set_cover_merge=1", `-merge_control_file=${path}`, join(folder, into), ...from];
  execFileSync(program, order, { stdio: ["ignore", "ignore", "pipe"], maxBuffer: 1 << 28 });
  const lines = readFileSync(path, "utf8").split("\n");
  const count = Number(lines[0]);
  const places = Array.from({ length: count }, () => new Set());
  for (const line of lines.slice(2 + count)) {
    const [kind, index, ...features] = line.split(" ");
    // Eight features, by how often it is reached, are one place.
    if (kind === "FT") places[Number(index)] = new Set(features.map((feature) => feature >> 3));
  }
  return { files: lines.slice(2, 2 + count), places };
}

function seeded(target, folder) {
  const { places } = merge(target, folder, "seeds", "seeds.txt", [join("fuzz/seeds", target)]);
  return new Set(places.flatMap((one) => [...one]));
}

// Indices of inputs, the one that reaches the most new places first. What an input brings only becomes less, so it is counted again only
// where it could be the most.
function cover(places, reached) {
  const chosen = [];
  const left = places.map((one, index) => ({ index, gain: one.size }));
  for (;;) {
    left.sort((a, b) => a.gain - b.gain);
    const best = left.pop();
    if (!best || best.gain < PLACES_MIN) return chosen;
    const gain = [...places[best.index]].filter((place) => !reached.has(place)).length;
    if (gain < best.gain) {
      left.push({ index: best.index, gain });
      continue;
    }
    chosen.push(best.index);
    places[best.index].forEach((place) => reached.add(place));
  }
}

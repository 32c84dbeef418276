// Builds the module and puts the page together: node examples/page/make.mjs [-o PAGE.html] [--fast | --module MODULE.wasm]
//
// The compiler is the machine's own where it has the target (`rustup target add wasm32-unknown-unknown`); else Debian's, which
// .ci/cross-platform unpacks. With --fast it is built for speed instead of size. With --module the module is taken as it is.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const TARGET = "wasm32-unknown-unknown";
const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(here, "../..");
// In the order in which they need each other.
const SCRIPTS = ["module.js", "picture.js", "figure.js", "stage.js", "chart.js", "keys.js", "finding.js", "main.js"];

const said = (program, ...parts) => execFileSync(program, parts, { encoding: "utf8", cwd: root }).trim();

function tools() {
  if (existsSync(said("rustc", "--print", "target-libdir", "--target", TARGET))) return {};
  const linker = join(said("rustc", "--print", "sysroot"), "lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
  return { RUSTC: join(said(".ci/cross-platform", "tools"), "rustc"), CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker };
}

function build() {
  const profile = process.argv.includes("--fast") ? "page-fast" : "page";
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const parts = ["build", "--profile", profile, "--locked", "--package", "bitstep-page", "--lib", "--target", TARGET];
  execFileSync("cargo", parts, { stdio: "inherit", cwd: root, env: { ...process.env, ...tools() } });
  return join(folder, TARGET, profile, "page.wasm");
}

function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise() : resolve(process.argv[at + 1]);
}

const module = option("--module", build);
const out = option("-o", () => resolve("fight.html"));
const read = (name) => readFileSync(join(here, "page", name), "utf8");
const bytes = readFileSync(module);
const packed = gzipSync(bytes, { level: 9 });
// Given as functions: a text would be searched for dollars.
const page = read("index.html")
  .replace("/*STYLE*/", () => read("style.css"))
  .replace("<!--MODULE-->", () => packed.toString("base64"))
  .replace("/*SCRIPT*/", () => SCRIPTS.map(read).join("\n"));
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes, of them the module ${packed.length} packed, ${bytes.length} as it is`);

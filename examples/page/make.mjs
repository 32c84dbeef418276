// Builds the module and puts a page together: node examples/page/make.mjs [fight | rts] [-o PAGE.html] [--fast | --module MODULE.wasm]
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
const SHARED = ["module.js", "elements.js", "finding.js"];
// The pages, by the feature of the package that has their game: folder, scripts in the order in which they need each other, style.
const PAGES = {
  fight: { folder: "fight", scripts: ["picture.js", "figure.js", "stage.js", "chart.js", "keys.js", "main.js"], style: [] },
  rts: { folder: "skirmish", scripts: ["picture.js", "camera.js", "field.js", "command.js", "main.js"], style: ["style.css"] },
};
const game = Object.hasOwn(PAGES, process.argv[2] ?? "") ? process.argv[2] : "fight";

const said = (program, ...parts) => execFileSync(program, parts, { encoding: "utf8", cwd: root }).trim();

function tools() {
  if (existsSync(said("rustc", "--print", "target-libdir", "--target", TARGET))) return {};
  const linker = join(said("rustc", "--print", "sysroot"), "lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
  return { RUSTC: join(said(".ci/cross-platform", "tools"), "rustc"), CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker };
}

function build() {
  const profile = process.argv.includes("--fast") ? "page-fast" : "page";
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const only = ["--no-default-features", "--features", game];
  const parts = ["build", "--profile", profile, "--locked", "--package", "bitstep-page", ...only, "--lib", "--target", TARGET];
  execFileSync("cargo", parts, { stdio: "inherit", cwd: root, env: { ...process.env, ...tools() } });
  return join(folder, TARGET, profile, "page.wasm");
}

function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise() : resolve(process.argv[at + 1]);
}

const module = option("--module", build);
const out = option("-o", () => resolve(`${game}.html`));
const { folder, scripts, style } = PAGES[game];
const read = (folder, name) => readFileSync(join(here, "page", folder, name), "utf8");
const all = (shared, own) => [...shared.map((name) => read("shared", name)), ...own.map((name) => read(folder, name))].join("\n");
const bytes = readFileSync(module);
const packed = gzipSync(bytes, { level: 9 });
// Given as functions: a text would be searched for dollars.
const page = read(folder, "index.html")
  .replace("/*STYLE*/", () => all(["style.css"], style))
  .replace("<!--MODULE-->", () => packed.toString("base64"))
  .replace("/*SCRIPT*/", () => all(SHARED, scripts));
writeFileSync(out, page);
console.log(`${out}: ${page.length} bytes, of them the module ${packed.length} packed, ${bytes.length} as it is`);

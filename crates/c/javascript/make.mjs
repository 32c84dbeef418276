// Builds the module and puts the package together: node crates/c/javascript/make.mjs FOLDER
//
// The compiler is the machine's own where it has the target (`rustup target add wasm32-unknown-unknown`); else Debian's, which
// .ci/cross-platform unpacks.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [TARGET, PROFILE] = ["wasm32-unknown-unknown", "page-fast"];
const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(here, "../../..");
const said = (program, ...parts) => execFileSync(program, parts, { encoding: "utf8", cwd: root }).trim();

function tools() {
  if (existsSync(said("rustc", "--print", "target-libdir", "--target", TARGET))) return {};
  const linker = join(said("rustc", "--print", "sysroot"), "lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
  return { RUSTC: join(said(".ci/cross-platform", "tools"), "rustc"), CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker };
}

const [folder] = process.argv.slice(2).map((path) => resolve(path));
if (folder === undefined) throw new Error("node crates/c/javascript/make.mjs FOLDER");
const built = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const parts = ["build", "--profile", PROFILE, "--locked", "--package", "bitstep-c", "--lib", "--target", TARGET, "--target-dir", built];
execFileSync("cargo", parts, { stdio: "inherit", cwd: root, env: { ...process.env, ...tools() } });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ["src", "package.json", "README.md", "page.html"]) cpSync(join(here, name), join(folder, name), { recursive: true });
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, name), join(folder, name));
copyFileSync(join(built, TARGET, PROFILE, "bitstep_c.wasm"), join(folder, "bitstep.wasm"));
const bytes = readFileSync(join(folder, "bitstep.wasm"));
console.log(`${folder}: the module is ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} packed`);

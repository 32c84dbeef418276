// node run-chromium.mjs PACKAGES PROGRAM.wasm ARGUMENTS... : runs a WASI program in a headless Chromium; it sees those of its arguments
// that are files or folders of the current directory. PACKAGES is a folder of npm with @bjorn3/browser_wasi_shim.
import { createServer } from "node:http";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../crates/program/tests/pictures/browser.mjs";

const [packages, program, ...args] = process.argv.slice(2);
const shim = join(packages, "node_modules/@bjorn3/browser_wasi_shim/dist");
const filesOf = (path) =>
  statSync(path).isFile() ? [path] : readdirSync(path).flatMap((name) => filesOf(join(path, name)));
const files = args.filter((path) => existsSync(path)).flatMap(filesOf);

// In the page: the program in a file system of its own, and what it printed.
const page = `<!DOCTYPE html><title>bitstep</title><script type="module">
import { Directory, File, OpenFile, PreopenDirectory, WASI } from "/shim/index.js";
const bytes = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + ": " + answer.status);
  return new Uint8Array(await answer.arrayBuffer());
};
window.bitstep = {
  ready: true,
  run: async (args, files) => {
    const root = new PreopenDirectory(".", new Map());
    for (const path of files) {
      const names = path.split("/");
      const last = names.pop();
      let folder = root.dir;
      for (const name of names) {
        if (!folder.contents.has(name)) folder.contents.set(name, new Directory(new Map()));
        folder = folder.contents.get(name);
      }
      folder.contents.set(last, new File(await bytes("/file/" + path)));
    }
    const [out, errors] = [new File([]), new File([])];
    const wasi = new WASI(["program.wasm", ...args], [], [new OpenFile(new File([])), new OpenFile(out), new OpenFile(errors), root]);
    const module = await WebAssembly.compile(await bytes("/program.wasm"));
    const code = wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
    const text = (file) => new TextDecoder().decode(file.data);
    return { code, out: text(out), errors: text(errors) };
  },
};
</script>`;

const served = createServer(({ url }, response) => {
  const path = decodeURIComponent(url);
  const send = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
  if (path === "/") return send("text/html", page);
  if (path === "/program.wasm") return send("application/wasm", readFileSync(program));
  if (path.startsWith("/shim/")) return send("text/javascript", readFileSync(join(shim, path.slice(6))));
  if (path.startsWith("/file/") && files.includes(path.slice(6))) return send("application/octet-stream", readFileSync(path.slice(6)));
  return response.writeHead(404).end();
});
await new Promise((done) => served.listen(0, "127.0.0.1", done));
const browser = await Browser.open();
try {
  await browser.show(`http://127.0.0.1:${served.address().port}/`);
  const { code, out, errors } = await browser.ask(`window.bitstep.run(${JSON.stringify(args)}, ${JSON.stringify(files)})`);
  process.stderr.write(errors);
  process.exitCode = code;
  await new Promise((done) => process.stdout.write(out, done));
} finally {
  await browser.close();
  served.close();
}

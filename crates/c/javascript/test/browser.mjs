// node test/browser.mjs PACKAGE REPLAY...: the package and its page in a headless Chromium, and the checksums of recordings, one line each.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../../../program/tests/pictures/browser.mjs";

const [folder, ...recordings] = process.argv.slice(2).map((path) => resolve(path));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const served = createServer(({ url }, response) => {
  const path = url.replace(/\?.*/, "");
  const file = path.startsWith("/recording/") ? recordings[Number(path.slice(11))] : join(folder, path);
  if (file === undefined || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((done) => served.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${served.address().port}`;
const browser = await Browser.open();
try {
  await browser.show(`${origin}/page.html?still`);
  // The same level in Node comes to the same.
  const { load } = await import(pathToFileURL(join(folder, "src/index.js")));
  const here = await load();
  const ask = (expression) => browser.ask(`(async () => { const { bitstep, world, step } = window.bitstep; ${expression} })()`);
  const checksum = await ask("for (let tick = 0; tick < 300; tick++) step(); return world.checksum();");
  await browser.ask(`document.getElementById("verify").click()`);
  assert.equal(await browser.ask(`document.getElementById("verdict").textContent`), "300 ticks verified: the same");
  const letters = await ask("return btoa(String.fromCharCode(...world.save()));");
  const snapshot = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const start = Uint8Array.from(atob(await ask("return btoa(String.fromCharCode(...window.bitstep.start));")), (letter) => letter.charCodeAt(0));
  const world = level(here);
  world.restore(start);
  for (let tick = 0; tick < 300; tick++) world.tick();
  assert.equal(world.checksum(), checksum);
  assert.deepEqual(world.save(), snapshot);
  // What a person does: a sphere is thrown, the state is saved and restored.
  await ask(`document.getElementById("save").click();`);
  await ask(`document.getElementById("canvas").dispatchEvent(new MouseEvent("click", { clientX: 300, clientY: 100 }));`);
  assert.equal(await ask("return world.bodies().length;"), 49);
  await ask(`step(); document.getElementById("restore").click(); step(); document.getElementById("verify").click();`);
  assert.equal(await browser.ask(`document.getElementById("verdict").textContent`), "1 ticks verified: the same");
  await browser.until(`document.getElementById("tick").textContent === "301"`);
  for (const index of recordings.keys()) {
    const path = JSON.stringify(`/recording/${index}`);
    const verify = `const { isSame, checksum } = bitstep.replay(new Uint8Array(await (await fetch(${path})).arrayBuffer())).verify(); return [isSame, checksum];`;
    const [isSame, found] = await ask(verify);
    assert.equal(isSame, true);
    console.log(found);
  }
  // Where there is no module the error says so.
  assert.match(await ask(`return (await import("/src/index.js")).load("/none.wasm").catch((error) => error.message);`), /none\.wasm: 404/);
  assert.deepEqual(browser.complaints.filter((text) => !text.includes("404")), []);
} finally {
  await browser.close();
  served.close();
}

// The level of the page, without bodies.
function level(bitstep) {
  const made = bitstep.scenery();
  const plane = (half) => made.addShape({ kind: "plane", half });
  const [ground, wall, other] = [plane([0, 1, 0]), plane([1, 0, 0]), plane([-1, 0, 0])];
  made.addShape({ kind: "sphere", radius: "0.5" });
  const material = made.addMaterial({ restitution: "0.5", friction: "0.3" });
  for (const [shape, position] of [[ground, [0, 0, 0]], [wall, [0, 0, 0]], [other, [16, 0, 0]]]) made.addStatic({ shape, material, position });
  return made.world({ tickRate: 60, flat: true });
}

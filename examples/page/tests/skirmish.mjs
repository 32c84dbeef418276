// The battle in a headless Chromium: node examples/page/tests/skirmish.mjs PAGE.html RTS [WORD] takes the tests whose names have the
// word.
//
// What the page comes to is compared with what the program of the strategy game says, which is built for this machine.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { choose, click, drag, middleOf, page, press, run, text } from "./hands.mjs";

const [file, rts] = process.argv.slice(2, 4).map((path) => resolve(path));
const url = pathToFileURL(file).href;
const home = mkdtempSync(join(tmpdir(), "bitstep-battle-"));

function said(...parts) {
  const { stdout, stderr } = spawnSync(rts, parts, { encoding: "utf8", cwd: home });
  return stdout + stderr;
}

// A process that goes on beside this one: the text that it has printed, and its end.
function started(...parts) {
  const child = spawn(rts, parts, { cwd: home });
  const process = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (process.text += text));
  process.end = new Promise((resolve, reject) => {
    child.on("exit", resolve);
    child.on("error", reject);
  });
  return process;
}

const pause = `${page}.play(false)`;
// A match from its beginning, paused: how long a page has played before it is paused depends on the machine.
const begin = (units) => `${page}.open({ units: ${units} }), ${pause}`;
const tick = (side) => `${page}.numbers[${side}].tick`;
const verdict = `document.getElementById("verdict").value`;
const chosen = `[...${page}.command.chosen].sort((a, b) => a - b)`;
// The first player's units that are left.
const own = `${page}.command.own()`;

// The pixel of a unit on the first canvas, in the window.
const pixelOf = (browser, number) => browser.ask(`(() => {
  const { fields: [field], camera, after: [picture] } = ${page};
  field.canvas.scrollIntoView({ block: "center" });
  const { left, top, width, height } = field.canvas.getBoundingClientRect();
  const scale = camera.scale([width, height]);
  return [left + width / 2 + (picture.x[${number}] - camera.x) * scale, top + height / 2 - (picture.y[${number}] - camera.y) * scale];
})()`);

async function clickAt(browser, [x, y], button = "left") {
  for (const type of ["mousePressed", "mouseReleased"]) await browser.send("Input.dispatchMouseEvent", { type, x, y, button, clickCount: 1 });
}

async function sameChecksums(browser, least) {
  const same = await browser.ask(`(([ours, theirs]) => [...ours].filter(([tick, sum]) => theirs.get(tick) === sum).length)(${page}.sums)`);
  const wrong = await browser.ask(`(([ours, theirs]) => [...ours].filter(([tick, sum]) => theirs.has(tick) && theirs.get(tick) !== sum).length)(${page}.sums)`);
  assert.ok(same >= least && wrong === 0, `${same} ticks are the same, ${wrong} are not`);
}

const tests = {
  async "a script over bad connections ends as the program's does, and is verified by it"(browser) {
    await browser.show(url);
    for (const [id, part] of [["latency", 0.4], ["jitter", 0.3], ["loss", 0.2]]) await drag(browser, id, part);
    await browser.ask(`${page}.open({ units: 50, ticks: 400 }), ${pause}, ${page}.step(200_000)`);
    assert.deepEqual(await browser.ask(`[${page}.over, ...${page}.numbers.map(({ isFinished }) => isFinished)]`), [true, 1, 1]);
    const [, outcome, checksum] = said("alone", "--players", "2", "--units", "50", "--ticks", "400").match(/match +(.*)\nchecksum +([0-9a-f]{32})/);
    for (const side of [0, 1]) assert.equal(await browser.ask(`${page}.sums[${side}].get(400)`), checksum);
    const ending = await browser.ask(text("ending"));
    assert.ok(ending.includes(`${outcome}, after tick 400 ${checksum}. A native build says the same: rts alone --players 2 --units 50 --ticks 400`), ending);
    const bytes = await browser.ask(`[...${page}.module.bytes("skirmish_recording", 1)]`);
    writeFileSync(join(home, "battle.replay"), Uint8Array.from(bytes));
    assert.match(said("verify", "battle.replay"), new RegExp(`400 ticks`));
    assert.match(said("show", "battle.replay", "--tick", "400"), new RegExp(checksum));
    // The page of the recording has the game's words.
    assert.match(said("view", "battle.replay", "-o", "battle.html"), /400 ticks/);
    await browser.show(pathToFileURL(join(home, "battle.html")).href);
    await browser.ask(`${page}.seek(400), ${page}.follow(3)`);
    await browser.until(`${page}.ready && ${page}.waiting === false`);
    assert.equal(await browser.ask(text("caption")), outcome);
    assert.equal(await browser.ask(text("body-name")), "Body 3: unit 3 of player 1");
  },

  async "units are chosen and sent by mouse, on both sides alike"(browser) {
    await browser.show(url);
    await browser.ask(begin(50));
    await browser.ask(`${page}.step(500)`);
    // A click on one, then a box around all, then one more by Shift.
    await clickAt(browser, await pixelOf(browser, 17));
    assert.deepEqual(await browser.ask(chosen), [17]);
    const [x, y] = await pixelOf(browser, 24);
    await browser.mouse("mousePressed", x - 60, y + 60, 1);
    for (const part of [0.5, 1]) await browser.mouse("mouseMoved", x - 60 + 120 * part, y + 60 - 120 * part, 1);
    await browser.mouse("mouseReleased", x + 60, y - 60);
    const count = await browser.ask(`${chosen}.length`);
    assert.ok(count > 40, `${count}`);
    assert.equal(await browser.ask(text("chosen")), `${count} chosen`);
    // To the left, away from the other army.
    const middle = `((numbers) => numbers.reduce((sum, number) => sum + ${page}.after[1].x[number], 0) / numbers.length)(${own})`;
    const before = await browser.ask(middle);
    await clickAt(browser, [x - 60, y], "right");
    await browser.until(`${verdict}.startsWith("You command")`);
    await browser.ask(`${page}.step(3_000)`);
    assert.ok((await browser.ask(middle)) < before - 3, "the second peer sees them go");
    await browser.ask(`${page}.step(1_000)`);
    await sameChecksums(browser, 50);
  },

  async "a right click at a foe is an attack, keys choose, stop and let go"(browser) {
    await browser.show(url);
    await browser.ask(begin(50));
    await browser.ask(`${page}.step(500), document.getElementById("field0").focus()`);
    await browser.send("Input.dispatchKeyEvent", { type: "keyDown", key: "a", code: "KeyA", modifiers: 2 });
    assert.equal(await browser.ask(`${chosen}.length`), 50);
    await clickAt(browser, await pixelOf(browser, 60), "right");
    await browser.ask(`${page}.step(1_000)`);
    const goals = `${own}.map((number) => ${page}.after[1].goal[number])`;
    const all = await browser.ask(goals);
    assert.ok(all.length === 50 && all.every((goal) => goal === 2), "all attack, as the second peer sees it");
    await press(browser, "KeyS");
    await browser.ask(`${page}.step(1_000)`);
    assert.ok((await browser.ask(goals)).every((goal) => goal === 0), "all stand");
    await browser.key("Escape");
    assert.deepEqual(await browser.ask(chosen), []);
  },

  async "the button's bit is found, named and healed"(browser) {
    for (const [side, place, phase, field] of [["1", "pos.x", "impacts", "position.x"], ["0", "health", "orders", "health"]]) {
      await browser.show(url);
      await browser.ask(begin(50));
      await browser.ask(`${page}.step(4_000), ${page}.command.choose([20])`);
      for (const [id, value] of [["flip-side", side], ["flip-place", place], ["flip-phase", phase]]) await choose(browser, id, value);
      await click(browser, "#flip");
      await browser.ask(`${pause}, ${page}.step(4_000)`);
      const found = await browser.ask(`Object.fromEntries([...document.querySelectorAll("#finding-facts dt")].map((dt) => [dt.textContent, dt.nextSibling.textContent]))`);
      assert.deepEqual([found["after phase"], found.field, found["bits that differ"], found.body], [phase, field, "1", "unit 20 of player 1"]);
      assert.equal(found["the other says"], "the same");
      const [, given] = (await browser.ask(`${page}.module.words("skirmish_flip_words", ${side})`)).match(/^tick (\d+), /);
      assert.equal(found.tick, given);
      assert.equal(await browser.ask("document.querySelector('#phases .first td').textContent"), phase);
      await browser.ask(`${page}.step(4_000)`);
      assert.match(await browser.ask(text("healed")), new RegExp(`^Peer ${Number(side) + 1} was wrong, and has taken`));
      const ticks = await browser.ask(`[${tick(0)}, ${tick(1)}]`);
      assert.ok(Math.abs(ticks[0] - ticks[1]) <= 3 && ticks[0] > Number(given) + 100, `${ticks}`);
      assert.deepEqual(await browser.ask(`[0, 1].map((side) => ${page}.sums[side].get(${Math.min(...ticks)}))`).then(([a, b]) => a === b), true);
    }
  },

  async "bits are flipped one at a time, and the battle is won all the same"(browser) {
    await browser.show(url);
    await browser.ask(begin(50));
    await browser.ask(`${page}.step(3_000)`);
    for (const side of ["0", "1", "0"]) {
      await choose(browser, "flip-side", side);
      await click(browser, "#flip");
      await browser.ask(`${pause}, ${page}.step(100)`);
      await browser.until("document.getElementById('flip').disabled");
      assert.match(await browser.ask(verdict), /^(One bit is put wrong|Desync in tick)/);
      await browser.ask(`${page}.step(200)`);
      assert.equal(await browser.ask(`${page}.canFlip()`), false);
      await browser.ask(`${page}.step(4_000)`);
      await browser.until("!document.getElementById('flip').disabled");
      await browser.until(`${verdict} === "Both play by themselves: choose units, and they are yours"`);
      assert.equal(await browser.ask(`${page}.healed`), Number(side));
      assert.equal(await browser.ask(`${page}.winner`), null, "nothing is won by having no state");
    }
    await browser.ask(`(() => { for (let second = 0; second < 1_500 && ${page}.winner === null; second++) ${page}.step(1_000); })()`);
    await browser.until(`document.getElementById("verdict").value.includes("has won; peer 1 is healed, and the same again")`);
    await sameChecksums(browser, 100);
  },

  async "buttons, keys and the address do what they say"(browser) {
    await browser.show(`${url}#units=50&seconds=2`);
    const clear = "window.downloads = [], download = (name, bytes) => window.downloads.push([name, bytes.length])";
    await browser.ask(clear);
    assert.deepEqual(await browser.ask(`[${page}.units, ${page}.playing, ${page}.clock]`), [50, false, 2_001]);
    assert.equal(await browser.ask(`${page}.numbers[0].isPerson`), 0);
    // Keys work while a button has the focus, and letters of any size.
    await click(browser, "[data-command=all]");
    assert.equal(await browser.ask(`${chosen}.length`), 50);
    assert.equal(await browser.ask(`${page}.numbers[0].isPerson`), 1, "units that are chosen are a person's");
    await browser.key("G");
    assert.equal(await browser.ask(`${page}.command.gathers`), true);
    await browser.key("Escape");
    assert.deepEqual(await browser.ask(chosen), []);
    await click(browser, "#save");
    assert.equal(await browser.ask(text("saved")), "Saving, with the orders that are under way");
    await browser.ask(`${page}.step(1_000)`);
    assert.match(await browser.ask(text("saved")), /^Saved: \d+ bytes/);
    await click(browser, "#record");
    assert.match(await browser.ask(text("saved")), /^Recorded by peer 1: \d+ bytes/);
    const [[save, saved], [replay, recorded]] = await browser.ask("window.downloads");
    assert.ok(save === "battle.save" && replay === "battle.replay" && saved > 1_000 && recorded > 1_000);
    await click(browser, "#pause");
    await choose(browser, "speed", "4");
    const at = await browser.ask(tick(0));
    await browser.until(`${tick(0)} > ${at} + 100`);
    await click(browser, "#end");
    await browser.until(`${page}.over`);
    assert.match(await browser.ask(text("ending")), /^the player has left: 50 \+ 50 units left, 0 shots in the air, after tick \d+ [0-9a-f]{32}\.$/);
    await browser.until("document.getElementById('flip').disabled");
    await click(browser, "#save");
    assert.equal(await browser.ask(text("saved")), "Not saved: the match is over");
    await choose(browser, "units", "200");
    await click(browser, "#again");
    assert.deepEqual(await browser.ask(`[${page}.units, ${page}.over, ${page}.numbers[0].left1]`).then(([units, over]) => [units, over]), [200, false]);
  },

  async "a saved match goes on, here and at the program's relay"(browser) {
    await browser.show(url);
    await browser.ask(begin(50));
    await browser.ask(`${page}.step(3_000)`);
    await click(browser, "#save");
    await browser.ask(`${page}.step(1_000)`);
    const [saved, at] = await browser.ask(`[[...${page}.saved], ${tick(0)}]`);
    await browser.ask(`${begin(50)}, ${page}.load(Uint8Array.from(${JSON.stringify(saved)})), ${pause}, ${page}.step(2_000)`);
    const now = await browser.ask(tick(0));
    assert.ok(now > at && now < at + 60, `${at} ${now}`);
    await sameChecksums(browser, 20);
    // Two processes go on with it to another tick, and agree.
    writeFileSync(join(home, "battle.save"), Uint8Array.from(saved));
    const relay = started("relay", "--load", "battle.save", "--ticks", `${at + 60}`, "--rate", "0");
    while (!relay.text.includes("listening on ")) await new Promise((after) => setTimeout(after, 20));
    const [, address] = relay.text.match(/listening on (\S+)/);
    const peers = [1, 2].map((seat) => started("peer", address, "--seat", `${seat}`, "--record", `${seat}.replay`));
    assert.deepEqual(await Promise.all([relay, ...peers].map(({ end }) => end)), [0, 0, 0], peers[0].text);
    const ends = peers.map(({ text }) => text.match(/checksum +([0-9a-f]{32}) after tick (\d+)/).slice(1));
    assert.deepEqual(ends[0], ends[1]);
    assert.equal(Number(ends[0][1]), at + 60);
    const bad = [...saved];
    bad[saved.length >> 1] ^= 1;
    const words = await browser.ask(`(() => { try { ${page}.load(Uint8Array.from(${JSON.stringify(bad)})); } catch ({ message }) { return message; } })()`);
    assert.ok(words?.length > 10, words);
    assert.equal(await browser.ask(tick(0)), now, "what was played stays");
  },

  async "on a telephone everything fits, and fingers command"(browser) {
    await browser.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
    await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    const touch = (type, ...points) => browser.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    try {
      await browser.show(url);
      await browser.ask(begin(50));
      await browser.ask(`${page}.step(500)`);
      assert.equal(await browser.ask("document.documentElement.scrollWidth"), 390);
      const [x, y] = await pixelOf(browser, 24);
      await touch("touchStart", [x, y]);
      await touch("touchEnd");
      const count = await browser.ask(`${chosen}.length`);
      assert.ok(count > 10, `${count}`);
      await touch("touchStart", [x + 60, y]);
      await touch("touchEnd");
      await browser.ask(`${page}.step(1_500)`);
      const goals = await browser.ask(`${chosen}.map((number) => ${page}.after[1].goal[number])`);
      assert.ok(goals.length === count && goals.every((goal) => goal === 1), `${goals}`);
      // Two fingers apart: the field comes nearer.
      await touch("touchStart", [150, y], [200, y]);
      await touch("touchMove", [120, y], [230, y]);
      await touch("touchMove", [90, y], [260, y]);
      await touch("touchEnd");
      const zoom = await browser.ask(`${page}.camera.zoom`);
      assert.ok(zoom > 2, `${zoom}`);
    } finally {
      await browser.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false });
      await browser.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    }
  },

};

await run(tests, home, file);

// The page in a headless Chromium: node examples/page/tests/fight.mjs PAGE.html FIGHT [WORD] takes the tests whose names have the
// word.
//
// What the page comes to is compared with what the program of the fight says, which is built for this machine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { choose, click, drag, middleOf, page, press, run, text } from "./hands.mjs";

const [file, fight] = process.argv.slice(2, 4).map((path) => resolve(path));
const url = pathToFileURL(file).href;
const home = mkdtempSync(join(tmpdir(), "bitstep-fight-"));

function said(...parts) {
  const { stdout, stderr } = spawnSync(fight, parts, { encoding: "utf8", cwd: home });
  return stdout + stderr;
}

// What the program comes to: checksum and outcome of a script.
function straight(seed, ticks) {
  const text = said("script", "--scripted", `${seed}`, "--frames", `${ticks}`);
  return { checksum: text.match(/checksum +([0-9a-f]{32})/)[1], outcome: text.match(/match +(.*)/)[1] };
}

const pause = `${page}.play(false)`;
// The match from its beginning, paused: how long a page has played before it is paused depends on the machine.
const begin = `${pause}, ${page}.open()`;
const numbers = (side) => `[...${page}.numbers[${side}]]`;
const last = (side, tick) => `${page}.sums[${side}].get(${tick})`;
const facts = `Object.fromEntries([...document.querySelectorAll("#finding-facts dt")].map((dt) => [dt.textContent, dt.nextSibling.textContent]))`;

const tests = {
  async "a scripted match over a bad link ends as the program's does"(browser) {
    await browser.show(url);
    await drag(browser, "latency", 0.3);
    await drag(browser, "loss", 0.4);
    await drag(browser, "rubbish", 0.5);
    const weather = await browser.ask(`${page}.weather`);
    assert.ok(weather.latency > 80 && weather.loss > 18 && weather.rubbish > 40, JSON.stringify(weather));
    await browser.ask(`${page}.step(20000)`);
    assert.equal(await browser.ask(`${page}.over`), true);
    const { checksum, outcome } = straight(7, 3000);
    for (const side of [0, 1]) {
      assert.equal(await browser.ask(last(side, 3000)), checksum);
      assert.equal(await browser.ask(`${page}.module.words("duel_outcome", ${side})`), outcome);
      const [tick, confirmed, compared, end, , rollbacks] = await browser.ask(numbers(side));
      assert.deepEqual([tick, confirmed, compared, end], [3000, 3000, 3000, 3000]);
      assert.ok(rollbacks > 300, `${rollbacks}`);
    }
    const ending = await browser.ask(text("ending"));
    assert.ok(ending.includes(`both have ${checksum}; played straight on, without a link, it is ${checksum}`), ending);
    assert.match(await browser.ask(`document.getElementById("verdict").value`), /every tick was the same/);
  },

  async "other scripts, too, and a session alone"(browser) {
    await browser.show(url);
    for (const [seed, ticks] of [[11, 400], [12, 1]]) {
      const { checksum } = straight(seed, ticks);
      await browser.ask(`${page}.open(${seed}, ${ticks}), ${page}.step(4000)`);
      assert.deepEqual(await browser.ask(`[0, 1].map((side) => ${page}.sums[side].get(${ticks}))`), [checksum, checksum]);
      const alone = await browser.ask(`(() => {
        const { module } = ${page};
        const keys = module.bytes("script_keys", ${seed}, ${ticks});
        module.demand("solo_open");
        for (let tick = 0; tick < ${ticks}; tick++) {
          if (tick === 100) {
            const saved = module.bytes("solo_save");
            module.demand("solo_open");
            module.give(saved);
            module.demand("solo_load");
          }
          module.exports.solo_tick(keys[2 * tick], keys[2 * tick + 1]);
        }
        return module.words("solo_checksum");
      })()`);
      assert.equal(alone, checksum);
    }
  },

  async "time plays, pauses and goes faster"(browser) {
    await browser.show(url);
    await browser.until(`${page}.numbers[0][0] > 20`);
    await click(browser, "#pause");
    const tick = await browser.ask(`${page}.numbers[0][0]`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(await browser.ask(`${page}.numbers[0][0]`), tick);
    await choose(browser, "speed", "16");
    await click(browser, "#pause");
    await browser.until(`${page}.numbers[0][0] > ${tick + 300}`);
    await browser.until("document.querySelectorAll('#ticker li').length >= 8");
    const rows = await browser.ask("[...document.querySelectorAll('#ticker li')].map((row) => [...row.children].map((part) => part.textContent))");
    for (const [, ours, sign, theirs] of rows) assert.deepEqual([sign, ours], ["=", theirs]);
    await click(browser, "#again");
    assert.ok((await browser.ask(`${page}.numbers[0][0]`)) < tick + 200);
  },

  async "keys move a fighter on both sides, and the match is live then"(browser) {
    await browser.show(url);
    await browser.ask(begin);
    const places = `[0, 1].map((side) => ${page}.pictures[side].fighters.map(({ x }) => x))`;
    for (const [code, player, way] of [["KeyA", 0, -1], ["ArrowRight", 1, 1]]) {
      const before = await browser.ask(places);
      await press(browser, code);
      assert.equal(await browser.ask("document.querySelectorAll('kbd[data-held=true]').length"), 1);
      await browser.ask(`${page}.step(60)`);
      await press(browser, code, "keyUp");
      const after = await browser.ask(places);
      for (const side of [0, 1]) assert.ok((after[side][player] - before[side][player]) * way > 1, `${before} ${after}`);
      assert.equal(await browser.ask(`${page}.playerButtons[${player}].textContent`), `Player ${player + 1}: a person`);
    }
    // A blow that lands: both walk to each other, then one punches.
    await press(browser, "KeyD");
    await press(browser, "ArrowLeft");
    await browser.ask(`${page}.step(120)`);
    for (const code of ["KeyD", "ArrowLeft"]) await press(browser, code, "keyUp");
    await press(browser, "KeyF");
    await browser.ask(`${page}.step(30)`);
    await press(browser, "KeyF", "keyUp");
    await browser.ask(`${page}.step(60)`);
    const health = await browser.ask(`[0, 1].map((side) => ${page}.confirmed[side].fighters[1].health)`);
    assert.ok(health[0] < 100 && health[0] === health[1], `${health}`);
    assert.equal(await browser.ask(`${page}.numbers[0][3]`), 0, "a live match has no end");
    await click(browser, "#players button");
    assert.equal(await browser.ask(`${page}.playerButtons[0].textContent`), "Player 1: by itself");
  },

  async "the button's bit is found, and is what the program says of the same bit"(browser) {
    for (const [side, place, phase, body, field] of [
      ["1", "0:vel.x", "impacts", "body 0", "momentum.x"], ["0", "1:pos.y", "finish", "body 1", "position.y"],
      ["1", "game.fighters[1].health", "orders", "fighter 1", "health"],
    ]) {
      await browser.show(url);
      await browser.ask(`${pause}, ${page}.step(150)`);
      for (const [id, value] of [["flip-side", side], ["flip-place", place], ["flip-phase", phase]]) await choose(browser, id, value);
      await click(browser, "#flip");
      await browser.until(`!document.getElementById("finding").hidden`);
      const found = await browser.ask(facts);
      assert.deepEqual([found["after phase"], found.field, found["bits that differ"]], [phase, field, "1"]);
      assert.equal(found.body, `${body}, of player ${Number(body.at(-1)) + 1}`);
      assert.equal(found["the other says"], "the same");
      const words = await browser.ask(text("flip-words"));
      const [, tick, was, is] = words.match(/^tick (\d+), after .*?: (.*) became (.*)$/);
      assert.equal(found.tick, tick);
      const values = side === "1" ? [found["peer 1 has"], found["peer 2 has"]] : [found["peer 2 has"], found["peer 1 has"]];
      assert.deepEqual(values, [was, is]);
      assert.equal(await browser.ask("document.querySelector('#phases .first td').textContent"), phase);
      const wrong = await browser.ask("[...document.querySelectorAll('#ticker li.wrong')].map((row) => row.firstChild.textContent)");
      assert.equal(wrong.at(-1), tick, "the oldest row that is wrong");
      assert.ok(await browser.ask("document.querySelectorAll('#ticker li:not(.wrong)').length > 1"));
      // Between two processes of this machine the second one is put wrong.
      const run = said("run", "--scripted", "7", "--frames", "3000", "--rate", "1000", "--inject", `${tick}:${place}@${phase}`);
      const path = body.startsWith("body") ? `slots[${body.slice(5)}].body.${field}` : `game.fighters[${body.slice(8)}].${field}`;
      assert.ok(run.includes(`tick ${tick}, after ${phase}: ${path}: ${was} | ${is}`), `${words}\n${run}`);
      await click(browser, "#finding-leave");
      await browser.until(`${page}.numbers[0][0] > 3 && ${page}.finding === null`);
    }
  },

  async "sliders change what the link does, and a bad link costs no tick"(browser) {
    await browser.show(url);
    await browser.ask(`${pause}`);
    for (const [id, value] of [["jitter", 0], ["loss", 0]]) await drag(browser, id, value);
    const predicted = async (part) => {
      await drag(browser, "latency", part);
      await browser.ask(`${page}.step(120)`);
      const [tick, confirmed] = await browser.ask(numbers(0));
      return tick - confirmed;
    };
    const [near, far] = [await predicted(0), await predicted(0.5)];
    assert.ok(near <= 2 && far >= 8, `${near} ${far}`);
    assert.equal(await browser.ask("document.querySelector('#latency + output').value"), `${await browser.ask(`${page}.weather.latency`)} ms`);
    assert.equal((await browser.ask(numbers(0)))[8], 0);
    const [tick, confirmed] = await browser.ask(numbers(0));
    assert.deepEqual(await browser.ask(`[${page}.pictures[0].tick, ${page}.confirmed[0].tick]`), [tick, confirmed]);
    await predicted(1);
    assert.ok((await browser.ask(numbers(0)))[8] > 20, "at 300 ms a side waits for keys");
  },

  async "rubbish does nothing but a count"(browser) {
    await browser.show(url);
    await browser.ask(pause);
    await drag(browser, "rubbish", 1);
    const before = await browser.ask(numbers(0));
    await browser.ask(`(() => {
      let seed = 1;
      const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
      for (let packet = 0; packet < 3000; packet++) {
        ${page}.module.give(Uint8Array.from({ length: draw(300) }, () => draw(256)));
        ${page}.module.exports.duel_packet(packet);
        if (packet % 10 === 0) ${page}.step();
      }
    })()`);
    const after = await browser.ask(numbers(0));
    assert.ok(after[11] - before[11] > 1_500 + 200, `${after}`);
    await browser.ask(`${page}.step(20000)`);
    assert.deepEqual(await browser.ask(`[0, 1].map((side) => ${page}.sums[side].get(3000))`), Array(2).fill(straight(7, 3000).checksum));
  },

  async "on a telephone everything fits, and fingers play"(browser) {
    const size = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true };
    await browser.send("Emulation.setDeviceMetricsOverride", size);
    await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    try {
      await browser.show(url);
      await browser.ask(begin);
      assert.equal(await browser.ask("document.documentElement.scrollWidth"), 390);
      assert.equal(await browser.ask("document.getElementById('touch').hidden"), false);
      const x = `${page}.pictures[0].fighters[0].x`;
      const before = await browser.ask(x);
      const { x: left, y: top } = await middleOf(browser, "#touch button");
      await browser.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: left, y: top }] });
      await browser.until(`${page}.keys.held[0] !== 0`);
      await browser.ask(`${page}.step(60)`);
      await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      assert.ok((await browser.ask(x)) < before - 1);
      await browser.until(`${page}.keys.held[0] === 0`);
    } finally {
      await browser.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false });
      await browser.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    }
  },

};

await run(tests, home, file);

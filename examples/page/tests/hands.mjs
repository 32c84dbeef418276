// Hands for the tests of pages: a mouse, keys, and what runs the tests.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../../../crates/program/tests/pictures/browser.mjs";

// Expressions in a page.
export const text = (id) => `document.getElementById("${id}").textContent`;
export const page = "window.bitstep";

export async function press(browser, code, type = "keyDown") {
  await browser.send("Input.dispatchKeyEvent", { type, code, key: code.replace("Key", "").toLowerCase() });
}

export async function middleOf(browser, selector) {
  return browser.ask(`(() => {
    const part = document.querySelector(${JSON.stringify(selector)});
    part.scrollIntoView({ block: "center" });
    const { left, top, width, height } = part.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, left, width };
  })()`);
}

export async function click(browser, selector) {
  const { x, y } = await middleOf(browser, selector);
  await browser.mouse("mousePressed", x, y, 1);
  await browser.mouse("mouseReleased", x, y);
}

// Pulls the handle of a slider to a part of its length.
export async function drag(browser, id, part) {
  const { left, width, y } = await middleOf(browser, `#${id}`);
  const value = await browser.ask(`(({ value, max }) => value / max)(document.getElementById("${id}"))`);
  const at = (part) => left + 8 + (width - 16) * part;
  await browser.mouse("mousePressed", at(value), y, 1);
  for (const between of [0.3, 0.7, 1]) await browser.mouse("mouseMoved", at(value + (part - value) * between), y, 1);
  await browser.mouse("mouseReleased", at(part), y);
}

export async function choose(browser, id, value) {
  await browser.ask(`(() => {
    const list = document.getElementById("${id}");
    list.value = ${JSON.stringify(value)};
    list.dispatchEvent(new Event("change", { bubbles: true }));
    return list.value;
  })()`).then((chosen) => assert.equal(chosen, value));
}

// Of every page: a module that is damaged is told.
const ofAll = (file, home) => ({
  async "a page whose module is damaged says so"(browser) {
    const bad = join(home, "bad.html");
    writeFileSync(bad, readFileSync(file, "utf8").replace(/H4sI[A-Za-z0-9+/]{40}/, (begin) => begin.slice(0, 20) + "AAAA" + begin.slice(24)));
    await browser.show(pathToFileURL(bad).href);
    assert.match(await browser.ask(text("message")), /^This page cannot run: /);
    assert.equal(browser.complaints.length, 1);
    browser.complaints.length = 0;
  },
});

// Runs the tests of a page whose names have the word of the command line, if it has one, in a browser, and removes a folder.
export async function run(own, home, file) {
  const tests = { ...own, ...ofAll(file, home) };
  const browser = await Browser.open({ width: 1280, height: 900 });
  let failed = 0;
  for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(process.argv[4] ?? ""))) {
    const began = Date.now();
    try {
      browser.complaints.length = browser.requests.length = 0;
      await test(browser);
      assert.deepEqual(browser.complaints, [], "the page complains of nothing");
      assert.ok(browser.requests.every((asked) => /^(file|about|blob):/.test(asked)), "the page asks no network");
      console.log(`ok      ${name}, ${Date.now() - began} ms`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  rmSync(home, { recursive: true, force: true });
  console.log(`${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

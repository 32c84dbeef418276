// A moving picture of the page, in which one bit is flipped and found: node examples/page/tests/moving.mjs PAGE.html OUT.png
//
// An APNG: every frame has only the pixels that changed since the one before. It is taken from the page as it plays, so no two are
// the same, and no test looks at it.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../../../crates/program/tests/pictures/browser.mjs";
import { moving } from "../../../crates/program/tests/pictures/png.mjs";

const [file, out] = process.argv.slice(2);
// Frames before the flip, and in all; ticks between two; milliseconds that one is shown, and the last.
const [BEFORE, FRAMES, TICKS, MILLIS, LAST] = [16, 36, 4, 120, 4000];

const browser = await Browser.open({ width: 1000, height: 640 });
try {
  await browser.show(`${pathToFileURL(resolve(file)).href}#frames=300`);
  const page = "window.bitstep";
  const frames = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    if (frame === BEFORE) await browser.ask(`document.getElementById("flip").click()`);
    await browser.ask(`${page}.play(true)`);
    await new Promise((after) => setTimeout(after, (TICKS * 1000) / 60));
    await browser.ask(`${page}.play(false)`);
    frames.push(await browser.picture());
  }
  const millis = frames.map((_, index) => (index + 1 === frames.length ? LAST : MILLIS));
  const picture = moving(frames, millis);
  writeFileSync(out, picture);
  console.log(`${out}: ${picture.length} bytes, ${frames.length} frames`);
  for (const complaint of browser.complaints) console.error(complaint);
  process.exitCode = browser.complaints.length > 0 ? 1 : 0;
} finally {
  await browser.close();
}

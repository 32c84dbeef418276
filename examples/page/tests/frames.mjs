// Times between frames of the battle: node examples/page/tests/frames.mjs PAGE.html [UNITS]: so many units on each side, 40 seconds.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../../../crates/program/tests/pictures/browser.mjs";

const [file, units = "500"] = process.argv.slice(2);
const browser = await Browser.open({ width: 1280, height: 900 });
try {
  await browser.show(pathToFileURL(resolve(file)).href);
  // Armies need twenty seconds to meet.
  await browser.ask(`window.bitstep.open({ units: ${Number(units)} }), window.bitstep.step(20_000), (window.bitstep.frames = [])`);
  await new Promise((after) => setTimeout(after, 20_000));
  const { count, median, slow } = await browser.ask("window.bitstep.frameTimes()");
  const left = await browser.ask("window.bitstep.numbers[0].slice(3, 5).join(' and ')");
  console.log(`${count} frames in 20 s of battle: median ${median.toFixed(1)} ms, one of a hundred above ${slow.toFixed(1)} ms; ${left} units left`);
} finally {
  await browser.close();
}

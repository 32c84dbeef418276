// Times between frames of the battle: node examples/page/tests/frames.mjs PAGE.html [UNITS]: so many units on each side, 40 seconds.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../../../crates/program/tests/pictures/browser.mjs";

const [file, units = "500"] = process.argv.slice(2);
const browser = await Browser.open({ width: 1280, height: 900 });
try {
  await browser.show(pathToFileURL(resolve(file)).href);
  // Armies need twenty seconds to meet.
  await browser.ask(`window.bitstep.open({ units: ${Number(units)} }), window.bitstep.step(20_000)`);
  const times = await browser.ask(`new Promise((done) => {
    const [times, began] = [[], performance.now()];
    let before = began;
    requestAnimationFrame(function next(now) {
      times.push(now - before);
      before = now;
      if (now - began > 20_000) done(times.sort((a, b) => a - b));
      else requestAnimationFrame(next);
    });
  })`);
  const part = (part) => times[Math.floor(times.length * part)].toFixed(1);
  const left = await browser.ask("(({ left0, left1 }) => left0 + ' and ' + left1)(window.bitstep.numbers[0])");
  console.log(`${times.length} frames in 20 s of battle: median ${part(0.5)} ms, one of a hundred above ${part(0.99)} ms; ${left} units left`);
} finally {
  await browser.close();
}

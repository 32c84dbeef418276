// A still of a page as a PNG: node crates/program/tests/pictures/still.mjs PAGE.html[#tick=120&follow=3] OUT.png [WIDTH HEIGHT [dark]]

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { smaller } from "./png.mjs";

const [page, out, width = "1280", height = "800", tone = "light"] = process.argv.slice(2);
const [path, hash = ""] = page.split("#");
const browser = await Browser.open({ width: Number(width), height: Number(height), dark: tone === "dark" });
try {
  await browser.show(`${pathToFileURL(resolve(path))}#${hash}`);
  writeFileSync(out, smaller(await browser.picture()));
  for (const complaint of browser.complaints) console.error(complaint);
  process.exitCode = browser.complaints.length > 0 ? 1 : 0;
} finally {
  await browser.close();
}

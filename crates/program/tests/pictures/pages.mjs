// The pages that `bitstep view` writes, opened in a headless Chromium: node crates/program/tests/pictures/pages.mjs BITSTEP [WORD]
// takes the tests whose names have the word.
//
// What a page shows is compared with what the program says of the same tick.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const bitstep = resolve(process.argv[2]);
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "bitstep-pages-"));
const run = (...parts) => execFileSync(bitstep, parts, { encoding: "utf8", cwd: root });

// Writes a page, whatever the exit code, which is returned with its address.
function page(name, ...parts) {
  const path = join(home, `${name}.html`);
  const { status, stderr } = spawnSync(bitstep, ["view", ...parts, "-o", path], { encoding: "utf8", cwd: root });
  assert.ok(status < 2, stderr);
  return { url: pathToFileURL(path).href, status };
}

// Every body after a tick, as the program has it: slot, position and, per tick, velocity.
function bodiesAt(replay, tick) {
  const out = run("show", replay, "--tick", `${tick}`);
  const checksum = out.match(/checksum ([0-9a-f]+)/)[1];
  const vector = (text) => text.split(",").map(Number);
  const rows = out.matchAll(/^ *(\d+)(?:\.\d+)? .*position \(([^)]*)\) {2}velocity \(([^)]*)\)/gm);
  return { checksum, bodies: [...rows].map(([, slot, position]) => ({ slot: Number(slot), position: vector(position) })) };
}

// The rows of a list of facts in the page.
const facts = (id) => `Object.fromEntries([...document.querySelectorAll("#${id} dt")].map((dt) => [dt.textContent, dt.nextSibling.textContent]))`;
const waits = "window.bitstep.waiting === false && window.bitstep.ready";

async function seek(browser, tick) {
  await browser.ask(`window.bitstep.seek(window.bitstep.pictureOf(${tick}))`);
  await browser.until(waits);
}

// A recording of a scene that is written here: its path without its end, and what is in the scene.
function recorded(name, scene) {
  const [path, replay] = ["ron", "replay"].map((end) => join(home, `${name}.${end}`));
  writeFileSync(path, `(title: "${name}", tick_rate: 60, gravity: (0, -9.81, 0), materials: { "m": (restitution: 0) }, ${scene})`);
  run("run", path, "--record", replay);
  return replay;
}

// A position of the world as a place in the window.
const placeOf = (browser, position) => browser.ask(`(() => {
  const { camera } = window.bitstep;
  const [[a, b, c], matrix] = [sub(${JSON.stringify(position)}, camera.target), camera.matrix()];
  const row = (k) => matrix[k] * a + matrix[4 + k] * b + matrix[8 + k] * c + matrix[12 + k];
  const box = document.getElementById("stage").getBoundingClientRect();
  return [box.left + (0.5 + row(0) / row(3) / 2) * box.width, box.top + (0.5 - row(1) / row(3) / 2) * box.height];
})()`);

// The mean colour of 9 by 9 points of the picture around a position of the world.
async function colourAt(browser, position) {
  await browser.until(waits);
  const [x, y] = await placeOf(browser, position);
  return browser.ask(`(() => {
    const { canvas, gl } = window.bitstep.stage.painter;
    const box = canvas.getBoundingClientRect();
    const points = new Uint8Array(9 * 9 * 4);
    gl.readPixels(Math.round(${x} - box.left) - 4, Math.round(box.bottom - ${y}) - 4, 9, 9, gl.RGBA, gl.UNSIGNED_BYTE, points);
    return [0, 1, 2].map((part) => points.reduce((sum, value, at) => sum + (at % 4 === part ? value : 0), 0) / 81);
  })()`);
}

async function click(browser, position) {
  const [x, y] = await placeOf(browser, position);
  await browser.mouse("mousePressed", x, y, 1);
  await browser.mouse("mouseReleased", x, y);
  await browser.until(waits);
}

// Every position that a page has of a tick is the program's, within the page's precision.
async function comparePositions(browser, replay, tick, track = 0) {
  await seek(browser, tick);
  const { bodies } = bodiesAt(replay, tick);
  const shown = await browser.ask(`(() => {
    const page = window.bitstep;
    const sample = ${track} === 0 ? page.stores[0].sample(page.time) : page.ghost();
    const slots = Array.from({ length: sample.chunk.slots }, (_, slot) => slot).filter((slot) => sample.look(slot));
    return { bits: page.head.bits, bodies: slots.map((slot) => ({ slot, position: sample.pose(slot).position })) };
  })()`);
  assert.equal(shown.bodies.length, bodies.length, `bodies at tick ${tick}`);
  for (const [index, { slot, position }] of bodies.entries()) {
    assert.equal(shown.bodies[index].slot, slot);
    const miss = Math.max(...position.map((part, axis) => Math.abs(part - shown.bodies[index].position[axis])));
    assert.ok(miss <= 0.5001 * 2 ** -shown.bits, `tick ${tick}, slot ${slot}: off by ${miss}`);
  }
}

const tests = {
  async "positions, numbers and the last checksum are the program's"(browser) {
    for (const [name, ticks] of [["break", [0, 1, 59, 600]], ["tower", [0, 33, 300]], ["timeline", [0, 77, 150]]]) {
      const replay = `replays/${name}.replay`;
      await browser.show(page(name, replay).url);
      for (const tick of ticks) await comparePositions(browser, replay, tick);
      const shown = await browser.ask(facts("facts"));
      const last = await browser.ask("window.bitstep.track.first + window.bitstep.track.ticks");
      assert.equal(shown["last checksum"], bodiesAt(replay, last).checksum);
    }
  },

  async "a body that is followed is told in words"(browser) {
    await browser.show(`${page("follow", "replays/break.replay").url}#tick=60&follow=3`);
    const shown = await browser.ask(facts("body-facts"));
    const { position } = bodiesAt("replays/break.replay", 60).bodies.find(({ slot }) => slot === 3);
    const digits = shown.position.split(", ").map(Number);
    for (const axis of [0, 1, 2]) assert.ok(Math.abs(digits[axis] - position[axis]) < 0.002, `${shown.position} ${position}`);
    assert.equal(shown.shape, "sphere");
    assert.match(await browser.ask("document.getElementById('clock').textContent"), /^tick 60 of 600 .* 1\.00 s$/);
    await browser.key("Escape");
    await browser.until(waits);
    assert.equal(await browser.ask("document.getElementById('body').hidden"), true);
  },

  async "time plays, stops, steps and is sought"(browser) {
    await browser.show(page("play", "replays/break.replay").url);
    await browser.key(" ");
    await browser.until("window.bitstep.time > 5");
    await browser.key(" ");
    assert.equal(await browser.ask("window.bitstep.playing"), false);
    await seek(browser, 100);
    const stepped = async (key) => {
      await browser.key(key);
      return browser.ask("window.bitstep.time");
    };
    assert.deepEqual([await stepped("ArrowRight"), await stepped("ArrowRight"), await stepped("ArrowLeft")], [101, 102, 101]);
    assert.equal(await stepped("End"), 600);
    assert.equal(await stepped("Home"), 0);
    // The middle of the line is the middle of the time.
    const box = await browser.ask("(({ left, width, top }) => ({ left, width, top }))(document.getElementById('line').getBoundingClientRect())");
    const x = await browser.ask("window.bitstep.timeline.margin()");
    await browser.mouse("mousePressed", box.left + x + (box.width - x) / 2, box.top + 20, 1);
    await browser.mouse("mouseReleased", box.left + x + (box.width - x) / 2, box.top + 20);
    assert.ok(Math.abs((await browser.ask("window.bitstep.time")) - 300) < 2);
  },

  async "long stillness is folded, on the line and as time plays"(browser) {
    // A ball falls, lies still for a minute, and is thrown up.
    const [path, replay] = ["ron", "replay"].map((end) => join(home, `still.${end}`));
    const level = `materials: { "m": (restitution: 0) }, shapes: { "ball": sphere(radius: 0.5), "floor": plane(normal: (0, 1, 0)) }`;
    const bodies = `statics: [(shape: "floor", material: "m", position: (0, 0, 0))], bodies: [body(name: "it", shape: "ball", material: "m", position: (0, 1.5, 0))]`;
    const thrown = `timeline: [(tick: 3600, commands: [set_velocity(body: "it", velocity: (0, 6, 0))])]`;
    writeFileSync(path, `(title: "still", tick_rate: 60, ticks: 3660, gravity: (0, -9.81, 0), ${level}, ${bodies}, ${thrown})`);
    run("run", path, "--record", replay);
    await browser.show(page("still", replay).url);
    const [[from, to]] = await browser.ask("window.bitstep.folds.all.map(({ from, to }) => [from, to])");
    assert.ok(from > 20 && from < 60 && to === 3599, `${from} ${to}`);
    const length = await browser.ask("window.bitstep.folds.length");
    assert.equal(length, 3660 - (to - from) + 30);
    for (const time of [0, 10.25, from, from + 400, to - 1, to, to + 0.5, 3660]) {
      const again = await browser.ask(`((folds) => folds.timeOf(folds.placeOf(${time})))(window.bitstep.folds)`);
      assert.ok(Math.abs(again - time) < 1e-6, `${time} ${again}`);
    }
    // The end of the line is the end of the time, and what is behind the fold has its room.
    await seek(browser, to);
    const part = await browser.ask("window.bitstep.timeline.part(window.bitstep.time)");
    assert.ok(Math.abs(part - (from + 30) / length) < 1e-6, `${part}`);
    await seek(browser, from - 2);
    await browser.key(" ");
    await browser.until(`window.bitstep.time > ${to}`, 5);
    // Beside a run in which it is thrown earlier, what moves in either is not folded, nor where they part.
    const other = join(home, "earlier.replay");
    writeFileSync(path, readFileSync(path, "utf8").replace("tick: 3600", "tick: 1800"));
    run("run", path, "--record", other);
    await browser.show(page("still2", replay, other).url);
    const folds = await browser.ask("window.bitstep.folds.all.map(({ from, to }) => [from, to])");
    const at = await browser.ask("window.bitstep.divergedAt");
    assert.equal(folds.length, 2, JSON.stringify(folds));
    const [[first, before], [behind, last]] = folds;
    assert.ok(first === from && before < at && behind > at + 60 && last === to, `${JSON.stringify(folds)} ${at}`);
  },

  async "the eye stays above the ground, and sensors are seen through"(browser) {
    const [path, replay] = ["ron", "replay"].map((end) => join(home, `sensor.${end}`));
    const level = `materials: { "m": (restitution: 0) }, shapes: { "ball": sphere(radius: 0.5), "floor": plane(normal: (0, 1, 0)), "zone": aabb(half: (1, 1, 1)) }`;
    const statics = `statics: [(shape: "floor", material: "m", position: (0, 0, 0)), (shape: "zone", material: "m", layer: 3, position: (4, 1, 0))]`;
    const layers = "layers: [(a: 0, b: 3, rule: sensor)]";
    writeFileSync(path, `(title: "sensor", tick_rate: 60, ticks: 60, gravity: (0, -9.81, 0), ${level}, ${layers}, ${statics}, bodies: [body(shape: "ball", material: "m", position: (0, 3, 1))])`);
    run("run", path, "--record", replay);
    await browser.show(page("sensor", replay).url);
    await seek(browser, 30);
    assert.equal(await browser.ask("window.bitstep.head.sensors"), 8);
    const clear = await browser.ask("[...window.bitstep.stage.batches.values()].filter((batch) => batch.layer === 'clear' && batch.count > 0).length");
    assert.equal(clear, 1, "the zone");
    for (const pitch of [-1.5, -0.3, 0.4]) {
      await browser.ask(`window.bitstep.camera.pitch = ${pitch}`);
      const [height, lean] = await browser.ask("[window.bitstep.camera.eye[1], window.bitstep.camera.lean]");
      assert.ok(height > 0, `${pitch}: ${height}`);
      if (pitch > 0) assert.equal(lean, pitch, "as it was asked for");
    }
    // A drag begins from what is seen, and what is below the floor is looked at as one likes.
    const leans = await browser.ask(`((camera) => [-2, 0.5].map((turn) => (camera.turn(0, turn / 0.006), camera.lean)))(window.bitstep.camera)`);
    assert.ok(leans[0] > -0.5 && Math.abs(leans[1] - leans[0] - 0.5) < 1e-9, `${leans}`);
    await browser.ask("window.bitstep.camera.target = [0, -100, 0], window.bitstep.camera.pitch = -1");
    assert.equal(await browser.ask("window.bitstep.camera.lean"), -1);
  },

  async "the eye stays above hills"(browser) {
    const [path, replay] = ["ron", "replay"].map((end) => join(home, `hill.${end}`));
    // A plateau of height 5 from x = 3 on, above a valley in which a ball lies.
    const rows = Array(9).fill(`[${[0, 0, 0, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20].join(", ")}]`).join(", ");
    const shapes = `{ "ball": sphere(radius: 0.5), "hill": heights(cell: 1, unit: 0.25, rows: [${rows}]) }`;
    const statics = `statics: [(shape: "hill", material: "m", position: (0, 0, -4))]`;
    writeFileSync(path, `(title: "hill", tick_rate: 60, ticks: 30, gravity: (0, -9.81, 0), materials: { "m": (restitution: 0) }, shapes: ${shapes}, ${statics}, bodies: [body(shape: "ball", material: "m", position: (1, 0.51, 1))])`);
    run("run", path, "--record", replay);
    await browser.show(page("hill", replay).url);
    const camera = "window.bitstep.camera";
    const eyes = [];
    for (const yaw of [Math.PI / 2, -Math.PI / 2]) {
      for (const pitch of [-1, 0, 0.2]) {
        eyes.push(await browser.ask(`Object.assign(${camera}, { yaw: ${yaw}, pitch: ${pitch}, distance: 6 }).eye`));
      }
    }
    for (const [x, y] of eyes) assert.ok(y > (x > 3 ? 5 : 0) - 1e-6, `${x} ${y}`);
    assert.ok(eyes.some(([x, y]) => x > 3 && y < 5.1), `none is held above the plateau: ${eyes}`);
    assert.ok(eyes.some(([x, y]) => x < 3 && y < 1), `none is low above the valley: ${eyes}`);
  },

  async "one-way solids show the way through them, and are told of"(browser) {
    const shapes = `{ "ball": sphere(radius: 0.4), "slab": aabb(half: (2, 0.5, 1), open: "+y"), "door": obb(half: (1, 1, 1), rotation: (1, 0, 0, 1), open: "-x"),
      "solid": aabb(half: (2, 0.5, 1)), "wall": mesh(points: [(-1, -1, 0), (-1, 1, 0), (1, 1, 0), (1, -1, 0)], triangles: [(0, 1, 2), (0, 2, 3)], open: "front"),
      "hill": heights(cell: 1, unit: 0.25, rows: [[0, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]], open: "front"), "lift": aabb(half: (1, 0.5, 1), open: "+z") }`;
    const places = { slab: [-6, 0, 0], door: [0, 0, 0], solid: [6, 0, 0], wall: [-6, 4, 0], hill: [4, 4, -1] };
    const statics = Object.entries(places).map(([name, position]) => `(shape: "${name}", material: "m", position: (${position.join(", ")}))`);
    const bodies = ["-8, 3, 0", "8, 8, 0"].map((position) => `body(shape: "ball", material: "m", position: (${position}))`);
    const lift = 'body(shape: "lift", material: "m", body_type: kinematic, position: (0, 5, 0))';
    await browser.show(page("oneway", recorded("oneway", `ticks: 10, shapes: ${shapes}, statics: [${statics.join(", ")}], bodies: [${bodies.join(", ")}, ${lift}]`)).url);
    await browser.ask("window.bitstep.camera.face(0, 0.3), window.bitstep.change()");
    await browser.until(waits);
    const told = await browser.ask(`(() => {
      const { stage, head } = window.bitstep;
      const arrows = stage.batch("arrow", "way");
      const ways = Array.from({ length: arrows.count }, (_, k) => unit([3, 4, 5].map((part) => arrows.data[k * FLOATS + part])));
      const drawn = [...stage.batches.values()].filter(({ count }) => count > 0);
      const count = (layer, mesh, side) => drawn.find((batch) => batch.layer === layer && batch.mesh.startsWith(mesh) && batch.side === side)?.count ?? 0;
      return {
        opens: [...head.shapes.values()].flat().map(({ open }) => open ?? "-").join(" "),
        ways: [[0, 0, 1], [0, 0, -1], [0, -1, 0], [0, 1, 0]].map((way) => ways.filter((other) => dot(way, other) > 0.999).length),
        boxes: [count("fixed", "box", 0), count("solid", "box", 0), count("passed", "box", 1)],
        triangles: [count("fixed", "hull", 1), count("passed", "hull", -1), count("fixed", "soil", 1), count("passed", "soil", -1)],
        legend: document.getElementById("legend").textContent,
      };
    })()`);
    assert.equal(told.opens, "- +y -x - front front +z");
    assert.ok(told.ways.every((count) => count > 0), `through the lift, the wall, the door and the slab: ${told.ways}`);
    assert.deepEqual([told.boxes, told.triangles], [[3, 1, 3], [1, 1, 1, 1]], "what holds, and what is passed");
    assert.equal(told.legend, "one-way: bodies pass along the arrows");
    const greenOf = async (...position) => (([red, green]) => green - red)(await colourAt(browser, position));
    const [rest, plate, solid, back] = [await greenOf(-6.7, -0.2, 1), await greenOf(-6.7, 0.37, 1), await greenOf(6, -0.2, 1), await greenOf(-5.4, 4.4, 0)];
    assert.ok(rest > plate + 10 && plate > solid + 10 && back > plate + 10, `${[rest, plate, solid, back]}`);
    for (const [name, words] of Object.entries({ slab: "beyond its +y face", wall: "in front of it", hill: "above it" })) {
      await click(browser, name === "hill" ? [6.3, 4.1, 0.1] : places[name].map((part, axis) => part + (axis === 0 ? 0.6 : 0)));
      assert.equal((await browser.ask(facts("body-facts")))["one-way"], `holds what is ${words}; the rest passes`);
    }
    await click(browser, places.solid);
    assert.deepEqual(Object.keys(await browser.ask(facts("body-facts"))), ["shape", "layer", "position"]);
    await click(browser, places.solid);
    assert.equal(await browser.ask("document.getElementById('body').hidden"), true, "let go by the same click again");
  },

  async "a click picks the body that is seen there"(browser) {
    await browser.show(page("pick", "replays/break.replay").url);
    await seek(browser, 60);
    const { slot, pose } = await browser.ask("(({ slot, pose: { position } }) => ({ slot, pose: { position } }))(window.bitstep.stage.seen[5])");
    await click(browser, pose.position);
    assert.equal(await browser.ask("window.bitstep.following"), slot);
  },

  async "between impacts a body goes straight, and bounces where it met another one"(browser) {
    await browser.show(page("bounce", "replays/cradle.replay").url);
    const bends = await browser.ask(`(() => {
      const page = window.bitstep;
      const chunk = page.stores[0].sample(0).chunk;
      const bends = [];
      for (let picture = 1; picture < chunk.pictures; picture++) {
        for (const mark of chunk.marks[picture]) {
          const sample = new Sample(chunk, picture - 1, mark.u);
          if (mark.fixed) continue;
          const [a, b] = [mark.a, mark.b].map((slot) => sample.pose(slot).position);
          bends.push(length(sub(a, b)));
        }
      }
      return bends;
    })()`);
    assert.ok(bends.length > 10);
    const radius = 0.5; // of every ball there
    for (const bend of bends) assert.ok(Math.abs(bend - 2 * radius) < 0.05, `they met at a distance of ${bend}`);
  },

  async "two recordings are shown over each other, and the difference is named"(browser) {
    const bad = join(home, "bad.replay");
    run("run", "replays/break.ron", "--inject", "200:7:vel.y", "--record", bad);
    const { url, status } = page("both", "replays/break.replay", bad);
    assert.equal(status, 1);
    await browser.show(url);
    assert.equal(await browser.ask("document.getElementById('divergence').hidden"), false);
    const shown = await browser.ask(facts("divergence-facts"));
    assert.match(shown.tick, /^200/);
    assert.match(shown.field, /^slots\[7\]\.body\.momentum\.y/);
    // It opens there, and comes back.
    const there = () => browser.ask("[window.bitstep.time, window.bitstep.following]");
    await browser.until(waits);
    assert.deepEqual(await there(), [200, 7]);
    await browser.key("Home");
    assert.equal((await there())[0], 0);
    await browser.key("d");
    await browser.until(waits);
    assert.deepEqual(await there(), [200, 7]);
    assert.equal(await browser.ask("window.bitstep.stage.batches.get('top ring').count"), 2, "followed, and where they diverge");
  },

  async "the second of two recordings is where it was"(browser) {
    const scene = readFileSync(join(root, "replays/break.ron"), "utf8").replace("velocity: (120, 0, 0)", "velocity: (90, 7, 0)");
    const [path, other] = [join(home, "other.ron"), join(home, "other.replay")];
    writeFileSync(path, scene);
    run("run", path, "--record", other);
    await browser.show(page("other", "replays/break.replay", other).url);
    for (const tick of [0, 45, 333, 600]) {
      await comparePositions(browser, "replays/break.replay", tick);
      await comparePositions(browser, other, tick, 1);
    }
  },

  async "ground that is dug is as it is at each time, on and back"(browser) {
    const [path, replay] = ["ron", "replay"].map((end) => join(home, `dug.${end}`));
    const rows = (height, count) => `[${Array(count).fill(`[${Array(count).fill(height).join(", ")}]`).join(", ")}]`;
    const shapes = `{ "hill": heights(cell: 1, unit: 0.25, rows: ${rows(2, 120)}), "ball": sphere(radius: 0.5) }`;
    const bodies = '[body(shape: "ball", material: "m", position: (6, 1, 6)), body(shape: "ball", material: "m", position: (15, 1, 12))]';
    const level = `materials: { "m": (restitution: 0) }, statics: [(name: "hill", shape: "hill", material: "m", position: (0, 0, 0))]`;
    const dig = (tick, at, height) => `(tick: ${tick}, commands: [set_heights(ground: "hill", at: (${at}, ${at}), rows: ${rows(height, 10)})])`;
    const timeline = `[${dig(10, 2, -6)}, ${dig(40, 3, -10)}]`;
    const head = `title: "dug", tick_rate: 60, ticks: 60, gravity: (0, -9.81, 0)`;
    writeFileSync(path, `(${head}, shapes: ${shapes}, ${level}, bodies: ${bodies}, timeline: ${timeline})`);
    run("run", path, "--record", replay);
    await browser.show(page("dug", replay).url);
    const heightsAt = async (time) => {
      await browser.ask(`window.bitstep.seek(${time})`);
      await browser.until(waits);
      return browser.ask("((corners) => [[2, 2], [7, 7], [12, 12], [1, 1]].map(([x, z]) => corners.find((corner) => corner[0] === x && corner[2] === z)[1]))(window.bitstep.stage.grounds.solids.get(0).corners)");
    };
    const [first, second, third] = [[0.5, 0.5, 0.5, 0.5], [-1.5, -1.5, 0.5, 0.5], [-1.5, -2.5, -2.5, 0.5]];
    for (const [time, heights] of [[0, first], [9, first], [9.5, second], [10, second], [60, third], [39, second], [3, first]]) {
      assert.deepEqual(await heightsAt(time), heights, `picture ${time}`);
      // It looks like earth where it is dug, and only then.
      await browser.ask("window.bitstep.camera.face(0, 1.2), window.bitstep.change()");
      const [red, , blue] = await colourAt(browser, [9, heights[1], 9]);
      assert.equal(red - blue > 40, heights !== first, `picture ${time}: ${red} ${blue}`);
    }
    await comparePositions(browser, replay, 60);
  },

  async "hulls are shown with their faces, and picked"(browser) {
    const [path, replay] = ["ron", "replay"].map((end) => join(home, `hulls.${end}`));
    const ramp = "hull(points: [(0, 0, 0), (4, 0, 0), (4, 2, 0), (0, 0, 3), (4, 0, 3), (4, 2, 3)])";
    const shapes = `{ "ramp": ${ramp}, "can": cylinder(radius: 0.5, half_length: 0.5, sides: 12) }`;
    const bodies = '[body(shape: "can", material: "m", position: (3, 3, 1.5))]';
    const level = `materials: { "m": (restitution: 0) }, statics: [(shape: "ramp", material: "m", position: (0, 0, 0))]`;
    writeFileSync(path, `(title: "hulls", tick_rate: 60, ticks: 30, gravity: (0, -9.81, 0), shapes: ${shapes}, ${level}, bodies: ${bodies})`);
    run("run", path, "--record", replay);
    await browser.show(page("hulls", replay).url);
    await comparePositions(browser, replay, 30);
    const told = await browser.ask(`(() => {
      const { head, stage, camera } = window.bitstep;
      const [[wedge], [can]] = [...head.shapes.values()];
      const { pose } = stage.seen[0];
      const toward = unit(sub(pose.position, camera.eye));
      const outward = [wedge, can].flatMap(({ corners, faces }) => faces.map((face) => planeOf(corners, face).far));
      return {
        counts: [wedge, can].map(({ corners, faces }) => [corners.length, faces.length]),
        least: Math.min(...outward),
        drawn: [...stage.batches.values()].filter(({ mesh, count }) => mesh.startsWith("hull") && count === 1).length,
        picked: stage.pick(toward),
      };
    })()`);
    assert.deepEqual([told.counts, told.drawn, told.picked], [[[6, 5], [24, 14]], 2, 0]);
    assert.ok(told.least > 0.4, `faces are outward: ${told.least}`);
  },

  async "two fingers come nearer, and the wheel"(browser) {
    await browser.show(page("touch", "replays/tower.replay").url);
    const camera = () => browser.ask("(({ distance, yaw, target }) => ({ distance, yaw, target }))(window.bitstep.camera)");
    const touch = (type, ...points) => browser.send("Input.dispatchTouchEvent", {
      type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
    const before = await camera();
    await touch("touchStart", [600, 300]);
    await touch("touchMove", [680, 300]);
    await touch("touchEnd");
    const turned = await camera();
    assert.ok(turned.yaw < before.yaw && turned.distance === before.distance);
    await touch("touchStart", [600, 300], [700, 300]);
    await touch("touchMove", [550, 300], [750, 300]);
    await touch("touchEnd");
    const nearer = await camera();
    assert.ok(nearer.distance < turned.distance * 0.7, `${turned.distance} ${nearer.distance}`);
    await browser.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 640, y: 300, deltaX: 0, deltaY: 400 });
    await browser.until(`window.bitstep.camera.distance > ${nearer.distance}`);
    await browser.key("r");
    assert.equal((await camera()).yaw, before.yaw);
  },

  async "without WebGL 2 the page says so, and its numbers work"(browser) {
    const source = `{
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind === "webgl2" ? null : get.call(this, kind, ...more);
      };
    }`;
    const { identifier } = await browser.send("Page.addScriptToEvaluateOnNewDocument", { source });
    try {
      await browser.show(`${page("plain", "replays/tower.replay").url}#tick=33&follow=2`);
      assert.match(await browser.ask("document.getElementById('message').textContent"), /no WebGL 2/);
      assert.equal((await browser.ask(facts("body-facts"))).shape, "box");
    } finally {
      await browser.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    }
  },

  async "names are texts"(browser) {
    const name = "<img src=x onerror=alert(1)> & \"'.replay";
    const replay = join(home, name);
    run("run", "replays/cradle.ron", "--ticks", "5", "--record", replay);
    await browser.show(page("hostile", replay).url);
    assert.equal(await browser.ask("document.getElementById('name').textContent"), name);
    assert.equal(await browser.ask("document.querySelectorAll('img').length"), 0);
    assert.ok((await browser.ask("document.title")).startsWith(name));
  },

  async "a page that is cut off says so"(browser) {
    await browser.show(page("cut", "replays/cradle.replay").url);
    await browser.ask("document.getElementsByClassName('piece')[2].textContent = 'AAAA'");
    const message = await browser.ask("piece(2).then(() => 'read', (error) => 'refused')");
    assert.equal(message, "refused");
  },

  async "no two pictures of a thousand bodies are far apart"(browser) {
    await browser.show(page("gas", "replays/gas.replay").url);
    await browser.ask("window.bitstep.play(true)");
    await browser.until("window.bitstep.time > 90 || !window.bitstep.playing", 120);
    const [script, slow, all] = await browser.ask(`(async () => {
      const page = window.bitstep;
      const sorted = page.frames.slice().sort((a, b) => a - b);
      const [script, slow] = [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)]);
      const times = [];
      let before = performance.now();
      for (let k = 0; k < 20; k++) {
        page.seek(100 + k * 1.3);
        await new Promise((done) => requestAnimationFrame(done));
        page.stage.painter.gl.finish();
        times.push(performance.now() - before);
        before = performance.now();
      }
      page.play(false);
      return [script, slow, times.sort((a, b) => a - b)[10]];
    })()`);
    console.log(`    1,000 bodies: ${script.toFixed(1)} ms of script a picture, one of a hundred above ${slow.toFixed(1)}; ${all.toFixed(1)} ms with drawing in software`);
    assert.ok(script < 100, `${script} ms`);
  },
};

let failed = 0;
const browser = await Browser.open();
try {
  for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(process.argv[3] ?? ""))) {
    browser.complaints.length = browser.requests.length = browser.dialogs.length = 0;
    try {
      await test(browser);
      assert.deepEqual(browser.complaints, []);
      assert.deepEqual(browser.dialogs, []);
      assert.deepEqual(browser.requests.filter((url) => !url.startsWith("file:") && url !== "about:blank"), []);
      console.log(`ok   ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
console.log(failed === 0 ? "all pages are as they should be" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

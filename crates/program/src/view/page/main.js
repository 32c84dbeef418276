// The page: time goes on, keys and buttons, and one picture after another.

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const KEYS = [
  ["space", "play, pause"], ["← →", "a tick back, forward"], ["Shift ← →", "a sixteenth of a tick"], ["Home End", "begin, end"],
  ["- +", "slower, faster"], ["f", "follow the next body"], ["Esc", "let go"], ["v", "velocities"], ["c", "contacts"],
  ["1 2 3", "front, side, top"], ["r", "reset view"], ["d", "first difference"], ["?", "these keys"],
];

class Page {
  constructor(head, numbers) {
    Object.assign(this, { head, numbers });
    this.track = head.tracks[0];
    this.time = 0;
    this.playing = false;
    this.speed = 1;
    [this.following, this.fixed] = [-1, -1];
    this.shows = { arrows: false, marks: true };
    this.frames = [];
    this.divergedAt = head.divergence ? this.pictureOf(head.divergence.tick) : null;
    const changed = () => this.change();
    let at = 1 + head.tracks.length;
    this.stores = head.tracks.map((track) => {
      const store = new Store(track, head.bits, at, changed);
      at += track.chunks.length;
      return store;
    });
    this.panel = new Panel(head);
    this.folds = new Folds(stillParts(head, this.divergedAt), this.track.pictures, head.rate / head.every);
    this.timeline = new Timeline(element("line"), head, numbers[0], this.folds, (time) => this.seek(time));
    this.makeStage(changed);
    this.makeControls();
    this.goToDivergence();
    this.readHash();
    window.addEventListener("resize", changed);
    window.addEventListener("hashchange", () => this.readHash());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
    this.change();
  }

  makeStage(changed) {
    const canvas = element("stage");
    const falls = length(this.head.gravity) > 0 && !this.head.flat;
    const up = falls ? unit(scaled(this.head.gravity, -1)) : [0, 1, 0];
    this.camera = new Camera(up, boundsOf(this.head), this.head.flat, falls ? this.floorOf(up) : () => -Infinity);
    try {
      this.stage = new Stage(new Painter(canvas), this.camera, this.head);
    } catch (error) {
      this.failure = error.message;
      return;
    }
    steer(canvas, this.camera, { changed, clicked: (x, y) => this.pick(this.camera.ray(x, y)) });
  }

  // The height that the eye stays above at a place: of planes that hold up, of the lowest center, and of ground there.
  floorOf(up) {
    const level = levelOf(this.head, up);
    if (up[1] < 0.9) return () => level;
    const grounds = () => this.stage?.fixed.filter(([, solid]) => solid.kind === "ground") ?? [];
    return (place, of) => Math.max(level, ...grounds().map(([fixed, solid]) => heightOfGround(fixed, solid, place, of)));
  }

  // Ticks and pictures: the last picture may be of fewer ticks than the others.
  tickAt(time) {
    const whole = Math.floor(time);
    const of = (picture) => Math.min(picture * this.head.every, this.track.ticks);
    return this.track.first + of(whole) + (of(whole + 1) - of(whole)) * (time - whole);
  }

  pictureOf(tick) {
    const ticks = Math.max(0, Math.min(tick - this.track.first, this.track.ticks));
    return Math.min(ticks / this.head.every, this.track.pictures - 1);
  }

  change() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  seek(time) {
    this.time = Math.max(0, Math.min(time, this.track.pictures - 1));
    this.change();
  }

  step(by) {
    this.play(false);
    const size = Math.abs(by);
    const at = this.time / size;
    this.seek((by > 0 ? Math.floor(at + 1e-6) + 1 : Math.ceil(at - 1e-6) - 1) * size);
  }

  play(on) {
    const last = this.track.pictures - 1;
    if (on && this.time >= last) this.time = 0;
    this.playing = on && last > 0;
    this.before = null;
    element("play").textContent = this.playing ? "❚❚" : "▶";
    this.change();
  }

  // Follows a body, or tells of a static.
  follow(slot, fixed = -1) {
    [this.following, this.fixed] = [slot, fixed];
    this.change();
  }

  // The body that is seen along a ray, or else the static; the same static again is let go.
  pick(ray) {
    const slot = this.stage.pick(ray);
    const fixed = slot < 0 ? this.stage.pickFixed(ray) : -1;
    this.follow(slot, fixed === this.fixed ? -1 : fixed);
  }

  setSpeed(index) {
    this.speed = SPEEDS[Math.max(0, Math.min(index, SPEEDS.length - 1))];
    element("speed").value = `${this.speed}`;
  }

  // One picture.
  frame(now) {
    this.waiting = false;
    const began = performance.now();
    if (this.playing) {
      const passed = this.before === null ? 0 : Math.min(now - this.before, 250);
      this.before = now;
      const more = (passed / 1000) * (this.head.rate / this.head.every) * this.speed;
      if (this.ready) this.time = this.folds.timeOf(this.folds.placeOf(this.time) + more);
      if (this.time >= this.track.pictures - 1) {
        this.time = this.track.pictures - 1;
        this.playing = false;
        element("play").textContent = "▶";
      }
    }
    this.show();
    this.frames.push(performance.now() - began);
    if (this.frames.length > 240) this.frames.shift();
    if (this.playing) this.change();
  }

  show() {
    const sample = this.stores[0].sample(this.time);
    const ghost = this.ghost();
    this.ready = sample !== null && ghost !== undefined;
    const failed = this.failure ?? this.stores.map((store) => store.failed).find((error) => error)?.message;
    element("message").textContent = failed ?? "";
    const picture = Math.max(0, Math.ceil(this.time - 1e-9));
    this.panel.showNow(this.tickAt(this.time), this.numbers[0], picture);
    this.timeline.draw(this.time, this.divergedAt);
    if (!this.ready) return;
    if (this.fixed >= 0) this.panel.showStatic(this.fixed);
    else this.panel.showBody(this.following, sample);
    if (!this.stage) return;
    if (this.following >= 0 && sample.look(this.following)) this.camera.target = sample.pose(this.following).position;
    this.camera.resize(this.stage.painter.resize());
    this.stage.tone = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const { following, fixed, time } = this;
    const room = 2 ** -this.head.bits;
    const diverged = this.divergedAt !== null && time >= this.divergedAt ? this.head.divergence.slot : -1;
    this.stage.draw({ sample, ghost: ghost ?? null, following, fixed, diverged, time, room, ...this.shows });
  }

  // The other recording at this time: null where there is none, undefined while it is being decoded.
  ghost() {
    const other = this.head.tracks[1];
    if (!other) return null;
    const ticks = this.tickAt(this.time) - other.first;
    if (ticks < 0 || ticks > other.ticks) return null;
    return this.stores[1].sample(Math.min(ticks / this.head.every, other.pictures - 1)) ?? undefined;
  }

  toggle(name) {
    this.shows[name] = !this.shows[name];
    element(`show-${name}`).setAttribute("aria-pressed", `${this.shows[name]}`);
    this.change();
  }

  makeControls() {
    for (const speed of SPEEDS) element("speed").append(new Option(`${speed}×`, `${speed}`));
    this.setSpeed(SPEEDS.indexOf(1));
    for (const [name, text] of [["arrows", "Velocities"], ["marks", "Contacts"]]) {
      const button = Object.assign(document.createElement("button"), { type: "button", id: `show-${name}`, textContent: text });
      button.setAttribute("aria-pressed", `${this.shows[name]}`);
      button.addEventListener("click", () => this.toggle(name));
      element("toggles").append(button, " ");
    }
    const does = {
      play: () => this.play(!this.playing), back: () => this.step(-1), forward: () => this.step(1),
      ask: () => (element("help").hidden = !element("help").hidden),
      "body-leave": () => this.follow(-1), "divergence-go": () => this.goToDivergence(),
    };
    for (const [id, act] of Object.entries(does)) element(id).addEventListener("click", act);
    element("speed").addEventListener("change", (event) => this.setSpeed(SPEEDS.indexOf(Number(event.target.value))));
    setFacts("keys", KEYS);
    window.addEventListener("keydown", (event) => this.key(event));
  }

  goToDivergence() {
    if (this.divergedAt === null) return;
    this.play(false);
    this.seek(this.divergedAt);
    if (this.head.divergence.slot >= 0) this.follow(this.head.divergence.slot);
  }

  followNext() {
    const seen = this.stage?.seen ?? [];
    const next = seen.find(({ slot }) => slot > this.following) ?? seen[0];
    if (next) this.follow(next.slot);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const speed = SPEEDS.indexOf(this.speed);
    const step = event.shiftKey ? 1 / 16 : 1;
    const does = {
      " ": () => this.play(!this.playing), ArrowLeft: () => this.step(-step), ArrowRight: () => this.step(step),
      Home: () => this.seek(0), End: () => this.seek(this.track.pictures - 1),
      "-": () => this.setSpeed(speed - 1), "+": () => this.setSpeed(speed + 1), "=": () => this.setSpeed(speed + 1),
      f: () => this.followNext(), Escape: () => this.follow(-1), d: () => this.goToDivergence(),
      v: () => this.toggle("arrows"), c: () => this.toggle("marks"),
      1: () => this.camera.face(0, 0), 2: () => this.camera.face(Math.PI / 2, 0), 3: () => this.camera.face(0, 1.55),
      r: () => this.camera.reset(), "?": () => (element("help").hidden = !element("help").hidden),
    };
    if (!does[event.key]) return;
    event.preventDefault();
    does[event.key]();
    this.change();
  }

  // An address may end in #tick=120&follow=3&play&arrows&yaw=40&pitch=20&near=2.
  readHash() {
    const told = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (told.has(name) ? Number(told.get(name)) : NaN);
    if (number("tick") >= 0) this.seek(this.pictureOf(number("tick")));
    if (number("follow") >= 0) this.follow(number("follow"));
    if (told.has("arrows") && !this.shows.arrows) this.toggle("arrows");
    for (const name of ["yaw", "pitch"]) {
      if (Number.isFinite(number(name))) this.camera[name] = (number(name) * Math.PI) / 180;
    }
    if (number("near") > 0) {
      this.camera.resize(element("stage").clientWidth / Math.max(1, element("stage").clientHeight));
      this.camera.zoom(1 / number("near"));
    }
    if (told.has("play")) this.play(true);
    this.change();
  }
}

// The height of planes that hold up, or of the lowest center.
function levelOf({ low, high, statics, shapes }, up) {
  const planes = statics.flatMap(({ shape, position }) => (shapes.get(shape) ?? []).filter(({ kind }) => kind === "plane").map((solid) => ({ ...solid, position })));
  const heights = planes.filter(({ normal }) => dot(normal, up) > 0.9).map(({ point, position }) => dot(add(point, position), up));
  return Math.max(up.reduce((sum, part, axis) => sum + part * (part > 0 ? low : high)[axis], 0), ...heights);
}

// A box around all bodies, with room for their sizes.
function boundsOf(head) {
  const shapes = [...head.shapes.values()].filter((children) => children.every((child) => !["plane", "mesh", "ground"].includes(child.kind)));
  const reaches = shapes.map((children) => Math.max(...children.map(reachOf))).sort((a, b) => a - b);
  const room = reaches.length ? reaches[Math.floor(reaches.length / 2)] : 1;
  return { low: head.low.map((part) => part - room), high: head.high.map((part) => part + room) };
}

async function open() {
  const head = readHead(await piece(0));
  const numbers = await Promise.all(
    head.tracks.map(async (track, index) => readNumbers(await piece(1 + index), track.pictures, head.rate)),
  );
  window.bitstep = new Page(head, numbers);
}

open().catch((error) => {
  element("message").textContent = `This page cannot be shown: ${error.message}`;
  console.error(error);
});

// The page: time goes on, orders go out, and what both peers say.

const SEED = 7, TICK_MILLIS = 50;
const SLIDERS = [
  ["latency", "Latency", 300, 40, (value) => `${value} ms`],
  ["jitter", "Jitter", 200, 20, (value) => `${value} ms`],
  ["loss", "Loss", 60, 2, (value) => `${value} %`],
];
const PLACES = [["pos.x", "a unit's place x"], ["pos.y", "a unit's place y"], ["vel.x", "a unit's momentum x"], ["health", "a unit's health"]];
const WORLD_PHASES = ["finish", "impacts", "integrate", "rest", "hits"];
const GAME_PHASES = ["orders", "shots", "steering", "hits"];
// In the order of `skirmish_numbers`.
const NUMBERS = ["tick", "compared", "last", "left0", "left1", "isPerson", "isOver", "isFinished", "isPlaying", "givenUp", "isFlipping", "parts"];
const SHOWN_EVERY = 10, ROWS = 8, SUMS_KEPT = 400, NEWS_SHOWN = 5, ERROR_MILLIS = 3_000;

class Page {
  constructor(module) {
    this.module = module;
    this.playing = true;
    this.speed = 1;
    this.weather = Object.fromEntries(SLIDERS.map(([name, , , value]) => [name, value]));
    this.camera = new Camera();
    this.fields = [0, 1].map((side) => new Field(element(`field${side}`), this.camera));
    this.command = new Command(this.fields[0], this.camera, {
      seen: () => this.seen[0] ?? this.after[0],
      give: (...order) => this.order(...order),
      changed: () => this.choose(),
    });
    this.makeControls();
    this.readColours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.readColours());
    this.open();
    this.readHash();
    this.ready = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  // A match from its beginning: of a script of so many ticks, or without an end.
  open({ units = Number(element("units").value), ticks = 0 } = {}) {
    this.module.demand("skirmish_open", SEED, units, ticks);
    Object.assign(this, { units, ticks });
    this.begin();
  }

  // Goes on with a match that was saved.
  load(bytes) {
    this.module.give(bytes);
    this.module.demand("skirmish_load");
    this.ticks = 0;
    this.begin();
  }

  // All that is of one match.
  begin() {
    Object.assign(this, {
      over: false, finding: null, flipped: undefined, healed: null, saving: false, winner: null, error: null, due: 0, clock: 0, news: [],
      sums: [new Map(), new Map()], before: [null, null], after: [null, null], seen: [null, null], since: [0, 0],
    });
    this.setWeather();
    this.command.choose([]);
    for (const id of ["ending", "flip-words", "saved", "healed"]) element(id).textContent = "";
    element("ticker").replaceChildren();
    element("finding").hidden = true;
    this.play(true);
    this.step(1);
  }

  setWeather() {
    const { latency, jitter, loss } = this.weather;
    this.module.demand("skirmish_weather", latency, jitter, loss);
  }

  order(kind, units, { x, y, target }) {
    this.module.give(Uint8Array.from(units.flatMap((number) => [number & 255, number >> 8])));
    const to = turnedBack(x, y).map((length) => Math.round(length * UNIT));
    try {
      this.module.demand("skirmish_order", ORDERS[kind], ...to, target);
    } catch ({ message }) {
      this.error = { message, until: performance.now() + ERROR_MILLIS };
    }
  }

  // Units that are chosen have a person for a player from then on.
  choose() {
    if (this.command?.chosen.size > 0) {
      this.module.exports.skirmish_take_over();
      [this.ticks, this.numbers[0].isPerson] = [0, 1];
    }
    this.showChosen();
  }

  // Lets so many milliseconds pass for both peers, without drawing.
  step(millis) {
    for (let left = millis; left > 0 && !this.over; left -= 20) {
      this.over = this.module.call("skirmish_advance", Math.min(20, left)) === 1;
      this.clock += Math.min(20, left);
      this.follow();
    }
  }

  follow() {
    const before = this.numbers;
    this.numbers = [0, 1].map((side) => {
      const numbers = this.module.numbers("skirmish_numbers", side);
      return Object.fromEntries(NUMBERS.map((name, index) => [name, numbers[index]]));
    });
    for (const side of [0, 1]) {
      if (this.after[side]?.tick !== this.numbers[side].tick) this.followTick(side);
      const news = this.module.words("skirmish_news", side).split("\n").filter((text) => text !== "");
      for (const text of news) this.news.unshift({ side, text });
    }
    this.news.length = Math.min(this.news.length, NEWS_SHOWN);
    if (this.finding === null && [0, 1].every((side) => this.module.call("skirmish_diverged", side) === 2)) this.diverge();
    if (this.finding !== null && this.healed === null && this.flipped !== undefined) this.followHealing();
    if (this.saving) this.takeSave(before);
    if (this.over) this.end();
  }

  // A peer that gave its state up is healed when it takes part again.
  followHealing() {
    const side = [0, 1].find((side) => this.numbers[side].givenUp > this.givenUp[side]);
    if (side === undefined || !this.numbers[side].isPlaying) return;
    this.healed = side;
    element("healed").textContent = `Peer ${side + 1} was wrong, and has taken the other's state: the battle goes on.`;
  }

  followTick(side) {
    const numbers = this.module.numbers("skirmish_picture", side);
    if (numbers.length === 0) return;
    [this.before[side], this.after[side], this.since[side]] = [this.after[side], pictureOf(numbers), this.clock];
    const { left0, left1 } = this.numbers[side];
    if (this.winner === null && (left0 === 0 || left1 === 0)) this.winner = left0 > 0 ? "Player 1 has won" : left1 > 0 ? "Player 2 has won" : "Both armies are gone";
    for (const [tick, sum] of this.module.lines("skirmish_sums", side)) {
      this.sums[side].set(Number(tick), sum);
      if (this.sums[side].size > SUMS_KEPT) this.sums[side].delete(this.sums[side].keys().next().value);
    }
  }

  diverge() {
    const [ours, theirs] = [0, 1].map((side) => findingOf(this.module.lines("skirmish_finding", side)));
    this.finding = ours;
    this.marked = this.numberOf(ours.body);
    showFinding(ours, theirs, this.whose(ours.body));
    element("finding").hidden = false;
  }

  // What is true now, the most important first: a tone, and words.
  verdict(now) {
    if (this.error !== null && now < this.error.until) return ["wrong", this.error.message];
    if (this.finding !== null && this.healed === null) {
      const { tick, phase, body, field } = this.finding;
      return ["wrong", `Desync in tick ${tick}, after ${phase}: ${this.whose(body)}, ${field}`];
    }
    if (this.numbers.some(({ isOver, isFinished }) => isOver && !isFinished)) return [this.over ? "calm" : "wrong", this.over ? "The match is ended" : "One peer is gone"];
    if (this.isWrong()) return ["calm", "One bit is put wrong; both are about to find it"];
    const same = this.healed === null ? "every tick was the same" : `peer ${this.healed + 1} is healed, and the same again`;
    if (this.winner !== null) return ["calm", `${this.winner}; ${same}`];
    if (this.over) return ["calm", `The match is over; ${same}`];
    if (this.ticks > 0) return ["calm", `A script plays; ${same}`];
    const isPerson = this.numbers[0].isPerson !== 0;
    return ["calm", isPerson ? `You command; ${same}` : `Both play by themselves: choose units, and they are yours`];
  }

  // The unit of a finding: its number, or null.
  numberOf(body) {
    const [, kind, text] = /^(body|unit) (\d+)$/.exec(body ?? "") ?? [];
    if (kind === "unit") return Number(text);
    return this.after[0].numbers.find((number) => this.after[0].slot[number] === Number(text)) ?? null;
  }

  whose(body) {
    const number = this.numberOf(body);
    return number === null ? body : `unit ${number} of player ${this.after[0].player[number] + 1}`;
  }

  end() {
    const [words, ending] = this.module.words("skirmish_outcome", 0).split("\n");
    const { tick, isFinished } = this.numbers[0];
    const text = `${ending}: ${words}, after tick ${tick} ${this.sums[0].get(tick)}.`;
    const same = isFinished && this.ticks > 0 ? ` A native build says the same: rts alone --players 2 --units ${this.units} --ticks ${this.ticks}` : "";
    element("ending").textContent = text + same;
  }

  // One bit at a time: a peer that is wrong is healed first.
  canFlip() {
    return !this.over && !this.isWrong() && this.numbers.every(({ isPlaying }) => isPlaying);
  }

  // A bit is about to be put wrong, or is not healed yet.
  isWrong() {
    const isFound = [0, 1].some((side) => this.module.call("skirmish_diverged", side) > 0);
    return (isFound && this.healed === null) || this.numbers.some(({ isFlipping }) => isFlipping);
  }

  flip() {
    const [side, field, phase] = ["flip-side", "flip-place", "flip-phase"].map((id) => element(id).value);
    const picture = this.after[0];
    if (!this.canFlip() || picture === null || picture.numbers.length === 0) return;
    const number = [...this.command.chosen][0] ?? picture.numbers[picture.numbers.length >> 1];
    const place = field === "health" ? `game.units[${number}].health` : `${picture.slot[number]}:${field}`;
    this.flipped = Number(side);
    this.module.give(new TextEncoder().encode(`${place}@${phase}`));
    this.module.demand("skirmish_flip", this.flipped);
    this.givenUp = this.numbers.map(({ givenUp }) => givenUp);
    [this.finding, this.healed] = [null, null];
    element("finding").hidden = true;
    element("healed").textContent = "";
    this.play(true);
  }

  save() {
    const wrong = this.module.words("skirmish_save");
    this.saving = wrong === "";
    element("saved").textContent = wrong === "" ? "Saving, with the orders that are under way" : `Not saved: ${wrong}`;
  }

  takeSave(before) {
    const bytes = this.module.bytes("skirmish_saved");
    if (bytes.length > 0) {
      this.saved = bytes;
      download("battle.save", bytes);
      element("saved").textContent = `Saved: ${bytes.length} bytes. Load goes on with it, and so does rts relay --load`;
    } else if (this.numbers[0].givenUp > before[0].givenUp) element("saved").textContent = "Not saved: the state was wrong";
    else return;
    this.saving = false;
  }

  // Of the peer that played on from fewest states: a peer that was healed has its ticks since then only.
  record() {
    const side = this.numbers[0].parts <= this.numbers[1].parts ? 0 : 1;
    const bytes = this.module.bytes("skirmish_recording", side);
    if (bytes.length === 0) return;
    download("battle.replay", bytes);
    element("saved").textContent = `Recorded by peer ${side + 1}: ${bytes.length} bytes, for rts verify and rts view`;
  }

  play(on) {
    this.playing = on;
    element("pause").textContent = on ? "Pause" : "Go on";
  }

  frame(now) {
    const passed = Math.min(100, now - (this.shownAt ?? now));
    this.shownAt = now;
    if (this.playing) {
      this.due += passed * this.speed;
      const millis = Math.floor(this.due);
      this.due -= millis;
      this.step(millis);
    }
    this.show(now);
    requestAnimationFrame((next) => this.frame(next));
  }

  show(now) {
    say(...this.verdict(now));
    element("flip").disabled = !this.canFlip();
    this.command.prune(now);
    const colour = ({ wrong }) => (wrong ? this.colours.wrong : this.colours.players[0]);
    const marks = this.command.marks.map((mark) => ({ ...mark, colour: colour(mark) }));
    for (const side of [0, 1]) {
      const part = Math.min(1, (this.clock + this.due - this.since[side]) / TICK_MILLIS);
      const after = this.after[side];
      this.seen[side] = after === null ? null : between(this.before[side], after, part);
      const own = side === 0 ? { chosen: this.command.chosen, marks, box: this.command.box } : {};
      this.fields[side].draw(this.seen[side], { colours: this.colours, marked: this.finding ? this.marked : null, now, ...own });
      const { tick, compared, left0, left1 } = this.numbers[side];
      const units = side === 0 ? `; ${left0} and ${left1} units` : "";
      element(`place${side}`).textContent = `tick ${tick}, compared up to ${compared}${units}`;
      element(`sum${side}`).textContent = this.sums[side].get(tick) ?? "";
    }
    const diverged = this.finding ? Number(this.finding.tick) : null;
    showTicker(this.sums, ROWS, (tick) => (diverged === null ? tick % SHOWN_EVERY === 0 : Math.abs(tick - diverged) < ROWS / 2));
    this.showNews();
    if (this.flipped !== undefined) element("flip-words").textContent = this.module.words("skirmish_flip_words", this.flipped);
  }

  showNews() {
    element("news").replaceChildren(...this.news.map(({ side, text }) => {
      const row = made("li", undefined, { title: text });
      row.dataset.side = side;
      row.append(made("b", `Peer ${side + 1} `), text);
      return row;
    }));
  }

  showChosen() {
    const count = this.command?.chosen.size ?? 0;
    element("chosen").textContent = count === 0 ? "" : `${count} chosen`;
    document.querySelector("[data-command=gather]").setAttribute("aria-pressed", this.command?.gathers ?? false);
  }

  makeControls() {
    makeSliders(SLIDERS, (name, value) => {
      this.weather[name] = value;
      this.setWeather();
    });
    for (const [value, label] of PLACES) element("flip-place").append(made("option", label, { value }));
    const phases = () => {
      const known = element("flip-place").value === "health" ? GAME_PHASES : WORLD_PHASES;
      element("flip-phase").replaceChildren(...known.map((phase) => made("option", `after ${phase}`, { value: phase })));
    };
    element("flip-place").addEventListener("change", phases);
    phases();
    const done = {
      flip: () => this.flip(),
      pause: () => this.play(!this.playing),
      again: () => this.open(),
      save: () => this.save(),
      record: () => this.record(),
      end: () => {
        this.module.exports.skirmish_end();
        this.play(true);
      },
    };
    for (const [id, act] of Object.entries(done)) element(id).addEventListener("click", act);
    element("speed").addEventListener("change", (event) => (this.speed = Number(event.target.value)));
    element("load").addEventListener("change", (event) => this.loadFile(event.target));
    const commands = { all: () => this.command.chooseAll(), stop: () => this.command.stop(), gather: () => this.command.gather(), home: () => this.camera.home() };
    for (const button of document.querySelectorAll("[data-command]")) button.addEventListener("click", commands[button.dataset.command]);
    document.addEventListener("keydown", (event) => {
      // Controls have their own use for some keys.
      const { tagName } = event.target;
      if (["SELECT", "INPUT"].includes(tagName) || (tagName === "BUTTON" && [" ", "Enter"].includes(event.key))) return;
      const isPause = event.key === " " && !event.repeat;
      if (isPause) this.play(!this.playing);
      if (isPause || this.command.key(event)) event.preventDefault();
    });
  }

  async loadFile(input) {
    const [file] = input.files;
    if (file === undefined) return;
    try {
      this.load(new Uint8Array(await file.arrayBuffer()));
    } catch ({ message }) {
      element("saved").textContent = `${file.name} is not loaded: ${message}`;
    }
    input.value = "";
  }

  // An address may end in #units=200&seconds=60&flip=1: so many units, so much time at once, and a bit that is flipped in that peer;
  // with #ticks=400 a script plays.
  readHash() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (name, most) => Math.max(0, Math.min(most, Math.floor(Number(asked.get(name)) || 0)));
    const units = number("units", 1_000) || Number(element("units").value);
    if (asked.has("units") || asked.has("ticks")) this.open({ units, ticks: number("ticks", 100_000) });
    if (number("seconds", 600) === 0) return;
    this.step(number("seconds", 600) * 1_000);
    if (asked.has("flip")) {
      element("flip-side").value = number("flip", 2) === 1 ? "0" : "1";
      this.flip();
      this.step(4_000);
    }
    this.play(false);
  }

  readColours() {
    this.colours = coloursOf(["sky", "ground", "ink", "line", "accent", "wrong"]);
  }
}

function download(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  made("a", undefined, { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

openPage((module) => new Page(module));

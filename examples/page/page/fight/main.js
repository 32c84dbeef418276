// The page: time goes on, sliders and buttons, and what both peers say.

const SEED = 7, TICKS = 3_000;
const SLIDERS = [
  ["latency", "Latency", 300, 60, (value) => `${value} ms`],
  ["jitter", "Jitter", 200, 20, (value) => `${value} ms`],
  ["loss", "Loss", 60, 5, (value) => `${value} %`],
  ["rubbish", "Rubbish", 100, 0, (value) => `${value} %`],
];
const PLACES = [
  ["0:vel.x", "fighter 1, momentum x"], ["0:pos.x", "fighter 1, place x"], ["0:pos.y", "fighter 1, place y"],
  ["1:vel.x", "fighter 2, momentum x"], ["1:pos.x", "fighter 2, place x"], ["1:pos.y", "fighter 2, place y"],
  ["game.fighters[0].health", "fighter 1, health"], ["game.fighters[1].health", "fighter 2, health"],
  ["game.clock", "the clock of the round"], ["gravity.y", "gravity"],
];
const WORLD_PHASES = ["finish", "integrate", "rest", "impacts", "hits"];
const GAME_PHASES = ["end", "orders", "hits"];
const SHOWN_EVERY = 10, ROWS = 8;

// The fighter that a finding is about: its number, or null.
function markedBy(finding) {
  const found = /^(?:body|fighter) ([01])$/.exec(finding.body ?? "");
  return found ? Number(found[1]) : null;
}

// Slots are counted from 0, players from 1.
function whose(finding) {
  const marked = markedBy(finding);
  return marked === null ? finding.body : `${finding.body}, of player ${marked + 1}`;
}

class Page {
  constructor(module) {
    this.module = module;
    this.playing = true;
    this.speed = 1;
    this.weather = Object.fromEntries(SLIDERS.map(([name, , , value]) => [name, value]));
    this.stages = [0, 1].map((side) => new Stage(element(`stage${side}`), side));
    this.chart = new Chart(element("chart"));
    this.keys = new Keys((player, held) => this.hold(player, held));
    this.makeControls();
    this.readColours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.readColours());
    this.open();
    this.readHash();
    this.ready = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  // The scripted match from its beginning.
  open(seed = SEED, ticks = TICKS) {
    Object.assign(this, { seed, ticks, over: false, finding: null, due: 0, stalls: [0, 0], sums: [new Map(), new Map()] });
    this.module.demand("duel_open", seed, ticks);
    this.setWeather();
    this.straight = Object.fromEntries(this.module.lines("script_end", seed, ticks));
    this.chart.frames = [];
    for (const id of ["ending", "flip-words"]) element(id).textContent = "";
    element("ticker").replaceChildren();
    element("finding").hidden = true;
    this.showPlayers();
    say("calm", "The script plays");
    this.step();
  }

  setWeather() {
    const { latency, jitter, loss, rubbish } = this.weather;
    this.module.demand("duel_weather", latency, jitter, loss, rubbish);
  }

  hold(player, held) {
    if (held !== 0 && this.numbers && this.numbers[player][15] === 0) this.person(player, true);
    this.module.exports.duel_hold(player, held);
  }

  // A person takes over, or gives back; the script ends there.
  person(player, is) {
    this.module.exports.duel_person(player, is ? 1 : 0);
    this.read();
    element("ending").textContent = "";
    say("calm", "Live: every tick is the same so far");
    this.showPlayers();
  }

  // So many frames of both peers, without drawing.
  step(frames = 1) {
    for (let frame = 0; frame < frames && !this.over && this.finding === null; frame++) {
      this.over = this.module.call("duel_advance") === 1;
      this.read();
      this.follow();
    }
  }

  read() {
    this.numbers = [0, 1].map((side) => this.module.numbers("duel_numbers", side));
    this.pictures = [0, 1].map((side) => pictureOf(this.module.numbers("duel_picture", side, 0)));
    this.confirmed = [0, 1].map((side) => pictureOf(this.module.numbers("duel_picture", side, 1)));
  }

  follow() {
    this.stages.forEach((stage, side) => stage.follow(this.pictures[side], this.confirmed[side]));
    const stalls = this.numbers.map((numbers) => numbers[8]);
    this.chart.add(this.numbers.map((numbers) => numbers[4]), stalls.map((count, side) => count > this.stalls[side]));
    this.stalls = stalls;
    for (const side of [0, 1]) {
      for (const [tick, sum] of this.module.lines("duel_sums", side)) {
        this.sums[side].set(Number(tick), sum);
        if (this.sums[side].size > 400) this.sums[side].delete(this.sums[side].keys().next().value);
      }
    }
    if ([0, 1].every((side) => this.module.call("duel_diverged", side) === 2)) this.diverge();
    if (this.over) this.end();
  }

  // Both have all that can be known: time stands still.
  diverge() {
    const [ours, theirs] = [0, 1].map((side) => findingOf(this.module.lines("duel_finding", side)));
    this.finding = ours;
    showFinding(ours, theirs, whose(ours));
    element("finding").hidden = false;
    say("wrong", `Desync in tick ${ours.tick}, after ${ours.phase}: ${ours.body}, ${ours.field}`);
  }

  // The script is over: both must have come to what it comes to straight on.
  end() {
    const ends = [0, 1].map((side) => this.sums[side].get(this.ticks));
    const same = ends.every((sum) => sum === this.straight.checksum);
    say(same ? "calm" : "wrong", same ? "The script is over: every tick was the same" : "The script came to something else");
    element("ending").textContent = `After ${this.ticks} ticks both have ${ends[0]}; played straight on, without a link, it is ${this.straight.checksum}. `
      + `A native build says the same: fight script --scripted ${this.seed} --frames ${this.ticks}`;
  }

  flip() {
    if (this.over || this.finding !== null) this.begin();
    const [side, place, phase] = ["flip-side", "flip-place", "flip-phase"].map((id) => element(id).value);
    this.flipped = Number(side);
    this.module.give(new TextEncoder().encode(`${place}@${phase}`));
    this.module.demand("duel_flip", this.flipped);
    this.play(true);
  }

  play(on) {
    this.playing = on;
    element("pause").textContent = on ? "Pause" : "Go on";
  }

  frame(now) {
    const passed = Math.min(100, now - (this.before ?? now));
    this.before = now;
    if (this.playing) {
      this.due += passed * this.speed * 60 / 1000;
      const frames = Math.floor(this.due);
      this.due -= frames;
      this.step(frames);
    }
    this.show();
    requestAnimationFrame((next) => this.frame(next));
  }

  show() {
    const looks = {
      colours: this.colours, boxes: element("boxes").checked, ghosts: element("ghosts").checked,
      marked: this.finding ? markedBy(this.finding) : null,
    };
    this.stages.forEach((stage, side) => stage.draw(this.pictures[side], this.confirmed[side], looks));
    this.chart.draw(this.colours);
    for (const side of [0, 1]) {
      const [tick, confirmed] = this.numbers[side];
      element(`place${side}`).textContent = `tick ${tick}, ${tick - confirmed} predicted`;
      element(`sum${side}`).textContent = this.sums[side].get(confirmed) ?? "";
    }
    this.showCounts();
    this.showTicker();
    if (this.flipped !== undefined) element("flip-words").textContent = this.module.words("duel_flip_words", this.flipped);
  }

  showCounts() {
    const list = element("counts");
    const names = [["", null], ["rollbacks", 5], ["played again", 6], ["deepest", 7], ["stalls", 8], ["lost", 13], ["refused", 11]];
    const cells = names.map(([name]) => made("dt", name));
    for (const side of [0, 1]) {
      const whose = side === 0 ? "a" : "b";
      for (const [name, index] of names) {
        cells.push(made("dd", index === null ? `Peer ${side + 1}` : `${this.numbers[side][index]}`, { className: index === null ? whose : "", title: name }));
      }
    }
    list.replaceChildren(...cells);
  }

  // Ticks that both have confirmed, one of ten, newest first; all of them near a difference.
  showTicker() {
    const diverged = this.finding ? Number(this.finding.tick) : null;
    showTicker(this.sums, ROWS, (tick) => (diverged === null ? tick % SHOWN_EVERY === 0 || tick === this.ticks : Math.abs(tick - diverged) < ROWS / 2));
  }

  showPlayers() {
    this.read();
    for (const player of [0, 1]) {
      const is = this.numbers[player][15] !== 0;
      Object.assign(this.playerButtons[player], { textContent: `Player ${player + 1}: ${is ? "a person" : "by itself"}` });
      this.playerButtons[player].setAttribute("aria-pressed", is);
    }
  }

  makeControls() {
    makeSliders(SLIDERS, (name, value) => {
      this.weather[name] = value;
      this.setWeather();
    });
    for (const [value, label] of PLACES) element("flip-place").append(made("option", label, { value }));
    const phases = () => {
      const known = element("flip-place").value.startsWith("game") ? GAME_PHASES : WORLD_PHASES;
      element("flip-phase").replaceChildren(...known.map((phase) => made("option", `after ${phase}`, { value: phase })));
    };
    element("flip-place").addEventListener("change", phases);
    phases();
    this.playerButtons = [0, 1].map((player) => {
      const button = made("button", "", { type: "button" });
      button.addEventListener("click", () => this.person(player, this.numbers[player][15] === 0));
      element("players").append(button);
      return button;
    });
    element("flip").addEventListener("click", () => this.flip());
    element("pause").addEventListener("click", () => this.play(!this.playing));
    for (const id of ["again", "finding-leave"]) element(id).addEventListener("click", () => this.begin());
    element("speed").addEventListener("change", (event) => (this.speed = Number(event.target.value)));
    this.keys.tell(element("keys"));
    if (matchMedia("(pointer: coarse)").matches) {
      element("touch").hidden = false;
      this.keys.touch(element("touch"));
    }
    document.addEventListener("keydown", (event) => {
      if (["SELECT", "INPUT", "BUTTON"].includes(event.target.tagName) || event.repeat) return;
      if (event.key === " ") this.play(!this.playing);
      if (event.key === "Enter") this.flip();
      if ([" ", "Enter"].includes(event.key)) event.preventDefault();
    });
  }

  begin() {
    this.flipped = undefined;
    this.open();
    this.play(true);
  }

  // An address may end in #frames=430&flip=0:pos.x@impacts: so many frames at once, and what is put wrong in the second peer.
  readHash() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const frames = Number(asked.get("frames"));
    if (!(frames > 0)) return;
    this.step(Math.min(frames, 20_000));
    this.play(false);
    if (!asked.has("flip")) return;
    this.module.give(new TextEncoder().encode(asked.get("flip")));
    this.module.demand("duel_flip", (this.flipped = 1));
    this.step(900);
  }

  readColours() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.colours = coloursOf(["sky", "ground", "ink", "soft", "line", "accent", "wrong", "hold", "panel"]);
    Object.assign(this.colours, {
      flash: "#ffffff",
      flashes: dark ? 0.6 : 0.3,
      deep: dark ? "#0b0f13" : this.colours.ink,
      paper: this.colours.panel,
      shadow: dark ? "rgba(0, 0, 0, 0.3)" : "rgba(29, 39, 51, 0.12)",
    });
  }
}

openPage((module) => new Page(module));

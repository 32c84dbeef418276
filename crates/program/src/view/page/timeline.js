// The line of ticks below the stage: strips of numbers, and the cursor.

class Timeline {
  constructor(canvas, head, numbers, folds, sought) {
    Object.assign(this, { canvas, head, numbers, folds, sought });
    this.pictures = head.tracks[0].pictures;
    this.strips = [
      { name: "kinetic energy", row: numbers.energy, colour: "--energy", area: true, high: 2 },
      { name: "impacts", row: numbers.impacts, colour: "--impacts", high: 1.4 },
      { name: "held", row: numbers.held, colour: "--held", high: 0.6 },
      { name: "asleep", row: numbers.asleep, colour: "--soft", area: true, high: 0.8 },
    ];
    this.strips = this.strips.filter((strip, index) => index < 2 || strip.row.some((value) => value > 0));
    for (const strip of this.strips) strip.most = strip.row.reduce((most, value) => Math.max(most, value), 0);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.seek(event);
    });
  }

  seek(event) {
    const box = this.canvas.getBoundingClientRect();
    const left = this.margin();
    const part = Math.max(0, Math.min(1, (event.clientX - box.left - left) / (box.width - left)));
    this.sought(this.folds.timeOf(part * this.folds.length));
  }

  // Where the strips begin: their names stand before them.
  margin() {
    return this.canvas.clientWidth > 640 ? 150 : 0;
  }

  // Draws the strips once for each size and tone.
  back() {
    const dots = Math.min(window.devicePixelRatio || 1, 2);
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight].map((size) => Math.max(1, Math.round(size * dots)));
    const style = getComputedStyle(document.documentElement);
    const tone = style.getPropertyValue("--paper");
    if (this.drawn && this.wide === wide && this.high === high && this.tone === tone) return;
    Object.assign(this, { wide, high, dots, tone });
    [this.canvas.width, this.canvas.height] = [wide, high];
    this.drawn = document.createElement("canvas");
    [this.drawn.width, this.drawn.height] = [wide, high];
    const paint = this.drawn.getContext("2d");
    paint.scale(dots, dots);
    const colour = (name) => style.getPropertyValue(name).trim();
    const left = this.margin();
    const [width, height] = [wide / dots - left, high / dots - 16];
    const all = this.strips.reduce((sum, strip) => sum + strip.high, 0);
    let top = 0;
    for (const strip of this.strips) {
      const room = (height * strip.high) / all;
      this.strip(paint, strip, { top: top + 3, room: room - 5, left, width, colour });
      top += room;
    }
    this.drawFolds(paint, { left, width, height, colour });
    this.scale(paint, { left, width, height, colour });
  }

  strip(paint, { name, row, most, area, colour: of }, { top, room, left, width, colour }) {
    paint.fillStyle = colour(of);
    const at = (value) => (most > 0 ? (value / most) * room : 0);
    for (let x = 0; x < width; x++) {
      const [from, to] = [x, x + 1].map((part) => this.folds.timeOf((part / width) * this.folds.length));
      let high = 0;
      for (let k = Math.ceil(from); k <= Math.max(Math.ceil(from), Math.floor(to)); k++) high = Math.max(high, row[Math.min(k, row.length - 1)]);
      const size = at(high);
      paint.globalAlpha = area ? 0.28 : 0.75;
      paint.fillRect(left + x, top + room - size, 1, size);
      if (!area || size === 0) continue;
      paint.globalAlpha = 1;
      paint.fillRect(left + x, top + room - size, 1, 1.2);
    }
    paint.globalAlpha = 1;
    paint.fillStyle = colour("--line");
    paint.fillRect(left, top + room, width, 1);
    paint.font = "11px ui-sans-serif, system-ui, sans-serif";
    const middle = top + room / 2 + 4;
    const text = `${name}${left > 0 ? "" : ", "}`;
    const most_ = shortNumber(most);
    paint.fillStyle = colour("--soft");
    paint.fillText(text, 0, left > 0 ? middle : top + 11);
    paint.fillText(most_, left > 0 ? left - 8 - paint.measureText(most_).width : paint.measureText(text).width, left > 0 ? middle : top + 11);
  }

  // Where along the line a time is, in parts of its length.
  part(time) {
    return this.folds.length > 0 ? this.folds.placeOf(time) / this.folds.length : 0;
  }

  drawFolds(paint, { left, width, height, colour }) {
    paint.fillStyle = colour("--soft");
    for (const { from, to } of this.folds.all) {
      const [begin, end] = [from, to].map((time) => left + this.part(time) * width);
      paint.globalAlpha = 0.13;
      paint.fillRect(begin, 0, Math.max(1, end - begin), height);
      paint.globalAlpha = 1;
    }
  }

  // Seconds along the bottom, with room between them; none within folds.
  scale(paint, { left, width, height, colour }) {
    const perSecond = this.head.rate / this.head.every;
    const seconds = this.folds.length / perSecond;
    const step = roundSize(Math.max(seconds / Math.max(2, width / 110), 1 / this.head.rate));
    paint.font = "11px ui-sans-serif, system-ui, sans-serif";
    paint.fillStyle = colour("--soft");
    let end = -Infinity;
    for (let at = 0; seconds > 0 && at <= ((this.pictures - 1) / perSecond) * 1.0001; at += step) {
      if (this.folds.holds(at * perSecond)) continue;
      const x = left + this.part(at * perSecond) * width;
      const text = `${Number(at.toPrecision(6))} s`;
      const size = paint.measureText(text).width;
      const begin = Math.max(left, Math.min(x - size / 2, left + width - size));
      if (begin < end + 8) continue;
      end = begin + size;
      paint.fillText(text, begin, height + 13);
      paint.fillRect(Math.min(x, left + width - 1), height, 1, 3);
    }
  }

  // The cursor at a time, and where two recordings diverge.
  draw(time, divergedAt) {
    this.back();
    const paint = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    paint.clearRect(0, 0, this.wide, this.high);
    paint.drawImage(this.drawn, 0, 0);
    const left = this.margin() * this.dots;
    const at = (picture) => left + this.part(picture) * (this.wide - left);
    const line = (picture, name, wide) => {
      paint.fillStyle = style.getPropertyValue(name);
      paint.fillRect(Math.max(0, Math.min(at(picture) - wide / 2, this.wide - wide)), 0, wide, this.high - 14 * this.dots);
    };
    if (divergedAt !== null) line(divergedAt, "--other", 2 * this.dots);
    line(time, "--ink", 1.5 * this.dots);
  }
}

function shortNumber(value) {
  if (value >= 1e6 || (value > 0 && value < 1e-2)) return value.toExponential(2);
  return Number(value.toPrecision(4)).toLocaleString("en");
}

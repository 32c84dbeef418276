// What one peer sees: the field, both armies, shots, what is chosen, and what differs.

const UNIT_RADIUS = 0.4, GRID = 10;
const TURN = 2 * Math.PI;

class Field {
  constructor(canvas, camera) {
    Object.assign(this, { canvas, camera });
    this.brush = canvas.getContext("2d");
  }

  size() {
    return [this.canvas.clientWidth, this.canvas.clientHeight];
  }

  draw(seen, { colours, chosen, box, marks, marked, now }) {
    const { brush, canvas, camera } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = this.size();
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const scale = camera.scale([width, height]);
    Object.assign(this, { scale, colours });
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.fillStyle = colours.ground;
    brush.fillRect(0, 0, width, height);
    // From here on in units of length, y up.
    brush.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * (width / 2 - camera.x * scale), ratio * (height / 2 + camera.y * scale));
    this.drawGround();
    if (seen === null) return;
    this.drawUnits(seen);
    this.drawShots(seen);
    if (chosen) this.drawChosen(seen, chosen);
    if (marks) this.drawMarks(marks, now);
    if (marked !== null) this.drawMarked(seen, marked, now);
    if (box) this.drawBox(box);
  }

  drawGround() {
    const { brush, colours, scale } = this;
    brush.save();
    brush.rotate(-Math.PI / 4);
    brush.fillStyle = colours.sky;
    brush.fillRect(-FIELD, -FIELD, 2 * FIELD, 2 * FIELD);
    brush.strokeStyle = colours.line;
    brush.lineWidth = 1 / scale;
    brush.beginPath();
    for (let at = -FIELD; at <= FIELD; at += GRID) {
      brush.moveTo(at, -FIELD);
      brush.lineTo(at, FIELD);
      brush.moveTo(-FIELD, at);
      brush.lineTo(FIELD, at);
    }
    brush.stroke();
    brush.restore();
  }

  // All discs of one look in one path: a thousand of them are no work so.
  discs(places, radius) {
    const { brush } = this;
    brush.beginPath();
    for (const [x, y] of places) {
      brush.moveTo(x + radius, y);
      brush.arc(x, y, radius, 0, TURN);
    }
  }

  drawUnits(seen) {
    const { brush, colours, scale } = this;
    // Small ones are shown larger than they are, or nothing would be seen of them.
    const radius = Math.max(UNIT_RADIUS, 1.6 / scale);
    for (const player of [0, 1]) {
      const own = seen.numbers.filter((number) => seen.player[number] === player);
      const places = (numbers) => numbers.map((number) => [seen.x[number], seen.y[number]]);
      brush.fillStyle = colours.players[player];
      this.discs(places(own), radius);
      brush.fill();
      // The less of a unit is left, the more of it is hollow.
      brush.fillStyle = colours.sky;
      const hurt = own.filter((number) => seen.health[number] < HEALTH);
      brush.beginPath();
      for (const number of hurt) {
        const hollow = radius * 0.85 * Math.sqrt(1 - seen.health[number] / HEALTH);
        brush.moveTo(seen.x[number] + hollow, seen.y[number]);
        brush.arc(seen.x[number], seen.y[number], hollow, 0, TURN);
      }
      brush.fill();
    }
  }

  drawShots(seen) {
    const { brush, colours, scale } = this;
    for (const player of [0, 1]) {
      const own = [...seen.shots.values()].filter((shot) => shot.player === player);
      brush.fillStyle = colours.ink;
      this.discs(own.map(({ x, y }) => [x, y]), Math.max(0.12, 1 / scale));
      brush.fill();
    }
  }

  drawChosen(seen, chosen) {
    const { brush, colours, scale } = this;
    const places = seen.numbers.filter((number) => chosen.has(number)).map((number) => [seen.x[number], seen.y[number]]);
    brush.strokeStyle = colours.ink;
    brush.lineWidth = Math.max(0.08, 1.2 / scale);
    this.discs(places, Math.max(UNIT_RADIUS, 1.6 / scale) + 1.4 / scale);
    brush.stroke();
  }

  // Where orders go, for half a second.
  drawMarks(marks, now) {
    const { brush, scale } = this;
    for (const { x, y, colour, since } of marks) {
      const part = (now - since) / MARK_MILLIS;
      brush.globalAlpha = Math.max(0, 1 - part);
      brush.strokeStyle = colour;
      brush.lineWidth = 2 / scale;
      this.discs([[x, y]], (4 + 10 * part) / scale);
      brush.stroke();
    }
    brush.globalAlpha = 1;
  }

  // The unit that a finding is about.
  drawMarked(seen, number, now) {
    if (!seen.numbers.includes(number)) return;
    const { brush, colours, scale } = this;
    const radius = UNIT_RADIUS + (7 + 2 * Math.sin(now / 150)) / scale;
    brush.strokeStyle = colours.wrong;
    brush.lineWidth = 2 / scale;
    this.discs([[seen.x[number], seen.y[number]]], radius);
    brush.stroke();
  }

  drawBox([[ax, ay], [bx, by]]) {
    const { brush, colours, scale } = this;
    brush.globalAlpha = 0.12;
    brush.fillStyle = colours.accent;
    brush.fillRect(ax, ay, bx - ax, by - ay);
    brush.globalAlpha = 1;
    brush.strokeStyle = colours.accent;
    brush.lineWidth = 1 / scale;
    brush.strokeRect(ax, ay, bx - ax, by - ay);
  }
}

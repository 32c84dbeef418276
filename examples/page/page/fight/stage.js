// What one peer sees: the stage, both fighters, what hits and what can be hit.

const WALL = 7, TOP = 5.2, GROUND = -0.75;
const ROUND_WINS_SHOWN = 6;
const TRAIL = 9;

class Stage {
  constructor(canvas, side) {
    Object.assign(this, { canvas, side });
    this.brush = canvas.getContext("2d");
    this.figures = [new Figure(), new Figure()];
    this.ghosts = [new Figure(), new Figure()];
    this.trails = [[], []];
    this.shown = [100, 100];
    this.flash = [0, 0];
    this.middle = 0;
    this.width = 2 * WALL;
  }

  // One tick further for everything that moves softly.
  follow(picture, confirmed) {
    const [a, b] = picture.fighters;
    picture.fighters.forEach((fighter, index) => {
      this.figures[index].follow(fighter);
      this.ghosts[index].follow(confirmed.fighters[index]);
      const trail = this.trails[index];
      if (fighter.hasShot) trail.push([fighter.shotX, fighter.shotY]);
      if (!fighter.hasShot || trail.length > TRAIL) trail.shift();
      this.shown[index] += (fighter.health - this.shown[index]) * (fighter.health > this.shown[index] ? 1 : 0.06);
      this.flash[index] = fighter.held && fighter.doing === "hurt" ? 1 : this.flash[index] * 0.8;
    });
    const wanted = Math.min(2 * WALL + 0.6, Math.max(9.5, Math.abs(a.x - b.x) + 5.5));
    this.width += (wanted - this.width) * 0.05;
    const room = Math.max(0, WALL + 0.3 - this.width / 2);
    const middle = Math.max(-room, Math.min(room, (a.x + b.x) / 2));
    this.middle += (middle - this.middle) * 0.08;
  }

  draw(picture, confirmed, { colours, boxes, ghosts, marked }) {
    const { brush, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const scale = width / this.width;
    Object.assign(this, { colours, scale, size: [width, height] });
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    const air = brush.createLinearGradient(0, 0, 0, height);
    air.addColorStop(0, colours.sky);
    air.addColorStop(0.85, mixed(colours.sky, colours.paper, 0.65));
    brush.fillStyle = air;
    brush.fillRect(0, 0, width, height);
    // From here on in units, y up, the ground at a seventh of the height.
    const ground = height - 0.14 * height;
    const world = () => brush.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * (width / 2 - this.middle * scale), ratio * ground);
    world();
    this.drawGround(picture);
    if (ghosts) this.drawGhost(confirmed);
    picture.fighters.forEach((fighter, index) => this.drawFighter(fighter, index));
    picture.fighters.forEach((fighter, index) => this.drawShot(fighter, index));
    if (boxes) this.drawBoxes(picture);
    picture.fighters.forEach((fighter, index) => this.drawBlow(fighter, picture.fighters[1 - index], index));
    if (marked !== null) this.drawMark(picture, marked);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawHealth(picture);
  }

  drawGround(picture) {
    const { brush, colours } = this;
    const far = 3 * WALL;
    brush.fillStyle = colours.ground;
    brush.fillRect(-far, -far, 2 * far, far);
    for (const side of [-1, 1]) brush.fillRect(side > 0 ? WALL : -far, -far, far - WALL, 2 * far);
    brush.fillStyle = colours.line;
    for (let x = -WALL; x <= WALL; x++) brush.fillRect(x - 0.012, -0.16, 0.024, 0.16);
    for (const { layer, kind, slot, x, y, a, b } of picture.shapes) {
      if (slot !== -1 || kind !== "box" || layer !== LAYERS.stage) continue;
      brush.fillStyle = colours.ground;
      this.round(x - a, y - b, 2 * a, 2 * b, b);
      brush.fill();
      brush.strokeStyle = colours.line;
      brush.lineWidth = 1 / this.scale;
      brush.stroke();
    }
  }

  // Where the other one was when its keys were last known for certain.
  drawGhost(confirmed) {
    const { brush, colours } = this;
    const other = 1 - this.side;
    const { x, y } = confirmed.fighters[other];
    const colour = mixed(colours.players[other], colours.sky, 0.72);
    brush.save();
    brush.translate(x, y);
    this.ghosts[other].draw(brush, { near: colour, far: colour, outline: 0 });
    brush.restore();
  }

  drawFighter(fighter, index) {
    const { brush, colours } = this;
    const own = colours.players[index];
    const flash = this.flash[index];
    const near = mixed(own, colours.flash, flash * colours.flashes), far = mixed(mixed(own, colours.deep, 0.35), colours.flash, flash * colours.flashes);
    brush.fillStyle = colours.shadow;
    brush.beginPath();
    brush.ellipse(fighter.x, -0.03, 0.55, 0.07, 0, 0, 2 * Math.PI);
    brush.fill();
    brush.save();
    // A fighter that is hit trembles while time stands still for it.
    const shake = fighter.held && fighter.doing === "hurt" ? 0.035 * (fighter.stun % 2 === 0 ? 1 : -1) : 0;
    brush.translate(fighter.x + shake, fighter.y);
    this.figures[index].draw(brush, { near: colours.sky, far: colours.sky, outline: 0.07 });
    this.figures[index].draw(brush, { near, far, outline: 0 });
    if (fighter.doing === "block" || fighter.doing === "guard") this.drawGuard(fighter, own);
    brush.restore();
  }

  // Where a blow met: short rays, while time stands still for the fighter that was hit.
  drawBlow(fighter, other, index) {
    const flash = this.flash[index];
    if (flash < 0.15) return;
    const { brush, colours } = this;
    const side = fighter.x < other.x ? 1 : -1;
    brush.save();
    brush.translate(fighter.x + 0.36 * side, fighter.y + 0.42);
    brush.strokeStyle = faded(colours.wrong, 0.8 * flash);
    brush.lineWidth = 0.05;
    brush.lineCap = "round";
    brush.beginPath();
    for (let ray = 0; ray < 8; ray++) {
      const [x, y] = [Math.cos(ray * Math.PI / 4 + 0.3), Math.sin(ray * Math.PI / 4 + 0.3)];
      const [near, far] = [0.3 + 0.2 * (1 - flash), 0.42 + 0.28 * (1 - flash) + (ray % 2) * 0.1];
      brush.moveTo(x * near, y * near);
      brush.lineTo(x * far, y * far);
    }
    brush.stroke();
    brush.restore();
  }

  drawGuard(fighter, colour) {
    const { brush } = this;
    brush.strokeStyle = mixed(colour, this.colours.sky, 0.2);
    brush.lineWidth = (fighter.doing === "guard" ? 0.09 : 0.05);
    brush.beginPath();
    const turn = fighter.facesLeft ? Math.PI : 0;
    brush.arc(0, 0.2, 0.95, turn - 0.75, turn + 0.75);
    brush.stroke();
  }

  drawShot(fighter, index) {
    const { brush, colours } = this;
    const colour = colours.players[index];
    this.trails[index].forEach(([x, y], age) => {
      brush.fillStyle = faded(colour, 0.03 + 0.14 * age / TRAIL);
      brush.beginPath();
      brush.arc(x, y, 0.06 + 0.16 * age / TRAIL, 0, 2 * Math.PI);
      brush.fill();
    });
    if (!fighter.hasShot) return;
    const { shotX: x, shotY: y } = fighter;
    const glow = brush.createRadialGradient(x, y, 0, x, y, 0.55);
    glow.addColorStop(0, faded(colour, 0.55));
    glow.addColorStop(1, faded(colour, 0));
    brush.fillStyle = glow;
    brush.fillRect(x - 0.6, y - 0.6, 1.2, 1.2);
    for (const [radius, paint] of [[0.2, colour], [0.1, mixed(colour, "#ffffff", 0.75)]]) {
      brush.fillStyle = paint;
      brush.beginPath();
      brush.arc(x, y, radius, 0, 2 * Math.PI);
      brush.fill();
    }
  }

  // Every shape of the bodies as the rules have it.
  drawBoxes(picture) {
    const { brush, colours } = this;
    const slots = picture.fighters.map(({ slot }) => slot);
    for (const shape of picture.shapes) {
      if (shape.slot === -1 || shape.layer === LAYERS.shot) continue;
      const own = colours.players[Math.max(0, slots.indexOf(shape.slot))];
      const paint = { [LAYERS.hit]: colours.wrong, [LAYERS.hold]: colours.hold }[shape.layer];
      brush.lineWidth = (paint ? 2 : 1) / this.scale;
      brush.setLineDash(shape.layer === LAYERS.push ? [0.09, 0.09] : []);
      brush.strokeStyle = paint ?? (shape.layer === LAYERS.push ? faded(colours.ink, 0.28) : faded(own, 0.75));
      brush.fillStyle = paint ? faded(paint, 0.35) : "transparent";
      this.outline(shape);
      brush.fill();
      brush.stroke();
    }
    brush.setLineDash([]);
  }

  outline({ kind, x, y, a, b, radius }) {
    const { brush } = this;
    if (kind === "box") return this.round(x - a, y - b, 2 * a, 2 * b, 0);
    brush.beginPath();
    if (kind === "ball") return brush.arc(x, y, radius, 0, 2 * Math.PI);
    const turn = Math.atan2(b, a);
    brush.arc(x + a, y + b, radius, turn - Math.PI / 2, turn + Math.PI / 2);
    brush.arc(x - a, y - b, radius, turn + Math.PI / 2, turn - Math.PI / 2);
    return brush.closePath();
  }

  round(x, y, width, height, radius) {
    this.brush.beginPath();
    this.brush.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
  }

  // A ring about the fighter on which two peers do not agree on.
  drawMark(picture, marked) {
    const fighter = picture.fighters[marked];
    if (!fighter) return;
    const { brush, colours } = this;
    brush.strokeStyle = colours.wrong;
    brush.lineWidth = 2.5 / this.scale;
    brush.setLineDash([0.16, 0.12]);
    brush.beginPath();
    brush.ellipse(fighter.x, fighter.y + 0.1, 1.15, 1.4, 0, 0, 2 * Math.PI);
    brush.stroke();
    brush.setLineDash([]);
  }

  drawHealth(picture) {
    const { brush, colours, size: [width] } = this;
    const [side, top, thick] = [16, 15, 9];
    const long = width / 2 - side - 34;
    picture.fighters.forEach((fighter, index) => {
      const bar = (part, paint) => {
        const wide = Math.max(0, long * part);
        brush.fillStyle = paint;
        this.round(index === 0 ? width / 2 - 34 - wide : width / 2 + 34, top, wide, thick, 3);
        brush.fill();
      };
      bar(1, colours.line);
      bar(this.shown[index] / 100, faded(colours.wrong, 0.55));
      bar(fighter.health / 100, colours.players[index]);
      for (let win = 0; win < Math.min(fighter.wins, ROUND_WINS_SHOWN); win++) {
        brush.fillStyle = colours.players[index];
        brush.beginPath();
        const x = (index === 0 ? -1 : 1) * (38 + win * 11) + width / 2;
        brush.arc(x, top + thick + 9, 3, 0, 2 * Math.PI);
        brush.fill();
      }
    });
    brush.fillStyle = colours.ink;
    brush.textAlign = "center";
    brush.font = "600 15px ui-sans-serif, system-ui, sans-serif";
    brush.fillText(`${Math.ceil(picture.clock / 60)}`, width / 2, top + thick + 1);
    brush.fillStyle = colours.soft;
    brush.font = "11px ui-sans-serif, system-ui, sans-serif";
    brush.fillText(picture.pause > 0 ? "next round" : `round ${picture.round}`, width / 2, top + thick + 16);
  }
}

// Colours are written #rrggbb.
function channels(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function mixed(colour, other, part) {
  const [a, b] = [channels(colour), channels(other)];
  return `#${a.map((value, k) => Math.round(value + (b[k] - value) * part).toString(16).padStart(2, "0")).join("")}`;
}

function faded(colour, part) {
  return `rgba(${channels(colour).join(", ")}, ${part})`;
}

// Orders of a person: what is chosen, and where it is sent, by mouse, fingers or keys.

const PICK_PIXELS = 12, DRAG_PIXELS = 6, NEAR = 6, MARK_MILLIS = 500, PAN_PIXELS = 60;
const OWN = 0, FOE = 1;
const ORDERS = { stop: 0, march: 1, gather: 2, attack: 3 };

class Command {
  // `seen` is asked for the picture that is shown; `give` is told an order: its kind, units, and place or target.
  constructor(field, camera, { seen, give, changed }) {
    Object.assign(this, { field, camera, seen, give, changed });
    this.chosen = new Set();
    this.marks = [];
    this.box = null;
    this.gathers = false;
    this.pointers = new Map();
    const { canvas } = field;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.drop(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", (event) => {
      if (!this.byFinger && this.unitAt(this.pixel(event), OWN) !== null) this.chooseNear(this.pixel(event));
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.camera.zoomBy(Math.exp(-event.deltaY / 500), this.pixel(event), field.size());
    }, { passive: false });
  }

  pixel({ clientX, clientY }) {
    const { left, top } = this.field.canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  place(pixel) {
    return this.camera.toField(pixel, this.field.size());
  }

  down(event) {
    const pixel = this.pixel(event);
    this.byFinger = event.pointerType !== "mouse";
    if (event.button === 2 || (event.button === 0 && event.ctrlKey)) return this.orderAt(pixel);
    if (event.button !== 0) return;
    this.field.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, pixel);
    this.box = null;
    this.start = this.pointers.size === 1 ? { pixel, place: this.place(pixel) } : null;
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const pixel = this.pixel(event);
    if (this.pointers.size === 2) this.pinch(event.pointerId, pixel);
    this.pointers.set(event.pointerId, pixel);
    if (!this.start) return;
    const [dx, dy] = [pixel[0] - this.start.pixel[0], pixel[1] - this.start.pixel[1]];
    if (this.box || Math.hypot(dx, dy) > DRAG_PIXELS) this.box = [this.start.place, this.place(pixel)];
  }

  // Two fingers: their middle carries the field along, their distance zooms.
  pinch(moved, to) {
    const [[id, a], [, b]] = [...this.pointers].sort(([one], [other]) => (other === moved) - (one === moved));
    if (id !== moved) return;
    const distance = (from) => Math.max(1, Math.hypot(from[0] - b[0], from[1] - b[1]));
    const scale = this.camera.scale(this.field.size());
    this.camera.move((a[0] - to[0]) / 2 / scale, (to[1] - a[1]) / 2 / scale);
    this.camera.zoomBy(distance(to) / distance(a), [(to[0] + b[0]) / 2, (to[1] + b[1]) / 2], this.field.size());
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId) || !this.start) return;
    const more = event.shiftKey;
    if (this.box) this.chooseBox(this.box, more);
    else this.tap(this.pixel(event), more);
    [this.box, this.start] = [null, null];
  }

  drop(event) {
    this.pointers.delete(event.pointerId);
    [this.box, this.start] = [null, null];
  }

  tap(pixel, more) {
    const own = this.unitAt(pixel, OWN);
    if (this.byFinger && own !== null) return this.chooseNear(pixel);
    if (this.byFinger && this.chosen.size > 0) return this.orderAt(pixel);
    this.choose(own === null ? [] : [own], more);
  }

  choose(numbers, more = false) {
    this.chosen = new Set(more ? [...this.chosen, ...numbers] : numbers);
    this.changed();
  }

  own() {
    const picture = this.seen();
    return picture === null ? [] : picture.numbers.filter((number) => picture.player[number] === OWN);
  }

  chooseAll() {
    this.choose(this.own());
  }

  chooseBox([[ax, ay], [bx, by]], more) {
    const { x, y } = this.seen() ?? {};
    const within = (value, a, b) => value >= Math.min(a, b) && value <= Math.max(a, b);
    this.choose(this.own().filter((number) => within(x[number], ax, bx) && within(y[number], ay, by)), more);
  }

  // All of one's own around a place.
  chooseNear(pixel) {
    const { x, y } = this.seen() ?? {};
    const [px, py] = this.place(pixel);
    this.choose(this.own().filter((number) => Math.hypot(x[number] - px, y[number] - py) <= NEAR));
  }

  // The nearest unit of a player to a pixel, if it is near; else null.
  unitAt(pixel, player) {
    const picture = this.seen();
    if (picture === null) return null;
    const [px, py] = this.place(pixel);
    let [nearest, least] = [null, PICK_PIXELS / this.camera.scale(this.field.size())];
    for (const number of picture.numbers) {
      const distance = Math.hypot(picture.x[number] - px, picture.y[number] - py);
      if (picture.player[number] === player && distance < least) [nearest, least] = [number, distance];
    }
    return nearest;
  }

  orderAt(pixel) {
    if (this.chosen.size === 0) return;
    const foe = this.unitAt(pixel, FOE);
    const [x, y] = this.place(pixel);
    const kind = foe !== null ? "attack" : this.gathers ? "gather" : "march";
    this.give(kind, [...this.chosen], { x, y, target: foe ?? 0 });
    this.marks.push({ x, y, wrong: foe !== null, since: performance.now() });
  }

  stop() {
    if (this.chosen.size > 0) this.give("stop", [...this.chosen], { x: 0, y: 0, target: 0 });
  }

  // The fallen are chosen no more, and marks go.
  prune(now) {
    this.marks = this.marks.filter(({ since }) => now - since < MARK_MILLIS);
    const left = new Set(this.own());
    const chosen = [...this.chosen].filter((number) => left.has(number));
    if (chosen.length < this.chosen.size) this.choose(chosen);
  }

  // A key; true if it was one of these.
  key({ key: name, altKey, ctrlKey, metaKey }) {
    const key = name.length === 1 ? name.toLowerCase() : name;
    if (altKey) return false;
    if (ctrlKey || metaKey) {
      if (key === "a") this.chooseAll();
      return key === "a";
    }
    const pans = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const scale = this.camera.scale(this.field.size());
    if (pans[key]) this.camera.move(...pans[key].map((way) => (way * PAN_PIXELS) / scale));
    else if (key === "s") this.stop();
    else if (key === "g") this.gather();
    else if (key === "h") this.camera.home();
    else if (key === "Escape") this.choose([]);
    else return false;
    return true;
  }

  gather(on = !this.gathers) {
    this.gathers = on;
    this.changed();
  }
}

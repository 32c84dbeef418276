// Texts beside the picture. They go in as text, never as markup.

function element(id) {
  return document.getElementById(id);
}

// Rows of a term and what there is to say of it; elements are kept from one picture to the next.
function setFacts(id, rows) {
  const list = element(id);
  while (list.children.length > rows.length * 2) list.lastChild.remove();
  while (list.children.length < rows.length * 2) {
    list.append(document.createElement("dt"), document.createElement("dd"));
  }
  rows.forEach(([term, text], index) => {
    const [dt, dd] = [list.children[2 * index], list.children[2 * index + 1]];
    if (dt.textContent !== term) dt.textContent = term;
    if (dd.textContent !== text) dd.textContent = text;
    dd.classList.toggle("letters", text.length >= 32 && !text.includes(" "));
  });
}

function setNotes(notes) {
  element("notes").replaceChildren(...notes.map((note) => {
    const item = document.createElement("li");
    item.textContent = note;
    return item;
  }));
}

// What a one-way solid does.
function wordsOfOpen({ open, kind }) {
  const side = open !== "front" ? `beyond its ${open} face` : kind === "ground" ? "above it" : "in front of it";
  return `holds what is ${side}; the rest passes`;
}

function wordsOfShape(children) {
  if (children.length !== 1) return `compound of ${children.length}`;
  const [{ kind, faces, cell }] = children;
  return kind === "ground" ? `ground of heights, cells of ${shortNumber(cell)}` : kind === "mesh" ? `mesh of ${faces.length} triangles` : kind;
}

// What there is in the level besides what is plainly solid: the name of its sign, and what it does.
function legendOf(head) {
  const isSensor = (id) => head.statics.some(({ shape, layer }) => shape === id && (head.sensors >> layer) & 1);
  const isOneWay = [...head.shapes].some(([id, [solid]]) => solid?.open && !isSensor(id));
  return [
    ["oneway", "one-way: bodies pass along the arrows", isOneWay],
    ["sensor", "sensor: touched, holds nothing", head.sensors > 0],
    ["soil", "ground that was dug, or raised", head.tracks[0].dug.length > 0],
  ].filter(([, , isThere]) => isThere);
}

function setLegend(head) {
  element("legend").replaceChildren(...legendOf(head).map(([name, text]) => {
    const [item, sign] = ["li", "span"].map((tag) => document.createElement(tag));
    sign.className = `sign ${name}`;
    if (name === "sensor") sign.style.background = `rgb(${LAYERS[(31 - Math.clz32(head.sensors)) % LAYERS.length].map((part) => part * 255).join(" ")} / 40%)`;
    item.append(sign, text);
    return item;
  }));
}

class Panel {
  constructor(head) {
    this.head = head;
    this.digits = Math.max(1, Math.ceil(head.bits * Math.log10(2)));
    const names = head.tracks.map((track) => track.name);
    document.title = `${names.join(" and ")} - ${head.program}`;
    element("name").textContent = names.join(" and ");
    setNotes(head.notes);
    setLegend(head);
    if (head.divergence) this.showDivergence(head.divergence, names);
  }

  vector(values) {
    return values.map((value) => (Math.abs(value) < 0.5 * 10 ** -this.digits ? 0 : value).toFixed(this.digits)).join(", ");
  }

  showDivergence({ tick, body, verdict, phase, field, left, right, slot }, names) {
    element("divergence").hidden = false;
    element("divergence-verdict").textContent = verdict;
    const rows = [["tick", phase ? `${tick}, after ${phase}` : `${tick}`]];
    if (slot >= 0) rows.push(["body", `in slot ${slot}${body ? `, ${body}` : ""}`]);
    if (field) rows.push(["field", field], [names[0], left], [names[1] ?? "other", right]);
    setFacts("divergence-facts", rows);
  }

  // What is so at a time.
  showNow(tick, numbers, picture) {
    const track = this.head.tracks[0];
    const last = track.first + track.ticks;
    const seconds = ((tick - track.first) / this.head.rate).toFixed(2);
    const shown = Number.isInteger(tick) ? `${tick}` : tick.toFixed(2);
    const clock = `tick ${shown} of ${last}  ·  ${seconds} s`;
    if (element("clock").textContent !== clock) element("clock").textContent = clock;
    const rows = [
      ["bodies", `${numbers.bodies[picture]}${numbers.asleep[picture] > 0 ? `, ${numbers.asleep[picture]} asleep` : ""}`],
      ["kinetic energy", shortNumber(numbers.energy[picture])],
      ["impacts", `${numbers.impacts[picture]} in this ${this.head.every > 1 ? "picture" : "tick"}`],
    ];
    const caption = this.head.tracks[0].captions.findLast((caption) => caption.picture <= picture)?.text ?? "";
    if (element("caption").textContent !== caption) element("caption").textContent = caption;
    if (numbers.held[picture] > 0) rows.push(["held", `${numbers.held[picture]}`]);
    rows.push(["last checksum", track.checksum]);
    setFacts("facts", rows);
    return [clock, rows];
  }

  // A static that was picked.
  showStatic(index) {
    const { shape, layer, position } = this.head.statics[index];
    const children = this.head.shapes.get(shape) ?? [];
    element("body").hidden = false;
    element("body-name").textContent = `Static ${index}`;
    const rows = [["shape", wordsOfShape(children)]];
    if ((this.head.sensors >> layer) & 1) rows.unshift(["is", "a sensor"]);
    else if (children[0]?.open) rows.push(["one-way", wordsOfOpen(children[0])]);
    rows.push(["layer", `${layer}`], ["position", this.vector(position)]);
    setFacts("body-facts", rows);
  }

  // The body that is followed.
  showBody(slot, sample) {
    const look = slot >= 0 && sample ? sample.look(slot) : null;
    element("body").hidden = slot < 0;
    if (slot < 0) return;
    const name = look ? this.head.tracks[0].names.get(`${slot}.${look.generation}`) : undefined;
    const number = look && look.generation > 0 ? `Body ${slot}.${look.generation}` : `Body ${slot}`;
    element("body-name").textContent = name ? `${number}: ${name}` : number;
    if (!look) {
      setFacts("body-facts", [["is", "not there"]]);
      return;
    }
    const pose = sample.pose(slot);
    const velocity = scaled(pose.motion, this.head.rate / this.head.every);
    const state = [look.kind, look.asleep ? "asleep" : "", look.held ? "held" : ""].filter((word) => word).join(", ");
    const children = this.head.shapes.get(look.shape) ?? [];
    const rows = [
      ["is", state],
      ["shape", wordsOfShape(children)],
      ["mass", `${look.mass}`],
      ["position", this.vector(pose.position)],
      ["velocity", `${this.vector(velocity)}`],
      ["speed", `${length(velocity).toFixed(this.digits)} per second`],
    ];
    if (children[0]?.open) rows.push(["one-way", wordsOfOpen(children[0])]);
    if (pose.turn) rows.push(["turned", pose.turn.map((part) => part.toFixed(4)).join(", ")]);
    const met = sample.marks.filter((mark) => mark.a === slot || (!mark.fixed && mark.b === slot));
    for (const mark of met.slice(0, 6)) {
      const other = mark.a === slot ? (mark.fixed ? `static ${mark.b}` : `body ${mark.b}`) : `body ${mark.a}`;
      rows.push(["meets", `${other} at u ${mark.u.toFixed(3)}`]);
    }
    setFacts("body-facts", rows);
  }
}

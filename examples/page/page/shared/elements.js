// Elements of a page, its colours, and how it opens.

const element = (id) => document.getElementById(id);
function made(tag, text, more = {}) {
  const made = Object.assign(document.createElement(tag), more);
  if (text !== undefined) made.textContent = text;
  return made;
}

// What is true of a match, in a word or two: calm, or wrong.
function say(tone, words) {
  Object.assign(element("verdict"), { value: words });
  element("verdict").dataset.tone = tone;
}

// A slider for each of [name, label, most, value, words]; `changed` is told its name and number.
function makeSliders(sliders, changed) {
  for (const [name, label, max, value, words] of sliders) {
    const row = made("div", undefined, { className: "slider" });
    const input = made("input", undefined, { type: "range", id: name, min: 0, max, value });
    const output = made("output", words(value));
    input.addEventListener("input", () => {
      output.textContent = words(input.value);
      changed(name, Number(input.value));
    });
    row.append(made("label", label, { htmlFor: name }), input, output);
    element("sliders").append(row);
  }
}

// Rows of a tick and the checksums of both peers, newest first, for the ticks that both have and that are to be shown.
function showTicker([ours, theirs], most, shown) {
  const both = [...ours.keys()].filter((tick) => theirs.has(tick) && shown(tick));
  const rows = both.sort((a, b) => b - a).slice(0, most).map((tick) => {
    const [a, b] = [ours.get(tick), theirs.get(tick)];
    const row = made("li", undefined, { className: a === b ? "" : "wrong" });
    row.append(made("span", `${tick}`), made("span", a), made("i", a === b ? "=" : "≠"), made("span", b));
    return row;
  });
  element("ticker").replaceChildren(...rows);
}

// The colours of the style by their names, and the two players'.
function coloursOf(names) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
  return { ...colours, players: [colour("left"), colour("right")] };
}

// Opens the module and then the page, or says why not.
async function openPage(open) {
  try {
    const module = await Module.open(await unpacked(element("module").textContent));
    element("message").textContent = "";
    window.bitstep = open(module);
  } catch (error) {
    element("message").textContent = `This page cannot run: ${error.message}`;
    throw error;
  }
}

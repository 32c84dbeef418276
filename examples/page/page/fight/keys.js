// Keys and touch: which are held, for two players on one keyboard. Places of keys count, not letters.

const ACTIONS = [["left", 1], ["right", 2], ["jump", 4], ["block", 8], ["punch", 16], ["kick", 32], ["shot", 64], ["throw", 128]];
const BOARDS = [
  ["KeyA", "KeyD", "KeyW", "KeyS", "KeyF", "KeyG", "KeyR", "KeyT"],
  ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "KeyK", "KeyL", "KeyI", "KeyO"],
];
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const nameOf = (code) => NAMES[code] ?? code.replace("Key", "");

class Keys {
  // `changed` is told the player and all that it holds.
  constructor(changed) {
    this.held = [0, 0];
    this.changed = changed;
    this.marks = new Map();
    document.addEventListener("keydown", (event) => this.take(event, true));
    document.addEventListener("keyup", (event) => this.take(event, false));
    window.addEventListener("blur", () => [0, 1].forEach((player) => this.set(player, 0)));
  }

  take(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A list or a slider has its own use for arrows.
    const inControl = ["SELECT", "INPUT"].includes(event.target.tagName);
    BOARDS.forEach((codes, player) => {
      const index = codes.indexOf(event.code);
      if (index < 0 || (inControl && down)) return;
      event.preventDefault();
      if (!event.repeat) this.press(player, ACTIONS[index][1], down);
    });
  }

  press(player, bit, down) {
    this.set(player, down ? this.held[player] | bit : this.held[player] & ~bit);
  }

  set(player, held) {
    if (this.held[player] === held) return;
    this.held[player] = held;
    for (const [mark, [whose, bit]] of this.marks) if (whose === player) mark.dataset.held = (held & bit) !== 0;
    this.changed(player, held);
  }

  // The help: what each key does, lit while it is held.
  tell(list) {
    BOARDS.forEach((codes, player) => {
      const groups = [[0, 4, "move"], [4, 5, "punch"], [5, 6, "kick"], [6, 7, "shot"], [7, 8, "throw"]].map(([from, to, name]) => {
        const marks = codes.slice(from, to).map((code, index) => {
          const mark = made("kbd", nameOf(code), { title: ACTIONS[from + index][0] });
          this.marks.set(mark, [player, ACTIONS[from + index][1]]);
          return mark;
        });
        const group = made("span");
        group.append(...marks.flatMap((mark) => [mark, " "]), name);
        return group;
      });
      const line = made("dd");
      line.append(...groups.flatMap((group) => [group, " "]));
      list.append(made("dt", `Player ${player + 1}`), line);
    });
    const others = made("dd");
    others.append(made("kbd", "space"), " pause  ", made("kbd", "Enter"), " flip one bit");
    list.append(made("dt", "Page"), others);
  }

  // Buttons under the fingers, for the first player.
  touch(place) {
    const groups = [["◂", 1], ["▸", 2], ["jump", 4], ["block", 8]], blows = [["punch", 16], ["kick", 32], ["shot", 64], ["throw", 128]];
    for (const group of [groups, blows]) {
      const box = made("div");
      for (const [name, bit] of group) {
        const button = made("button", name, { type: "button" });
        this.marks.set(button, [0, bit]);
        const press = (down) => (event) => {
          event.preventDefault();
          this.press(0, bit, down);
        };
        button.addEventListener("pointerdown", press(true));
        for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, press(false));
        box.append(button);
      }
      place.append(box);
    }
  }
}

// What the module says of a battle, as arrays by the numbers of units. Lengths are in units of length.
//
// The armies begin in two corners of the field. It is shown turned by an eighth, so that one is on the left and one on the right: all
// places in the page are turned, and orders are turned back.

const UNIT = 1 << 16, UNITS_MAX = 2_000;
const HEAD = 3, UNIT_NUMBERS = 7, SHOT_NUMBERS = 4;
const HEALTH = 20;

const turned = (x, y) => [(x + y) * Math.SQRT1_2, (y - x) * Math.SQRT1_2];
const turnedBack = (x, y) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2];

function pictureOf(numbers) {
  const place = (at) => turned(numbers[at] / UNIT, numbers[at + 1] / UNIT);
  const [tick, units, shots] = numbers;
  const picture = {
    tick, numbers: [], shots: new Map(),
    x: new Float64Array(UNITS_MAX), y: new Float64Array(UNITS_MAX),
    slot: new Int32Array(UNITS_MAX), player: new Uint8Array(UNITS_MAX), health: new Uint8Array(UNITS_MAX), goal: new Uint8Array(UNITS_MAX),
  };
  let at = HEAD;
  for (let unit = 0; unit < units; unit++, at += UNIT_NUMBERS) {
    const number = numbers[at];
    picture.numbers.push(number);
    picture.slot[number] = numbers[at + 1];
    picture.player[number] = numbers[at + 2];
    [picture.x[number], picture.y[number]] = place(at + 3);
    picture.health[number] = numbers[at + 5];
    picture.goal[number] = numbers[at + 6];
  }
  for (let shot = 0; shot < shots; shot++, at += SHOT_NUMBERS) {
    const [x, y] = place(at + 2);
    picture.shots.set(numbers[at], { player: numbers[at + 1], x, y });
  }
  return picture;
}

// The picture between two ticks, by the part of the time between them that is over: where everything is seen. What is not in the
// first one stands where it is in the second.
function between(before, after, part) {
  if (before === null || before.tick > after.tick) return after;
  const seen = { ...after, x: after.x.slice(), y: after.y.slice(), shots: new Map() };
  const was = new Set(before.numbers);
  for (const number of after.numbers) {
    if (!was.has(number)) continue;
    seen.x[number] = before.x[number] + (after.x[number] - before.x[number]) * part;
    seen.y[number] = before.y[number] + (after.y[number] - before.y[number]) * part;
  }
  for (const [slot, shot] of after.shots) {
    const first = before.shots.get(slot) ?? shot;
    seen.shots.set(slot, { player: shot.player, x: first.x + (shot.x - first.x) * part, y: first.y + (shot.y - first.y) * part });
  }
  return seen;
}

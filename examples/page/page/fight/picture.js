// What the module says of a state, as objects. Lengths are in units.

const HEAD = ["tick", "round", "clock", "pause", "count"];
const FIGHTER = [
  "slot", "x", "y", "vx", "vy", "facesLeft", "health", "wins", "doing", "frame", "stun", "held", "grounded", "active", "pose",
  "hasShot", "shotX", "shotY",
];
const LENGTHS = new Set(["x", "y", "vx", "vy", "shotX", "shotY"]);
const TRUTHS = new Set(["facesLeft", "held", "grounded", "active", "hasShot"]);
const SHAPE = 8;
const UNIT = 1 << 16;

const LAYERS = { push: 0, hurt: 1, hit: 2, hold: 3, shot: 4, stage: 5 };
const DOING = ["free", "block", "punch", "kick", "fire", "throw", "hurt", "guard"];
const POSES = ["stand", "jump", "punch", "kick", "throw", "reach", "hurt"];
const KINDS = ["ball", "box", "rod", "plane"];

function pictureOf(numbers) {
  let at = 0;
  const take = (names) => Object.fromEntries(names.map((name) => {
    const number = numbers[at++];
    return [name, LENGTHS.has(name) ? number / UNIT : TRUTHS.has(name) ? number !== 0 : number];
  }));
  const picture = take(HEAD);
  picture.fighters = [take(FIGHTER), take(FIGHTER)];
  for (const fighter of picture.fighters) {
    fighter.doing = DOING[fighter.doing];
    fighter.pose = POSES[fighter.pose];
  }
  picture.shapes = Array.from({ length: picture.count }, () => {
    const [slot, layer, kind, ...lengths] = numbers.slice(at, (at += SHAPE));
    const [x, y, a, b, radius] = lengths.map((length) => length / UNIT);
    return { slot, layer, kind: KINDS[kind], x, y, a, b, radius };
  });
  return picture;
}

// The first example of the README, by the name of the package.

import { load, plane, sphere, toNumber } from "bitstep";

const bitstep = await load();
const level = bitstep.scenery();
const [ground, ball] = [level.addShape(plane([0, 1, 0])), level.addShape(sphere("0.5"))];
level.addStatic({ shape: ground, material: level.addMaterial({ restitution: "0.5", friction: "0.3" }) });
const world = level.world({ tickRate: 60 });
world.apply([{ kind: "setGravity", gravity: world.gravityNearest([0, "-9.81", 0]) }]);
const body = world.spawn({ shape: ball, position: [0, 10, 0] });
for (let tick = 0; tick < 600; tick++) world.tick();
console.log(toNumber(world.body(body).position[1]), world.checksum());

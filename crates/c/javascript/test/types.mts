// What index.d.ts promises, used as a game uses it: only compiled.

import { load, HOLE, OTHER_DIAGONAL, sphere, plane, aabb, obb, capsule, toNumber, BitstepError } from "bitstep";
import type { Body, BodyState, Collider, Command, Shape } from "bitstep";

export async function game(module: WebAssembly.Module): Promise<string> {
  const bitstep = await load(module);
  const level = bitstep.scenery();
  const shapes: Shape[] = [sphere("0.5"), plane([0, 1, 0]), aabb([1, 1n, "1"]), obb([1, 1, 1], [2 ** 30, 0, 0, 0]), capsule([0, 1, 0], 1)];
  const [ball, ground] = shapes.map((shape) => level.addShape(shape)) as [number, number];
  const wedge: number = level.addHullUpright([[0, 0, 0], [1, 0, 0], [0, 1n, 0], [0, 0, "1"]]).shape;
  const { shape: floor, openEdges } = level.addMesh({ points: [[0, 0, 0], [0, 0, "4"], [4n, 0, 4]], triangles: [[0, 1, 2]], materials: [0] });
  const heights = [[0, 0, 0], Int16Array.of(0, 4, 0)];
  const hills: number = level.addHeights({ cell: 1, unit: "0.25", heights, cells: [[OTHER_DIAGONAL, HOLE]] });
  const material = level.addMaterial({ friction: "0.5" });
  level.addStatic({ shape: ground, material });
  const world = level.world({ tickRate: 60, sleepAfter: 0 });
  const body: Body = world.spawn({ shape: ball, position: [0, "2.5", 0], bodyType: "dynamic" });
  const commands: Command[] = [
    { kind: "setVelocity", body, velocity: [0, 0, 0] },
    { kind: "ignorePair", a: body, b: { static: 0 }, ticks: 3 },
    { kind: "setHeights", ground: 0, column: 1, row: 0, heights: [[-8, 1], [-7, 2]], lift: true },
    // @ts-expect-error: a field of another command
    { kind: "remove", body, velocity: [0, 0, 0] },
  ];
  const accepted: boolean[] = world.apply(commands);
  const refused: number = world.applyBytes(bitstep.encode(commands));
  const state: BodyState | null = world.body(body);
  const height: number = state === null ? 0 : toNumber(state.position[1]);
  const near: Collider[] = world.nearest({ origin: [0, 0, 0], radius: 3, most: 4 }).map(({ collider }) => collider);
  const hit = world.castRay({ origin: [0, 5, 0], displacement: [0, -9, 0], exclude: { body } });
  const part: bigint | undefined = hit?.toi;
  const under: bigint | undefined = world.ground(hills, 1, "0.5")?.height;
  const parts: number[] = [world.facetOwner(floor), ...world.facetTriangles(floor), ...world.heights(hills), openEdges];
  const recorder = world.recorder();
  const { isSame } = bitstep.replay(recorder.finish()).verify();
  const session = bitstep.session(world, { players: 2, onConfirmed: (confirmed) => confirmed.events().map(({ kind }) => kind) });
  session.order(1, 0, bitstep.encodeSpawn({ shape: ball }));
  const moved: boolean = session.advance();
  try {
    // @ts-expect-error: a limit that there is not
    level.world({ tickRate: 60, gravity: 3 });
  } catch (error) {
    if (error instanceof BitstepError && error.code === "range") return error.message;
  }
  return [wedge, accepted, refused, height, near, part, under, parts, isSame, moved, session.tick].join();
}

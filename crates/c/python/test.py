"""test.py REPLAY...: what a user of the package does, and the checksums of recordings, one line each."""

import json
import sys
from pathlib import Path

import bitstep
import numpy


def falling(offset: int) -> "tuple[bytes, str]":
    with bitstep.Scenery() as level:
        ground = level.add_shape(bitstep.plane((0, 1, 0)))
        ball = level.add_shape(bitstep.sphere("0.5"))
        level.add_static(ground, level.add_material("0.5", "0.3"))
        world = bitstep.World(level, bitstep.limits(60))
    gravity = world.gravity_nearest((0, "-9.81", 0))
    recorder = bitstep.Recorder(world)
    assert world.apply([bitstep.set_gravity(gravity)]) == [bitstep.OK]
    world.enable_events(True)
    spawned = []
    for number in range(30):
        values = bitstep.spawn(ball, bitstep.Vec3(number % 5 * bitstep.lit("1.25"), (number // 5 + 2) * bitstep.lit("1.5"), number * offset))
        values.rotates = 1
        spawned.append(world.spawn(values))
    heard = 0
    for _ in range(200):
        world.tick()
        recorder.tick()
        heard += len(world.events())
    assert heard > 30 and world.report().tick == 200 == world.tick_count()
    assert world.body(bitstep.Body(99)) is None and world.body(spawned[0]).position.y < 4 << 32
    recording, checksum = recorder.finish(), world.checksum()
    positions = world.positions()
    assert positions.shape == (30, 3) and positions.dtype == numpy.int64
    assert positions[29].tolist() == [getattr(world.bodies()[29].position, axis) for axis in "xyz"]
    hit = world.cast_ray(bitstep.query((40, 5, 0), (0, -10, 0)))
    assert hit and hit.collider.is_static and hit.point.y == 0
    assert world.cast_ray(bitstep.query((40, 5, 0), (0, 10, 0))) is None
    assert len(world.nearest(bitstep.query((0, 0, 0), radius=50), 3)) == 3
    assert len(world.overlap(bitstep.query((0, 0, 0), shape=bitstep.sphere(20)))) == 31
    other, more = world.clone(), bitstep.spawn(ball, (50, 50, 0))
    world.spawn(more)
    assert world.apply([bitstep.set_velocity(spawned[3], (0, 1, 0))]) == [bitstep.OK]
    assert other.apply_bytes(bitstep.encode(more) + bitstep.encode([bitstep.set_velocity(spawned[3], (0, 1, 0))])) == 0
    assert other.save() == world.save() and bitstep.commands_count(bitstep.encode(more)) == 1
    other.close()
    snapshot, before = world.save(), world.checksum()
    world.tick()
    world.restore(snapshot)
    assert world.checksum() == before
    return recording, checksum


def code_of(call) -> int:
    try:
        call()
    except bitstep.Error as error:
        assert str(error)
        return error.code
    return bitstep.OK


def hulls() -> None:
    level = bitstep.Scenery()
    ramp = [(x, y, z) for z in (0, 3) for x, y in ((0, 0), (4, 0), (4, 2))]
    (shape, hull), (other, upright) = level.add_hull(ramp), level.add_hull_upright([*ramp, (2, "0.5", 1)])
    assert (shape, other, hull.corners, upright.corners) == (0, 1, 6, 6)
    assert bytes(hull.center) == bytes(upright.center)
    assert upright.axes.w == 1 << 30 and hull.axes.w != 1 << 30
    assert code_of(lambda: level.add_hull(ramp[:3])) == bitstep.RANGE


def heights() -> None:
    scene = bitstep.Scene(
        '(title: "", tick_rate: 60, ticks: 1, materials: {"m": (restitution: 0)}, bodies: [],'
        ' shapes: {"s": heights(cell: 1, unit: 0.25, rows: [[0, 0, 0], [0, 0, 0], [0, 0, 0]])},'
        ' statics: [(name: "s", shape: "s", material: "m", position: (0, 0, 0))])'
    )
    world, other = scene.world(), scene.world()
    dig = bitstep.set_heights(0, 1, 0, [[-8, 1], [-7, 2]])
    assert world.apply([dig]) == [bitstep.OK] and other.apply_bytes(bitstep.encode([dig])) == 0
    assert other.save() == world.save()
    for (x, z), height in {(1, 0): -8, (2, 0): 1, (1, 1): -7, (2, 1): 2, (0, 0): 0, (1, 2): 0}.items():
        assert world.cast_ray(bitstep.query((x, 8, z), (0, -16, 0))).point.y == height << 30
    assert world.apply([bitstep.set_heights(0, 2, 0, [[1, 2]])]) == [bitstep.REFUSED]
    assert code_of(lambda: world.apply([bitstep.set_heights(0, 0, 0, [])])) == bitstep.RANGE
    refused(lambda: bitstep.set_heights(0, 0, 0, [[1, 2], [3]]), ValueError)
    refused(lambda: bitstep.set_heights(0, 0, 0, [[0] * 9]), ValueError)
    refused(lambda: bitstep.set_heights(0, 0, 0, [[0]] * 9), ValueError)
    refused(lambda: bitstep.set_heights(0, 0, 0, [[1 << 15]]), OverflowError)


def ledges() -> None:
    level = bitstep.Scenery()
    box, ledge = level.add_shape(bitstep.aabb(("0.5", "0.5", "0.5"))), level.add_shape(bitstep.aabb((2, "0.125", 2)))
    level.set_open_face(ledge, bitstep.PLUS_Y)
    fighter = level.add_compound([bitstep.child(box), bitstep.child(box, (0, 1, 0), 3)])
    level.add_material(0, 0)
    level.add_static(ledge, 0)
    assert fighter == 65535
    assert code_of(lambda: level.set_open_face(9, bitstep.PLUS_X)) == bitstep.RANGE
    assert code_of(lambda: level.set_open_face(0, 7)) == bitstep.ARGUMENT
    world = bitstep.World(level, bitstep.limits(60))
    values = bitstep.spawn(fighter, (0, -2, 0))
    values.velocity = bitstep.vec3((0, "0.25", 0))
    body = world.spawn(values)
    world.apply([bitstep.set_gravity(bitstep.vec3((0, "-0.001953125", 0)))])
    for _ in range(400):
        world.tick()
    assert 5 << 29 < world.body(body).position.y < 3 << 30, "it came up through the ledge and stands on it"


def levels() -> None:
    level = bitstep.Scenery()
    points, triangles = [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0)], [(0, 1, 2), (2, 3, 0), (0, 0, 1)]
    shape, report = level.add_mesh(points, triangles, [0, 1, 1])
    assert (shape, report.points, report.triangles, report.materials, report.facets, report.degenerate) == (0, 4, 2, 2, 2, 1)
    assert level.add_heights(1, "0.25", [[0, 0, 0], [0, 4, 0]], [[bitstep.OTHER_DIAGONAL, bitstep.HOLE]]) == 1
    assert level.add_mesh(points, triangles)[1].materials == 1 and level.add_heights(1, "0.25", [[0, 0], [0, 0]]) == 3
    for _ in range(2):
        level.add_material(0, 0)
    assert (level.add_static(0, 0, (20, 0, 0)), level.add_static(1, 0, (0, "0.5", 0))) == (0, 1)
    world = bitstep.World(level, bitstep.limits(60))
    assert world.apply([bitstep.set_heights(1, 1, 1, [[8]])]) == [bitstep.OK]
    at = world.ground(1, "0.5", 1)
    assert at and at.height == 3 << 31 and at.normal.x < 0 and world.ground(1, "1.5", "0.5") is None
    assert list(world.heights(1)) == [0, 0, 0, 0, 8, 0]
    hit = world.cast_ray(bitstep.query((23, 1, 1), (0, -2, 0)))
    facet = hit.collider.index
    assert facet >= 2 and (world.facet_owner(facet), world.facet_triangles(facet), world.facet_triangles(1)) == (0, [1], [])
    assert code_of(lambda: world.ground(0, 0, 0)) == code_of(lambda: world.facet_owner(99)) == bitstep.RANGE
    assert code_of(lambda: level.add_mesh(points, [(0, 1, 4)])) == code_of(lambda: level.add_mesh([], [])) == bitstep.RANGE
    assert code_of(lambda: level.add_heights(1, 1, [])) == code_of(lambda: level.add_heights(1, 0, [[0, 0], [0, 0]])) == bitstep.RANGE
    assert code_of(lambda: level.add_mesh_file(b"rubbish")) == bitstep.DATA
    refused(lambda: level.add_mesh(points, [(0, 1)]), ValueError)
    refused(lambda: level.add_mesh(points, triangles, [0]), ValueError)
    refused(lambda: level.add_mesh(points, [(0, 1, -1)]), OverflowError)
    refused(lambda: level.add_mesh(points, [(0, 1, 2)], [256]), OverflowError)
    refused(lambda: level.add_heights(1, 1, [[0, 0], [0]]), ValueError)
    refused(lambda: level.add_heights(1, 1, [[0, 0], [0, 0]], [[0, 0]]), ValueError)
    refused(lambda: level.add_heights(1, 1, [[0, 0], [0, 1 << 15]]), OverflowError)
    refused(lambda: level.add_heights("0.1\0", 1, [[0, 0], [0, 0]]), ValueError)


def refused(call, error) -> None:
    try:
        call()
    except error:
        return
    raise AssertionError(f"{error.__name__} is raised")


def errors() -> None:
    level = bitstep.Scenery()
    level.add_shape(bitstep.sphere("0.5"))
    level.add_material(0, 0)
    world = bitstep.World(level, bitstep.limits(60))
    level.close()
    assert code_of(lambda: bitstep.World(level, bitstep.limits(60))) == bitstep.HANDLE
    assert code_of(lambda: bitstep.lit("x")) == bitstep.RANGE
    world.spawn(bitstep.spawn(0, (0, 0, 0)))
    assert code_of(lambda: world.spawn(bitstep.spawn(0, (0, 0, 0)))) == bitstep.REFUSED
    assert code_of(lambda: bitstep.Replay(b"rubbish")) == code_of(lambda: bitstep.commands_count(b"rubbish")) == bitstep.DATA
    assert code_of(lambda: bitstep.Scene("(title: 3)")) == bitstep.DATA
    assert world.apply([bitstep.remove(bitstep.Body(5))]) == [bitstep.REFUSED]
    for wrong, error in ((0.5, TypeError), (1 << 31, OverflowError), ("1\0", ValueError)):
        refused(lambda: bitstep.sphere(wrong), error)


def main() -> None:
    errors()
    hulls()
    heights()
    ledges()
    levels()
    recording, checksum = falling(1000)
    replay, other = bitstep.Replay(recording), bitstep.Replay(falling(1001)[0])
    verdict = replay.verify()
    assert verdict.is_same and verdict.ticks == 200 and verdict.checksum == checksum
    assert replay.diff(replay) is None and replay.diff(other)
    assert json.loads(replay.diff(other, as_json=True))["judgement"]
    for path in sys.argv[1:]:
        replay = bitstep.Replay(Path(path).read_bytes())
        world = replay.world(0)
        for tick in range(1, replay.tick_count() + 1):
            world.apply_bytes(replay.commands(tick))
            world.tick()
        assert world.checksum() == replay.verify().checksum
        scene = bitstep.Scene(Path(path).with_suffix(".ron").read_text())
        played = scene.world()
        for _ in range(scene.tick_count()):
            scene.tick(played)
        assert played.checksum() == world.checksum(), path
        print(world.checksum())


main()

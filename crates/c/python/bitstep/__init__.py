"""Deterministic fixed-point 3D physics, by ctypes over the C interface.

Numbers are raw fixed point: times 2^32. A function that takes one also takes an ``int`` in units, or a text such as ``"0.1"``, which is
rounded exactly; a ``float`` is refused, so that none gets into a world. Structs are those of ``bitstep.h``.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char, c_int16, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Sequence, Tuple, Type, Union

Number = Union[int, str]
Vector = Union["Vec3", Tuple[Number, Number, Number]]

OK, ARGUMENT, HANDLE, SIZE, BUFFER, RANGE, REFUSED, DATA, NO_BODY, ORDER, PANIC, POISONED = range(12)
ABI_VERSION = 1

# Cells of ground: the number of a material, 0 to 126, to which OTHER_DIAGONAL may be added, or HOLE.
HOLE, OTHER_DIAGONAL = 127, 128
# The faces of a box by its own axes, and the front of a mesh.
PLUS_X, MINUS_X, PLUS_Y, MINUS_Y, PLUS_Z, MINUS_Z, FRONT = range(7)
# The layer of a child shape that has that of its body.
LAYER_OF_BODY = 0xFFFFFFFF


class Error(Exception):
    """A call failed: its code, and why."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


class Vec3(Structure):
    _fields_ = [("x", c_int64), ("y", c_int64), ("z", c_int64)]


class Rotation(Structure):
    """A unit quaternion: each component times 2^30."""

    _fields_ = [("w", c_int32), ("x", c_int32), ("y", c_int32), ("z", c_int32)]


class Body(Structure):
    _fields_ = [("id", c_uint64)]


class Collider(Structure):
    _fields_ = [("is_static", c_uint32), ("index", c_uint32), ("body", Body)]


class Shape(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("radius", c_int64), ("half", Vec3), ("rotation", Rotation)]


class Static(Structure):
    _fields_ = [(name, c_uint32) for name in ("struct_size", "shape", "material", "layer")] + [("position", Vec3)]


class Limits(Structure):
    _fields_ = [
        (name, c_uint32)
        for name in ("struct_size", "tick_rate", "substeps", "mass_max", "bodies_max", "budget", "pairs_max", "flat", "sleep_after", "reserved")
    ] + [(name, c_int64) for name in ("extent", "speed_max", "size_max", "rest_speed", "separation_speed")]


class Hull(Structure):
    """The frame of a hull in the space of its points: a body that has them there has this center and these axes."""

    _fields_ = [("struct_size", c_uint32), ("corners", c_uint32), ("center", Vec3), ("axes", Rotation)]


class MeshReport(Structure):
    """What was found in a mesh; ``points``, ``triangles`` and ``materials`` are numbers of those that it has."""

    _fields_ = [
        (name, c_uint32)
        for name in (
            "struct_size", "points", "triangles", "materials", "facets", "rounded", "merged", "unused", "degenerate", "repeated",
            "crowded_edges", "t_junctions", "open_edges", "flat_edges", "bent_edges",
        )
    ]


class _Mesh(Structure):
    _fields_ = [(name, c_uint32) for name in ("struct_size", "point_count", "triangle_count", "reserved")] + [
        ("points", POINTER(Vec3)), ("triangles", POINTER(c_uint32)), ("materials", POINTER(c_uint8)),
    ]


class ChildShape(Structure):
    """One of the shapes of a compound; a layer of ``LAYER_OF_BODY`` is that of the body."""

    _fields_ = [("shape", c_uint32), ("layer", c_uint32), ("offset", Vec3)]


class _Heights(Structure):
    _fields_ = [(name, c_uint32) for name in ("struct_size", "columns", "rows", "reserved")] + [
        ("cell", c_int64), ("unit", c_int64), ("heights", POINTER(c_int16)), ("cells", POINTER(c_uint8)),
    ]


class Spawn(Structure):
    _fields_ = [
        (name, c_uint32)
        for name in (
            "struct_size", "shape", "material", "body_type", "mass", "layer", "group", "locks", "damping_q16", "on_hit",
            "dominance", "rotates", "allow_overlap", "reserved",
        )
    ] + [("user", c_uint64), ("position", Vec3), ("velocity", Vec3), ("angular_velocity", Vec3), ("orientation", Rotation)]


class BodyState(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("shape", c_uint32), ("body", Body), ("position", Vec3), ("velocity", Vec3), ("momentum", Vec3),
        ("angular_velocity", Vec3), ("orientation", Rotation), ("mass", c_uint32), ("body_type", c_uint32), ("layer", c_uint32),
        ("is_asleep", c_uint32), ("frozen", c_uint32), ("rotates", c_uint32), ("user", c_uint64),
    ]


class Command(Structure):
    """A command; ``bitstep.h`` says which fields a kind names."""

    _fields_ = [
        ("struct_size", c_uint32), ("kind", c_uint32), ("body", Body), ("vector", Vec3), ("point", Vec3), ("rotation", Rotation),
        ("scalar", c_int64), ("other", Collider), ("user", c_uint64), ("number", c_uint32), ("second", c_uint32),
        ("third", c_uint32), ("allow_overlap", c_uint32), ("columns", c_uint32), ("rows", c_uint32), ("heights", c_int16 * 8 * 8),
    ]


class Query(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("layers", c_uint32), ("origin", Vec3), ("displacement", Vec3), ("radius", c_int64), ("shape", Shape),
        ("excludes", c_uint32), ("reserved", c_uint32), ("exclude", Collider),
    ]


class Hit(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("is_hit", c_uint32), ("toi", c_uint64), ("collider", Collider), ("normal", Vec3), ("point", Vec3),
    ]


class Ground(Structure):
    _fields_ = [("struct_size", c_uint32), ("is_ground", c_uint32), ("height", c_int64), ("normal", Vec3)]


class Near(Structure):
    _fields_ = [("distance", c_int64), ("collider", Collider)]


class Event(Structure):
    _fields_ = [("kind", c_uint32), ("repeat", c_uint32), ("toi", c_uint64), ("a", Body), ("b", Collider)]


class Impulse(Structure):
    _fields_ = [("a", Body), ("b", Collider), ("impulse", Vec3)]


class Report(Structure):
    _fields_ = [("struct_size", c_uint32), ("impacts", c_uint32), ("tick", c_uint64)] + [
        (name, c_uint32)
        for name in (
            "impact_limited", "velocity_corrected", "out_of_bounds", "blocked", "reverted", "removed", "woke", "fell_asleep",
            "overlapping", "events", "impulses", "tick_halted",
        )
    ]


class Verdict(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("is_same", c_uint32), ("ticks", c_uint64), ("first_different", c_uint64), ("checksum_bytes", c_uint8 * 16),
    ]

    @property
    def checksum(self) -> str:
        """32 hexadecimal digits, as programs print them."""
        return bytes(self.checksum_bytes)[::-1].hex()


def _load() -> ctypes.CDLL:
    name = {"win32": "bitstep_c.dll", "darwin": "libbitstep_c.dylib"}.get(sys.platform, "libbitstep_c.so")
    library = ctypes.CDLL(str(Path(__file__).with_name(name)))
    if library.bitstep_abi_version() != ABI_VERSION:
        raise ImportError(f"{name} has ABI version {library.bitstep_abi_version()}, this module is for {ABI_VERSION}")
    library.bitstep_build.restype = ctypes.c_char_p
    for function, types in _SIGNATURES.items():
        getattr(library, function).argtypes = types
    return library


_H, _N, _U = c_uint64, c_size_t, c_uint32
_BYTES, _SIZE = ctypes.c_char_p, POINTER(c_size_t)
_SIGNATURES: dict[str, list[Any]] = {
    "bitstep_last_error": [POINTER(c_char), _N, _SIZE],
    "bitstep_lit": [_BYTES, POINTER(c_int64)],
    "bitstep_limits_init": [_U, POINTER(Limits)],
    "bitstep_spawn_init": [_U, POINTER(Spawn)],
    "bitstep_scenery_new": [POINTER(_H)],
    "bitstep_scenery_free": [_H],
    "bitstep_scenery_add_shape": [_H, POINTER(Shape), POINTER(_U)],
    "bitstep_scenery_add_hull": [_H, POINTER(Vec3), _N, POINTER(Hull), POINTER(_U)],
    "bitstep_scenery_add_hull_upright": [_H, POINTER(Vec3), _N, POINTER(Hull), POINTER(_U)],
    "bitstep_scenery_add_mesh": [_H, POINTER(_Mesh), POINTER(MeshReport), POINTER(_U)],
    "bitstep_scenery_add_mesh_file": [_H, _BYTES, _N, POINTER(MeshReport), POINTER(_U)],
    "bitstep_scenery_add_heights": [_H, POINTER(_Heights), POINTER(_U)],
    "bitstep_scenery_add_compound": [_H, POINTER(ChildShape), _N, POINTER(_U)],
    "bitstep_scenery_set_open_face": [_H, _U, _U],
    "bitstep_scenery_add_material": [_H, c_int64, c_int64, POINTER(_U)],
    "bitstep_scenery_add_static": [_H, POINTER(Static), POINTER(_U)],
    "bitstep_world_new": [_H, POINTER(Limits), POINTER(_H)],
    "bitstep_world_clone": [_H, POINTER(_H)],
    "bitstep_world_free": [_H],
    "bitstep_world_spawn": [_H, POINTER(Spawn), POINTER(Body)],
    "bitstep_world_apply": [_H, POINTER(Command), _N, POINTER(c_int32)],
    "bitstep_commands_encode": [POINTER(Command), _N, POINTER(c_uint8), _N, _SIZE],
    "bitstep_commands_count": [_BYTES, _N, _SIZE],
    "bitstep_spawn_encode": [POINTER(Spawn), POINTER(c_uint8), _N, _SIZE],
    "bitstep_world_apply_bytes": [_H, _BYTES, _N, POINTER(_U)],
    "bitstep_world_tick": [_H],
    "bitstep_world_tick_count": [_H, POINTER(c_uint64)],
    "bitstep_world_checksum": [_H, POINTER(c_uint8)],
    "bitstep_world_save": [_H, POINTER(c_uint8), _N, _SIZE],
    "bitstep_world_restore": [_H, _BYTES, _N],
    "bitstep_world_body": [_H, Body, POINTER(BodyState)],
    "bitstep_world_bodies": [_H, POINTER(BodyState), _N, _SIZE],
    "bitstep_world_gravity_nearest": [_H, POINTER(Vec3), POINTER(Vec3)],
    "bitstep_world_enable_events": [_H, _U],
    "bitstep_world_report": [_H, POINTER(Report)],
    "bitstep_world_events": [_H, POINTER(Event), _N, _SIZE],
    "bitstep_world_impulses": [_H, POINTER(Impulse), _N, _SIZE],
    "bitstep_world_cast_ray": [_H, POINTER(Query), POINTER(Hit)],
    "bitstep_world_cast_shape": [_H, POINTER(Query), POINTER(Hit)],
    "bitstep_world_overlap": [_H, POINTER(Query), POINTER(Collider), _N, _SIZE],
    "bitstep_world_nearest": [_H, POINTER(Query), POINTER(Near), _N, _SIZE],
    "bitstep_world_ground": [_H, _U, c_int64, c_int64, POINTER(Ground)],
    "bitstep_world_heights": [_H, _U, POINTER(c_int16), _N, _SIZE],
    "bitstep_world_facet_owner": [_H, _U, POINTER(_U)],
    "bitstep_world_facet_triangles": [_H, _U, POINTER(_U), _N, _SIZE],
    "bitstep_recorder_new": [_H, POINTER(_H)],
    "bitstep_recorder_free": [_H],
    "bitstep_recorder_tick": [_H],
    "bitstep_recorder_finish": [_H, POINTER(c_uint8), _N, _SIZE],
    "bitstep_scene_new": [_BYTES, POINTER(_H)],
    "bitstep_scene_free": [_H],
    "bitstep_scene_tick_count": [_H, POINTER(c_uint64)],
    "bitstep_scene_world": [_H, POINTER(_H)],
    "bitstep_scene_tick": [_H, _H, POINTER(_U)],
    "bitstep_replay_new": [_BYTES, _N, POINTER(_H)],
    "bitstep_replay_free": [_H],
    "bitstep_replay_tick_count": [_H, POINTER(c_uint64)],
    "bitstep_replay_world": [_H, c_uint64, POINTER(_H)],
    "bitstep_replay_commands": [_H, c_uint64, POINTER(c_uint8), _N, _SIZE],
    "bitstep_replay_verify": [_H, POINTER(Verdict)],
    "bitstep_replay_diff": [_H, _H, POINTER(c_uint8), _N, _SIZE],
    "bitstep_replay_diff_json": [_H, _H, POINTER(c_uint8), _N, _SIZE],
}
_library = _load()


def _check(code: int) -> None:
    if code == OK:
        return
    length = c_size_t()
    _library.bitstep_last_error(None, 0, byref(length))
    words = ctypes.create_string_buffer(length.value)
    _library.bitstep_last_error(words, length, byref(length))
    raise Error(code, words.value.decode())


def _get(kind: Type[Any], function: Callable[..., int], *arguments: Any) -> Any:
    """The value that a function writes to its last parameter."""
    value = kind(struct_size=ctypes.sizeof(kind)) if hasattr(kind, "struct_size") else kind()
    _check(function(*arguments, byref(value)))
    return value


def _array(kind: Type[Any], function: Callable[..., int], *arguments: Any) -> Any:
    """The array that a function writes."""
    count = c_size_t()
    code = function(*arguments, None, 0, byref(count))
    while True:
        if code != BUFFER:
            _check(code)
        values = (kind * count.value)()
        code = function(*arguments, values, count, byref(count))
        if code == OK:
            return values


def _numbers(kind: Type[Any], bits: range, values: Iterable[int]) -> Any:
    """An array of numbers, each within those that its kind has: ctypes would cut others off."""
    given = list(values)
    for value in given:
        if value not in bits:
            raise OverflowError(f"{value} is not from {bits.start} to {bits.stop - 1}")
    return (kind * len(given))(*given)


_I16, _U8, _U32 = range(-(1 << 15), 1 << 15), range(1 << 8), range(1 << 32)


def rules_version() -> int:
    """Two builds with the same one step the same world to the same bits."""
    return int(_library.bitstep_rules_version())


def build() -> str:
    """The version of the library."""
    return _library.bitstep_build().decode()


def lit(text: str) -> int:
    """The number that a decimal text names, to nearest."""
    return int(_get(c_int64, _library.bitstep_lit, _text(text)).value)


def _text(text: str) -> bytes:
    if "\0" in text:
        raise ValueError("a zero in a text")
    return text.encode()


def _raw(number: int) -> int:
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError(f"{number} has more than 64 bits in fixed point")
    return number


def scalar(number: Number) -> int:
    """A number in units, whole or as a text, as raw fixed point."""
    if isinstance(number, str):
        return lit(number)
    if isinstance(number, int):
        return _raw(number << 32)
    raise TypeError(f"{number!r} is no int and no text such as '0.5'")


def vec3(vector: Vector) -> Vec3:
    """A vector of numbers in units; one of raw numbers stays as it is."""
    return vector if isinstance(vector, Vec3) else Vec3(*(scalar(number) for number in vector))


_IDENTITY = (1 << 30, 0, 0, 0)


def _shape(kind: int, radius: Number = 0, half: Vector = (0, 0, 0), rotation: Sequence[int] = _IDENTITY) -> Shape:
    return Shape(ctypes.sizeof(Shape), kind, scalar(radius), vec3(half), Rotation(*rotation))


def sphere(radius: Number) -> Shape:
    return _shape(0, radius)


def aabb(half: Vector) -> Shape:
    return _shape(1, half=half)


def obb(half: Vector, rotation: Sequence[int]) -> Shape:
    return _shape(2, half=half, rotation=rotation)


def capsule(half_axis: Vector, radius: Number) -> Shape:
    return _shape(3, radius, half_axis)


def plane(normal: Vector) -> Shape:
    return _shape(4, half=normal)


def limits(tick_rate: int) -> Limits:
    """The default limits at a tick rate."""
    return _get(Limits, _library.bitstep_limits_init, tick_rate)


def spawn(shape: int, position: Vector) -> Spawn:
    """A dynamic body of mass 1 at rest; its other values may be set."""
    values = _get(Spawn, _library.bitstep_spawn_init, shape)
    values.position = vec3(position)
    return values


def command(kind: int, body: Body = Body(), vector: Vector = (0, 0, 0), number: int = 0) -> Command:
    """A command of any kind, by its number in ``bitstep.h``; its other fields may be set."""
    return Command(struct_size=ctypes.sizeof(Command), kind=kind, body=body, vector=vec3(vector), number=number)


def child(shape: int, offset: Vector = (0, 0, 0), layer: int = LAYER_OF_BODY) -> ChildShape:
    """One of the shapes of a compound, with its origin from that of the body."""
    return ChildShape(shape, layer, vec3(offset))


def remove(body: Body) -> Command:
    return command(1, body)


def set_velocity(body: Body, velocity: Vector) -> Command:
    return command(4, body, velocity)


def apply_impulse(body: Body, impulse: Vector) -> Command:
    return command(5, body, impulse)


def set_gravity(gravity: Vec3) -> Command:
    return command(9, vector=gravity)


def set_heights(ground: int, column: int, row: int, heights: Sequence[Sequence[int]], lift: bool = False) -> Command:
    """Up to 8 rows of up to 8 heights of a ground, from its point at a column and a row on."""
    made = command(23, number=ground)
    made.second, made.third, made.allow_overlap = column, row, int(lift)
    made.columns, made.rows = len(heights[0]) if len(heights) else 0, len(heights)
    if max(made.columns, made.rows) > 8 or any(len(line) != made.columns for line in heights):
        raise ValueError("heights are up to 8 rows of up to 8, all of the same length")
    for place, line in enumerate(heights):
        for at, height in enumerate(line):
            if not -(1 << 15) <= height < 1 << 15:
                raise OverflowError(f"{height} has more than 16 bits")
            made.heights[place][at] = height
    return made


def encode(commands: Union[Spawn, Iterable[Command]]) -> bytes:
    """Bytes for ``World.apply_bytes``, here or on another machine; those that follow each other are those of all."""
    if isinstance(commands, Spawn):
        return bytes(_array(c_uint8, _library.bitstep_spawn_encode, byref(commands)))
    given = list(commands)
    return bytes(_array(c_uint8, _library.bitstep_commands_encode, (Command * len(given))(*given), len(given)))


def commands_count(commands: bytes) -> int:
    """The number of commands in bytes; an error if they are none, such as what a stranger sent."""
    return int(_get(c_size_t, _library.bitstep_commands_count, commands, len(commands)).value)


def query(origin: Vector, displacement: Vector = (0, 0, 0), radius: Number = 0, shape: Optional[Shape] = None) -> Query:
    """A query of all layers; its other fields may be set."""
    return Query(
        struct_size=ctypes.sizeof(Query), layers=0xFFFF, origin=vec3(origin), displacement=vec3(displacement), radius=scalar(radius),
        shape=shape if shape is not None else Shape(),
    )


class _Owned:
    """The owner of a handle."""

    _free: Any = None

    def __init__(self, handle: c_uint64) -> None:
        self._handle = handle.value

    def close(self) -> None:
        """Frees the object; it is freed when it is collected as well."""
        if self._handle:
            self._free(self._handle)
            self._handle = 0

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Scenery(_Owned):
    """A static level. Worlds that were made of it stay when it is freed."""

    _free = _library.bitstep_scenery_free

    def __init__(self) -> None:
        super().__init__(_get(c_uint64, _library.bitstep_scenery_new))

    def add_shape(self, shape: Shape) -> int:
        return int(_get(c_uint32, _library.bitstep_scenery_add_shape, self._handle, byref(shape)).value)

    def add_hull(self, points: Sequence[Vector]) -> tuple[int, Hull]:
        """The convex hull of points in the frame of its principal axes, for bodies that rotate: its number, and its frame."""
        return self._add_hull(_library.bitstep_scenery_add_hull, points)

    def add_hull_upright(self, points: Sequence[Vector]) -> tuple[int, Hull]:
        """The same with the axes of the points, for statics and bodies that never rotate."""
        return self._add_hull(_library.bitstep_scenery_add_hull_upright, points)

    def _add_hull(self, function: Any, points: Sequence[Vector]) -> tuple[int, Hull]:
        array = (Vec3 * len(points))(*(vec3(point) for point in points))
        hull = Hull(ctypes.sizeof(Hull))
        shape = _get(c_uint32, function, self._handle, array, len(points), byref(hull))
        return int(shape.value), hull

    def add_mesh(
        self, points: Sequence[Vector], triangles: Sequence[Sequence[int]], materials: Optional[Sequence[int]] = None
    ) -> tuple[int, MeshReport]:
        """A mesh for statics, with three places among the points and a number for the material of each triangle, or none for 0 everywhere:
        its number, and what was found in it."""
        if any(len(corners) != 3 for corners in triangles):
            raise ValueError("triangles have three corners each")
        if materials is not None and len(materials) != len(triangles):
            raise ValueError("materials are one for each triangle")
        corners = _numbers(c_uint32, _U32, (corner for triangle in triangles for corner in triangle))
        mesh, report = _Mesh(ctypes.sizeof(_Mesh), len(points), len(triangles)), MeshReport(ctypes.sizeof(MeshReport))
        mesh.points, mesh.triangles = (Vec3 * len(points))(*(vec3(point) for point in points)), corners
        if materials is not None:
            mesh.materials = _numbers(c_uint8, _U8, materials)
        shape = _get(c_uint32, _library.bitstep_scenery_add_mesh, self._handle, byref(mesh), byref(report))
        return int(shape.value), report

    def add_mesh_file(self, file: bytes) -> tuple[int, MeshReport]:
        """The mesh of a file that ``bitstep bake`` has written, from its content."""
        report = MeshReport(ctypes.sizeof(MeshReport))
        shape = _get(c_uint32, _library.bitstep_scenery_add_mesh_file, self._handle, file, len(file), byref(report))
        return int(shape.value), report

    def add_heights(
        self, cell: Number, unit: Number, heights: Sequence[Sequence[int]], cells: Optional[Sequence[Sequence[int]]] = None
    ) -> int:
        """Ground for statics: rows of heights along z, each along x. Of cells there is one less along each axis, or none for 0 everywhere."""
        columns, rows = len(heights[0]) if len(heights) else 0, len(heights)
        if any(len(line) != columns for line in heights):
            raise ValueError("rows of heights are all of the same length")
        if cells is not None and (len(cells) != rows - 1 or any(len(line) != columns - 1 for line in cells)):
            raise ValueError("of cells there is one less than of heights along each axis")
        made = _Heights(ctypes.sizeof(_Heights), columns, rows, 0, scalar(cell), scalar(unit))
        made.heights = _numbers(c_int16, _I16, (height for line in heights for height in line))
        if cells is not None:
            made.cells = _numbers(c_uint8, _U8, (one for line in cells for one in line))
        return int(_get(c_uint32, _library.bitstep_scenery_add_heights, self._handle, byref(made)).value)

    def add_compound(self, children: Sequence[ChildShape]) -> int:
        """A compound, as the shape of a body; its mirror image has that number less 1."""
        array = (ChildShape * len(children))(*children)
        return int(_get(c_uint32, _library.bitstep_scenery_add_compound, self._handle, array, len(children)).value)

    def set_open_face(self, shape: int, face: int) -> None:
        """Opens a shape on a face: it collides with what was on that side of it when the tick began."""
        _check(_library.bitstep_scenery_set_open_face(self._handle, shape, face))

    def add_material(self, restitution: Number, friction: Number) -> int:
        raw = scalar(restitution), scalar(friction)
        return int(_get(c_uint32, _library.bitstep_scenery_add_material, self._handle, *raw).value)

    def add_static(self, shape: int, material: int, position: Vector = (0, 0, 0), layer: int = 0) -> int:
        fixed = Static(ctypes.sizeof(Static), shape, material, layer, vec3(position))
        return int(_get(c_uint32, _library.bitstep_scenery_add_static, self._handle, byref(fixed)).value)


class World(_Owned):
    """A world of bodies."""

    _free = _library.bitstep_world_free

    def __init__(self, scenery: Scenery, bounds: Limits) -> None:
        super().__init__(_get(c_uint64, _library.bitstep_world_new, scenery._handle, byref(bounds)))

    @classmethod
    def _of(cls, handle: c_uint64) -> "World":
        world = cls.__new__(cls)
        _Owned.__init__(world, handle)
        return world

    def clone(self) -> "World":
        return World._of(_get(c_uint64, _library.bitstep_world_clone, self._handle))

    def spawn(self, values: Spawn) -> Body:
        return _get(Body, _library.bitstep_world_spawn, self._handle, byref(values))

    def apply(self, commands: Iterable[Command]) -> list[int]:
        """The code of each command; one that is refused changes nothing and raises nothing."""
        given = list(commands)
        codes = (c_int32 * len(given))()
        code = _library.bitstep_world_apply(self._handle, (Command * len(given))(*given), len(given), codes)
        if code != REFUSED:
            _check(code)
        return list(codes)

    def apply_bytes(self, commands: bytes) -> int:
        """The number of commands that were refused."""
        return int(_get(c_uint32, _library.bitstep_world_apply_bytes, self._handle, commands, len(commands)).value)

    def tick(self) -> None:
        _check(_library.bitstep_world_tick(self._handle))

    def tick_count(self) -> int:
        return int(_get(c_uint64, _library.bitstep_world_tick_count, self._handle).value)

    def checksum(self) -> str:
        """32 hexadecimal digits, the same on every machine."""
        room = (c_uint8 * 16)()
        _check(_library.bitstep_world_checksum(self._handle, room))
        return bytes(room)[::-1].hex()

    def save(self) -> bytes:
        return bytes(_array(c_uint8, _library.bitstep_world_save, self._handle))

    def restore(self, snapshot: bytes) -> None:
        _check(_library.bitstep_world_restore(self._handle, snapshot, len(snapshot)))

    def body(self, body: Body) -> Optional[BodyState]:
        """The state of a body; ``None`` if there is none."""
        state = BodyState(struct_size=ctypes.sizeof(BodyState))
        code = _library.bitstep_world_body(self._handle, body, byref(state))
        if code == NO_BODY:
            return None
        _check(code)
        return state

    def bodies(self) -> Any:
        """The states of all bodies, by slot: an array of ctypes, which numpy takes as it is."""
        return _array(BodyState, _library.bitstep_world_bodies, self._handle)

    def positions(self) -> Any:
        """The positions of all bodies, by slot: an array of numpy with three raw numbers a row."""
        import numpy

        states = numpy.ctypeslib.as_array(self.bodies())["position"]
        return numpy.stack([states[axis] for axis in "xyz"], axis=1)

    def gravity_nearest(self, per_second_squared: Vector) -> Vec3:
        """The gravity for ``set_gravity`` that is nearest to one in units per second squared."""
        return _get(Vec3, _library.bitstep_world_gravity_nearest, self._handle, byref(vec3(per_second_squared)))

    def enable_events(self, enabled: bool) -> None:
        _check(_library.bitstep_world_enable_events(self._handle, int(enabled)))

    def report(self) -> Report:
        return _get(Report, _library.bitstep_world_report, self._handle)

    def events(self) -> Any:
        return _array(Event, _library.bitstep_world_events, self._handle)

    def impulses(self) -> Any:
        return _array(Impulse, _library.bitstep_world_impulses, self._handle)

    def cast_ray(self, ray: Query) -> Optional[Hit]:
        hit = _get(Hit, _library.bitstep_world_cast_ray, self._handle, byref(ray))
        return hit if hit.is_hit else None

    def cast_shape(self, cast: Query) -> Optional[Hit]:
        hit = _get(Hit, _library.bitstep_world_cast_shape, self._handle, byref(cast))
        return hit if hit.is_hit else None

    def overlap(self, where: Query) -> Any:
        return _array(Collider, _library.bitstep_world_overlap, self._handle, byref(where))

    def ground(self, ground: int, x: Number, z: Number) -> Optional[Ground]:
        """The ground of heights of a static at a place; ``None`` over a hole and beyond the border."""
        at = _get(Ground, _library.bitstep_world_ground, self._handle, ground, scalar(x), scalar(z))
        return at if at.is_ground else None

    def heights(self, ground: int) -> Any:
        """The heights of a static as commands have left them, row by row: an array of ctypes."""
        return _array(c_int16, _library.bitstep_world_heights, self._handle, ground)

    def facet_owner(self, facet: int) -> int:
        """The static of the facet that the index of a collider names; a static belongs to itself."""
        return int(_get(c_uint32, _library.bitstep_world_facet_owner, self._handle, facet).value)

    def facet_triangles(self, facet: int) -> list[int]:
        """The triangles of a facet; a static itself has none."""
        return list(_array(c_uint32, _library.bitstep_world_facet_triangles, self._handle, facet))

    def nearest(self, around: Query, most: int) -> Any:
        found, count = (Near * most)(), c_size_t()
        _check(_library.bitstep_world_nearest(self._handle, byref(around), found, most, byref(count)))
        return found[: count.value]


class Recorder(_Owned):
    """A recording of a world: ``tick`` follows each ``World.tick``."""

    _free = _library.bitstep_recorder_free

    def __init__(self, world: World) -> None:
        super().__init__(_get(c_uint64, _library.bitstep_recorder_new, world._handle))

    def tick(self) -> None:
        _check(_library.bitstep_recorder_tick(self._handle))

    def finish(self) -> bytes:
        return bytes(_array(c_uint8, _library.bitstep_recorder_finish, self._handle))


class Scene(_Owned):
    """A scene of RON: a world, what happens in it, and for how long."""

    _free = _library.bitstep_scene_free

    def __init__(self, text: str) -> None:
        super().__init__(_get(c_uint64, _library.bitstep_scene_new, _text(text)))

    def tick_count(self) -> int:
        return int(_get(c_uint64, _library.bitstep_scene_tick_count, self._handle).value)

    def world(self) -> World:
        """A world as it is before the first tick."""
        return World._of(_get(c_uint64, _library.bitstep_scene_world, self._handle))

    def tick(self, world: World) -> int:
        """Plays the next tick of a world with the commands of the scene; the number of those that were refused."""
        return int(_get(c_uint32, _library.bitstep_scene_tick, self._handle, world._handle).value)


class Replay(_Owned):
    """A recording of a world that was read."""

    _free = _library.bitstep_replay_free

    def __init__(self, recording: bytes) -> None:
        super().__init__(_get(c_uint64, _library.bitstep_replay_new, recording, len(recording)))

    def tick_count(self) -> int:
        return int(_get(c_uint64, _library.bitstep_replay_tick_count, self._handle).value)

    def world(self, tick: int) -> World:
        return World._of(_get(c_uint64, _library.bitstep_replay_world, self._handle, tick))

    def commands(self, tick: int) -> bytes:
        return bytes(_array(c_uint8, _library.bitstep_replay_commands, self._handle, tick))

    def verify(self) -> Verdict:
        return _get(Verdict, _library.bitstep_replay_verify, self._handle)

    def diff(self, other: "Replay", as_json: bool = False) -> Optional[str]:
        """The first difference, in words or as JSON; ``None`` if there is none."""
        function = _library.bitstep_replay_diff_json if as_json else _library.bitstep_replay_diff
        text = bytes(_array(c_uint8, function, self._handle, other._handle))[:-1].decode()
        return text or None

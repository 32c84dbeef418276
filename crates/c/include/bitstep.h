// bitstep: deterministic fixed-point physics. Made by cbindgen from crates/c/src; a test compares it.
//
// Every function returns a code. After one other than BITSTEP_OK, bitstep_last_error says more in words. Objects are handles;
// a stale one is BITSTEP_ERROR_HANDLE. Any thread may call any function: calls with one object wait for each other.
// The caller's memory is read and written during the call only; where an array is written, the caller gives room and its
// size, and gets the number of elements. Structs begin with struct_size: set it to sizeof, or use the function that
// fills it. Numbers are raw fixed point: times 2^32. crates/c/README.md says the rest.

#ifndef BITSTEP_H
#define BITSTEP_H

#include <stddef.h>
#include <stdint.h>

// A body that moves by forces.
#define BITSTEP_BODY_DYNAMIC 0

// A body that moves as commands say.
#define BITSTEP_BODY_KINEMATIC 1

// A body that does not move.
#define BITSTEP_BODY_STATIC 2

// Bits of `locks`: no motion along an axis of the world, no rotation about an axis of the body.
#define BITSTEP_LOCK_X 1

// The second axis.
#define BITSTEP_LOCK_Y 2

// The third axis.
#define BITSTEP_LOCK_Z 4

// Rotation about the body's first axis.
#define BITSTEP_LOCK_TURN_X 8

// Rotation about its second axis.
#define BITSTEP_LOCK_TURN_Y 16

// Rotation about its third axis.
#define BITSTEP_LOCK_TURN_Z 32

// The first impact in a tick has no effect but the impact.
#define BITSTEP_ON_HIT_CONTINUE 0

// The body stops at it.
#define BITSTEP_ON_HIT_STOP 1

// The body is removed at it.
#define BITSTEP_ON_HIT_REMOVE 2

// The version of this interface.
#define BITSTEP_ABI_VERSION 1

// Removes `body`.
#define BITSTEP_COMMAND_REMOVE 1

// Moves `body` to `vector` without a sweep, and to `rotation` if `number` is 1.
#define BITSTEP_COMMAND_TELEPORT 2

// Moves a kinematic `body` to `vector` in the next tick.
#define BITSTEP_COMMAND_MOVE_KINEMATIC 3

// Gives `body` the velocity `vector`.
#define BITSTEP_COMMAND_SET_VELOCITY 4

// Adds the impulse `vector` to `body`.
#define BITSTEP_COMMAND_APPLY_IMPULSE 5

// Adds the impulse `vector` at `point` to `body`.
#define BITSTEP_COMMAND_APPLY_IMPULSE_AT 6

// Adds the angular impulse `vector` to `body`.
#define BITSTEP_COMMAND_APPLY_ANGULAR_IMPULSE 7

// Gives `body` the angular velocity `vector`.
#define BITSTEP_COMMAND_SET_ANGULAR_VELOCITY 8

// Gives the world the gravity `vector`, in units per tick per tick; even in raw.
#define BITSTEP_COMMAND_SET_GRAVITY 9

// Gives `body` the shape `number`.
#define BITSTEP_COMMAND_SET_SHAPE 10

// Gives `body` the layer `number` and the group `second`.
#define BITSTEP_COMMAND_SET_FILTER 11

// Gives the layers `number` and `second` the rule `third`: 0 to ignore, 1 for a sensor, 2 for soft, 3 for solid.
#define BITSTEP_COMMAND_SET_LAYERS 12

// Gives `body` the locks `number`.
#define BITSTEP_COMMAND_SET_LOCKS 13

// Gives `body` the damping `number`, times 2^16.
#define BITSTEP_COMMAND_SET_DAMPING 14

// Freezes `body` for `number` ticks.
#define BITSTEP_COMMAND_FREEZE 15

// Drives `body` to the velocity `vector`, by at most `scalar` per tick.
#define BITSTEP_COMMAND_DRIVE 16

// Ends the drive of `body`.
#define BITSTEP_COMMAND_END_DRIVE 17

// Gives `body` the effect `number` of its first impact.
#define BITSTEP_COMMAND_SET_ON_HIT 18

// Gives `body` the dominance `number`.
#define BITSTEP_COMMAND_SET_DOMINANCE 19

// Disables collision of `body` with `other` for `number` ticks.
#define BITSTEP_COMMAND_IGNORE_PAIR 20

// Lets `body` fall asleep if `number` is 1, and not if it is 0.
#define BITSTEP_COMMAND_SET_SLEEP 21

// Gives `body` the user data `user`.
#define BITSTEP_COMMAND_SET_USER 22

// Gives the ground `number` new `heights`, in `columns` and `rows`, from its point in column `second` and row `third` on.
#define BITSTEP_COMMAND_SET_HEIGHTS 23

// The face of a box in the direction of its first axis; of one along the axes of the world that is x.
#define BITSTEP_FACE_PLUS_X 0

// The opposite face.
#define BITSTEP_FACE_MINUS_X 1

// The face of a box in the direction of its second axis.
#define BITSTEP_FACE_PLUS_Y 2

// The opposite face.
#define BITSTEP_FACE_MINUS_Y 3

// The face of a box in the direction of its third axis.
#define BITSTEP_FACE_PLUS_Z 4

// The opposite face.
#define BITSTEP_FACE_MINUS_Z 5

// The front of a mesh, or of ground of heights: what is above.
#define BITSTEP_FACE_FRONT 6

// The layer of a child shape that has that of its body.
#define BITSTEP_LAYER_OF_BODY 4294967295

// A cell without ground.
#define BITSTEP_CELL_HOLE 127

// Added to the material of a cell: the edge between its two triangles runs between the other two corners.
#define BITSTEP_CELL_OTHER_DIAGONAL 128

// Two solids come to touch.
#define BITSTEP_EVENT_BEGIN 0

// Two that report each other begin to overlap.
#define BITSTEP_EVENT_ENTER 1

// Two solids have an impact.
#define BITSTEP_EVENT_HIT 2

// Two that report each other cease to overlap.
#define BITSTEP_EVENT_EXIT 3

// Two solids touch no more.
#define BITSTEP_EVENT_END 4

// A sphere: `radius`.
#define BITSTEP_SHAPE_SPHERE 0

// A box along the axes: `half`, its half extents.
#define BITSTEP_SHAPE_AABB 1

// A box in any direction: `half` and `rotation`.
#define BITSTEP_SHAPE_OBB 2

// A capsule: `half` is the vector from its middle to the center of one half ball; and `radius`.
#define BITSTEP_SHAPE_CAPSULE 3

// A plane, for statics only: `half` is its normal, of any length.
#define BITSTEP_SHAPE_PLANE 4

// The result of a call.
typedef int32_t BitstepCode;

// Raw fixed point: the number times 2^32.
typedef int64_t BitstepScalar;

// A vector of raw fixed point.
typedef struct BitstepVec3 {
  // Along the first axis.
  BitstepScalar x;
  // Along the second axis.
  BitstepScalar y;
  // Along the third axis.
  BitstepScalar z;
} BitstepVec3;

// A unit quaternion: each component times 2^30. No rotation is `{ 1 << 30, 0, 0, 0 }`.
typedef struct BitstepRotation {
  // The real component.
  int32_t w;
  // The first imaginary component.
  int32_t x;
  // The second one.
  int32_t y;
  // The third one.
  int32_t z;
} BitstepRotation;

// The values of a new body; `bitstep_spawn_init` fills it.
typedef struct BitstepSpawn {
  // `sizeof(BitstepSpawn)`.
  uint32_t struct_size;
  // The number of a shape of the scenery, but no plane.
  uint32_t shape;
  // The number of a material of the scenery.
  uint32_t material;
  // One of `BITSTEP_BODY_`.
  uint32_t body_type;
  // The mass: a whole number of mass units, at least 1.
  uint32_t mass;
  // The layer, 0 to 15.
  uint32_t layer;
  // The group; 0 for none.
  uint32_t group;
  // Bits of `BITSTEP_LOCK_`.
  uint32_t locks;
  // The fraction of its momentum that it loses in each tick, times 2^16.
  uint32_t damping_q16;
  // One of `BITSTEP_ON_HIT_`.
  uint32_t on_hit;
  // The dominance in soft overlaps, 0 to 255.
  uint32_t dominance;
  // 1 if it rotates.
  uint32_t rotates;
  // 1 to accept an overlap of solids.
  uint32_t allow_overlap;
  // Zero.
  uint32_t reserved;
  // User data.
  uint64_t user;
  // The center, in units.
  struct BitstepVec3 position;
  // The velocity, in units per tick.
  struct BitstepVec3 velocity;
  // The angular velocity, in radians per tick; zero for a body that does not rotate.
  struct BitstepVec3 angular_velocity;
  // The orientation; none for a body that does not rotate.
  struct BitstepRotation orientation;
} BitstepSpawn;

// The id of a body: its slot in the low 32 bits, and the number of bodies that were in the slot before in the high ones. Ids of
// removed bodies go stale.
typedef struct BitstepBody {
  // The number.
  uint64_t id;
} BitstepBody;

// A body, or a static of the scenery.
typedef struct BitstepCollider {
  // 0 for a body, 1 for a static.
  uint32_t is_static;
  // The index of the static; 0 for a body.
  uint32_t index;
  // The body; 0 for a static.
  struct BitstepBody body;
} BitstepCollider;

// A command. Fields that its kind does not name are not read.
typedef struct BitstepCommand {
  // `sizeof(BitstepCommand)`.
  uint32_t struct_size;
  // One of `BITSTEP_COMMAND_`.
  uint32_t kind;
  // The body.
  struct BitstepBody body;
  // A vector.
  struct BitstepVec3 vector;
  // A point, in units.
  struct BitstepVec3 point;
  // An orientation.
  struct BitstepRotation rotation;
  // A number with a fraction.
  BitstepScalar scalar;
  // Another collider.
  struct BitstepCollider other;
  // User data.
  uint64_t user;
  // A whole number.
  uint32_t number;
  // A second one.
  uint32_t second;
  // A third one.
  uint32_t third;
  // 1 to accept an overlap of solids, of the kinds that may cause one: teleport, shape, filter, layers; of heights, to lift bodies.
  uint32_t allow_overlap;
  // Number of heights in a row, 1 to 8.
  uint32_t columns;
  // Number of rows of heights, 1 to 8.
  uint32_t rows;
  // Heights in the unit of their ground: rows along z, each along x. Those behind `columns` and `rows` are not read.
  int16_t heights[8][8];
} BitstepCommand;

// A scenery that is built, by handle.
typedef struct BitstepScenery {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepScenery;

// A child shape of a compound.
typedef struct BitstepChildShape {
  // The number of its shape: no plane and no mesh.
  uint32_t shape;
  // Its layer, 0 to 15, or `BITSTEP_LAYER_OF_BODY`.
  uint32_t layer;
  // Its origin from that of the body, in units.
  struct BitstepVec3 offset;
} BitstepChildShape;

// A world, by handle.
typedef struct BitstepWorld {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepWorld;

// The ground at a place as seen from above.
typedef struct BitstepGround {
  // `sizeof(BitstepGround)`.
  uint32_t struct_size;
  // 1 if there is ground; 0 over a hole and beyond the border, then all else is zero.
  uint32_t is_ground;
  // The y of the ground there, in units, rounded to nearest.
  BitstepScalar height;
  // The direction in which the ground faces there, of length one.
  struct BitstepVec3 normal;
} BitstepGround;

// A triangle mesh.
//
// Triangles are thin, and solid from both sides. Points are rounded to the nearest 2^-16 unit; those at one place are one.
typedef struct BitstepMesh {
  // `sizeof(BitstepMesh)`.
  uint32_t struct_size;
  // Number of points, up to 2^22.
  uint32_t point_count;
  // Number of triangles, up to 2^22.
  uint32_t triangle_count;
  // Zero.
  uint32_t reserved;
  // The points, in units: up to 2^14 from the origin along each axis, and up to 2^13 from each other.
  const struct BitstepVec3 *points;
  // The corners of the triangles as places among the points, from 0: three for each triangle.
  const uint32_t *triangles;
  // A number for the material of each triangle: a static has the material of its own for 0, and those that follow it. Null for 0
  // everywhere.
  const uint8_t *materials;
} BitstepMesh;

// The counts of what was found in a mesh as it was added, and of what was left out.
typedef struct BitstepMeshReport {
  // `sizeof(BitstepMeshReport)`.
  uint32_t struct_size;
  // Number of points of the mesh.
  uint32_t points;
  // Number of triangles of the mesh.
  uint32_t triangles;
  // Number of materials that a static of the mesh needs, from its own on.
  uint32_t materials;
  // Flat parts: what collides.
  uint32_t facets;
  // Points that were rounded.
  uint32_t rounded;
  // Points that are at the place of another one.
  uint32_t merged;
  // Points that no triangle uses.
  uint32_t unused;
  // Triangles without an area, left out.
  uint32_t degenerate;
  // Triangles with the corners of an earlier one, left out.
  uint32_t repeated;
  // Edges of more than two triangles.
  uint32_t crowded_edges;
  // Points that lie inside an edge of which they are no end.
  uint32_t t_junctions;
  // Edges of a single triangle that no others cover.
  uint32_t open_edges;
  // Edges between triangles in one plane.
  uint32_t flat_edges;
  // Edges between triangles at an angle.
  uint32_t bent_edges;
} BitstepMeshReport;

// Heights along y over a grid in x and z: two triangles for each cell, with fronts above.
//
// The origin is at the first point, at height 0.
typedef struct BitstepHeights {
  // `sizeof(BitstepHeights)`.
  uint32_t struct_size;
  // Number of points along x, 2 or more.
  uint32_t columns;
  // Number of points along z, 2 or more.
  uint32_t rows;
  // Zero.
  uint32_t reserved;
  // The edge of a cell, in units: a multiple of 2^-16.
  BitstepScalar cell;
  // The unit in which heights count, in units: a multiple of 2^-16.
  BitstepScalar unit;
  // The height of each point, row by row: along x first, then along z.
  const int16_t *heights;
  // One for each cell, row by row, or null for 0 everywhere. There is one cell less than points along each axis. A cell is the number of its
  // material, 0 to 126, as of the triangles of a mesh: the edge between its two triangles runs from the corner of least coordinates to
  // that of greatest. `BITSTEP_CELL_` names the others.
  const uint8_t *cells;
} BitstepHeights;

// A shape.
typedef struct BitstepShape {
  // `sizeof(BitstepShape)`.
  uint32_t struct_size;
  // One of `BITSTEP_SHAPE_`; says which of the other fields count.
  uint32_t kind;
  // A radius, in units.
  BitstepScalar radius;
  // Half extents, a half axis, or a normal.
  struct BitstepVec3 half;
  // The rotation of an oriented box.
  struct BitstepRotation rotation;
} BitstepShape;

// A query.
typedef struct BitstepQuery {
  // `sizeof(BitstepQuery)`.
  uint32_t struct_size;
  // The layers that it sees: a bit for each, `0xffff` for all.
  uint32_t layers;
  // The beginning of a ray, the center of a shape, or a point, in units.
  struct BitstepVec3 origin;
  // The way of a cast, in units.
  struct BitstepVec3 displacement;
  // The radius of a search for what is near, in units.
  BitstepScalar radius;
  // The shape of a cast or an overlap; not read of a ray.
  struct BitstepShape shape;
  // 1 if the query does not see `exclude`.
  uint32_t excludes;
  // Zero.
  uint32_t reserved;
  // A collider that it does not see.
  struct BitstepCollider exclude;
} BitstepQuery;

// The hit of a cast.
typedef struct BitstepHit {
  // `sizeof(BitstepHit)`.
  uint32_t struct_size;
  // 1 if there is a hit; else all else is zero.
  uint32_t is_hit;
  // The part of the displacement until the hit, times 2^32: 0 to 2^32.
  uint64_t toi;
  // The first collider hit.
  struct BitstepCollider collider;
  // The normal from the caster into the collider, of length one: its negative points out of the surface.
  struct BitstepVec3 normal;
  // The place of the ray's end, or of the shape's center, at the hit.
  struct BitstepVec3 point;
} BitstepHit;

// A collider and its distance.
typedef struct BitstepNear {
  // The distance from the point, in units, rounded up; 0 inside.
  BitstepScalar distance;
  // The collider.
  struct BitstepCollider collider;
} BitstepNear;

// A recorder, by handle.
typedef struct BitstepRecorder {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepRecorder;

// A recording that was read, by handle.
typedef struct BitstepReplay {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepReplay;

// The result of a verification.
typedef struct BitstepVerdict {
  // `sizeof(BitstepVerdict)`.
  uint32_t struct_size;
  // 1 if every tick is as it was recorded.
  uint32_t is_same;
  // Number of ticks played.
  uint64_t ticks;
  // The first tick that differs; 0 if none does.
  uint64_t first_different;
  // The checksum after the last tick played, as of `bitstep_world_checksum`.
  uint8_t checksum[16];
} BitstepVerdict;

// The numbers of a report.
typedef struct BitstepReport {
  // `sizeof(BitstepReport)`.
  uint32_t struct_size;
  // Number of impacts.
  uint32_t impacts;
  // The number of the tick; 0 before the first.
  uint64_t tick;
  // Number of bodies that were held for too many impacts.
  uint32_t impact_limited;
  // Number of bodies whose velocity was clamped to what they moved.
  uint32_t velocity_corrected;
  // Number of bodies that were held at the end of the world.
  uint32_t out_of_bounds;
  // Number of kinematic bodies that were stopped.
  uint32_t blocked;
  // Number of bodies that were reverted to where the tick began.
  uint32_t reverted;
  // Number of bodies that were removed at a hit.
  uint32_t removed;
  // Number of bodies that woke.
  uint32_t woke;
  // Number of bodies that fell asleep.
  uint32_t fell_asleep;
  // Number of solid pairs that overlapped at the start.
  uint32_t overlapping;
  // Number of events; 0 unless they are enabled.
  uint32_t events;
  // Number of pairs with an impulse; 0 unless events are enabled.
  uint32_t impulses;
  // 1 if all bodies were held for the rest of the tick.
  uint32_t tick_halted;
} BitstepReport;

// An event of a tick.
typedef struct BitstepEvent {
  // One of `BITSTEP_EVENT_`.
  uint32_t kind;
  // Number of times that the same has happened to the pair in this tick before.
  uint32_t repeat;
  // The instant within the tick, times 2^32: 0 to 2^32.
  uint64_t toi;
  // The body, or the one of two with the smaller id.
  struct BitstepBody a;
  // The other side.
  struct BitstepCollider b;
} BitstepEvent;

// The total impulse of a pair in a tick.
typedef struct BitstepImpulse {
  // The body, or the one of two with the smaller id.
  struct BitstepBody a;
  // The other side.
  struct BitstepCollider b;
  // The impulse on `b`, in mass units times units per tick.
  struct BitstepVec3 impulse;
} BitstepImpulse;

// A scene that was read, by handle.
typedef struct BitstepScene {
  // The handle; 0 is none.
  uint64_t handle;
} BitstepScene;

// A hull that was added, and the frame of a body that has it.
//
// The origin of its shape is its center of mass. For the points to be where they were given, moved to a place and rotated by a rotation
// there, a body has the position `place + rotation * center` and the orientation `rotation * axes`.
typedef struct BitstepHull {
  // `sizeof(BitstepHull)`.
  uint32_t struct_size;
  // The number of its corners; points that are no corners make no difference.
  uint32_t corners;
  // The center of mass in the space of the points, in units.
  struct BitstepVec3 center;
  // The axes of the frame in the space of the points.
  struct BitstepRotation axes;
} BitstepHull;

// A static: a shape at a place.
typedef struct BitstepStatic {
  // `sizeof(BitstepStatic)`.
  uint32_t struct_size;
  // The number of its shape.
  uint32_t shape;
  // The number of its material.
  uint32_t material;
  // Its layer, 0 to 15.
  uint32_t layer;
  // The origin of its shape, in units.
  struct BitstepVec3 position;
} BitstepStatic;

// The limits of a world; `bitstep_limits_init` fills them.
typedef struct BitstepLimits {
  // `sizeof(BitstepLimits)`.
  uint32_t struct_size;
  // Number of ticks in a second, 1 to 1,000.
  uint32_t tick_rate;
  // Number of steps in which a tick is computed, 1 to 16.
  uint32_t substeps;
  // Largest mass of a body.
  uint32_t mass_max;
  // Largest number of bodies.
  uint32_t bodies_max;
  // Number of impacts of a body in a tick before it is held.
  uint32_t budget;
  // Largest number of candidates for impacts in a tick.
  uint32_t pairs_max;
  // 1 for a flat world: nothing moves along the third axis.
  uint32_t flat;
  // Number of ticks at rest after which bodies fall asleep; 0 for never.
  uint32_t sleep_after;
  // Zero.
  uint32_t reserved;
  // Largest coordinate, in units.
  BitstepScalar extent;
  // Largest speed along an axis, in units per tick.
  BitstepScalar speed_max;
  // Largest half extent of a body, in units.
  BitstepScalar size_max;
  // Closing speed below which an impact does not bounce, in units per tick; 0 for four times gravity.
  BitstepScalar rest_speed;
  // Speed at which soft bodies separate, in units per tick; 0 for the default.
  BitstepScalar separation_speed;
} BitstepLimits;

// The state of a body.
typedef struct BitstepBodyState {
  // `sizeof(BitstepBodyState)`.
  uint32_t struct_size;
  // The number of its shape.
  uint32_t shape;
  // The body.
  struct BitstepBody body;
  // The center, in units.
  struct BitstepVec3 position;
  // The velocity, in units per tick, to nearest.
  struct BitstepVec3 velocity;
  // The momentum, in mass units times units per tick: what the state holds.
  struct BitstepVec3 momentum;
  // The angular velocity, in radians per tick, to nearest; zero for a body that does not rotate.
  struct BitstepVec3 angular_velocity;
  // The orientation; none for a body that does not rotate.
  struct BitstepRotation orientation;
  // The mass.
  uint32_t mass;
  // One of `BITSTEP_BODY_`.
  uint32_t body_type;
  // The layer.
  uint32_t layer;
  // 1 if it sleeps.
  uint32_t is_asleep;
  // Number of ticks for which it is frozen still.
  uint32_t frozen;
  // 1 if it rotates.
  uint32_t rotates;
  // User data.
  uint64_t user;
} BitstepBodyState;

// The call did what it says.
#define BITSTEP_OK 0

// A pointer is null or not aligned, a text is not UTF-8, or a number that names a kind names none.
#define BITSTEP_ERROR_ARGUMENT 1

// The handle is stale, was never given out, or is of another kind of object.
#define BITSTEP_ERROR_HANDLE 2

// `struct_size` is not that of this version.
#define BITSTEP_ERROR_SIZE 3

// The room is too small; the needed size was written.
#define BITSTEP_ERROR_BUFFER 4

// A number is out of its range.
#define BITSTEP_ERROR_RANGE 5

// A command was refused and changed nothing.
#define BITSTEP_ERROR_REFUSED 6

// The bytes are no snapshot, commands or replay, or are of another scenery.
#define BITSTEP_ERROR_DATA 7

// There is no such body.
#define BITSTEP_ERROR_NO_BODY 8

// The tick is not the next one of the recording, or there is none of this number.
#define BITSTEP_ERROR_ORDER 9

// A fault of the library was caught in this call; the object is poisoned.
#define BITSTEP_ERROR_PANIC 10

// A fault of the library was caught in an earlier call with this object; it can only be freed.
#define BITSTEP_ERROR_POISONED 11

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Fills the values of a new body: dynamic, of mass 1, at rest at the origin, in material 0 and layer 0, without rotation; and
// `struct_size`.
//
// # Safety
//
// `spawn` must be valid for writing the struct, or null.
BitstepCode bitstep_spawn_init(uint32_t shape,
                               struct BitstepSpawn *spawn);

// Writes why the last call of this thread that failed did so, in UTF-8 with a zero at the end.
//
// `capacity` is the room in bytes; `length` gets the size with the zero. Calls that succeed leave the words as they are.
//
// # Safety
//
// `buffer` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_last_error(char *buffer,
                               size_t capacity,
                               size_t *length);

// The library's `BITSTEP_ABI_VERSION`: a program that was compiled with another one must not call it.
uint32_t bitstep_abi_version(void);

// The version of the rules: two builds with the same one step the same world to the same bits.
uint32_t bitstep_rules_version(void);

// The version of the package, such as `0.1.0`. The text is the library's own and stays valid.
const char *bitstep_build(void);

// The bytes of commands, for `bitstep_world_apply_bytes` here or on another machine. Bytes of commands that follow each other are those of
// all of them.
//
// # Safety
//
// `commands` must be valid for `count` structs; `bytes` for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_commands_encode(const struct BitstepCommand *commands,
                                    size_t count,
                                    uint8_t *bytes,
                                    size_t capacity,
                                    size_t *length);

// Number of commands in bytes; `BITSTEP_ERROR_DATA` if they are none, such as what a stranger sent.
//
// # Safety
//
// `bytes` must be valid for `length` bytes, `count` for a number, or null.
BitstepCode bitstep_commands_count(const uint8_t *bytes, size_t length, size_t *count);

// The bytes of the command that adds a body, as of `bitstep_commands_encode`. The id of the body is the same in all worlds that are the
// same: look for it in the states of the bodies.
//
// # Safety
//
// `spawn` must be valid for the struct; `bytes` for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_spawn_encode(const struct BitstepSpawn *spawn,
                                 uint8_t *bytes,
                                 size_t capacity,
                                 size_t *length);

// Opens a shape on a face, in place of any other open face: its statics and bodies collide with what was on that side of them when the tick
// began, and nothing else. A box has six faces, a mesh and ground have a front. What else there is to it is checked when a world is made.
BitstepCode bitstep_scenery_set_open_face(struct BitstepScenery scenery,
                                          uint32_t shape,
                                          uint32_t face);

// Adds a compound of shapes; `id` gets the number that it has as the shape of a body, which may be null. Its mirror image, with x negated, has
// that number less 1. `BITSTEP_COMMAND_SET_SHAPE` takes both.
//
// # Safety
//
// `children` must be valid for `count` structs, or null with a count of 0; `id` for a number, or null.
BitstepCode bitstep_scenery_add_compound(struct BitstepScenery scenery,
                                         const struct BitstepChildShape *children,
                                         size_t count,
                                         uint32_t *id);

// The ground of heights of the static `ground` at `x` and `z` in the world, as commands have left it. A place on an edge between two cells
// is in the one of greater coordinates, if there is one.
//
// # Safety
//
// `at` must be valid for the struct, with its size set, or null.
BitstepCode bitstep_world_ground(struct BitstepWorld world,
                                 uint32_t ground,
                                 BitstepScalar x,
                                 BitstepScalar z,
                                 struct BitstepGround *at);

// Heights of the static `ground` as commands have left them, row by row.
//
// # Safety
//
// `values` must be valid for `capacity` numbers, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_heights(struct BitstepWorld world,
                                  uint32_t ground,
                                  int16_t *values,
                                  size_t capacity,
                                  size_t *count);

// The static that the index of a collider belongs to. Reports, events and queries name the facets of meshes and of ground, flat parts that
// have indices behind those of the statics; a static belongs to itself.
//
// # Safety
//
// `owner` must be valid for a number, or null.
BitstepCode bitstep_world_facet_owner(struct BitstepWorld world,
                                      uint32_t facet,
                                      uint32_t *owner);

// Triangles of a facet as its mesh numbers them, without those that were left out; of ground two for each cell that is no hole, row by row.
// A static itself has none.
//
// # Safety
//
// `triangles` must be valid for `capacity` numbers, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_facet_triangles(struct BitstepWorld world,
                                          uint32_t facet,
                                          uint32_t *triangles,
                                          size_t capacity,
                                          size_t *count);

// Adds a triangle mesh, for statics only. `report`, which may be null, gets what was found in it, `id` its number, which may be null.
//
// # Safety
//
// `mesh` must be valid for the struct, and its pointers for as many elements as it says, or null; `report` for the struct, with its size
// set, or null; `id` for a number, or null.
BitstepCode bitstep_scenery_add_mesh(struct BitstepScenery scenery,
                                     const struct BitstepMesh *mesh,
                                     struct BitstepMeshReport *report,
                                     uint32_t *id);

// Adds the triangle mesh of a file that `bitstep bake` has written, from its content; `BITSTEP_ERROR_DATA` if it is none. The names of its
// materials are not looked at.
//
// # Safety
//
// `bytes` must be valid for `length` bytes; `report` for the struct, with its size set, or null; `id` for a number, or null.
BitstepCode bitstep_scenery_add_mesh_file(struct BitstepScenery scenery,
                                          const uint8_t *bytes,
                                          size_t length,
                                          struct BitstepMeshReport *report,
                                          uint32_t *id);

// Adds ground of heights, for statics only; `id` gets its number, which may be null. `BITSTEP_COMMAND_SET_HEIGHTS` changes the heights of a
// static in a world.
//
// # Safety
//
// `heights` must be valid for the struct, and its pointers for as many elements as it says, or null; `id` for a number, or null.
BitstepCode bitstep_scenery_add_heights(struct BitstepScenery scenery,
                                        const struct BitstepHeights *heights,
                                        uint32_t *id);

// The first collider on a ray: `origin` and `displacement` of the query count.
//
// # Safety
//
// `query` must be valid for the struct, `hit` for the struct, with its size set, or null.
BitstepCode bitstep_world_cast_ray(struct BitstepWorld world, const struct BitstepQuery *query, struct BitstepHit *hit);

// The first collider that a shape meets on its way: `shape`, `origin` and `displacement` of the query count.
//
// # Safety
//
// `query` must be valid for the struct, `hit` for the struct, with its size set, or null.
BitstepCode bitstep_world_cast_shape(struct BitstepWorld world,
                                     const struct BitstepQuery *query,
                                     struct BitstepHit *hit);

// All colliders that a shape overlaps, by id: `shape` and `origin` of the query count.
//
// # Safety
//
// `query` must be valid for the struct, `colliders` for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_overlap(struct BitstepWorld world,
                                  const struct BitstepQuery *query,
                                  struct BitstepCollider *colliders,
                                  size_t capacity,
                                  size_t *count);

// The nearest colliders to a point, `capacity` of them at most, by distance and id: `origin` and `radius` of the query count. `count`
// gets the number of those that were written.
//
// # Safety
//
// `query` must be valid for the struct, `found` for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_nearest(struct BitstepWorld world,
                                  const struct BitstepQuery *query,
                                  struct BitstepNear *found,
                                  size_t capacity,
                                  size_t *count);

// Begins a recording with the state of a world. The caller frees the recorder.
//
// # Safety
//
// `recorder` must be valid for a handle, or null.
BitstepCode bitstep_recorder_new(struct BitstepWorld world, struct BitstepRecorder *recorder);

// Records the tick that the world has just played, with its commands: to be called after each `bitstep_world_tick`, before any other
// change. `BITSTEP_ERROR_ORDER` if it is not the next tick, the world was changed since, or restored.
BitstepCode bitstep_recorder_tick(struct BitstepRecorder recorder);

// Ends a recording, and writes its bytes into the caller's memory; may be called again.
//
// # Safety
//
// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_recorder_finish(struct BitstepRecorder recorder, uint8_t *bytes, size_t capacity, size_t *length);

// Frees a recorder.
BitstepCode bitstep_recorder_free(struct BitstepRecorder recorder);

// Reads a recording of a world. The caller frees it.
//
// # Safety
//
// `bytes` must be valid for `length` bytes, `replay` for a handle, or null.
BitstepCode bitstep_replay_new(const uint8_t *bytes, size_t length, struct BitstepReplay *replay);

// Frees a recording.
BitstepCode bitstep_replay_free(struct BitstepReplay replay);

// Number of ticks of a recording.
//
// # Safety
//
// `ticks` must be valid for a number, or null.
BitstepCode bitstep_replay_tick_count(struct BitstepReplay replay, uint64_t *ticks);

// A world with the state after a tick of a recording; 0 is that before the first. The caller frees it.
//
// # Safety
//
// `world` must be valid for a handle, or null.
BitstepCode bitstep_replay_world(struct BitstepReplay replay, uint64_t tick, struct BitstepWorld *world);

// The commands of a tick of a recording, from 1, as bytes for `bitstep_world_apply_bytes`.
//
// # Safety
//
// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_replay_commands(struct BitstepReplay replay,
                                    uint64_t tick,
                                    uint8_t *bytes,
                                    size_t capacity,
                                    size_t *length);

// Plays a recording and compares every tick with what was recorded.
//
// # Safety
//
// `verdict` must be valid for the struct, with its size set, or null.
BitstepCode bitstep_replay_verify(struct BitstepReplay replay, struct BitstepVerdict *verdict);

// The first difference of two recordings in words: what, in which tick and field, and the values. The text is empty if there is none.
//
// # Safety
//
// `text` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_replay_diff(struct BitstepReplay left,
                                struct BitstepReplay right,
                                char *text,
                                size_t capacity,
                                size_t *length);

// The first difference of two recordings as an object of JSON, with `judgement`, `tick`, `phase`, `path`, `difference` and `rerun`. The
// text is empty if there is none.
//
// # Safety
//
// `text` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_replay_diff_json(struct BitstepReplay left,
                                     struct BitstepReplay right,
                                     char *text,
                                     size_t capacity,
                                     size_t *length);

// Sets whether ticks list events and impulses: 1 or 0. No state depends on it.
BitstepCode bitstep_world_enable_events(struct BitstepWorld world, uint32_t enabled);

// The numbers of the last tick's report.
//
// # Safety
//
// `report` must be valid for the struct, with its size set, or null.
BitstepCode bitstep_world_report(struct BitstepWorld world, struct BitstepReport *report);

// The events of the last tick, in order.
//
// # Safety
//
// `events` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_events(struct BitstepWorld world,
                                 struct BitstepEvent *events,
                                 size_t capacity,
                                 size_t *count);

// The impulses of the last tick, in the order of ids.
//
// # Safety
//
// `impulses` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_impulses(struct BitstepWorld world,
                                   struct BitstepImpulse *impulses,
                                   size_t capacity,
                                   size_t *count);

// Reads a scene from its text in RON, the content of a file. If it is none, the code is `BITSTEP_ERROR_DATA`, and the words begin with line
// and column. The caller frees it.
//
// # Safety
//
// `text` must be a text with a zero at the end, or null; `scene` valid for a handle, or null.
BitstepCode bitstep_scene_new(const char *text,
                              struct BitstepScene *scene);

// Frees a scene. Worlds of it stay.
BitstepCode bitstep_scene_free(struct BitstepScene scene);

// Number of ticks for which a scene is to be run.
//
// # Safety
//
// `ticks` must be valid for a number, or null.
BitstepCode bitstep_scene_tick_count(struct BitstepScene scene, uint64_t *ticks);

// A world as the scene has it before its first tick, initial bodies included. The caller frees it.
//
// # Safety
//
// `world` must be valid for a handle, or null.
BitstepCode bitstep_scene_world(struct BitstepScene scene, struct BitstepWorld *world);

// Applies the commands that the scene has for the world's next tick, and steps the world; a recorder may record the tick. `refused_count`
// gets the number of commands that were refused, which is no fault, and may be null.
//
// # Safety
//
// `refused_count` must be valid for a number, or null.
BitstepCode bitstep_scene_tick(struct BitstepScene scene,
                               struct BitstepWorld world,
                               uint32_t *refused_count);

// An empty scenery. The caller frees it, also when worlds were made of it.
//
// # Safety
//
// `scenery` must be valid for a handle, or null.
BitstepCode bitstep_scenery_new(struct BitstepScenery *scenery);

// Adds a shape; `id` gets its number, which may be null. Sizes are checked when a world is made.
//
// # Safety
//
// `shape` must be valid for a shape, `id` for a number, or null.
BitstepCode bitstep_scenery_add_shape(struct BitstepScenery scenery, const struct BitstepShape *shape, uint32_t *id);

// Adds the convex hull of points in the frame of its principal axes, as a body needs it that rotates. It has 4 to 64 corners, of up to
// 4096 points. `hull`, which may be null, gets its center and its axes, `id` its number, which may be null.
//
// # Safety
//
// `points` must be valid for `count` vectors, or null with a count of 0; `hull` for the struct, or null; `id` for a number, or null.
BitstepCode bitstep_scenery_add_hull(struct BitstepScenery scenery,
                                     const struct BitstepVec3 *points,
                                     size_t count,
                                     struct BitstepHull *hull,
                                     uint32_t *id);

// The same with the axes of the points, for statics and for bodies that never rotate: the corners are from the center where the points
// are.
//
// # Safety
//
// As `bitstep_scenery_add_hull`.
BitstepCode bitstep_scenery_add_hull_upright(struct BitstepScenery scenery,
                                             const struct BitstepVec3 *points,
                                             size_t count,
                                             struct BitstepHull *hull,
                                             uint32_t *id);

// Adds a material from its restitution, 0 to 1, and its coefficient of friction, 0 to 16; `id` gets its number, which may be null.
//
// # Safety
//
// `id` must be valid for a number, or null.
BitstepCode bitstep_scenery_add_material(struct BitstepScenery scenery,
                                         BitstepScalar restitution,
                                         BitstepScalar friction,
                                         uint32_t *id);

// Adds a static; `id` gets its index, which may be null.
//
// # Safety
//
// `fixed` must be valid for the struct, `id` for a number, or null.
BitstepCode bitstep_scenery_add_static(struct BitstepScenery scenery, const struct BitstepStatic *fixed, uint32_t *id);

// Frees a scenery. Worlds that were made of it stay.
BitstepCode bitstep_scenery_free(struct BitstepScenery scenery);

// The number that a decimal text names, such as `"0.1"`, exactly rounded to nearest, ties to even.
//
// # Safety
//
// `text` must be a text with a zero at the end, or null; `number` valid for a number, or null.
BitstepCode bitstep_lit(const char *text, BitstepScalar *number);

// Fills the limits with their defaults for a tick rate, and `struct_size`.
//
// # Safety
//
// `limits` must be valid for writing the struct, or null.
BitstepCode bitstep_limits_init(uint32_t tick_rate, struct BitstepLimits *limits);

// A world without bodies in a scenery as it is now. The caller frees it.
//
// # Safety
//
// `limits` must be valid for the struct, `world` for a handle, or null.
BitstepCode bitstep_world_new(struct BitstepScenery scenery,
                              const struct BitstepLimits *limits,
                              struct BitstepWorld *world);

// Another world with the same state, for rollback or a look ahead. The caller frees it.
//
// # Safety
//
// `copy` must be valid for a handle, or null.
BitstepCode bitstep_world_clone(struct BitstepWorld world, struct BitstepWorld *copy);

// Frees a world.
BitstepCode bitstep_world_free(struct BitstepWorld world);

// Adds a body; `body` gets its id, and may be null.
//
// # Safety
//
// `spawn` must be valid for the struct, `body` for an id, or null.
BitstepCode bitstep_world_spawn(struct BitstepWorld world, const struct BitstepSpawn *spawn, struct BitstepBody *body);

// Applies commands at once, in their order. One that is refused changes nothing and does not stop the others: then the code is
// `BITSTEP_ERROR_REFUSED`, with the first of them in words. `codes` gets the code of each, and may be null. If one has a wrong size or
// kind, or a number that it cannot have, none is applied and `codes` is not written.
//
// # Safety
//
// `commands` must be valid for `count` structs, `codes` for as many numbers, or null.
BitstepCode bitstep_world_apply(struct BitstepWorld world,
                                const struct BitstepCommand *commands,
                                size_t count,
                                BitstepCode *codes);

// Applies commands from their bytes, of `bitstep_commands_encode` or as a recording has them; `refused_count` gets the number of those that were refused,
// and may be null. In a recording it is no fault that one was refused: the code is `BITSTEP_OK` all the same.
//
// # Safety
//
// `bytes` must be valid for `length` bytes, `refused_count` for a number, or null.
BitstepCode bitstep_world_apply_bytes(struct BitstepWorld world,
                                      const uint8_t *bytes,
                                      size_t length,
                                      uint32_t *refused_count);

// Steps a world by one tick.
BitstepCode bitstep_world_tick(struct BitstepWorld world);

// Number of ticks that a world has played.
//
// # Safety
//
// `ticks` must be valid for a number, or null.
BitstepCode bitstep_world_tick_count(struct BitstepWorld world, uint64_t *ticks);

// The checksum of the state, as 16 bytes, the last one first in the hexadecimal text that programs print.
//
// # Safety
//
// `checksum` must be valid for 16 bytes, or null.
BitstepCode bitstep_world_checksum(struct BitstepWorld world, uint8_t *checksum);

// Writes the snapshot of a world into the caller's memory.
//
// # Safety
//
// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
BitstepCode bitstep_world_save(struct BitstepWorld world, uint8_t *bytes, size_t capacity, size_t *length);

// Gives a world the state of a snapshot of the same scenery, with the limits that it has. The commands since the last tick are forgotten, and a recording of this
// world ends. If the bytes are none, the world stays as it was. A snapshot has no checksum of its own: one that comes from elsewhere is
// compared by `bitstep_world_checksum`.
//
// # Safety
//
// `bytes` must be valid for `length` bytes.
BitstepCode bitstep_world_restore(struct BitstepWorld world,
                                  const uint8_t *bytes,
                                  size_t length);

// The state of a body; `BITSTEP_ERROR_NO_BODY` if it was removed, or never was.
//
// # Safety
//
// `state` must be valid for the struct, with its size set, or null.
BitstepCode bitstep_world_body(struct BitstepWorld world, struct BitstepBody body, struct BitstepBodyState *state);

// The states of all bodies, by slot. `struct_size` of the array's elements need not be set.
//
// # Safety
//
// `states` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
BitstepCode bitstep_world_bodies(struct BitstepWorld world,
                                 struct BitstepBodyState *states,
                                 size_t capacity,
                                 size_t *count);

// The gravity of a world for which `vector`, in units per second squared, is meant: the nearest that the tick rate has. It is set by
// `BITSTEP_COMMAND_SET_GRAVITY`.
//
// # Safety
//
// `vector` and `gravity` must be valid for a vector, or null; they may be the same.
BitstepCode bitstep_world_gravity_nearest(struct BitstepWorld world,
                                          const struct BitstepVec3 *vector,
                                          struct BitstepVec3 *gravity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BITSTEP_H */

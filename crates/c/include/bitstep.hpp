// bitstep for C++17: handles that free themselves, failures as exceptions, arrays as vectors. All of it is inline, over bitstep.h.
//
// A call throws Error after a code other than BITSTEP_OK, unless it says otherwise. Structs that the functions here return have their
// struct_size set. Objects are moved, not copied; one that was moved from has the handle 0. Scalars are raw fixed point.

#ifndef BITSTEP_HPP
#define BITSTEP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bitstep.h"

namespace bitstep {

using Scalar = BitstepScalar; using Vec3 = BitstepVec3; using Rotation = BitstepRotation;
using Body = BitstepBody; using BodyState = BitstepBodyState; using Collider = BitstepCollider;
using Shape = BitstepShape; using Hull = BitstepHull; using Spawn = BitstepSpawn; using Limits = BitstepLimits; using Command = BitstepCommand;
using Static = BitstepStatic; using ChildShape = BitstepChildShape; using Query = BitstepQuery; using MeshReport = BitstepMeshReport; using Ground = BitstepGround;
using Hit = BitstepHit; using Near = BitstepNear; using Verdict = BitstepVerdict;
using Report = BitstepReport; using Event = BitstepEvent; using Impulse = BitstepImpulse;
using Bytes = std::vector<std::uint8_t>; using Checksum = std::array<std::uint8_t, 16>;
using Triangle = std::array<std::uint32_t, 3>;  // places of its corners among points
template <class T> using Rows = std::vector<std::vector<T>>;  // all of one length

inline constexpr std::uint32_t all_layers = 0xffff;  // of a query
inline constexpr Rotation identity{1 << 30, 0, 0, 0};  // no rotation

// Failed call: its code, and its reason in words.
class Error : public std::runtime_error {
public:
    Error(BitstepCode number, const std::string& words) : std::runtime_error(words), code(number) {}
    BitstepCode code;
};

// Reason of the last failed call of this thread.
inline std::string last_error() {
    std::size_t size = 0;
    bitstep_last_error(nullptr, 0, &size);
    std::vector<char> room(size + 1);
    bitstep_last_error(room.data(), room.size(), &size);
    return room.data();
}

// Throws Error unless the code is BITSTEP_OK.
inline void check(BitstepCode code) {
    if (code != BITSTEP_OK) throw Error(code, last_error());
}
// Throws Error if the library has another ABI version; Scenery and Replay call it.
inline void check_abi() {
    if (bitstep_abi_version() != BITSTEP_ABI_VERSION) throw Error(BITSTEP_ERROR_SIZE, "the library has another ABI version");
}
inline std::uint32_t rules_version() { return bitstep_rules_version(); }
inline std::string build() { return bitstep_build(); }

namespace detail {
// Zeros with their size.
template <class T>
T sized() {
    T value{};
    value.struct_size = static_cast<std::uint32_t>(sizeof(T));
    return value;
}
// Value that a function writes to its last parameter.
template <class T, class F, class... Args>
T get(T value, F function, Args... args) {
    check(function(args..., &value));
    return value;
}
// Array that a function writes; the call is repeated while the room is too small.
template <class T, class F, class... Args>
std::vector<T> collect(std::size_t room, F function, Args... args) {
    std::vector<T> values(room);
    for (;;) {
        std::size_t count = 0;
        const BitstepCode code = function(args..., values.data(), values.size(), &count);
        if (code != BITSTEP_ERROR_BUFFER) check(code);
        values.resize(count);
        if (code == BITSTEP_OK) return values;
    }
}

// Number of elements; one that has no 32 bits becomes one that is refused.
inline std::uint32_t count(std::size_t size) { return static_cast<std::uint32_t>(std::min<std::size_t>(size, UINT32_MAX)); }
// Elements of rows behind each other. Throws if one is longer than another one.
template <class T>
std::vector<T> flat(const Rows<T>& rows) {
    std::vector<T> values;
    for (const std::vector<T>& row : rows) {
        if (row.size() != rows.front().size()) throw Error(BITSTEP_ERROR_RANGE, "a row is longer than another one");
        values.insert(values.end(), row.begin(), row.end());
    }
    return values;
}

// Owner of a handle.
template <class Raw, BitstepCode (*Free)(Raw)>
class Handle {
public:
    explicit Handle(Raw owned) noexcept : raw_(owned) {}
    Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, Raw{})) {}
    Handle& operator=(Handle&& other) noexcept {
        Handle taken(std::move(other));
        std::swap(raw_, taken.raw_);
        return *this;
    }
    ~Handle() { if (raw_.handle != 0) Free(raw_); }
    Raw raw() const noexcept { return raw_; }
    explicit operator bool() const noexcept { return raw_.handle != 0; }
protected:
    Raw raw_;
};

}  // namespace detail

// Number that a decimal text names, such as "0.1", to nearest.
inline Scalar lit(const char* text) { return detail::get(Scalar{}, bitstep_lit, text); }
inline Vec3 vec3(const char* x, const char* y, const char* z) { return {lit(x), lit(y), lit(z)}; }

// Bytes for World::apply_bytes, here or on another machine; those that follow each other are those of all.
inline Bytes encode(const std::vector<Command>& commands) {
    return detail::collect<std::uint8_t>(0, bitstep_commands_encode, commands.data(), commands.size());
}
// Number of commands in bytes; throws if they are none, such as what a stranger sent.
inline std::size_t commands_count(const Bytes& bytes) {
    return detail::get(std::size_t{}, bitstep_commands_count, bytes.data(), bytes.size());
}
inline Bytes encode(const Spawn& values) { return detail::collect<std::uint8_t>(0, bitstep_spawn_encode, &values); }

// Checksum as 32 hexadecimal digits, the last byte first.
inline std::string hex(const Checksum& sum) {
    std::string digits;
    for (auto byte = sum.rbegin(); byte != sum.rend(); ++byte) {
        for (const int shift : {4, 0}) digits += "0123456789abcdef"[*byte >> shift & 15];
    }
    return digits;
}

inline Shape shape(std::uint32_t kind, Scalar radius, Vec3 half, Rotation rotation = identity) {
    return {detail::sized<Shape>().struct_size, kind, radius, half, rotation};
}
inline Shape sphere(Scalar radius) { return shape(BITSTEP_SHAPE_SPHERE, radius, {}); }
inline Shape aabb(Vec3 half) { return shape(BITSTEP_SHAPE_AABB, 0, half); }
inline Shape obb(Vec3 half, Rotation rotation) { return shape(BITSTEP_SHAPE_OBB, 0, half, rotation); }
inline Shape capsule(Vec3 half, Scalar radius) { return shape(BITSTEP_SHAPE_CAPSULE, radius, half); }
inline Shape plane(Vec3 normal) { return shape(BITSTEP_SHAPE_PLANE, 0, normal); }

inline Limits limits(std::uint32_t tick_rate) { return detail::get(Limits{}, bitstep_limits_init, tick_rate); }
inline Spawn spawn(std::uint32_t shape_id, Vec3 position) {
    Spawn made = detail::get(Spawn{}, bitstep_spawn_init, shape_id);
    made.position = position;
    return made;
}

// Query of all layers, at a point. The other fields are zero, and may be set.
inline Query query(Vec3 origin) {
    Query made = detail::sized<Query>();
    made.layers = all_layers;
    made.origin = origin;
    return made;
}
inline Query ray(Vec3 origin, Vec3 displacement) {
    Query made = query(origin);
    made.displacement = displacement;
    return made;
}

// Command of any kind. Fields that are no parameters are zero, and may be set.
inline Command command(std::uint32_t kind, Body body, Vec3 vector = {}, std::uint32_t number = 0) {
    Command made = detail::sized<Command>();
    made.kind = kind;
    made.body = body;
    made.vector = vector;
    made.number = number;
    return made;
}
inline Command remove(Body body) { return command(BITSTEP_COMMAND_REMOVE, body); }
inline Command teleport(Body body, Vec3 position) { return command(BITSTEP_COMMAND_TELEPORT, body, position); }
inline Command move_kinematic(Body body, Vec3 position) { return command(BITSTEP_COMMAND_MOVE_KINEMATIC, body, position); }
inline Command set_velocity(Body body, Vec3 velocity) { return command(BITSTEP_COMMAND_SET_VELOCITY, body, velocity); }
inline Command apply_impulse(Body body, Vec3 impulse) { return command(BITSTEP_COMMAND_APPLY_IMPULSE, body, impulse); }
inline Command set_gravity(Vec3 gravity) { return command(BITSTEP_COMMAND_SET_GRAVITY, {}, gravity); }
inline Command freeze(Body body, std::uint32_t ticks) { return command(BITSTEP_COMMAND_FREEZE, body, {}, ticks); }
// Rows of heights of a ground, from its point at a column and a row on. Throws unless they are 1 to 8 full rows of 1 to 8.
inline Command set_heights(std::uint32_t ground, std::array<std::uint32_t, 2> at, const std::vector<std::vector<std::int16_t>>& heights,
                           bool lift = false) {
    Command made = command(BITSTEP_COMMAND_SET_HEIGHTS, {}, {}, ground);
    made.second = at[0];
    made.third = at[1];
    made.allow_overlap = lift ? 1 : 0;
    const std::size_t columns = heights.empty() ? 0 : heights.front().size();
    if (columns < 1 || columns > 8 || heights.size() > 8) throw Error(BITSTEP_ERROR_RANGE, "heights are 1 to 8 rows of 1 to 8");
    made.columns = static_cast<std::uint32_t>(columns);
    made.rows = static_cast<std::uint32_t>(heights.size());
    for (std::size_t row = 0; row < heights.size(); ++row) {
        if (heights[row].size() != columns) throw Error(BITSTEP_ERROR_RANGE, "a row of heights is longer than another one");
        std::copy(heights[row].begin(), heights[row].end(), made.heights[row]);
    }
    return made;
}

// Number of the shape of a hull, and its frame.
struct AddedHull {
    std::uint32_t shape;
    Hull hull;
};

// Number of the shape of a mesh, and what was found in it.
struct AddedMesh {
    std::uint32_t shape;
    MeshReport report;
};

// Static level. A world keeps its own copy.
class Scenery : public detail::Handle<BitstepScenery, bitstep_scenery_free> {
public:
    Scenery() : Handle((check_abi(), detail::get(BitstepScenery{}, bitstep_scenery_new))) {}
    std::uint32_t add_shape(const Shape& added) { return detail::get(0U, bitstep_scenery_add_shape, raw_, &added); }
    // The convex hull of points in the frame of its principal axes, for bodies that rotate. The result has its number, its center and axes.
    AddedHull add_hull(const std::vector<Vec3>& points) { return add(bitstep_scenery_add_hull, points); }
    // The same with the axes of the points, for statics and bodies that never rotate.
    AddedHull add_hull_upright(const std::vector<Vec3>& points) { return add(bitstep_scenery_add_hull_upright, points); }
    // Mesh for statics, with a number for the material of each triangle, or none for 0 everywhere. The result has its number and a report.
    AddedMesh add_mesh(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles, const Bytes& materials = {}) {
        if (!materials.empty() && materials.size() != triangles.size()) throw Error(BITSTEP_ERROR_RANGE, "not one material for each triangle");
        AddedMesh added{0, detail::sized<MeshReport>()};
        BitstepMesh mesh = detail::sized<BitstepMesh>();
        mesh.point_count = detail::count(points.size());
        mesh.triangle_count = detail::count(triangles.size());
        mesh.points = points.data();
        mesh.triangles = triangles.empty() ? nullptr : triangles.front().data();
        mesh.materials = materials.empty() ? nullptr : materials.data();
        added.shape = detail::get(0U, bitstep_scenery_add_mesh, raw_, &mesh, &added.report);
        return added;
    }
    // The mesh of a file that `bitstep bake` has written, from its content.
    AddedMesh add_mesh_file(const Bytes& file) {
        AddedMesh added{0, detail::sized<MeshReport>()};
        added.shape = detail::get(0U, bitstep_scenery_add_mesh_file, raw_, file.data(), file.size(), &added.report);
        return added;
    }
    // Ground for statics: rows of heights along z, each along x. Of cells there is one less along each axis, or none for 0 everywhere.
    std::uint32_t add_heights(Scalar cell, Scalar unit, const Rows<std::int16_t>& heights, const Rows<std::uint8_t>& cells = {}) {
        const std::vector<std::int16_t> points = detail::flat(heights);
        const std::vector<std::uint8_t> kinds = detail::flat(cells);
        BitstepHeights made = detail::sized<BitstepHeights>();
        made.columns = detail::count(heights.empty() ? 0 : heights.front().size());
        made.rows = detail::count(heights.size());
        if (!cells.empty() && (cells.size() + 1 != heights.size() || cells.front().size() + 1 != heights.front().size())) {
            throw Error(BITSTEP_ERROR_RANGE, "of cells there is one less than of heights along each axis");
        }
        made.cell = cell;
        made.unit = unit;
        made.heights = points.data();
        made.cells = cells.empty() ? nullptr : kinds.data();
        return detail::get(0U, bitstep_scenery_add_heights, raw_, &made);
    }
    // Compound of shapes, as the shape of a body; its mirror image has that number less 1.
    std::uint32_t add_compound(const std::vector<ChildShape>& children) {
        return detail::get(0U, bitstep_scenery_add_compound, raw_, children.data(), children.size());
    }
    // Opens a shape on a face, `BITSTEP_FACE_`: it collides with what was on that side of it when the tick began.
    void set_open_face(std::uint32_t shape_id, std::uint32_t face) { check(bitstep_scenery_set_open_face(raw_, shape_id, face)); }
    std::uint32_t add_material(Scalar restitution, Scalar friction) {
        return detail::get(0U, bitstep_scenery_add_material, raw_, restitution, friction);
    }
    std::uint32_t add_static(std::uint32_t shape_id, std::uint32_t material, Vec3 position, std::uint32_t layer = 0) {
        const Static fixed{detail::sized<Static>().struct_size, shape_id, material, layer, position};
        return detail::get(0U, bitstep_scenery_add_static, raw_, &fixed);
    }
private:
    template <class F>
    AddedHull add(F function, const std::vector<Vec3>& points) {
        AddedHull added{0, detail::sized<Hull>()};
        added.shape = detail::get(0U, function, raw_, points.data(), points.size(), &added.hull);
        return added;
    }
};

class World : public detail::Handle<BitstepWorld, bitstep_world_free> {
public:
    using Handle::Handle;  // takes over a handle
    World(const Scenery& level, const Limits& bounds)
        : Handle(detail::get(BitstepWorld{}, bitstep_world_new, level.raw(), &bounds)) {}
    World clone() const { return World(detail::get(BitstepWorld{}, bitstep_world_clone, raw_)); }

    // Throws if the body is refused.
    Body spawn(const Spawn& values) { return detail::get(Body{}, bitstep_world_spawn, raw_, &values); }
    // Code of each command. One that is refused does not throw; a wrong size, kind or number does, and then none is applied.
    [[nodiscard]] std::vector<BitstepCode> apply(const std::vector<Command>& commands) {
        std::vector<BitstepCode> codes(commands.size());
        const BitstepCode code = bitstep_world_apply(raw_, commands.data(), commands.size(), codes.data());
        if (code != BITSTEP_ERROR_REFUSED) check(code);
        return codes;
    }
    // Number of commands that were refused.
    std::uint32_t apply_bytes(const Bytes& commands) {
        return detail::get(0U, bitstep_world_apply_bytes, raw_, commands.data(), commands.size());
    }
    void tick() { check(bitstep_world_tick(raw_)); }
    std::uint64_t tick_count() const { return detail::get(std::uint64_t{}, bitstep_world_tick_count, raw_); }
    // Gravity for SET_GRAVITY that is nearest to a vector in units per second squared.
    Vec3 gravity_nearest(Vec3 vector) const { return detail::get(Vec3{}, bitstep_world_gravity_nearest, raw_, &vector); }
    Checksum checksum() const {
        Checksum sum{};
        check(bitstep_world_checksum(raw_, sum.data()));
        return sum;
    }
    Bytes save() const { return detail::collect<std::uint8_t>(0, bitstep_world_save, raw_); }
    void restore(const Bytes& snapshot) { check(bitstep_world_restore(raw_, snapshot.data(), snapshot.size())); }

    // Nothing if there is no such body.
    std::optional<BodyState> body(Body id) const {
        BodyState state = detail::sized<BodyState>();
        const BitstepCode code = bitstep_world_body(raw_, id, &state);
        if (code == BITSTEP_ERROR_NO_BODY) return std::nullopt;
        check(code);
        return state;
    }
    std::vector<BodyState> bodies() const { return detail::collect<BodyState>(0, bitstep_world_bodies, raw_); }
    // First collider hit, if there is one.
    std::optional<Hit> cast_ray(const Query& query) const { return cast(bitstep_world_cast_ray, query); }
    std::optional<Hit> cast_shape(const Query& query) const { return cast(bitstep_world_cast_shape, query); }
    std::vector<Collider> overlap(const Query& query) const {
        return detail::collect<Collider>(0, bitstep_world_overlap, raw_, &query);
    }
    // Nearest colliders, `most` of them at most.
    std::vector<Near> nearest(const Query& query, std::size_t most) const {
        return detail::collect<Near>(most, bitstep_world_nearest, raw_, &query);
    }
    // Ground of heights of a static at a place as seen from above; nothing over a hole and beyond the border.
    std::optional<Ground> ground(std::uint32_t ground, Scalar x, Scalar z) const {
        const Ground at = detail::get(detail::sized<Ground>(), bitstep_world_ground, raw_, ground, x, z);
        return at.is_ground == 1 ? std::make_optional(at) : std::nullopt;
    }
    // Heights of a static as commands have left them, row by row.
    std::vector<std::int16_t> heights(std::uint32_t ground) const { return detail::collect<std::int16_t>(0, bitstep_world_heights, raw_, ground); }
    // Static and triangles of the facet that a collider names; a static belongs to itself, without triangles.
    std::uint32_t facet_owner(std::uint32_t facet) const { return detail::get(0U, bitstep_world_facet_owner, raw_, facet); }
    std::vector<std::uint32_t> facet_triangles(std::uint32_t facet) const {
        return detail::collect<std::uint32_t>(0, bitstep_world_facet_triangles, raw_, facet);
    }
    void enable_events(bool enabled) { check(bitstep_world_enable_events(raw_, enabled ? 1 : 0)); }
    Report report() const { return detail::get(detail::sized<Report>(), bitstep_world_report, raw_); }
    std::vector<Event> events() const { return detail::collect<Event>(0, bitstep_world_events, raw_); }
    std::vector<Impulse> impulses() const { return detail::collect<Impulse>(0, bitstep_world_impulses, raw_); }

private:
    std::optional<Hit> cast(BitstepCode (*function)(BitstepWorld, const Query*, Hit*), const Query& query) const {
        const Hit hit = detail::get(detail::sized<Hit>(), function, raw_, &query);
        return hit.is_hit == 1 ? std::make_optional(hit) : std::nullopt;
    }
};

class Recorder : public detail::Handle<BitstepRecorder, bitstep_recorder_free> {
public:
    explicit Recorder(const World& world) : Handle(detail::get(BitstepRecorder{}, bitstep_recorder_new, world.raw())) {}
    // Records the tick that the world has just played.
    void tick() { check(bitstep_recorder_tick(raw_)); }
    Bytes finish() { return detail::collect<std::uint8_t>(0, bitstep_recorder_finish, raw_); }
};

// Scene of RON: a world, what happens in it, and for how long.
class Scene : public detail::Handle<BitstepScene, bitstep_scene_free> {
public:
    explicit Scene(const char* text) : Handle((check_abi(), detail::get(BitstepScene{}, bitstep_scene_new, text))) {}
    std::uint64_t tick_count() const { return detail::get(std::uint64_t{}, bitstep_scene_tick_count, raw_); }
    World world() const { return World(detail::get(BitstepWorld{}, bitstep_scene_world, raw_)); }
    // Plays the next tick of a world with the commands of the scene; gives the number of those that were refused.
    std::uint32_t tick(World& world) { return detail::get(0U, bitstep_scene_tick, raw_, world.raw()); }
};

class Replay : public detail::Handle<BitstepReplay, bitstep_replay_free> {
public:
    explicit Replay(const Bytes& bytes)
        : Handle((check_abi(), detail::get(BitstepReplay{}, bitstep_replay_new, bytes.data(), bytes.size()))) {}
    std::uint64_t tick_count() const { return detail::get(std::uint64_t{}, bitstep_replay_tick_count, raw_); }
    World world(std::uint64_t tick) const { return World(detail::get(BitstepWorld{}, bitstep_replay_world, raw_, tick)); }
    Bytes commands(std::uint64_t tick) const { return detail::collect<std::uint8_t>(0, bitstep_replay_commands, raw_, tick); }
    Verdict verify() const { return detail::get(detail::sized<Verdict>(), bitstep_replay_verify, raw_); }
    // First difference, as words or JSON; nothing if there is none.
    std::optional<std::string> diff(const Replay& other, bool as_json = false) const {
        const auto function = as_json ? bitstep_replay_diff_json : bitstep_replay_diff;
        const std::string text = detail::collect<char>(4096, function, raw_, other.raw_).data();
        return text.empty() ? std::nullopt : std::make_optional(text);
    }
};

}  // namespace bitstep

#endif  // BITSTEP_HPP

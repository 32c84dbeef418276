// The rules of the border, from the other side of it.
#include <bitstep.h>
#include <stdlib.h>

#include "expect.h"

static int last_error_has(const char *part) {
    char words[512];
    size_t length;
    return bitstep_last_error(words, sizeof words, &length) == BITSTEP_OK && strstr(words, part) != NULL &&
           length == strlen(words) + 1;
}

static struct BitstepVec3 at(int64_t x, int64_t y, int64_t z) {
    struct BitstepVec3 vector;
    vector.x = x * 4294967296, vector.y = y * 4294967296, vector.z = z * 4294967296;
    return vector;
}

static struct BitstepShape sphere(void) {
    struct BitstepShape shape;
    memset(&shape, 0, sizeof shape);
    shape.struct_size = sizeof shape;
    shape.kind = BITSTEP_SHAPE_SPHERE;
    shape.radius = 2147483648;
    return shape;
}

static struct BitstepScenery scenery_of_a_sphere(void) {
    struct BitstepScenery scenery;
    struct BitstepShape shape = sphere();
    OK(bitstep_scenery_new(&scenery));
    OK(bitstep_scenery_add_shape(scenery, &shape, NULL));
    OK(bitstep_scenery_add_material(scenery, 0, 0, NULL));
    return scenery;
}

static void scenes(void) {
    struct BitstepScene scene = {0};
    struct BitstepWorld world;
    uint64_t ticks = 0;
    uint32_t refused = 77;
    const char *text = "(title: \"\", tick_rate: 60, ticks: 2, materials: {\"m\": (restitution: 1)},"
                       " shapes: {\"s\": sphere(radius: 1)}, bodies: [body(name: \"b\", shape: \"s\", material: \"m\", position: (0, 0, 0))],"
                       " timeline: [(tick: 2, commands: [set_user(body: \"b\", user: 3), remove(body: \"b\"), remove(body: \"b\")])])";
    FAILS(BITSTEP_ERROR_DATA, bitstep_scene_new("(title: 3)", &scene));
    EXPECT(last_error_has("1:10: "));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scene_new(NULL, &scene));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scene_new(text, NULL));
    OK(bitstep_scene_new(text, &scene));
    OK(bitstep_scene_tick_count(scene, &ticks));
    EXPECT(ticks == 2);
    OK(bitstep_scene_world(scene, &world));
    OK(bitstep_scene_tick(scene, world, &refused));
    EXPECT(refused == 0);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scene_tick(scene, world, (uint32_t *)(void *)((char *)&ticks + 1)));
    OK(bitstep_world_tick_count(world, &ticks));
    EXPECT(ticks == 1);
    OK(bitstep_scene_tick(scene, world, &refused));
    EXPECT(refused == 1);
    OK(bitstep_scene_free(scene));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_scene_tick(scene, world, NULL));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_scene_free(scene));
    OK(bitstep_world_free(world));
}

static void handles(void) {
    struct BitstepScenery scenery = scenery_of_a_sphere(), none = {0};
    struct BitstepLimits limits;
    struct BitstepWorld world, other, wrong;
    uint64_t ticks;
    OK(bitstep_limits_init(60, &limits));
    OK(bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_world_clone(world, &other));
    OK(bitstep_scenery_free(scenery));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_scenery_free(scenery));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_new(scenery, &limits, &wrong));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_scenery_free(none));
    OK(bitstep_world_tick(world));
    OK(bitstep_world_free(world));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_free(world));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_tick(world));
    EXPECT(last_error_has("is no world, or one that was freed"));
    // The slot has another world now, which the stale handle does not lead to.
    OK(bitstep_world_clone(other, &wrong));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_tick(world));
    // One of another kind.
    wrong.handle = scenery.handle;
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_tick(wrong));
    OK(bitstep_world_tick_count(other, &ticks));
    EXPECT(ticks == 0);
    OK(bitstep_world_free(other));
}

// A pointer that no compiler would make.
static struct BitstepBody *unaligned(struct BitstepBody *body) {
    struct BitstepBody *moved;
    uintptr_t number = (uintptr_t)body + 1;
    memcpy(&moved, &number, sizeof moved);
    return moved;
}

static void sizes_and_pointers(void) {
    struct BitstepScenery scenery = scenery_of_a_sphere();
    struct BitstepLimits limits;
    struct BitstepShape shape = sphere();
    struct BitstepWorld world;
    struct BitstepSpawn spawn;
    struct BitstepBodyState state;
    struct BitstepReport report;
    struct BitstepBody body;
    struct BitstepCommand commands[3];
    BitstepCode codes[3] = {77, 77, 77};
    BitstepScalar number;
    size_t count = 77, length = 0;
    uint8_t bytes[256];
    uint32_t refused = 0;
    OK(bitstep_lit("-0.5", &number));
    EXPECT(number == -2147483648LL);
    FAILS(BITSTEP_ERROR_RANGE, bitstep_lit("1e10", &number));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_lit("", &number));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_lit("\xff", &number));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_lit(NULL, &number));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_lit("1", NULL));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scenery_new(NULL));
    EXPECT(last_error_has("scenery is null"));
    shape.struct_size -= 8;
    FAILS(BITSTEP_ERROR_SIZE, bitstep_scenery_add_shape(scenery, &shape, NULL));
    shape.struct_size += 8, shape.kind = 99;
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scenery_add_shape(scenery, &shape, NULL));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_material(scenery, -1, 0, NULL));
    OK(bitstep_limits_init(0, &limits));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_new(scenery, &limits, &world));
    EXPECT(last_error_has("tick_rate"));
    OK(bitstep_limits_init(60, &limits));
    limits.reserved = 1;
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_new(scenery, &limits, &world));
    limits.struct_size = 0;
    FAILS(BITSTEP_ERROR_SIZE, bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_limits_init(60, &limits));
    OK(bitstep_world_new(scenery, &limits, &world));

    OK(bitstep_spawn_init(0, &spawn));
    OK(bitstep_world_spawn(world, &spawn, &body));
    spawn.position = at(9, 0, 0);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_spawn(world, &spawn, unaligned(&body)));
    spawn.position = at(0, 0, 0);
    FAILS(BITSTEP_ERROR_REFUSED, bitstep_world_spawn(world, &spawn, &body));
    EXPECT(last_error_has("overlap"));
    spawn.shape = 70000;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_spawn(world, &spawn, NULL));

    memset(&state, 0, sizeof state);
    FAILS(BITSTEP_ERROR_SIZE, bitstep_world_body(world, body, &state));
    state.struct_size = sizeof state;
    OK(bitstep_world_body(world, body, &state));
    EXPECT(state.body.id == body.id && state.mass == 1 && state.orientation.w == 1 << 30);
    body.id += 1;
    FAILS(BITSTEP_ERROR_NO_BODY, bitstep_world_body(world, body, &state));

    // Room that is too small gets the size, and nothing else.
    memset(&state, 0, sizeof state);
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_world_bodies(world, NULL, 0, &count));
    EXPECT(count == 1);
    OK(bitstep_world_bodies(world, &state, 1, &count));
    EXPECT(state.struct_size == sizeof state);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_bodies(world, &state, 1, NULL));

    // The second command is for no body: the others are applied.
    memset(commands, 0, sizeof commands);
    commands[0].struct_size = commands[1].struct_size = commands[2].struct_size = sizeof commands[0];
    commands[0].kind = BITSTEP_COMMAND_SET_VELOCITY, commands[0].body = state.body, commands[0].vector.x = 5;
    commands[1] = commands[0], commands[1].body = body;
    commands[2] = commands[0], commands[2].kind = BITSTEP_COMMAND_SET_USER, commands[2].user = 9;
    FAILS(BITSTEP_ERROR_REFUSED, bitstep_world_apply(world, commands, 3, codes));
    EXPECT(codes[0] == BITSTEP_OK && codes[1] == BITSTEP_ERROR_REFUSED && codes[2] == BITSTEP_OK);
    commands[1].kind = 1000;
    commands[2].user = 10;
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_apply(world, commands, 3, NULL));
    OK(bitstep_world_body(world, commands[0].body, &state));
    EXPECT(state.user == 9 && state.velocity.x == 5);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_apply(world, NULL, 3, NULL));
    OK(bitstep_world_apply(world, NULL, 0, NULL));
    FAILS(BITSTEP_ERROR_DATA, bitstep_world_apply_bytes(world, (const uint8_t *)"\xff\xff", 2, NULL));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_commands_encode(commands, 3, bytes, sizeof bytes, &length));
    FAILS(BITSTEP_ERROR_DATA, bitstep_commands_count((const uint8_t *)"\xff\xff", 2, &count));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_commands_count(NULL, 2, &count));
    OK(bitstep_commands_count(NULL, 0, &count));
    EXPECT(count == 0);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_spawn_encode(NULL, bytes, sizeof bytes, &length));
    commands[1].kind = BITSTEP_COMMAND_SET_USER;
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_commands_encode(commands, 3, bytes, 5, &length));
    EXPECT(length > 5 && length <= sizeof bytes);
    OK(bitstep_commands_encode(commands, 3, bytes, sizeof bytes, &length));
    OK(bitstep_commands_count(bytes, length, &count));
    EXPECT(count == 3);
    OK(bitstep_world_apply_bytes(world, bytes, length, &refused));
    OK(bitstep_world_body(world, commands[0].body, &state));
    EXPECT(refused == 1 && state.user == 10);
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_enable_events(world, 2));

    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    OK(bitstep_world_tick(world));
    OK(bitstep_world_report(world, &report));
    EXPECT(report.tick == 1 && report.impacts == 0);
    OK(bitstep_world_free(world));
    OK(bitstep_scenery_free(scenery));
}

// A ramp in both frames, and points of which none is made.
static void hulls(void) {
    struct BitstepScenery scenery;
    struct BitstepHull hull, upright;
    const BitstepScalar one = (BitstepScalar)1 << 32;
    struct BitstepVec3 points[7];
    uint32_t id = 77;
    int corner;
    memset(points, 0, sizeof points);
    for (corner = 0; corner < 6; corner++) {
        points[corner].x = corner % 3 == 0 ? 0 : 4 * one;
        points[corner].y = corner % 3 == 2 ? 2 * one : 0;
        points[corner].z = corner / 3 * 3 * one;
    }
    points[6].x = 2 * one, points[6].y = one / 2, points[6].z = one;
    memset(&hull, 0, sizeof hull);
    OK(bitstep_scenery_new(&scenery));
    FAILS(BITSTEP_ERROR_SIZE, bitstep_scenery_add_hull(scenery, points, 7, &hull, &id));
    hull.struct_size = sizeof hull;
    upright = hull;
    OK(bitstep_scenery_add_hull(scenery, points, 7, &hull, &id));
    EXPECT(id == 0 && hull.corners == 6 && hull.axes.w != 1 << 30);
    OK(bitstep_scenery_add_hull_upright(scenery, points, 6, &upright, &id));
    EXPECT(id == 1 && upright.corners == 6 && upright.axes.w == 1 << 30);
    EXPECT(memcmp(&hull.center, &upright.center, sizeof hull.center) == 0);
    OK(bitstep_scenery_add_hull(scenery, points, 6, NULL, NULL));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_hull(scenery, points, 3, NULL, NULL));
    EXPECT(last_error_has("four corners"));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_hull(scenery, NULL, 0, NULL, NULL));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scenery_add_hull(scenery, NULL, 6, NULL, NULL));
    points[0].x = INT64_MIN, points[1].x = INT64_MAX;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_hull(scenery, points, 6, NULL, &id));
    OK(bitstep_scenery_free(scenery));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_scenery_add_hull_upright(scenery, points + 2, 4, NULL, NULL));
}

// Ids are 16 bits wide: the shape behind the last of them is refused.
static void many_shapes(void) {
    struct BitstepScenery scenery;
    struct BitstepShape shape = sphere();
    uint32_t id, number;
    OK(bitstep_scenery_new(&scenery));
    for (number = 0; number < 65535; number++) {
        if (bitstep_scenery_add_shape(scenery, &shape, &id) != BITSTEP_OK || id != number) break;
    }
    EXPECT(number == 65535);
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_shape(scenery, &shape, &id));
    OK(bitstep_scenery_free(scenery));
}

static void snapshots(void) {
    struct BitstepScenery scenery = scenery_of_a_sphere();
    struct BitstepLimits limits;
    struct BitstepWorld world;
    struct BitstepSpawn spawn;
    uint8_t first[16], second[16], *bytes;
    size_t length, place;
    OK(bitstep_limits_init(60, &limits));
    OK(bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_spawn_init(0, &spawn));
    spawn.velocity.x = 1 << 20;
    OK(bitstep_world_spawn(world, &spawn, NULL));
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_world_save(world, NULL, 0, &length));
    bytes = malloc(length);
    OK(bitstep_world_save(world, bytes, length, &length));
    OK(bitstep_world_tick(world));
    OK(bitstep_world_checksum(world, first));
    OK(bitstep_world_restore(world, bytes, length));
    OK(bitstep_world_tick(world));
    OK(bitstep_world_checksum(world, second));
    EXPECT(memcmp(first, second, 16) == 0);
    // Bytes that are none change nothing.
    for (place = 0; place < length; place++) {
        FAILS(BITSTEP_ERROR_DATA, bitstep_world_restore(world, bytes, place));
    }
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_restore(world, NULL, length));
    OK(bitstep_world_checksum(world, second));
    EXPECT(memcmp(first, second, 16) == 0);
    free(bytes);
    OK(bitstep_world_free(world));
    OK(bitstep_scenery_free(scenery));
}

static void queries_and_events(void) {
    struct BitstepScenery scenery = scenery_of_a_sphere();
    struct BitstepLimits limits;
    struct BitstepWorld world;
    struct BitstepSpawn spawn;
    struct BitstepBody left, right;
    struct BitstepHit hit;
    struct BitstepQuery query;
    struct BitstepCommand away;
    struct BitstepCollider colliders[4];
    struct BitstepNear near[2];
    struct BitstepEvent events[8];
    struct BitstepImpulse impulses[8];
    size_t count;
    int ticks;
    OK(bitstep_limits_init(60, &limits));
    OK(bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_spawn_init(0, &spawn));
    spawn.velocity.x = 1LL << 31;
    OK(bitstep_world_spawn(world, &spawn, &left));
    OK(bitstep_spawn_init(0, &spawn));
    spawn.position = at(2, 0, 0);
    OK(bitstep_world_spawn(world, &spawn, &right));
    memset(&hit, 0, sizeof hit);
    memset(&query, 0, sizeof query);
    hit.struct_size = sizeof hit, query.struct_size = sizeof query;
    query.layers = 0xffff, query.origin = at(-4, 0, 0), query.displacement = at(8, 0, 0);
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.is_hit == 1 && hit.collider.body.id == left.id && hit.point.x == -2147483648LL);
    EXPECT(hit.toi == 1879048192ULL && hit.normal.x == 4294967296LL);
    query.exclude = hit.collider, query.excludes = 1;
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.is_hit == 1 && hit.collider.body.id == right.id);
    query.excludes = 0;
    // A query sees what commands have changed.
    memset(&away, 0, sizeof away);
    away.struct_size = sizeof away, away.kind = BITSTEP_COMMAND_TELEPORT, away.body = left, away.vector = at(0, 50, 0);
    OK(bitstep_world_apply(world, &away, 1, NULL));
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.is_hit == 1 && hit.collider.body.id == right.id);
    away.vector = at(0, 0, 0);
    OK(bitstep_world_apply(world, &away, 1, NULL));
    FAILS(BITSTEP_ERROR_SIZE, bitstep_world_cast_shape(world, &query, &hit));
    query.shape = sphere();
    OK(bitstep_world_cast_shape(world, &query, &hit));
    EXPECT(hit.is_hit == 1 && hit.point.x == -4294967296LL);
    query.layers = 2;
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.is_hit == 0 && hit.toi == 0);
    query.layers = 1 << 16;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_cast_ray(world, &query, &hit));
    query.layers = 0xffff, query.origin = at(1, 0, 0);
    OK(bitstep_world_overlap(world, &query, colliders, 4, &count));
    EXPECT(count == 0); // it touches both
    query.shape.radius += 1;
    OK(bitstep_world_overlap(world, &query, colliders, 4, &count));
    EXPECT(count == 2 && colliders[1].body.id == right.id && colliders[1].is_static == 0);
    query.origin = at(3, 0, 0), query.radius = 10 * 4294967296;
    OK(bitstep_world_nearest(world, &query, near, 1, &count));
    EXPECT(count == 1 && near[0].collider.body.id == right.id && near[0].distance == 2147483648LL);
    OK(bitstep_world_enable_events(world, 1));
    for (ticks = 0, count = 0; ticks < 9 && count == 0; ticks++) {
        OK(bitstep_world_tick(world));
        OK(bitstep_world_events(world, events, 8, &count));
    }
    EXPECT(count >= 1 && events[0].a.id == left.id && events[0].b.body.id == right.id);
    OK(bitstep_world_impulses(world, impulses, 8, &count));
    EXPECT(count == 1 && impulses[0].impulse.x > 0);
    // A query sees the world as it is now.
    query.origin = at(-4, 0, 0);
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.point.x > 0);
    OK(bitstep_world_free(world));
    OK(bitstep_scenery_free(scenery));
}

static void recordings(void) {
    struct BitstepScenery scenery = scenery_of_a_sphere();
    struct BitstepLimits limits;
    struct BitstepWorld world, other;
    struct BitstepSpawn spawn;
    struct BitstepCommand push;
    struct BitstepRecorder recorder;
    struct BitstepReplay replay, changed;
    struct BitstepVerdict verdict;
    char text[4096];
    uint8_t bytes[8192];
    size_t length, words;
    uint64_t ticks;
    int tick;
    OK(bitstep_limits_init(60, &limits));
    OK(bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_spawn_init(0, &spawn));
    // Before the recording: both are in its first state, and not once more in its first tick.
    memset(&push, 0, sizeof push);
    push.struct_size = sizeof push, push.kind = BITSTEP_COMMAND_APPLY_IMPULSE, push.vector.y = 1000;
    OK(bitstep_world_spawn(world, &spawn, &push.body));
    OK(bitstep_world_apply(world, &push, 1, NULL));
    OK(bitstep_recorder_new(world, &recorder));
    FAILS(BITSTEP_ERROR_ORDER, bitstep_recorder_tick(recorder));
    for (tick = 1; tick <= 5; tick++) {
        spawn.position = at(2 * tick, 0, 0);
        OK(bitstep_world_spawn(world, &spawn, NULL));
        OK(bitstep_world_tick(world));
        if (tick == 5) {
            // A change behind a tick is none of that tick.
            OK(bitstep_world_apply(world, &push, 1, NULL));
            FAILS(BITSTEP_ERROR_ORDER, bitstep_recorder_tick(recorder));
            EXPECT(last_error_has("changed"));
            break;
        }
        OK(bitstep_recorder_tick(recorder));
        FAILS(BITSTEP_ERROR_ORDER, bitstep_recorder_tick(recorder));
    }
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_recorder_finish(recorder, bytes, 3, &length));
    OK(bitstep_recorder_finish(recorder, bytes, sizeof bytes, &length));
    OK(bitstep_recorder_finish(recorder, bytes, sizeof bytes, &length));
    OK(bitstep_world_tick(world));
    FAILS(BITSTEP_ERROR_ORDER, bitstep_recorder_tick(recorder));
    OK(bitstep_replay_new(bytes, length, &replay));
    memset(&verdict, 0, sizeof verdict);
    verdict.struct_size = sizeof verdict;
    OK(bitstep_replay_verify(replay, &verdict));
    EXPECT(verdict.is_same == 1 && verdict.ticks == 4);
    OK(bitstep_replay_tick_count(replay, &ticks));
    EXPECT(ticks == 4);
    FAILS(BITSTEP_ERROR_ORDER, bitstep_replay_commands(replay, 5, NULL, 0, &length));
    FAILS(BITSTEP_ERROR_ORDER, bitstep_replay_commands(replay, 0, NULL, 0, &length));
    FAILS(BITSTEP_ERROR_ORDER, bitstep_replay_world(replay, 5, &other));
    OK(bitstep_replay_diff(replay, replay, text, sizeof text, &words));
    EXPECT(words == 1 && text[0] == 0);
    // The same match, with one tick less.
    OK(bitstep_replay_world(replay, 0, &other));
    OK(bitstep_recorder_free(recorder));
    OK(bitstep_recorder_new(other, &recorder));
    OK(bitstep_world_tick(other));
    OK(bitstep_recorder_tick(recorder));
    OK(bitstep_recorder_finish(recorder, bytes, sizeof bytes, &length));
    OK(bitstep_replay_new(bytes, length, &changed));
    OK(bitstep_replay_diff(replay, changed, text, sizeof text, &words));
    EXPECT(strstr(text, "tick 1") != NULL && words == strlen(text) + 1);
    OK(bitstep_replay_diff_json(replay, changed, text, sizeof text, &words));
    EXPECT(text[0] == '{' && strstr(text, "\"tick\": 1") != NULL);
    bytes[length / 2] ^= 1;
    FAILS(BITSTEP_ERROR_DATA, bitstep_replay_new(bytes, length, &changed));
    // A world that goes on from another state is no longer that of the recording.
    OK(bitstep_recorder_free(recorder));
    OK(bitstep_recorder_new(other, &recorder));
    OK(bitstep_world_save(other, bytes, sizeof bytes, &length));
    OK(bitstep_world_restore(other, bytes, length));
    OK(bitstep_world_tick(other));
    FAILS(BITSTEP_ERROR_ORDER, bitstep_recorder_tick(recorder));
    EXPECT(last_error_has("restored"));
    OK(bitstep_world_free(other));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_recorder_tick(recorder));
    OK(bitstep_recorder_free(recorder));
    OK(bitstep_world_free(world));
    OK(bitstep_scenery_free(scenery));
}

int main(void) {
    EXPECT(bitstep_abi_version() == BITSTEP_ABI_VERSION && bitstep_rules_version() >= 1);
    EXPECT(strlen(bitstep_build()) >= 5);
    scenes();
    handles();
    sizes_and_pointers();
    hulls();
    many_shapes();
    snapshots();
    queries_and_events();
    recordings();
    if (!failed) printf("all is well\n");
    return failed;
}

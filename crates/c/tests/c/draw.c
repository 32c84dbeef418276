// Poses between two ticks and debug lines: values by hand, and the rules of the border.
#include <bitstep_draw.h>

#include "expect.h"

static const int64_t ONE = 4294967296;
// 3 * 2^-20 units, and as a float.
static const int64_t BIT = 3 << 12;
static const float bit = 3.0f / 1048576.0f;

static struct BitstepVec3 raw(int64_t x, int64_t y, int64_t z) {
    struct BitstepVec3 vector;
    vector.x = x, vector.y = y, vector.z = z;
    return vector;
}

static int is_at(const float *point, float x, float y, float z) {
    return point[0] == x && point[1] == y && point[2] == z;
}

static int is_near(float a, float b) {
    return a - b < 1e-6f && b - a < 1e-6f;
}

static int is_turned(const struct BitstepPose *pose, float z, float w) {
    const float *o = pose->orientation;
    return is_near(o[0], 0) && is_near(o[1], 0) && is_near(o[2], z) && is_near(o[3], w);
}

static float length_squared(const float *a, const float *b) {
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

// A sphere that moves by half a unit per tick 2^20 units out, an oriented box at the origin, and a static sphere.
static struct BitstepWorld world_far_out(struct BitstepBody *ball, struct BitstepBody *box) {
    struct BitstepScenery scenery;
    struct BitstepShape shape;
    struct BitstepStatic fixed;
    struct BitstepLimits limits;
    struct BitstepSpawn spawn;
    struct BitstepWorld world;
    memset(&shape, 0, sizeof shape);
    memset(&fixed, 0, sizeof fixed);
    shape.struct_size = sizeof shape, fixed.struct_size = sizeof fixed;
    OK(bitstep_scenery_new(&scenery));
    shape.kind = BITSTEP_SHAPE_SPHERE, shape.radius = ONE / 2;
    OK(bitstep_scenery_add_shape(scenery, &shape, NULL));
    shape.kind = BITSTEP_SHAPE_OBB, shape.half = raw(ONE, ONE / 2, ONE / 4), shape.rotation.w = 1 << 30;
    OK(bitstep_scenery_add_shape(scenery, &shape, NULL));
    OK(bitstep_scenery_add_material(scenery, 0, 0, NULL));
    fixed.position = raw(0, 8 * ONE, 0);
    OK(bitstep_scenery_add_static(scenery, &fixed, NULL));
    OK(bitstep_limits_init(60, &limits));
    limits.extent = ONE << 21;
    OK(bitstep_world_new(scenery, &limits, &world));
    OK(bitstep_scenery_free(scenery));
    OK(bitstep_spawn_init(0, &spawn));
    spawn.position = raw((ONE << 20) + BIT, -2 * ONE, 0);
    spawn.velocity.x = ONE / 2;
    OK(bitstep_world_spawn(world, &spawn, ball));
    OK(bitstep_spawn_init(1, &spawn));
    spawn.rotates = 1;
    OK(bitstep_world_spawn(world, &spawn, box));
    return world;
}

// A quarter of a turn about the third axis.
static void turn(struct BitstepWorld world, struct BitstepBody body) {
    struct BitstepCommand command;
    memset(&command, 0, sizeof command);
    command.struct_size = sizeof command;
    command.kind = BITSTEP_COMMAND_TELEPORT, command.body = body, command.number = 1;
    command.rotation.w = command.rotation.z = 759250125;
    OK(bitstep_world_apply(world, &command, 1, NULL));
}

static struct BitstepView view_from(int64_t x, float alpha) {
    struct BitstepView view;
    view.struct_size = sizeof view;
    view.alpha = alpha, view.origin = raw(x, 0, 0);
    return view;
}

static void poses_between_ticks(struct BitstepWorld world, struct BitstepBody ball, struct BitstepBody box) {
    struct BitstepFrames frames;
    struct BitstepView view = view_from(ONE << 20, 0.0f);
    struct BitstepPose poses[3], far_out[3];
    struct BitstepCommand away;
    size_t count = 77;
    OK(bitstep_frames_new(&frames));
    OK(bitstep_frames_between(frames, &view, NULL, 0, &count));
    EXPECT(count == 0);
    OK(bitstep_frames_push(frames, world));
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(count == 2 && poses[0].is_new == 1 && poses[1].is_new == 1);
    OK(bitstep_world_tick(world));
    turn(world, box);
    OK(bitstep_frames_push(frames, world));
    // Both ends are exact, and the difference is taken before anything is rounded.
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(count == 2 && poses[0].body.id == ball.id && poses[1].body.id == box.id && poses[0].is_new == 0);
    EXPECT(is_at(poses[0].position, bit, -2.0f, 0.0f) && is_at(poses[1].position, -1048576.0f, 0.0f, 0.0f));
    EXPECT(poses[1].orientation[2] == 0.0f && poses[1].orientation[3] == 1.0f);
    view.alpha = 1.0f;
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(is_at(poses[0].position, 0.5f + bit, -2.0f, 0.0f) && is_turned(&poses[1], 0.70710678f, 0.70710678f));
    // Half way, a quarter of a turn is an eighth.
    view.alpha = 0.5f;
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(is_at(poses[0].position, 0.25f + bit, -2.0f, 0.0f) && is_turned(&poses[1], 0.38268343f, 0.92387953f));
    // Beyond its ends a float is clamped.
    view.alpha = -3.0f;
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(is_at(poses[0].position, bit, -2.0f, 0.0f));
    view.alpha = 1e30f * 1e30f;
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(is_at(poses[0].position, 0.5f + bit, -2.0f, 0.0f));
    // What is refused writes nothing.
    view.alpha -= view.alpha;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_frames_between(frames, &view, poses, 3, &count));
    view = view_from(ONE << 30, 1.0f);
    OK(bitstep_frames_between(frames, &view, far_out, 3, &count));
    view.origin.z = INT64_MIN;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_frames_between(frames, &view, poses, 3, &count));
    view.origin.z = -(ONE << 30) - 1;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_frames_between(frames, &view, poses, 3, &count));
    view = view_from(0, 1.0f), view.struct_size = 4;
    FAILS(BITSTEP_ERROR_SIZE, bitstep_frames_between(frames, &view, poses, 3, &count));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_frames_between(frames, NULL, poses, 3, &count));
    view = view_from(0, 1.0f), count = 77;
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_frames_between(frames, &view, poses, 1, &count));
    EXPECT(count == 2 && is_at(poses[0].position, 0.5f + bit, -2.0f, 0.0f));
    // One that is gone is left out.
    memset(&away, 0, sizeof away);
    away.struct_size = sizeof away, away.kind = BITSTEP_COMMAND_REMOVE, away.body = ball;
    OK(bitstep_world_apply(world, &away, 1, NULL));
    OK(bitstep_frames_push(frames, world));
    OK(bitstep_frames_between(frames, &view, poses, 3, &count));
    EXPECT(count == 1 && poses[0].body.id == box.id && poses[0].is_new == 0);
    OK(bitstep_frames_free(frames));
}

static void lines(struct BitstepWorld world, struct BitstepBody ball, struct BitstepBody box) {
    static struct BitstepLine all[200];
    struct BitstepVec3 origin = raw(ONE << 20, 0, 0);
    float center[3] = {bit, -2.0f, 0.0f}, least = 1e30f, most = 0.0f;
    size_t count = 0, place;
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_world_lines(world, &origin, all, 5, &count));
    EXPECT(count == 3 * 24 + 12 + 3 * 24);
    OK(bitstep_world_lines(world, &origin, all, 200, &count));
    for (place = 0; place < 72; place++) {
        EXPECT(all[place].collider.is_static == 0 && all[place].collider.body.id == ball.id);
        EXPECT(is_near(length_squared(all[place].a, center), 0.25f) && is_near(length_squared(all[place].b, center), 0.25f));
    }
    origin.x = 0;
    turn(world, box);
    OK(bitstep_world_lines(world, &origin, all, 200, &count));
    // A box that is turned: its long edges are along the second axis.
    for (; place < 84; place++) {
        float length = length_squared(all[place].a, all[place].b), across = all[place].a[1] - all[place].b[1];
        EXPECT(all[place].collider.body.id == box.id && is_near(length < 3.0f ? 4.0f : across * across, 4.0f));
        least = length < least ? length : least, most = length > most ? length : most;
    }
    EXPECT(is_near(least, 0.25f) && is_near(most, 4.0f));
    for (center[0] = 0.0f, center[1] = 8.0f; place < 156; place++) {
        EXPECT(all[place].collider.is_static == 1 && all[place].collider.index == 0);
        EXPECT(is_near(length_squared(all[place].a, center), 0.25f));
    }
    origin.y = INT64_MAX;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_lines(world, &origin, all, 200, &count));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_world_lines(world, NULL, all, 200, &count));
}

static void handles(struct BitstepWorld world) {
    struct BitstepFrames frames, other;
    struct BitstepVec3 origin = raw(0, 0, 0);
    struct BitstepView view = view_from(0, 0.5f);
    struct BitstepWorld wrong;
    size_t count;
    OK(bitstep_frames_new(&frames));
    wrong.handle = frames.handle, other.handle = world.handle;
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_push(frames, wrong));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_push(other, world));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_lines(wrong, &origin, NULL, 0, &count));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_world_tick(wrong));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_free(other));
    OK(bitstep_frames_free(frames));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_free(frames));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_push(frames, world));
    FAILS(BITSTEP_ERROR_HANDLE, bitstep_frames_between(frames, &view, NULL, 0, &count));
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_frames_new(NULL));
}

int main(void) {
    struct BitstepBody ball, box;
    struct BitstepWorld world = world_far_out(&ball, &box);
    lines(world, ball, box);
    OK(bitstep_world_free(world));
    world = world_far_out(&ball, &box);
    poses_between_ticks(world, ball, box);
    handles(world);
    OK(bitstep_world_free(world));
    if (!failed) puts("all is well");
    return failed;
}

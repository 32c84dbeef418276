// Thirty spheres fall on a plane, are recorded, and the recording is verified.
//
//   cargo build --release --package bitstep-c
//   cc -std=c99 -I crates/c/include crates/c/examples/falling.c target/release/libbitstep_c.a -lpthread -ldl -lm
#include <bitstep.h>
#include <stdio.h>
#include <stdlib.h>

#define SPHERES 30
#define TICKS 300

// Ends the program with the library's words if a call fails.
static void check(BitstepCode code, const char *call) {
    char words[256] = "";
    size_t length;
    if (code == BITSTEP_OK) return;
    bitstep_last_error(words, sizeof words, &length);
    fprintf(stderr, "%s: code %d, %s\n", call, (int)code, words);
    exit(1);
}
#define CHECK(call) check((call), #call)

static BitstepScalar lit(const char *text) {
    BitstepScalar number;
    CHECK(bitstep_lit(text, &number));
    return number;
}

static struct BitstepVec3 vec3(BitstepScalar x, BitstepScalar y, BitstepScalar z) {
    struct BitstepVec3 vector = {x, y, z};
    return vector;
}

// A level with a plane, and a shape for the spheres.
static struct BitstepWorld level(uint32_t *sphere) {
    struct BitstepScenery scenery;
    struct BitstepLimits limits;
    struct BitstepWorld world;
    struct BitstepShape shape = {0};
    struct BitstepStatic ground = {0};
    CHECK(bitstep_scenery_new(&scenery));
    shape.struct_size = sizeof shape;
    shape.kind = BITSTEP_SHAPE_PLANE;
    shape.half = vec3(0, 0, lit("1"));
    CHECK(bitstep_scenery_add_shape(scenery, &shape, &ground.shape));
    shape.kind = BITSTEP_SHAPE_SPHERE;
    shape.radius = lit("0.4");
    CHECK(bitstep_scenery_add_shape(scenery, &shape, sphere));
    CHECK(bitstep_scenery_add_material(scenery, lit("0.5"), lit("0.3"), NULL));
    ground.struct_size = sizeof ground; // in material 0 and layer 0, at the origin
    CHECK(bitstep_scenery_add_static(scenery, &ground, NULL));
    CHECK(bitstep_limits_init(60, &limits));
    CHECK(bitstep_world_new(scenery, &limits, &world));
    CHECK(bitstep_scenery_free(scenery)); // the world keeps what it needs
    return world;
}

static void fill(struct BitstepWorld world, uint32_t sphere) {
    struct BitstepCommand gravity = {0};
    struct BitstepSpawn spawn;
    int number;
    gravity.struct_size = sizeof gravity;
    gravity.kind = BITSTEP_COMMAND_SET_GRAVITY;
    gravity.vector = vec3(0, 0, lit("-9.81"));
    CHECK(bitstep_world_gravity_nearest(world, &gravity.vector, &gravity.vector));
    CHECK(bitstep_world_apply(world, &gravity, 1, NULL));
    for (number = 0; number < SPHERES; number++) {
        CHECK(bitstep_spawn_init(sphere, &spawn));
        spawn.position = vec3((number % 3) * lit("0.7"), 0, lit("1") + number * lit("0.9"));
        spawn.rotates = 1;
        CHECK(bitstep_world_spawn(world, &spawn, NULL));
    }
}

int main(void) {
    uint32_t sphere;
    struct BitstepWorld world = level(&sphere);
    struct BitstepRecorder recorder;
    struct BitstepReplay replay;
    struct BitstepVerdict verdict = {0};
    size_t length;
    uint8_t *bytes;
    int tick, place;
    CHECK(bitstep_recorder_new(world, &recorder));
    fill(world, sphere);
    for (tick = 0; tick < TICKS; tick++) {
        CHECK(bitstep_world_tick(world));
        CHECK(bitstep_recorder_tick(recorder));
    }
    bitstep_recorder_finish(recorder, NULL, 0, &length); // asks for the size
    if ((bytes = malloc(length)) == NULL) return 1;
    CHECK(bitstep_recorder_finish(recorder, bytes, length, &length));
    CHECK(bitstep_replay_new(bytes, length, &replay));
    verdict.struct_size = sizeof verdict;
    CHECK(bitstep_replay_verify(replay, &verdict));
    printf("%d ticks, %lu bytes, checksum ", TICKS, (unsigned long)length);
    for (place = 15; place >= 0; place--) printf("%02x", verdict.checksum[place]);
    printf(", %s\n", verdict.is_same ? "verified" : "DIFFERENT");
    free(bytes);
    CHECK(bitstep_replay_free(replay));
    CHECK(bitstep_recorder_free(recorder));
    CHECK(bitstep_world_free(world));
    return verdict.is_same ? 0 : 1;
}

// golden REPLAY SCENE: verifies a recording, plays it again by the commands of its ticks, plays its scene, and prints the checksums.
#include <bitstep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) \
    do { \
        BitstepCode code = (call); \
        if (code != BITSTEP_OK) { \
            fprintf(stderr, "%s: code %d\n", #call, (int)code); \
            return 1; \
        } \
    } while (0)

static uint8_t file[1 << 22], commands[1 << 20];

static void print(const uint8_t *checksum) {
    int place;
    for (place = 15; place >= 0; place--) printf("%02x", checksum[place]);
    printf("\n");
}

static size_t content(const char *path) {
    FILE *from = fopen(path, "rb");
    size_t length;
    if (from == NULL) exit(2);
    length = fread(file, 1, sizeof file - 1, from);
    fclose(from);
    file[length] = 0;
    return length;
}

static int play(const char *path) {
    struct BitstepScene scene;
    struct BitstepWorld world;
    uint8_t checksum[16];
    uint64_t ticks, tick;
    content(path);
    CHECK(bitstep_scene_new((const char *)file, &scene));
    CHECK(bitstep_scene_tick_count(scene, &ticks));
    CHECK(bitstep_scene_world(scene, &world));
    for (tick = 1; tick <= ticks; tick++) CHECK(bitstep_scene_tick(scene, world, NULL));
    CHECK(bitstep_scene_free(scene));
    CHECK(bitstep_world_checksum(world, checksum));
    CHECK(bitstep_world_free(world));
    print(checksum);
    return 0;
}

int main(int count, char **arguments) {
    struct BitstepReplay replay;
    struct BitstepVerdict verdict;
    struct BitstepWorld world;
    uint8_t checksum[16];
    uint64_t ticks, tick;
    size_t length;
    uint32_t refused;
    if (count != 3) return 2;
    length = content(arguments[1]);
    CHECK(bitstep_replay_new(file, length, &replay));
    memset(&verdict, 0, sizeof verdict);
    verdict.struct_size = sizeof verdict;
    CHECK(bitstep_replay_verify(replay, &verdict));
    CHECK(bitstep_replay_tick_count(replay, &ticks));
    if (!verdict.is_same || verdict.ticks != ticks || verdict.first_different != 0) return 3;
    print(verdict.checksum);
    CHECK(bitstep_replay_world(replay, 0, &world));
    for (tick = 1; tick <= ticks; tick++) {
        CHECK(bitstep_replay_commands(replay, tick, commands, sizeof commands, &length));
        CHECK(bitstep_world_apply_bytes(world, commands, length, &refused));
        CHECK(bitstep_world_tick(world));
    }
    CHECK(bitstep_world_checksum(world, checksum));
    print(checksum);
    CHECK(bitstep_world_free(world));
    CHECK(bitstep_replay_free(replay));
    return play(arguments[2]);
}

// A mesh and ground of heights that are built here, and what a game asks of them.
#include "expect.h"

static const BitstepScalar one = (BitstepScalar)1 << 32;

static const uint32_t triangles[] = {0, 1, 2, 2, 3, 0, 0, 0, 1};
static const uint8_t materials[] = {0, 1, 1};
static const int16_t heights[] = {0, 0, 0, 0, 4, 0};
static const uint8_t cells[] = {BITSTEP_CELL_OTHER_DIAGONAL, BITSTEP_CELL_HOLE};

static struct BitstepHeights ground_of_two_cells(void) {
    struct BitstepHeights ground;
    memset(&ground, 0, sizeof ground);
    ground.struct_size = sizeof ground;
    ground.columns = 3, ground.rows = 2;
    ground.cell = one, ground.unit = one / 4;
    ground.heights = heights, ground.cells = cells;
    return ground;
}

static void add(struct BitstepScenery scenery) {
    struct BitstepVec3 points[4];
    struct BitstepMesh mesh;
    struct BitstepMeshReport report;
    struct BitstepHeights ground = ground_of_two_cells();
    uint32_t id = 77;
    memset(points, 0, sizeof points);
    points[1].z = points[2].z = points[2].x = points[3].x = 4 * one;
    memset(&mesh, 0, sizeof mesh);
    mesh.struct_size = sizeof mesh;
    mesh.point_count = 4, mesh.triangle_count = 3;
    mesh.points = points, mesh.triangles = triangles, mesh.materials = materials;
    memset(&report, 0, sizeof report);
    FAILS(BITSTEP_ERROR_SIZE, bitstep_scenery_add_mesh(scenery, &mesh, &report, &id));
    report.struct_size = sizeof report;
    OK(bitstep_scenery_add_mesh(scenery, &mesh, &report, &id));
    EXPECT(id == 0 && report.triangles == 2 && report.materials == 2 && report.degenerate == 1 && report.facets == 2);
    mesh.point_count = 3;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_mesh(scenery, &mesh, NULL, NULL));
    mesh.points = NULL;
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scenery_add_mesh(scenery, &mesh, NULL, NULL));
    FAILS(BITSTEP_ERROR_DATA, bitstep_scenery_add_mesh_file(scenery, materials, sizeof materials, NULL, NULL));
    OK(bitstep_scenery_add_heights(scenery, &ground, &id));
    EXPECT(id == 1);
    ground.rows = 1;
    FAILS(BITSTEP_ERROR_RANGE, bitstep_scenery_add_heights(scenery, &ground, NULL));
    ground.rows = 2, ground.heights = NULL;
    FAILS(BITSTEP_ERROR_ARGUMENT, bitstep_scenery_add_heights(scenery, &ground, NULL));
}

static struct BitstepWorld with_both(struct BitstepScenery scenery) {
    struct BitstepStatic fixed;
    struct BitstepLimits limits;
    struct BitstepWorld world;
    memset(&fixed, 0, sizeof fixed);
    fixed.struct_size = sizeof fixed;
    fixed.position.x = 20 * one;
    OK(bitstep_scenery_add_static(scenery, &fixed, NULL));
    fixed.shape = 1, fixed.position.x = 0, fixed.position.y = one / 2;
    OK(bitstep_scenery_add_static(scenery, &fixed, NULL));
    OK(bitstep_limits_init(60, &limits));
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_new(scenery, &limits, &world)); // a material is missing
    OK(bitstep_scenery_add_material(scenery, 0, 0, NULL));
    OK(bitstep_world_new(scenery, &limits, &world));
    return world;
}

static void dig(struct BitstepWorld world) {
    struct BitstepCommand command;
    struct BitstepGround at;
    int16_t values[6];
    size_t count = 0;
    memset(&command, 0, sizeof command);
    command.struct_size = sizeof command;
    command.kind = BITSTEP_COMMAND_SET_HEIGHTS;
    command.number = command.second = command.third = command.columns = command.rows = 1;
    command.heights[0][0] = 8;
    OK(bitstep_world_apply(world, &command, 1, NULL));
    memset(&at, 0, sizeof at);
    at.struct_size = sizeof at;
    OK(bitstep_world_ground(world, 1, one / 2, one, &at));
    EXPECT(at.is_ground == 1 && at.height == 3 * one / 2 && at.normal.x < 0 && at.normal.y > 0);
    OK(bitstep_world_ground(world, 1, 3 * one / 2, one / 2, &at));
    EXPECT(at.is_ground == 0 && at.height == 0);
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_ground(world, 0, 0, 0, &at));
    OK(bitstep_world_heights(world, 1, values, 6, &count));
    EXPECT(count == 6 && values[4] == 8 && values[3] == 0);
    FAILS(BITSTEP_ERROR_BUFFER, bitstep_world_heights(world, 1, NULL, 0, &count));
}

static void ask(struct BitstepWorld world) {
    struct BitstepQuery query;
    struct BitstepHit hit;
    uint32_t owner = 77, numbers[2];
    size_t count = 0;
    memset(&query, 0, sizeof query);
    memset(&hit, 0, sizeof hit);
    query.struct_size = sizeof query, hit.struct_size = sizeof hit;
    query.layers = 0xffff;
    query.origin.x = 23 * one, query.origin.y = one, query.origin.z = one;
    query.displacement.y = -2 * one;
    OK(bitstep_world_cast_ray(world, &query, &hit));
    EXPECT(hit.is_hit == 1 && hit.collider.is_static == 1 && hit.collider.index >= 2);
    OK(bitstep_world_facet_owner(world, hit.collider.index, &owner));
    OK(bitstep_world_facet_triangles(world, hit.collider.index, numbers, 2, &count));
    EXPECT(owner == 0 && count == 1 && numbers[0] == 1);
    OK(bitstep_world_facet_triangles(world, 1, NULL, 0, &count));
    EXPECT(count == 0);
    FAILS(BITSTEP_ERROR_RANGE, bitstep_world_facet_owner(world, 99, &owner));
}

int main(void) {
    struct BitstepScenery scenery;
    struct BitstepWorld world;
    OK(bitstep_scenery_new(&scenery));
    add(scenery);
    OK(bitstep_scenery_add_material(scenery, 0, 0, NULL));
    world = with_both(scenery);
    OK(bitstep_scenery_free(scenery));
    dig(world);
    ask(world);
    OK(bitstep_world_free(world));
    if (!failed) printf("all is well\n");
    return failed;
}

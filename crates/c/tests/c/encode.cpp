// Commands as bytes, and ground, in C++.
#include <bitstep.hpp>

// Heights of ground, as structs and as bytes.
static int dig() {
    const bitstep::Scene scene(
        "(title: \"\", tick_rate: 60, ticks: 1, materials: {\"m\": (restitution: 0)}, bodies: [],"
        " shapes: {\"s\": heights(cell: 1, unit: 0.25, rows: [[0, 0, 0], [0, 0, 0], [0, 0, 0]])},"
        " statics: [(name: \"s\", shape: \"s\", material: \"m\", position: (0, 0, 0))])");
    bitstep::World world = scene.world(), other = scene.world();
    const std::vector<bitstep::Command> commands{bitstep::set_heights(0, {1, 0}, {{-8, 0}, {-8, 4}})};
    bitstep::check(world.apply(commands).front());
    if (other.save() == world.save() || other.apply_bytes(bitstep::encode(commands)) != 0 || other.save() != world.save()) return 5;
    const auto hit = world.cast_ray(bitstep::ray(bitstep::vec3("1", "8", "1"), bitstep::vec3("0", "-16", "0")));
    if (!hit || hit->point.y != bitstep::lit("-2")) return 6;
    for (const std::vector<std::vector<std::int16_t>>& wrong :
         {std::vector<std::vector<std::int16_t>>{}, {{}}, {{1, 2}, {3}}, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}}}) {
        try {
            bitstep::set_heights(0, {0, 0}, wrong);
            return 7;
        } catch (const bitstep::Error& error) {
            if (error.code != BITSTEP_ERROR_RANGE) return 8;
        }
    }
    return 0;
}

// A mesh and ground of heights, built here: what they are, and what is none.
static int built() {
    using bitstep::lit;
    bitstep::Scenery level;
    const auto corner = [](const char* x, const char* z) { return bitstep::vec3(x, "0", z); };
    const std::vector<bitstep::Vec3> points{corner("0", "0"), corner("0", "4"), corner("4", "4"), corner("4", "0")};
    const bitstep::AddedMesh mesh = level.add_mesh(points, {{0, 1, 2}, {2, 3, 0}, {0, 0, 1}}, {0, 1, 1});
    if (mesh.shape != 0 || mesh.report.triangles != 2 || mesh.report.materials != 2 || mesh.report.degenerate != 1) return 9;
    const std::uint32_t ground =
        level.add_heights(lit("1"), lit("0.25"), {{0, 0, 0}, {0, 4, 0}}, {{BITSTEP_CELL_OTHER_DIAGONAL, BITSTEP_CELL_HOLE}});
    if (ground != 1 || level.add_heights(lit("1"), lit("0.25"), {{0, 0}, {0, 0}}) != 2) return 10;
    level.add_material(0, 0);
    level.add_material(0, 0);
    level.add_static(0, 0, bitstep::vec3("20", "0", "0"));
    level.add_static(ground, 0, bitstep::vec3("0", "0.5", "0"));
    bitstep::World world(level, bitstep::limits(60));
    bitstep::check(world.apply({bitstep::set_heights(1, {1, 1}, {{8}})}).front());
    const auto at = world.ground(1, lit("0.5"), lit("1"));
    if (!at || at->height != lit("1.5") || at->normal.x >= 0 || world.ground(1, lit("1.5"), lit("0.5"))) return 11;
    if (world.heights(1) != std::vector<std::int16_t>{0, 0, 0, 0, 8, 0}) return 12;
    const auto hit = world.cast_ray(bitstep::ray(bitstep::vec3("23", "1", "1"), bitstep::vec3("0", "-2", "0")));
    if (!hit || world.facet_owner(hit->collider.index) != 0 || world.facet_triangles(hit->collider.index) != std::vector<std::uint32_t>{1}) return 13;
    const auto refuses = [](auto call) {
        try {
            call();
            return false;
        } catch (const bitstep::Error& error) {
            return error.code == BITSTEP_ERROR_RANGE || error.code == BITSTEP_ERROR_DATA;
        }
    };
    if (!refuses([&] { level.add_mesh(points, {{0, 1, 4}}); }) || !refuses([&] { level.add_mesh({}, {}); })) return 14;
    if (!refuses([&] { level.add_mesh(points, {{0, 1, 2}}, {0, 0}); }) || !refuses([&] { level.add_mesh_file({1, 2, 3}); })) return 15;
    if (!refuses([&] { level.add_heights(lit("1"), lit("1"), {{0, 0}, {0}}); }) || !refuses([&] { level.add_heights(lit("1"), lit("1"), {}); })) return 16;
    if (!refuses([&] { level.add_heights(lit("1"), lit("1"), {{0, 0}, {0, 0}}, {{0, 0}}); })) return 17;
    if (!refuses([&] { world.ground(0, 0, 0); }) || !refuses([&] { world.facet_owner(99); })) return 18;
    return 0;
}

int main() {
    bitstep::Scenery level;
    const std::uint32_t ball = level.add_shape(bitstep::sphere(bitstep::lit("0.5")));
    const auto corner = [](const char* x, const char* y, const char* z) { return bitstep::vec3(x, y, z); };
    const bitstep::AddedHull wedge = level.add_hull({corner("0", "0", "0"), corner("1", "0", "0"), corner("0", "2", "0"), corner("0", "0", "3")});
    if (wedge.shape != 1 || wedge.hull.corners != 4 || wedge.hull.center.x != bitstep::lit("0.25")) return 1;
    level.add_material(0, 0);
    bitstep::World world(level, bitstep::limits(60));
    bitstep::World other = world.clone();
    const bitstep::Spawn spawn = bitstep::spawn(ball, bitstep::vec3("1", "2", "3"));
    const bitstep::Vec3 gravity = world.gravity_nearest(bitstep::vec3("0", "-9.81", "0"));
    world.spawn(spawn);
    bitstep::check(world.apply({bitstep::set_gravity(gravity)}).front());
    if (other.apply_bytes(bitstep::encode(spawn)) != 0) return 1;
    if (other.apply_bytes(bitstep::encode({bitstep::set_gravity(gravity)})) != 0) return 2;
    if (bitstep::commands_count(bitstep::encode(spawn)) != 1 || bitstep::commands_count({}) != 0) return 3;
    if (other.save() != world.save()) return 4;
    const int dug = dig();
    return dug != 0 ? dug : built();
}

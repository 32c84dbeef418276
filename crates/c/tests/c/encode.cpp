// Commands as bytes, in C++.
#include <bitstep.hpp>

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
    return other.save() == world.save() ? 0 : 4;
}

// 30 spheres fall on a plane for 300 ticks at 60 Hz, recorded. A clone restored from tick 150 must reach the same checksum, and the
// recording must verify.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "bitstep.hpp"

namespace {

constexpr int ticks = 300;
constexpr int save_at = 150;

void run() {
    bitstep::Scenery level;
    const std::uint32_t rubber = level.add_material(bitstep::lit("0.5"), bitstep::lit("0.5"));
    const std::uint32_t ground = level.add_shape(bitstep::plane(bitstep::vec3("0", "1", "0")));
    const std::uint32_t ball = level.add_shape(bitstep::sphere(bitstep::lit("0.5")));
    level.add_static(ground, rubber, bitstep::vec3("0", "0", "0"));
    bitstep::World world(level, bitstep::limits(60));
    bitstep::World other = world.clone();

    bitstep::Recorder recorder(world);
    const bitstep::Vec3 gravity = world.gravity_nearest(bitstep::vec3("0", "-9.81", "0"));
    bitstep::check(world.apply({bitstep::set_gravity(gravity)}).front());
    const bitstep::Vec3 step = bitstep::vec3("1.25", "1.5", "0.1");
    for (int i = 0; i < 30; ++i) {
        // Five columns of six; each sphere is offset from the one below, so that the columns collapse.
        const int column = i % 5, row = i / 5;
        world.spawn(bitstep::spawn(ball, {column * step.x, (row + 2) * step.y, row * step.z}));
    }

    bitstep::Bytes snapshot;
    for (int tick = 1; tick <= ticks; ++tick) {
        world.tick();
        recorder.tick();
        if (tick == save_at) snapshot = world.save();
    }
    other.restore(snapshot);
    for (int tick = save_at; tick < ticks; ++tick) other.tick();
    if (other.checksum() != world.checksum()) throw std::runtime_error("the restored world has another checksum");

    // The ground is hit from above.
    const auto hit = world.cast_ray(bitstep::ray(bitstep::vec3("40", "5", "0"), bitstep::vec3("0", "-10", "0")));
    if (!hit || hit->collider.is_static != 1) throw std::runtime_error("there is no ground");

    const bitstep::Replay replay(recorder.finish());
    if (replay.diff(replay)) throw std::runtime_error("a recording differs from itself");
    const bitstep::Verdict verdict = replay.verify();
    if (verdict.is_same != 1) throw std::runtime_error("tick " + std::to_string(verdict.first_different) + " differs");
    const bitstep::Checksum sum = world.checksum();
    if (verdict.ticks != ticks || !std::equal(sum.begin(), sum.end(), verdict.checksum)) {
        throw std::runtime_error("the recording ends in another state");
    }
    std::printf("%d ticks, checksum %s, verified\n", ticks, bitstep::hex(sum).c_str());
}

}  // namespace

int main() {
    try {
        run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "falling: %s\n", error.what());
        return 1;
    }
}

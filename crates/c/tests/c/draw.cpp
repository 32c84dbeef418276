// The header for drawing beside that of C++.
#include <bitstep.hpp>
#include <bitstep_draw.h>

int main() {
    bitstep::Scenery level;
    const std::uint32_t ball = level.add_shape(bitstep::sphere(bitstep::lit("0.5")));
    level.add_material(0, 0);
    bitstep::World world(level, bitstep::limits(60));
    world.spawn(bitstep::spawn(ball, bitstep::vec3("1", "2", "3")));
    BitstepFrames frames{};
    bitstep::check(bitstep_frames_new(&frames));
    bitstep::check(bitstep_frames_push(frames, world.raw()));
    BitstepView view{};
    view.struct_size = sizeof view, view.alpha = 0.25f;
    std::vector<BitstepPose> poses(4);
    std::size_t count = 0;
    bitstep::check(bitstep_frames_between(frames, &view, poses.data(), poses.size(), &count));
    bitstep::check(bitstep_frames_free(frames));
    return count == 1 && poses[0].position[2] == 3.0f && poses[0].orientation[3] == 1.0f ? 0 : 1;
}

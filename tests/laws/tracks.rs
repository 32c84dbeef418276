//! A minute on a track of many triangles: the scene `replays/track.ron`, in which no edge is a bump.

use std::fs;

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    shape::{Mesh, Shape},
    state::{Body, BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use bitstep_scene::Scene;

use crate::support::s;

/// The lengths along the track at which its slope changes, and the slopes between them in 1/128.
const CREASES: [i64; 8] = [30, 40, 80, 90, 110, 120, 160, 170];
const SLOPES: [i64; 9] = [0, -1, -2, -1, 0, 1, 2, 1, 0];
/// Half the length of the box and its way in three ticks: farther from a crease a body is on one stretch alone.
const REACH: &str = "0.75";
/// Number of ticks until both have landed.
const LANDED: u64 = 30;

/// The part of a vector along the track: its direction on the map is (4, 3) / 5.
fn along(vector: Vec3) -> Scalar {
    (vector.x * 4 + vector.z * 3) / 5
}

/// The part of a vector across the track.
fn across(vector: Vec3) -> Scalar {
    (vector.x * 3 - vector.z * 4) / 5
}

/// A body on the track.
struct Ride {
    id: BodyId,
    /// The largest speed off the plane of a stretch, away from creases and at them, in units per second.
    lifts: [Scalar; 2],
    /// The largest change of speed in a tick on a level stretch, in units per second, and the least one.
    losses: [Scalar; 2],
    /// The largest speed across the track.
    swerve: Scalar,
    speed: Scalar,
}

impl Ride {
    fn new(id: BodyId) -> Self {
        let zero = Scalar::ZERO;
        Self { id, lifts: [zero; 2], losses: [zero, Scalar::MAX], swerve: zero, speed: zero }
    }

    /// Looks at the body after a tick.
    fn look(&mut self, body: &Body, tick: u64) {
        let (place, velocity) = (along(body.position), body.velocity() * Scalar::from(60));
        let stretch = CREASES.iter().filter(|crease| place > **crease).count();
        let is_near = CREASES.iter().any(|crease| (place - Scalar::from_num(*crease)).abs() < s(REACH));
        let speed = along(velocity);
        if tick > LANDED {
            let lift = (velocity.y - speed * SLOPES[stretch] / 128).abs();
            let most = &mut self.lifts[usize::from(is_near)];
            *most = lift.max(*most);
            self.swerve = self.swerve.max(across(velocity).abs());
            if SLOPES[stretch] == 0 && !is_near {
                let loss = self.speed - speed;
                self.losses = [self.losses[0].max(loss), self.losses[1].min(loss)];
            }
        }
        self.speed = speed;
    }
}

/// The rides of the ball and of the box, at the end of the scene, and its world.
fn rides() -> ([Ride; 2], World) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/track.ron");
    let scene = Scene::parse(&fs::read_to_string(path).unwrap()).unwrap();
    let (mut world, mut report) = (scene.initial_state, TickReport::default());
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let mut rides = [Ride::new(ids[0]), Ride::new(ids[1])];
    for tick in 1..=scene.ticks {
        world.step(&mut report);
        for ride in &mut rides {
            ride.look(world.body(ride.id).unwrap(), tick);
        }
    }
    (rides, world)
}

#[test]
fn a_minute_on_a_track_of_triangles_has_no_bump() {
    let ([ball, cube], world) = rides();
    for ride in [&ball, &cube] {
        let place = along(world.body(ride.id).unwrap().position);
        assert!(place > 180 && place < 205, "the end of the track is at 205, and it came to {place}");
        assert!(ride.swerve < s("0.0001"), "{}", ride.swerve);
    }
    // Between creases both stay on their planes; a box rocks for a tick where it tipped over a crest.
    assert!(
        ball.lifts[0] < s("0.000001") && cube.lifts[0] < s("0.00001"),
        "{} {}",
        ball.lifts[0],
        cube.lifts[0]
    );
    // At 4.6 units per second a slope that changes by 1/128 gives 0.036.
    assert!(ball.lifts[1] < s("0.04") && cube.lifts[1] < s("0.04"), "{} {}", ball.lifts[1], cube.lifts[1]);
    // On level ground a box without friction loses nothing, and a ball what rolling takes in every tick.
    assert_eq!(cube.losses, [Scalar::ZERO; 2]);
    assert!(ball.losses[0] < s("0.0000253") && ball.losses[1] > s("0.000025"), "{:?}", ball.losses);
    // Both come back to the height of the start, with most of their 2.5 units per second.
    assert!(ball.speed > s("2.37") && cube.speed > s("2.46"), "{} {}", ball.speed, cube.speed);
}

/// A ball without friction that rolls from a level floor onto a slope that rises by a part of its length, both one mesh.
fn valley(rise: Scalar, rate: u32, speed: Scalar, start: Scalar) -> World {
    let ice = Material::new(Scalar::ZERO).unwrap();
    let corner = |x: i16, y: Scalar, z: i16| Vec3::new(Scalar::from(x), y, Scalar::from(z));
    let far = rise * 64;
    let points = [
        corner(-64, Scalar::ZERO, -3),
        corner(-64, Scalar::ZERO, 3),
        corner(0, Scalar::ZERO, 3),
        corner(0, Scalar::ZERO, -3),
        corner(64, far, 3),
        corner(64, far, -3),
    ];
    let mesh = Mesh::new(&points, &[[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]]).unwrap();
    let mut builder = SceneryBuilder::default();
    let (ice, mesh) = (builder.material(ice), builder.shape(Shape::Mesh(mesh)));
    builder.fixed(mesh, ice, Vec3::ZERO);
    let ball = builder.shape(Shape::sphere(s("0.5")));
    let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
    let per_tick = |per_second: Scalar| Scalar::from_bits(per_second.to_bits() / i64::from(rate) / 2 * 2);
    let gravity = Vec3::new(Scalar::ZERO, per_tick(per_tick(s("-10"))), Scalar::ZERO);
    let velocity = Vec3::new(per_tick(speed), Scalar::ZERO, Scalar::ZERO);
    let position = Vec3::new(start, s("0.501"), Scalar::ZERO);
    let spawn = Spawn { velocity, rotates: true, ..Spawn::new(ball, position) };
    world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted().unwrap();
    world
}

#[test]
fn valleys_lift_no_ball() {
    let cases = [("0.0078125", "1"), ("0.0078125", "20"), ("0.0625", "2"), ("0.0625", "10"), ("0.25", "4")];
    for ((rise, speed), rate) in
        cases.into_iter().flat_map(|case| [20, 30, 60, 120, 240].map(|rate| (case, rate)))
    {
        let (rise, speed) = (s(rise), s(speed));
        for phase in 0..12 {
            let way = speed / i64::from(rate);
            let mut world = valley(rise, rate, speed, -speed / 2 - way * phase / 12);
            let (mut report, id) = (TickReport::default(), BodyId::from_parts(0, 0));
            for tick in 0..rate {
                world.step(&mut report);
                let place = world.body(id).unwrap().position;
                let height = place.y - place.x.max(Scalar::ZERO) * rise - s("0.5");
                // A ball that lies on the slope is higher by nearly a quarter of the square.
                let context = format!("{rate} Hz, rise {rise}, {speed} a second, phase {phase}, tick {tick}");
                assert!(height < rise * rise / 4 + s("0.0025"), "{height} at {}, {context}", place.x);
            }
            assert!(world.body(id).unwrap().position.x > speed / 3, "it did cross");
        }
    }
}

#[test]
fn short_faces_hold_nothing_beyond_their_ends() {
    // A floor with a narrow rim that rises beyond it, and a ramp that comes down to a narrow landing: a ball that is larger than the narrow face is beyond it.
    let cases = [
        (["-8", "0", "0", "0", "0.1", "0.1"], "0.8", "1.01"),
        (["-8", "4", "0", "0", "0.1", "0"], "0.95", "0.65"),
        (["-0.1", "0.1", "0", "0", "8", "0"], "-0.8", "1.01"),
    ];
    for (corners, x, y) in cases {
        let [x0, y0, x1, y1, x2, y2] = corners.map(s);
        let points: Vec<Vec3> = [(x0, y0), (x1, y1), (x2, y2)]
            .into_iter()
            .flat_map(|(x, y)| [-3, 3].map(|z: i16| Vec3::new(x, y, Scalar::from(z))))
            .collect();
        let mesh = Mesh::new(&points, &[[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]]).unwrap();
        let mut builder = SceneryBuilder::default();
        let (tar, mesh) = (builder.material(Material::INELASTIC), builder.shape(Shape::Mesh(mesh)));
        builder.fixed(mesh, tar, Vec3::ZERO);
        let ball = builder.shape(Shape::sphere(s("1")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let gravity = Vec3::lit("0", "-0.0027", "0").map_raw(|raw| raw / 2 * 2);
        let spawn = Spawn::new(ball, Vec3::new(s(x), s(y), Scalar::ZERO));
        world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted().unwrap();
        let mut report = TickReport::default();
        (0..180).for_each(|_| world.step(&mut report));
        let place = world.body(BodyId::from_parts(0, 0)).unwrap().position;
        assert!(place.y < -2, "{corners:?}: {place}");
    }
}

//! Prints digests of everything that a machine could compute differently: of the numbers and of every kernel,
//! on seeded arguments; of a game with its world; and of the recordings named as arguments, played again. Two
//! machines agree where they print the same lines.
//!
//! `cargo run --release --example digest -- replays/*.replay`

#[path = "digest/answer.rs"]
mod answer;
#[path = "../tests/support/brawl.rs"]
#[allow(dead_code)]
mod brawl;

use std::{env, fs, process::ExitCode};

use self::answer::Answer::{self, Both, First, Integer, Overlap, Point};

use bitstep::{
    geom::{
        AngularMotion, Inertia, Normal, Plane, Rotation, Vec3, angular_velocity_nearest, free_step,
        normalise, rotate_by, slowed_to_limit,
    },
    num::{
        Rng, Scalar, Toi,
        mul_div::mul_div_nearest,
        rng::Draws,
        root::{sqrt, sqrt_ceil},
        trig::{atan2, sin_cos},
    },
    overlap::{
        closest_point_aabb, closest_point_obb, closest_point_shape, distance_capsule_capsule_ceil,
        distance_convex_convex_ceil, distance_obb_capsule_ceil, distance_point_capsule_ceil,
        distance_point_obb_ceil, distance_point_shape_ceil, distance_shapes_ceil, manifold_shapes,
        overlap_aabb_aabb, overlap_aabb_capsule, overlap_aabb_obb, overlap_aabb_plane,
        overlap_capsule_capsule, overlap_convex_convex, overlap_convex_plane, overlap_obb_capsule,
        overlap_obb_obb, overlap_obb_plane, overlap_plane_capsule, overlap_shapes, overlap_sphere_aabb,
        overlap_sphere_capsule, overlap_sphere_obb, overlap_sphere_plane, overlap_sphere_sphere,
    },
    replay::{Recorder, Replay, play},
    session::{Game, Simulation, TickLog},
    shape::{Capsule, Convex, Hull, Obb, Shape, inertia_box, inertia_capsule},
    snapshot,
    sweep::{
        Advance, Hit, Proof, RelativeMotion, bracket_shapes, contact_center, span_aabb_aabb, span_shapes,
        span_sphere_sphere, sweep_aabb_aabb, sweep_aabb_capsule, sweep_aabb_obb, sweep_aabb_plane,
        sweep_capsule_capsule, sweep_convex_convex, sweep_convex_plane, sweep_obb_capsule, sweep_obb_obb,
        sweep_obb_plane, sweep_plane_capsule, sweep_ray_aabb, sweep_ray_capsule, sweep_ray_convex,
        sweep_ray_obb, sweep_ray_plane, sweep_ray_sphere, sweep_shapes, sweep_sphere_aabb,
        sweep_sphere_capsule, sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_plane_two_sided,
        sweep_sphere_sphere, sweep_turning, sweep_turning_with,
    },
    tick::TickReport,
};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

const SEED: u64 = 1999;
const CASES: u64 = 10_000;

fn main() -> ExitCode {
    let cases: Vec<_> = (0..CASES).map(case).collect();
    for (name, kernel) in kernels() {
        let mut bytes = Vec::new();
        let found = cases.iter().filter(|case| kernel(case).write(&mut bytes)).count();
        println!("{name:<28} {found:>5} of {CASES} {:032x}", xxh3_128(&bytes));
    }
    println!("{}", game_line());
    for path in env::args().skip(1) {
        match replay_line(&path) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// The length of a recording played here, its impacts and events, a digest of all reports, and its end:
/// computed here, not read from the file.
fn replay_line(path: &str) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let mut replay: Replay = Replay::read(&bytes).map_err(|error| error.to_string())?;
    replay.enable_events(true);
    let (mut ticks, mut impacts, mut events) = (0, 0, 0);
    let (mut reports, mut last) = (0, snapshot::checksum(replay.initial_state()));
    play(&replay, |world, report| {
        ticks += 1;
        impacts += report.impacts.len();
        events += report.events.len();
        reports = xxh3_64_with_seed(format!("{report:?}").as_bytes(), reports);
        last = snapshot::checksum(world);
    });
    let met = format!("{impacts:>7} impacts {events:>7} events");
    Ok(format!("{path:<28} {ticks:>5} ticks {met} {reports:016x} {last}"))
}

/// The result of a small game, with a digest of everything after every phase of every tick, and one of its
/// recording with all of that in it.
fn game_line() -> String {
    const TICKS: u64 = 300;
    let (mut session, mut report, mut log) =
        (brawl::initial_state(3), TickReport::default(), TickLog::states());
    let mut recorder = Recorder::new(Vec::new(), &session).expect("memory takes every byte");
    let mut phases = 0;
    for tick in 1..=TICKS {
        let orders = brawl::orders(tick);
        let _ = session.tick_logged(&orders, &mut report, &mut log); // the rules had each outcome
        log.phases.iter().for_each(|phase| phases = xxh3_64_with_seed(&phase.sum.to_le_bytes(), phases));
        recorder.tick_logged(&orders, &session, &log).expect("memory takes every byte");
    }
    let recording = recorder.finish().expect("memory takes every byte");
    let (name, recorded) = (format!("game {}", <brawl::Brawl as Game>::NAME), xxh3_128(&recording));
    let bytes = recording.len();
    format!(
        "{name:<28} {TICKS:>5} ticks {bytes:>7} bytes {recorded:032x} {phases:016x} {}",
        session.checksum()
    )
}

pub(crate) type Kernel = fn(&Case) -> Answer;

pub(crate) fn kernels() -> impl Iterator<Item = (&'static str, Kernel)> {
    [numbers(), overlaps(), convex_solids(), sweeps()].into_iter().flatten()
}

fn numbers() -> Vec<(&'static str, Kernel)> {
    vec![
        ("sqrt", |c| Integer(sqrt(c.gap).map_or(0, Scalar::to_bits).into())),
        ("sqrt_ceil", |c| Integer(sqrt_ceil(c.offset.length_squared_wide()) as i128)),
        ("mul_div_nearest", |c| {
            let (a, b) = (c.offset.dot_wide(c.offset), c.offset.dot_wide(c.motion));
            Integer(mul_div_nearest(a, b, a.max(1)))
        }),
        ("sin_cos", |c| {
            let (sine, cosine) = sin_cos(c.offset.x);
            Point(Vec3::new(sine, cosine, Scalar::ZERO))
        }),
        ("atan2", |c| Integer(atan2(c.offset.y, c.offset.x).to_bits().into())),
        ("of_nearest", |c| Point(c.motion.map_raw(|length| c.instant.of_nearest(length)))),
        ("normalise", |c| Point(normalise(c.offset).unwrap_or_default())),
        ("apply", |c| Point(c.turn.apply(c.offset))),
        ("Plane::from_points", |c| {
            let plane = Plane::from_points(c.near, c.offset, c.motion);
            plane.map_or(Overlap(false), |plane| {
                Point(Vec3::from_raw(plane.normal().components().map(i64::from)))
            })
        }),
        ("Plane::signed_distance", |c| Integer(c.plane.signed_distance(c.offset).to_bits().into())),
        ("Turning::at", |c| {
            let [w, x, y, z] = c.turnings[0].at(c.instant).components();
            Point(Vec3::from_raw([w.into(), x.into(), (i64::from(y) << 32) ^ i64::from(z)]))
        }),
        ("free_step", |c| {
            c.inertia().map_or(Overlap(false), |inertia| {
                let [w, x, y, z] = free_step(c.turn, c.near, &inertia).orientation.components();
                Point(Vec3::from_raw([w.into(), x.into(), (i64::from(y) << 32) ^ i64::from(z)]))
            })
        }),
        ("rotate_by", |c| {
            let [w, x, y, z] = rotate_by(c.turn, c.near.map_raw(|raw| raw >> 8)).orientation.components();
            Point(Vec3::from_raw([w.into(), x.into(), (i64::from(y) << 32) ^ i64::from(z)]))
        }),
        ("angular_velocity_nearest", |c| {
            let speed = c.inertia().and_then(|inertia| angular_velocity_nearest(c.turn, c.near, &inertia));
            speed.map_or(Overlap(false), Point)
        }),
        ("slowed_to_limit", |c| {
            c.inertia().map_or(Overlap(false), |inertia| Point(slowed_to_limit(c.turn, c.near, &inertia)))
        }),
        ("inertia_capsule", |c| {
            let made = inertia_capsule(7, c.radius, c.half.x);
            made.map_or(Overlap(false), |inertia| Integer(inertia.moments()[1] as i128))
        }),
        ("signed_distance", |c| Integer(c.plane.signed_distance(c.half).to_bits().into())),
    ]
}

fn overlaps() -> Vec<(&'static str, Kernel)> {
    vec![
        ("overlap_sphere_sphere", |c| Overlap(overlap_sphere_sphere(c.near, c.radius))),
        ("overlap_sphere_aabb", |c| Overlap(overlap_sphere_aabb(c.near, c.radius, c.half))),
        ("overlap_sphere_obb", |c| Overlap(overlap_sphere_obb(c.near, c.radius, &c.a))),
        ("overlap_sphere_plane", |c| Overlap(overlap_sphere_plane(c.near, c.radius, &c.plane))),
        ("overlap_aabb_aabb", |c| Overlap(overlap_aabb_aabb(c.near, c.half))),
        ("overlap_aabb_obb", |c| Overlap(overlap_aabb_obb(c.near, c.half, &c.a))),
        ("overlap_aabb_plane", |c| Overlap(overlap_aabb_plane(c.near, c.half, &c.plane))),
        ("overlap_obb_obb", |c| Overlap(overlap_obb_obb(c.near, &c.a, &c.b))),
        ("overlap_obb_plane", |c| Overlap(overlap_obb_plane(c.near, &c.a, &c.plane))),
        ("overlap_sphere_capsule", |c| Overlap(overlap_sphere_capsule(c.near, c.radius, &c.rods[0]))),
        ("overlap_aabb_capsule", |c| Overlap(overlap_aabb_capsule(c.near, c.half, &c.rods[0]))),
        ("overlap_obb_capsule", |c| Overlap(overlap_obb_capsule(c.near, &c.a, &c.rods[0]))),
        ("overlap_plane_capsule", |c| Overlap(overlap_plane_capsule(c.near, &c.plane, &c.rods[0]))),
        ("overlap_capsule_capsule", |c| Overlap(overlap_capsule_capsule(c.near, &c.rods[0], &c.rods[1]))),
        ("distance_point_capsule_ceil", |c| {
            Integer(distance_point_capsule_ceil(c.offset, &c.rods[0]).to_bits().into())
        }),
        ("distance_obb_capsule_ceil", |c| {
            Integer(distance_obb_capsule_ceil(c.offset, &c.a, &c.rods[0]).to_bits().into())
        }),
        ("distance_capsule_capsule_ceil", |c| {
            Integer(distance_capsule_capsule_ceil(c.offset, &c.rods[0], &c.rods[1]).to_bits().into())
        }),
        ("overlap_shapes", |c| Overlap(overlap_shapes(&c.aabb(), &Shape::Obb(c.a), c.near))),
        ("closest_point_aabb", |c| Point(closest_point_aabb(c.near, c.half))),
        ("closest_point_obb", |c| Point(closest_point_obb(c.near, &c.a))),
        ("closest_point_shape", |c| {
            let shapes = [Shape::sphere(c.radius), Shape::Plane(c.plane), Shape::Capsule(c.rods[0])];
            let [p, q, r] = shapes.map(|shape| closest_point_shape(c.near, &shape));
            Point(p.map_raw(|raw| raw ^ q.raw()[0]) + r)
        }),
        ("distance_shapes_ceil", |c| {
            let solids = [c.aabb(), Shape::Obb(c.a), Shape::Capsule(c.rods[0]), Shape::Plane(c.plane)];
            let to = |shape: &Shape| distance_shapes_ceil(&Shape::Obb(c.b), shape, c.offset);
            Integer(solids.iter().map(|shape| to(shape).map_or(0, Scalar::to_bits) as i128).sum())
        }),
        ("distance_point_obb_ceil", |c| Integer(distance_point_obb_ceil(c.offset, &c.a).to_bits().into())),
        ("distance_point_shape_ceil", |c| {
            Integer(distance_point_shape_ceil(c.offset, &Shape::Plane(c.plane)).to_bits().into())
        }),
        ("manifold_shapes", |c| c.manifold(&Shape::Obb(c.a), &Shape::Obb(c.b), c.near)),
        ("manifold_shapes:faces", |c| {
            let up = Vec3::from_raw([0, 0, 2 * c.half.z.to_bits()]);
            c.manifold(&c.aabb(), &Shape::obb(c.half, c.yaw()), up)
        }),
        ("manifold_shapes:level", |c| {
            let near = c.near.raw().map(|length| length / 4);
            let up = Vec3::from_raw([near[0], near[1], 2 * c.half.z.to_bits()]);
            c.manifold(&c.aabb(), &c.aabb(), up)
        }),
        ("manifold_shapes:plane", |c| c.manifold(&Shape::Plane(c.plane), &Shape::Obb(c.a), c.near)),
        ("manifold_shapes:rods", |c| {
            c.manifold(&Shape::Capsule(c.rods[0]), &Shape::Capsule(c.rods[1]), c.near)
        }),
        ("manifold_shapes:rod", |c| c.manifold(&Shape::Obb(c.a), &Shape::Capsule(c.rods[0]), c.near)),
    ]
}

fn convex_solids() -> Vec<(&'static str, Kernel)> {
    vec![
        ("overlap_convex_convex", |c| {
            Overlap(c.convex(|solid, rod, _| overlap_convex_convex(c.near, solid, rod)))
        }),
        ("overlap_convex_convex:hulls", |c| {
            Overlap(c.convex(|solid, _, other| overlap_convex_convex(c.near, solid, other)))
        }),
        ("overlap_convex_plane", |c| {
            Overlap(c.convex(|solid, _, _| overlap_convex_plane(c.near, solid, &c.plane)))
        }),
        ("distance_convex_convex_ceil", |c| {
            Integer(
                c.convex(|solid, _, other| distance_convex_convex_ceil(c.offset, solid, other))
                    .to_bits()
                    .into(),
            )
        }),
        ("sweep_convex_convex", |c| {
            First(c.convex(|solid, _, other| sweep_convex_convex(c.offset, c.motion, solid, other, c.gap)))
        }),
        ("sweep_convex_convex:rod", |c| {
            First(c.convex(|solid, rod, _| sweep_convex_convex(c.offset, c.motion, solid, rod, c.gap)))
        }),
        ("sweep_convex_plane", |c| {
            First(c.convex(|solid, _, _| sweep_convex_plane(c.offset, c.motion, solid, &c.plane, c.gap)))
        }),
        ("sweep_ray_convex", |c| First(c.convex(|solid, _, _| sweep_ray_convex(c.offset, c.motion, solid)))),
        ("sweep_turning:hulls", |c| {
            let [a, b] = c.hulls();
            First(c.advance(sweep_turning(&a, &b, &c.relative(), c.gap)))
        }),
        ("span_shapes:hulls", |c| {
            let [a, b] = c.hulls();
            Both(span_shapes(&a, &b, c.offset, c.motion, c.gap))
        }),
        ("closest_point_shape:hull", |c| Point(closest_point_shape(c.near, &c.hulls()[0]))),
        ("manifold_shapes:hulls", |c| {
            let [a, b] = c.hulls();
            c.manifold(&a, &b, c.near)
        }),
        ("manifold_shapes:hull", |c| c.manifold(&c.hulls()[0], &Shape::Obb(c.b), c.near)),
    ]
}

fn sweeps() -> Vec<(&'static str, Kernel)> {
    vec![
        ("sweep_sphere_sphere", |c| First(sweep_sphere_sphere(c.offset, c.motion, c.radius, c.gap))),
        ("sweep_sphere_aabb", |c| First(sweep_sphere_aabb(c.offset, c.motion, c.radius, c.half, c.gap))),
        ("sweep_sphere_obb", |c| First(sweep_sphere_obb(c.offset, c.motion, c.radius, &c.a, c.gap))),
        ("sweep_sphere_plane", |c| First(sweep_sphere_plane(c.offset, c.motion, c.radius, &c.plane, c.gap))),
        ("sweep_aabb_aabb", |c| First(sweep_aabb_aabb(c.offset, c.motion, c.half, c.gap))),
        ("sweep_aabb_obb", |c| First(sweep_aabb_obb(c.offset, c.motion, c.half, &c.a, c.gap))),
        ("sweep_aabb_plane", |c| First(sweep_aabb_plane(c.offset, c.motion, c.half, &c.plane, c.gap))),
        ("sweep_obb_obb", |c| First(sweep_obb_obb(c.offset, c.motion, &c.a, &c.b, c.gap))),
        ("sweep_obb_plane", |c| First(sweep_obb_plane(c.offset, c.motion, &c.a, &c.plane, c.gap))),
        ("sweep_shapes", |c| First(sweep_shapes(&c.aabb(), &Shape::Obb(c.a), c.offset, c.motion, c.gap))),
        ("sweep_turning", |c| {
            First(c.advance(sweep_turning(&Shape::Obb(c.a), &Shape::Obb(c.b), &c.relative(), c.gap)))
        }),
        ("sweep_turning:ball", |c| {
            First(c.advance(sweep_turning(&Shape::sphere(c.radius), &Shape::Obb(c.b), &c.relative(), c.gap)))
        }),
        ("sweep_turning:plane", |c| {
            First(c.advance(sweep_turning(&Shape::Obb(c.a), &Shape::Plane(c.plane), &c.relative(), c.gap)))
        }),
        ("sweep_turning_with", |c| {
            let mut last = None;
            let _ = sweep_turning_with(&c.aabb(), &Shape::Obb(c.b), &c.relative(), c.gap, |passed| {
                if let Proof::Normal { normal, .. } = passed.proof {
                    last = Some(Hit { toi: passed.until, normal });
                }
            });
            First(last)
        }),
        ("sweep_sphere_plane_two_sided", |c| {
            First(sweep_sphere_plane_two_sided(c.offset, c.motion, c.radius, &c.plane, c.gap))
        }),
        ("sweep_sphere_capsule", |c| {
            First(sweep_sphere_capsule(c.offset, c.motion, c.radius, &c.rods[0], c.gap))
        }),
        ("sweep_aabb_capsule", |c| First(sweep_aabb_capsule(c.offset, c.motion, c.half, &c.rods[0], c.gap))),
        ("sweep_obb_capsule", |c| First(sweep_obb_capsule(c.offset, c.motion, &c.a, &c.rods[0], c.gap))),
        ("sweep_plane_capsule", |c| {
            First(sweep_plane_capsule(c.offset, c.motion, &c.plane, &c.rods[0], c.gap))
        }),
        ("sweep_capsule_capsule", |c| {
            First(sweep_capsule_capsule(c.offset, c.motion, &c.rods[0], &c.rods[1], c.gap))
        }),
        ("sweep_ray_capsule", |c| First(sweep_ray_capsule(c.offset, c.motion, &c.rods[0]))),
        ("sweep_ray_aabb", |c| First(sweep_ray_aabb(c.offset, c.motion, c.half))),
        ("sweep_ray_obb", |c| First(sweep_ray_obb(c.offset, c.motion, &c.a))),
        ("sweep_ray_plane", |c| First(sweep_ray_plane(c.offset, c.motion, &c.plane))),
        ("sweep_ray_sphere", |c| First(sweep_ray_sphere(c.offset, c.motion, c.radius))),
        ("span_shapes", |c| {
            Both(span_shapes(&c.aabb(), &Shape::Capsule(c.rods[0]), c.offset, c.motion, c.gap))
        }),
        ("bracket_shapes", |c| Both(bracket_shapes(&c.aabb(), &Shape::Obb(c.a), c.offset, c.motion))),
        ("contact_center", |c| Point(contact_center(c.offset, c.motion, c.instant))),
        ("span_sphere_sphere", |c| Both(span_sphere_sphere(c.offset, c.motion, c.radius))),
        ("span_aabb_aabb", |c| Both(span_aabb_aabb(c.offset, c.motion, c.half))),
    ]
}

// ---------------------------------------------------------------- arguments

/// One set of arguments, of which each kernel takes its own.
pub(crate) struct Case {
    /// Far enough to be on the way, aimed so that about half of the sweeps hit.
    offset: Vec3,
    motion: Vec3,
    /// As large as the shapes.
    near: Vec3,
    gap: Scalar,
    radius: Scalar,
    half: Vec3,
    turn: Rotation,
    turnings: [AngularMotion; 2],
    a: Obb,
    b: Obb,
    plane: Plane,
    instant: Toi,
    rods: [Capsule; 2],
}

impl Case {
    /// Boxes without a corner, and a capsule.
    fn convex<T>(&self, answer: impl FnOnce(&Convex<'_>, &Convex<'_>, &Convex<'_>) -> T) -> T {
        let [a, b] = [self.a, self.b].map(|obb| obb.corners());
        let ends = self.rods[0].ends();
        let solid = |corners, radius| Convex::new(corners, radius).expect("corners");
        let [a, b] = [&a[..7], &b[..7]].map(|corners| solid(corners, Scalar::ZERO));
        answer(&a, &solid(&ends, self.rods[0].radius), &b)
    }

    /// The same boxes without a corner as hulls, turned; a box that is too flat for one as it is.
    fn hulls(&self) -> [Shape; 2] {
        [self.a, self.b].map(|obb| {
            let hull = Hull::of(&obb.corners()[..7]);
            hull.map_or(Shape::Obb(obb), |hull| {
                let axes = hull.axes();
                Shape::hull(hull).turned(axes)
            })
        })
    }

    fn aabb(&self) -> Shape {
        Shape::aabb(self.half)
    }

    fn relative(&self) -> RelativeMotion {
        let (offset, motion, turnings) = (self.offset, self.motion, self.turnings);
        RelativeMotion { offset, motion, arms: [Vec3::ZERO; 2], turnings, until: Toi::END }
    }

    /// The hit found, or one with the first axis as normal where there is none.
    fn advance(&self, found: Advance) -> Option<Hit> {
        match found {
            Advance::Hit(hit) => Some(hit),
            Advance::Unresolved(toi) => Some(Hit { toi, normal: Normal::X }),
            Advance::Clear => None,
        }
    }

    /// The sum of a manifold's places, each a different number of times with its gap: along the way between
    /// the shapes, or up where one is right over the other.
    fn manifold(&self, a: &Shape, b: &Shape, offset: Vec3) -> Answer {
        let [x, y, z] = offset.raw();
        let way = if x.abs().max(y.abs()) < z { Vec3::from_raw([0, 0, z]) } else { offset };
        let Some(way) = normalise(way) else { return Overlap(false) };
        let [x, y, z] = way.raw().map(|c| ((c + c.signum()) / 4) as i32);
        let found = manifold_shapes(a, b, offset, Normal::new(x, y, z), Scalar::from_bits(1 << 20));
        let mut sum = Vec3::ZERO;
        for (place, point) in found.points().iter().enumerate() {
            let times = 1 + place as i64;
            sum += (point.place + Vec3::splat(point.gap)).map_raw(|c| c * times);
        }
        Point(sum)
    }

    /// A turn about the third axis.
    fn yaw(&self) -> Rotation {
        let [w, _, _, z] = self.turn.components().map(|c| Scalar::from_bits(c.into()));
        Rotation::from_quaternion(w, Scalar::ZERO, Scalar::ZERO, z).expect("parts above zero")
    }

    /// Of the box of these half extents, where it is not too thin.
    fn inertia(&self) -> Option<Inertia> {
        inertia_box(9, self.half).ok()
    }
}

pub(crate) fn case(number: u64) -> Case {
    let mut draws = Rng::new(SEED).at(0, 0, number);
    let bits = 20 + draws.below(20) as u32; // of the shapes; the motion may be a little larger
    let gap = Scalar::from_bits(size(&mut draws, 16));
    let radius = Scalar::from_bits(size(&mut draws, bits));
    let half = Vec3::from_raw([(); 3].map(|()| size(&mut draws, bits)));
    let motion = vector(&mut draws, bits + 4);
    let near = vector(&mut draws, bits + 1);
    let eighths = draws.between(0, 9);
    let turns = [(); 2].map(|()| turn(&mut draws));
    let [x, y, z] = [(); 3].map(|()| draws.between(-1 << 30, 1 << 30) as i32);
    Case {
        offset: near - motion.map_raw(|length| length / 8 * eighths),
        motion,
        near,
        gap,
        radius,
        half,
        turn: turns[0],
        turnings: [[turns[0], turns[1]], [turns[1], turns[0]]].map(turning),
        a: Obb::new(half, turns[0]),
        b: Obb::new(half, turns[1]),
        plane: Plane::from_point_normal(vector(&mut draws, bits), Normal::new(x, y, z)).expect("a normal"),
        instant: Toi::from_raw(draws.below(1 << 32)).expect("an instant"),
        rods: [(); 2].map(|()| rod(&mut draws, bits)),
    }
}

fn size(draws: &mut Draws, bits: u32) -> i64 {
    draws.between(1, 1 << bits)
}

fn vector(draws: &mut Draws, bits: u32) -> Vec3 {
    Vec3::from_raw([(); 3].map(|()| draws.between(-1 << bits, 1 << bits)))
}

fn rod(draws: &mut Draws, bits: u32) -> Capsule {
    let radius = size(draws, bits);
    Capsule::new(vector(draws, bits) + Vec3::from_raw([1, 0, 0]), Scalar::from_bits(radius))
}

fn turn(draws: &mut Draws) -> Rotation {
    let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(draws.between(1, 1 << 32)));
    Rotation::from_quaternion(w, x, y, z).expect("a quaternion above zero")
}

/// A quarter of the way from one orientation to another.
fn turning([from, other]: [Rotation; 2]) -> AngularMotion {
    let (from_parts, other_parts) = (from.components(), other.components());
    let parts = [0, 1, 2, 3].map(|i: usize| 3 * i64::from(from_parts[i]) + i64::from(other_parts[i]));
    let [w, x, y, z] = parts.map(Scalar::from_bits);
    let to = Rotation::from_quaternion(w, x, y, z).expect("a quaternion above zero");
    AngularMotion::new(from, to).expect("less than a quarter turn")
}

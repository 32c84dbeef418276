//! Events beside a slow reference: all pairs, all legs, looked at instant by instant.

use std::sync::Arc;

use super::{ContactEvent, EventKind};
use crate::tick::touch_gap;
use crate::{
    geom::{AngularMotion, Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, Toi, lit, rng::Draws},
    overlap::{is_within, overlap_shapes},
    shape::{Hull, Obb, Shape},
    state::{
        BodyId, BodyType, Collider, Command, Limits, Material, Rule, Scenery, SceneryBuilder, ShapeId, Spawn,
        Spin, Static,
    },
    tick::{TickReport, World, bodies::body::BodyIndex, events::notes::Leg, exhaustive::add_walls},
};

mod spinning;

const UNIT: i64 = 1 << 32;

/// One of two, as the reference sees it.
#[derive(Clone, Copy)]
struct Seen<'a> {
    collider: Collider,
    shape: &'a Shape,
    body_type: BodyType,
    legs: &'a [Leg],
    /// The rotations of the legs, by the indices in them.
    turnings: &'a [AngularMotion],
    fixed: Vec3,
}

impl Seen<'_> {
    /// Its part of the gap that a pair keeps.
    fn turning_skin(&self) -> Scalar {
        let rotates = self.legs.iter().any(|leg| self.turning(leg).is_some());
        if rotates { crate::state::turning_skin(self.shape) } else { Scalar::ZERO }
    }

    fn leg(&self, toi: Toi) -> Option<&Leg> {
        self.legs.iter().rev().find(|leg| leg.path.start <= toi)
    }

    fn at(&self, toi: Toi) -> Vec3 {
        self.leg(toi).map_or(self.fixed, |leg| leg.path.at(toi))
    }

    fn turning(&self, leg: &Leg) -> Option<&AngularMotion> {
        leg.turning_in(self.turnings)
    }

    /// The orientation at an instant of a leg.
    fn lies(&self, leg: &Leg, toi: Toi) -> Option<Rotation> {
        self.turning(leg).map(|turning| turning.at(toi.since(leg.path.start)))
    }

    /// A solid of its own frame as it lies at an instant.
    fn turned(&self, shape: &Shape, toi: Toi) -> Shape {
        let lies = self.leg(toi).and_then(|leg| self.lies(leg, toi));
        lies.map_or_else(|| shape.clone(), |orientation| shape.turned(orientation))
    }

    /// The speed in whole units per tick, at least 1: a surface rotates by less than 2 radians.
    fn speed_ceil(&self) -> i64 {
        let motions = self.legs.iter().flat_map(|leg| leg.path.displacement.raw());
        let rotates =
            self.legs.iter().any(|leg| self.turning(leg).is_some_and(|turning| !turning.is_still()));
        let around = if rotates { 2 * self.radius_ceil() } else { 0 };
        1 + around + motions.map(|raw| raw.abs() >> 32).max().unwrap_or(0)
    }

    fn radius_ceil(&self) -> i64 {
        1 + (self.shape.bounding_radius().unwrap_or_default().to_bits() >> 32)
    }
}

/// A pair and how it counts as inside.
struct Pair<'a> {
    a: Seen<'a>,
    b: Seen<'a>,
    rule: Rule,
    gap: Scalar,
}

impl Pair<'_> {
    fn offset(&self, toi: Toi) -> Vec3 {
        self.b.at(toi) - self.a.at(toi)
    }

    /// True if they are inside by the definition, or if they had to be farther in or could be farther out
    /// by so many raw.
    fn inside(&self, toi: Toi, more: i64) -> bool {
        let offset = self.offset(toi);
        let gap = self.gap + Scalar::from_bits(more);
        let [a, b] = [self.a, self.b].map(|seen| seen.turned(seen.shape, toi));
        match self.rule {
            Rule::Solid => is_within(&a, &b, offset, gap),
            _ if more == 0 => overlap_shapes(&a, &b, offset),
            _ if more > 0 => is_within(&a, &b, offset, gap),
            _ => overlap_shapes(&self.a.turned(&smaller(self.a.shape, -more), toi), &b, offset),
        }
    }

    /// The bounds that the kernels state: how early, for the speed, and how far an axis of a turned box leans; of one that
    /// turns how far its points are from where they would be unrounded.
    fn slack(&self) -> [i64; 2] {
        let lean = [self.a, self.b].map(|seen| match seen.shape {
            _ if seen.legs.iter().any(|leg| seen.turning(leg).is_some()) => 128 * seen.radius_ceil(),
            Shape::Obb(_) | Shape::Capsule(_) | Shape::Hull(_) => 64 * seen.radius_ceil(),
            _ => 0,
        });
        let lean = lean[0] + lean[1];
        [-4 - lean, 8 + lean + 48 * (self.a.speed_ceil() + self.b.speed_ceil())]
    }

    /// True if an instant is in a part of a segment in which one of them turns, and they are inside where the part, or the stay inside that
    /// was told, begins and ends: a stay outside in between is not reported.
    fn is_interrupted(&self, toi: Toi, told: [Toi; 2], more: i64) -> bool {
        let starts =
            || [self.a, self.b].into_iter().flat_map(|seen| seen.legs.iter().map(|leg| leg.path.start));
        let start = starts().filter(|&start| start <= toi).max().unwrap();
        let end = starts().filter(|&start| start > toi).min().unwrap_or(Toi::END);
        let length = i128::from(end.since(start).raw());
        let turnings = [&self.a, &self.b].into_iter().filter_map(|seen| seen.turning(seen.leg(toi)?));
        let chord =
            turnings.flat_map(AngularMotion::chord_q30).map(|part| i128::from(part.abs())).sum::<i128>();
        if chord == 0 {
            return false;
        }
        // In each part all components together change by at most an eighth.
        let count = 1 + ((chord * 8 * length) >> 62);
        let cuts = (0..=count).map(|cut| start.raw() + (length * cut / count) as u64);
        let cuts: Vec<Toi> = cuts.map(|raw| Toi::from_raw(raw).unwrap()).collect();
        let holds = |part: &&[Toi]| part[0] <= toi && toi <= part[1];
        let stay = |part: &[Toi]| [part[0].max(told[0]), part[1].min(told[1])];
        cuts.windows(2).filter(holds).any(|part| stay(part).into_iter().all(|end| self.inside(end, more)))
    }

    /// The instants at which legs begin, all around the events, and some between.
    fn instants(&self, events: &[&ContactEvent]) -> Vec<Toi> {
        let starts = [self.a, self.b].into_iter().flat_map(|seen| seen.legs.iter().map(|leg| leg.path.start));
        let mut all: Vec<Toi> = starts.collect();
        let steps = [0_i64, 1, 2, 3, 40, 1 << 9, 1 << 14, 1 << 20, 1 << 26];
        for event in events {
            let raw = event.toi.raw() as i64;
            let near = steps.into_iter().flat_map(|step| [raw - step, raw + step]);
            all.extend(near.filter_map(|raw| Toi::from_raw(u64::try_from(raw).ok()?)));
        }
        let parts = if events.is_empty() { 8 } else { 48 };
        all.extend((0..=parts).filter_map(|part| Toi::from_raw((part << 32) / parts)));
        all
    }
}

fn smaller(shape: &Shape, by: i64) -> Shape {
    let by = Scalar::from_bits(by);
    match shape {
        Shape::Sphere { radius } => Shape::sphere((*radius - by).max(Scalar::ZERO)),
        Shape::Aabb { half } => Shape::aabb(*half - Vec3::splat(by)),
        Shape::Capsule(capsule) => Shape::capsule(capsule.half_axis, (capsule.radius - by).max(Scalar::ZERO)),
        Shape::Obb(obb) => {
            let shorter = |raw: i64| raw - by.to_bits() * raw.signum();
            Shape::Obb(Obb { half_edges: obb.half_edges.map(|edge| edge.map_raw(shorter)) })
        }
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => shape.clone(),
        // Each face is farther from the middle than 2^-6 unit.
        Shape::Hull(form) => {
            Shape::Hull(form.scaled(|raw| raw - ((i128::from(raw) * i128::from(by.to_bits())) >> 26) as i64))
        }
    }
}

/// Counts of what a run had.
#[derive(Default, Debug)]
struct Counts {
    events: [usize; 5],
    /// Instants at which a pair was inside, and outside.
    looks: [usize; 2],
    /// Visits that begin and end in one tick.
    visits: usize,
    legs: usize,
    /// Legs that turn, and events that are not hits of pairs of which one does.
    turning: usize,
    of_turning: usize,
    /// Looks outside in the middle of a part of a turn.
    interrupted: usize,
}

/// Checks every pair of the last tick, which began with these spins of bodies.
fn check(world: &World, before: &[Option<Spin>], report: &TickReport, counts: &mut Counts) {
    assert!(!report.events_cut && report.events.is_sorted());
    assert!(report.events.windows(2).all(|pair| pair[0] != pair[1]), "each is its own key");
    let (notes, scenery) = (&world.scratch.events.notes, &world.scenery);
    counts.legs += notes.legs.len();
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let ways: Vec<Vec<Leg>> = (0..ids.len() as u32)
        .map(|index| notes.legs_of(BodyIndex(index)).iter().copied().collect())
        .collect();
    let seen_body = |index: usize| {
        let (collider, body) = (Collider::Body(ids[index]), &world.scratch.sim.all()[index]);
        let legs: &[Leg] = &ways[index];
        assert!(legs[0].path.start == Toi::START && legs.is_sorted_by_key(|leg| leg.path.start));
        let end = legs[legs.len() - 1].path.at(Toi::END);
        assert_eq!(end, world.body(ids[index]).unwrap().position, "the last leg leads to where it is");
        for pair in legs.windows(2) {
            // A blocked one that has hardly moved stands where it stood.
            let is_put = body.held && pair[1].path.position == legs[0].path.position;
            let leads_to = pair[0].path.at(pair[1].path.start);
            assert!(is_put || leads_to == pair[1].path.position, "{collider}: {legs:?}");
        }
        let (shape, turnings) = (scenery.shape(body.shape), &*notes.turnings);
        let body_type = world.body(ids[index]).unwrap().body_type;
        let seen = Seen { collider, shape, body_type, legs, turnings, fixed: Vec3::ZERO };
        check_lies(&seen, before[index], world.body(ids[index]).unwrap().spin);
        let is_turning = |leg: &&Leg| seen.turning(leg).is_some_and(|turning| !turning.is_still());
        counts.turning += legs.iter().filter(is_turning).count();
        seen
    };
    let all: Vec<Seen<'_>> = (0..ids.len()).map(seen_body).collect();
    let mut listed = 0;
    for a in 0..all.len() {
        let filter = world.scratch.sim.all()[a].filter;
        for b in a + 1..all.len() {
            let rule = world.state.layers.rule(filter, world.scratch.sim.all()[b].filter);
            listed += check_pair((all[a], all[b], rule), report, counts);
        }
        for (index, fixed) in scenery.statics().iter().enumerate() {
            let rule = world.state.layers.rule(filter, fixed.filter());
            let (collider, shape) =
                (Collider::Static(crate::state::StaticId(index as u32)), scenery.shape(fixed.shape));
            let (body_type, fixed) = (BodyType::Static, fixed.position);
            let b = Seen { collider, shape, body_type, legs: &[], turnings: &[], fixed };
            listed += check_pair((all[a], b, rule), report, counts);
        }
    }
    assert_eq!(listed, report.events.len(), "every event is of a pair that exists");
}

/// Checks that the legs of a body turn from how it lay when the tick began to how it lies now.
fn check_lies(seen: &Seen<'_>, before: Option<Spin>, after: Option<Spin>) {
    let is_seen = before.is_some() && !matches!(seen.shape, Shape::Sphere { .. });
    let legs = seen.legs;
    assert!(legs.iter().all(|leg| seen.turning(leg).is_some() == is_seen), "{}", seen.collider);
    if is_seen {
        let ends = [seen.lies(&legs[0], Toi::START), seen.lies(&legs[legs.len() - 1], Toi::END)];
        assert_eq!(ends, [before, after].map(|spin| spin.map(|spin| spin.orientation)), "{}", seen.collider);
        for pair in legs.windows(2) {
            let meets = pair[1].path.start;
            assert_eq!(seen.lies(&pair[0], meets), seen.lies(&pair[1], meets), "{}", seen.collider);
        }
    }
}

/// Checks one pair; returns how many events it has.
fn check_pair((a, b, rule): (Seen<'_>, Seen<'_>, Rule), report: &TickReport, counts: &mut Counts) -> usize {
    let is_of = |event: &&ContactEvent| Collider::Body(event.a) == a.collider && event.b == b.collider;
    let events: Vec<&ContactEvent> = report.events.iter().filter(is_of).collect();
    let context = || format!("tick {}, {} and {}: {events:?}", report.tick, a.collider, b.collider);
    if rule == Rule::Ignore {
        assert!(events.is_empty(), "{}", context());
        return 0;
    }
    let more = a.turning_skin() + b.turning_skin();
    let touch = || touch_gap((a.shape, a.body_type), (b.shape, b.body_type));
    let gap = if rule == Rule::Solid { touch() + more } else { Scalar::ZERO };
    let pair = Pair { a, b, rule, gap };
    let kinds = match rule {
        Rule::Solid => [EventKind::Begin, EventKind::End],
        _ => [EventKind::Enter, EventKind::Exit],
    };
    if [a, b].iter().any(|seen| seen.legs.iter().any(|leg| seen.turning(leg).is_some())) {
        counts.of_turning += events.iter().filter(|event| event.kind != EventKind::Hit).count();
    }
    let entry = pair.inside(Toi::START, 0);
    let mut inside = entry;
    for event in &events {
        counts.events[event.kind as usize] += 1;
        match event.kind {
            EventKind::Hit => {
                assert!(inside && rule == Rule::Solid, "{}", context());
                let skin = (crate::state::skin(a.shape, b.shape) + more).to_bits();
                let offset = pair.offset(event.toi);
                let near = Scalar::from_bits(skin + pair.slack()[1]);
                let [form_a, form_b] = [a, b].map(|seen| seen.turned(seen.shape, event.toi));
                assert!(is_within(&form_a, &form_b, offset, near), "a hit is where they meet: {}", context());
                assert!(report.impact_of(event).is_some());
            }
            kind => {
                assert_eq!(kind, kinds[usize::from(inside)], "{}", context());
                inside = !inside;
            }
        }
    }
    assert_eq!(inside, pair.inside(Toi::END, 0), "what began and ended is the difference: {}", context());
    let changes: Vec<Toi> =
        events.iter().filter(|event| event.kind != EventKind::Hit).map(|event| event.toi).collect();
    counts.visits += changes.len().saturating_sub(usize::from(entry)) / 2;
    assert!(changes.is_sorted(), "{}", context());
    let [deep, far] = pair.slack();
    for toi in pair.instants(&events) {
        // At the instant of a change both are right.
        let before = entry ^ (changes.iter().filter(|&&change| change < toi).count() % 2 == 1);
        let after = entry ^ (changes.iter().filter(|&&change| change <= toi).count() % 2 == 1);
        if pair.inside(toi, deep) {
            counts.looks[0] += 1;
            assert!(before || after || changes.contains(&toi), "inside at {toi}: {}", context());
        }
        if !pair.inside(toi, far) {
            counts.looks[1] += 1;
            let is_told = !(before && after);
            counts.interrupted += usize::from(!is_told);
            let begin = changes.iter().rev().find(|&&change| change <= toi).copied().unwrap_or(Toi::START);
            let end = changes.iter().find(|&&change| change >= toi).copied().unwrap_or(Toi::END);
            assert!(
                is_told || pair.is_interrupted(toi, [begin, end], far),
                "outside at {toi}: {}",
                context()
            );
        }
    }
    events.len()
}

/// A yard of every shape, some of them on layer 5, of which layers 0 and 5 only report.
///
/// Each as it is, or as a solid of about the same size that is made of it.
fn yard(half: i64, made: fn(&Shape) -> Shape) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.7")).unwrap());
    for shape in [
        Shape::sphere(lit("0.3")),
        Shape::aabb(Vec3::new(lit("0.25"), lit("0.2"), lit("0.35"))),
        Shape::sphere(lit("0.06")),
    ] {
        builder.shape(made(&shape));
    }
    add_walls(&mut builder, material, half);
    let turned = Rotation::from_quaternion(lit("3"), lit("1"), lit("-2"), lit("0.5")).unwrap();
    let slant = Plane::from_point_normal(Vec3::ZERO, Normal::new(1, 5, 2)).unwrap();
    let shapes = [
        (Shape::aabb(Vec3::new(lit("0.02"), lit("1"), lit("1"))), [1, 0, 0]),
        (Shape::obb(Vec3::new(lit("0.8"), lit("0.1"), lit("0.9")), turned), [-1, 0, 1]),
        (Shape::sphere(lit("0.7")), [0, 1, -1]),
        (Shape::Plane(slant), [0, -2, 0]),
    ];
    for (shape, cell) in shapes {
        let shape = builder.shape(made(&shape));
        for layer in [0, 5] {
            let shift = if layer == 0 { 0 } else { UNIT / 3 };
            let position = Vec3::from_raw(cell.map(|c| c * half * 5 / 12 + shift));
            builder.add(Static { shape, material, position, layer });
        }
    }
    builder.build().unwrap()
}

/// A capsule about as large as a solid; a plane as it is.
fn rod(shape: &Shape) -> Shape {
    let Some(half) = shape.half_extent() else { return shape.clone() };
    let [x, y, z] = half.raw();
    let radius = Scalar::from_bits(x.min(y).min(z));
    Shape::capsule(Vec3::from_raw([x, -y / 2, z / 3]), radius)
}

/// A hull about as large as a solid, with an edge on one side and a face on the other; a plane as it is.
fn wedge(shape: &Shape) -> Shape {
    let Some(half) = shape.half_extent() else { return shape.clone() };
    let [x, y, z] = half.raw();
    let corners =
        [[x, -y, z], [-x, -y, z], [x / 3, y, z / 2], [x, -y, -z], [-x, -y, -z], [-x / 3, y, -z / 2]];
    Shape::hull(Hull::of(&corners.map(Vec3::from_raw)).unwrap())
}

/// A crowd of as many bodies as find room, some of them kinematic or static, some that are sensors.
fn fill(world: &mut World, half: i64, count: u64, speed: i64) {
    for index in 0..count {
        let mut draws = Rng::new(5).at(1, index, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (position, velocity) = (vector(half), vector(speed));
        let layer = if index % 4 == 3 { 5 } else { 0 };
        let kind = match index % 7 {
            5 => BodyType::Kinematic,
            6 if layer == 5 => BodyType::Static,
            _ => BodyType::Dynamic,
        };
        let velocity = if kind == BodyType::Static { Vec3::ZERO } else { velocity };
        let spawn =
            Spawn { body_type: kind, layer, velocity, ..Spawn::new(ShapeId((index % 3) as u16), position) };
        let _ = world.apply(&[Command::Spawn(spawn)]);
    }
}

fn change(draws: &mut Draws, world: &World) -> Command {
    let body = BodyId::from_parts(draws.below(world.state.slots.len() as u64) as u32, 0);
    let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
    let (velocity, position) = (vector(UNIT / 4), vector(2 * UNIT));
    match draws.below(3) {
        0 => Command::SetVelocity { body, velocity },
        1 => Command::ApplyImpulse { body, impulse: velocity },
        _ => Command::Teleport { body, position, orientation: None, allow_overlap: draws.below(4) == 0 },
    }
}

/// Runs a tick and checks every pair.
fn step(world: &mut World, commands: &[Command], report: &mut TickReport, counts: &mut Counts) {
    let _ = world.apply(commands);
    let before: Vec<Option<Spin>> = world.bodies().map(|(_, body)| body.spin).collect();
    world.step(report);
    check(world, &before, report, counts);
}

/// A yard full of bodies.
struct Yard {
    half: i64,
    made: fn(&Shape) -> Shape,
    count: u64,
    speed: i64,
    gravity: Vec3,
}

/// Runs a yard and checks every pair in every tick.
fn run(rate: u32, Yard { half, made, count, speed, gravity }: Yard) -> Counts {
    let limits = Limits { speed_max: lit("256"), ..Limits::new(rate) };
    let mut world = World::new(limits, yard(half, made)).unwrap();
    let rules =
        [(0, 5), (5, 5)].map(|(a, b)| Command::SetLayers { a, b, rule: Rule::Sensor, allow_overlap: false });
    world.apply(&rules).accepted().unwrap();
    world.apply(&[Command::SetGravity { gravity: limits.gravity_nearest_even(gravity) }]).accepted().unwrap();
    fill(&mut world, half, count, speed);
    world.enable_events(true);
    let (mut report, mut counts) = (TickReport::default(), Counts::default());
    for tick in 0..40 {
        let mut draws = Rng::new(6).at(2, u64::from(rate), tick);
        let commands = [(); 2].map(|()| change(&mut draws, &world));
        step(&mut world, &commands, &mut report, &mut counts);
    }
    counts
}

#[test]
fn events_in_a_yard_without_gravity() {
    let counts =
        run(60, Yard { half: 2 * UNIT, made: Shape::clone, count: 90, speed: UNIT, gravity: Vec3::ZERO });
    assert!(counts.events.iter().all(|&count| count > 120), "{counts:?}");
    assert!(counts.looks.iter().all(|&count| count > 10_000) && counts.visits > 250, "{counts:?}");
}

#[test]
fn bullets_among_each_other() {
    let counts = run(
        60,
        Yard { half: 5 * UNIT / 2, made: Shape::clone, count: 90, speed: 20 * UNIT, gravity: Vec3::ZERO },
    );
    assert!(counts.events.iter().all(|&count| count > 200), "{counts:?}");
    assert!(counts.visits > 700 && counts.legs > 3_000, "{counts:?}");
}

#[test]
fn events_of_bodies_that_come_to_rest() {
    for rate in [10, 20, 60, 120] {
        let gravity = Vec3::new(lit("0"), lit("-9.81"), lit("0"));
        let counts =
            run(rate, Yard { half: 2 * UNIT, made: Shape::clone, count: 60, speed: UNIT / 20, gravity });
        assert!(counts.events.iter().all(|&count| count > 30), "{rate}: {counts:?}");
        assert!(counts.looks.iter().all(|&count| count > 10_000), "{rate}: {counts:?}");
    }
}

#[test]
fn hulls_among_each_other() {
    let gravity = Vec3::new(lit("0"), lit("-9.81"), lit("0"));
    for (count, speed, pull) in
        [(90, UNIT, Vec3::ZERO), (70, 12 * UNIT, Vec3::ZERO), (60, UNIT / 20, gravity)]
    {
        let counts = run(60, Yard { half: 5 * UNIT / 2, made: wedge, count, speed, gravity: pull });
        println!("{counts:?}");
        assert!(counts.events.iter().all(|&count| count > 20), "{counts:?}");
        assert!(counts.looks.iter().all(|&count| count > 5_000), "{counts:?}");
    }
}

#[test]
fn capsules_among_each_other() {
    let gravity = Vec3::new(lit("0"), lit("-9.81"), lit("0"));
    for (count, speed, pull) in
        [(90, UNIT, Vec3::ZERO), (70, 12 * UNIT, Vec3::ZERO), (60, UNIT / 20, gravity)]
    {
        let counts = run(60, Yard { half: 5 * UNIT / 2, made: rod, count, speed, gravity: pull });
        println!("{counts:?}");
        assert!(counts.events.iter().all(|&count| count > 20), "{counts:?}");
        assert!(counts.looks.iter().all(|&count| count > 5_000), "{counts:?}");
    }
}

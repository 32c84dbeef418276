//! The laws of every tick, whatever the world.

#[path = "beside.rs"]
mod beside;

pub use beside::Beside;

use std::collections::BTreeSet;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Scalar, lit},
    overlap::overlap_shapes,
    query::QueryFilter,
    shape::{Obb, Shape},
    state::{
        Body, BodyId, BodyType, Collider, Command, Face, Filter, Locks, OnHit, PlacedShape, Rule, Sleep,
        StaticId, turning_skin,
    },
    tick::{EventKind, Impact, TickReport, touch_gap},
};

/// Distance in raw by which the rounding of paths may bring an overlapping pair nearer in a tick.
const DEEPER_RAW: u128 = 16;

/// The least half extent of a body that has room between resting and not touching, in raw.
const ROOM_RAW: i64 = 512;

/// More than any pair's touch gap, in units.
const MOST_TOUCHING: Scalar = lit("0.0625");

/// A pair of which neither may enter the other.
pub type Pair = (BodyId, Collider);

/// All solid pairs that overlap with any child shape, by the exact predicate, of all pairs.
pub fn overlapping(world: &World) -> BTreeSet<Pair> {
    overlapping_as(world, world)
}

/// The same, of pairs that are solid in the tick that begins with a world.
pub fn overlapping_as(world: &World, entry: &World) -> BTreeSet<Pair> {
    let (all, layers) = (solids(world), world.state().layers);
    let (before, mut found) = (solids(entry), BTreeSet::new());
    for (index, one) in all.iter().enumerate() {
        let Collider::Body(id) = one.collider else { continue };
        for other in all[index + 1..].iter().filter(|other| other.collider != one.collider) {
            let is_solid =
                layers.is_solid(one.filter, other.filter) && !is_filtered(entry, &before, id, other.collider);
            if is_solid && overlap_shapes(&one.form, &other.form, other.position - one.position) {
                found.insert((id, other.collider));
            }
        }
    }
    found
}

/// Pairs with the mesh instead of its facets, of which others may be one after a change of heights.
fn with_meshes(world: &World, pairs: &BTreeSet<Pair>) -> BTreeSet<Pair> {
    let whole = |other: Collider| match other {
        Collider::Static(id) => Collider::Static(owner(world, id)),
        Collider::Body(_) => other,
    };
    pairs.iter().map(|&(id, other)| (id, whole(other))).collect()
}

/// A body of one shape, a child shape of a compound, or a static.
struct Of {
    collider: Collider,
    /// The shape in its own frame, and as rotated.
    own: Shape,
    form: Shape,
    position: Vec3,
    filter: Filter,
    /// The additional distance at which it touches, as it rotates.
    more: Scalar,
    /// The face on which it is open.
    open: Option<Face>,
}

/// True if two do not collide in the tick that begins with a world, of which these are the solids: they are
/// ignored, or one is open on a side and the other one is not on that side.
fn is_filtered(entry: &World, all: &[Of], id: BodyId, other: Collider) -> bool {
    let of = |collider: Collider| all.iter().filter(move |of| of.collider == collider);
    let comes_through = |body: Collider, platform: Collider| {
        of(platform).any(|platform| {
            let is_solid = |of: &&Of| entry.state().layers.is_solid(of.filter, platform.filter);
            platform
                .open
                .is_some_and(|face| of(body).filter(is_solid).any(|of| !is_beyond(of, platform, face)))
        })
    };
    let named = match other {
        Collider::Static(id) => Collider::Static(owner(entry, id)),
        Collider::Body(_) => other,
    };
    entry.state().is_ignored(id, named)
        || comes_through(Collider::Body(id), other)
        || comes_through(other, Collider::Body(id))
}

/// True if a solid is beyond the plane of a face of an aabb.
fn is_beyond(of: &Of, platform: &Of, face: Face) -> bool {
    let Shape::Aabb { half } = platform.own else { panic!("{:?} is open", platform.own) };
    let (axis, sign) = face.direction().expect("a face of a box");
    let mut point = [0; 3];
    point[axis] = half.raw()[axis] * sign;
    let normal = [Normal::X, Normal::Y, Normal::Z][axis];
    let normal = if sign > 0 { normal } else { -normal };
    let plane = Plane::from_point_normal(Vec3::from_raw(point), normal).expect("a normal");
    !overlap_shapes(&of.form, &Shape::Plane(plane), platform.position - of.position)
}

/// All solids: first the bodies, by id and child shape.
fn solids(world: &World) -> Vec<Of> {
    let scenery = world.scenery();
    let bodies = world.bodies().flat_map(|(id, body)| {
        let own = scenery.solids(body.shape).expect("a shape");
        let hull = scenery.compound_of(body.shape).map(|_| hull(&own));
        let open = scenery.open_face(body.shape);
        own.into_iter().zip(body.solids(scenery)).map(move |(own, solid)| Of {
            open,
            collider: Collider::Body(id),
            form: solid.shape,
            position: body.position + solid.offset,
            filter: Filter { layer: solid.layer.unwrap_or(body.layer), ..body.filter() },
            more: body.spin.map_or(Scalar::ZERO, |_| turning_skin(hull.as_ref().unwrap_or(&own.shape))),
            own: own.shape,
        })
    });
    // Instead of a mesh its facets, behind all statics.
    let statics = (0..scenery.static_count() as u32).map(StaticId).filter_map(|id| {
        let facet = scenery.facet(id);
        // Ids of triangles of heights that begin no facet name nothing.
        let fixed = scenery.statics().get(owner(world, id).0 as usize)?;
        let shape = &scenery.shapes()[usize::from(fixed.shape.0)];
        let (shape, position) = match facet {
            Some((facet, position)) => (Shape::Facet(facet.clone()), position),
            None => (shape.clone(), fixed.position),
        };
        let (collider, more) = (Collider::Static(id), Scalar::ZERO);
        let (filter, open) = (fixed.filter(), scenery.open_face(fixed.shape));
        let of = Of { collider, own: shape.clone(), form: shape, position, filter, more, open };
        (!matches!(of.own, Shape::Mesh(_))).then_some(of)
    });
    bodies.chain(statics).collect()
}

/// The static that an id belongs to: that of a facet is its mesh.
fn owner(world: &World, id: StaticId) -> StaticId {
    world.scenery().mesh_part(id).map_or(id, |(owner, _)| owner)
}

/// A box that holds all child shapes of a compound, and a few raw more.
fn hull(children: &[PlacedShape]) -> Shape {
    let reach =
        |child: &PlacedShape| child.offset.map_raw(i64::abs) + child.shape.half_extent().unwrap_or_default();
    let most = children.iter().map(reach).fold(Vec3::ZERO, Vec3::max);
    Shape::Obb(Obb::along_axes(most + Vec3::from_raw([8; 3])))
}

/// True if a command may make solids overlap.
#[must_use]
pub fn may_overlap(command: &Command) -> bool {
    match *command {
        Command::Spawn(spawn) => spawn.allow_overlap,
        Command::Teleport { allow_overlap, .. }
        | Command::SetShape { allow_overlap, .. }
        | Command::SetCompound { allow_overlap, .. }
        | Command::SetFilter { allow_overlap, .. }
        | Command::SetLayers { allow_overlap, .. } => allow_overlap,
        Command::IgnorePair { ticks, .. } => ticks == 0,
        Command::SetHeights { lift, .. } => lift,
        _ => false,
    }
}

/// Checks a body after a tick.
///
/// # Panics
///
/// If it is not valid.
pub fn assert_sound(body: &Body, before: Option<&Body>) {
    assert_eq!(body.locks.free_part(body.momentum), body.momentum);
    assert!(!body.stops || body.frozen > 0 || before.is_some_and(|before| before.frozen > 0));
    let Some(before) = before else { return };
    if before.frozen > 0 {
        let was = Body { frozen: before.frozen - 1, ..*before };
        assert_eq!(*body, was, "a frozen body stays as it is");
        return;
    }
    assert_eq!(body.locks.free_part(body.position - before.position), body.position - before.position);
    match body.body_type {
        BodyType::Static => assert_eq!((body.position, body.momentum), (before.position, Vec3::ZERO)),
        BodyType::Kinematic if before.stops => assert_eq!(body.momentum, Vec3::ZERO),
        BodyType::Kinematic => assert_eq!(body.momentum, before.momentum),
        BodyType::Dynamic => {}
    }
    if body.body_type == BodyType::Static {
        assert_eq!(body.spin, before.spin);
    }
    assert_eq!(body.spin.is_some(), before.spin.is_some());
    if let (Some(spin), Some(before)) = (body.spin, before.spin) {
        let stays = body.locks.and(Locks::TURN_ALL) == body.locks;
        assert!(!stays || spin.orientation == before.orientation, "turned about a locked axis");
    }
    let unmoved = |body: &Body| {
        let still = Body { position: Vec3::ZERO, momentum: Vec3::ZERO, spin: None, ..*body };
        Body { stops: false, ..still }
    };
    assert_eq!(unmoved(body), unmoved(before), "a tick changes nothing but motion");
}

/// Checks the report of a tick: in order, about existing bodies, within the budget, and with the momentum to
/// the bit.
///
/// # Panics
///
/// If it is not valid.
pub fn assert_report(report: &TickReport, before: &World, world: &World) {
    let gained = |axis: usize| world.momentum_wide()[axis] - before.momentum_wide()[axis];
    assert_eq!(report.ledger.total(), [0, 1, 2].map(gained), "the ledger");
    assert_eq!(report.tick, world.tick_count());
    assert!(report.impacts.is_sorted_by_key(|impact| impact.toi), "impacts by time");
    for list in [&report.impact_limited, &report.velocity_corrected, &report.out_of_bounds, &report.reverted]
    {
        assert!(list.is_sorted_by(|a, b| a < b), "a list in order: {list:?}");
        let is_known = |id: BodyId| world.body(id).is_some() || has_gone(report, id);
        assert!(list.iter().all(|&id| is_known(id)), "bodies that there are: {list:?}");
    }
    assert!(report.removed.is_sorted_by(|a, b| a < b), "removed in order: {:?}", report.removed);
    assert!(report.removed.iter().all(|gone| world.body(gone.body).is_none()), "a removed body is not there");
    assert!(report.blocked.is_sorted_by(|a, b| a < b), "blocked in order: {:?}", report.blocked);
}

/// True if a body was removed at its first impact in a tick.
fn has_gone(report: &TickReport, id: BodyId) -> bool {
    report.removed.iter().any(|gone| gone.body == id)
}

/// Checks the budget: a body with more impacts in a step of a tick than the budget is held, and so is one
/// with more in all than that in each step, given the world as the tick began. A frozen body is held already,
/// and one that stops at its first impact is held then.
///
/// # Panics
///
/// If one is not.
pub fn assert_budget(report: &TickReport, entry: &World, world: &World) {
    let is_usual = |body: &Body| body.frozen == 0 && body.on_hit == OnHit::Continue;
    for (id, body) in world.bodies().filter(|(id, _)| entry.body(*id).is_some_and(is_usual)) {
        let met = |collider| collider == Collider::Body(id);
        let is_of = |impact: &&Impact| !impact.pressed && (impact.a == id || met(impact.b));
        let impacts = report.impacts.iter().filter(is_of).count();
        let is_over = impacts > world.limits().budget as usize * usize::from(world.limits().substeps);
        let is_held = report.impact_limited.contains(&id) || report.out_of_bounds.contains(&id);
        assert!(
            !is_over || is_held || body.body_type != BodyType::Dynamic,
            "{impacts} impacts of {id}, not held"
        );
    }
}

/// All solid pairs of child shapes that touch, and all pairs of sensors that overlap, by the exact
/// predicates; of pairs that are so in the tick that begins with a world.
fn inside(world: &World, entry: &World) -> BTreeSet<(Pair, [u8; 2])> {
    let (all, before, layers) = (solids(world), solids(entry), world.state().layers);
    let of = |collider: Collider, child: u8| {
        &all[all.partition_point(|one| one.collider < collider) + usize::from(child)]
    };
    let (view, mut near, mut found) = (world.query_view(), Vec::new(), BTreeSet::new());
    for (id, _) in world.bodies() {
        view.contacts(id, MOST_TOUCHING, &QueryFilter::ALL, &mut near).expect("a body and a gap");
        for contact in near.iter().filter(|contact| contact.collider > Collider::Body(id)) {
            let (one, other) =
                (of(Collider::Body(id), contact.children[0]), of(contact.collider, contact.children[1]));
            let is_inside = match layers.rule(one.filter, other.filter) {
                Rule::Ignore => false,
                Rule::Solid if is_filtered(entry, &before, id, contact.collider) => false,
                Rule::Sensor | Rule::Soft => {
                    overlap_shapes(&one.form, &other.form, other.position - one.position)
                }
                Rule::Solid => {
                    let [own, its] = [one, other].map(|of| (&of.own, of.filter.body_type));
                    contact.gap <= touch_gap(own, its) + one.more + other.more
                }
            };
            if is_inside {
                found.insert(((id, contact.collider), contact.children));
            }
        }
    }
    found
}

/// Checks the events of a tick: in order, each once, and equal to the difference between the overlaps before
/// and after; every hit belongs to a touching pair, and to an impact.
///
/// # Panics
///
/// If they are not valid.
pub fn assert_events(report: &TickReport, entry: &World, world: &World) {
    let events = &report.events;
    assert!(events.is_sorted_by(|a, b| a < b), "events in order: {events:?}");
    assert!(events.iter().all(|event| event.tick == report.tick));
    if report.events_cut {
        assert!(events.iter().all(|event| event.kind == EventKind::Hit), "hits only: {events:?}");
        return;
    }
    let mut pairs = inside(entry, entry);
    for event in events {
        let pair = ((event.a, event.b), event.children);
        let is_sound = match event.kind {
            EventKind::Begin | EventKind::Enter => pairs.insert(pair),
            // Bodies pressed together may begin to touch later than they would alone.
            EventKind::Hit => {
                let excused = |pressed: bool| pressed || !has_room(world, pair.0);
                report.impact_of(event).is_some_and(|it| pairs.contains(&pair) || excused(it.pressed))
            }
            EventKind::Exit | EventKind::End => pairs.remove(&pair),
        };
        let of_pair = events.iter().filter(|other| ((other.a, other.b), other.children) == pair);
        assert!(is_sound, "an event of a pair: {event} in {:?}", of_pair.collect::<Vec<_>>());
    }
    // A removed body ends nothing.
    pairs.retain(|((a, b), _)| {
        !has_gone(report, *a) && !matches!(b, Collider::Body(b) if has_gone(report, *b))
    });
    let now = inside(world, entry);
    let differ = || pairs.symmetric_difference(&now).collect::<Vec<_>>();
    assert!(pairs == now, "{:?} in {events:?}", differ());
}

/// True if both bodies of a pair are large enough for room between resting and not touching.
fn has_room(world: &World, (a, b): Pair) -> bool {
    let is_large = |id: BodyId| {
        let solids = world.body(id).into_iter().flat_map(|body| body.solids(world.scenery()));
        let mut halves = solids.filter_map(|solid| solid.shape.half_extent());
        halves.all(|half| half.raw().into_iter().all(|raw| raw >= ROOM_RAW))
    };
    is_large(a) && if let Collider::Body(b) = b { is_large(b) } else { true }
}

/// True if a pair of balls that overlapped is deeper by more than the rounding of a tick's paths; false for
/// other pairs.
#[must_use]
pub fn is_deeper(before: &World, world: &World, (a, b): Pair) -> bool {
    let Collider::Body(b) = b else { return false };
    let length = |world: &World| {
        let [a, b] = [a, b].map(|id| world.body(id).expect("a body"));
        let is_ball = |body: &&Body| {
            matches!(world.scenery().shapes().get(usize::from(body.shape.0)), Some(Shape::Sphere { .. }))
        };
        let are_balls = [a, b].iter().all(is_ball);
        are_balls.then(|| (b.position - a.position).length_squared_wide().isqrt())
    };
    matches!((length(before), length(world)), (Some(was), Some(is)) if is + DEEPER_RAW < was)
}

/// Checks sleep in a tick, given the world before its commands and after them: a body that sleeps through it
/// is unchanged, one that falls asleep rests, and the report lists all that wake and all that fall asleep.
///
/// # Panics
///
/// If it is not valid.
pub fn assert_sleep(report: &TickReport, before: &World, entry: &World, world: &World) {
    for list in [&report.woke, &report.fell_asleep] {
        assert!(list.is_sorted_by(|a, b| a < b), "a list in order: {list:?}");
    }
    for (id, body) in world.bodies() {
        let asleep = [before, world].map(|world| world.sleep(id) == Some(Sleep::Asleep));
        let [woke, fell] = [&report.woke, &report.fell_asleep].map(|list| list.contains(&id));
        assert_eq!(asleep, [asleep[0], asleep[0] && !woke || fell], "{id}: woke {woke}, fell asleep {fell}");
        assert!(!woke || asleep[0], "{id} woke and was awake");
        assert!(!fell || !asleep[0], "{id} fell asleep and slept");
        assert!(asleep != [true, true] || entry.body(id) == Some(body), "{id} slept and was moved");
        let is_still =
            body.momentum == Vec3::ZERO && body.spin.is_none_or(|spin| spin.angular_momentum == Vec3::ZERO);
        assert!(!asleep[1] || (is_still && body.body_type == BodyType::Dynamic), "{id} sleeps and moves");
    }
}

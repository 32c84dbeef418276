//! The answers by a loop over all bodies, without a tree and without a bound.

use bitstep::{
    World,
    geom::{Aabb, Normal, Plane, Vec3},
    num::{Scalar, Toi},
    overlap::{
        distance_capsule_capsule_ceil, distance_obb_capsule_ceil, distance_point_shape_ceil, overlap_shapes,
    },
    query::{PointHit, PointQuery, QueryFilter, QueryHit, Ray, ShapeCast},
    shape::{Capsule, Obb, Shape},
    state::{Body, BodyId, Collider, StaticId},
    sweep::{
        Hit, sweep_ray_aabb, sweep_ray_capsule, sweep_ray_obb, sweep_ray_plane, sweep_ray_sphere,
        sweep_shapes,
    },
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;

/// All bodies and statics of a world that a filter does not exclude.
pub fn everything(world: &World, filter: &QueryFilter<'_>) -> Vec<(Collider, Shape, Vec3)> {
    let scenery = world.scenery();
    let shape = |id: bitstep::state::ShapeId| scenery.shapes()[usize::from(id.0)].clone();
    let form =
        |body: &Body| body.spin.map_or(shape(body.shape), |spin| shape(body.shape).turned(spin.orientation));
    let bodies = world.bodies().map(|(id, body)| (Collider::Body(id), form(body), body.position));
    let statics = (0..).zip(scenery.statics());
    let statics =
        statics.map(|(id, fixed)| (Collider::Static(StaticId(id)), shape(fixed.shape), fixed.position));
    bodies.chain(statics).filter(|(collider, ..)| !filter.exclude.contains(collider)).collect()
}

fn whole(n: impl Into<BigInt>) -> BigRational {
    BigRational::from_integer(n.into())
}

/// When a moving box first touches a resting one, exactly; rounded down.
fn entry(origin: Vec3, way: Vec3, half: Vec3, bounds: &Aabb) -> Option<Toi> {
    let (mut first, mut last) = (whole(0), whole(1));
    for axis in 0..3 {
        let [o, d, h] = [origin, way, half].map(|vector| vector.raw()[axis]);
        let low = whole(bounds.min.raw()[axis]) - whole(o) - whole(h);
        let high = whole(bounds.max.raw()[axis]) - whole(o) + whole(h);
        if d == 0 {
            if low > whole(0) || high < whole(0) {
                return None;
            }
            continue;
        }
        let (one, other) = (low / whole(d), high / whole(d));
        first = first.max(one.clone().min(other.clone()));
        last = last.min(one.max(other));
    }
    let raw = (first.clone() * whole(1_u64 << 32)).floor().to_integer();
    if first <= last { Toi::from_raw(u64::try_from(raw).unwrap()) } else { None }
}

/// A solid on the path of a ray, or of a shape if given.
fn meet(ray: &Ray, swept: Option<&Shape>, solid: &(Collider, Shape, Vec3)) -> Option<QueryHit> {
    let (collider, shape, position) = solid;
    let half = swept.map_or(Vec3::ZERO, |swept| swept.half_extent().unwrap());
    let entry = match shape.bounds(*position) {
        Some(bounds) => entry(ray.origin, ray.displacement, half, &bounds)?,
        None => Toi::START,
    };
    let offset = *position - ray.origin;
    let at_once = || Normal::from_vector(ray.displacement).map(|normal| Hit { toi: Toi::START, normal });
    let hit = match (swept, shape) {
        (Some(swept), _) if overlap_shapes(swept, shape, offset) => at_once(),
        (Some(swept), _) => sweep_shapes(swept, shape, offset, -ray.displacement, Scalar::ZERO),
        (None, Shape::Sphere { radius }) => sweep_ray_sphere(offset, ray.displacement, *radius),
        (None, Shape::Aabb { half }) => sweep_ray_aabb(offset, ray.displacement, *half),
        (None, Shape::Obb(obb)) => sweep_ray_obb(offset, ray.displacement, obb),
        (None, Shape::Plane(plane)) => sweep_ray_plane(offset, ray.displacement, plane),
        (None, Shape::Capsule(capsule)) => sweep_ray_capsule(offset, ray.displacement, capsule),
        (None, _) => unreachable!("no yard has hulls or meshes"),
    }?;
    Some(QueryHit { toi: hit.toi.max(entry), collider: *collider, child: 0, normal: hit.normal })
}

/// All solids on the path of a ray.
pub fn ray_all(world: &World, ray: &Ray, filter: &QueryFilter<'_>) -> Vec<QueryHit> {
    let mut hits: Vec<_> =
        everything(world, filter).iter().filter_map(|solid| meet(ray, None, solid)).collect();
    hits.sort_by_key(|hit| (hit.toi, hit.collider));
    hits
}

/// All solids on the path of a shape.
pub fn sweep_all(world: &World, sweep: &ShapeCast, filter: &QueryFilter<'_>) -> Vec<QueryHit> {
    let ray = Ray { origin: sweep.origin, displacement: sweep.displacement };
    let all = everything(world, filter);
    let mut hits: Vec<_> = all.iter().filter_map(|solid| meet(&ray, Some(&sweep.shape), solid)).collect();
    hits.sort_by_key(|hit| (hit.toi, hit.collider));
    hits
}

/// All solids that a shape overlaps.
pub fn overlap(world: &World, shape: &Shape, position: Vec3, filter: &QueryFilter<'_>) -> Vec<Collider> {
    let mut all = everything(world, filter);
    all.retain(|(_, other, place)| overlap_shapes(other, shape, position - *place));
    let mut found: Vec<_> = all.into_iter().map(|(collider, ..)| collider).collect();
    found.sort();
    found
}

/// All solids with a point in a ball.
pub fn radius(world: &World, ball: &PointQuery, filter: &QueryFilter<'_>) -> Vec<PointHit> {
    let near = |(collider, shape, position): &(Collider, Shape, Vec3)| {
        let distance = distance_point_shape_ceil(*position - ball.center, shape);
        (distance <= ball.radius).then_some(PointHit { distance, collider: *collider, child: 0 })
    };
    let mut found: Vec<_> = everything(world, filter).iter().filter_map(near).collect();
    found.sort_by_key(|near| (near.distance, near.collider));
    found
}

/// All solids within a gap of a body, with their distances, by big integers.
pub fn contacts(
    world: &World,
    body: BodyId,
    gap: Scalar,
    filter: &QueryFilter<'_>,
) -> Vec<(Scalar, Collider)> {
    let all = everything(world, &QueryFilter::ALL);
    let (itself, shape, position) = all.iter().find(|(id, ..)| *id == Collider::Body(body)).unwrap();
    let mut found = Vec::new();
    for (other, solid, place) in everything(world, filter) {
        let apart = gap_of(shape, &solid, place - *position);
        let reach = shape.bounds(*position).unwrap().pad(gap);
        let is_near = solid.bounds(place).is_none_or(|bounds| bounds.touches(&reach));
        if other != *itself && is_near && apart <= BigInt::from(gap.to_bits()) {
            found.push((Scalar::from_bits(i64::try_from(apart).unwrap()), other));
        }
    }
    found.sort();
    found
}

fn gap_of(shape: &Shape, solid: &Shape, offset: Vec3) -> BigInt {
    let zero = BigInt::from(0);
    match (shape, solid) {
        (Shape::Sphere { radius }, _) => {
            zero.max(BigInt::from((distance_point_shape_ceil(offset, solid) - *radius).to_bits()))
        }
        (Shape::Aabb { half }, Shape::Sphere { radius }) => {
            let distance = distance_point_shape_ceil(-offset, &Shape::aabb(*half));
            zero.max(BigInt::from((distance - *radius).to_bits()))
        }
        (Shape::Aabb { half }, Shape::Aabb { half: other }) => {
            let separation = |axis: usize| offset.raw()[axis].abs() - (*half + *other).raw()[axis];
            zero.max(BigInt::from((0..3).map(separation).max().unwrap()))
        }
        (Shape::Aabb { half }, Shape::Obb(obb)) => largest_separation(&Obb::along_axes(*half), obb, offset),
        (Shape::Aabb { half }, Shape::Plane(plane)) => box_over_plane(*half, plane, offset),
        // The kernels' distances; the tests of kernels judge them.
        (Shape::Capsule(_), Shape::Sphere { .. } | Shape::Aabb { .. }) => gap_of(solid, shape, -offset),
        (Shape::Aabb { half }, Shape::Capsule(rod)) => {
            whole_raw(distance_obb_capsule_ceil(offset, &Obb::along_axes(*half), rod))
        }
        (Shape::Capsule(rod), Shape::Obb(obb)) => whole_raw(distance_obb_capsule_ceil(-offset, obb, rod)),
        (Shape::Capsule(a), Shape::Capsule(b)) => whole_raw(distance_capsule_capsule_ceil(offset, a, b)),
        (Shape::Capsule(rod), Shape::Plane(plane)) => capsule_over_plane(rod, plane, offset),
        (Shape::Obb(obb), Shape::Sphere { radius }) => {
            let distance = distance_point_shape_ceil(-offset, &Shape::Obb(*obb));
            zero.max(BigInt::from((distance - *radius).to_bits()))
        }
        (Shape::Hull(_), _) | (_, Shape::Hull(_)) => unreachable!("no yard has hulls"),
        (Shape::Obb(_), Shape::Aabb { .. } | Shape::Capsule(_)) => gap_of(solid, shape, -offset),
        (Shape::Obb(a), Shape::Obb(b)) => largest_separation(a, b, offset),
        (Shape::Obb(obb), Shape::Plane(plane)) => obb_over_plane(obb, plane, offset),
        (Shape::Plane(_), _) => panic!("no body is a plane"),
        _ => panic!("no yard has meshes"),
    }
}

fn whole_raw(length: Scalar) -> BigInt {
    length.to_bits().into()
}

/// The lower end's height less the radius, rounded up.
fn capsule_over_plane(rod: &Capsule, plane: &Plane, offset: Vec3) -> BigInt {
    let ends = [-offset + rod.half_axis, -offset - rod.half_axis];
    let heights = ends.map(|end| BigInt::from(plane.normal().dot_wide(end - plane.point())));
    let [one, other] = heights;
    let length = BigInt::from(plane.length_up_q32());
    let over: BigInt = (one.min(other) << 32) - rod.radius.to_bits() * &length;
    Integer::div_ceil(&over, &length).max(BigInt::from(0))
}

/// The lowest corner's height, over the length of the normal, rounded up.
fn box_over_plane(half: Vec3, plane: &Plane, offset: Vec3) -> BigInt {
    let normal = plane.normal().components().map(BigInt::from);
    let center = (-offset - plane.point()).raw();
    let height: BigInt = (0..3).map(|axis| &normal[axis] * center[axis]).sum();
    let reach: BigInt =
        (0..3).map(|axis| plane.normal().components()[axis].abs() * BigInt::from(half.raw()[axis])).sum();
    let over: BigInt = (height - reach) << 32;
    Integer::div_ceil(&over, &BigInt::from(plane.length_up_q32())).max(BigInt::from(0))
}

/// [`box_over_plane`] for a box in any orientation.
fn obb_over_plane(obb: &Obb, plane: &Plane, offset: Vec3) -> BigInt {
    let dot = |vector: Vec3| BigInt::from(plane.normal().dot_wide(vector));
    let reach: BigInt =
        obb.half_edges.iter().map(|edge| dot(*edge).magnitude().clone()).map(BigInt::from).sum();
    let over: BigInt = (dot(-offset - plane.point()) - reach) << 32;
    Integer::div_ceil(&over, &BigInt::from(plane.length_up_q32())).max(BigInt::from(0))
}

/// Over the fifteen axes, rounded up.
fn largest_separation(a: &Obb, b: &Obb, offset: Vec3) -> BigInt {
    let edges = |obb: &Obb| obb.half_edges.map(|edge| edge.raw().map(BigInt::from));
    let (a, b) = (edges(a), edges(b));
    let mut axes = Vec::new();
    for i in 0..3 {
        axes.push(cross(&a[i], &a[(i + 1) % 3]));
        axes.push(cross(&b[i], &b[(i + 1) % 3]));
        axes.extend((0..3).map(|j| cross(&a[i], &b[j])));
    }
    let offset = offset.raw().map(BigInt::from);
    let abs = |n: BigInt| if n < BigInt::from(0) { -n } else { n };
    let mut most = BigInt::from(0);
    for axis in axes {
        let length = dot(&axis, &axis);
        let reach: BigInt = a.iter().chain(&b).map(|edge| abs(dot(&axis, edge))).sum();
        let apart = abs(dot(&axis, &offset)) - reach;
        if apart > BigInt::from(0) {
            let square = &apart * &apart;
            let floor = (&square / &length).sqrt();
            let exact = &floor * &floor * &length == square;
            most = most.max(if exact { floor } else { floor + 1 });
        }
    }
    most
}

fn dot(a: &[BigInt; 3], b: &[BigInt; 3]) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &[BigInt; 3], b: &[BigInt; 3]) -> [BigInt; 3] {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

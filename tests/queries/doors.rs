//! Refusals, by name, value and limit; and the largest accepted values.

use bitstep::{
    geom::{Plane, Vec3},
    num::Scalar,
    query::{Batch, PointQuery, QueryError, QueryFilter, QueryView, Ray, ShapeCast},
    shape::Shape,
    state::{BodyId, Scenery},
};

use crate::{
    support::{change::Change, s, v},
    yard::Yard,
};

const ALL: QueryFilter<'_> = QueryFilter::ALL;

fn yard() -> QueryView {
    Yard::new(1, 60, 6).world(&Change::NONE).query_view()
}

#[test]
fn out_of_range_is_refused_by_name_and_leaves_an_empty_list() {
    let view = yard();
    let (good, way) = (v("1", "2", "3"), v("1", "0", "0"));
    let ball = Shape::sphere(s("1"));
    let (mut hits, mut near, mut there, mut contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut ray = |origin, way| -> String {
        view.ray_all(&Ray { origin: good, displacement: v("9", "0", "0") }, &ALL, &mut hits).unwrap();
        let error = view.ray_all(&Ray { origin, displacement: way }, &ALL, &mut hits).unwrap_err();
        assert_eq!(view.ray(&Ray { origin, displacement: way }, &ALL), Err(error.clone()));
        assert!(hits.is_empty());
        error.to_string()
    };
    let far = "must be in -16777216..=16777216";
    assert_eq!(ray(v("0", "16777216.5", "0"), way), format!("origin.y is 16777216.5, {far}"));
    assert_eq!(
        ray(good, v("0", "0", "-33554432.0000000003")),
        "displacement.z is -33554432.0000000002, must be in -33554432..=33554432"
    );
    assert_eq!(
        ray(good, Vec3::from_raw([i64::MIN; 3])),
        "displacement.x is -2147483648, must be in -33554432..=33554432"
    );
    let mut swept = |shape: &Shape, origin, way| -> String {
        let sweep = ShapeCast { shape: shape.clone(), origin, displacement: way };
        let error = view.sweep_all(&sweep, &ALL, &mut hits).unwrap_err();
        assert_eq!(view.sweep(&sweep, &ALL), Err(error.clone()));
        error.to_string()
    };
    assert_eq!(
        swept(&ball, good, v("8192.5", "0", "0")),
        "displacement.x is 8192.5, must be in -8192..=8192"
    );
    assert_eq!(swept(&ball, v("-99999999", "0", "0"), way), format!("origin.x is -99999999, {far}"));
    assert_eq!(
        swept(&Shape::sphere(s("0")), good, way),
        "shape: radius is 0, must be above 0 and at most 4096"
    );
    let floor = Shape::plane(v("0", "1", "0")).unwrap();
    assert_eq!(swept(&floor, good, way), "shape: a plane or a mesh cannot be swept, nor a mesh be placed");
    let mut placed = |shape, at| view.overlap(&shape, at, &ALL, &mut there).unwrap_err().to_string();
    assert_eq!(
        placed(Shape::aabb(v("1", "5000", "1")), good),
        "shape: half.y is 5000, must be above 0 and at most 4096"
    );
    assert_eq!(placed(ball, v("0", "0", "-16777217")), format!("position.z is -16777217, {far}"));
    let away = Plane::from_point_normal(v("16777217", "0", "0"), bitstep::geom::Normal::X).unwrap();
    assert_eq!(placed(Shape::Plane(away), good), format!("shape.point.x is 16777217, {far}"));
    let mut within = |center, radius: &str| {
        view.radius(&PointQuery { center: good, radius: s("99") }, &ALL, &mut near).unwrap();
        let ball = PointQuery { center, radius: s(radius) };
        let error = view.radius(&ball, &ALL, &mut near).unwrap_err();
        assert!(near.is_empty());
        assert_eq!(view.nearest(&ball, 3, &ALL, &mut near), Err(error.clone()));
        error.to_string()
    };
    assert_eq!(within(good, "-0.5"), "radius is -0.5, must be in 0..=33554432");
    assert_eq!(within(v("0", "20000000", "0"), "1"), format!("center.y is 20000000, {far}"));
    let absent = BodyId::from_parts(3, 9);
    let error = view.contacts(absent, s("1"), &ALL, &mut contacts).unwrap_err();
    assert_eq!((error.to_string(), error), ("no body 3.9".to_owned(), QueryError::NoBody { body: absent }));
    let error = view.contacts(absent, s("-1"), &ALL, &mut contacts).unwrap_err();
    assert_eq!(error.to_string(), "gap is -1, must be in 0..=33554432");
}

#[test]
fn one_of_many_is_named_by_its_place() {
    let view = yard();
    let good = Ray { origin: Vec3::ZERO, displacement: v("1", "0", "0") };
    let bad = Ray { displacement: v("0", "33554433", "0"), ..good };
    let (mut first, mut all, mut near) = (Vec::new(), Batch::default(), Batch::default());
    let text = "rays[2].displacement.y is 33554433, must be in -33554432..=33554432";
    assert_eq!(view.rays(&[good, good, bad], &ALL, &mut first).unwrap_err().to_string(), text);
    assert_eq!(view.rays_all(&[good, good, bad], &ALL, &mut all).unwrap_err().to_string(), text);
    let ball = PointQuery { center: Vec3::ZERO, radius: s("-1") };
    let text = "balls[0].radius is -1, must be in 0..=33554432";
    assert_eq!(view.radii(&[ball], &ALL, &mut near).unwrap_err().to_string(), text);
    assert!(first.is_empty() && all.is_empty() && near.is_empty());
}

/// With overflow checks on: at the ends of every range nothing overflows.
#[test]
fn the_largest_questions_are_answered() {
    let view = yard();
    let (far, near) = (Scenery::EXTENT_MAX, s("4096"));
    let (mut hits, mut found, mut there) = (Vec::new(), Vec::new(), Vec::new());
    let mut met = 0;
    for corner in 0..27 {
        let signs = [corner % 3 - 1, corner / 3 % 3 - 1, corner / 9 - 1];
        let at = |length: Scalar| Vec3::from_raw(signs.map(|sign| length.to_bits() * sign));
        view.ray_all(&Ray { origin: at(far), displacement: -at(far + far) }, &ALL, &mut hits).unwrap();
        met += hits.len();
        for shape in [
            Shape::sphere(near),
            Shape::aabb(Vec3::splat(near)),
            Shape::obb(Vec3::splat(s("2000")), bitstep::geom::Rotation::IDENTITY),
        ] {
            for origin in [at(far), at(s("8000"))] {
                view.sweep_all(
                    &ShapeCast { shape: shape.clone(), origin, displacement: -at(s("8192")) },
                    &ALL,
                    &mut hits,
                )
                .unwrap();
                met += hits.len();
                view.overlap(&shape, origin, &ALL, &mut there).unwrap();
            }
        }
        let ball = PointQuery { center: at(far), radius: far + far };
        view.radius(&ball, &ALL, &mut found).unwrap();
        let all = found.clone();
        view.nearest(&ball, u32::MAX, &ALL, &mut found).unwrap();
        assert_eq!(found, all);
        met += all.len();
    }
    assert!(met > 1_000, "{met}");
}

//! Compounds, and bodies that have them.

use bitstep::{
    geom::Vec3,
    num::lit,
    state::{ChildShape, Command, CompoundId, ShapeId},
};

use super::{Scene, assert_error_at, scene};

/// A scene with a compound, and the text of its first body's shape.
fn with_compound(shape: &str, commands: &str) -> String {
    let body = format!("\n  body(name: \"a\", shape: {shape}, material: \"m\", position: (0, 9, 0))");
    let compounds = "compounds: { \"pair\": [(shape: \"ball\"),\n (shape: \"ball\", offset: (1.5, 0, -0.25), layer: 3)] },\n bodies:";
    scene(&body, &format!("(tick: 1, commands: [{commands}])")).replacen("bodies:", compounds, 1)
}

#[test]
fn sets_and_their_mirror_images_are_shapes_of_bodies() {
    let commands = "set_compound(body: \"a\", compound: \"pair\", mirrored: true, allow_overlap: true),\n\
                    set_shape(body: \"a\", shape: \"pair\"), set_compound(body: \"a\", compound: \"pair\")";
    let shape_of = |text: &str| {
        let scene = Scene::parse(&with_compound(text, commands)).unwrap();
        scene.initial_state.bodies().next().unwrap().1.shape
    };
    let (plain, mirrored) =
        (ShapeId::of_compound(CompoundId(0), false), ShapeId::of_compound(CompoundId(0), true));
    assert_eq!(shape_of("\"pair\""), plain);
    assert_eq!(shape_of("\"pair\", mirrored: true"), mirrored);
    let mut scene = Scene::parse(&with_compound("\"pair\"", commands)).unwrap();
    let offset = Vec3::new(lit("1.5"), lit("0"), lit("-0.25"));
    let children = vec![
        ChildShape::new(ShapeId(0)),
        ChildShape { offset, layer: Some(3), ..ChildShape::new(ShapeId(0)) },
    ];
    assert_eq!(scene.initial_state.scenery().compounds(), [children]);
    let body = scene.initial_state.bodies().next().unwrap().0;
    let swap = |mirrored, allow_overlap| Command::SetCompound {
        body,
        compound: CompoundId(0),
        mirrored,
        allow_overlap,
    };
    let expected = [
        swap(true, true),
        Command::SetShape { body, shape: plain, allow_overlap: false },
        swap(false, false),
    ];
    assert_eq!(scene.timeline.commands(1, &scene.initial_state), expected);
}

#[test]
fn errors_about_compounds_point_there() {
    let marked = |text: &str, from: &str, to: &str| text.replacen(from, to, 1);
    let good = with_compound("\"pair\"", "");
    assert_error_at(
        &marked(&good, "(shape: \"ball\", offset", "(shape: @\"pear\", offset"),
        "no shape \"pear\"; there are: \"ball\", \"floor\"",
    );
    assert_error_at(
        &marked(&good, "layer: 3", "layer: @16"),
        "layer is 16, must be a whole number in 0..=15",
    );
    assert_error_at(
        &marked(&good, "{ \"pair\": [", "{ @\"ball\": ["),
        "there is a shape of this name; give the compound another one",
    );
    let single = with_compound("@\"ball\", mirrored: true", "");
    assert_error_at(&single, "no compound \"ball\"; there are: \"pair\"");
    // One of two balls is in the middle: the center of mass is not.
    let turning = with_compound("@\"pair\", rotates: true", "");
    assert_error_at(
        &turning,
        "the center of mass of the child shapes is off their body's position by 0.75 along axis 0: subtract the result of \
         `center_of_children` from all offsets",
    );
    let unknown = with_compound("\"pair\"", "set_compound(body: \"a\", compound: @\"ball\")");
    assert_error_at(&unknown, "no compound \"ball\"; there are: \"pair\"");
}

//! Boxes that are open on a side.

use bitstep::state::{Face, ShapeId};

use super::{Scene, assert_error_at, with};

const BALL: &str = "\"ball\": sphere(radius: 0.5)";

fn shape(text: &str) -> String {
    with(BALL, &format!("\"ledge\": {text}, {BALL}"))
}

#[test]
fn a_box_is_open_on_the_face_that_is_named() {
    for face in Face::OF_BOX {
        let open = face.name();
        for text in [
            format!("aabb(half: (1, 1, 1), open: \"{open}\")"),
            format!("obb(half: (1, 2, 1), rotation: (1, 0, 0, 1), open: \"{open}\")"),
        ] {
            let scene = Scene::parse(&shape(&text)).unwrap();
            assert_eq!(scene.initial_state.scenery().open_face(ShapeId(0)), Some(face));
            assert_eq!(scene.initial_state.scenery().open_face(ShapeId(1)), None);
        }
    }
}

#[test]
fn a_mesh_or_ground_is_open_on_its_front() {
    for text in [
        "mesh(points: [(0, 0, 0), (0, 0, 1), (1, 0, 0)], triangles: [(0, 1, 2)], open: @\"front\")",
        "heights(cell: 1, unit: 1, rows: [[0, 0], [0, 0]], open: @\"front\")",
    ] {
        let scene = Scene::parse(&shape(&text.replace('@', ""))).unwrap();
        assert_eq!(scene.initial_state.scenery().open_face(ShapeId(0)), Some(Face::Front));
        let wrong = text.replace("front", "+y");
        assert_error_at(&shape(&wrong), "open is \"+y\", must be \"front\"");
    }
}

#[test]
fn another_side_is_an_error_where_it_is_written() {
    let must = "must be \"+x\", \"-x\", \"+y\", \"-y\", \"+z\" or \"-z\"";
    for wrong in ["top", "front"] {
        let text = format!("aabb(half: (1, 1, 1), open: @\"{wrong}\")");
        assert_error_at(&shape(&text), &format!("open is \"{wrong}\", {must}"));
    }
    let error = Scene::parse(&shape("sphere(radius: 1, open: \"+y\")")).unwrap_err().to_string();
    assert!(error.contains("open"), "{error}");
}

//! Scenes with one figure each: dominoes, the seams of a floor of tiles, a turntable.

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
};

use super::{DOWN, Fixed, Form, Scene, Start, UNIT, elastic, fixed, on_grid, on_grid_raw};

/// Number of plates of a row of dominoes.
pub const PLATES: i64 = 12;
/// Number of lanes over the seams, each with a body that begins a twelfth of a tick's motion farther on.
pub const LANES: i64 = 12;
/// Edge of a tile, and number of seams between the tiles.
pub const TILE: i64 = 2;
pub const SEAMS: i64 = 11;
/// The distance of a body on a turntable from its axis, and how fast that rotates, in radians per second.
pub const RIM: Scalar = lit("2");
pub const TURN: Scalar = lit("1.2");

/// The scene of a kind; `seams-...` has a speed in hundredths of a unit per second.
pub fn scene(kind: &str, count: Option<u64>) -> Option<Scene> {
    match (kind, count) {
        ("dominoes", None) => Some(dominoes()),
        ("turntable", None) => Some(turntable()),
        ("seams-locked", Some(speed)) => Some(seams(speed)),
        ("seams-boxes", Some(speed)) => Some(Scene { rotates: true, ..seams(speed) }),
        ("seams-balls", Some(speed)) => Some(rolling(speed)),
        ("seams-none", Some(speed)) => Some(unseamed(rolling(speed))),
        _ => None,
    }
}

/// A scene under gravity that begins at once.
fn grounded(radius: i64) -> Scene {
    let reach = Vec3::from_raw([100 * UNIT; 3]);
    Scene { gravity: DOWN, restitution: "0", settling: 0, rotates: true, ..elastic(radius, reach) }
}

/// A row of plates half a unit apart, the first of which leans by ten degrees: over its edge. They do not bounce.
fn dominoes() -> Scene {
    let plates = (0..PLATES).map(|index| {
        let (lean, z) = if index == 0 { ("0.08716", 505) } else { ("0", 502) };
        let orientation = Rotation::from_quaternion(lit("0.99619"), lit("0"), lean.parse().ok()?, lit("0"))?;
        let position = on_grid([UNIT * index / 2, 0, UNIT * z / 1_000]);
        Some(Start { orientation, ..Start::at_rest(position) })
    });
    Scene {
        form: Form::Box(on_grid([UNIT * 6 / 100, UNIT / 4, UNIT / 2])),
        friction: "0.4",
        bodies: plates.collect::<Option<_>>().expect("rotations"),
        boxes: vec![fixed([0, 0, -UNIT], [20 * UNIT, 20 * UNIT, UNIT])],
        ..grounded(on_grid_raw(UNIT * 6 / 100))
    }
}

/// Cubes of edge 1 slide over flush tiles without friction.
fn seams(speed: u64) -> Scene {
    let velocity = on_grid([UNIT * speed as i64 / 100, 0, 0]);
    let bodies = (0..LANES).map(|lane| {
        let phase = velocity.x.to_bits() / i64::from(super::RATE) * lane / LANES;
        // A little above the gap at which a body rests.
        Start::new(on_grid([UNIT + phase, 2 * UNIT * lane, UNIT * 505 / 1_000]), velocity)
    });
    let wide = (LANES + 1) * UNIT;
    let tile =
        |index: i64| fixed([UNIT * (TILE * index + 1), wide, -UNIT], [UNIT * TILE / 2, 2 * wide, UNIT]);
    Scene {
        form: Form::Box(Vec3::from_raw([UNIT / 2; 3])),
        rotates: false,
        friction: "0",
        bodies: bodies.collect(),
        boxes: (-1..=SEAMS + 1).map(tile).collect::<Vec<Fixed>>(),
        ..grounded(UNIT / 2)
    }
}

/// Balls of radius .5 roll over the same tiles, with friction and without slip from the start on.
fn rolling(speed: u64) -> Scene {
    let scene = Scene { form: Form::Ball, rotates: true, friction: "0.5", ..seams(speed) };
    let roll = |start: &Start| {
        let spin = 2 * start.velocity.x.to_bits(); // by the radius
        Start { angular_velocity: Vec3::from_raw([0, spin, 0]), ..*start }
    };
    Scene { bodies: scene.bodies.iter().map(roll).collect(), ..scene }
}

/// The same on one box as large as all tiles.
fn unseamed(scene: Scene) -> Scene {
    let length = UNIT * TILE * (SEAMS + 3);
    let middle = UNIT * TILE * (SEAMS + 1) / 2;
    let slab = fixed([middle, 0, -UNIT], [length / 2, 2 * (LANES + 1) * UNIT, UNIT]);
    Scene { boxes: vec![slab], ..scene }
}

/// A cube rides on a turning plate, with the velocity that the plate has there: friction holds three times as
/// much as it takes.
fn turntable() -> Scene {
    let (rim, turn) = (RIM.to_bits(), TURN.to_bits());
    let along = on_grid([0, ((i128::from(rim) * i128::from(turn)) >> 32) as i64, 0]);
    let angular_velocity = on_grid([0, 0, turn]);
    let position = on_grid([rim, 0, UNIT * 252 / 1_000]);
    Scene {
        form: Form::Box(Vec3::from_raw([UNIT / 4; 3])),
        friction: "0.9",
        bodies: vec![Start { angular_velocity, ..Start::new(position, along) }],
        turntable: Some((
            fixed([0, 0, -UNIT / 4], [3 * UNIT, 3 * UNIT, UNIT / 4]),
            Scalar::from_bits(angular_velocity.z.to_bits()),
        )),
        ..grounded(UNIT / 4)
    }
}

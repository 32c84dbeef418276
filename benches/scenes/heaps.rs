//! Bodies that land in a box and come to rest, and what is measured on heaps that lie still.

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Rng, Scalar},
};

use super::{Form, Phase, Scene, Start, UNIT, elastic, on_grid, on_grid_raw, pit, spheres};

/// A landing, from the first tick on, and the heap that has become of it.
const LANDING: Phase = Phase { name: "landing", start: 0, end: 150 };
const SETTLED: Phase = Phase { name: "settled", start: 600, end: 660 };
/// The ticks of a landing after which its state is shown.
const LOOKS: [u32; 9] = [48, 60, 72, 96, 120, 150, 180, 300, 600];

/// The places at which the bodies of a landing start.
struct Lattice {
    /// Half the width of the box, and number of columns along each side.
    half: i64,
    columns: i64,
    /// From column to column, and from layer to layer.
    step: i64,
    layer: i64,
    /// The largest distance of a body from its place, across and in height.
    across: i64,
    up: i64,
}

/// The scene of a kind; another seed is another draw of a landing.
pub fn scene(kind: &str, count: Option<u64>, seed: u64) -> Option<Scene> {
    let count = count?;
    let cube = Form::Box(Vec3::from_raw([on_grid_raw(UNIT / 5); 3]));
    let end = on_grid_raw(UNIT * 3 / 20);
    Some(match kind {
        "landing-balls" => {
            let close = Lattice { step: UNIT * 7 / 10, layer: UNIT * 3 / 5, ..Lattice::new(count, 40) };
            landing(count, seed, &close)
        }
        "landing-boxes" => {
            let scene = landing(count, seed, &Lattice::new(count, 25));
            turned(Scene { form: cube, radius: milli(200), ..scene })
        }
        "landing-capsules" => {
            let scene = landing(count, seed, &Lattice::new(count, 70));
            turned(Scene { form: Form::Capsule(Vec3::from_raw([end, 0, 0])), radius: milli(150), ..scene })
        }
        "landing-locked" => {
            let loose = Lattice { up: UNIT / 10, ..Lattice::new(count, 170) };
            Scene { form: cube, radius: milli(200), rotates: false, ..landing(count, seed, &loose) }
        }
        "still" => still(count),
        "drop" => drop(count),
        "tumble" => tumble(count),
        _ => return None,
    })
}

/// Thousandths of a unit, on the grid.
fn milli(thousandths: i64) -> Scalar {
    Scalar::from_bits(on_grid_raw(UNIT * thousandths / 1_000))
}

impl Lattice {
    /// Columns .75 apart that fill a box, 3 wide or, for more than 300 bodies, 6 wide.
    fn new(count: u64, thousandths: i64) -> Self {
        let (columns, half) = if count > 300 { (8, 3 * UNIT) } else { (4, UNIT * 3 / 2) };
        let [step, jitter] = [UNIT * 3 / 4, UNIT * thousandths / 1_000];
        Self { half, columns, step, layer: step, across: jitter, up: jitter }
    }
}

/// Balls of radius .25 that rotate fall into a box: e = 0, friction .5.
fn landing(count: u64, seed: u64, lattice: &Lattice) -> Scene {
    let Lattice { half, columns, step, layer, across, up } = *lattice;
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(8 + seed).at(1, index, 0);
        let index = index as i64;
        let [x, y] = [index % columns, index / columns % columns].map(|cell| {
            let middle = step * (2 * cell - columns + 1) / 2;
            middle + draws.between(-across, across)
        });
        let z = layer / 2 + layer * (index / columns / columns) + draws.between(-up, up);
        Start::at_rest(on_grid([x, y, z]))
    });
    let height = (12 * UNIT).max((count as i64 / columns / columns + 2) * layer);
    Scene {
        rotates: true,
        friction: "0.5",
        restitution: "0",
        bodies: bodies.collect(),
        settling: 0,
        phases: vec![LANDING, SETTLED],
        looks: LOOKS.to_vec(),
        ..pit(UNIT / 4, half, height)
    }
}

/// The same with every body in an orientation of its own.
fn turned(scene: Scene) -> Scene {
    let turn = |(index, start): (u64, &Start)| {
        let mut draws = Rng::new(10).at(1, index, start.position.x.to_bits() as u64);
        let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(draws.between(-UNIT, UNIT)));
        let orientation = Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY);
        Start { orientation, ..*start }
    };
    Scene { bodies: (0..).zip(&scene.bodies).map(turn).collect(), ..scene }
}

/// Balls with friction that lie still by then, awake.
fn still(count: u64) -> Scene {
    let phases = vec![Phase { name: "still", start: 900, end: 930 }];
    Scene { phases, settling: 0, ..spheres(count) }
}

/// One ball is dropped on balls that lie still and may sleep.
fn drop(count: u64) -> Scene {
    let phases = vec![
        Phase { name: "asleep", start: 660, end: 690 },
        Phase { name: "struck", start: 720, end: 780 }, // it falls for some 40 ticks
    ];
    let ball = Start::at_rest(Vec3::from_raw([UNIT / 8, UNIT / 16, 4 * UNIT]));
    Scene { phases, settling: 0, late: Some((690, ball)), sleeps: true, ..spheres(count) }
}

/// Boxes of three different edges that rotate in free fall, far apart, with nothing to touch.
fn tumble(count: u64) -> Scene {
    let half = Vec3::from_raw([UNIT / 4, UNIT * 3 / 8, UNIT / 2]);
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(9).at(1, index, 0);
        let cell = super::lattice(index as i64, 100).map(|cell| 8 * UNIT * (cell - 50));
        let angular_velocity = on_grid([(); 3].map(|()| draws.between(-3 * UNIT, 3 * UNIT)));
        Start { angular_velocity, ..Start::at_rest(Vec3::from_raw(cell)) }
    });
    Scene {
        form: Form::Box(half),
        rotates: true,
        gravity: super::DOWN,
        bodies: bodies.collect(),
        settling: 0,
        phases: vec![Phase { name: "falling", start: 10, end: 70 }],
        ..elastic(UNIT / 4, Vec3::from_raw([1_000 * UNIT; 3]))
    }
}

//! Ids decide only exact ties: without ties, the order of spawning changes nothing but the names.

use bitstep::{
    geom::Vec3,
    num::Rng,
    shape::Shape,
    tick::TickReport,
    world::{Command, Limits, ShapeId, Spawn, World},
};

use crate::support::{closed_box, s, v};

const COUNT: usize = 125;

fn spawns() -> Vec<Command> {
    (0..COUNT as i64)
        .map(|index| {
            let mut draws = Rng::new(21).at(0, index as u64, 0);
            let cell = [index % 5 - 2, index / 5 % 5 - 2, index / 25 - 2];
            let position = cell.map(|c| c * (1 << 32) + draws.between(-1 << 29, 1 << 29));
            let velocity = [0; 3].map(|_: i32| draws.between(-1 << 30, 1 << 30));
            let (shape, mass) = (ShapeId(draws.below(2) as u16), 1 + draws.below(30) as u32);
            let velocity = Vec3::from_raw(velocity);
            Command::Spawn(Spawn { mass, velocity, ..Spawn::new(shape, Vec3::from_raw(position)) })
        })
        .collect()
}

#[test]
fn permuting_the_ids_permutes_the_result() {
    let solids = [Shape::sphere(s("0.3")), Shape::aabb(v("0.25", "0.3", "0.2"))];
    let scenery = closed_box("0.95", &solids, "4");
    let mut draws = Rng::new(22).at(0, 0, 0);
    let mut order: Vec<usize> = (0..COUNT).collect();
    for end in (1..COUNT).rev() {
        order.swap(end, draws.below(end as u64 + 1) as usize);
    }
    let commands = spawns();
    let shuffled: Vec<Command> = order.iter().map(|&index| commands[index]).collect();
    let mut worlds = [commands, shuffled].map(|commands| {
        let mut world = World::new(Limits::new(60), scenery.clone()).unwrap();
        assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
        world
    });
    let mut reports = [TickReport::default(), TickReport::default()];
    let mut impacts = 0;
    for tick in 0..300 {
        for (world, report) in worlds.iter_mut().zip(&mut reports) {
            world.step(report);
        }
        let times = reports.each_ref().map(|report| report.impacts.iter().map(|i| i.toi).collect::<Vec<_>>());
        assert_eq!(times[0], times[1], "tick {tick}");
        assert!(
            times[0].windows(2).all(|pair| pair[0] < pair[1]),
            "a tie in tick {tick}: another seed is wanted"
        );
        impacts += times[0].len();
        let ours: Vec<_> = worlds[0].bodies().map(|(_, body)| *body).collect();
        for (new, (_, body)) in worlds[1].bodies().enumerate() {
            assert_eq!(*body, ours[order[new]], "body {new} in tick {tick}");
        }
    }
    assert!(impacts > 1_000, "{impacts}");
}

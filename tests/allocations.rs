//! The work of rollback in every frame allocates nothing.
#![allow(missing_docs)]

#[path = "support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::io::{self, Write};

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Rng,
    replay::{Keyframes, RecordOptions, Recorder},
    session::{Game, Ring, Session, Simulation, Tick},
    shape::Shape,
    snapshot,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, ShapeId},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};
use support::{bullets, gas, s, v};

/// Balls and boxes of three sizes that fall on steps, a ramp and a floor, with a few bodies that are
/// large or fast.
fn landing() -> World {
    let turned = Rotation::from_quaternion(s("1"), s("0"), s("0"), s("0.2")).unwrap();
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0.5")).unwrap());
    for shape in [Shape::sphere(s("0.25")), Shape::aabb(v("0.2", "0.1", "0.3")), Shape::sphere(s("1.5"))] {
        builder.shape(shape);
    }
    let block = builder.shape(Shape::aabb(v("0.5", "0.25", "0.5")));
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    let ramp = builder.shape(Shape::obb(v("4", "0.2", "4"), turned));
    builder.fixed(floor, material, v("0", "-1", "0"));
    builder.fixed(ramp, material, v("2", "1.5", "2"));
    for index in 0..64 {
        builder.fixed(block, material, Vec3::from_raw([index % 8 - 4, 0, index / 8 - 4].map(|c| c << 32)));
    }
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    world.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -(1 << 24), 0]) }]).accepted().unwrap();
    for index in 0..120 {
        let mut draws = Rng::new(2).at(0, index, 0);
        let cell = [index % 6, 3 + index / 36, index / 6 % 6].map(|c| (c as i64) << 32);
        let position = Vec3::from_raw([cell[0] - (3 << 32), cell[1], cell[2] - (3 << 32)]);
        let most = if index % 17 == 0 { 9 << 32 } else { 1 << 27 };
        let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let shape = ShapeId(if index % 40 == 39 { 2 } else { (index % 2) as u16 });
        let spawn = bitstep::state::Spawn::new(shape, position);
        let _ =
            world.apply(&[Command::Spawn(bitstep::state::Spawn { material, mass: 2, velocity, ..spawn })]);
    }
    world
}

/// Boxes, balls and rods that tumble into a heap on rough ground.
fn heap() -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0.2")).unwrap().with_friction(s("0.5")).unwrap());
    let shapes = [
        Shape::obb(v("0.3", "0.2", "0.3"), Rotation::IDENTITY),
        Shape::sphere(s("0.25")),
        Shape::capsule(v("0.2", "0", "0"), s("0.2")),
    ];
    for shape in shapes {
        builder.shape(shape);
    }
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    builder.fixed(floor, material, v("0", "-1", "0"));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    world.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -(1 << 24), 0]) }]).accepted().unwrap();
    for index in 0..60 {
        let mut draws = Rng::new(3).at(0, index, 0);
        let cell = [index % 4, index / 16, index / 4 % 4].map(|c| (c as i64) << 32);
        let angular_velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 27, 1 << 27)));
        let spawn = bitstep::state::Spawn::new(ShapeId((index % 3) as u16), Vec3::from_raw(cell));
        let _ = world.apply(&[Command::Spawn(bitstep::state::Spawn {
            material,
            rotates: true,
            angular_velocity,
            ..spawn
        })]);
    }
    world
}

/// Plays some ticks, then again from the start in warm memory, with a short rollback in each tick.
fn allocations_when_warm(mut world: World, ticks: u64) -> (u64, usize) {
    world.enable_events(true);
    let (initial_state, mut report, mut impacts) = (world.clone(), TickReport::default(), 0);
    let push = [Command::ApplyImpulse { body: BodyId::from_parts(3, 0), impulse: Vec3::from_raw([9; 3]) }];
    let mut saved = world.clone();
    let mut play = |world: &mut World| {
        for _ in 0..ticks {
            saved.clone_from(world);
            let _ = world.tick(&push, &mut report);
            world.clone_from(&saved);
            let _ = world.tick(&push, &mut report);
            impacts += report.impacts.len();
        }
    };
    play(&mut world);
    world.clone_from(&initial_state);
    let counted = allocation_counter::measure(|| play(&mut world));
    (counted.count_total, impacts)
}

#[test]
fn ticks_in_warm_memory_allocate_nothing() {
    let (count, impacts) = allocations_when_warm(gas(6, 1), 60);
    assert!(count == 0 && impacts > 1_000, "gas: {count} for {impacts} impacts");
    let (count, impacts) = allocations_when_warm(bullets(100, "20", "30"), 20);
    assert!(count == 0 && impacts > 1_000, "bullets: {count} for {impacts} impacts");
    let world = landing();
    assert!(world.bodies().count() > 90);
    let (count, impacts) = allocations_when_warm(world, 90);
    assert!(count == 0 && impacts > 500, "landing: {count} for {impacts} impacts");
    let world = heap();
    assert_eq!(world.bodies().count(), 60);
    let (count, impacts) = allocations_when_warm(world, 90);
    assert!(count == 0 && impacts > 20, "heap: {count} for {impacts} impacts");
}

#[test]
fn copies_and_snapshots_into_warm_memory_allocate_nothing() {
    let (mut world, mut report) = (gas(5, 1), TickReport::default());
    world.enable_events(true);
    let removals: Vec<Command> =
        (10..40).map(|slot| Command::Remove { body: BodyId::from_parts(slot, 0) }).collect();
    let _ = world.tick(&removals, &mut report);
    let (mut copy, mut bytes) = (world.clone(), snapshot::encode(&world));
    for _ in 0..5 {
        world.step(&mut report);
        let copied = allocation_counter::measure(|| copy.clone_from(&world));
        let encoded = allocation_counter::measure(|| snapshot::encode_into(&world, &mut bytes));
        assert_eq!((copied.count_total, encoded.count_total), (0, 0));
        assert!(snapshot::diff(&world, &copy).is_empty());
    }
    let fresh = allocation_counter::measure(|| drop(world.clone()));
    assert!(fresh.count_total > 0, "the counter counts");
}

/// A game whose state is a list, which its `clone_from` copies into the memory that is there.
#[derive(Debug, Serialize, Deserialize)]
struct Scores {
    players: Vec<u64>,
}

impl Clone for Scores {
    fn clone(&self) -> Self {
        Self { players: self.players.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.players.clone_from(&source.players);
    }
}

impl Game for Scores {
    type Input = u64;
    const NAME: &'static str = "scores";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u64]) {
        self.players.iter_mut().zip(inputs).for_each(|(score, input)| *score += input);
        tick.step();
    }
}

/// Plays some ticks around the ring, going back five of every eight; then counts while it does that again.
fn allocations_of_a_ring<S: Simulation>(mut state: S, inputs: &[S::Input]) -> u64 {
    let (initial_state, mut ring, mut report) =
        (state.clone(), Ring::new(&state, 8).unwrap(), TickReport::default());
    let mut play = || {
        state.clone_from(&initial_state);
        for _ in 0..20 {
            for _ in 0..8 {
                ring.save(&state);
                let _ = state.tick(inputs, &mut report);
            }
            let back = state.tick_count() - 5;
            ring.restore(back, &mut state).unwrap();
            assert!(ring.restore(back + 5, &mut state).is_err());
        }
        state.tick_count()
    };
    assert_eq!(play(), 60);
    allocation_counter::measure(|| assert_eq!(play(), 60)).count_total
}

#[test]
fn a_warm_ring_allocates_nothing() {
    let world = gas(5, 1);
    assert_eq!(allocations_of_a_ring(world.clone(), &[]), 0);
    let session = Session::new(world, Scores { players: vec![0; 100] }, 7).unwrap();
    assert_eq!(allocations_of_a_ring(session, &[1, 2, 3]), 0);
}

/// A game whose inputs are texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Chat;

impl Game for Chat {
    type Input = String;
    const NAME: &'static str = "chat";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[String]) {
        tick.step();
    }
}

#[test]
fn a_text_that_claims_more_than_is_there_is_refused_before_its_memory_is_allocated() {
    let mut bytes = Vec::new();
    Session::<Chat>::encode_inputs(&["go".to_owned(), "on ".repeat(300)], &mut bytes);
    assert_eq!(Session::<Chat>::decode_inputs(&bytes).unwrap().len(), 2);
    // The second text is behind the count, the first with its length, and a length of its own.
    let length = 2 + 8 + 2;
    for claimed in [901_u64, 65_000, 1 << 20, 0x7fff_ffff, 1 << 40] {
        bytes[length..length + 8].copy_from_slice(&claimed.to_le_bytes());
        let used = allocation_counter::measure(|| {
            assert!(Session::<Chat>::decode_inputs(&bytes).is_err(), "{claimed}");
        });
        assert!(used.bytes_max < 1_000, "{claimed}: {} bytes", used.bytes_max);
    }
}

/// Types that cross threads and are copied to another thread's.
const fn is_shareable<T: Clone + Send + Sync>() {}

const _: () = is_shareable::<World>();
const _: () = is_shareable::<Session<Scores>>();
const _: () = is_shareable::<Ring<Session<Scores>>>();
/// A writer that discards its bytes, like a file.
struct Gone;

impl Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A recorder of a world that is played ahead, and goes back if it can.
struct Recording {
    recorder: Recorder<Gone>,
    world: World,
    saved: World,
    report: TickReport,
    rewinds: bool,
    /// Allocations of the recorder: where a tick continues, the world may need more.
    allocations: u64,
}

impl Recording {
    fn new(options: RecordOptions) -> Self {
        let world = gas(5, 1);
        let recorder = Recorder::with_options(Gone, &world, options).unwrap();
        let (saved, report) = (world.clone(), TickReport::default());
        Self { recorder, world, saved, report, rewinds: options.window > 0, allocations: 0 }
    }

    fn play(&mut self, ticks: u64) {
        let push = Command::ApplyImpulse { body: BodyId::from_parts(3, 0), impulse: Vec3::from_raw([9; 3]) };
        for _ in 0..ticks {
            self.saved.clone_from(&self.world);
            if self.rewinds {
                self.tick(&[push, push]);
                self.world.clone_from(&self.saved);
                let tick = self.saved.tick_count();
                self.count(|recorder, _| recorder.rewind(tick).unwrap());
            }
            self.tick(&[push]);
            self.count(|recorder, world| recorder.confirm(world.tick_count().saturating_sub(5)).unwrap());
        }
    }

    fn count(&mut self, act: impl FnOnce(&mut Recorder<Gone>, &World)) {
        let counted = allocation_counter::measure(|| act(&mut self.recorder, &self.world));
        self.allocations += counted.count_total;
    }

    fn tick(&mut self, commands: &[Command]) {
        let _ = self.world.tick(commands, &mut self.report);
        self.count(|recorder, world| {
            recorder.note(b"left").unwrap();
            recorder.tick(commands, world).unwrap();
        });
    }
}

#[test]
fn a_recorder_in_warm_memory_allocates_nothing_however_long_it_records() {
    for (keyframes, window) in [(Keyframes::Every(20), 8), (Keyframes::BytesPerTick(2_000), 0)] {
        let options = RecordOptions { keyframes, check_every: Some(7), window };
        let mut recording = Recording::new(options);
        recording.play(60);
        assert!(recording.allocations > 0);
        recording.allocations = 0;
        recording.play(300);
        assert_eq!(recording.allocations, 0, "{keyframes:?}");
    }
}

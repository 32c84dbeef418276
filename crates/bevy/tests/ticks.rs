//! Ticks and their messages: an app plays what the library plays by itself, however often it draws.

mod support;

use std::{sync::Arc, time::Duration};

use bevy::prelude::*;
use bitstep::{
    geom::Vec3 as Place,
    session::Simulation,
    snapshot::Checksum,
    state::{BodyId, Command, OnHit, Refusal, Spawn},
    tick::{ContactEvent, EventKind, TickReport},
};
use bitstep_bevy::{
    Absent, BitstepPlugin, BodyEntities, BodyRemoved, CommandRefused, ContactMessage, DespawnWithBody,
    Physics, PhysicsBody, PhysicsSystems,
};
use support::{Level, app, hear, heard, ticks};

/// Number of ticks that are compared.
const TICKS: usize = 180;

/// The commands of each tick: balls that fall, one that is pushed, one that is removed.
fn commands(level: &Level, tick: u64) -> Vec<Command> {
    let (body, impulse) = (BodyId::from_parts(0, 0), Place::lit("0.1", "0.05", "0"));
    match tick {
        1 => vec![Command::Spawn(level.spawn("0", "2")), Command::Spawn(level.spawn("2.5", "3"))],
        40 => vec![Command::ApplyImpulse { body, impulse }, Command::Spawn(level.spawn("-3", "1"))],
        90 => vec![Command::Remove { body: BodyId::from_parts(2, 0) }],
        _ => Vec::new(),
    }
}

/// The checksums and the events of the library without Bevy.
fn straight() -> (Vec<Checksum>, Vec<ContactEvent>) {
    let level = Level::new(60, true);
    let (mut world, mut report) = (level.world.clone(), TickReport::default());
    world.enable_events(true);
    let (mut checksums, mut events) = (Vec::new(), Vec::new());
    for tick in 1..=TICKS as u64 {
        world.tick(&commands(&level, tick), &mut report).accepted().expect("commands are accepted");
        checksums.push(world.checksum());
        events.extend_from_slice(&report.events);
    }
    (checksums, events)
}

#[derive(Resource)]
struct Rules(Level);

#[derive(Resource, Default)]
struct Checksums(Vec<Checksum>);

/// An app that gives these commands, and keeps the checksum of each tick.
fn scripted_app(frames_per_second: u64) -> App {
    let mut level = Level::new(60, true);
    level.world.enable_events(true);
    let mut app = app(level.world.clone(), Duration::from_nanos(1_000_000_000 / frames_per_second));
    let give = |rules: Res<Rules>, mut physics: ResMut<Physics>| {
        let tick = physics.world().tick_count() + 1;
        physics.extend(commands(&rules.0, tick));
    };
    let keep = |physics: Res<Physics>, mut checksums: ResMut<Checksums>| {
        checksums.0.push(physics.world().checksum());
    };
    app.insert_resource(Rules(level)).init_resource::<Checksums>();
    app.add_systems(FixedUpdate, (give.before(PhysicsSystems::Tick), keep.after(PhysicsSystems::Tick)));
    hear::<ContactMessage>(&mut app);
    app
}

#[test]
fn frame_rates_change_no_tick_and_no_message() {
    let (checksums, events) = straight();
    assert!(events.iter().filter(|event| event.kind == EventKind::Hit).count() >= 5, "{events:?}");
    for frames_per_second in [30, 60, 144] {
        let mut app = scripted_app(frames_per_second);
        while app.world().resource::<Checksums>().0.len() < TICKS {
            app.update();
        }
        let found = &app.world().resource::<Checksums>().0;
        assert!(found.starts_with(&checksums), "{frames_per_second} frames per second");
        let heard = heard::<ContactMessage>(&app);
        let until = heard.iter().filter(|message| message.event.tick <= TICKS as u64);
        assert_eq!(until.map(|message| message.event).collect::<Vec<_>>(), events);
        let of_hits = |message: &ContactMessage| {
            message.impact.is_some_and(|impact| impact.a == message.event.a)
                == (message.event.kind == EventKind::Hit)
        };
        assert!(heard.iter().all(of_hits), "hits have their impact");
    }
}

#[test]
fn a_second_of_frames_has_as_many_ticks_as_the_rate() {
    for (rate, frames_per_second) in [(60, 144), (50, 60), (120, 30)] {
        let frame = Duration::from_nanos(1_000_000_000 / frames_per_second);
        let mut app = app(Level::new(rate, true).world, frame);
        (0..=10 * frames_per_second).for_each(|_| app.update());
        assert!((ticks(&app) + 1).abs_diff(10 * u64::from(rate)) <= 1, "{rate} Hz: {}", ticks(&app));
    }
}

#[test]
fn a_refused_command_is_heard_with_its_reason_and_its_entity() {
    let level = Level::new(60, false);
    let mut app = app(level.world.clone(), Duration::from_millis(40));
    hear::<CommandRefused>(&mut app);
    let [entity, marked] = [app.world_mut().spawn_empty().id(), app.world_mut().spawn(DespawnWithBody).id()];
    let stale = BodyId::from_parts(7, 0);
    let mut queue = app.world_mut().resource_mut::<Physics>();
    queue.push(Command::Spawn(level.spawn("0", "5")));
    queue.push(Command::Remove { body: stale });
    queue.spawn(entity, level.spawn("0.25", "5"));
    queue.spawn(marked, level.spawn("0.25", "5"));
    (0..5).for_each(|_| app.update());
    let [remove, spawn, of_marked] = heard::<CommandRefused>(&app) else { panic!("three messages") };
    assert_eq!(of_marked.entity, Some(marked));
    assert!(app.world().get_entity(marked).is_err(), "despawned, as it gets no body");
    assert_eq!((remove.tick, remove.refused.index, remove.entity), (1, 1, None));
    assert_eq!(remove.refused.reason, Refusal::NoBody { body: stale });
    assert_eq!((spawn.tick, spawn.refused.index, spawn.entity), (1, 2, Some(entity)));
    assert!(matches!(spawn.refused.reason, Refusal::Overlaps { .. }), "{spawn:?}");
    assert!(app.world().get::<PhysicsBody>(entity).is_none());
    assert_eq!(app.world().resource::<Physics>().world().bodies().count(), 1);
    (0..3).for_each(|_| app.world_mut().resource_mut::<Physics>().push(Command::Remove { body: stale }));
    (0..2).for_each(|_| app.update());
    let later = &heard::<CommandRefused>(&app)[3..];
    assert!(later.len() == 3 && later.iter().all(|refused| refused.entity.is_none()), "{later:?}");
    let body = PhysicsBody(BodyId::from_parts(0, 0));
    app.world_mut().entity_mut(entity).insert((body, DespawnWithBody));
    app.world_mut().resource_mut::<Physics>().spawn(entity, level.spawn("0.25", "5"));
    (0..3).for_each(|_| app.update());
    assert_eq!(heard::<CommandRefused>(&app).len(), 7);
    assert_eq!(app.world().get(entity), Some(&body), "it keeps the body that it has");
}

#[test]
fn a_removed_body_is_heard_once_and_takes_along_the_entity_that_asks_for_it() {
    let level = Level::new(60, false);
    let mut app = app(level.world.clone(), Duration::from_millis(40));
    hear::<BodyRemoved>(&mut app);
    let [ball, bullet] = [app.world_mut().spawn_empty().id(), app.world_mut().spawn(DespawnWithBody).id()];
    let velocity = Place::lit("0", "-2", "0"); // it hits the floor in its first tick
    let mut queue = app.world_mut().resource_mut::<Physics>();
    queue.spawn(ball, level.spawn("0", "5"));
    queue.spawn(bullet, Spawn { velocity, on_hit: OnHit::Remove, user: 9, ..level.spawn("3", "1") });
    (0..3).for_each(|_| app.update());
    let body = app.world().get::<PhysicsBody>(ball).expect("the ball has a body").0;
    let entities = app.world().resource::<BodyEntities>();
    assert!(entities.get(body) == Some(ball) && entities.iter().eq([(body, ball)]), "the bullet has left");
    app.world_mut().resource_mut::<Physics>().push(Command::Remove { body });
    (0..5).for_each(|_| app.update());
    let [of_bullet, of_ball] = heard::<BodyRemoved>(&app) else { panic!("two messages") };
    assert_eq!((of_bullet.tick, of_bullet.entity), (1, Some(bullet)));
    assert_eq!(of_bullet.hit.map(|hit| hit.user), Some(9));
    assert_eq!((of_ball.body, of_ball.entity, of_ball.hit), (body, Some(ball), None));
    assert!(app.world().get_entity(bullet).is_err(), "despawned with its body");
    assert!(app.world().get::<Absent>(ball).is_some(), "kept, and marked");
    assert!(app.world().get::<PhysicsBody>(ball).is_none(), "it is free for another body");
    assert_eq!(app.world().resource::<BodyEntities>().iter().count(), 0);
}

#[test]
fn a_body_that_is_spawned_and_removed_in_one_tick_is_heard() {
    let level = Level::new(60, false);
    let mut app = app(level.world.clone(), Duration::from_millis(40));
    hear::<BodyRemoved>(&mut app);
    let entity = app.world_mut().spawn(DespawnWithBody).id();
    let body = level.world.next_ids(1)[0];
    let mut physics = app.world_mut().resource_mut::<Physics>();
    physics.spawn(entity, level.spawn("0", "5"));
    physics.push(Command::Remove { body });
    (0..3).for_each(|_| app.update());
    let [removed] = heard::<BodyRemoved>(&app) else { panic!("one message") };
    assert_eq!((removed.body, removed.entity, removed.withdrawn), (body, Some(entity), false));
    assert!(app.world().get_entity(entity).is_err(), "despawned with its body");
}

#[test]
fn a_spawn_for_a_despawned_entity_is_discarded() {
    let level = Level::new(60, false);
    let mut app = app(level.world.clone(), Duration::from_millis(40));
    hear::<CommandRefused>(&mut app);
    let [gone, there] = [0; 2].map(|_| app.world_mut().spawn_empty().id());
    let mut physics = app.world_mut().resource_mut::<Physics>();
    physics.spawn(gone, level.spawn("0", "5"));
    physics.spawn(there, level.spawn("0", "5")); // where the other one would be
    app.world_mut().entity_mut(gone).despawn();
    (0..3).for_each(|_| app.update());
    assert!(heard::<CommandRefused>(&app).is_empty());
    assert!(app.world().get::<PhysicsBody>(there).is_some());
    assert_eq!(app.world().resource::<Physics>().world().bodies().count(), 1);
}

/// An app with a marked entity and another one, whose bodies are in the world, and a command that is not applied yet.
fn populated() -> (App, Level, [Entity; 2]) {
    let level = Level::new(60, false);
    let mut app = app(level.world.clone(), Duration::from_millis(40));
    hear::<CommandRefused>(&mut app);
    let [marked, other] = [app.world_mut().spawn(DespawnWithBody).id(), app.world_mut().spawn_empty().id()];
    let mut physics = app.world_mut().resource_mut::<Physics>();
    physics.spawn(marked, level.spawn("0", "5"));
    physics.spawn(other, level.spawn("3", "5"));
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().resource::<BodyEntities>().iter().count(), 2);
    app.world_mut().resource_mut::<Physics>().push(Command::Remove { body: BodyId::from_parts(7, 0) });
    (app, level, [marked, other])
}

/// True if entities of a world are despawned or free.
fn are_released(app: &App, [marked, other]: [Entity; 2]) -> bool {
    let is_free =
        app.world().get::<PhysicsBody>(other).is_none() && app.world().get::<Absent>(other).is_some();
    app.world().get_entity(marked).is_err() && is_free
}

#[test]
fn a_removed_world_releases_its_entities() {
    let (mut app, _, old) = populated();
    let kept = app.world_mut().remove_resource::<Physics>();
    app.update();
    assert_eq!(app.world().resource::<BodyEntities>().iter().count(), 2, "it may come back");
    drop(kept);
    app.update();
    assert!(are_released(&app, old));
    let waiting = app.world_mut().spawn(PhysicsBody(BodyId::from_parts(0, 0))).id();
    app.update();
    assert!(app.world().get::<Absent>(waiting).is_some(), "no pose of the old world");
    assert_eq!(app.world().resource::<BodyEntities>().iter().count(), 1);
    let mut next = Level::new(60, false);
    let spawn = Command::Spawn(next.spawn("1", "5"));
    next.world.apply(&[spawn]).accepted().expect("room for a ball");
    app.insert_resource(Physics::new(next.world));
    (0..2).for_each(|_| app.update());
    assert!(app.world().get::<PhysicsBody>(waiting).is_some(), "it is of the next world");
    assert_eq!(app.world().get::<Transform>(waiting).expect("it is required").translation.x, 1.0);
}

#[test]
fn a_replaced_world_releases_its_entities_and_takes_its_commands_along() {
    let (mut app, level, old) = populated();
    let mut next = Level::new(60, false);
    let body = BodyId::from_parts(0, 0);
    next.world.apply(&[Command::Spawn(level.spawn("1", "5"))]).accepted().expect("room for a ball");
    let mut physics = Physics::new(next.world);
    let [new, late] = [0; 2].map(|_| app.world_mut().spawn_empty().id());
    physics.spawn(late, level.spawn("6", "5"));
    app.insert_resource(physics);
    app.world_mut().entity_mut(new).insert(PhysicsBody(body));
    (0..3).for_each(|_| app.update());
    assert!(are_released(&app, old));
    assert!(heard::<CommandRefused>(&app).is_empty(), "the command was for the old world");
    let at = |entity| app.world().get::<Transform>(entity).map(|transform| transform.translation.x);
    assert_eq!((at(new), at(late)), (Some(1.0), Some(6.0)));
    let late = (app.world().get::<PhysicsBody>(late).expect("it has a body").0, late);
    assert!(app.world().resource::<BodyEntities>().iter().eq([(body, new), late]));
    app.insert_resource(Physics::new(level.world));
    app.update();
    assert!(
        app.world().get::<PhysicsBody>(new).is_none(),
        "released without entities of the next world, too"
    );
    assert_eq!(app.world().resource::<BodyEntities>().iter().count(), 0);
}

#[test]
fn contacts_are_heard_if_the_world_lists_events() {
    for is_asked in [false, true] {
        let mut level = Level::new(60, true);
        level.world.enable_events(is_asked);
        let mut app = app(level.world.clone(), Duration::from_millis(40));
        hear::<ContactMessage>(&mut app);
        app.world_mut().resource_mut::<Physics>().push(Command::Spawn(level.spawn("0", "1")));
        (0..20).for_each(|_| app.update());
        assert_eq!(!heard::<ContactMessage>(&app).is_empty(), is_asked);
    }
}

#[test]
fn the_plugin_keeps_no_world() {
    let level = Level::new(60, false);
    let scenery = Arc::downgrade(level.world.scenery());
    let mut app = app(level.world, Duration::from_millis(40));
    app.update();
    app.world_mut().remove_resource::<Physics>();
    assert_eq!(scenery.strong_count(), 0);
}

#[test]
fn a_level_that_begins_later_sets_the_clock() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, BitstepPlugin::default()))
        .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    (0..3).for_each(|_| app.update());
    app.insert_resource(Physics::new(Level::new(100, false).world));
    app.update();
    let clock = app.world().resource::<Time<Fixed>>();
    assert_eq!((clock.timestep(), clock.overstep()), (Duration::from_millis(10), Duration::ZERO));
    let before = ticks(&app);
    app.update();
    assert_eq!(ticks(&app) - before, 2);
    app.world_mut().remove_resource::<Physics>();
    app.update();
}

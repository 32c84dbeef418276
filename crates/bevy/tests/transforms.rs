//! Transforms: between the poses of the last two ticks, and at either of them to the bit.

mod support;

use std::time::Duration;

use bevy::{ecs::system::ScheduleSystem, prelude::*};
use bitstep::{
    World as BitstepWorld,
    geom::Vec3 as Place,
    state::{BodyId, Command, Spawn},
};
use bitstep_bevy::{
    Absent, BitstepPlugin, NoInterpolation, Physics, PhysicsBody, PhysicsSystems, RenderOrigin,
};
use bitstep_draw::{Frame, Pose};
use support::{Level, app, ticks};

/// A ball that flies along x by a quarter of a unit in a tick and rotates, and 4 frames to a tick.
fn flying() -> (App, Entity) {
    let mut app = app(flight(), Duration::from_millis(5));
    let entity = app.world_mut().spawn(PhysicsBody(BodyId::from_parts(0, 0))).id();
    (app, entity)
}

fn flight() -> BitstepWorld {
    let level = Level::new(50, false);
    let spawn = Spawn {
        velocity: Place::lit("0.25", "0", "0"),
        rotates: true,
        angular_velocity: Place::lit("0", "0.5", "0"),
        ..level.spawn("0", "5")
    };
    let mut world = level.world;
    world.apply(&[Command::Spawn(spawn)]).accepted().expect("room for a ball");
    world
}

fn shown(app: &App, entity: Entity) -> Transform {
    *app.world().get::<Transform>(entity).expect("it is required")
}

#[test]
fn transforms_are_between_two_ticks_and_exact_at_their_ends() {
    let (mut app, entity) = flying();
    let frame = |app: &App| Frame::of(app.world().resource::<bitstep_bevy::Physics>().world());
    let (mut before, mut now) = (frame(&app), frame(&app));
    for quarters in 0..40_u32 {
        app.update(); // no time passes in the first
        assert_eq!(ticks(&app), u64::from(quarters / 4));
        if quarters > 0 && quarters % 4 == 0 {
            before = std::mem::replace(&mut now, frame(&app));
        }
        let pose =
            |frame: &Frame| Pose::new(&frame.pose(BodyId::from_parts(0, 0)).expect("it flies"), Place::ZERO);
        let expected = pose(&before).between(&pose(&now), (quarters % 4) as f32 / 4.0);
        let transform = shown(&app, entity);
        assert_eq!(transform.translation.to_array(), expected.position, "{quarters}");
        assert_eq!(transform.rotation.to_array(), expected.orientation, "{quarters}");
        assert_eq!(transform.translation.x, (quarters.saturating_sub(4)) as f32 / 16.0);
        let seen = app.world().get::<GlobalTransform>(entity).expect("it is required");
        assert_eq!(seen.translation(), transform.translation, "set before it is propagated");
    }
}

#[test]
fn a_teleported_body_is_not_smeared() {
    let (mut app, entity) = flying();
    (0..9).for_each(|_| app.update());
    let (body, position) = (BodyId::from_parts(0, 0), Place::lit("100", "5", "0"));
    let teleport = Command::Teleport { body, position, orientation: None, allow_overlap: false };
    app.world_mut().resource_mut::<Physics>().push(teleport);
    for frame in 0..8_u32 {
        app.update();
        // Until the tick on its way, and then where the tick ended.
        let expected = if frame < 3 { 0.25 + (frame + 1) as f32 / 16.0 } else { 100.25 };
        assert_eq!(shown(&app, entity).translation.x, expected, "frame {frame}");
    }
    app.update();
    assert_eq!(shown(&app, entity).translation.x, 100.25 + 1.0 / 16.0, "then it flies on");
}

#[test]
fn an_entity_without_interpolation_shows_the_last_tick() {
    let (mut app, entity) = flying();
    app.world_mut().entity_mut(entity).insert(NoInterpolation);
    for quarters in 0..12_u32 {
        app.update();
        assert_eq!(shown(&app, entity).translation.x, (quarters / 4) as f32 / 4.0);
    }
}

#[test]
fn scale_is_left_and_the_origin_is_subtracted() {
    let (mut app, entity) = flying();
    app.insert_resource(RenderOrigin(Place::lit("-16000", "0", "2")));
    app.world_mut().get_mut::<Transform>(entity).expect("it is required").scale = Vec3::splat(3.0);
    for quarters in 0..9_u32 {
        app.update();
        let x = 16000.0 + quarters.saturating_sub(4) as f32 / 16.0;
        let transform = shown(&app, entity);
        assert_eq!((transform.translation, transform.scale), (Vec3::new(x, 5.0, -2.0), Vec3::splat(3.0)));
    }
}

#[test]
fn an_entity_that_gets_a_body_in_update_is_placed_in_the_same_frame() {
    let (mut app, entity) = flying();
    (0..5).for_each(|_| app.update());
    app.world_mut().entity_mut(entity).despawn();
    app.add_systems(Update, |mut commands: Commands, bodies: Query<&PhysicsBody>| {
        if bodies.is_empty() {
            commands.spawn(PhysicsBody(BodyId::from_parts(0, 0)));
        }
    });
    app.update();
    let mut query = app.world_mut().query_filtered::<&GlobalTransform, With<PhysicsBody>>();
    assert_eq!(query.single(app.world()).expect("one").translation(), Vec3::new(1.0 / 16.0, 5.0, 0.0));
}

#[derive(Resource)]
struct Paused;

#[test]
fn bodies_rest_while_the_clock_goes_on_without_ticks() {
    let (mut app, entity) = flying();
    app.configure_sets(FixedUpdate, PhysicsSystems::Tick.run_if(not(resource_exists::<Paused>)));
    (0..10).for_each(|_| app.update()); // two ticks, and a quarter
    app.insert_resource(Paused);
    (0..2).for_each(|_| app.update());
    assert_eq!(shown(&app, entity).translation.x, 0.25 + 3.0 / 16.0, "until the next tick is due");
    for frame in 0..9 {
        app.update();
        assert_eq!(shown(&app, entity).translation.x, 0.5, "frame {frame}");
    }
    app.world_mut().remove_resource::<Paused>();
    let mut last = 0.5;
    for frame in 0..9 {
        app.update();
        let x = shown(&app, entity).translation.x;
        assert!((0.0..=0.0626).contains(&(x - last)), "frame {frame}: {x}");
        last = x;
    }
    assert!(last > 0.75, "it flies on");
}

/// Updates an app with a system in `Update`, which runs once.
fn once<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
    app.add_systems(Update, system.run_if(run_once)).update();
}

/// The place at which an entity is drawn.
fn drawn(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).expect("it is required").translation()
}

#[test]
fn an_origin_that_is_set_in_update_counts_in_the_same_frame() {
    let (mut app, entity) = flying();
    (0..8).for_each(|_| app.update());
    let before = drawn(&app, entity);
    once(&mut app, |mut origin: ResMut<RenderOrigin>| origin.0 = Place::lit("100", "0", "0"));
    assert_eq!(drawn(&app, entity), before + Vec3::new(1.0 / 16.0 - 100.0, 0.0, 0.0));
}

#[test]
fn a_level_that_begins_in_update_is_drawn_in_the_same_frame() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, BitstepPlugin::default()));
    app.update();
    once(&mut app, |mut commands: Commands| {
        commands.insert_resource(Physics::new(flight()));
        commands.spawn(PhysicsBody(BodyId::from_parts(0, 0)));
    });
    let mut entities = app.world_mut().query_filtered::<Entity, (With<PhysicsBody>, Without<Absent>)>();
    let entity = entities.single(app.world()).expect("one, which is not absent");
    assert_eq!(drawn(&app, entity), Vec3::new(0.0, 5.0, 0.0));
}

#[test]
fn an_entity_that_gets_another_body_in_update_is_placed_in_the_same_frame() {
    let (mut app, entity) = flying();
    let spawn = Level::new(50, false).spawn("9", "5");
    app.world_mut().resource_mut::<Physics>().push(Command::Spawn(spawn));
    (0..9).for_each(|_| app.update());
    once(&mut app, |mut commands: Commands, bodies: Query<Entity, With<PhysicsBody>>| {
        commands.entity(bodies.single().expect("one")).insert(PhysicsBody(BodyId::from_parts(1, 0)));
    });
    assert_eq!(drawn(&app, entity), Vec3::new(9.0, 5.0, 0.0));
}

#[test]
fn an_absent_body_does_not_change_the_order_of_queries() {
    let (mut app, _) = flying();
    app.world_mut().spawn(PhysicsBody(BodyId::from_parts(7, 0)));
    app.world_mut().spawn(PhysicsBody(BodyId::from_parts(0, 0)));
    let order = |app: &mut App| {
        let mut bodies = app.world_mut().query_filtered::<Entity, With<PhysicsBody>>();
        bodies.iter(app.world()).collect::<Vec<_>>()
    };
    let before = order(&mut app);
    (0..9).for_each(|_| app.update());
    assert_eq!(app.world_mut().query::<&Absent>().iter(app.world()).count(), 1);
    assert_eq!(order(&mut app), before);
}

#[test]
fn an_entity_of_a_stale_body_is_marked_and_stays_where_it_was() {
    let (mut app, entity) = flying();
    (0..9).for_each(|_| app.update());
    assert!(app.world().get::<Absent>(entity).is_none());
    let body = BodyId::from_parts(0, 0);
    app.world_mut().resource_mut::<Physics>().push(Command::Remove { body });
    (0..8).for_each(|_| app.update());
    assert!(app.world().get::<Absent>(entity).is_some());
    assert_eq!(shown(&app, entity).translation.x, 0.25 + 3.0 / 16.0);
}

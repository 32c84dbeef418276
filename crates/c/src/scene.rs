//! Scenes in RON: a world, what happens in it and for how long.

use std::ffi::c_char;

use bitstep_scene::Scene;

use crate::{
    code::{BITSTEP_ERROR_DATA, BitstepCode, Failure, guard},
    handle::Table,
    memory,
    world::{BitstepWorld, WORLDS, put_world},
};

static SCENES: Table<Scene> = Table::new(6, "scene");

/// A scene that was read, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepScene {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// Reads a scene from its text in RON, the content of a file. If it is none, the code is `BITSTEP_ERROR_DATA`, and the words begin with line
/// and column. The caller frees it.
///
/// # Safety
///
/// `text` must be a text with a zero at the end, or null; `scene` valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scene_new(text: *const c_char, scene: *mut BitstepScene) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let text = unsafe { memory::text(text, "text")? };
        let read = Scene::parse(text).map_err(|error| Failure::new(BITSTEP_ERROR_DATA, error))?;
        let handle = SCENES.add(read);
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(scene, "scene", BitstepScene { handle }) }.inspect_err(|_| {
            let _ = SCENES.remove(handle); // it was added here
        })
    })
}

/// Frees a scene. Worlds of it stay.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_scene_free(scene: BitstepScene) -> BitstepCode {
    guard(|| SCENES.remove(scene.handle))
}

/// Number of ticks for which a scene is to be run.
///
/// # Safety
///
/// `ticks` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scene_tick_count(scene: BitstepScene, ticks: *mut u64) -> BitstepCode {
    guard(|| {
        let count = SCENES.with(scene.handle, |scene| Ok(scene.ticks))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(ticks, "ticks", count) }
    })
}

/// A world as the scene has it before its first tick, initial bodies included. The caller frees it.
///
/// # Safety
///
/// `world` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scene_world(scene: BitstepScene, world: *mut BitstepWorld) -> BitstepCode {
    guard(|| {
        let initial_state = SCENES.with(scene.handle, |scene| Ok(scene.initial_state.clone()))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_world(initial_state, world) }
    })
}

/// Applies the commands that the scene has for the world's next tick, and steps the world; a recorder may record the tick. `refused_count`
/// gets the number of commands that were refused, which is no fault, and may be null.
///
/// # Safety
///
/// `refused_count` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scene_tick(
    scene: BitstepScene,
    world: BitstepWorld,
    refused_count: *mut u32,
) -> BitstepCode {
    guard(|| {
        memory::check_optional(refused_count, "refused_count")?; // before anything is changed
        let count = SCENES.with(scene.handle, |scene| {
            WORLDS.with(world.handle, |held| {
                let commands = scene.timeline.commands(held.world.tick_count() + 1, &held.world);
                let outcomes = held.apply(&commands);
                held.tick();
                Ok(outcomes.iter().filter(|outcome| outcome.is_err()).count() as u32)
            })
        })?;
        if refused_count.is_null() {
            return Ok(());
        }
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(refused_count, "refused_count", count) }
    })
}

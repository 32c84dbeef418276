//! Calls that build, change and step.

use std::ptr;

use bitstep_c::{code::*, command::*, scene::*, scenery::*, types::*, world::*};

use super::{Input, TICKS_MAX, Table, add, bytes, words};

/// A scene of the level that all runs begin with, and a few ticks of commands.
const SCENE: &str = r#"(title: "", tick_rate: 60, ticks: 9, materials: {"m": (restitution: 0.5)},
    shapes: {"s": sphere(radius: 0.5)}, bodies: [body(name: "b", shape: "s", material: "m", position: (0, 3, 0))],
    timeline: [(tick: 2, commands: [set_velocity(body: "b", velocity: (1, 2, 3)), remove(body: "b")])])"#;

/// The snapshot of a world.
pub fn saved(world: BitstepWorld) -> Result<Vec<u8>, BitstepCode> {
    // SAFETY: there is room for so many bytes.
    bytes(|room, capacity, length| unsafe { bitstep_world_save(world, room, capacity, length) })
}

impl Table {
    pub fn call_of_scenery(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (scenery, mut id) = (self.scenery(input), 0);
        match input.below(8) {
            0 => {
                let mut made = BitstepScenery::default();
                // SAFETY: the pointer is to a value here.
                let code = unsafe { bitstep_scenery_new(&mut made) };
                add(&mut self.sceneries, code, made.handle)
            }
            // SAFETY: the pointers are to values here.
            1 | 2 => unsafe { bitstep_scenery_add_shape(scenery, &input.shape(), &mut id) },
            // SAFETY: null is no place to write to.
            3 => unsafe {
                bitstep_scenery_add_material(scenery, input.scalar(), input.scalar(), ptr::null_mut())
            },
            // SAFETY: the pointers are to values here.
            4 | 5 => unsafe { bitstep_scenery_add_static(scenery, &input.fixed(), &mut id) },
            _ => {
                let (limits, mut made) = (input.limits(), BitstepWorld::default());
                // SAFETY: the pointers are to values here.
                let code = unsafe { bitstep_world_new(scenery, &limits, &mut made) };
                add(&mut self.worlds, code, made.handle)
            }
        }
    }

    pub fn call_of_world(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let world = self.world(input);
        match input.below(8) {
            0 => {
                let mut made = BitstepWorld::default();
                // SAFETY: the pointer is to a value here.
                let code = unsafe { bitstep_world_clone(world, &mut made) };
                add(&mut self.worlds, code, made.handle)
            }
            1..4 => self.spawn(world, input),
            4..7 => {
                let commands: Vec<_> = (0..=input.below(3)).map(|_| input.command()).collect();
                self.apply(world, &commands)
            }
            _ => {
                let (bytes, mut refused) = (input.damaged(&self.commands), 0);
                // SAFETY: the pointers are to values here.
                unsafe { bitstep_world_apply_bytes(world, bytes.as_ptr(), bytes.len(), &mut refused) }
            }
        }
    }

    pub fn tick(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let world = self.world(input);
        if self.ticks == TICKS_MAX {
            return BITSTEP_OK;
        }
        self.ticks += 1;
        bitstep_world_tick(world)
    }

    /// Reads a scene, of which some bytes may be wrong, or plays a tick of one, in its own world or in any other.
    pub fn call_of_scene(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (scene, mut made) = (self.scene(input), BitstepWorld::default());
        match input.below(4) {
            0 => {
                let mut text = input.damaged(SCENE.as_bytes());
                text.push(0);
                let mut read = BitstepScene::default();
                // SAFETY: the text ends with a zero, and the other pointer is to a value here.
                let code = unsafe { bitstep_scene_new(text.as_ptr().cast(), &mut read) };
                add(&mut self.scenes, code, read.handle)
            }
            1 => {
                // SAFETY: the pointer is to a value here.
                let code = unsafe { bitstep_scene_world(scene, &mut made) };
                add(&mut self.worlds, code, made.handle)
            }
            _ if self.ticks < TICKS_MAX => {
                self.ticks += 1;
                // SAFETY: null is no place to write to.
                let code = unsafe { bitstep_scene_tick(scene, self.world(input), ptr::null_mut()) };
                self.of_scenes += u32::from(code == BITSTEP_OK);
                code
            }
            _ => BITSTEP_OK,
        }
    }

    /// Adds a body, and to a copy of the world from bytes.
    fn spawn(&mut self, world: BitstepWorld, input: &mut Input<'_>) -> BitstepCode {
        let (spawn, mut body) = (input.spawn(), BitstepBody::default());
        let copy = copy(world);
        // SAFETY: the pointers are to values here.
        let code = unsafe { bitstep_world_spawn(world, &spawn, &mut body) };
        let Ok(copy) = copy else { return code };
        // SAFETY: there is room for so many bytes, and the struct is here.
        let encoded =
            bytes(|room, capacity, length| unsafe { bitstep_spawn_encode(&spawn, room, capacity, length) });
        self.compare([world, copy], code, encoded, &[code]);
        code
    }

    /// Applies commands, and to a copy of the world from bytes.
    fn apply(&mut self, world: BitstepWorld, commands: &[BitstepCommand]) -> BitstepCode {
        let mut codes = vec![BITSTEP_OK; commands.len()];
        let copy = copy(world);
        // SAFETY: the pointers are to values here, as many as there are commands.
        let code =
            unsafe { bitstep_world_apply(world, commands.as_ptr(), commands.len(), codes.as_mut_ptr()) };
        let Ok(copy) = copy else { return code };
        // SAFETY: there is room for so many bytes, and so many structs are here.
        let encoded = bytes(|room, capacity, length| unsafe {
            bitstep_commands_encode(commands.as_ptr(), commands.len(), room, capacity, length)
        });
        self.compare([world, copy], code, encoded, &codes);
        code
    }

    /// Applies the bytes of commands to a copy of a world as it was before them: both are the same then.
    fn compare(
        &mut self,
        [world, copy]: [BitstepWorld; 2],
        code: BitstepCode,
        encoded: Result<Vec<u8>, BitstepCode>,
        codes: &[BitstepCode],
    ) {
        match encoded {
            Err(other) => assert_eq!(other, code, "commands that have no bytes are not applied: {}", words()),
            Ok(bytes) => {
                assert!(code == BITSTEP_OK || code == BITSTEP_ERROR_REFUSED, "code {code}: {}", words());
                let mut refused = 0;
                // SAFETY: the pointers are to values here.
                let code =
                    unsafe { bitstep_world_apply_bytes(copy, bytes.as_ptr(), bytes.len(), &mut refused) };
                let expected = codes.iter().filter(|code| **code != BITSTEP_OK).count();
                assert_eq!((code, refused as usize), (BITSTEP_OK, expected), "{}", words());
                self.accepted += codes.len() as u32 - refused;
                self.commands = bytes;
            }
        }
        assert!(saved(world) == saved(copy), "bytes of commands come to another state");
        assert_eq!(bitstep_world_free(copy), BITSTEP_OK);
    }
}

/// Another world with the same state.
fn copy(world: BitstepWorld) -> Result<BitstepWorld, BitstepCode> {
    let mut copy = BitstepWorld::default();
    // SAFETY: the pointer is to a value here.
    let code = unsafe { bitstep_world_clone(world, &mut copy) };
    if code == BITSTEP_OK { Ok(copy) } else { Err(code) }
}

//! Bytes that may be a scene: reading them is a scene or an error with a place in the text.

use bitstep::tick::TickReport;
use bitstep_scene::Scene;

/// Scenes with more bodies are read, but not stepped.
const BODIES_STEPPED: usize = 200;

/// Reads a scene and steps it once; returns whether it was one.
///
/// # Panics
///
/// Never: that is under test.
pub fn body(bytes: &[u8]) -> bool {
    let Ok(source) = std::str::from_utf8(bytes) else { return false };
    match Scene::parse(source) {
        Ok(mut scene) => {
            if scene.initial_state.bodies().count() <= BODIES_STEPPED {
                scene.initial_state.step(&mut TickReport::default());
            }
            true
        }
        Err(error) => {
            let lines = source.split('\n').count() as u64;
            assert!((1..=lines).contains(&error.line), "{error} lies outside");
            false
        }
    }
}

//! Scene files, with errors that name the file.

use std::path::Path;

use anyhow::{Result, bail};
use bitstep_program::files::{is_replay, read};

use bitstep_scene::Scene;

/// The largest scene file that is read.
const SCENE_BYTES_MAX: u64 = 16 << 20;
/// Reads and checks a scene file; `-` is standard input.
pub fn read_scene(path: &Path) -> Result<Scene> {
    let bytes = read(path, SCENE_BYTES_MAX)?;
    let name = path.display();
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            if is_replay(error.as_bytes()) {
                bail!("{name}: a recording, not a scene; `verify` and `show` read it");
            }
            let at = error.utf8_error().valid_up_to();
            bail!("{name}: byte {at} is not UTF-8; a scene is a text file in RON");
        }
    };
    // The position follows the file's name without a space, as compilers print it.
    Scene::parse(&text).map_err(|error| anyhow::anyhow!("{name}:{error}"))
}

/// Refuses a file for the recording of a scene that would destroy the scene, or that only looks like
/// standard output.
pub fn check_target(target: &Path, scene: &Path) -> Result<()> {
    let name = target.display();
    if target == Path::new("-") {
        bail!("--record -: a recording goes into a file; call it ./- if you mean that name");
    }
    // A file that does not exist yet has no canonical path, and is not the scene.
    match (target.canonicalize(), scene.canonicalize()) {
        (Ok(target), Ok(scene)) if target == scene => {
            bail!("{name}: cannot be written: it is the scene; give the recording another name")
        }
        _ => Ok(()),
    }
}

//! Scene files, with errors that name the file.

use std::path::{Component, Path};

use anyhow::{Result, bail};
use bitstep_program::files::{is_replay, read};

use bitstep_scene::Scene;

/// The largest scene file that is read.
const SCENE_BYTES_MAX: u64 = 16 << 20;
/// The largest mesh file that is read: one of the largest mesh has less.
const MESH_BYTES_MAX: u64 = 128 << 20;

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
    let folder = path.parent().unwrap_or(Path::new(""));
    let scene = Scene::parse_with(&text, |name| read_beside(folder, name, MESH_BYTES_MAX));
    scene.map_err(|error| anyhow::anyhow!("{name}:{error}"))
}

/// Reads a file that another one names, from that one's folder; the reason why it cannot be read.
///
/// Names lead into the folder only: a scene or a model from anywhere reads nothing else of the machine.
pub fn read_beside(folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, String> {
    let parts = Path::new(name).components();
    let leads_inside = parts.clone().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !leads_inside || parts.count() == 0 || name.contains(['\\', ':']) {
        return Err(
            "must be the name of a file in the same folder or below, with / between its parts".to_owned()
        );
    }
    // A path that begins with a dot is never standard input.
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    read(&folder.join(name), limit).map_err(|error| format!("{error:#}"))
}

/// Refuses a file for the recording of a scene that would destroy the scene, or that only looks like
/// standard output.
pub fn check_target(target: &Path, scene: &Path) -> Result<()> {
    check_output("--record", target, (scene, "the scene"))
}

/// Refuses a file to write that is the one to read, or that only looks like standard output.
pub fn check_output(option: &str, target: &Path, (source, what): (&Path, &str)) -> Result<()> {
    let name = target.display();
    let written = if option == "--record" { "recording" } else { "mesh" };
    if target == Path::new("-") {
        bail!("{option} -: a {written} goes into a file; call it ./- if you mean that name");
    }
    // A file that does not exist yet has no canonical path, and is not the scene.
    match (target.canonicalize(), source.canonicalize()) {
        (Ok(target), Ok(source)) if target == source => {
            bail!("{name}: cannot be written: it is {what}; give the {written} another name")
        }
        _ => Ok(()),
    }
}

//! glTF 2.0, as text with buffers beside it or in it, and in the binary form.
//!
//! Only what triangles come from is read, by the bits of its floats and the text of its decimals; transforms of nodes are worked out in
//! fractions (`affine.rs`). So a coordinate is rounded once, to the grid of a mesh.

mod accessor;
mod buffers;
mod document;

use serde_json::value::RawValue;

use self::{
    accessor::Positions,
    buffers::ReadFile,
    document::{Document, Node, Primitive, entry, parts},
};
use super::{affine::Affine, model::Model, number::Number};

/// The beginnings of extensions that change nothing about where triangles are.
const HARMLESS: [&str; 5] = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_xmp"];
/// The forms of primitives that are triangles.
const TRIANGLES: u64 = 4;
const STRIP: u64 = 5;
const FAN: u64 = 6;

/// Reads a model; files beside it are read by the function.
pub fn read(bytes: &[u8], transform: &Affine, read_file: &mut ReadFile<'_>) -> Result<Model, String> {
    let (text, binary) = parts(bytes)?;
    let text =
        std::str::from_utf8(text).map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to()))?;
    let document: Document<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let version = document.asset.version.get();
    if !version.starts_with("\"2.") {
        return Err(format!("asset.version is {version}, must be 2.x"));
    }
    if let Some(name) = document.extensions_required.iter().find(|name| !is_harmless(name)) {
        return Err(format!("extension {name:?} is required, but is not read: export the model without"));
    }
    let buffers = buffers::load(&document, binary, read_file)?;
    let mut reader = Reader { document: &document, buffers: &buffers, model: Model::default() };
    reader.scene(transform)?;
    Ok(reader.model)
}

fn is_harmless(extension: &str) -> bool {
    HARMLESS.iter().any(|prefix| extension.starts_with(prefix))
}

struct Reader<'d> {
    document: &'d Document<'d>,
    buffers: &'d [Vec<u8>],
    model: Model,
}

impl Reader<'_> {
    /// The meshes of all nodes of the scene, in the order of a walk through the tree.
    fn scene(&mut self, transform: &Affine) -> Result<(), String> {
        let document = self.document;
        let scene = entry(&document.scenes, "scenes", document.scene.unwrap_or_default())?;
        let mut seen = vec![false; document.nodes.len()];
        let mut open: Vec<(u64, Affine)> =
            scene.nodes.iter().rev().map(|node| (*node, transform.clone())).collect();
        while let Some((index, above)) = open.pop() {
            let node = entry(&document.nodes, "nodes", index)?;
            // In a tree each node is met once; this also ends circles.
            if std::mem::replace(&mut seen[index as usize], true) {
                return Err(format!("nodes[{index}] is in the scene twice"));
            }
            let named = |reason: String| format!("nodes[{index}] {reason}");
            let whole = above.after(&own(node).map_err(named)?).map_err(named)?;
            if let Some(mesh) = node.mesh {
                self.mesh(mesh, &whole).map_err(|reason| format!("nodes[{index}]: {reason}"))?;
            }
            open.extend(node.children.iter().rev().map(|child| (*child, whole.clone())));
        }
        Ok(())
    }

    fn mesh(&mut self, index: u64, transform: &Affine) -> Result<(), String> {
        let mesh = entry(&self.document.meshes, "meshes", index)?;
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.primitive(primitive, transform)
                .map_err(|reason| format!("meshes[{index}].primitives[{number}]: {reason}"))?;
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, transform: &Affine) -> Result<(), String> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if mode < TRIANGLES {
            self.model.left_out += 1;
            return Ok(());
        }
        if mode > FAN {
            return Err(format!("mode is {mode}, must be in 0..={FAN}"));
        }
        let position = primitive.attributes.position.ok_or("there is no POSITION")?;
        let points = Positions::of(self.document, self.buffers, position)?;
        let first = self.model.points.len() as u32;
        for at in 0..points.count() {
            let named = |reason| format!("accessors[{position}], element {at}: {reason}");
            self.model.point(transform, &points.at(at)?).map_err(named)?;
        }
        let corners = match primitive.indices {
            Some(index) => accessor::indices(self.document, self.buffers, index)?,
            None => (0..points.count() as u32).collect(),
        };
        if let Some(at) = corners.iter().position(|corner| *corner as usize >= points.count()) {
            let (corner, count) = (corners[at], points.count());
            return Err(format!("index {at} is {corner}, but there are {count} positions"));
        }
        let name = match primitive.material {
            Some(index) => {
                let name = entry(&self.document.materials, "materials", index)?.name.clone();
                name.unwrap_or_else(|| format!("material {index}"))
            }
            None => String::new(),
        };
        let material = self.model.material(&name)?;
        let corners: Vec<u32> = corners.into_iter().map(|corner| first + corner).collect();
        triangles(mode, &corners)?
            .into_iter()
            .try_for_each(|triangle| self.model.triangle(triangle, material))
    }
}

/// The triangles of corners by the form of a primitive.
fn triangles(mode: u64, corners: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    if mode == TRIANGLES && corners.len() % 3 != 0 {
        return Err(format!("{} corners, must be a multiple of 3", corners.len()));
    }
    Ok(match mode {
        TRIANGLES => corners.chunks_exact(3).map(|part| [part[0], part[1], part[2]]).collect(),
        STRIP => {
            let turned = |(at, part): (usize, &[u32])| match at % 2 {
                0 => [part[0], part[1], part[2]],
                _ => [part[1], part[0], part[2]],
            };
            corners.windows(3).enumerate().map(turned).collect()
        }
        _ => corners.windows(2).skip(1).map(|part| [corners[0], part[0], part[1]]).collect(),
    })
}

/// The transform of a node within the one above it.
fn own(node: &Node<'_>) -> Result<Affine, String> {
    if let Some(matrix) = &node.matrix {
        return Affine::of_matrix(&numbers("matrix", matrix)?);
    }
    let part = |name: &str, given: &Option<Vec<&RawValue>>, or: [i8; 3]| match given {
        Some(given) => numbers::<3>(name, given),
        None => Ok(or.map(Number::whole)),
    };
    let rotation = match &node.rotation {
        Some(given) => numbers::<4>("rotation", given)?,
        None => [0, 0, 0, 1].map(Number::whole),
    };
    let translation = part("translation", &node.translation, [0; 3])?;
    Affine::of_parts(&translation, &rotation, &part("scale", &node.scale, [1; 3])?)
}

fn numbers<const N: usize>(name: &str, given: &[&RawValue]) -> Result<[Number; N], String> {
    let read = |(at, text): (usize, &&RawValue)| {
        Number::decimal(text.get()).map_err(|reason| format!("{name}[{at}] {reason}"))
    };
    let all: Vec<Number> = given.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let count = all.len();
    all.try_into().map_err(|_| format!("{name} has {count} numbers, must have {N}"))
}

#[cfg(test)]
mod tests;

//! Files of baked meshes: a header, the mesh as a scenery has it, and the names of its materials. The byte table is in `docs/formats.md`.

use std::fmt;

use bitstep::{
    geom::Vec3,
    shape::{Mesh, ShapeError},
};

/// The first bytes of a file: as in a recording, they tell a transfer as text from the file itself.
const MAGIC: [u8; 8] = *b"\x89BSM\r\n\x1a\n";
/// Magic, format version, zeros, content hash.
const HEADER_BYTES: usize = MAGIC.len() + 2 + 2 + 16;
/// The number of meshes of triangles among all meshes.
const TRIANGLES: u32 = 0;
/// The bits of a raw that the grid of a mesh leaves out.
const STEP_BITS: u32 = 16;
/// The largest number of materials of a mesh.
const MATERIALS_MAX: usize = 256;
/// The largest number of bytes of a name.
const NAME_BYTES_MAX: usize = 255;

/// A baked mesh and the names of its materials, as a file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeshFile {
    mesh: Mesh,
    materials: Vec<String>,
}

/// An error in the bytes of a mesh file, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeshFileError {
    /// The offset of the field that is wrong.
    pub byte: u64,
    /// Field, value and limit, in words.
    pub message: String,
}

impl fmt::Display for MeshFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.byte, self.message)
    }
}

impl std::error::Error for MeshFileError {}

impl MeshFile {
    /// The version of the layout.
    pub const FORMAT_VERSION: u16 = 1;

    /// A mesh with the names of its materials: those of numbers that no triangle has are left out, missing ones are empty.
    ///
    /// # Errors
    ///
    /// If the mesh is a ground of heights, or a name has more than 255 bytes.
    pub fn new(mesh: Mesh, mut materials: Vec<String>) -> Result<Self, MeshFileError> {
        if mesh.heights().is_some() {
            return Err(fault(0, "a ground of heights: only meshes of triangles have files"));
        }
        materials.resize(mesh.material_count().into(), String::new());
        match materials.iter().map(String::len).find(|length| *length > NAME_BYTES_MAX) {
            Some(length) => Err(name_too_long(0, length)),
            None => Ok(Self { mesh, materials }),
        }
    }

    /// The mesh.
    #[must_use]
    pub const fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The names of its materials by their numbers; an empty one is a material without a name.
    #[must_use]
    pub fn materials(&self) -> &[String] {
        &self.materials
    }

    /// The bytes of the file. Equal meshes with equal names give equal bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Self::FORMAT_VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(self.mesh.content_hash().to_le_bytes());
        let put_count = |bytes: &mut Vec<u8>, count: usize| bytes.extend((count as u64).to_le_bytes());
        bytes.extend(TRIANGLES.to_le_bytes());
        put_count(&mut bytes, self.mesh.points().len());
        for point in self.mesh.points() {
            bytes.extend(point.raw().iter().flat_map(|raw| ((raw >> STEP_BITS) as i32).to_le_bytes()));
        }
        let triangles = self.mesh.triangles();
        put_count(&mut bytes, triangles.len());
        bytes.extend(triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()));
        let numbers = numbers(&self.mesh);
        put_count(&mut bytes, numbers.len());
        bytes.extend(numbers);
        put_count(&mut bytes, self.materials.len());
        for name in &self.materials {
            put_count(&mut bytes, name.len());
            bytes.extend(name.as_bytes());
        }
        bytes
    }

    /// The mesh of a file's bytes.
    ///
    /// # Errors
    ///
    /// If they are not those of a mesh that was baked, or are damaged. Every count is checked against the bytes that are left, so memory
    /// is bounded by a multiple of what is given.
    pub fn decode(bytes: &[u8]) -> Result<Self, MeshFileError> {
        let mut reader = Reader { bytes, at: 0 };
        let hash = reader.header()?;
        let start = reader.at;
        let kind = number(reader.take(4)?);
        if kind != TRIANGLES {
            return Err(fault(start, format!("kind {kind} of mesh, must be {TRIANGLES}: triangles")));
        }
        let mut points = Vec::new();
        for part in reader.list("points", 12, Mesh::COUNT_MAX)?.chunks_exact(12) {
            points
                .push(Vec3::from_raw([0, 4, 8].map(|at| i64::from(number(&part[at..]) as i32) << STEP_BITS)));
        }
        let corners = reader.list("triangles", 12, Mesh::COUNT_MAX)?;
        let triangles: Vec<[u32; 3]> =
            corners.chunks_exact(12).map(|part| [0, 4, 8].map(|at| number(&part[at..]))).collect();
        let materials = reader.list("materials", 1, Mesh::COUNT_MAX)?;
        let refused = |error: ShapeError| fault(start, error.to_string());
        let mesh = Mesh::with_materials(&points, &triangles, materials).map_err(refused)?;
        if !mesh.points().eq(points) || mesh.triangles() != triangles || numbers(&mesh) != materials {
            return Err(refused(ShapeError::NotCanonical));
        }
        if mesh.content_hash() != hash {
            let here = mesh.content_hash();
            let message =
                format!("damaged: the content hash is {hash:032x}, that of the mesh is {here:032x}");
            return Err(fault(HEADER_BYTES - 16, message));
        }
        let materials = reader.names(mesh.material_count().into())?;
        match bytes.len() - reader.at {
            0 => Ok(Self { mesh, materials }),
            left => Err(fault(reader.at, format!("{left} bytes too many"))),
        }
    }
}

/// The number for the material of each triangle, or none if all are 0.
fn numbers(mesh: &Mesh) -> Vec<u8> {
    let triangles = if mesh.material_count() > 1 { mesh.triangles().len() as u32 } else { 0 };
    (0..triangles).map(|triangle| mesh.material_of(triangle)).collect()
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn fault(at: usize, message: impl Into<String>) -> MeshFileError {
    MeshFileError { byte: at as u64, message: message.into() }
}

fn name_too_long(at: usize, length: usize) -> MeshFileError {
    fault(at, format!("the name of a material has {length} bytes, at most {NAME_BYTES_MAX}"))
}

/// The part of a file that is not read yet.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The content hash of a header that this build reads.
    fn header(&mut self) -> Result<u128, MeshFileError> {
        if !self.bytes.starts_with(&MAGIC) {
            return Err(fault(0, "not a baked mesh; `bitstep bake` writes one"));
        }
        self.at = MAGIC.len();
        let version = self.take(4)?;
        let found = u16::from_le_bytes([version[0], version[1]]);
        if found != MeshFile::FORMAT_VERSION {
            let known = MeshFile::FORMAT_VERSION;
            return Err(fault(MAGIC.len(), format!("format version {found}, this build reads {known}")));
        }
        if version[2..] != [0; 2] {
            return Err(fault(MAGIC.len() + 2, "not zero"));
        }
        let mut hash = [0; 16];
        hash.copy_from_slice(self.take(16)?);
        Ok(u128::from_le_bytes(hash))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], MeshFileError> {
        let left = &self.bytes[self.at..];
        let taken = left.get(..count).ok_or_else(|| {
            fault(self.at, format!("the file ends: {count} bytes are missing, {} are there", left.len()))
        })?;
        self.at += count;
        Ok(taken)
    }

    /// The bytes of a list: a count, and so many elements of one size.
    fn list(&mut self, field: &str, size: usize, most: usize) -> Result<&'a [u8], MeshFileError> {
        let start = self.at;
        let mut count = [0; 8];
        count.copy_from_slice(self.take(8)?);
        let count = u64::from_le_bytes(count);
        if count > most as u64 {
            return Err(fault(start, format!("{field} is {count}, at most {most}")));
        }
        let left = self.bytes.len() - self.at;
        let bytes = count as usize * size; // the count is at most 2^22
        if bytes > left {
            return Err(fault(
                start,
                format!("{field} is {count}, of {size} bytes each, but {left} bytes follow"),
            ));
        }
        self.take(bytes)
    }

    fn names(&mut self, materials: usize) -> Result<Vec<String>, MeshFileError> {
        let start = self.at;
        let mut count = [0; 8];
        count.copy_from_slice(self.take(8)?);
        let count = u64::from_le_bytes(count);
        if count != materials as u64 || materials > MATERIALS_MAX {
            return Err(fault(start, format!("{count} names for {materials} materials")));
        }
        (0..materials)
            .map(|_| {
                let start = self.at;
                let name = self.list("the bytes of a name", 1, NAME_BYTES_MAX)?;
                let text = String::from_utf8(name.to_vec());
                text.map_err(|_| fault(start, "the name of a material is not UTF-8"))
            })
            .collect()
    }
}

//! A glTF file as it is written: the container, and the parts of the document that triangles come from.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The first bytes of the binary form.
const MAGIC: [u8; 4] = *b"glTF";
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// The part of a document that is read. Numbers of transforms are kept as text, and read exactly.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document<'a> {
    #[serde(borrow)]
    pub asset: Asset<'a>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    pub scene: Option<u64>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(borrow, default)]
    pub nodes: Vec<Node<'a>>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
pub struct Asset<'a> {
    #[serde(borrow)]
    pub version: &'a RawValue,
}

#[derive(Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: Vec<u64>,
}

#[derive(Deserialize)]
pub struct Node<'a> {
    pub mesh: Option<u64>,
    #[serde(default)]
    pub children: Vec<u64>,
    #[serde(borrow)]
    pub matrix: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub translation: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub rotation: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub scale: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
pub struct Mesh {
    #[serde(default)]
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<u64>,
    pub material: Option<u64>,
    pub mode: Option<u64>,
}

#[derive(Deserialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<u64>,
}

#[derive(Deserialize)]
pub struct Material {
    pub name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<u64>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u64,
    pub count: u64,
    #[serde(rename = "type")]
    pub form: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: u64,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

/// The document and the binary part of a file in the binary form; a file in the text form has the document alone.
pub fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    if !bytes.starts_with(&MAGIC) {
        return Ok((bytes, None));
    }
    let (header, mut rest) = bytes
        .split_at_checked(HEADER_BYTES)
        .ok_or_else(|| format!("the file has {} bytes, a header has {HEADER_BYTES}", bytes.len()))?;
    let (version, length) = (number(&header[4..]), number(&header[8..]));
    if version != 2 {
        return Err(format!("version {version} of the binary form, must be 2"));
    }
    if u64::from(length) != bytes.len() as u64 {
        return Err(format!("the header says {length} bytes, the file has {}", bytes.len()));
    }
    let (mut document, mut binary) = (None, None);
    while !rest.is_empty() {
        let at = bytes.len() - rest.len();
        let short = || format!("byte {at}: a chunk is longer than the file");
        let (header, behind) = rest.split_at_checked(CHUNK_HEADER_BYTES).ok_or_else(short)?;
        let length = usize::try_from(number(header)).map_err(|_| short())?;
        let (content, behind) = behind.split_at_checked(length).ok_or_else(short)?;
        match (&document, header[4..] == JSON, header[4..] == BIN) {
            (None, true, _) => document = Some(content),
            (None, false, _) => return Err(format!("byte {at}: the first chunk is not JSON")),
            (Some(_), _, true) if binary.is_none() => binary = Some(content),
            _ => {} // chunks of extensions are left out
        }
        rest = behind;
    }
    Ok((document.ok_or("there is no chunk of JSON")?, binary))
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The element of a list by its number; the list and the number are named in the error.
pub fn entry<'l, T>(list: &'l [T], name: &str, index: u64) -> Result<&'l T, String> {
    let found = usize::try_from(index).ok().and_then(|at| list.get(at));
    found.ok_or_else(|| format!("{name}[{index}]: there are {}", list.len()))
}

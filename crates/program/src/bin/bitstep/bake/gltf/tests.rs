use num_bigint::BigInt;

use super::*;

/// Four corners of a square of 8 by 8 units, and six places of corners.
const CORNERS: [[i32; 3]; 4] = [[0, 0, 0], [0, 0, 8], [8, 0, 8], [8, 0, 0]];
const PLACES: [u8; 6] = [0, 1, 2, 2, 3, 0];

const DOCUMENT: &str = r#"{
  "asset": {"version": "2.0", "generator": "by hand"},
  "scene": 0,
  "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 99}, "indices": 1, "material": 0, "mode": 4}]}],
  "materials": [{"name": "rock"}],
  "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [8.0, 0, 8.0]},
    {"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}
  ],
  "bufferViews": [
    {"buffer": 0, "byteOffset": 0, "byteLength": 48},
    {"buffer": 0, "byteOffset": 48, "byteLength": 6}
  ],
  "buffers": [{"byteLength": 54}]
}"#;

/// The bits of a float that is a whole number.
fn bits(whole: i32) -> u32 {
    let magnitude = whole.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    let top = 31 - magnitude.leading_zeros();
    let sign = u32::from(whole < 0) << 31;
    sign | (top + 127) << 23 | (magnitude << (23 - top) & 0x7f_ffff)
}

fn buffer() -> Vec<u8> {
    let corners = CORNERS.as_flattened().iter().flat_map(|part| bits(*part).to_le_bytes());
    corners.chain(PLACES).collect()
}

/// The binary form of a document and of its buffer.
fn glb(document: &str, buffer: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8], fill: u8| {
        let mut content = content.to_vec();
        content.resize(content.len().next_multiple_of(4), fill);
        [&(content.len() as u32).to_le_bytes(), kind.as_slice(), &content].concat()
    };
    let chunks = [chunk(b"JSON", document.as_bytes(), b' '), chunk(b"BIN\0", buffer, 0)].concat();
    let length = (12 + chunks.len() as u32).to_le_bytes();
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &length, &chunks].concat()
}

fn identity() -> Affine {
    let one = BigInt::from(1);
    Affine::axes([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (&one, &one))
}

/// The model of a file beside which there is a file `square.bin` alone.
fn plain(bytes: &[u8]) -> Result<Model, String> {
    read(bytes, &identity(), &mut |name| match name {
        "square.bin" => Ok(buffer()),
        _ => Err("there is none".to_owned()),
    })
}

fn with(from: &str, to: &str) -> String {
    assert!(DOCUMENT.contains(from), "{from}");
    DOCUMENT.replacen(from, to, 1)
}

fn in_units(model: &Model) -> Vec<[i32; 3]> {
    model.points.iter().map(|point| point.map(|part| part >> 16)).collect()
}

#[test]
fn a_square_is_the_same_in_all_forms() {
    let beside = |uri: &str| with("\"byteLength\": 54", &format!("\"byteLength\": 54, \"uri\": \"{uri}\""));
    let written_out = "data:application/octet-stream;base64,\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBAAAAQQAAAAAAAABBAAAAQQAAAAAAAAAAAAECAgMA";
    for bytes in [
        glb(DOCUMENT, &buffer()),
        beside("square.bin").into_bytes(),
        beside("%73quare.bin").into_bytes(),
        beside(written_out).into_bytes(),
        glb(&with("\"scene\": 0,", ""), &buffer()),
        glb(&with(", \"mode\": 4", ""), &buffer()),
    ] {
        let model = plain(&bytes).unwrap();
        assert_eq!(in_units(&model), CORNERS);
        assert_eq!(model.triangles, [[0, 1, 2], [2, 3, 0]]);
        assert_eq!((model.names, model.materials), (vec!["rock".to_owned()], vec![0, 0]));
    }
}

#[test]
fn indices_may_be_of_any_width_or_missing() {
    let narrow = "\"bufferView\": 1, \"componentType\": 5121";
    for (kind, width) in [(5123, 2), (5125, 4)] {
        let document = with(narrow, &format!("\"bufferView\": 1, \"componentType\": {kind}"));
        let document = document.replace("\"byteLength\": 6", &format!("\"byteLength\": {}", 6 * width));
        let mut bytes = buffer()[..48].to_vec();
        PLACES.iter().for_each(|place| bytes.extend(&u32::from(*place).to_le_bytes()[..width]));
        assert_eq!(plain(&glb(&document, &bytes)).unwrap().triangles, [[0, 1, 2], [2, 3, 0]]);
    }
    for (mode, expected) in [(5, [[0, 1, 2], [2, 1, 3]]), (6, [[0, 1, 2], [0, 2, 3]])] {
        let document = with("\"indices\": 1, \"material\": 0, \"mode\": 4", &format!("\"mode\": {mode}"));
        let model = plain(&glb(&document, &buffer())).unwrap();
        assert_eq!(
            (model.triangles.as_slice(), model.names.as_slice()),
            (expected.as_slice(), ["".to_owned()].as_slice())
        );
    }
    let model = plain(&glb(&with("\"mode\": 4", "\"mode\": 1"), &buffer())).unwrap();
    assert_eq!((model.left_out, model.triangles.len()), (1, 0));
}

#[test]
fn elements_may_stand_apart() {
    let document = with("\"byteLength\": 48", "\"byteLength\": 64, \"byteStride\": 16")
        .replace("\"byteOffset\": 48", "\"byteOffset\": 64");
    let document = document
        .replace("\"bufferView\": 0,", "\"bufferView\": 0, \"byteOffset\": 4,")
        .replace("\"byteLength\": 54", "\"byteLength\": 70");
    let mut bytes = Vec::new();
    for corner in CORNERS {
        bytes.extend([0xff; 4]);
        corner.iter().for_each(|part| bytes.extend(bits(*part).to_le_bytes()));
    }
    bytes.extend(PLACES);
    assert_eq!(in_units(&plain(&glb(&document, &bytes)).unwrap()), CORNERS);
}

#[test]
fn nodes_have_the_transforms_of_all_above_them() {
    let nodes = r#""nodes": [
        {"children": [1, 2], "translation": [100, 0, 0.5e1], "scale": [2, 2, 2]},
        {"children": [3], "rotation": [0, 0.70710678, 0, 0.70710678]},
        {"mesh": 0, "matrix": [1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 1e0, 1]},
        {"mesh": 0, "translation": [1, 2, 3]}
    ]"#;
    let model = plain(&glb(&with("\"nodes\": [{\"mesh\": 0}]", nodes), &buffer())).unwrap();
    // (x, y, z) + (1, 2, 3), a quarter turn about y to (z, y, -x), twice, and on; then the other one, which comes second.
    let first = CORNERS.map(|[x, y, z]| [2 * (z + 3) + 100, 2 * (y + 2), -2 * (x + 1) + 5]);
    let second = CORNERS.map(|[x, y, z]| [2 * x + 100, 2 * y, 2 * (z + 1) + 5]);
    assert_eq!(in_units(&model), [first, second].concat());
    assert_eq!(model.triangles[2..], [[4, 5, 6], [6, 7, 4]]);
}

/// A part of the document, what stands in its place, and the error; `@` is the place of the primitive.
const WRONG: &[(&str, &str, &str)] = &[
    ("\"2.0\"", "\"1.0\"", "asset.version is \"1.0\", must be 2.x"),
    ("\"scene\": 0", "\"scene\": 7", "scenes[7]: there are 1"),
    ("\"nodes\": [0]", "\"nodes\": [1]", "nodes[1]: there are 1"),
    ("\"nodes\": [0]", "\"nodes\": [0, 0]", "nodes[0] is in the scene twice"),
    ("{\"mesh\": 0}", "{\"children\": [0]}", "nodes[0] is in the scene twice"),
    ("{\"mesh\": 0}", "{\"mesh\": 3}", "nodes[0]: meshes[3]: there are 1"),
    ("{\"mesh\": 0}", "{\"scale\": [1, 2]}", "nodes[0] scale has 2 numbers, must have 3"),
    (
        "{\"mesh\": 0}",
        "{\"scale\": [1, 2, \"3\"]}",
        "nodes[0] scale[2] is \"3\", must be a decimal number such as 12.5 or 1e-3",
    ),
    ("{\"mesh\": 0}", "{\"rotation\": [0, 0, 0, 0]}", "nodes[0] has a rotation of length 0"),
    ("{\"mesh\": 0}", "{\"matrix\": [1]}", "nodes[0] matrix has 1 numbers, must have 16"),
    ("\"mode\": 4", "\"mode\": 7", "@mode is 7, must be in 0..=6"),
    ("\"POSITION\": 0, ", "", "@there is no POSITION"),
    ("\"POSITION\": 0", "\"POSITION\": 2", "@accessors[2]: there are 2"),
    (
        "\"POSITION\": 0",
        "\"POSITION\": 1",
        "@accessors[1] is \"SCALAR\" of 5121, positions must be \"VEC3\" of 5126",
    ),
    (
        "\"indices\": 1",
        "\"indices\": 0",
        "@accessors[0] is \"VEC3\" of 5126, indices must be \"SCALAR\" of 5121, 5123 or 5125",
    ),
    ("\"material\": 0", "\"material\": 1", "@materials[1]: there are 1"),
    ("\"count\": 4", "\"count\": 3", "@index 4 is 3, but there are 3 positions"),
    ("\"count\": 6", "\"count\": 5", "@5 corners, must be a multiple of 3"),
    ("\"count\": 4", "\"count\": 0", "@accessors[0].count is 0, must be in 1..=12582912"),
    ("\"count\": 4", "\"count\": 2147483648", "@accessors[0].count is 2147483648, must be in 1..=12582912"),
    (
        "\"count\": 4",
        "\"count\": 5",
        "@accessors[0]: count 5 from byteOffset 0 ends behind its view of 48 bytes",
    ),
    (
        "\"count\": 4",
        "\"byteOffset\": 18446744073709551615, \"count\": 4",
        "@accessors[0]: count 4 from byteOffset 18446744073709551615 ends behind its view of 48 bytes",
    ),
    (
        "\"count\": 4",
        "\"sparse\": {\"count\": 1}, \"count\": 4",
        "@accessors[0] is sparse: export the model without",
    ),
    ("\"bufferView\": 0, ", "", "@accessors[0] has no bufferView: export the model without compression"),
    ("\"bufferView\": 0", "\"bufferView\": 9", "@bufferViews[9]: there are 2"),
    (
        "\"byteLength\": 48",
        "\"byteLength\": 48, \"byteStride\": 8",
        "@bufferViews[0].byteStride is 8, must be in 12..=252",
    ),
    (
        "\"byteLength\": 48",
        "\"byteLength\": 4800",
        "@bufferViews[0]: byteOffset 0 and byteLength 4800 end behind its buffer of 56 bytes",
    ),
    (
        "\"byteOffset\": 0",
        "\"byteOffset\": 18446744073709551615",
        "@bufferViews[0]: byteOffset 18446744073709551615 and byteLength 48 end behind its buffer of 56 bytes",
    ),
    ("\"byteLength\": 54", "\"byteLength\": 540", "buffers[0]: byteLength is 540, but there are 56 bytes"),
    (
        "\"byteLength\": 54",
        "\"byteLength\": 54, \"uri\": \"gone.bin\"",
        "buffers[0]: uri \"gone.bin\": there is none",
    ),
    (
        "\"byteLength\": 54",
        "\"byteLength\": 54, \"uri\": \"data:text/plain,a\"",
        "buffers[0]: uri \"data:text/plain,a\" is not in base64",
    ),
    ("[{\"byteLength\": 54}]", "[]", "@buffers[0]: there are 0"),
    ("\"scene\": 0", "\"scene\": -1", "invalid value: integer `-1`, expected u64 at line 3 column 13"),
    (
        "\"scene\": 0",
        "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]",
        "extension \"KHR_draco_mesh_compression\" is required, but is not read: export the model without",
    ),
];

#[test]
fn documents_that_are_wrong_are_told_with_place_value_and_limit() {
    for (from, to, told) in WRONG {
        let expected = told.replace('@', "nodes[0]: meshes[0].primitives[0]: ");
        assert_eq!(plain(&glb(&with(from, to), &buffer())).err(), Some(expected), "{to}");
    }
}

#[test]
fn floats_that_are_no_numbers_are_told_with_their_bits() {
    for (number, told) in [(0x7f80_0000_u32, "7f800000"), (0xffc0_0001, "ffc00001")] {
        let mut bytes = buffer();
        bytes[16..20].copy_from_slice(&number.to_le_bytes());
        let error = plain(&glb(DOCUMENT, &bytes)).err().unwrap();
        let expected = format!("accessors[0], element 1: y is no finite number, its bits are {told}");
        assert!(error.ends_with(&expected), "{error}");
    }
    let mut bytes = buffer();
    bytes[16..20].copy_from_slice(&bits(16_385).to_le_bytes());
    let error = plain(&glb(DOCUMENT, &bytes)).err().unwrap();
    assert!(
        error.ends_with("accessors[0], element 1: y is 16385.000, must be at most 16384 in magnitude"),
        "{error}"
    );
}

#[test]
fn damaged_files_are_errors_or_models_and_never_more() {
    let whole = glb(DOCUMENT, &buffer());
    assert!(plain(&whole).is_ok());
    for end in 0..whole.len() {
        assert!(plain(&whole[..end]).is_err(), "{end}");
    }
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            let _ = plain(&bytes);
        }
    }
    let (short, extra) = (&whole[..100], [whole.as_slice(), b"more"].concat());
    let told = format!("the header says {} bytes, the file has 100", whole.len());
    assert_eq!(plain(short).err(), Some(told));
    assert!(plain(&extra).is_err());
    assert_eq!(plain(b"glTF").err().as_deref(), Some("the file has 4 bytes, a header has 12"));
}

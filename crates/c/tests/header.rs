//! The headers are those of the sources: one without floats, and one for drawing.
#![allow(missing_docs)]

use std::{fs, path::Path};

/// The source of the header for drawing; all others are that of the main one.
const DRAW: &str = "draw.rs";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names that a source exports.
fn names(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let name = |line: &str| {
        let item =
            ["pub struct ", "pub const ", "pub type ", "pub extern \"C\" fn ", "pub unsafe extern \"C\" fn "];
        let rest = item.iter().find_map(|start| line.strip_prefix(start))?;
        let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
        name.to_lowercase().starts_with("bitstep").then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The sources with, or without, what is for drawing.
fn sources(for_drawing: bool) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(move |path| path.ends_with(DRAW) == for_drawing).flat_map(|path| names(&path))
}

/// The header of a file of settings without some names, compared with the one that is checked in.
fn header(settings: &str, name: &str, exclude: impl Iterator<Item = String>) -> String {
    let mut config = cbindgen::Config::from_file(root().join(settings)).unwrap();
    config.export.exclude.extend(exclude);
    let bindings = cbindgen::Builder::new().with_crate(root()).with_config(config).generate().unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = root().join("include").join(name);
    if fs::read_to_string(&path).unwrap_or_default() != made {
        let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&new, &made).unwrap();
        panic!("the header is not that of the sources: cp {} {}", new.display(), path.display());
    }
    made
}

#[test]
fn the_header_is_made_from_the_sources() {
    let made = header("cbindgen.toml", "bitstep.h", sources(true));
    assert!(made.matches("BitstepCode bitstep_").count() > 40, "{made}");
    for word in ["float", "double", "bool "] {
        assert!(!made.contains(word), "no {word} in the interface");
    }
}

/// A caller gives one float, `alpha`: all others are in structs that are written.
#[test]
fn the_header_for_drawing_is_made_from_its_source() {
    let made = header("cbindgen_draw.toml", "bitstep_draw.h", sources(false));
    assert_eq!(made.matches("BitstepCode bitstep_").count(), 5, "{made}");
    let code = made.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let floats: Vec<&str> = code.filter(|line| line.contains("float") || line.contains("double")).collect();
    let written = ["float position[3];", "float orientation[4];", "float a[3];", "float b[3];"];
    assert_eq!((floats[0], &floats[1..]), ("float alpha;", &written[..]));
}

//! The header is that of the sources.
#![allow(missing_docs)]

use std::{fs, path::Path};

#[test]
fn the_header_is_made_from_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_crate(root).with_config(config).generate().unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = root.join("include/bitstep.h");
    if fs::read_to_string(&path).unwrap_or_default() != made {
        let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bitstep.h");
        fs::write(&new, &made).unwrap();
        panic!("the header is not that of the sources: cp {} {}", new.display(), path.display());
    }
    assert!(made.matches("BitstepCode bitstep_").count() > 40, "{made}");
    for word in ["float", "double", "bool "] {
        assert!(!made.contains(word), "no {word} in the interface");
    }
}

//! What fuzzing found, for tests; `.ci/corpora.mjs` writes it.

use std::{fs, path::Path};

/// Inputs of a target that reach code which its seeds do not reach, from the folder of this repository.
pub fn corpus(repository: &Path, target: &str) -> Vec<Vec<u8>> {
    let bytes = fs::read(repository.join("fuzz/corpora").join(target)).expect("a file of inputs");
    let mut rest = &bytes[..];
    let mut inputs = Vec::new();
    while let Some((length, more)) = rest.split_first_chunk() {
        let (input, more) = more.split_at(u32::from_le_bytes(*length) as usize);
        inputs.push(input.to_vec());
        rest = more;
    }
    assert!(rest.is_empty() && !inputs.is_empty(), "{target}: {} inputs, {} bytes", inputs.len(), rest.len());
    inputs
}

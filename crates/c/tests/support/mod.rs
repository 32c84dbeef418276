//! What several tests of the C interface ask.

use bitstep_c::{code::BITSTEP_OK, world::*};

/// The snapshot of a world.
pub fn saved(world: BitstepWorld) -> Vec<u8> {
    let (mut bytes, mut length) = (vec![0; 1 << 14], 0);
    // SAFETY: there are so many bytes.
    let code = unsafe { bitstep_world_save(world, bytes.as_mut_ptr(), bytes.len(), &mut length) };
    assert_eq!(code, BITSTEP_OK);
    bytes.truncate(length);
    bytes
}

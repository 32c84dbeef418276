//! The C interface of bitstep: `include/bitstep.h` is made from this crate, and a test compares it.
//!
//! The rules of the border, each tested in `tests/`:
//!
//! - **Every function returns a code** ([`code`]), and after a code other than `BITSTEP_OK` the thread's
//!   [`bitstep_last_error`](code::bitstep_last_error) says more in words. The three that ask for a version return it.
//! - **Objects are handles** ([`handle`]): a number with a kind and a generation. One that is stale, freed twice, or of another kind is
//!   `BITSTEP_ERROR_HANDLE`.
//! - **Threads**: every function may be called from any thread; calls with one object wait for each other.
//! - **Memory**: nothing that the caller passes is kept after the call, and nothing is handed out that the caller would have to free, but
//!   handles. Where a function writes bytes or an array, the caller gives room and its size; if that is too small, nothing is written,
//!   the needed size is, and the code is `BITSTEP_ERROR_BUFFER`. A size of 0 with no room asks for the size.
//! - **Structs** begin with `struct_size`, which the caller sets to `sizeof`; a size of another version is `BITSTEP_ERROR_SIZE`.
//! - **Panics** do not cross the border: the object that was worked on is poisoned, and every later call with it but the one that frees it is
//!   `BITSTEP_ERROR_POISONED`.
//! - **No floats**: numbers are raw fixed point, with 32 fraction bits in `int64_t`. [`draw`] alone has floats, in a header of its own,
//!   `include/bitstep_draw.h`; none of them reaches a state.

pub mod body;
pub mod code;
pub mod command;
pub mod compound;
pub mod draw;
pub mod ground;
pub mod handle;
pub mod memory;
pub mod mesh;
pub mod query;
pub mod recorder;
pub mod replay;
pub mod report;
pub mod scene;
pub mod scenery;
pub mod types;
pub mod world;

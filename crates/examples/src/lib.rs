//! The pages of `docs` whose blocks of code are compiled and run as tests.
//!
//! They stand here and not in the library, which is published without them.

#[doc = include_str!("../../../docs/getting-started.md")]
pub mod getting_started {}

//! The rules of the house, read off the sources: floors, forbidden tokens, sizes, error types, tested kernels,
//! the words of comments, and a README whose commands are the ones that CI runs.
//!
//! Every rule is a function from source text to complaints, and is tested twice: on the real tree,
//! where it must find nothing, and on a bad sample, where it must complain.
//!
//! What tokens cannot decide is left to people: whether a `>>` in `sweep/`, `overlap/` or `tick/`
//! shifts a signed component of a vector (which would break mirror symmetry), and whether a `usize`
//! reaches bytes through a variable. Clippy's list of disallowed methods sees some of the latter.

mod article;
mod circles;
mod commands;
mod coverage;
mod errors;
mod floors;
mod imports;
mod links;
mod names;
mod readme;
mod receivers;
mod references;
mod sizes;
mod source;
mod speeds;
mod stages;
mod supply;
mod test_names;
mod tokens;
mod topics;
mod words;

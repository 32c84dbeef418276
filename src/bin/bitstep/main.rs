//! The bitstep program.

fn main() {}

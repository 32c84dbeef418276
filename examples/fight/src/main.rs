//! The program: `fight help` says what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    fight::program::main()
}

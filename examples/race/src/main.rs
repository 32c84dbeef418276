//! The program: `race help` says what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    race::program::main()
}

//! The program: `rts help` says what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    rts::program::main()
}

//! The rooms that are broken, each with the programs of tests that have to notice.

/// A part of the library.
pub struct Room {
    pub name: &'static str,
    pub folder: &'static str,
    /// Programs of `tests/` beside the unit tests, which every room has.
    pub programs: &'static [&'static str],
}

/// Every room in the order of the floors.
pub const ROOMS: &[Room] = &[
    Room { name: "num", folder: "src/num", programs: &["kernels"] },
    Room { name: "overlap", folder: "src/overlap", programs: &["kernels", "queries"] },
    Room { name: "sweep", folder: "src/sweep", programs: &["kernels", "queries"] },
    Room { name: "solver", folder: "src/tick/contact", programs: &["laws", "replays", "determinism"] },
    Room {
        name: "snapshot",
        folder: "src/snapshot",
        programs: &["determinism", "formats", "sessions", "fuzz_seeds"],
    },
    Room {
        name: "replay",
        folder: "src/replay",
        programs: &["recordings", "formats", "sessions", "replays", "determinism", "fuzz_seeds"],
    },
    Room { name: "session", folder: "src/session", programs: &["sessions", "formats", "determinism"] },
    Room { name: "peer", folder: "src/peer", programs: &["peers", "fuzz_seeds"] },
];

/// Functions that only the compiler runs, for constants, where no switch is on; every function of a file that has none named.
pub const OF_THE_COMPILER: [(&str, &[&str]); 2] =
    [("src/num/bound.rs", &[]), ("src/num/circle.rs", &["nodes", "series"])];

/// The name of the unit tests among programs.
pub const UNIT: &str = "bitstep";

/// The programs that these rooms need, or all rooms if none is named.
pub fn targets(names: &[String]) -> Vec<&'static str> {
    let rooms = ROOMS.iter().filter(|room| names.is_empty() || names.contains(&room.name.to_owned()));
    let mut programs: Vec<_> = rooms.flat_map(|room| room.programs).copied().chain([UNIT]).collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

/// The programs that have to notice a mutant of this room.
pub fn programs(room: &str) -> impl Iterator<Item = &'static str> {
    let of_room = ROOMS.iter().filter(move |one| one.name == room).flat_map(|one| one.programs);
    of_room.copied().chain([UNIT])
}

/// True if a function runs only while the library is compiled.
pub fn is_of_the_compiler(path: &str, function: &str) -> bool {
    OF_THE_COMPILER.iter().any(|(of, names)| *of == path && (names.is_empty() || names.contains(&function)))
}

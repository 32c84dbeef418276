//! Breaks the library in thousands of small ways, one at a time, and says which of them no test notices.
//!
//! The library is compiled once, with a switch at every place that may be broken; a run of a test turns one of them on, by its
//! number in an environment variable. First every test runs with all of them off, and writes down which switches it meets: a mutant
//! is held against the tests that meet it, the shortest first, until one of them fails. `docs/internals/testing.md` says what came
//! of it.

mod find;
mod rewrite;
mod rooms;
mod suite;
#[cfg(test)]
mod tests;
mod tree;

use std::{
    fs,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result};
use clap::Parser;

use crate::{
    find::{Mutant, State},
    rooms::ROOMS,
    suite::{Suite, Verdict},
    tree::Tree,
};

#[derive(Parser)]
struct Arguments {
    /// Rooms to break; all of them unless some are named.
    rooms: Vec<String>,
    /// Mutants in each room, spread evenly over all that there are.
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Seconds of tests for each mutant; longer tests are not run.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Tests that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Numbers of mutants, of an earlier report over the same sources; all of them unless some are named.
    #[arg(long, value_delimiter = ',')]
    only: Vec<usize>,
    /// Run only tests with one of these texts in their names; all of them unless some are given.
    #[arg(long, value_delimiter = ',')]
    tests: Vec<String>,
    /// Folder for the broken copy of the repository, its build, and the report.
    #[arg(long, default_value = "target/mutants")]
    folder: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let tree = Tree::copied(&arguments.folder, !arguments.tests.is_empty())?;
    let mutants = chosen(&tree, &arguments)?;
    println!("{} mutants", mutants.len());
    let mutants = tree.built(mutants)?;
    let suite = Suite::of(&tree, &arguments, mutants.len())?;
    println!("{} tests, {} s", suite.len(), suite.time().as_secs());
    let report = Mutex::new(fs::File::create(arguments.folder.join("report.txt"))?);
    let verdicts = judged(&mutants, &suite, &arguments, &report);
    print_table(&mutants, &verdicts);
    println!("each of them: {}", arguments.folder.join("report.txt").display());
    Ok(())
}

/// The mutants of all rooms that are asked for.
fn chosen(tree: &Tree, arguments: &Arguments) -> Result<Vec<Mutant>> {
    let mut all = Vec::new();
    for room in ROOMS
        .iter()
        .filter(|room| arguments.rooms.is_empty() || arguments.rooms.contains(&room.name.to_owned()))
    {
        let mut found = Vec::new();
        for (path, text) in tree.sources(room.folder)? {
            let all = find::mutants(room, &path, &text).with_context(|| path.clone())?;
            found.extend(all.into_iter().filter(|one| !rooms::is_of_the_compiler(&path, &one.function)));
        }
        let wanted = arguments.count.min(found.len());
        println!("{}: {wanted} of {} places", room.name, found.len());
        let step = |at: usize| at * found.len() / wanted;
        all.extend((0..wanted).map(|at| found[step(at)].clone()));
    }
    for (number, mutant) in all.iter_mut().enumerate() {
        mutant.number = number;
        if !arguments.only.is_empty() && !arguments.only.contains(&number) {
            mutant.state = State::LeftOut;
        }
    }
    Ok(all)
}

/// Verdicts on all mutants, in their order.
fn judged(
    mutants: &[Mutant],
    suite: &Suite,
    arguments: &Arguments,
    report: &Mutex<fs::File>,
) -> Vec<Option<Verdict>> {
    let verdicts: Vec<_> = mutants.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            if mutant.state != State::Tried {
                continue;
            }
            let verdict = suite.judge(mutant, Duration::from_secs(arguments.seconds));
            let line = format!("{:5} {:9} {mutant}  # {verdict}\n", mutant.number, mutant.room);
            let mut file = report.lock().unwrap_or_else(PoisonError::into_inner);
            std::io::Write::write_all(&mut *file, line.as_bytes()).expect("the report can be written");
            *verdicts[mutant.number].lock().unwrap_or_else(PoisonError::into_inner) = Some(verdict);
        }
    };
    thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(work);
        }
    });
    verdicts.into_iter().map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

fn print_table(mutants: &[Mutant], verdicts: &[Option<Verdict>]) {
    println!(
        "{:10} {:>8} {:>8} {:>8} {:>10} {:>12}",
        "room", "mutants", "caught", "survive", "no test", "no compiling"
    );
    for room in ROOMS {
        let of_room = || mutants.iter().zip(verdicts).filter(|(mutant, _)| mutant.room == room.name);
        if of_room().next().is_none() {
            continue;
        }
        let count = |wanted: fn(&Verdict) -> bool| {
            of_room().filter(|(_, verdict)| verdict.as_ref().is_some_and(wanted)).count()
        };
        let caught = count(|one| matches!(one, Verdict::Failed(_) | Verdict::TooLong(_)));
        let survive = count(|one| matches!(one, Verdict::Survived { .. }));
        let unmet = count(|one| matches!(one, Verdict::Unmet));
        let dropped = of_room().filter(|(mutant, _)| mutant.state == State::Refused).count();
        println!(
            "{:10} {:>8} {caught:>8} {survive:>8} {unmet:>10} {dropped:>12}",
            room.name,
            caught + survive + unmet
        );
    }
}

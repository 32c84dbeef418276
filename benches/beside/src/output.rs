//! Output for people and programs.

use serde::Serialize;

use crate::{
    conformance,
    faults::Faults,
    hulls,
    kernels::Comparison,
    phases::{Course, Look, Measured, Stretch},
    rollback,
    timing::Times,
    trials::Trial,
};

/// One engine in one scene.
#[derive(Serialize)]
pub struct Row {
    pub scene: String,
    pub engine: &'static str,
    pub bodies: usize,
    /// Per tick.
    pub milliseconds: Times,
    /// Per tick when an army has been under way.
    pub at_rest: Option<Times>,
    /// With which power of the number of bodies the best time has grown since the scene before, where that
    /// was the same with fewer bodies.
    pub exponent: Option<f64>,
    pub faults: Option<Faults>,
    /// Per impact, where balls fly to and fro between two walls and are still there.
    pub ticks_lost: Option<f64>,
}

impl Row {
    /// The exponent from one of the rows of another scene.
    pub fn exponent_since(&self, before: &[Self]) -> Option<f64> {
        let kind = |row: &Self| row.scene.split_once(':').map(|(kind, _)| kind.to_owned());
        let is_same =
            |row: &&Self| row.engine == self.engine && kind(row).is_some() && kind(row) == kind(self);
        let smaller = before.iter().find(is_same).filter(|row| row.bodies < self.bodies)?;
        let more = self.bodies as f64 / smaller.bodies as f64;
        Some((self.milliseconds.best / smaller.milliseconds.best).ln() / more.ln())
    }
}

pub fn scene(rows: &[Row], json: bool) {
    if json {
        return lines(rows);
    }
    let Some(first) = rows.first() else { return };
    println!("\n{}: {} bodies", first.scene, first.bodies);
    table(&rows.iter().map(cells).collect::<Vec<_>>());
}

/// A heading and the value below it.
type Cell = (String, Option<String>);

/// Rows with the same headings; a column is left out where no row has a value.
fn table(rows: &[Vec<Cell>]) {
    let Some(first) = rows.first() else { return };
    let told = |column: &usize| rows.iter().any(|row| row[*column].1.is_some());
    let columns: Vec<_> = (0..first.len()).filter(told).collect();
    let width = |column: &usize| {
        let values = rows.iter().filter_map(|row| row[*column].1.as_ref());
        values.chain([&first[*column].0]).map(String::len).max().unwrap_or_default()
    };
    let widths: Vec<_> = columns.iter().map(width).collect();
    let line = |values: Vec<&str>| {
        let padded = values.iter().zip(&widths).map(|(value, width)| format!("{value:>width$}"));
        println!("  {}", padded.collect::<Vec<_>>().join("  "));
    };
    line(columns.iter().map(|&column| first[column].0.as_str()).collect());
    for row in rows {
        line(columns.iter().map(|&column| row[column].1.as_deref().unwrap_or("-")).collect());
    }
}

fn cells(row: &Row) -> Vec<Cell> {
    let faults = row.faults.as_ref();
    let of = |value: fn(&Faults) -> Option<String>| faults.and_then(value);
    let cells = [
        ("engine", Some(row.engine.into())),
        ("best ms", Some(format!("{:.4}", row.milliseconds.best))),
        ("median ms", Some(format!("{:.4}", row.milliseconds.median))),
        ("rest ms", row.at_rest.as_ref().map(|times| format!("{:.4}", times.best))),
        ("exponent", row.exponent.map(|exponent| format!("{exponent:.3}"))),
        ("passed", of(|faults| Some(faults.bodies_passed.to_string()))),
        ("walls passed", of(|faults| Some(faults.boxes_passed.to_string()))),
        ("deepest", of(|faults| Some(format!("{:.4} r", faults.deepest?)))),
        ("friends", of(|faults| Some(format!("{:.4} r", faults.friends?[0])))),
        ("at the end", of(|faults| Some(format!("{:.4} r", faults.friends?[1])))),
        ("not there", of(|faults| Some(faults.not_there?.to_string()))),
        ("E/E0", of(|faults| Some(format!("{:.4}", faults.energy?)))),
        ("speed", of(|faults| Some(format!("{:.2e}", faults.speed?)))),
        ("goals", of(|faults| Some(faults.goals?.to_string()))),
        ("escaped", of(|faults| Some(faults.escaped.to_string()))),
        ("held a tick", of(|faults| Some(format!("{:.1}", faults.held?)))),
        ("unjudged", of(|faults| Some(format!("{:.1} %", faults.unjudged * 100.0)))),
        ("ticks lost", row.ticks_lost.map(|lost| format!("{:.4}", (lost * 1e4).round() / 1e4 + 0.0))),
    ];
    cells.map(|(heading, value)| (heading.into(), value)).into()
}

/// A figure of a heap's state, as text.
type Figure = fn(&Look) -> String;

/// The phases of a scene, and the ways of heaps to rest.
pub fn phases(measured: &Measured, json: bool) {
    let Measured { stretches, courses } = measured;
    if json {
        lines(stretches);
        return lines(courses);
    }
    let Some(first) = stretches.first() else { return };
    println!("\n{}: {} bodies", first.scene, first.bodies);
    table(&stretches.iter().map(stretch).collect::<Vec<_>>());
    let Some(first) = courses.first() else { return };
    if first.seeds > 1 {
        println!("\n{}: medians of {} draws", first.scene, first.seeds);
    }
    let blocks: [(&str, Figure); 3] = [
        ("mean height", |look| format!("{:.3}", look.mean_height)),
        ("top height", |look| format!("{:.2}", look.top_height)),
        ("above 1 cm/s", |look| look.moving.to_string()),
    ];
    for (name, figure) in blocks {
        let row = |course: &Course| {
            let engine = (format!("{name} at tick"), Some(course.engine.to_owned()));
            let looks = course.looks.iter().map(|look| (look.tick.to_string(), Some(figure(look))));
            let calm = (name == "above 1 cm/s").then(|| course.calm.to_string());
            [engine].into_iter().chain(looks).chain([("calm from".into(), calm)]).collect()
        };
        println!();
        table(&courses.iter().map(row).collect::<Vec<_>>());
    }
}

fn stretch(row: &Stretch) -> Vec<Cell> {
    let seen = row.seen.as_ref();
    let [start, end] = row.ticks;
    let [median, worst] = row.tick;
    let count =
        |count: f64| if count < 1e5 { format!("{count:.0}") } else { format!("{:.0} k", count / 1e3) };
    let instructions = row.instructions.as_ref();
    let cells = [
        ("engine", Some(row.engine.to_owned())),
        ("phase", Some(row.phase.to_owned())),
        ("ticks", Some(format!("{start}-{end}"))),
        ("best ms", Some(format!("{:.4}", row.milliseconds.best))),
        ("median ms", Some(format!("{:.4}", row.milliseconds.median))),
        ("median tick", Some(format!("{median:.4}"))),
        ("worst tick", Some(format!("{worst:.3}"))),
        ("instr/body", instructions.map(|counted| count(counted.mean))),
        ("worst tick's", instructions.map(|counted| count(counted.worst))),
        ("deepest", seen.and_then(|seen| Some(format!("{:.4} r", seen.faults.deepest?)))),
        ("held a tick", seen.and_then(|seen| Some(format!("{:.2}", seen.faults.held?)))),
        ("escaped", seen.map(|seen| seen.faults.escaped.to_string())),
        ("awake", seen.map(|seen| seen.awake.to_string())),
        ("goals", seen.and_then(|seen| Some(seen.goals?.to_string()))),
        ("bytes/body", seen.and_then(|seen| Some(format!("{:.1}", seen.bytes?)))),
    ];
    cells.map(|(heading, value)| (heading.into(), value)).into()
}

/// The trials of one kind, figure by figure.
pub fn trials(rows: &[Trial], json: bool) {
    if json {
        return lines(rows);
    }
    let mut figures: Vec<_> = rows.iter().map(|trial| trial.figure).collect();
    figures.sort_unstable();
    figures.dedup();
    for figure in figures {
        println!("\n{figure}, by ticks per second");
        table(&rows.iter().filter(|trial| trial.figure == figure).map(trial).collect::<Vec<_>>());
    }
}

fn trial(row: &Trial) -> Vec<Cell> {
    let names = [("scene", &row.scene[..]), ("engine", row.engine)];
    let names = names.map(|(heading, name)| (heading.to_owned(), Some(name.to_owned())));
    let decimal =
        |figure: &f64| if figure.fract() == 0.0 { figure.to_string() } else { format!("{figure:.4}") };
    let figures = row.by_rate.iter().map(|(rate, figure)| (rate.to_string(), figure.as_ref().map(decimal)));
    names.into_iter().chain(figures).collect()
}

pub fn kernels(rows: &[Comparison], json: bool) {
    if json {
        return lines(rows);
    }
    println!("\nkernels: ns per pair, best");
    println!(
        "{:<15} {:>7} {:>7} {:>14} {:>8} {:>13} {:>12}",
        "pair", "hits", "parry's", "sweep_shapes", "kernel", "cast_shapes", "its inner"
    );
    for row in rows {
        let Comparison { pair, hits, hits_parry, nanoseconds: [shapes, kernel, cast, inner] } = row;
        println!(
            "{pair:<15} {hits:>7} {hits_parry:>7} {shapes:>14.1} {kernel:>8.1} {cast:>13.1} {inner:>12.1}"
        );
    }
}

pub fn hulls(rows: &[hulls::Comparison], json: bool) {
    if json {
        return lines(rows);
    }
    println!("\nhulls: ns per pair, best; ours and parry's");
    println!("{:>7} {:>12} {:>15} {:>15} {:>15}", "corners", "hits", "sweep", "overlap", "distance");
    for hulls::Comparison { corners, hits: [hits, theirs], nanoseconds } in rows {
        let [sweep, overlap, distance] = nanoseconds.map(|[ours, theirs]| format!("{ours:.0} {theirs:.0}"));
        println!("{corners:>7} {:>12} {sweep:>15} {overlap:>15} {distance:>15}", format!("{hits} {theirs}"));
    }
}

pub fn conformance(rows: &[conformance::Row], json: bool) {
    if json {
        return lines(rows);
    }
    let Some(first) = rows.first() else { return };
    println!("\nconformance, solids {}", first.cases);
    let names: Vec<String> = rows.iter().map(|row| format!("{:>34}", row.engine)).collect();
    println!("{:<31}{}", "", names.concat());
    let scores: Vec<_> = rows.iter().map(|row| row.score.lines()).collect();
    for line in 0..scores.first().map_or(0, Vec::len) {
        let values: Vec<String> = scores.iter().map(|score| format!("{:>34}", score[line].1)).collect();
        println!("{:<31}{}", scores[0][line].0, values.concat());
    }
}

pub fn rollback(rows: &[rollback::Comparison], json: bool) {
    if json {
        return lines(rows);
    }
    let Some(first) = rows.first() else { return };
    println!("\n{}: {} bodies, microseconds", first.scene, first.bodies);
    println!(
        "{:<9} {:<8} {:<9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "engine", "kept as", "what", "best", "median", "p99.9", "own med.", "own p99.9"
    );
    for row in rows {
        for part in rollback::PARTS {
            let rollback::Spread { best, median, p999, own_median, own_p999 } = &row.microseconds[part];
            let name = format!("{:<9} {:<8} {part:<9}", row.engine, row.kept_as);
            println!("{name} {best:>9.1} {median:>9.1} {p999:>9.1} {own_median:>9.1} {own_p999:>9.1}");
        }
        let name = format!("{:<9} {:<8} {:<9}", row.engine, row.kept_as, "bytes");
        println!("{name} {:>9}   checksum {}", row.bytes, row.confirmed);
    }
}

fn lines(rows: &[impl Serialize]) {
    for row in rows {
        println!("{}", serde_json::to_string(row).expect("plain data"));
    }
}

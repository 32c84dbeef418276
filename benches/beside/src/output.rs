//! Output for people and programs.

use serde::Serialize;

use crate::{faults::Faults, kernels::Comparison, rollback, timing::Times};

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
    let cells: Vec<_> = rows.iter().map(cells).collect();
    let told = |column: &usize| cells.iter().any(|row| row[*column].1.is_some());
    let columns: Vec<_> = (0..cells[0].len()).filter(told).collect();
    for &column in &columns {
        print!("{:>13}", cells[0][column].0);
    }
    println!();
    for row in &cells {
        for &column in &columns {
            print!("{:>13}", row[column].1.as_deref().unwrap_or("-"));
        }
        println!();
    }
}

/// Headings and values; a column is left out where no engine has a value.
fn cells(row: &Row) -> [(&'static str, Option<String>); 18] {
    let faults = row.faults.as_ref();
    let of = |value: fn(&Faults) -> Option<String>| faults.and_then(value);
    [
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
    ]
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

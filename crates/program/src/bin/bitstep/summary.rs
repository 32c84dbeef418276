//! The summary of a run, in words and in JSON.

use std::time::Duration;

use anyhow::Result;
use bitstep::{World, geom::Vec3, snapshot::Checksum, state::Material, tick::TickReport};
use bitstep_program::output::{Screen, Tone, count, counted, duration, pace, thousandths};
use serde_json::json;

/// Number of refusals that are kept to be shown.
const REFUSALS_SHOWN: usize = 12;

/// Counts over a run.
#[derive(Default)]
pub struct Totals {
    ticks: u64,
    impacts: u64,
    /// The tick with the most impacts, and their number.
    busiest: (u64, u64),
    impact_limited: u64,
    tick_halted: u64,
    reverted: u64,
    velocity_corrected: u64,
    unresolved: u64,
    blocked: u64,
    fell_asleep: u64,
    woke: u64,
    out_of_bounds: u64,
    speed_clamped: u64,
    applied: u64,
    refused: u64,
    refusals: Vec<String>,
    /// The first tick in which the momentum changed by something other than the ledger's total.
    ledger_open_at: Option<u64>,
}

/// A run, simulated and recorded.
pub struct Summary {
    pub totals: Totals,
    pub initial_state: World,
    pub last: World,
    pub time: Duration,
    pub recorded_bytes: u64,
    pub checksum: Checksum,
}

impl Totals {
    /// Adds a tick: its report, and the world's momentum before and after.
    pub fn add(&mut self, report: &TickReport, before: [i128; 3], after: [i128; 3]) {
        self.ticks += 1;
        let impacts = report.impacts.len() as u64;
        self.impacts += impacts;
        if impacts > self.busiest.1 {
            self.busiest = (report.tick, impacts);
        }
        self.impact_limited += report.impact_limited.len() as u64;
        self.tick_halted += u64::from(report.tick_halted.is_some());
        self.reverted += report.reverted.len() as u64;
        self.velocity_corrected += report.velocity_corrected.len() as u64;
        self.unresolved += u64::from(report.unresolved);
        self.blocked += report.blocked.len() as u64;
        self.fell_asleep += report.fell_asleep.len() as u64;
        self.woke += report.woke.len() as u64;
        self.out_of_bounds += report.out_of_bounds.len() as u64;
        self.speed_clamped += u64::from(report.speed_clamped);
        for outcome in &report.outcomes {
            match outcome {
                Ok(_) => self.applied += 1,
                Err(refused) => self.refuse(format!("tick {}, {refused}", report.tick)),
            }
        }
        let total = report.ledger.total();
        if (0..3).any(|axis| after[axis] - before[axis] != total[axis]) {
            self.ledger_open_at.get_or_insert(report.tick);
        }
    }

    fn refuse(&mut self, text: String) {
        self.refused += 1;
        if self.refusals.len() < REFUSALS_SHOWN {
            self.refusals.push(text);
        }
    }
}

impl Summary {
    /// The summary for people.
    pub fn show(&self, screen: &mut Screen) -> Result<()> {
        let totals = &self.totals;
        screen.fact("simulated", self.pace())?;
        let statics = self.initial_state.scenery().statics().len();
        let (start, end) = (self.initial_state.bodies().count(), self.last.bodies().count());
        let bodies = counted(start as u64, "body");
        let later = if start == end { String::new() } else { format!(" ({end} at the end)") };
        screen.fact("bodies", format!("{bodies}{later} and {}", counted(statics as u64, "static")))?;
        let (tick, most) = totals.busiest;
        let busiest = if most > 0 {
            format!(", at most {} in a tick (tick {tick})", count(most))
        } else {
            String::new()
        };
        screen.fact("impacts", format!("{}{busiest}", count(totals.impacts)))?;
        screen.fact("safety nets", self.safety(screen))?;
        if totals.blocked > 0 {
            screen.fact("kinematics", format!("blocked {} times", count(totals.blocked)))?;
        }
        if self.initial_state.limits().sleep_after > 0 {
            screen.fact("sleep", self.sleep())?;
        }
        if totals.applied + totals.refused > 0 {
            let refused = format!("{} applied, {} refused", totals.applied, totals.refused);
            screen.fact("commands", refused)?;
            for refusal in &totals.refusals {
                screen.fact("", format!("refused at {refusal}"))?;
            }
        }
        screen.fact("energy", self.energy())?;
        screen.fact("momentum", self.ledger(screen))?;
        screen.fact("checksum", self.checksum.to_string())
    }

    fn pace(&self) -> String {
        let rate = self.initial_state.limits().tick_rate;
        let played = u128::from(self.totals.ticks) * 1_000_000_000 / u128::from(rate);
        let wall = self.time.as_nanos().max(1);
        let per_tick = Duration::from_nanos((wall / u128::from(self.totals.ticks.max(1))) as u64);
        let faster = played / wall;
        let real_time = if faster >= 10 { count(faster) } else { thousandths(played * 1_000 / wall) };
        format!(
            "{} at {} in {} ({} per tick, {real_time} times real time)",
            counted(self.totals.ticks, "tick"),
            pace(self.initial_state.limits()),
            duration(self.time),
            duration(per_tick),
        )
    }

    fn safety(&self, screen: &Screen) -> String {
        let Totals {
            impact_limited,
            reverted,
            velocity_corrected,
            unresolved,
            out_of_bounds,
            speed_clamped,
            ..
        } = self.totals;
        if impact_limited + reverted + velocity_corrected + unresolved + out_of_bounds + speed_clamped == 0 {
            return screen.paint(Tone::Good, "none needed")
                + ": nothing held, reverted, clamped or out of bounds";
        }
        let parts = [
            (impact_limited, "held (beyond the impact limit, or in a tick that was halted)"),
            (reverted, "reverted"),
            (
                velocity_corrected,
                "velocity corrected (in contact, with more speed than they could move with)",
            ),
            (unresolved, "searches for an impact of rotating bodies ended early, before it"),
            (out_of_bounds, "held at the extent"),
            (speed_clamped, "clamped in speed"),
        ];
        let used = parts.into_iter().filter(|&(number, _)| number > 0);
        used.map(|(number, what)| format!("{} {what}", count(number))).collect::<Vec<_>>().join(", ")
    }

    fn sleep(&self) -> String {
        let Totals { fell_asleep, woke, .. } = &self.totals;
        let asleep = self.last.sleepers().count() as u64;
        let [fell, woke, asleep] = [*fell_asleep, *woke, asleep].map(count);
        format!("fell asleep {fell} times, woke {woke} times; {asleep} asleep at the end")
    }

    fn energy(&self) -> String {
        let rate = self.initial_state.limits().steps_per_second();
        let (start, end) = (self.initial_state.energy_twice_wide(), self.last.energy_twice_wide());
        let (shown_start, shown_end) = (energy(start, rate), energy(end, rate));
        format!("{shown_start} -> {shown_end} ({})", self.energy_note(start, end))
    }

    /// The meaning of the difference. Under gravity the zero of energy is a choice, so a relative change of
    /// it means nothing.
    fn energy_note(&self, start: i128, end: i128) -> String {
        let falls = self.initial_state.gravity() != Vec3::ZERO || self.last.gravity() != Vec3::ZERO;
        let elastic =
            self.initial_state.scenery().materials().iter().all(|material| *material == Material::ELASTIC);
        match (falls, self.totals.applied > 0, elastic) {
            (_, true, _) => "kinetic and potential; commands change it".to_owned(),
            (true, ..) => "kinetic and potential".to_owned(),
            (_, _, true) => format!("{}; all impacts are elastic", change(start, end)),
            _ => format!("{}; a restitution below 1 takes energy", change(start, end)),
        }
    }

    fn ledger(&self, screen: &Screen) -> String {
        match self.totals.ledger_open_at {
            None => {
                format!("the ledger {} in every tick, to the last bit", screen.paint(Tone::Good, "closes"))
            }
            Some(tick) => screen.paint(Tone::Bad, &format!("the ledger does not close in tick {tick}")),
        }
    }

    /// The summary for machines. Wide integers and checksums are strings.
    pub fn to_json(&self) -> serde_json::Value {
        let totals = &self.totals;
        let (start, end) = (self.initial_state.energy_twice_wide(), self.last.energy_twice_wide());
        json!({
            "ticks": totals.ticks,
            "tick_rate": self.initial_state.limits().tick_rate,
            "substeps": self.initial_state.limits().substeps,
            "bodies": self.initial_state.bodies().count(),
            "bodies_end": self.last.bodies().count(),
            "statics": self.initial_state.scenery().statics().len(),
            "impacts": totals.impacts,
            "impacts_most": totals.busiest.1,
            "impacts_most_tick": totals.busiest.0,
            "impact_limited": totals.impact_limited,
            "halted_ticks": totals.tick_halted,
            "reverted": totals.reverted,
            "velocity_corrected": totals.velocity_corrected,
            "unresolved": totals.unresolved,
            "blocked": totals.blocked,
            "fell_asleep": totals.fell_asleep,
            "woke": totals.woke,
            "asleep_end": self.last.sleepers().count(),
            "out_of_bounds": totals.out_of_bounds,
            "speed_clamped": totals.speed_clamped,
            "commands_applied": totals.applied,
            "commands_refused": totals.refused,
            "refusals": totals.refusals,
            "energy_twice_raw_start": start.to_string(),
            "energy_twice_raw_end": end.to_string(),
            "ledger_closes": totals.ledger_open_at.is_none(),
            "ledger_open_at": totals.ledger_open_at,
            "checksum": self.checksum.to_string(),
            "recorded_bytes": self.recorded_bytes,
            "nanoseconds": self.time.as_nanos() as u64,
        })
    }
}

/// Energy in mass units times squared units per second, from twice its raw value per tick.
fn energy(twice_raw: i128, rate: u32) -> String {
    let square = u128::from(rate) * u128::from(rate); // at most 10^6
    let sign = if twice_raw < 0 { "-" } else { "" };
    let magnitude = twice_raw.unsigned_abs();
    // Raw squared has 64 fraction bits, and one more halves it.
    if magnitude < 1 << 90 {
        format!("{sign}{}", thousandths((magnitude * square * 1_000) >> 65))
    } else {
        format!("{sign}{}", count((magnitude >> 65) * square))
    }
}

/// A relative change: exactly unchanged, in percent, or as a power of ten where it is tiny.
fn change(start: i128, end: i128) -> String {
    const PARTS: u128 = 1_000_000_000_000_000;
    let (sign, delta) = if end < start { ("-", start - end) } else { ("+", end - start) };
    if delta == 0 {
        return "unchanged to the last bit".to_owned();
    }
    // Both are scaled down so that parts of the change fit.
    let bits = 128 - start.unsigned_abs().max(delta.unsigned_abs()).leading_zeros();
    let shift = bits.saturating_sub(76);
    let (start, delta) = (start.unsigned_abs() >> shift, delta.unsigned_abs() >> shift);
    if start == 0 {
        return "from nothing".to_owned();
    }
    let parts = delta * PARTS / start;
    if parts >= PARTS / 100_000 {
        return format!("{sign}{} %", thousandths((parts * 100_000 + PARTS / 2) / PARTS));
    }
    match parts {
        0 => format!("{sign}less than 1e-15 of it"),
        _ => {
            let digits = parts.to_string();
            let (first, second) = (&digits[..1], digits.get(1..2).unwrap_or("0"));
            format!("{sign}{first}.{second}e-{} of it", 16 - digits.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_that_does_not_close_is_told_by_its_first_tick() {
        let mut totals = Totals::default();
        let mut report = TickReport::default();
        report.tick = 1;
        report.ledger[bitstep::tick::Cause::Gravity] = [0, -5, 2];
        totals.add(&report, [1, 1, 1], [1, -4, 3]);
        assert_eq!(totals.ledger_open_at, None);
        for (tick, after) in [(2, [1, -4, 4]), (3, [2, -4, 3])] {
            report.tick = tick;
            totals.add(&report, [1, 1, 1], after);
        }
        assert_eq!(totals.ledger_open_at, Some(2));
    }

    #[test]
    fn a_change_is_told_by_its_size() {
        let start = 1_i128 << 100;
        assert_eq!(change(start, start), "unchanged to the last bit");
        assert_eq!(change(start, start / 2), "-50.000 %");
        assert_eq!(change(start, start + start / 1_000), "+0.100 %");
        assert_eq!(change(start, start - start / 1_000_000_000), "-9.9e-10 of it");
        assert_eq!(change(start, start + 1), "+less than 1e-15 of it");
        assert_eq!(change(0, 5), "from nothing");
        assert_eq!(change(1, i128::MAX), "from nothing");
    }

    #[test]
    fn energy_is_per_second() {
        // A mass of 2 at 3 units per tick has an energy of 9, at 10 ticks per second 900.
        let twice = 2 * (3_i128 << 32).pow(2);
        assert_eq!(energy(twice, 1), "9.000");
        assert_eq!(energy(twice, 10), "900.000");
        assert_eq!(energy(-twice << 30, 1), "-9,663,676,416");
    }
}

//! The picture: a panel for each number, one above the other, over one axis of time.

use std::fmt::Write as _;

use bitstep::tick::Cause;

use super::{
    axis::{Axis, ONE, decimal},
    cost::Cost,
    panel::{LEFT, Line, Panel, Place, RIGHT, Series, Values, WIDTH},
    row::Row,
};

/// Sizes in tenths of a point, as those of panels.
const TOP: u128 = 640;
const GAP: u128 = 380;
const BOTTOM: u128 = 520;

/// Colours for light and dark pages.
const STYLE: &str = "\
:root{color-scheme:light dark}
.paper{fill:#fbfcfd}.text{fill:#1d2733}.soft{fill:#5d6b7a}.grid{stroke:#1d2733;stroke-opacity:.13}
.n0{fill:#3f7fae}.n2{fill:#c8702f}.n3{fill:#b08a3e}.n4{fill:#c2185b}.n5{fill:#6b7f94}.n6{fill:#4f8f6f}
.p0{fill:#b08a3e}.p1{fill:#3f7fae}.p2{fill:#4f8f6f}.p3{fill:#c8702f}.p4{fill:#7a4fb5}.p5{fill:#6b7f94}
.line{fill:none;stroke-width:14;stroke-linejoin:round}
.c0{stroke:#7a4fb5}.c1{stroke:#3f7fae}.c2{stroke:#4f8f6f}.c3{stroke:#c8702f}.c4{stroke:#b08a3e}.c5{stroke:#8a6d5b}
.c6{stroke:#5aa9a3}.c7{stroke:#c2185b}.c8{stroke:#d1719a}.c9{stroke:#6b7f94}.c10{stroke:#9a9f3a}
text{font:120px ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums}
.name{font-size:150px;font-weight:600}.right{text-anchor:end}.middle{text-anchor:middle}
@media (prefers-color-scheme:dark){
.paper{fill:#12161b}.text{fill:#e4e9ef}.soft{fill:#93a1b0}.grid{stroke:#e4e9ef;stroke-opacity:.16}
.n0{fill:#6aaede}.n2{fill:#e79a56}.n3{fill:#d8b45f}.n4{fill:#f06292}.n5{fill:#93a7bb}.n6{fill:#74b894}
.p0{fill:#d8b45f}.p1{fill:#6aaede}.p2{fill:#74b894}.p3{fill:#e79a56}.p4{fill:#b79be6}.p5{fill:#93a7bb}
.c0{stroke:#b79be6}.c1{stroke:#6aaede}.c2{stroke:#74b894}.c3{stroke:#e79a56}.c4{stroke:#d8b45f}.c5{stroke:#bfa28e}
.c6{stroke:#7fd0c9}.c7{stroke:#f06292}.c8{stroke:#f0a3c0}.c9{stroke:#93a7bb}.c10{stroke:#c9ce6a}}";

/// The numbers of a recording, the initial state's first.
pub struct Chart<'a> {
    pub name: &'a str,
    /// The number of the initial state's tick.
    pub first: u64,
    pub rate: u32,
    pub rows: &'a [Row],
    /// The time of every tick, if it was measured.
    pub cost: Option<&'a Cost>,
}

impl Chart<'_> {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let panels = self.panels();
        let height = TOP + BOTTOM + panels.iter().map(|panel| panel.full_height() + GAP).sum::<u128>() - GAP;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"960\" role=\"img\">\n\
             <title>{name}</title>\n<style>\n{STYLE}\n</style>\n\
             <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
             <text class=\"text name\" x=\"{LEFT}\" y=\"300\">{name}</text>\n",
            name = escaped(self.name),
        );
        let axis = self.axis_of_time();
        let times: Vec<u128> = axis.marks().map(|mark| place(axis, mark)).collect();
        let mut top = TOP;
        for (index, panel) in panels.iter().enumerate() {
            panel.draw(&mut svg, Place { index, top, times: &times });
            top += panel.full_height() + GAP;
        }
        self.times(&mut svg, top - GAP, axis);
        svg.push_str("</svg>\n");
        svg
    }

    fn panels(&self) -> Vec<Panel> {
        let of = |value: &dyn Fn(&Row) -> u128| self.rows.iter().map(value).collect::<Values>();
        let whole = |name, unit, height, value: &dyn Fn(&Row) -> u32| {
            let series = Series::Area(of(&|row| u128::from(value(row)) * ONE));
            Panel { name, unit, height, step_least: ONE, series, notes: Vec::new() }
        };
        let parts = |name, unit, series| Panel {
            name,
            unit,
            height: 1_400,
            step_least: 1,
            series,
            notes: Vec::new(),
        };
        let energy = of(&|row| energy_thousandths(row.numbers.kinetic_twice, self.rate));
        let (energy, momentum) = (Series::Area(energy), Series::Lines(self.changes()));
        let mut panels = vec![
            parts("kinetic energy", "mass \u{d7} (units/s)\u{b2}", energy),
            parts("momentum by", "mass \u{d7} units/s per tick", momentum),
            whole("impacts", "per tick", 1_000, &|row| row.numbers.impacts),
            whole("contacts", "pairs", 700, &|row| row.contacts),
            whole("held", "bodies", 500, &|row| row.numbers.impact_limited),
            whole("asleep", "bodies", 500, &|row| row.numbers.asleep),
            whole("bodies", "there", 500, &|row| row.numbers.bodies),
        ];
        // The last one: those above are where they are without it.
        panels.extend(self.cost.map(|cost| {
            let series = Series::Stack(costs(cost));
            let notes = cost.notes().iter().map(|note| escaped(note)).collect();
            Panel { height: 2_000, notes, ..parts("cost by", "\u{b5}s per tick", series) }
        }));
        panels
    }

    /// The changes of total momentum, by the causes that there are in the recording.
    fn changes(&self) -> Vec<Line> {
        let lines = Cause::ALL.iter().enumerate().map(|(index, cause)| {
            let values = self.rows.iter().map(|row| momentum_thousandths(row.changes[index], self.rate));
            Line { name: cause.name().replace('_', " "), colour: index, values: values.collect() }
        });
        lines.filter(|line| line.values.iter().any(|&value| value > 0)).collect()
    }

    /// Seconds, in thousandths.
    fn axis_of_time(&self) -> Axis {
        let (ticks, rate) = (self.rows.len() as u128 - 1, u128::from(self.rate.max(1)));
        Axis::new((ticks * ONE / rate).max(1), 10, 1)
    }

    /// The names of the marks of the axis of time: seconds, and the numbers of ticks below them.
    fn times(&self, svg: &mut String, bottom: u128, axis: Axis) {
        for mark in axis.marks() {
            let x = place(axis, mark);
            let tick = u128::from(self.first) + mark * u128::from(self.rate.max(1)) / ONE;
            let [seconds, ticks] = [bottom + 180, bottom + 350];
            let _ = writeln!(
                svg,
                "<text class=\"soft middle\" x=\"{x}\" y=\"{seconds}\">{} s</text>\
                 <text class=\"soft middle\" x=\"{x}\" y=\"{ticks}\">{tick}</text>",
                decimal(mark)
            );
        }
        let y = bottom + 350;
        let _ = writeln!(svg, "<text class=\"soft right\" x=\"{}\" y=\"{y}\">tick</text>", LEFT - 240);
    }
}

/// The position of an instant in the picture.
const fn place(axis: Axis, instant: u128) -> u128 {
    LEFT + axis.along(instant, WIDTH - RIGHT - LEFT)
}

/// The microseconds of each part of every tick, in thousandths.
fn costs(cost: &Cost) -> Vec<Line> {
    let line =
        |(colour, (name, values)): (usize, (&str, Values))| Line { name: name.to_owned(), colour, values };
    cost.parts().enumerate().map(line).collect()
}

/// A kinetic energy in mass units times (units per second) squared, in thousandths, from twice the one in raw
/// per tick.
///
/// **Rounding**: down.
fn energy_thousandths(twice: u128, rate: u32) -> u128 {
    let scale = u128::from(rate) * u128::from(rate) * ONE; // below 2^42
    match twice >> 84 {
        0 => (twice * scale) >> 65,
        _ => (twice >> 65).saturating_mul(scale),
    }
}

/// A change of momentum in mass units times units per second, in thousandths, from the one in raw per tick.
///
/// **Rounding**: down.
const fn momentum_thousandths(raw: u128, rate: u32) -> u128 {
    let scale = rate as u128 * ONE; // below 2^42
    match raw >> 85 {
        0 => (raw * scale) >> 32,
        _ => (raw >> 32).saturating_mul(scale),
    }
}

/// A text escaped for XML.
fn escaped(text: &str) -> String {
    let allowed = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let text: String = text.chars().map(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energies_are_those_of_people() {
        // Mass 1 at 6 units per second: 18, at 60 and at 10 ticks per second.
        let raw_at = |rate: u128| ((6_u128 << 32) / rate).pow(2);
        assert_eq!(energy_thousandths(raw_at(10), 10), 17_999);
        assert_eq!(energy_thousandths(36 << 64, 1), 18_000);
        assert_eq!(energy_thousandths(1 << 120, 60), (1 << 55) * 3_600_000);
    }

    #[test]
    fn momenta_are_those_of_people() {
        // Mass 2 that falls for a sixtieth of a second: 2 * 9.8 / 60.
        let raw = (2_u128 << 32) * 98 / 10 / 3_600;
        assert_eq!(momentum_thousandths(raw, 60), 326);
        assert_eq!(momentum_thousandths(3 << 32, 1), 3_000);
        assert_eq!(momentum_thousandths(1 << 120, 60), (1 << 88) * 60_000);
    }

    #[test]
    fn a_name_is_no_markup() {
        let rows = [Row::default()];
        let name = "</text><script>alert(1)</script>\u{1b}&\"";
        let svg = Chart { name, first: 0, rate: 60, rows: &rows, cost: None }.svg();
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{fffd}&amp;&quot;"), "{svg}");
    }
}

//! The picture: a panel for each number, one above the other, over one axis of time.

use std::fmt::Write as _;

use super::axis::{Axis, ONE, decimal};
use crate::numbers::Numbers;

/// Sizes in tenths of a point, so that all of them are integers.
const WIDTH: u128 = 9_600;
const LEFT: u128 = 900;
const RIGHT: u128 = 240;
const TOP: u128 = 640;
const GAP: u128 = 380;
const BOTTOM: u128 = 520;
/// Largest number of columns of a panel: of several ticks in one the largest value is shown.
const COLUMNS: usize = 1_000;

/// Colours for light and dark pages.
const STYLE: &str = "\
:root{color-scheme:light dark}
.paper{fill:#fbfcfd}.text{fill:#1d2733}.soft{fill:#5d6b7a}.grid{stroke:#1d2733;stroke-opacity:.13}
.n0{fill:#3f7fae}.n1{fill:#c8702f}.n2{fill:#c2185b}.n3{fill:#6b7f94}.n4{fill:#4f8f6f}
text{font:120px ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums}
.name{font-size:150px;font-weight:600}.right{text-anchor:end}.middle{text-anchor:middle}
@media (prefers-color-scheme:dark){
.paper{fill:#12161b}.text{fill:#e4e9ef}.soft{fill:#93a1b0}.grid{stroke:#e4e9ef;stroke-opacity:.16}
.n0{fill:#6aaede}.n1{fill:#e79a56}.n2{fill:#f06292}.n3{fill:#93a7bb}.n4{fill:#74b894}}";

/// The numbers of a recording, the initial state's first.
pub struct Chart<'a> {
    pub name: &'a str,
    /// The number of the initial state's tick.
    pub first: u64,
    pub rate: u32,
    pub rows: &'a [Numbers],
}

/// A number in thousandths, its name, and its drawing.
struct Panel {
    name: &'static str,
    unit: &'static str,
    height: u128,
    /// Least distance from one mark to the next.
    step_least: u128,
    values: Vec<u128>,
}

impl Chart<'_> {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let panels = self.panels();
        let height = TOP + BOTTOM + panels.iter().map(|panel| panel.height + GAP).sum::<u128>() - GAP;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"960\" role=\"img\">\n\
             <title>{name}</title>\n<style>\n{STYLE}\n</style>\n\
             <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
             <text class=\"text name\" x=\"{LEFT}\" y=\"300\">{name}</text>\n",
            name = escaped(self.name),
        );
        let mut top = TOP;
        for (index, panel) in panels.iter().enumerate() {
            legend(&mut svg, panel, (index, top));
            Self::panel(&mut svg, panel, (index, top));
            top += panel.height + GAP;
        }
        self.times(&mut svg, top - GAP);
        svg.push_str("</svg>\n");
        svg
    }

    fn panels(&self) -> Vec<Panel> {
        let of = |value: &dyn Fn(&Numbers) -> u128| self.rows.iter().map(value).collect::<Vec<_>>();
        let whole = |name, unit, height, value: &dyn Fn(&Numbers) -> u32| {
            let values = of(&|numbers| u128::from(value(numbers)) * ONE);
            Panel { name, unit, height, step_least: ONE, values }
        };
        let energy = of(&|numbers| energy_thousandths(numbers.kinetic_twice, self.rate));
        let unit = "mass \u{d7} (units/s)\u{b2}";
        vec![
            Panel { name: "kinetic energy", unit, height: 1_400, step_least: 1, values: energy },
            whole("impacts", "per tick", 1_000, &|numbers| numbers.impacts),
            whole("held", "bodies", 500, &|numbers| numbers.impact_limited),
            whole("asleep", "bodies", 500, &|numbers| numbers.asleep),
            whole("bodies", "there", 500, &|numbers| numbers.bodies),
        ]
    }

    /// A panel: marks of its axis, and the filled area below its numbers.
    fn panel(svg: &mut String, panel: &Panel, (index, top): (usize, u128)) {
        let Panel { height, step_least, values, .. } = panel;
        let most = values.iter().copied().max().unwrap_or(0);
        let axis = Axis::new(most, if *height > 700 { 4 } else { 2 }, *step_least);
        let bottom = top + height;
        for mark in axis.marks() {
            let y = bottom - axis.along(mark, *height);
            line(svg, (LEFT, y), (WIDTH - RIGHT, y));
            let (x, y) = (LEFT - 90, y + 40);
            let _ = writeln!(svg, "<text class=\"soft right\" x=\"{x}\" y=\"{y}\">{}</text>", decimal(mark));
        }
        if most == 0 {
            return;
        }
        let columns = values.len().min(COLUMNS);
        let width = WIDTH - RIGHT - LEFT;
        let x = |column: usize| LEFT + width * column as u128 / columns as u128;
        let mut path = format!("M{LEFT} {bottom}");
        let mut before = bottom;
        for column in 0..columns {
            // Every value is in one column.
            let [from, to] = [column, column + 1].map(|column| column * values.len() / columns);
            let high = values[from..to].iter().copied().max().unwrap_or(0);
            let y = bottom - axis.along(high, *height);
            if y != before {
                let _ = write!(path, "H{}V{y}", x(column));
                before = y;
            }
        }
        let _ = write!(path, "H{}V{bottom}Z", WIDTH - RIGHT);
        let _ = writeln!(svg, "<path class=\"n{index}\" d=\"{path}\"/>");
    }

    /// The axis of time: seconds, and the numbers of ticks below them.
    fn times(&self, svg: &mut String, bottom: u128) {
        let (ticks, rate) = (self.rows.len() as u128 - 1, u128::from(self.rate.max(1)));
        let axis = Axis::new((ticks * ONE / rate).max(1), 10, 1);
        for mark in axis.marks() {
            let x = LEFT + axis.along(mark, WIDTH - RIGHT - LEFT);
            line(svg, (x, TOP), (x, bottom));
            let tick = u128::from(self.first) + mark * rate / ONE;
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

/// The name of a colour, its unit, and its maximum: above its panel.
fn legend(svg: &mut String, Panel { name, unit, values, .. }: &Panel, (index, top): (usize, u128)) {
    let most = decimal(values.iter().copied().max().unwrap_or(0));
    let [box_top, base] = [top - 180, top - 78];
    let _ = writeln!(
        svg,
        "<rect class=\"n{index}\" x=\"{LEFT}\" y=\"{box_top}\" width=\"110\" height=\"110\" rx=\"24\"/>\
         <text class=\"text\" x=\"{}\" y=\"{base}\">{name}</text>\
         <text class=\"soft right\" x=\"{}\" y=\"{base}\">{unit}; at most {most}</text>",
        LEFT + 170,
        WIDTH - RIGHT
    );
}

fn line(svg: &mut String, from: (u128, u128), to: (u128, u128)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"grid\" stroke-width=\"8\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
    );
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
    fn a_name_is_no_markup() {
        let rows = [Numbers::default()];
        let name = "</text><script>alert(1)</script>\u{1b}&\"";
        let svg = Chart { name, first: 0, rate: 60, rows: &rows }.svg();
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{fffd}&amp;&quot;"), "{svg}");
    }
}

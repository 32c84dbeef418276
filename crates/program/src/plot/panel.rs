//! A panel of the picture: marks of an axis, and a number or several over time.

use std::fmt::Write as _;

use super::axis::{Axis, decimal};

/// Sizes in tenths of a point, so that all of them are integers.
pub const WIDTH: u128 = 9_600;
pub const LEFT: u128 = 900;
pub const RIGHT: u128 = 240;
/// Largest number of columns of a panel: of several ticks in one the largest value is shown.
const COLUMNS: usize = 1_000;

/// A number of every tick, in thousandths.
pub type Values = Vec<u128>;

/// A number or several of one unit, and how they are drawn.
pub struct Panel {
    pub name: &'static str,
    pub unit: &'static str,
    pub height: u128,
    /// Least distance from one mark to the next.
    pub step_least: u128,
    pub series: Series,
}

/// The content of a panel.
pub enum Series {
    /// The area below one number.
    Area(Values),
    /// Several as lines.
    Lines(Vec<Line>),
}

/// A number that is drawn as a line.
pub struct Line {
    pub name: String,
    /// The number of its colour, the same in all pictures.
    pub colour: usize,
    pub values: Values,
}

impl Panel {
    /// Draws the panel of this number: its name, marks of its axis, and the filled area below its numbers, or their lines.
    pub fn draw(&self, svg: &mut String, (index, top): (usize, u128)) {
        let Self { height, step_least, series, .. } = self;
        self.legend(svg, (index, top));
        let most = self.most();
        let axis = Axis::new(most, if *height > 700 { 4 } else { 2 }, *step_least);
        let bottom = top + height;
        for mark in axis.marks() {
            let y = bottom - axis.along(mark, *height);
            line(svg, (LEFT, y), (WIDTH - RIGHT, y));
            let (x, y) = (LEFT - 90, y + 40);
            let _ = writeln!(svg, "<text class=\"soft right\" x=\"{x}\" y=\"{y}\">{}</text>", decimal(mark));
        }
        let outline = |values: &Values| outline(values, axis, (bottom, *height));
        match series {
            _ if most == 0 => {}
            Series::Area(values) => {
                let path = format!("{}V{bottom}Z", outline(values));
                let _ = writeln!(svg, "<path class=\"n{index}\" d=\"{path}\"/>");
            }
            Series::Lines(lines) => {
                for Line { colour, values, .. } in lines {
                    let _ = writeln!(svg, "<path class=\"line c{colour}\" d=\"{}\"/>", outline(values));
                }
            }
        }
    }

    /// The name of a number with its colour, its unit, and its maximum: above its panel. Of several, all their names.
    fn legend(&self, svg: &mut String, (index, top): (usize, u128)) {
        /// Widths of the name of a panel with lines, and of its unit.
        const NAME: u128 = 980;
        const UNIT: u128 = 2_700;
        let [box_top, base] = [top - 180, top - 78];
        let Panel { name, unit, series, .. } = self;
        let text = |x: u128, text: &str| format!("<text class=\"text\" x=\"{x}\" y=\"{base}\">{text}</text>");
        match series {
            Series::Area(_) => {
                let _ = write!(
                    svg,
                    "<rect class=\"n{index}\" x=\"{LEFT}\" y=\"{box_top}\" width=\"110\" height=\"110\" rx=\"24\"/>{}",
                    text(LEFT + 170, name)
                );
            }
            Series::Lines(lines) => {
                svg.push_str(&text(LEFT, name));
                let (mut x, mut y) = (LEFT + NAME, base);
                for Line { name, colour, .. } in lines {
                    let width = 420 + 62 * name.len() as u128;
                    if x + width > WIDTH - RIGHT - UNIT {
                        (x, y) = (LEFT + NAME, y + 180); // over the lines of the panel
                    }
                    let mark = format!("<path class=\"line c{colour}\" d=\"M{x} {}h140\"/>", y - 40);
                    let _ =
                        write!(svg, "{mark}<text class=\"text\" x=\"{}\" y=\"{y}\">{name}</text>", x + 190);
                    x += width;
                }
            }
        }
        let _ = writeln!(
            svg,
            "<text class=\"soft right\" x=\"{}\" y=\"{base}\">{unit}; at most {}</text>",
            WIDTH - RIGHT,
            decimal(self.most())
        );
    }

    /// The largest number.
    fn most(&self) -> u128 {
        let largest = |values: &Values| values.iter().copied().max().unwrap_or(0);
        match &self.series {
            Series::Area(values) => largest(values),
            Series::Lines(lines) => lines.iter().map(|line| largest(&line.values)).max().unwrap_or(0),
        }
    }
}

/// The steps of a number over time, from the bottom on: of several ticks in one column the largest number.
fn outline(values: &[u128], axis: Axis, (bottom, height): (u128, u128)) -> String {
    let columns = values.len().min(COLUMNS);
    let width = WIDTH - RIGHT - LEFT;
    let x = |column: usize| LEFT + width * column as u128 / columns as u128;
    let mut path = format!("M{LEFT} {bottom}");
    let mut before = bottom;
    for column in 0..columns {
        // Every value is in one column.
        let [from, to] = [column, column + 1].map(|column| column * values.len() / columns);
        let high = values[from..to].iter().copied().max().unwrap_or(0);
        let y = bottom - axis.along(high, height);
        if y != before {
            let _ = write!(path, "H{}V{y}", x(column));
            before = y;
        }
    }
    let _ = write!(path, "H{}", WIDTH - RIGHT);
    path
}

/// A mark of an axis.
pub fn line(svg: &mut String, from: (u128, u128), to: (u128, u128)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"grid\" stroke-width=\"8\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
    );
}

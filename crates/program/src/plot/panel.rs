//! A panel of the picture: marks of an axis, and a number or several over time.

use std::fmt::Write as _;

use super::axis::{Axis, decimal};

/// Sizes in tenths of a point, so that all of them are integers.
pub const WIDTH: u128 = 9_600;
pub const LEFT: u128 = 900;
pub const RIGHT: u128 = 240;
/// Height of a row of a legend.
const ROW: u128 = 180;
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
    /// Lines below the legend.
    pub notes: Vec<String>,
}

/// The content of a panel.
pub enum Series {
    /// The area below one number.
    Area(Values),
    /// Several as lines.
    Lines(Vec<Line>),
    /// Several as areas above each other, whose sum is the outline.
    Stack(Vec<Line>),
}

/// A number that is drawn as a line, or as an area of several.
pub struct Line {
    pub name: String,
    /// The number of its colour, the same in all pictures.
    pub colour: usize,
    pub values: Values,
}

/// The place of a panel in its picture.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The number of the panel, which is that of the colour of its only number.
    pub index: usize,
    /// The height of its top, above which there is a row for its legend.
    pub top: u128,
    /// The marks of the axis of time.
    pub times: &'a [u128],
}

impl Panel {
    /// The height of the panel, with the rows of its legend below the first one, and its notes.
    pub fn full_height(&self) -> u128 {
        let below = self.entries().last().map_or(0, |(_, row)| *row) + self.notes.len() as u128;
        self.height + below * ROW
    }

    /// Draws the panel: its name, marks of the axes, and the filled area below its numbers, or their lines.
    pub fn draw(&self, svg: &mut String, place: Place<'_>) {
        let Self { height, step_least, series, .. } = self;
        svg.push_str("<g class=\"panel\">\n");
        self.legend(svg, place);
        let bottom = place.top + self.full_height();
        let most = self.most();
        let axis = Axis::new(most, if *height > 700 { 4 } else { 2 }, *step_least);
        for mark in axis.marks() {
            let y = bottom - axis.along(mark, *height);
            line(svg, (LEFT, y), (WIDTH - RIGHT, y));
            let (x, y) = (LEFT - 90, y + 40);
            let _ = writeln!(svg, "<text class=\"soft right\" x=\"{x}\" y=\"{y}\">{}</text>", decimal(mark));
        }
        if most > 0 {
            series.draw(svg, (place.index, bottom), |values| outline(values, axis, (bottom, *height)));
        }
        for &x in place.times {
            line(svg, (x, bottom - height), (x, bottom));
        }
        svg.push_str("</g>\n");
    }

    /// The name of a number with its colour, its unit, and its maximum: above its panel. Of several, all their names.
    fn legend(&self, svg: &mut String, Place { index, top, .. }: Place<'_>) {
        let [box_top, base] = [top - 180, top - 78];
        let Panel { name, unit, series, notes, .. } = self;
        let text =
            |x: u128, y: u128, text: &str| format!("<text class=\"text\" x=\"{x}\" y=\"{y}\">{text}</text>");
        let square = |class: &str, x: u128, y: u128| {
            format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"110\" height=\"110\" rx=\"24\"/>")
        };
        match series {
            Series::Area(_) => {
                svg.push_str(&square(&format!("n{index}"), LEFT, box_top));
                svg.push_str(&text(LEFT + 170, base, name));
            }
            Series::Lines(_) | Series::Stack(_) => svg.push_str(&text(LEFT, base, name)),
        }
        let entries = self.entries();
        for (Line { name, colour, .. }, (x, row)) in series.lines().iter().zip(&entries) {
            let y = base + row * ROW;
            svg.push_str(&match series {
                Series::Stack(_) => square(&format!("p{colour}"), *x, y + box_top - base),
                _ => format!("<path class=\"line c{colour}\" d=\"M{x} {}h140\"/>", y - 40),
            });
            svg.push_str(&text(x + series.mark(), y, name));
        }
        let _ = writeln!(
            svg,
            "<text class=\"soft right\" x=\"{}\" y=\"{base}\">{unit}; at most {}</text>",
            WIDTH - RIGHT,
            decimal(self.most())
        );
        let row = entries.last().map_or(1, |(_, row)| row + 1);
        for (note, row) in notes.iter().zip(row..) {
            let y = base + row * ROW;
            let _ = writeln!(svg, "<text class=\"soft\" x=\"{LEFT}\" y=\"{y}\">{note}</text>");
        }
    }

    /// The places of the names of several numbers: how far to the right, and the number of the row.
    fn entries(&self) -> Vec<(u128, u128)> {
        /// Widths of the name of a panel with several numbers, and of its unit.
        const NAME: u128 = 980;
        const UNIT: u128 = 2_700;
        let (mut x, mut row) = (LEFT + NAME, 0);
        let place = |Line { name, .. }: &Line| {
            let width = self.series.mark() + 230 + 62 * name.len() as u128;
            if x + width > WIDTH - RIGHT - UNIT {
                (x, row) = (LEFT + NAME, row + 1);
            }
            x += width;
            (x - width, row)
        };
        self.series.lines().iter().map(place).collect()
    }

    /// The largest number; of a stack the largest sum.
    fn most(&self) -> u128 {
        let largest = |values: &Values| values.iter().copied().max().unwrap_or(0);
        match &self.series {
            Series::Area(values) => largest(values),
            Series::Lines(lines) => lines.iter().map(|line| largest(&line.values)).max().unwrap_or(0),
            Series::Stack(lines) => sums(lines).last().map_or(0, largest),
        }
    }
}

impl Series {
    /// The names of several numbers, and their values.
    fn lines(&self) -> &[Line] {
        match self {
            Self::Area(_) => &[],
            Self::Lines(lines) | Self::Stack(lines) => lines,
        }
    }

    /// The distance from the mark of a number to its name.
    const fn mark(&self) -> u128 {
        if matches!(self, Self::Lines(_)) { 190 } else { 170 }
    }

    /// Draws the numbers, given the outline of each.
    fn draw(&self, svg: &mut String, (index, bottom): (usize, u128), outline: impl Fn(&[u128]) -> String) {
        let area = |svg: &mut String, class: &str, values: &[u128]| {
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"{}V{bottom}Z\"/>", outline(values));
        };
        match self {
            Self::Area(values) => area(svg, &format!("n{index}"), values),
            Self::Lines(lines) => {
                for Line { colour, values, .. } in lines {
                    let _ = writeln!(svg, "<path class=\"line c{colour}\" d=\"{}\"/>", outline(values));
                }
            }
            Self::Stack(lines) => {
                let sums = sums(lines);
                let ticks = sums.last().map_or(Vec::new(), |sum| columns(sum));
                // The sum of all first: the next covers what is below its own sum.
                for (Line { colour, .. }, sum) in lines.iter().zip(&sums).rev() {
                    let values: Values = ticks.iter().map(|tick| sum[*tick]).collect();
                    area(svg, &format!("p{colour}"), &values);
                }
            }
        }
    }
}

/// The sums of the first, of the first two numbers and so on.
fn sums(lines: &[Line]) -> Vec<Values> {
    let mut all: Vec<Values> = Vec::new();
    for Line { values, .. } in lines {
        let below = all.last();
        let sum = values.iter().enumerate().map(|(at, value)| value + below.map_or(0, |below| below[at]));
        all.push(sum.collect());
    }
    all
}

/// The steps of a number over time, from the bottom on: of several ticks in one column the largest number.
fn outline(values: &[u128], axis: Axis, (bottom, height): (u128, u128)) -> String {
    let ticks = columns(values);
    let width = WIDTH - RIGHT - LEFT;
    let x = |column: usize| LEFT + width * column as u128 / ticks.len() as u128;
    let mut path = format!("M{LEFT} {bottom}");
    let mut before = bottom;
    for (column, tick) in ticks.iter().enumerate() {
        let y = bottom - axis.along(values[*tick], height);
        if y != before {
            let _ = write!(path, "H{}V{y}", x(column));
            before = y;
        }
    }
    let _ = write!(path, "H{}", WIDTH - RIGHT);
    path
}

/// The index that each column of a panel shows: of several that of the largest number.
fn columns(values: &[u128]) -> Vec<usize> {
    let columns = values.len().min(COLUMNS);
    let largest = |column: usize| {
        // Every value is in one column.
        let [from, to] = [column, column + 1].map(|column| column * values.len() / columns);
        (from..to).max_by_key(|index| values[*index]).unwrap_or(from)
    };
    (0..columns).map(largest).collect()
}

/// A mark of an axis.
pub fn line(svg: &mut String, from: (u128, u128), to: (u128, u128)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"grid\" stroke-width=\"8\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(series: fn(Vec<Line>) -> Series, lines: &[(&str, &[u128])]) -> Panel {
        let line = |(colour, (name, values)): (usize, &(&str, &[u128]))| Line {
            name: (*name).to_owned(),
            colour,
            values: values.to_vec(),
        };
        let series = series(lines.iter().enumerate().map(line).collect());
        Panel { name: "all by", unit: "units", height: 1_000, step_least: 1, series, notes: Vec::new() }
    }

    #[test]
    fn areas_of_a_stack_add_up() {
        let panel =
            panel(Series::Stack, &[("low", &[0, 10, 0]), ("middle", &[0, 0, 5]), ("top", &[0, 30, 15])]);
        assert_eq!((panel.most(), panel.full_height()), (40, 1_000));
        let mut svg = String::new();
        panel.draw(&mut svg, Place { index: 0, top: 500, times: &[] });
        let paths: Vec<_> = svg.split("<path ").skip(1).filter_map(|path| path.split('"').nth(3)).collect();
        let [begin, end] = ["M900 1500H3720V", "H9360V1500Z"];
        let expected = ["500H6540V1000", "1250H6540V1375", "1250H6540V1500"];
        assert_eq!(paths, expected.map(|steps| format!("{begin}{steps}{end}")));
    }

    #[test]
    fn columns_of_several_ticks_show_the_largest_sum() {
        // Two ticks in a column: each number has its largest value in another tick.
        let low: Vec<u128> = (0..2_000).map(|tick| 10 + tick % 2).collect();
        let top: Vec<u128> = (0..2_000).map(|tick| if tick % 2 == 0 { 90 } else { 40 }).collect();
        let panel = panel(Series::Stack, &[("low", &low), ("top", &top)]);
        let mut svg = String::new();
        panel.draw(&mut svg, Place { index: 0, top: 500, times: &[] });
        assert_eq!(panel.most(), 100);
        assert!(svg.contains("class=\"p1\" d=\"M900 1500H900V500H9360V1500Z\""), "{svg}");
        assert!(svg.contains("class=\"p0\" d=\"M900 1500H900V1400H9360V1500Z\""), "{svg}");
    }

    #[test]
    fn legends_and_notes_lie_above_the_panel() {
        let name = "a name of some length";
        let many = [(name, &[1_u128][..]); 9];
        let mut panel = panel(Series::Lines, &many);
        panel.notes.push("a note".to_owned());
        let mut svg = String::new();
        panel.draw(&mut svg, Place { index: 0, top: 500, times: &[] });
        let rows = panel.entries().last().unwrap().1 + 1;
        assert_eq!((rows, panel.full_height()), (5, 1_000 + 5 * ROW));
        let heights = svg.split("<text ").filter(|text| text.contains(name) || text.contains("a note"));
        let heights: Vec<u128> = heights
            .map(|text| text.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!((heights.len(), heights.iter().max()), (10, Some(&(422 + 5 * ROW))));
        assert!(svg.contains(&format!("V{}H", 500 + 5 * ROW)), "the panel begins below: {svg}");
    }
}

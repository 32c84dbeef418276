//! The positions of bodies as characters: the world seen along its third axis.

use bitstep::{World, geom::Vec3};
use bitstep_program::output::count;

/// Columns of one picture; two stand side by side on a terminal of 80.
const COLUMNS: i128 = 36;
/// The most and the fewest rows of one picture.
const ROWS: (i128, i128) = (3, 12);
/// Height of a character divided by its width.
const TALL: i128 = 2;

/// The first two axes of a region, in raw.
#[derive(Clone, Copy)]
struct Window {
    low: [i128; 2],
    span: [i128; 2],
    rows: i128,
}

/// Two worlds side by side in one scale, or nothing where no body is visible.
pub fn pictures(first: &World, second: &World) -> Vec<String> {
    let everyone = || first.bodies().chain(second.bodies()).map(|(_, body)| flat(body.position));
    let Some(window) = Window::around(everyone) else { return Vec::new() };
    let (left, right) = (draw(first, window), draw(second, window));
    let title = |world: &World| format!("after tick {}", count(world.tick_count()));
    let width = COLUMNS as usize + 2;
    let mut lines = vec![format!("  {:width$}  {}", title(first), title(second))];
    lines.extend(left.into_iter().zip(right).map(|(left, right)| format!("  {left}  {right}")));
    lines
}

impl Window {
    fn around<I: Iterator<Item = [i128; 2]>>(points: impl Fn() -> I) -> Option<Self> {
        let ends = |axis: usize| Some((points().map(|p| p[axis]).min()?, points().map(|p| p[axis]).max()?));
        let (x, y) = (ends(0)?, ends(1)?);
        let wide = |(low, high): (i128, i128)| (high - low).max(1 << 32); // at least a unit
        let rows = (COLUMNS * wide(y) / (wide(x) * TALL)).clamp(ROWS.0, ROWS.1);
        // The scale of the axis that needs more room holds for both.
        let unit = (wide(x) / COLUMNS + 1).max(wide(y) / (rows * TALL) + 1);
        let span = [unit * COLUMNS, unit * rows * TALL];
        let middle = [(x.0 + x.1) / 2, (y.0 + y.1) / 2];
        Some(Self { low: [middle[0] - span[0] / 2, middle[1] - span[1] / 2], span, rows })
    }

    /// The column and the row, from the top, of a point.
    fn cell(&self, point: [i128; 2]) -> (usize, usize) {
        let along = |axis: usize, cells: i128| {
            ((point[axis] - self.low[axis]) * cells / self.span[axis]).clamp(0, cells - 1) as usize
        };
        (along(0, COLUMNS), self.rows as usize - 1 - along(1, self.rows))
    }
}

fn flat(position: Vec3) -> [i128; 2] {
    [position.x, position.y].map(|part| part.to_bits().into())
}

fn draw(world: &World, window: Window) -> Vec<String> {
    let mut cells = vec![[0_u32; COLUMNS as usize]; window.rows as usize];
    for (_, body) in world.bodies() {
        let (column, row) = window.cell(flat(body.position));
        cells[row][column] += 1;
    }
    let edge = format!("+{}+", "-".repeat(COLUMNS as usize));
    let inner =
        cells.iter().map(|row| format!("|{}|", row.iter().map(|&bodies| symbol(bodies)).collect::<String>()));
    [edge.clone()].into_iter().chain(inner).chain([edge]).collect()
}

/// One body, a few, many.
const fn symbol(bodies: u32) -> char {
    match bodies {
        0 => ' ',
        1 => 'o',
        2..=4 => '8',
        _ => '@',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitstep_scene::Scene;

    fn world(bodies: &str) -> World {
        let source = format!(
            "(title: \"\", tick_rate: 1, ticks: 1, materials: {{\"m\": (restitution: 1)}}, \
             shapes: {{\"s\": sphere(radius: 0.1)}}, bodies: [{bodies}])"
        );
        Scene::parse(&source).unwrap().initial_state
    }

    #[test]
    fn two_worlds_stand_side_by_side_in_one_scale() {
        let body = |x: u32, y: u32| format!("body(shape: \"s\", material: \"m\", position: ({x}, {y}, 0)), ");
        let left = world(&(body(0, 0) + &body(35, 6)));
        let depth =
            "grid(shape: \"s\", material: \"m\", count: (1, 1, 3), first: (0, 6, 0), step: (0, 0, 1))";
        let lines = pictures(&left, &world(depth));
        let blank = " ".repeat(35);
        let expected = [
            format!("  {:38}  after tick 0", "after tick 0"),
            format!("  +{0}+  +{0}+", "-".repeat(36)),
            format!("  |{blank}o|  |8{blank}|"),
            format!("  |{blank} |  |{blank} |"),
            format!("  |o{blank}|  |{blank} |"),
            format!("  +{0}+  +{0}+", "-".repeat(36)),
        ];
        assert_eq!(lines, expected, "\n{}", lines.join("\n"));
        assert!(pictures(&world(""), &world("")).is_empty());
    }
}

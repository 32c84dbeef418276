//! A state as a picture: the road from behind the car, a map, and lines of text.

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, lit},
    query::QueryView,
    session::Session,
};

use super::{
    camera::{Camera, Seen, Sight},
    canvas::{Canvas, Colour},
};
use crate::{
    Laps, Race,
    course::{self, Place},
    numbers::times,
};

const SKY: [Colour; 4] = [25, 31, 74, 117];
const GRASS: [Colour; 2] = [28, 34];
const FAR_GRASS: Colour = 65;
const ROAD: [Colour; 2] = [238, 239];
const FAR_ROAD: Colour = 242;
const LINE: Colour = 252;
const BORDER: [Colour; 2] = [160, 255];
const PAINT: [Colour; 3] = [196, 160, 124];
const GLASS: [Colour; 2] = [203, 24];
const RUBBER: Colour = 233;
const SHADOW: Colour = 235;
const TEXT: Colour = 255;
const MAP: Colour = 250;
/// The size of the map in dots, and the units of a dot.
const MAP_DOTS: [i64; 2] = [44, 18];
const MAP_UNITS: i64 = 6;
/// The part of 256 of a ray's length beyond which the ground has one colour.
const FAR: i64 = 90;

/// A painter, with the memory of its queries.
#[derive(Debug)]
pub struct Painter {
    view: QueryView,
}

impl Painter {
    /// A painter for races like this one.
    pub fn new(state: &Session<Race>) -> Self {
        Self { view: state.world().query_view() }
    }

    /// Draws a state, and a line of text below it.
    pub fn draw(&mut self, canvas: &mut Canvas, state: &Session<Race>, line: &str) {
        self.view.rebuild(state.world().state(), state.world().scenery());
        canvas.clear(SKY[0]);
        let Some(camera) = Camera::behind(state) else { return };
        let [along, down] = canvas.dots();
        // The lowest row is for text.
        let down = (down - 2).max(0);
        for y in 0..down {
            for x in 0..along {
                let sight = camera.look(&self.view, [x, y], [along, down]);
                canvas.fill([x, y], [x + 1, y + 1], colour(&camera, &sight, [y, down]));
            }
        }
        draw_map(canvas, camera.car().position);
        draw_text(canvas, state, camera.car().speed(), line);
    }
}

/// The colour of a dot in a row of so many.
fn colour(camera: &Camera, sight: &Sight, [y, down]: [i64; 2]) -> Colour {
    match sight.seen {
        Seen::Sky => SKY[(y * 10 / down.max(1)).clamp(0, 3) as usize],
        Seen::Body => PAINT[face(sight.normal)],
        Seen::Cabin => GLASS[usize::from(face(sight.normal) > 0)],
        Seen::Wheel => RUBBER,
        Seen::Ground if camera.is_below_car(sight.point) => SHADOW,
        Seen::Ground => ground(sight),
    }
}

/// 0 for a face that is seen from above, 1 from behind, 2 from a side.
fn face(normal: Option<Normal>) -> usize {
    let [x, y, z] = normal.map_or([0; 3], |normal| normal.components().map(i32::saturating_abs));
    if y > x.max(z) { 0 } else { 1 + usize::from(x > z) }
}

/// The colour of the ground: the road has bands along the course, which show how fast it goes by.
fn ground(sight: &Sight) -> Colour {
    let place = Place::of(sight.point);
    let every = |length: i64| ((place.along.to_bits() >> 32) / length % 2) as usize;
    let out = place.left.abs();
    let is_far = sight.far > FAR;
    if out > course::HALF_WIDTH + lit("0.35") {
        return if is_far { FAR_GRASS } else { GRASS[every(8)] };
    }
    if out > course::HALF_WIDTH - lit("0.05") {
        return BORDER[every(4)];
    }
    let from_start = (place.along - course::START).to_bits();
    if (0..2 << 32).contains(&from_start) {
        let row = (place.left.to_bits() >> 32) + (from_start >> 32);
        return if row % 2 == 0 { LINE } else { RUBBER };
    }
    let is_line = out < lit("0.12") && every(3) == 0;
    if is_line && !is_far {
        LINE
    } else if is_far {
        FAR_ROAD
    } else {
        ROAD[every(6)]
    }
}

/// Draws the course and the car on it, as seen from above.
fn draw_map(canvas: &mut Canvas, car: Vec3) {
    let [along, _] = canvas.dots();
    let [width, height] = MAP_DOTS;
    let left = along - width - 2;
    if left < 40 {
        return;
    }
    let mut dot = |point: Vec3, colour: Colour, size: i64| {
        let steps = |coordinate: Scalar| (coordinate.to_bits() >> 32).div_euclid(MAP_UNITS);
        let (x, y) = (left + width / 2 + steps(point.z), 3 + height / 2 - steps(point.x));
        canvas.fill([x, y], [x + size, y + size], colour);
    };
    for step in 0..200 {
        let along = Scalar::from_bits(course::LENGTH.to_bits() / 200 * step);
        let colour = if step == 7 { BORDER[1] } else { MAP };
        dot(Place { along, left: Scalar::ZERO }.point(), colour, 1);
    }
    dot(car, PAINT[0], 2);
}

fn draw_text(canvas: &mut Canvas, state: &Session<Race>, speed: Scalar, line: &str) {
    let [along, dots] = canvas.dots();
    let row = (dots / 2 - 1).max(0) as usize;
    canvas.fill([0, dots - 2], [along, dots], 16);
    let Laps { done, ticks, last, best, .. } = state.game().laps;
    let rate = state.world().limits().tick_rate;
    let kilometres: i64 = times(speed, lit("3.6")).to_num();
    let text = format!(
        " {kilometres:4} km/h   lap {}   {}   last {}   best {}   {line}",
        done + 1,
        time(ticks, rate),
        time(last, rate),
        time(best, rate)
    );
    canvas.text(0, row, &text, TEXT);
}

/// A number of ticks as minutes, seconds and hundredths.
pub fn time(ticks: u32, rate: u32) -> String {
    if ticks == 0 {
        return "-:--.--".to_owned();
    }
    let hundredths = u64::from(ticks) * 100 / u64::from(rate.max(1));
    format!("{}:{:02}.{:02}", hundredths / 6_000, hundredths / 100 % 60, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initial_state;

    #[test]
    fn a_picture_has_sky_road_and_car_in_any_size() {
        let state = initial_state().unwrap();
        let mut painter = Painter::new(&state);
        for (columns, rows) in [(60, 20), (90, 30)] {
            let mut canvas = Canvas::new(columns, rows);
            painter.draw(&mut canvas, &state, "a line");
            let picture = canvas.changes();
            for colour in [SKY[1], GRASS[0], ROAD[0], BORDER[0], PAINT[0], RUBBER] {
                assert!(picture.contains(&format!(";5;{colour}")), "{columns} x {rows}: no {colour}");
            }
            assert!(picture.contains("km/h   lap 1"), "{columns} x {rows}");
        }
        // A window may be made smaller while it is played in.
        for (columns, rows) in [(1, 1), (9, 3), (3, 10), (59, 1)] {
            painter.draw(&mut Canvas::new(columns, rows), &state, "a line");
        }
    }

    #[test]
    fn times_are_minutes_seconds_and_hundredths() {
        assert_eq!(
            [0, 59, 60, 3_601 * 60 / 60].map(|ticks| time(ticks, 60)),
            ["-:--.--", "0:00.98", "0:01.00", "1:00.01"]
        );
    }
}

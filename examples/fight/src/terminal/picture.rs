//! A state as a picture: the stage, the fighters as boxes, life bars, a line of text.

use bitstep::{
    geom::Vec3,
    session::{Session, Simulation},
    shape::Shape,
    state::Body,
};

use super::canvas::{Canvas, Colour};
use crate::{
    Doing, Fight, Fighter,
    stage::{Layer, WALL_X},
};

const SKY: Colour = 17;
const GROUND: Colour = 94;
const WOOD: Colour = 137;
const PLAYERS: [Colour; 2] = [39, 203];
const FLASH: Colour = 231;
const DANGER: Colour = 226;
const BLOCKS: Colour = 250;
const TEXT: Colour = 255;
/// Number of text rows above, and of rows of ground below.
const HEAD_ROWS: usize = 2;
const GROUND_DOTS: i64 = 2;

/// The scale of units on the canvas. Whole dots: rounding is for display only.
struct Scale {
    /// Dots per unit, times 2^8.
    dots_q8: i64,
    middle: i64,
    floor: i64,
}

impl Scale {
    fn of(canvas: &Canvas) -> Self {
        let [along, down] = canvas.dots();
        let wide = along * 256 / (2 * WALL_X.to_num::<i64>() + 1);
        let high = (down - 2 * HEAD_ROWS as i64 - GROUND_DOTS) * 256 / 6; // six units are seen above the floor
        Self { dots_q8: wide.min(high), middle: along / 2, floor: down - GROUND_DOTS }
    }

    /// A place in dots.
    fn dot(&self, place: Vec3) -> [i64; 2] {
        let dots = |raw: i64| ((raw >> 16) * self.dots_q8 + (1 << 23)) >> 24;
        [self.middle + dots(place.x.to_bits()), self.floor - dots(place.y.to_bits())]
    }
}

/// Draws a state, and a line below the life bars.
pub fn draw(canvas: &mut Canvas, state: &Session<Fight>, line: &str) {
    canvas.clear(SKY);
    let scale = Scale::of(canvas);
    let [along, down] = canvas.dots();
    canvas.fill([0, scale.floor], [along, down], GROUND);
    draw_stage(canvas, &scale, state);
    for (slot, fighter) in state.game().fighters.iter().enumerate() {
        draw_fighter(canvas, &scale, state, (fighter, PLAYERS[slot]));
    }
    state.game().fighters.iter().for_each(|fighter| draw_dangers(canvas, &scale, state, fighter));
    draw_head(canvas, state.game(), line);
}

fn draw_stage(canvas: &mut Canvas, scale: &Scale, state: &Session<Fight>) {
    let scenery = state.scenery();
    for fixed in scenery.statics() {
        let shape = &scenery.shapes()[usize::from(fixed.shape.0)];
        fill(canvas, scale, (shape, fixed.position), WOOD);
    }
    for sign in [-1, 1] {
        let wall = Vec3::new(WALL_X * sign, WALL_X, WALL_X);
        let [x, _] = scale.dot(wall);
        let from = if sign < 0 { x - 1 } else { x };
        canvas.fill([from, 2 * HEAD_ROWS as i64], [from + 1, scale.floor], GROUND);
    }
}

fn draw_fighter(
    canvas: &mut Canvas,
    scale: &Scale,
    state: &Session<Fight>,
    (fighter, own): (&Fighter, Colour),
) {
    let Some(body) = state.world().body(fighter.body) else { return };
    let is_hit = fighter.doing == Doing::Hurt && fighter.frozen;
    let colour = match fighter.doing {
        Doing::Hurt if is_hit => FLASH,
        Doing::Block | Doing::Guard => BLOCKS,
        _ => own,
    };
    draw_parts(canvas, scale, (state, body), |layer| (layer == Some(Layer::Hurt as u8)).then_some(colour));
}

/// Draws the boxes that hit or grab, over all others.
fn draw_dangers(canvas: &mut Canvas, scale: &Scale, state: &Session<Fight>, fighter: &Fighter) {
    let harmless = [None, Some(Layer::Hurt as u8)];
    if let Some(body) = state.world().body(fighter.body) {
        draw_parts(canvas, scale, (state, body), |layer| (!harmless.contains(&layer)).then_some(DANGER));
    }
    if let Some(shot) = fighter.shot.and_then(|shot| state.world().body(shot.body)) {
        draw_parts(canvas, scale, (state, shot), |_| Some(DANGER));
    }
}

fn draw_parts(
    canvas: &mut Canvas,
    scale: &Scale,
    (state, body): (&Session<Fight>, &Body),
    colour: impl Fn(Option<u8>) -> Option<Colour>,
) {
    for solid in body.solids(state.scenery()) {
        if let Some(colour) = colour(solid.layer) {
            fill(canvas, scale, (&solid.shape, body.position + solid.offset), colour);
        }
    }
}

/// The box around a shape; a plane has none.
fn fill(canvas: &mut Canvas, scale: &Scale, (shape, place): (&Shape, Vec3), colour: Colour) {
    if let Some(half) = shape.half_extent() {
        let (low, high) = (place - half, place + half);
        let ([left, bottom], [right, top]) = (scale.dot(low), scale.dot(high));
        canvas.fill([left, top], [right.max(left + 1), bottom.max(top + 1)], colour);
    }
}

fn draw_head(canvas: &mut Canvas, fight: &Fight, line: &str) {
    let [along, _] = canvas.dots();
    let length = (along / 2 - 8).max(0);
    for (slot, fighter) in fight.fighters.iter().enumerate() {
        let life = length * i64::from(fighter.health) / i64::from(Fight::HEALTH);
        // A bar shrinks towards its player's side.
        let (from, to) = if slot == 0 { (1, 1 + length) } else { (along - 1 - length, along - 1) };
        canvas.fill([from, 0], [to, 2], 236);
        let lit = if slot == 0 { [from, from + life] } else { [to - life, to] };
        canvas.fill([lit[0], 0], [lit[1], 2], PLAYERS[slot]);
    }
    let [left, right] = [0, 1].map(|slot: usize| fight.fighters[slot].wins);
    let middle = format!("{left} - {:02} - {right}", fight.clock / 60);
    canvas.text(((along / 2) as usize).saturating_sub(middle.len() / 2), 0, &middle, TEXT);
    let [a, b] = [0, 1].map(|slot: usize| fight.fighters[slot].health);
    let word = match (fight.pause, a == b) {
        (0, _) => line.to_owned(),
        (_, true) => "nobody wins the round".to_owned(),
        (_, false) => format!("player {} wins the round", if a > b { 1 } else { 2 }),
    };
    canvas.text(1, 1, &word, TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initial_state;

    #[test]
    fn a_picture_has_both_fighters_at_their_sides_in_any_size() {
        let state = initial_state().unwrap();
        for (columns, rows) in [(60, 20), (80, 24), (200, 50), (61, 90)] {
            let mut canvas = Canvas::new(columns, rows);
            draw(&mut canvas, &state, "a line");
            let picture = canvas.changes();
            for colour in PLAYERS.map(|colour| format!("8;5;{colour}")) {
                assert!(picture.contains(&colour), "{columns} x {rows}");
            }
            assert!(picture.contains("a line"), "{columns} x {rows}");
        }
        // A window may be made smaller while it is played in.
        for (columns, rows) in [(1, 1), (9, 3), (3, 40), (59, 1)] {
            draw(&mut Canvas::new(columns, rows), &state, "a line");
        }
    }
}

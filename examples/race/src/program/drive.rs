//! `race drive`: a race in the terminal.

use std::{
    error::Error,
    thread,
    time::{Duration, Instant},
};

use super::{Played, arguments::Drive, summary};
use crate::{
    autopilot::autopilot,
    initial_state_at,
    terminal::{Keyboard, Painter, Pressed, Screen},
};

/// The least time between two pictures.
const FRAME: Duration = Duration::from_millis(33);
/// The longest time that a slow terminal is caught up with; beyond it the race waits.
const LATE_MAX: Duration = Duration::from_millis(200);

/// Plays a race in the terminal until the driver leaves, and prints its result.
pub fn drive(options: &Drive) -> Result<(), Box<dyn Error>> {
    Screen::check()?;
    let mut played = Played::new(initial_state_at(options.rate)?, options.record.as_deref())?;
    let mut painter = Painter::new(&played.state);
    let mut screen = Screen::open()?;
    let mut keyboard = Keyboard::new(screen.tells_releases(), options.autopilot);
    let step = Duration::from_secs(1) / options.rate;
    let (mut next, mut drawn) = (Instant::now(), None::<Instant>);
    loop {
        keyboard.read()?;
        let Pressed::Drive(input) = keyboard.pressed() else { break };
        let input = if keyboard.is_autopilot() { autopilot(&played.state) } else { input };
        played.tick(input)?;
        next += step;
        let now = Instant::now();
        if drawn.is_none_or(|drawn| now - drawn >= FRAME) {
            let driver = if keyboard.is_autopilot() { "autopilot (P)" } else { "WASD, space, R, P, Esc" };
            screen.show(&mut painter, &played.state, driver)?;
            drawn = Some(now);
        }
        match next.checked_duration_since(Instant::now()) {
            Some(left) => thread::sleep(left),
            None if next.elapsed() > LATE_MAX => next = Instant::now(),
            None => {}
        }
    }
    drop(screen);
    println!("{}", summary(&played.end()?, options.record.as_deref()));
    Ok(())
}

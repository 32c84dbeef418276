//! `race run`: a race without people.

use std::{error::Error, fs};

use bitstep::session::Simulation;

use super::{Played, arguments::Run, summary};
use crate::{Input, autopilot::autopilot, initial_state_at};

/// Plays a race by a script or the autopilot, and prints its result.
pub fn run(options: &Run) -> Result<(), Box<dyn Error>> {
    let script = options.script.as_ref().map(fs::read_to_string).transpose()?;
    let mut script = script.as_deref().map(read_script).transpose()?.map(Vec::into_iter);
    let mut played = Played::new(initial_state_at(options.rate)?, options.output.as_deref())?;
    let last_tick = u64::from(options.seconds) * u64::from(options.rate);
    while played.state.game().laps.done < options.laps && played.state.tick_count() < last_tick {
        let input = match &mut script {
            Some(script) => script.next(),
            None => Some(autopilot(&played.state)),
        };
        let Some(input) = input else { break };
        played.tick(input)?;
    }
    println!("{}", summary(&played.end()?, options.output.as_deref()));
    Ok(())
}

/// The input of each tick of a script.
fn read_script(text: &str) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (ticks, input) = read_line(line).ok_or_else(|| {
            format!("line {}: `{line}` is not `TICKS THROTTLE STEER [brake] [reset]`", number + 1)
        })?;
        inputs.extend(std::iter::repeat_n(input, usize::from(ticks)));
    }
    Ok(inputs)
}

fn read_line(line: &str) -> Option<(u16, Input)> {
    let mut words = line.split_whitespace();
    let ticks = words.next()?.parse().ok()?;
    let mut input =
        Input { throttle: words.next()?.parse().ok()?, steer: words.next()?.parse().ok()?, ..Input::NONE };
    for word in words {
        match word {
            "brake" => input.brake = true,
            "reset" => input.reset = true,
            _ => return None,
        }
    }
    Some((ticks, input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_ticks_and_controls() {
        let inputs = read_script("# begin\n2 127 0\n\n1 -20 5 brake # stop\n1 0 0 reset").unwrap();
        let ahead = Input { throttle: 127, ..Input::NONE };
        let stop = Input { throttle: -20, steer: 5, brake: true, reset: false };
        assert_eq!(inputs, [ahead, ahead, stop, Input { reset: true, ..Input::NONE }]);
        for bad in ["1", "1 128 0", "x 1 1", "1 1 1 halt"] {
            assert!(read_script(bad).is_err(), "{bad}");
        }
    }
}

//! The output of the program without arguments.

use anyhow::Result;
use bitstep_program::{
    Ending,
    output::{Screen, Tone, program},
};

/// Prints the introduction of the program.
pub fn introduce() -> Result<Ending> {
    let mut screen = Screen::open();
    let title = screen.paint(Tone::Bold, "bitstep");
    screen.line(format!("{title}: 3D physics with the same bits everywhere."))?;
    screen.line(
        "
It moves spheres, boxes and capsules in fixed-point numbers, sweeps every pair,
and never lets one pass through another. A run can be recorded in a small file,
and the file verified on any other machine, tick by tick, to the last bit.

Try first, anywhere:

  bitstep demo                             recordings, their pages, and a wrong bit that is found

And in the repository:

  bitstep run replays/break.ron            a break at pool: simulate, record, re-simulate
  bitstep run replays/cradle.ron --trace   Newton's cradle, every impact as a line of text

Then put one number wrong by a 2^-32th, and have it found:

  bitstep run replays/break.ron --inject 200:7:vel.y --record bad.replay
  bitstep diff bad.replay

And with recordings of your own:

  bitstep run SCENE --record FILE    keep the recording
  bitstep verify FILE...             re-simulate recordings; exit 0 match, 1 diverged, 2 bad input
  bitstep diff A B                   where two recordings diverge: tick, phase, body, field
  bitstep show FILE --tick N         what is in a recording, and where everything is after tick N
  bitstep bake MODEL -o FILE         make a mesh file for scenes of a model in OBJ or glTF
  bitstep sweep                      one pair of shapes per line in, exact time of impact out

A scene is a text file with comments: copy replays/timeline.ron and change it.
`bitstep help` lists every subcommand, `bitstep help run` every option of one.",
    )?;
    let program = program();
    if program != "bitstep" {
        screen.line(format!("\nFrom here, bitstep is called {program}"))?;
    }
    screen.flush()?;
    Ok(Ending::Match)
}

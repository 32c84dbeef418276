//! Tick 7 of `break.tick-7.replay`, written by `bitstep clip --test`.
//!
//! The build that wrote it came to what was recorded.

use bitstep::{
    World,
    replay::{Judgement, Replay, compare_with_rerun},
};

#[test]
fn tick_7_of_break_as_recorded() {
    let bytes = include_bytes!("break.tick-7.replay");
    let replay: Replay<World> = Replay::read(bytes).expect("a sound recording");
    let comparison = compare_with_rerun(&replay);
    assert_eq!(comparison.judgement, Judgement::Same, "{comparison}");
}

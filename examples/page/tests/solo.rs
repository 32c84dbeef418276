//! A session alone is saved and loaded, and continues unchanged.
#![allow(missing_docs)]

use bitstep::session::Simulation;
use fight::script::script;
use page::duel::solo::{Solo, straight};

#[test]
fn a_fight_goes_on_the_same_from_a_snapshot() {
    let script = script(7, 200).unwrap();
    let (mut solo, mut saved) = (Solo::new().unwrap(), Vec::new());
    for (tick, keys) in script.inputs.iter().enumerate() {
        if tick == 90 {
            solo.save(&mut saved);
        }
        solo.tick(*keys);
    }
    assert_eq!(solo.state().checksum(), script.end.checksum());
    assert!(solo.load(&saved[1..]).is_err());
    assert_eq!(solo.state().tick_count(), 200, "as it was");
    solo.load(&saved).unwrap();
    assert_eq!(solo.state().tick_count(), 90);
    script.inputs[90..].iter().for_each(|keys| solo.tick(*keys));
    assert_eq!(solo.state().checksum(), script.end.checksum());
    assert!(solo.fields().contains("game.fighters[1].health\t"));
}

#[test]
fn a_script_straight_on() {
    let (keys, text) = straight(7, 200).unwrap();
    let script = script(7, 200).unwrap();
    assert_eq!((keys.len(), keys[150]), (400, script.inputs[75][0].0));
    assert_eq!(text, format!("checksum\t{}\noutcome\t{}\n", script.end.checksum(), script.end.outcome()));
    assert!(straight(7, 18_001).is_err());
}

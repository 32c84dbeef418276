//! Trials whose answers are known beforehand.

use super::*;
use crate::engines::{ENTRANTS, RESTING};

fn figures(name: &str, entrant: Entrant) -> Vec<Option<f64>> {
    run(name, &[entrant]).iter().map(|trial| trial.by_rate[0].1).collect()
}

#[test]
fn names_of_kinds_stand_for_all_their_scenes() {
    assert_eq!(scenes("dominoes"), ["dominoes"]);
    assert_eq!(scenes("seams").len(), 7);
    assert_eq!(scenes("seams-balls:50@30"), ["seams-balls:50@30"]);
    assert!(
        ["seams-balls", "seamless", "crowd:500", "landing-boxes:9"]
            .iter()
            .all(|name| scenes(name).is_empty())
    );
}

#[test]
fn plates_fall_in_every_engine() {
    for entrant in ENTRANTS.into_iter().filter(|entrant| RESTING.contains(&entrant.name)) {
        let [Some(seconds)] = figures("dominoes@60", entrant)[..] else { panic!("they stand") };
        assert!(seconds > 1.5 && seconds < 10.0, "{}: {seconds}", entrant.name);
    }
}

/// Without a seam nothing slows a body down but what rolling costs.
#[test]
fn a_body_on_one_box_keeps_its_speed() {
    for entrant in ENTRANTS {
        let [Some(arrived), Some(kept)] = figures("seams-none:300@30", entrant)[..] else {
            panic!("none arrived")
        };
        assert_eq!(arrived, 12.0);
        assert!((kept - 1.0).abs() < 0.05, "{}: {kept}", entrant.name);
    }
}

/// In a tick of a chord instead of an arc, the radius grows by a factor of 1 + (1.2 / rate)^2 / 2.
#[test]
fn a_rider_stays_on_the_turntable() {
    for rate in [20, 60] {
        let [Some(growth)] = figures(&format!("turntable@{rate}"), ENTRANTS[0])[..] else {
            panic!("no figure")
        };
        let chord = (1.0 + (1.2 / f64::from(rate)).powi(2) / 2.0).powi(5 * rate) - 1.0;
        assert!((-0.1..110.0 * chord).contains(&growth), "{rate}: {growth} percent");
    }
}

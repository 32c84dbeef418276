//! Eight sides over a link that loses a third, for as long as a match takes.

mod support;

use bitstep::session::Simulation;
use bitstep_rollback::{Ending, Forecast, Network, Pace, Weather};
use support::{Seat, setup, straight};

/// Ten minutes at 60 frames per second; `BITSTEP_TICKS` says otherwise.
#[test]
#[ignore = "takes ten minutes: .ci/full runs it"]
fn eight_sides_play_ten_minutes_over_a_link_that_loses_a_third() {
    let ticks =
        std::env::var("BITSTEP_TICKS").map_or(36_000, |ticks| ticks.parse().expect("a number of ticks"));
    let network = Network::default();
    let mut seats: Vec<_> = (0..8)
        .map(|player| {
            let forecast =
                Forecast { seed: player as u64, latency: 30, jitter: 40, loss: 30, twice: 5, rubbish: 5 };
            Seat::new(player, setup(player, 8, ticks), Weather::new(network.transport(player), forecast))
        })
        .collect();
    let mut pace = Pace::new(60);
    while seats.iter().any(|seat| seat.game.ending().is_none()) {
        seats.iter_mut().for_each(Seat::frame);
        pace.wait();
    }
    let checksum = straight(8, ticks).checksum();
    for seat in seats {
        println!("player {}: {:?} {:?}", seat.player, seat.game.stats(), seat.game.counts());
        let outcome = seat.game.finish().expect("kept states");
        assert_eq!((outcome.ending, outcome.tick), (Ending::Finished, ticks));
        assert_eq!(outcome.state.checksum(), checksum);
    }
}

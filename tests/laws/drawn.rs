//! Properties of drawn worlds: nothing overlaps, the ledger closes, a snapshot is the state, also under drawn
//! commands.

use arbitrary::{Result, Unstructured};
use bitstep::{World, num::Rng, snapshot, state::Command, tick::TickReport};

use crate::support::overlaps;

const WORLDS: u64 = 60;
const TICKS: u32 = 12;

/// Plays a drawn world under drawn commands; returns the number of its bodies and of its impacts.
fn play(u: &mut Unstructured<'_>) -> Result<(usize, usize)> {
    let (mut world, mut report): (World, _) = (u.arbitrary()?, TickReport::default());
    assert_eq!(overlaps(&world), 0, "a drawn world has no overlap");
    let (bodies, mut impacts) = (world.bodies().count(), 0);
    for _ in 0..TICKS {
        let commands: Vec<Command> = if u.ratio(1, 4)? { vec![u.arbitrary()?] } else { Vec::new() };
        let before = world.momentum_wide();
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        let _ = world.tick(&commands, &mut report);
        let (after, ledger) = (world.momentum_wide(), report.ledger.total());
        assert!((0..3).all(|axis| after[axis] - before[axis] == ledger[axis]));
        assert!(overlaps(&world) <= report.overlapping as usize);
        impacts += report.impacts.len();
        let told = format!("{report:?}");
        let _ = restored.tick(&commands, &mut report);
        assert_eq!(format!("{report:?}"), told);
        assert_eq!(snapshot::checksum(&restored), snapshot::checksum(&world));
    }
    Ok((bodies, impacts))
}

#[test]
fn drawn_worlds_keep_the_laws() {
    let (mut bodies, mut impacts) = (0, 0);
    for seed in 0..WORLDS {
        let mut draws = Rng::new(seed).at(0, 0, 0);
        let bytes: Vec<u8> = (0..512).flat_map(|_| draws.bits().to_le_bytes()).collect();
        let counts = play(&mut Unstructured::new(&bytes)).unwrap();
        bodies += counts.0;
        impacts += counts.1;
    }
    assert!(bodies > 150 && impacts > 100, "{bodies} bodies, {impacts} impacts");
}

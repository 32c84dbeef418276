//! The ticks that were compared, and the result.

use std::collections::VecDeque;

use super::message::sums_of;

/// Both peers' checksums of the ticks that are not compared yet. Ticks are counted from the initial state.
#[derive(Clone, Debug)]
pub(super) struct ChecksumComparison {
    /// Our checksums of consecutive ticks, up to the newest confirmed one.
    ours: VecDeque<u32>,
    /// The tick behind our newest.
    ours_end: u32,
    /// Their checksums of the ticks behind `compared`, as far as they have arrived.
    theirs: VecDeque<Option<u32>>,
    /// Every tick up to this one has been compared, or never will be.
    compared: u32,
    /// The last tick that was compared, and was equal.
    equal: u32,
    /// The first tick that the other has not acknowledged.
    heard: u32,
    ticks_max: usize,
}

/// Two checksums of one tick that differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    /// The tick.
    pub(super) tick: u32,
    /// True if the tick before was compared, and is equal.
    pub(super) is_first: bool,
}

/// A fault of checksums that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wrong {
    /// The checksums acknowledge a tick that was not told, or tell of one too far ahead.
    Ahead(u32),
    /// Another checksum of the tick came before.
    Contradicts(u32),
}

impl ChecksumComparison {
    /// The initial state is tick 0, which both have.
    pub(super) fn new(ticks: u32) -> Self {
        let ticks_max = ticks as usize;
        Self {
            ours: VecDeque::with_capacity(ticks_max),
            ours_end: 1,
            theirs: VecDeque::with_capacity(ticks_max),
            compared: 0,
            equal: 0,
            heard: 1,
            ticks_max,
        }
    }

    /// Our checksum of the next tick.
    pub(super) fn add(&mut self, sum: u32) {
        if self.ours.len() == self.ticks_max {
            self.ours.pop_front();
        }
        self.ours.push_back(sum);
        self.ours_end += 1;
    }

    /// The last tick up to which every tick was compared.
    pub(super) const fn compared(&self) -> u32 {
        self.compared
    }

    /// True if a tick has been skipped since the last one that was compared.
    pub(super) const fn was_passed_over(&self, tick: u32) -> bool {
        self.equal < tick && tick <= self.compared
    }

    /// The first tick whose checksum the other has not told: the one that we ask for.
    pub(super) fn wanted(&self) -> u32 {
        let known = self.theirs.iter().take_while(|sum| sum.is_some()).count();
        self.compared + 1 + known as u32
    }

    /// Our checksums that the other has not acknowledged, oldest first, and the tick of the first.
    pub(super) fn untold(&self) -> (u32, impl Iterator<Item = u32>) {
        let first = self.heard.max(self.ours_begin());
        let known = (first - self.ours_begin()) as usize;
        (first, self.ours.iter().skip(known).copied())
    }

    /// Takes their checksums; a fault in one part of a message does not affect the rest.
    ///
    /// They send from the tick that we asked for. If a message begins behind it, they have discarded the
    /// ticks between.
    pub(super) fn hear(&mut self, wanted: u32, first: u32, sums: &[u8]) -> Result<(), Wrong> {
        let mut result = Ok(());
        if wanted > self.ours_end {
            return Err(Wrong::Ahead(wanted));
        }
        self.heard = self.heard.max(wanted);
        if !sums.is_empty() && first > self.wanted() {
            self.pass_over((first - 1).min(self.ours_end - 1));
        }
        for (tick, sum) in sums_of(first, sums) {
            let Some(index) = tick.checked_sub(self.compared + 1) else {
                if self.our(tick).is_some_and(|ours| ours != sum) {
                    result = Err(Wrong::Contradicts(tick));
                }
                continue;
            };
            let index = index as usize;
            if index >= self.ticks_max {
                return Err(Wrong::Ahead(tick));
            }
            if self.theirs.len() <= index {
                self.theirs.resize(index + 1, None);
            }
            match self.theirs[index] {
                None => self.theirs[index] = Some(sum),
                Some(known) if known != sum => result = Err(Wrong::Contradicts(tick)),
                Some(_) => {}
            }
        }
        result
    }

    /// Compares what can be compared, in order; stops at the first difference and stays there.
    pub(super) fn advance(&mut self) -> Option<Mismatch> {
        loop {
            let tick = self.compared + 1;
            if tick >= self.ours_end {
                return None;
            }
            let Some(ours) = self.our(tick) else {
                self.pass_over(tick); // discarded here
                continue;
            };
            let theirs = (*self.theirs.front()?)?;
            if ours != theirs {
                return Some(Mismatch { tick, is_first: self.equal == self.compared });
            }
            self.theirs.pop_front();
            (self.compared, self.equal) = (tick, tick);
        }
    }

    /// Skips the ticks up to this one, which either side has discarded.
    fn pass_over(&mut self, tick: u32) {
        if tick <= self.compared {
            return;
        }
        let passed = (tick - self.compared) as usize;
        self.theirs.drain(..passed.min(self.theirs.len()));
        self.compared = tick;
    }

    fn our(&self, tick: u32) -> Option<u32> {
        self.ours.get(tick.checked_sub(self.ours_begin())? as usize).copied()
    }

    fn ours_begin(&self) -> u32 {
        self.ours_end - self.ours.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comparison with room for so many ticks, and our checksums of the first ones: that of tick 3 is 103.
    fn comparison(room: u32, ticks: u32) -> ChecksumComparison {
        let mut comparison = ChecksumComparison::new(room);
        (1..=ticks).for_each(|tick| comparison.add(100 + tick));
        comparison
    }

    /// The checksums of ticks in a row as a message has them.
    fn bytes(sums: impl IntoIterator<Item = u32>) -> Vec<u8> {
        sums.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Their checksums of the ticks from one to another, equal to ours.
    fn equal(from: u32, to: u32) -> Vec<u8> {
        bytes((from..=to).map(|tick| 100 + tick))
    }

    #[test]
    fn a_mismatch_is_the_first_if_the_tick_before_it_is_equal() {
        for bad in 1..=4 {
            let mut comparison = comparison(8, 5);
            let sums = bytes((1..=5).map(|tick| if tick == bad { 7 } else { 100 + tick }));
            assert_eq!(comparison.hear(1, 1, &sums), Ok(()));
            let mismatch = Some(Mismatch { tick: bad, is_first: true });
            assert_eq!([comparison.advance(), comparison.advance()], [mismatch; 2], "it stays there");
            assert_eq!(comparison.compared(), bad - 1);
        }
        // Ticks 1 to 3 were discarded there: tick 4 may not be the first that differs.
        let mut comparison = comparison(8, 5);
        assert_eq!(comparison.hear(1, 4, &bytes([7])), Ok(()));
        assert_eq!(comparison.advance(), Some(Mismatch { tick: 4, is_first: false }));
    }

    #[test]
    fn ticks_that_they_discarded_are_passed_over_as_far_as_ours_go() {
        for (ours, first, passed, compared) in
            [(10, 5, 4, 7), (3, 6, 3, 3), (4, 6, 4, 4), (5, 6, 5, 5), (6, 6, 5, 6)]
        {
            let mut comparison = comparison(16, ours);
            assert_eq!(comparison.hear(1, first, &equal(first, 7)), Ok(()));
            assert_eq!(comparison.compared(), passed, "{ours} {first}");
            assert_eq!((comparison.advance(), comparison.compared()), (None, compared), "{ours} {first}");
            let passed_over: Vec<_> = (0..=8).filter(|&tick| comparison.was_passed_over(tick)).collect();
            let expected: Vec<_> = if compared > passed { vec![] } else { (1..=passed).collect() };
            assert_eq!(passed_over, expected, "{ours} {first}: none before a tick that is equal");
        }
        // A message without checksums says nothing of what they have discarded.
        let mut comparison = comparison(16, 10);
        assert_eq!((comparison.hear(1, 5, &[]), comparison.compared()), (Ok(()), 0));
    }

    #[test]
    fn ticks_that_come_in_two_messages_are_all_compared() {
        let mut comparison = comparison(8, 4);
        assert_eq!(comparison.hear(1, 1, &bytes([7, 102])), Ok(()));
        assert_eq!(comparison.hear(1, 3, &equal(3, 4)), Ok(()));
        assert_eq!(comparison.wanted(), 5);
        assert_eq!(comparison.advance(), Some(Mismatch { tick: 1, is_first: true }));
    }

    #[test]
    fn ticks_that_are_discarded_here_are_passed_over_and_the_next_ones_compared() {
        let mut comparison = comparison(3, 0);
        assert_eq!(comparison.hear(1, 1, &bytes([101, 7, 103])), Ok(()), "they are ahead of us");
        (1..=5).for_each(|tick| comparison.add(100 + tick));
        assert_eq!((comparison.advance(), comparison.compared()), (None, 3), "ours begin with tick 3");
        assert_eq!(comparison.hear(1, 4, &bytes([104, 8])), Ok(()));
        assert_eq!(comparison.advance(), Some(Mismatch { tick: 5, is_first: true }));
    }

    #[test]
    fn another_checksum_of_a_tick_contradicts_whether_compared_or_not() {
        let mut comparison = comparison(8, 4);
        assert_eq!(comparison.hear(1, 1, &equal(1, 2)), Ok(()));
        for compared in [0, 2] {
            assert_eq!(comparison.compared(), compared);
            assert_eq!(comparison.hear(1, 1, &equal(1, 2)), Ok(()), "a message that came twice");
            assert_eq!(comparison.hear(1, 1, &bytes([101, 7])), Err(Wrong::Contradicts(2)));
            assert_eq!(comparison.advance(), None);
        }
    }

    #[test]
    fn checksums_beyond_the_room_are_too_far_ahead() {
        let mut comparison = comparison(8, 4);
        assert_eq!(comparison.hear(1, 1, &equal(1, 2)), Ok(()));
        assert_eq!((comparison.advance(), comparison.compared()), (None, 2));
        assert_eq!(comparison.hear(1, 3, &equal(3, 10)), Ok(()));
        assert_eq!(comparison.hear(1, 3, &equal(3, 11)), Err(Wrong::Ahead(11)));
        assert_eq!(comparison.hear(6, 3, &[]), Err(Wrong::Ahead(6)), "tick 5 is our next");
        assert_eq!(comparison.hear(5, 3, &[]), Ok(()));
        assert_eq!(comparison.untold().1.count(), 0);
    }
}

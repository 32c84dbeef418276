//! Two matches in one process, without a relay between them: the order of messages, and their receivers.

use bitstep::tick::TickReport;
use rts::{
    initial_state,
    peer::{Board, Lines, Seat},
    wire::{Frame, Turn},
};

use crate::{played::terms, rubbish::setup, running::Folder};

#[test]
fn the_checksum_of_a_tick_is_said_before_the_orders_that_follow_it() {
    let folders = [Folder::new("board"), Folder::new("board")];
    let setups = folders.each_ref().map(|folder| setup("127.0.0.1:9".parse().unwrap(), folder));
    let terms = terms(3, 60);
    let mut boards = [0_u8, 1].map(|seat| {
        let initial_state = initial_state(terms.seed, terms.players, terms.units).unwrap();
        Board::new(terms, Seat { seat, coming: 1 }, initial_state, &[0, 1], &setups[usize::from(seat)])
            .unwrap()
    });
    for number in 1..=40 {
        let said: Vec<Vec<Frame>> = boards
            .iter_mut()
            .zip(&setups)
            .map(|(board, setup)| {
                board.hear(Turn { number, ..Turn::default() }).unwrap();
                assert!(board.play(setup).unwrap());
                board.said()
            })
            .collect();
        for (from, frames) in said.iter().enumerate() {
            let place = |is: fn(&Frame) -> bool| frames.iter().position(is);
            let orders = place(|frame| matches!(frame, Frame::Orders { .. })).unwrap();
            let compared = place(|frame| matches!(frame, Frame::Compare { .. }));
            // Before the two have connected there is nothing to send.
            assert!(number < 8 || compared.is_some_and(|compared| compared < orders), "tick {number}");
            for frame in frames {
                if let Frame::Compare { since, message, .. } = frame {
                    boards[1 - from].lines.hear(from as u8, *since, message);
                }
            }
        }
    }
    assert!(boards.iter().all(|board| board.lines.are_compared(35)));
}

#[test]
fn messages_over_a_closed_line_are_not_heard() {
    let folder = Folder::new("line");
    let mut state = initial_state(7, 2, 3).unwrap();
    let lines = |state: &_, seat| {
        let mut lines = Lines::new(5, &folder.path("a.replay"));
        lines.add(seat, state).unwrap();
        lines
    };
    let mut old = lines(&state, 1);
    let hello = old.poll(&state, 0).unwrap();
    (0..10).for_each(|_| state.tick(&[], &mut TickReport::default()));
    let mut new = lines(&state, 0);
    for frame in hello {
        let Frame::Compare { since, message, .. } = frame else { panic!("{frame:?}") };
        assert_eq!(since, 0);
        new.hear(0, since, &message);
    }
    new.poll(&state, 10).unwrap();
    assert!(!new.are_in_dispute(), "an old hello is of another state");
    // The same over a line that begins with the same state is accepted.
    let mut other = lines(&state, 1);
    for frame in other.poll(&state, 10).unwrap() {
        let Frame::Compare { since, message, .. } = frame else { panic!("{frame:?}") };
        new.hear(0, since, &message);
    }
    assert!(!new.poll(&state, 10).unwrap().is_empty() && !new.are_in_dispute());
}

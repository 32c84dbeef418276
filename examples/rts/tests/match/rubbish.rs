//! Bytes that no program would send: to the reader of frames, to a relay with a match on it, and to a player.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use bitstep::num::{Draws, Rng};
use rts::{
    peer::{Client, Ending, Setup},
    transfer::Terms,
    wire::{FRAME_BYTES_MAX, Frame, HEAD_BYTES, PROTOCOL, Piece, Turn, read_frame, seal},
};

use crate::{
    played::terms,
    running::{Folder, Running, number, rts},
};

/// A frame of every kind.
fn frames() -> Vec<Frame> {
    let terms = terms(2, 50);
    let turn = |number| Turn { number, orders: vec![(0, vec![0]), (1, vec![0])], ..Turn::default() };
    vec![
        Frame::Join { protocol: PROTOCOL, seat: Some(1) },
        Frame::Begin { terms, seat: 1, seats: vec![0, 1, 2, 3], has_state: false, coming: 1 },
        Frame::Turn(turn(1)),
        Frame::Turn(turn(2)),
        Frame::Orders { turn: 5, orders: vec![0; 30] },
        Frame::Compare { seat: 2, since: 0, message: (0..90).collect() },
        Frame::Give { transfer: 3 },
        Frame::Piece(Piece { transfer: 3, tick: 2, index: 0, count: 2, content: vec![9; 300] }),
        Frame::Waiting { seat: 1, turn: 3 },
        Frame::Ready { tick: 9 },
        Frame::Resync,
        Frame::Done { is_well: false },
        Frame::Turn(turn(3)),
        Frame::End,
        Frame::Refused { reason: "no".to_owned() },
    ]
}

/// A frame with some bytes drawn; in most cases its check fits again.
fn mutated(frame: &Frame, draws: &mut Draws) -> Vec<u8> {
    let mut content = frame.encode()[HEAD_BYTES..].to_vec();
    for _ in 0..=draws.below(3) {
        let at = draws.below(content.len() as u64) as usize;
        content[at] =
            if draws.below(2) == 0 { draws.bits() as u8 } else { content[at] ^ 1 << draws.below(8) };
    }
    match draws.below(8) {
        0 => content.truncate(draws.below(content.len() as u64 + 1) as usize),
        1 => content.extend(vec![0; draws.below(9) as usize]),
        _ => {}
    }
    let mut bytes = seal(&content);
    if draws.below(6) == 0 {
        let at = draws.below(HEAD_BYTES as u64) as usize;
        bytes[at] = draws.bits() as u8;
    }
    bytes
}

#[test]
fn frames_come_back_as_they_were() {
    let bytes: Vec<u8> = frames().iter().flat_map(Frame::encode).collect();
    let mut rest = &bytes[..];
    let again: Vec<Frame> = std::iter::from_fn(|| read_frame(&mut rest).unwrap()).collect();
    assert_eq!(again, frames());
    for length in 1..bytes.len() {
        let mut rest = &bytes[..length];
        while let Ok(Some(frame)) = read_frame(&mut rest) {
            assert!(frames().contains(&frame));
        }
    }
}

#[test]
fn every_bit_of_a_frame_is_checked() {
    for frame in frames() {
        let bytes = frame.encode();
        // A longer length waits for bytes that do not come.
        for bit in 0..bytes.len() * 8 {
            let mut turned = bytes.clone();
            turned[bit / 8] ^= 1 << (bit % 8);
            assert!(read_frame(&mut &turned[..]).is_err(), "{frame:?}, bit {bit}");
        }
    }
}

#[test]
fn a_claim_beyond_the_limit_is_refused_before_anything_is_read() {
    for length in [FRAME_BYTES_MAX as u32 + 1, 1 << 30, u32::MAX] {
        let head = [length.to_le_bytes(), [0; 4]].concat();
        // There is no content: a reader that took memory for it would find the end.
        let error = read_frame(&mut &head[..]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("a frame of {length} bytes")), "{error}");
    }
}

#[test]
fn drawn_frames_are_frames_or_an_error() {
    let (all, mut read) = (frames(), 0);
    for round in 0..60_000 {
        let mut draws = Rng::new(31).at(0, 0, round);
        let bytes = mutated(&all[draws.below(all.len() as u64) as usize], &mut draws);
        read += u32::from(matches!(read_frame(&mut &bytes[..]), Ok(Some(_))));
    }
    assert!(read > 6_000, "the bytes behind the check are looked at, too: {read}");
}

/// A relay that sends valid frames for a while, and then others.
fn false_relay(listener: TcpListener, round: u64) {
    let Ok((mut stream, _)) = listener.accept() else { return };
    let mut draws = Rng::new(41).at(0, 0, round);
    let all = frames();
    // A valid beginning, so that later frames are read as well.
    let sound = draws.below(5);
    let mut bytes: Vec<u8> = all[1..].iter().take(sound as usize).flat_map(Frame::encode).collect();
    for _ in 0..40 {
        let index = draws.below(all.len() as u64 - 2) as usize;
        bytes.extend(mutated(&all[index], &mut draws));
    }
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = std::io::copy(&mut Read::take(&mut stream, 1 << 20), &mut std::io::sink());
}

pub fn setup(relay: std::net::SocketAddr, folder: &Folder) -> Setup {
    Setup {
        relay,
        seat: None,
        record: folder.path("a.replay"),
        injection: None,
        resync: false,
        phases: false,
        slow: None,
        vanish: None,
        save: None,
        patience: Duration::from_secs(60),
        wait: Duration::from_secs(60),
    }
}

#[test]
fn a_player_survives_whatever_a_relay_sends() {
    let folder = Folder::new("false-relay");
    let (mut broken, mut played) = (0, 0);
    for round in 0..400 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let relay = thread::spawn(move || false_relay(listener, round));
        let outcome = Client::new(setup(address, &folder)).unwrap().run().unwrap();
        relay.join().unwrap();
        let is_told = matches!(
            outcome.ending,
            Ending::Broken(_) | Ending::Lost(_) | Ending::Refused(_) | Ending::Early | Ending::Finished
        );
        assert!(is_told, "round {round}: {outcome}");
        broken += u32::from(outcome.exit_code() == 3);
        played += u32::from(outcome.counts.last.is_some());
    }
    assert!(broken > 350 && played > 200, "{broken} {played}");
}

/// A stranger who connects to a relay with a match on it; its players must not notice.
fn pester(address: &str, round: u64) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
    let mut draws = Rng::new(51).at(0, 0, round);
    let all = frames();
    let mut bytes = Vec::new();
    if draws.below(2) == 0 {
        bytes.extend(Frame::Join { protocol: PROTOCOL, seat: None }.encode());
    }
    for _ in 0..draws.below(30) {
        match draws.below(4) {
            0 => bytes.extend((0..draws.below(300)).map(|_| draws.bits() as u8)),
            _ => bytes.extend(mutated(&all[draws.below(all.len() as u64) as usize], &mut draws)),
        }
    }
    let _ = stream.write_all(&bytes);
    let _ = stream.read(&mut [0; 64]);
}

#[test]
fn rubbish_to_a_relay_changes_nothing_of_its_match() {
    let folder = Folder::new("pester");
    let plan = ["--units", "10", "--ticks", "600", "--rate", "150"];
    let mut relay = Running::start(&[&["relay"], &plan[..]].concat());
    let address = relay.address();
    let records: Vec<String> = (1..=4).map(|player| folder.file(&format!("{player}.replay"))).collect();
    let peers: Vec<Running> = (0..4)
        .map(|seat| {
            let seat_text = (seat + 1).to_string();
            Running::start(&["peer", &address, "--seat", &seat_text, "--record", &records[seat]])
        })
        .collect();
    // All four sit before the stranger connects.
    relay.line_with("the match begins");
    let pesters: Vec<_> = (0..4)
        .map(|thread| {
            let address = address.clone();
            thread::spawn(move || (0..60).for_each(|round| pester(&address, thread * 1_000 + round)))
        })
        .collect();
    let ended: Vec<(u8, String)> = peers.into_iter().map(Running::end).collect();
    pesters.into_iter().for_each(|thread| thread.join().unwrap());
    let (code, text) = relay.end();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("the match is over"), "{text}");
    assert!(text.contains("has ended: "), "rubbish is reported: {text}");
    let (_, alone) = rts(&[&["alone"], &plan[..]].concat());
    let checksum = alone.lines().find(|line| line.starts_with("checksum")).unwrap();
    for (code, text) in ended {
        assert!(code == 0 && text.contains(checksum), "{checksum}: {text}");
        assert_eq!(number(&text, "compared up to "), 600, "{text}");
    }
}

#[test]
fn terms_of_a_false_relay_are_looked_at() {
    let sound = terms(2, 50);
    for terms in
        [Terms { players: 9, ..sound }, Terms { units: u16::MAX, ..sound }, Terms { delay: 0, ..sound }]
    {
        let folder = Folder::new("terms");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let relay = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let begin = Frame::Begin { terms, seat: 0, seats: vec![0], has_state: false, coming: 1 };
            stream.write_all(&begin.encode()).unwrap();
            let _ = stream.read(&mut [0; 64]);
            stream
        });
        let outcome = Client::new(setup(address, &folder)).unwrap().run().unwrap();
        assert!(
            matches!(&outcome.ending, Ending::Broken(words) if words.contains("must be in")),
            "{outcome}"
        );
        drop(relay.join().unwrap());
    }
}

use super::*;
use crate::{
    geom::{Normal, Vec3},
    state::Locks,
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::rest::memory::Touch,
    },
};

const EFFORT: Effort = Effort { steps: 32, looks: 4_096, solved: 2, still: 64 };

/// How many movers there are; three islands of two contacts each, from 1 on.
const MOVERS: usize = 10;

/// What is asked for: how long to go on, and all that is known of contacts and movers.
#[derive(Clone)]
struct Question {
    effort: Effort,
    contacts: Vec<Contact>,
    touches: Vec<Touch>,
    masses: Vec<u32>,
    rates: Vec<[i64; 3]>,
    spins: Vec<[i64; 3]>,
    grounds: Vec<Option<[i64; 3]>>,
}

/// What the solve of a contact and of a mover comes to.
const fn solution(index: usize) -> [i64; 3] {
    let number = index as i64;
    [50_000 + number, 60_000 + number, 70_000 - number]
}

impl Question {
    /// Columns of three, each contact and body with numbers of its own.
    fn new() -> Self {
        let columns = [1, 4, 7_u32];
        let pairs: Vec<_> =
            columns.into_iter().flat_map(|low| [(low, low + 1), (low + 1, low + 2)]).collect();
        let numbers = |more: i64| move |index: usize| [0, 1, 2].map(|axis| more + 10 * index as i64 + axis);
        let movers = 0..MOVERS;
        Self {
            effort: EFFORT,
            contacts: (0..).zip(&pairs).map(|(index, &(low, high))| contact(index, low, high)).collect(),
            touches: (0..pairs.len() as i32).map(touch).collect(),
            masses: movers.clone().map(|index| 3 + index as u32).collect(),
            rates: movers.clone().map(numbers(1_000)).collect(),
            spins: movers.clone().map(numbers(2_000)).collect(),
            grounds: movers.map(|index| Some(numbers(3_000)(index))).collect(),
        }
    }

    fn tell(&self, rest: &mut Rest) {
        rest.contacts.clone_from(&self.contacts);
        rest.touches.clone_from(&self.touches);
        rest.masses.clone_from(&self.masses);
        rest.rates.clone_from(&self.rates);
        rest.spins.clone_from(&self.spins);
        rest.grounds.clone_from(&self.grounds);
        rest.first = vec![NONE; MOVERS];
    }

    /// Which contacts the memory has a solution of in the tick after; the others are solved and remembered.
    fn ask(&self, rest: &mut Rest) -> Vec<bool> {
        self.tell(rest);
        rest.recall(0, self.effort, Contact::wanted);
        let known: Vec<_> = rest.contacts.iter().map(|contact| contact.is_known).collect();
        rest.order_contacts();
        for index in (0..known.len()).filter(|&index| !known[index]) {
            let contact = &mut rest.contacts[index];
            contact.push = solution(index)[0];
            if let Some(touch) = rest.touches.get_mut(contact.touch as usize) {
                touch.rub = solution(index);
            }
            for mover in [contact.low_mover(), Some(contact.high)].into_iter().flatten() {
                rest.rates[mover as usize] = solution(mover as usize);
                rest.spins[mover as usize] = solution(100 + mover as usize);
            }
        }
        rest.remember(0);
        known
    }
}

fn contact(index: u32, low: u32, high: u32) -> Contact {
    let number = i64::from(index);
    Contact {
        rank: index,
        level: index % 2 == 0,
        high,
        low: Partner::Body(BodyIndex(low)),
        parts: [0; 2],
        normal: Normal::Y,
        offset: Vec3::ZERO,
        direction: [3, 4, 5].map(|c| c * (index as i32 + 1)),
        reach: 0,
        skin: 64,
        rest_gap: 1_000,
        room: 100 + number,
        slack: 0,
        steps: [[100, 200, 300], [400, 500, 600]].map(|step| step.map(|c| c + index as i32)),
        whole: 700 + i128::from(index),
        masses: 800 + number,
        load_q16: 0,
        push: 900 + number,
        forced: false,
        dropped: false,
        queued: false,
        is_known: false,
        touch: index,
        next: [NONE; 2],
    }
}

fn touch(index: i32) -> Touch {
    let number = i64::from(index);
    Touch {
        keeps: true,
        gap: 0,
        band: 0,
        arms_twice: [Vec3::ZERO; 2],
        levers: [[[index; 3]; 3]; 2],
        shares: [10 + number, 20 + number],
        locks: [Locks::NONE; 2],
        end: None,
        turns: [0; 2],
        friction_q16: 30 + index as u32,
        rub: [40, 50, 60].map(|c| c + number),
    }
}

/// A memory of the question.
fn memory_of(question: &Question) -> Rest {
    let mut rest = Rest::default();
    assert_eq!(question.ask(&mut rest), [false; 6], "nothing is known yet");
    rest
}

#[test]
fn who_asks_for_the_same_gets_the_solution_tick_after_tick() {
    let mut question = Question::new();
    let mut rest = memory_of(&question);
    for tick in 0..3 {
        assert_eq!(question.ask(&mut rest), [true; 6], "tick {tick}");
        for (index, contact) in rest.contacts.iter().enumerate() {
            assert_eq!((contact.push, rest.touches[index].rub), (solution(index)[0], solution(index)));
        }
        for mover in 1..MOVERS {
            assert_eq!([rest.rates[mover], rest.spins[mover]], [mover, 100 + mover].map(solution));
        }
        assert_eq!([rest.rates[0], rest.spins[0]], [question.rates[0], question.spins[0]]);
        // What is no part of the question: where a contact is listed, and how far apart its two are.
        for contact in &mut question.contacts {
            (contact.rank, contact.queued, contact.next) = (contact.rank + 9, true, [tick; 2]);
            contact.offset.x += crate::num::Scalar::DELTA;
        }
    }
    let mut others = question.clone();
    others.contacts.truncate(4);
    assert_eq!(others.ask(&mut rest), [true; 4]);
    assert_eq!(
        question.ask(&mut rest),
        [true, true, true, true, false, false],
        "a tick without it forgets it"
    );
}

/// The upper one of the middle column lies on one that it does not push, and that another contact does.
#[test]
fn where_an_island_depends_on_another_nothing_is_known() {
    let mut question = Question::new();
    let mut rest = memory_of(&question);
    question.contacts[3].steps[0] = [0; 3];
    for _ in 0..2 {
        assert_eq!(question.ask(&mut rest), [false; 6]);
    }
}

/// The solution of the middle island depends on each of these numbers, that of the others does not.
#[test]
fn who_asks_for_anything_else_is_solved_anew() {
    type Change = (&'static str, fn(&mut Question, usize));
    let of_contacts: [Change; 17] = [
        ("another upper one", |it, at| it.contacts[at].high = 3),
        ("another lower one", |it, at| it.contacts[at].low = Partner::Body(BodyIndex(0))),
        ("a static below", |it, at| it.contacts[at].low = Partner::Static(crate::state::StaticId(4))),
        ("another height", |it, at| it.contacts[at].level ^= true),
        ("another direction", |it, at| it.contacts[at].direction[at % 3] += 1),
        ("another lower step", |it, at| it.contacts[at].steps[0][at % 3] += 1),
        ("another upper step", |it, at| it.contacts[at].steps[1][at % 3] += 1),
        ("other masses", |it, at| it.contacts[at].masses += 1),
        ("another whole", |it, at| it.contacts[at].whole += 1),
        ("another room", |it, at| it.contacts[at].room += 1),
        ("another push", |it, at| it.contacts[at].push += 1),
        ("another lever", |it, at| it.touches[at].levers[at % 2][at % 3][2] += 1),
        ("another share", |it, at| it.touches[at].shares[at % 2] += 1),
        ("another lock", |it, at| it.touches[at].locks[at % 2] = Locks::X),
        ("other friction", |it, at| it.touches[at].friction_q16 += 1),
        ("another rub", |it, at| it.touches[at].rub[at % 3] += 1),
        ("no point", |it, at| it.contacts[at].touch = NONE),
    ];
    let of_movers: [Change; 5] = [
        ("another mass", |it, at| it.masses[at + 2] += 1),
        ("another velocity", |it, at| it.rates[at + 2][at % 3] += 1),
        ("another turning", |it, at| it.spins[at + 2][at % 3] += 1),
        ("other ground", |it, at| it.grounds[at + 2] = Some([1; 3])),
        ("no ground", |it, at| it.grounds[at + 2] = None),
    ];
    let question = Question::new();
    let contacts = of_contacts.into_iter().map(|change| (change, 2..4));
    for ((what, change), places) in contacts.chain(of_movers.into_iter().map(|change| (change, 2..5))) {
        for at in places {
            let mut other = question.clone();
            change(&mut other, at);
            let known = other.ask(&mut memory_of(&question));
            // "another lower one" or upper one takes it apart or joins it with its neighbour.
            assert!(!known[at.min(3)], "{what}, {at}");
            assert!(known[4] && known[5], "{what}, {at}: the last island");
        }
    }
    let efforts: [Change; 4] = [
        ("more steps", |it, _| it.effort.steps += 1),
        ("more looks", |it, _| it.effort.looks += 1),
        ("nearer to the solution", |it, _| it.effort.solved -= 1),
        ("another bound of stillness", |it, _| it.effort.still += 1),
    ];
    for (what, change) in efforts {
        let mut other = question.clone();
        change(&mut other, 0);
        assert_eq!(other.ask(&mut memory_of(&question)), [false; 6], "{what}");
    }
    let mut fewer = question.clone();
    fewer.contacts.truncate(5);
    assert_eq!(fewer.ask(&mut memory_of(&question)), [true, true, true, true, false]);
    let mut more = question.clone();
    more.contacts.push(Contact { touch: 5, ..more.contacts[5] });
    assert_eq!(more.ask(&mut memory_of(&question)), [true, true, true, true, false, false, false]);
}

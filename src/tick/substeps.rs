//! One report of a tick that is played in several steps.
//!
//! From outside it is one tick: instants are those of the tick, sums are over all steps, and a body that
//! several steps list is listed once. A contact that ends and begins at one instant, at the boundary of two
//! steps, gives no event.

use super::{ContactEvent, ContactImpulse, EventKind, Removed, TickReport, report::Impact};
use crate::{geom::Vec3, num::Toi};

impl TickReport {
    /// Adds the report of one of several steps, in their order.
    pub(super) fn add_step(&mut self, step: &Self, index: u8, steps: u8) {
        let Self {
            tick: _, outcomes: _, impacts, impact_limited: held, tick_halted, velocity_corrected, ..
        } = step;
        let Self { out_of_bounds, blocked, reverted, removed, woke, fell_asleep, .. } = step;
        let Self { overlapping, unresolved, speed_clamped, ledger, angular, .. } = step;
        let Self { events_listed, events, impulses, events_cut, .. } = step;
        let at = |toi: Toi| of_tick(toi, index, steps);
        self.impacts.extend(impacts.iter().map(|impact| Impact { toi: at(impact.toi), ..*impact }));
        self.tick_halted = self.tick_halted.or(tick_halted.map(at));
        for (all, more) in [
            (&mut self.impact_limited, held),
            (&mut self.velocity_corrected, velocity_corrected),
            (&mut self.out_of_bounds, out_of_bounds),
            (&mut self.reverted, reverted),
            (&mut self.woke, woke),
            (&mut self.fell_asleep, fell_asleep),
        ] {
            all.extend(more);
        }
        self.blocked.extend(blocked);
        self.removed.extend(removed.iter().map(|removed| Removed { toi: at(removed.toi), ..*removed }));
        if index == 0 {
            self.overlapping = *overlapping;
        }
        self.unresolved += unresolved;
        self.speed_clamped += speed_clamped;
        self.ledger.add_step(ledger);
        self.angular.add_step(angular);
        self.events_listed |= events_listed;
        for event in events {
            self.add_event(ContactEvent { toi: at(event.toi), ..*event });
        }
        self.impulses.extend(impulses);
        self.events_cut |= events_cut;
    }

    /// Adds an event of a step, or removes the event that it cancels at the same instant.
    fn add_event(&mut self, event: ContactEvent) {
        let ended = match event.kind {
            EventKind::Begin => Some(EventKind::End),
            EventKind::Enter => Some(EventKind::Exit),
            _ => None,
        };
        let now = self.events.partition_point(|before| before.toi < event.toi);
        let same = |before: &ContactEvent| {
            ended == Some(before.kind)
                && (before.a, before.b, before.children) == (event.a, event.b, event.children)
        };
        match self.events[now..].iter().position(same) {
            Some(index) => {
                self.events.remove(now + index);
            }
            None => self.events.push(event),
        }
    }

    /// Sorts the lists of all steps, and removes duplicates.
    pub(super) fn end_steps(&mut self) {
        self.sort();
        for list in [
            &mut self.impact_limited,
            &mut self.velocity_corrected,
            &mut self.out_of_bounds,
            &mut self.reverted,
            &mut self.woke,
            &mut self.fell_asleep,
        ] {
            list.sort_unstable();
            list.dedup();
        }
        self.blocked.dedup();
        if self.events_cut {
            self.events.retain(|event| event.kind == EventKind::Hit);
        }
        self.number_events();
        self.sum_impulses();
    }

    /// Sorts the events, and numbers equal ones of one instant.
    fn number_events(&mut self) {
        self.events.iter_mut().for_each(|event| event.repeat = 0);
        self.events.sort_unstable();
        for next in 1..self.events.len() {
            let (before, event) = (self.events[next - 1], &mut self.events[next]);
            if (ContactEvent { repeat: 0, ..before }) == *event {
                event.repeat = before.repeat + 1;
            }
        }
    }

    /// Sums the impulses of each pair over the steps.
    fn sum_impulses(&mut self) {
        self.impulses.sort_by_key(|given| (given.a, given.b));
        self.impulses.dedup_by(|next, sum| {
            let is_same = (next.a, next.b) == (sum.a, sum.b);
            if is_same {
                *sum = ContactImpulse { impulse: added(sum.impulse, next.impulse), ..*sum };
            }
            is_same
        });
    }
}

/// The instant of a tick at an instant of one of its steps, rounded down.
fn of_tick(toi: Toi, index: u8, steps: u8) -> Toi {
    let whole = u64::from(index) * Toi::END.raw() + toi.raw();
    Toi::from_raw(whole / u64::from(steps)).unwrap_or(Toi::END)
}

/// The sum of two impulses, clamped to the range of an impulse on each axis.
fn added(a: Vec3, b: Vec3) -> Vec3 {
    let [a, b] = [a, b].map(Vec3::raw);
    Vec3::from_raw([0, 1, 2].map(|axis: usize| a[axis].saturating_add(b[axis]).max(-i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        state::{BodyId, Collider, StaticId},
        tick::Blocked,
    };

    const BODY: BodyId = BodyId::from_parts(3, 1);

    /// The merged events of one body and one static in two steps: kinds, and instants in halves of the tick.
    fn merged(steps: [&[(EventKind, u64)]; 2]) -> Vec<(EventKind, u64, u32)> {
        let mut report = TickReport::default();
        for (index, events) in (0..).zip(steps) {
            let events = events.iter().enumerate().map(|(place, &(kind, half))| {
                let toi = Toi::from_raw(half << 31).unwrap();
                let b = Collider::Static(StaticId(7));
                // Each step has numbered its own events.
                let repeat = events[..place].iter().filter(|before| **before == (kind, half)).count() as u32;
                ContactEvent { tick: 1, toi, kind, a: BODY, b, children: [0; 2], repeat }
            });
            let step = TickReport { events: events.collect(), ..TickReport::default() };
            report.add_step(&step, index, 2);
        }
        report.end_steps();
        report.events.iter().map(|event| (event.kind, event.toi.raw() >> 30, event.repeat)).collect()
    }

    #[test]
    fn an_end_and_a_begin_of_one_instant_cancel() {
        use EventKind::{Begin, End, Enter, Exit, Hit};
        assert_eq!(merged([&[(End, 2)], &[(Begin, 0), (End, 1)]]), [(End, 3, 0)]);
        assert_eq!(merged([&[(Enter, 0), (Exit, 2)], &[(Enter, 0)]]), [(Enter, 0, 0)]);
        assert_eq!(merged([&[(Begin, 2)], &[(End, 0)]]), [(Begin, 2, 0), (End, 2, 0)]);
        assert_eq!(merged([&[(End, 1)], &[(Begin, 0)]]), [(End, 1, 0), (Begin, 2, 0)]);
        assert_eq!(merged([&[(Hit, 2)], &[(Hit, 0), (Hit, 1)]]), [(Hit, 2, 0), (Hit, 2, 1), (Hit, 3, 0)]);
        let twice = [0, 1, 2, 3].map(|repeat| (Hit, 2, repeat));
        assert_eq!(merged([&[(Hit, 2), (Hit, 2)], &[(Hit, 0), (Hit, 0)]]), twice);
    }

    #[test]
    fn a_body_listed_twice_is_listed_once() {
        let body = |slot| BodyId::from_parts(slot, 0);
        let with = |slots: &[u32], more: u32| slots.iter().map(|slot| body(slot + more)).collect::<Vec<_>>();
        let blocked =
            |slots: &[u32]| with(slots, 0).into_iter().map(|body| Blocked { body, by: BODY }).collect();
        let removed = |slot, raw| {
            let toi = Toi::from_raw(raw).unwrap();
            Removed { body: body(slot), toi, by: Collider::Body(BODY), user: 0 }
        };
        let mut report = TickReport::default();
        for (index, (slots, overlapping)) in [(&[4, 9][..], 3), (&[1, 9], 5)].into_iter().enumerate() {
            let step = TickReport {
                impact_limited: with(slots, 0),
                velocity_corrected: with(slots, 10),
                out_of_bounds: with(slots, 20),
                reverted: with(slots, 30),
                woke: with(slots, 40),
                fell_asleep: with(slots, 50),
                blocked: blocked(slots),
                removed: vec![removed(slots[0], 1 << 31)],
                tick_halted: Toi::from_raw(1 << 31),
                overlapping,
                unresolved: 2,
                speed_clamped: 7,
                ..TickReport::default()
            };
            report.add_step(&step, index as u8, 2);
        }
        report.end_steps();
        assert_eq!(report.blocked, blocked(&[1, 4, 9]));
        assert_eq!(report.removed, [removed(1, 3 << 30), removed(4, 1 << 30)]);
        let TickReport {
            impact_limited: held,
            velocity_corrected,
            out_of_bounds,
            reverted,
            woke,
            fell_asleep,
            ..
        } = report;
        for (list, more) in [held, velocity_corrected, out_of_bounds, reverted, woke, fell_asleep]
            .into_iter()
            .zip([0, 10, 20, 30, 40, 50])
        {
            assert_eq!(list, with(&[1, 4, 9], more));
        }
        assert_eq!((report.overlapping, report.unresolved, report.speed_clamped), (3, 4, 14));
        assert_eq!(report.tick_halted, Toi::from_raw(1 << 30));
    }

    #[test]
    fn hits_of_one_substep_are_hits_of_the_tick() {
        let told = |cut: [bool; 2]| {
            let mut report = TickReport::default();
            for (index, events_cut) in (0..).zip(cut) {
                let toi = Toi::START;
                let event = ContactEvent {
                    tick: 1,
                    toi,
                    kind: EventKind::Begin,
                    a: BODY,
                    b: Collider::Static(StaticId(7)),
                    children: [0; 2],
                    repeat: 0,
                };
                let events = vec![event, ContactEvent { kind: EventKind::Hit, ..event }];
                let step = TickReport { events, events_cut, ..TickReport::default() };
                report.add_step(&step, index, 2);
            }
            report.end_steps();
            (report.events.len(), report.events_cut)
        };
        assert_eq!([[false; 2], [true, false], [false, true]].map(told), [(4, false), (2, true), (2, true)]);
    }

    #[test]
    fn instants_keep_their_order_and_both_ends() {
        for steps in 1..=16_u8 {
            let ends =
                [0, steps - 1].map(|index| [Toi::START, Toi::END].map(|toi| of_tick(toi, index, steps)));
            assert_eq!((ends[0][0], ends[1][1]), (Toi::START, Toi::END));
            let inner: Vec<Toi> = (0..steps)
                .flat_map(|index| [0, 1, 1 << 31, 1 << 32].map(|raw| (raw, index)))
                .map(|(raw, index)| of_tick(Toi::from_raw(raw).unwrap(), index, steps))
                .collect();
            assert!(inner.is_sorted());
        }
    }
}

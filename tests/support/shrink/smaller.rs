//! Reduction of a script, as long as it breaks the same law.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

use super::{Laws, Script, simpler::simpler};

/// How many scripts are played at most to find a smaller one.
const TRIES: usize = 4_000;

/// The failure of a law.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The message of the panic.
    pub message: String,
}

impl Failure {
    /// The same law: the first line without its numbers.
    fn kind(&self) -> String {
        let line = self.message.lines().next().unwrap_or_default();
        line.split(|letter: char| letter.is_ascii_digit()).collect()
    }
}

/// The failure of a script, if it has one.
pub fn failure(script: &Script, laws: Laws) -> Option<Failure> {
    quietly(|| laws(script)).err().map(|message| Failure { message })
}

thread_local! {
    /// True if the panics of this thread are expected.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The message of a panic, without printing it.
pub fn quietly(act: impl FnOnce()) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info)
            }
        }));
    });
    let was = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(act));
    QUIET.set(was);
    result.map_err(|payload| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast_ref::<&str>().map_or("a panic", |text| text).to_owned(),
    })
}

/// The smallest script found that breaks the same law, and its failure; `None` if none is broken.
pub fn shrink(script: &Script, laws: Laws) -> Option<(Script, Failure)> {
    let found = failure(script, laws)?;
    let mut search = Search { best: script.clone(), kind: found.kind(), failure: found, laws, tries: TRIES };
    search.shorten();
    let mut before = None;
    while before.as_ref() != Some(&search.best.ticks) && search.tries > 0 {
        before = Some(search.best.ticks.clone());
        search.drop_ticks();
        search.drop_bodies();
        search.drop_commands();
        search.join_ticks();
        search.simplify();
    }
    Some((search.best, search.failure))
}

struct Search<'a> {
    best: Script,
    kind: String,
    failure: Failure,
    laws: Laws<'a>,
    tries: usize,
}

impl Search<'_> {
    /// Takes a script if it breaks the same law.
    fn takes(&mut self, script: Script) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        match failure(&script, self.laws).filter(|found| found.kind() == self.kind) {
            Some(found) => (self.best, self.failure) = (script, found),
            None => return false,
        }
        true
    }

    /// Ends with the tick that breaks the law: the ticks before it do not depend on later ones.
    fn shorten(&mut self) {
        let (mut holds, mut breaks) = (0, self.best.ticks.len());
        while holds + 1 < breaks {
            let middle = holds.midpoint(breaks);
            let mut script = self.best.clone();
            script.ticks.truncate(middle);
            if self.takes(script) { breaks = middle } else { holds = middle }
        }
    }

    /// Leaves out runs of ticks, from long to short, or at least their commands.
    fn drop_ticks(&mut self) {
        self.in_runs(
            |script| script.ticks.len(),
            |script, start, end| {
                script.ticks.drain(start..end);
            },
        );
        self.in_runs(
            |script| script.ticks.len(),
            |script, start, end| {
                script.ticks[start..end].iter_mut().for_each(Vec::clear);
            },
        );
    }

    /// Leaves out bodies with all their commands.
    fn drop_bodies(&mut self) {
        let bodies = |script: &Script| {
            let mut bodies: Vec<_> = script.ticks.iter().flatten().filter_map(|order| order.body).collect();
            bodies.sort_unstable();
            bodies.dedup();
            bodies
        };
        self.in_runs(
            |script| bodies(script).len(),
            |script, start, end| {
                let gone = bodies(script)[start..end].to_vec();
                let stays = |body: &usize| !gone.contains(body);
                let keep = |order: &super::Order| order.body.as_ref().is_none_or(stays);
                script.ticks.iter_mut().for_each(|orders| orders.retain(keep));
            },
        );
    }

    /// Moves the commands of a tick into the one before it.
    fn join_ticks(&mut self) {
        for tick in (1..self.best.ticks.len()).rev() {
            let mut script = self.best.clone();
            let orders = script.ticks.remove(tick);
            script.ticks[tick - 1].extend(orders);
            self.takes(script);
        }
    }

    fn drop_commands(&mut self) {
        self.in_runs(Script::commands, |script, start, end| {
            let mut numbers = 0..;
            let mut keep = |_: &super::Order| numbers.next().is_none_or(|at| !(start..end).contains(&at));
            script.ticks.iter_mut().for_each(|orders| orders.retain(&mut keep));
        });
    }

    /// Drops runs of counted items: first all, then halves, down to single ones.
    fn in_runs(&mut self, count: impl Fn(&Script) -> usize, drop: impl Fn(&mut Script, usize, usize)) {
        let mut length = count(&self.best);
        while length > 0 {
            let mut start = 0;
            while start < count(&self.best) {
                let mut script = self.best.clone();
                drop(&mut script, start, (start + length).min(count(&self.best)));
                let changed = script.ticks != self.best.ticks;
                if !(changed && self.takes(script)) {
                    start += length;
                } else if count(&self.best) == 0 {
                    return;
                }
            }
            length /= 2;
        }
    }

    /// Halves, rounds and clears the values of each command.
    fn simplify(&mut self) {
        for tick in 0..self.best.ticks.len() {
            for place in 0..self.best.ticks[tick].len() {
                let mut taken = true;
                while taken {
                    let candidates = simpler(&self.best.ticks[tick][place].command);
                    taken = candidates.into_iter().any(|command| {
                        let mut script = self.best.clone();
                        script.ticks[tick][place].command = command;
                        self.takes(script)
                    });
                }
            }
        }
    }
}

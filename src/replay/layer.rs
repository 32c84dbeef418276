//! The trace layer: the course of a tick, as bytes.
//!
//! The first phase is written whole and each other as its difference from the one before, so that a layer is
//! read without any other record. Every byte of a state is written in it, or copied from the phase before.
//! The total size of all states is bounded by [`states_max`].

use super::{
    Fault, ReplayError,
    varint::{self, NoNumber},
};
use crate::{
    session::{LoggedCommand, LoggedDraw, Origin, PhaseState, TickLog},
    snapshot::{decode_commands, encode_command_into},
};

/// The most phases of a tick, the game's marks among them.
pub const PHASES_MAX: usize = 256;

/// The longest name of a phase or of a file, in bytes.
pub const NAME_BYTES_MAX: usize = 255;

/// Largest total size of the states of a layer of a given size.
const fn states_max(layer_bytes: usize) -> u64 {
    (64 << 20) + 16 * layer_bytes as u64
}

/// The content of the phases.
const SUMS: u8 = 1;
const STATES: u8 = 2;

/// A run of equal bytes below this length is written again: a copy instruction takes as many bytes.
const COPY_MIN: usize = 4;

/// Appends the bytes of a log.
///
/// The front of a file's name beyond [`NAME_BYTES_MAX`] is left out.
///
/// # Errors
///
/// If there are more than [`PHASES_MAX`] phases, one has a longer name, or the total size of the states is
/// more than 64 MiB and sixteen times the written size.
pub fn encode_log_into(log: &TickLog, bytes: &mut Vec<u8>) -> Result<(), ReplayError> {
    append(log, bytes).map_err(ReplayError::Layer)
}

fn append(log: &TickLog, bytes: &mut Vec<u8>) -> Result<(), Fault> {
    check_limit("phases", log.phases.len() as u64, PHASES_MAX as u64)?;
    for phase in &log.phases {
        check_limit("bytes in the name of a phase", phase.name.len() as u64, NAME_BYTES_MAX as u64)?;
    }
    let (files, begin) = (files(log), bytes.len());
    varint::put(log.tick, bytes);
    bytes.push(if log.keeps_states() { STATES } else { SUMS });
    put_count(files.len(), bytes);
    files.iter().for_each(|file| put_text(file, bytes));
    put_count(log.commands.len(), bytes);
    for LoggedCommand { command, origin } in &log.commands {
        encode_command_into(command, bytes);
        put_origin(origin.as_ref(), &files, bytes);
    }
    put_count(log.draws.len(), bytes);
    for LoggedDraw { purpose, id, origin } in &log.draws {
        varint::put(*purpose, bytes);
        varint::put(*id, bytes);
        put_origin(origin.as_ref(), &files, bytes);
    }
    put_count(log.phases.len(), bytes);
    let (mut world, mut game): (&[u8], &[u8]) = (&[], &[]);
    for phase in &log.phases {
        put_text(&phase.name, bytes);
        if log.keeps_states() {
            put_delta(world, &phase.world, bytes);
            put_delta(game, &phase.game, bytes);
            (world, game) = (&phase.world, &phase.game);
        } else {
            bytes.extend(phase.sum.to_le_bytes());
        }
    }
    let states: u64 = log.phases.iter().map(|phase| (phase.world.len() + phase.game.len()) as u64).sum();
    check_limit("bytes of states", states, states_max(bytes.len() - begin))
}

fn check_limit(field: &'static str, value: u64, limit: u64) -> Result<(), Fault> {
    if value > limit { Err(Fault::LayerLimit { field, value, limit }) } else { Ok(()) }
}

/// Reads what [`encode_log_into`] wrote.
///
/// # Errors
///
/// If the bytes are not such a log. Memory is bounded by a multiple of the bytes given.
pub fn decode_log(bytes: &[u8]) -> Result<TickLog, ReplayError> {
    read(bytes).map_err(ReplayError::Layer)
}

/// Reads a log as [`decode_log`] does.
pub(super) fn read(bytes: &[u8]) -> Result<TickLog, Fault> {
    let mut reader = Reader { rest: bytes, states: 0, states_max: states_max(bytes.len()) };
    let tick = reader.number()?;
    let mut log = match reader.byte()? {
        SUMS => TickLog::sums(),
        STATES => TickLog::states(),
        other => return refuse(format!("kind {other} is unknown")),
    };
    log.tick = tick;
    let files = reader.row(Reader::text)?;
    log.commands = reader.row(|reader| reader.command(&files))?;
    log.draws = reader.row(|reader| reader.draw(&files))?;
    let count = reader.number()?;
    check_limit("phases", count, PHASES_MAX as u64)?;
    for _ in 0..count {
        let phase = reader.phase(log.keeps_states(), log.phases.last())?;
        log.phases.push(phase);
    }
    if reader.rest.is_empty() { Ok(log) } else { refuse(format!("{} bytes too many", reader.rest.len())) }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Layer(reason.into()))
}

/// The names of the source files of commands and draws, each once, in the order in which they appear.
fn files(log: &TickLog) -> Vec<&str> {
    let commands = log.commands.iter().map(|command| &command.origin);
    let draws = log.draws.iter().map(|draw| &draw.origin);
    let mut files = Vec::new();
    for origin in commands.chain(draws).flatten() {
        let file = end_of(&origin.file);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The end of a name, short enough to be written.
fn end_of(name: &str) -> &str {
    let mut from = name.len().saturating_sub(NAME_BYTES_MAX);
    while !name.is_char_boundary(from) {
        from += 1;
    }
    &name[from..]
}

fn put_count(count: usize, bytes: &mut Vec<u8>) {
    varint::put(count as u64, bytes);
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    put_count(text.len(), bytes);
    bytes.extend(text.as_bytes());
}

/// 0 for none; otherwise one more than the number of the file, and the line.
fn put_origin(origin: Option<&Origin>, files: &[&str], bytes: &mut Vec<u8>) {
    let Some(Origin { file, line }) = origin else { return bytes.push(0) };
    let number = files.iter().position(|name| *name == end_of(file)).expect("every file is in the list");
    put_count(number + 1, bytes);
    varint::put((*line).into(), bytes);
}

/// Writes a length, then in turn the number of bytes copied from before and the number of bytes that follow
/// here.
fn put_delta(before: &[u8], after: &[u8], bytes: &mut Vec<u8>) {
    put_count(after.len(), bytes);
    let equal = |at: usize| before.get(at).is_some_and(|byte| *byte == after[at]);
    let mut at = 0;
    while at < after.len() {
        let copied = (at..after.len()).take_while(|at| equal(*at)).count();
        at += copied;
        let from = at;
        while at < after.len() && !(0..COPY_MIN).all(|ahead| at + ahead < after.len() && equal(at + ahead)) {
            at += 1;
        }
        put_count(copied, bytes);
        put_count(at - from, bytes);
        bytes.extend(&after[from..at]);
    }
}

/// The unread part of a layer.
struct Reader<'a> {
    rest: &'a [u8],
    /// Total size of the states so far, and its limit.
    states: u64,
    states_max: u64,
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u64, Fault> {
        varint::take(&mut self.rest).map_err(|error| {
            Fault::Layer(match error {
                NoNumber::Short => "the bytes end inside a number".to_owned(),
                NoNumber::Malformed => "a number is malformed".to_owned(),
            })
        })
    }

    fn bytes(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let split = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((taken, rest)) = split else {
            return refuse(format!("{count} bytes are announced, {} are left", self.rest.len()));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn text(&mut self) -> Result<String, Fault> {
        let length = self.number()?;
        check_limit("bytes in a name", length, NAME_BYTES_MAX as u64)?;
        let bytes = self.bytes(length)?;
        let name =
            String::from_utf8(bytes.to_vec()).map_err(|_| Fault::Layer("a name is not UTF-8".to_owned()))?;
        // A name is printed unescaped, and may come from a stranger.
        if name.chars().any(char::is_control) {
            return refuse(format!("a name holds what cannot be printed: {name:?}"));
        }
        Ok(name)
    }

    /// A count, then so many entries; no entry has size zero.
    fn row<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        let count = self.number()?;
        let mut row = Vec::new();
        for _ in 0..count {
            row.push(entry(self)?);
        }
        Ok(row)
    }

    fn origin(&mut self, files: &[String]) -> Result<Option<Origin>, Fault> {
        let Some(number) = self.number()?.checked_sub(1) else { return Ok(None) };
        let file = usize::try_from(number).ok().and_then(|number| files.get(number));
        let Some(file) = file else { return refuse(format!("file {number} is not in the list")) };
        let line = self.number()?;
        let line = u32::try_from(line).map_err(|_| Fault::Layer(format!("line {line} is beyond 32 bits")))?;
        Ok(Some(Origin { file: file.clone(), line }))
    }

    fn command(&mut self, files: &[String]) -> Result<LoggedCommand, Fault> {
        let Some(&[_, length]) = self.rest.first_chunk() else {
            return refuse("the bytes end inside a command");
        };
        let bytes = self.bytes(2 + u64::from(length))?;
        let mut commands = decode_commands(bytes).map_err(|error| Fault::Layer(error.to_string()))?;
        let Some(command) = commands.pop() else { return refuse("a command is missing") };
        Ok(LoggedCommand { command, origin: self.origin(files)? })
    }

    fn draw(&mut self, files: &[String]) -> Result<LoggedDraw, Fault> {
        Ok(LoggedDraw { purpose: self.number()?, id: self.number()?, origin: self.origin(files)? })
    }

    fn phase(&mut self, is_whole: bool, before: Option<&PhaseState>) -> Result<PhaseState, Fault> {
        let name = self.text()?;
        if !is_whole {
            let mut sum = [0; 8];
            sum.copy_from_slice(self.bytes(8)?);
            let sum = u64::from_le_bytes(sum);
            return Ok(PhaseState { name, sum, world: Vec::new(), game: Vec::new() });
        }
        let world = self.delta(before.map_or(&[], |before| &before.world))?;
        let game = self.delta(before.map_or(&[], |before| &before.game))?;
        Ok(PhaseState::of(name, world, game))
    }

    fn delta(&mut self, before: &[u8]) -> Result<Vec<u8>, Fault> {
        let length = self.number()?;
        self.states = self.states.saturating_add(length);
        check_limit("bytes of states", self.states, self.states_max)?;
        let mut after = Vec::new();
        while (after.len() as u64) < length {
            let copied = self.number()?;
            let end = usize::try_from(copied).ok().and_then(|copied| after.len().checked_add(copied));
            let Some(part) = end.and_then(|end| before.get(after.len()..end)) else {
                return refuse(format!("{copied} bytes are to be copied beyond the phase before"));
            };
            after.extend(part);
            let written = self.number()?;
            if copied == 0 && written == 0 {
                return refuse("a state does not go on");
            }
            after.extend(self.bytes(written)?);
        }
        if after.len() as u64 == length { Ok(after) } else { refuse("a state is longer than it says") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_between_states_are_the_table() {
        // The length; then in turn how many bytes are copied, how many follow, and these.
        let table: [(&[u8], &[u8], &[u8]); 7] = [
            (&[], &[], &[0]),
            (&[], &[1, 2], &[2, 0, 2, 1, 2]),
            (&[1, 2, 3], &[1, 2, 3], &[3, 3, 0]),
            (&[1, 2, 3], &[1, 2], &[2, 2, 0]),
            // Three equal bytes at the end of a state that was longer are written again, four are copied.
            (&[1, 2, 3, 4, 5], &[9, 2, 3, 4], &[4, 0, 4, 9, 2, 3, 4]),
            (&[1, 2, 3, 4, 5], &[9, 2, 3, 4, 5], &[5, 0, 1, 9, 4, 0]),
            (&[1, 2, 3, 4, 5, 6, 7], &[9, 2, 3, 4, 5, 8], &[6, 0, 1, 9, 4, 1, 8]),
        ];
        for (before, after, expected) in table {
            let mut bytes = Vec::new();
            put_delta(before, after, &mut bytes);
            assert_eq!(bytes, expected, "{before:?} to {after:?}");
            let mut reader = Reader { rest: &bytes, states: 0, states_max: 99 };
            assert_eq!(reader.delta(before), Ok(after.to_vec()));
            assert_eq!((reader.rest, reader.states), (&[][..], after.len() as u64));
        }
    }

    #[test]
    fn long_names_lose_their_front_by_whole_characters() {
        // 255 bytes begin in the middle of a letter of two.
        assert_eq!(end_of(&"é".repeat(200)), "é".repeat(127));
        assert_eq!(end_of(&"e".repeat(300)), "e".repeat(255));
        assert_eq!(end_of("orders.rs"), "orders.rs");
    }
}

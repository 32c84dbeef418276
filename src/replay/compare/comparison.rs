//! The result of a comparison of two runs.

use std::fmt;

use crate::{
    session::{LoggedCommand, LoggedDraw},
    snapshot::Difference,
};

/// The differences of two runs, as far as they can be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The verdict.
    pub judgement: Judgement,
    /// The number of the first tick that differs, counted as the states count; `None` where no tick does.
    pub tick: Option<u64>,
    /// The first phase or mark of that tick after which the runs differ; `None` where only later states are
    /// known, or nothing of them.
    pub phase: Option<String>,
    /// The first field that differs, left and right.
    pub difference: Option<Difference>,
    /// The number of the tick after which the fields have these values; `None` where they are those after the phase, or where
    /// no later state is known.
    pub values_at: Option<u64>,
    /// The other fields that differ at the same place.
    pub further: Vec<Difference>,
    /// The inputs of the tick, left and right, in their debug form.
    pub inputs: [Vec<String>; 2],
    /// The commands of the tick, left and right, where they are known.
    pub commands: [Vec<LoggedCommand>; 2],
    /// The random draws of the tick, left and right, where they are known.
    pub draws: [Vec<LoggedDraw>; 2],
    /// The side that agrees with another run of that tick by this build.
    pub rerun: Agreement,
    /// Notes on the known and the unknown, in sentences.
    pub notes: Vec<String>,
}

/// The verdict of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// No difference in the ticks that both recordings have.
    Same,
    /// The recordings are not of the same thing: rules, scenery, limits or the state at the beginning.
    Content,
    /// A tick was given other inputs.
    Inputs,
    /// The game's own state is the first thing that differs, or the commands that it gave.
    GameState,
    /// The world of bodies is the first thing that differs, under the same commands.
    Physics,
    /// The recorded tick does not come out here, or not twice: there is no second side to compare it with.
    NotReproducible,
}

/// The side with which another run of a tick, from the state before it, agrees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Agreement {
    /// The tick agrees with both.
    Both,
    /// The tick agrees with the left one only.
    Left,
    /// The tick agrees with the right one only.
    Right,
    /// The tick agrees with neither.
    Neither,
    /// Not even with itself: two runs of the tick differ.
    NotWithItself,
    /// The tick was not played: the state before it is not known, or it is of other rules.
    Unknown,
}

impl Comparison {
    /// No difference so far.
    pub(super) const fn same() -> Self {
        Self {
            judgement: Judgement::Same,
            tick: None,
            phase: None,
            difference: None,
            values_at: None,
            further: Vec::new(),
            inputs: [Vec::new(), Vec::new()],
            commands: [Vec::new(), Vec::new()],
            draws: [Vec::new(), Vec::new()],
            rerun: Agreement::Unknown,
            notes: Vec::new(),
        }
    }

    /// The two are not of the same thing.
    pub(super) fn content(differences: Vec<Difference>) -> Self {
        let mut comparison = Self { judgement: Judgement::Content, ..Self::same() };
        comparison.put(differences);
        comparison
    }

    /// All fields that differ there, the first one first.
    pub fn fields(&self) -> impl Iterator<Item = &Difference> {
        self.difference.iter().chain(&self.further)
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds the fields that differ: those of the game come first, since the world follows the game.
    pub(super) fn put(&mut self, differences: Vec<Difference>) {
        let (game, world): (Vec<_>, Vec<_>) =
            differences.into_iter().partition(|field| is_of_the_game(&field.path));
        let mut all = game.into_iter().chain(world);
        self.difference = all.next();
        self.further = all.collect();
    }
}

/// True if a path leads into the game's part of a session.
pub(super) fn is_of_the_game(path: &str) -> bool {
    path == "game" || ["game.", "game[", "session."].iter().any(|begin| path.starts_with(begin))
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "no difference",
            Self::Content => "content differs",
            Self::Inputs => "inputs differ",
            Self::GameState => "game state",
            Self::Physics => "physics",
            Self::NotReproducible => "not reproducible here",
        })
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "another run here agrees with both",
            Self::Left => "another run here agrees with the left",
            Self::Right => "another run here agrees with the right",
            Self::Neither => "another run here agrees with neither",
            Self::NotWithItself => "two runs here do not agree with each other",
            Self::Unknown => "no other run here to compare with",
        })
    }
}

/// Number of fields and inputs that are listed in full.
const SPELLED: usize = 8;

impl fmt::Display for Comparison {
    /// The verdict in the first line, the place and the values in the second, then what belongs to the tick.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.judgement)?;
        self.place(f)?;
        self.further.iter().take(SPELLED).try_for_each(|field| writeln!(f, "  also {field}"))?;
        if self.further.len() > SPELLED {
            writeln!(f, "  and {} more fields", self.further.len() - SPELLED)?;
        }
        if self.tick.is_some() {
            self.given(f)?;
            writeln!(f, "  {}", self.rerun)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}

impl Comparison {
    fn place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, phase, difference, .. } = self;
        match (tick, phase) {
            (Some(tick), Some(phase)) => write!(f, "tick {tick}, after {phase}")?,
            (Some(tick), None) => write!(f, "tick {tick}")?,
            (None, _) if difference.is_none() => return Ok(()),
            (None, _) => write!(f, "before the first tick")?,
        }
        match difference {
            Some(difference) => writeln!(f, ": {difference}"),
            None => writeln!(f),
        }
    }

    /// Writes the inputs of the tick.
    fn given(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides: &[&str] = if self.inputs[0] == self.inputs[1] { &[""] } else { &[" left", " right"] };
        for (side, inputs) in sides.iter().zip(&self.inputs) {
            inputs
                .iter()
                .enumerate()
                .take(SPELLED)
                .try_for_each(|(index, input)| writeln!(f, "  input {index}{side}: {input}"))?;
            if inputs.len() > SPELLED {
                writeln!(f, "  and {} more inputs", inputs.len() - SPELLED)?;
            }
        }
        let [left, right] = &self.commands;
        let same = left.iter().zip(right).take_while(|(a, b)| a.command == b.command).count();
        for (side, commands) in ["left", "right"].iter().zip(&self.commands) {
            if let Some(LoggedCommand { command, origin }) = commands.get(same) {
                writeln!(f, "  command {same} {side}: {command:?}{}", from(origin.as_ref()))?;
            }
        }
        let [left, right] = &self.draws;
        let drawn = |a: &LoggedDraw, b: &LoggedDraw| (a.purpose, a.id) == (b.purpose, b.id);
        let same = left.iter().zip(right).take_while(|(a, b)| drawn(a, b)).count();
        for (side, draws) in ["left", "right"].iter().zip(&self.draws) {
            if let Some(LoggedDraw { purpose, id, origin }) = draws.get(same) {
                let place = from(origin.as_ref());
                writeln!(f, "  draw {same} {side}: purpose {purpose}, id {id}{place}")?;
            }
        }
        Ok(())
    }
}

fn from(origin: Option<&crate::session::Origin>) -> String {
    origin.map_or_else(String::new, |origin| format!(" from {}:{}", origin.file, origin.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        session::Origin,
        snapshot::Value,
        state::{BodyId, Command},
    };

    #[test]
    fn the_game_is_named_before_the_world_that_follows_it() {
        let field = |path: &str| {
            let [left, right] = [1, 2].map(|value| Some(Value::Whole(value)));
            Difference { path: path.to_owned(), left, right }
        };
        let paths = ["slots[0].body.mass", "gamers", "game.gold", "session.seed"];
        let comparison = Comparison::content(paths.map(field).to_vec());
        assert_eq!(comparison.difference, Some(field("game.gold")));
        assert_eq!(comparison.further, ["session.seed", "slots[0].body.mass", "gamers"].map(field));
        let lines = "content differs\nbefore the first tick: game.gold: 1 | 2\n  also session.seed: 1 | 2\n  \
                     also slots[0].body.mass: 1 | 2\n  also gamers: 1 | 2\n";
        assert_eq!(comparison.to_string(), lines);
    }

    fn logged(ticks: u16, line: u32) -> LoggedCommand {
        let command = Command::Freeze { body: BodyId::from_parts(3, 0), ticks };
        LoggedCommand { command, origin: Some(Origin { file: "orders.rs".to_owned(), line }) }
    }

    fn drawn(id: u64, line: u32) -> LoggedDraw {
        LoggedDraw { purpose: 7, id, origin: Some(Origin { file: "dice.rs".to_owned(), line }) }
    }

    /// A comparison with everything of a tick; the tenth field and the ninth input are the last.
    fn full() -> Comparison {
        let field = |index: u32| {
            let [left, right] = [1, 2].map(|value| Some(Value::Whole(value)));
            Difference { path: format!("slots[{index}].body.mass"), left, right }
        };
        let inputs = || (0..9).map(|player| format!("Move({player})")).collect::<Vec<_>>();
        let mut comparison = Comparison {
            judgement: Judgement::Physics,
            tick: Some(12),
            phase: Some("rest".to_owned()),
            inputs: [inputs(), inputs()],
            commands: [vec![logged(1, 10), logged(2, 11)], vec![logged(1, 20), logged(3, 21)]],
            draws: [vec![drawn(1, 30), drawn(2, 31)], vec![drawn(1, 40)]],
            rerun: Agreement::Left,
            ..Comparison::same()
        };
        comparison.put((0..10).map(field).collect());
        comparison.note("seen");
        comparison
    }

    #[test]
    fn a_comparison_tells_eight_of_each_and_counts_the_rest() {
        let mut expected = String::from("physics\ntick 12, after rest: slots[0].body.mass: 1 | 2\n");
        for index in 1..9 {
            expected += &format!("  also slots[{index}].body.mass: 1 | 2\n");
        }
        expected += "  and 1 more fields\n";
        for player in 0..8 {
            expected += &format!("  input {player}: Move({player})\n");
        }
        expected += "  and 1 more inputs\n";
        // The first command is the same on both sides, whatever line it comes from; and so is the first draw.
        for (side, ticks, line) in [("left", 2, 11), ("right", 3, 21)] {
            let command = Command::Freeze { body: BodyId::from_parts(3, 0), ticks };
            expected += &format!("  command 1 {side}: {command:?} from orders.rs:{line}\n");
        }
        expected += "  draw 1 left: purpose 7, id 2 from dice.rs:31\n";
        expected += "  another run here agrees with the left\n  seen\n";
        assert_eq!(full().to_string(), expected);
    }

    #[test]
    fn inputs_that_differ_are_told_by_side() {
        let mut comparison = Comparison { tick: Some(3), judgement: Judgement::Inputs, ..Comparison::same() };
        comparison.inputs = [vec!["Jump".to_owned()], Vec::new()];
        let expected = "inputs differ\ntick 3\n  input 0 left: Jump\n  no other run here to compare with\n";
        assert_eq!(comparison.to_string(), expected);
        comparison.inputs.swap(0, 1);
        assert_eq!(comparison.to_string(), expected.replace(" left", " right"));
        comparison.inputs[0] = vec!["Jump".to_owned(); 8];
        comparison.inputs[1].clear();
        assert!(!comparison.to_string().contains("more"), "eight are all told");
    }
}

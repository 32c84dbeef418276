//! A tick as a tree of hashes, which two people can compare by hand.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Simulation, TickLog};
use crate::snapshot::{Field, SnapshotError};

/// A tick as a tree of hashes: phases, then bodies and other parts, then fields.
///
/// Two runs whose trees have the same hash at the top had the same tick. Otherwise a reader of both descends
/// at the first difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The number of the tick.
    pub tick: u64,
    /// The hash of the whole tick.
    pub hash: u64,
    /// The phases, in order; their branches are the parts of the state.
    pub phases: Vec<Branch>,
}

/// A hash, and the branches that it is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// A phase's name; a part such as `slots[17]`, `gravity` or `game.units`; or a field's path behind that.
    pub name: String,
    /// The hash of the names and hashes below; of a field that of its value.
    pub hash: u64,
    /// The branches of a phase and of a part; none of a field.
    pub branches: Vec<Branch>,
}

impl TickLog {
    /// The tick as a tree of hashes. The log must keep states; for one that keeps only hashes, the tree ends
    /// at the phases.
    ///
    /// # Errors
    ///
    /// If the data that the log keeps of a phase is damaged.
    pub fn tree<S: Simulation>(&self) -> Result<Tree, SnapshotError> {
        let mut phases = Vec::new();
        for phase in &self.phases {
            let name = phase.name.clone();
            phases.push(if phase.world.is_empty() {
                Branch { name, hash: phase.sum, branches: Vec::new() }
            } else {
                Branch::of(name, parts(&S::fields_of(phase)?))
            });
        }
        let whole = Branch::of(String::new(), phases);
        Ok(Tree { tick: self.tick, hash: whole.hash, phases: whole.branches })
    }
}

impl Branch {
    fn of(name: String, branches: Vec<Self>) -> Self {
        let hash = branches.iter().fold(branches.len() as u64, |hash, branch| {
            let named = xxh3_64_with_seed(branch.name.as_bytes(), hash);
            xxh3_64_with_seed(&branch.hash.to_le_bytes(), named)
        });
        Self { name, hash, branches }
    }

    fn of_field(name: &str, field: &Field) -> Self {
        let hash = xxh3_64_with_seed(field.value.to_string().as_bytes(), 0);
        Self { name: name.to_owned(), hash, branches: Vec::new() }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        writeln!(f, "{:016x} {:indent$}{}", self.hash, "", self.name, indent = depth * 2)?;
        self.branches.iter().try_for_each(|branch| branch.write(f, depth + 1))
    }
}

/// The fields by part, in the order of the encoding.
fn parts(fields: &[Field]) -> Vec<Branch> {
    let mut parts: Vec<(&str, Vec<Branch>)> = Vec::new();
    for field in fields {
        let (part, rest) = field.path.split_at(part_length(&field.path));
        let leaf = Branch::of_field(rest, field);
        match parts.last_mut() {
            Some((name, leaves)) if *name == part => leaves.push(leaf),
            _ => parts.push((part, vec![leaf])),
        }
    }
    parts.into_iter().map(|(name, leaves)| Branch::of(name.to_owned(), leaves)).collect()
}

/// Length of the part's name: a member, of bodies with its index, of the game's with `game`.
fn part_length(path: &str) -> usize {
    let member = |from: usize| path[from..].find(['.', '[']).map_or(path.len(), |length| from + length);
    match path.split_at(member(0)) {
        ("slots", rest) => "slots".len() + rest.find(']').map_or(0, |end| end + 1),
        ("game", rest) if rest.starts_with('.') => member("game.".len()),
        (name, _) => name.len(),
    }
}

impl Tree {
    /// The path to the first hash that two trees do not share: phase, part, field, as far as both go.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<Vec<String>> {
        let mut way = Vec::new();
        let (mut left, mut right) = (&self.phases, &other.phases);
        if self.hash == other.hash {
            return None;
        }
        loop {
            let pairs = left.iter().zip(right).find(|(a, b)| a.hash != b.hash || a.name != b.name);
            let Some((a, b)) = pairs else {
                // One has more than the other.
                let longer = if left.len() > right.len() { left } else { right };
                way.extend(longer.get(left.len().min(right.len())).map(|branch| branch.name.clone()));
                return Some(way);
            };
            way.push(a.name.clone());
            if a.name != b.name {
                return Some(way);
            }
            if a.branches.is_empty() || b.branches.is_empty() {
                return Some(way);
            }
            (left, right) = (&a.branches, &b.branches);
        }
    }
}

impl fmt::Display for Tree {
    /// A line per hash, indented by depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:016x} tick {}", self.hash, self.tick)?;
        self.phases.iter().try_for_each(|phase| phase.write(f, 1))
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::{session::PhaseState, snapshot::Value, tick::World};

    fn branch(name: &str, hash: u64, branches: &[Branch]) -> Branch {
        Branch { name: name.to_owned(), hash, branches: branches.to_vec() }
    }

    /// A tree whose hashes are those of what is below.
    fn tree(phases: &[Branch]) -> Tree {
        let whole = Branch::of(String::new(), phases.to_vec());
        Tree { tick: 3, hash: whole.hash, phases: whole.branches }
    }

    #[test]
    fn parts_are_members_and_bodies_and_members_of_the_game() {
        let paths = [
            "tick",
            "gravity.x",
            "gravity.y",
            "slots[0].generation",
            "slots[0].body.momentum.x",
            "slots[1].generation",
            "slots[10].body",
            "layers.rows[0]",
            "layers.rows[1]",
            "slots",
            "game.gold[0]",
            "game.gold[1]",
            "game.mood",
            "game.paths[0][1]",
            "game.gold[2]",
            "game",
            "gamer",
        ];
        let fields = paths.map(|path| Field { path: path.to_owned(), value: Value::Whole(7) });
        let found: Vec<_> = parts(&fields)
            .into_iter()
            .map(|part| (part.name, part.branches.into_iter().map(|leaf| leaf.name).collect::<Vec<_>>()))
            .collect();
        let found: Vec<_> = found.iter().map(|(name, leaves)| (name.as_str(), leaves.join(" "))).collect();
        let expected = [
            ("tick", ""),
            ("gravity", ".x .y"),
            ("slots[0]", ".generation .body.momentum.x"),
            ("slots[1]", ".generation"),
            ("slots[10]", ".body"),
            ("layers", ".rows[0] .rows[1]"),
            ("slots", ""),
            ("game.gold", "[0] [1]"),
            ("game.mood", ""),
            ("game.paths", "[0][1]"),
            ("game.gold", "[2]"),
            ("game", ""),
            ("gamer", ""),
        ];
        assert_eq!(found, expected.map(|(name, leaves)| (name, leaves.to_owned())));
        let leaf = &parts(&fields)[0].branches[0];
        assert_eq!(leaf.hash, xxh3_64(b"7"), "a field has the hash of its value as text");
    }

    #[test]
    fn the_first_difference_is_followed_as_far_as_both_trees_go() {
        let leaf = |name, hash| branch(name, hash, &[]);
        let part = |name: &str, leaves: &[Branch]| Branch::of(name.to_owned(), leaves.to_vec());
        let body = |x| part("slots[1]", &[leaf(".x", x), leaf(".y", 8)]);
        let phase = |x| part("rest", &[part("tick", &[leaf("", 1)]), body(x)]);
        let whole = |x| tree(&[leaf("apply", 1), phase(x), leaf("finish", x)]);
        let other_leaf = part("rest", &[part("tick", &[leaf("", 1)]), part("slots[1]", &[leaf(".z", 5)])]);
        let longer = part("rest", &[part("tick", &[leaf("", 1)]), body(5), part("terrain", &[leaf("", 2)])]);
        let more = part("slots[1]", &[leaf(".x", 5), leaf(".y", 8), leaf(".z", 9)]);
        let more = part("rest", &[part("tick", &[leaf("", 1)]), more]);
        let renamed = part("slots[2]", &[leaf(".x", 6), leaf(".y", 8)]);
        let with = |branch: Branch| tree(&[leaf("apply", 1), branch, leaf("finish", 5)]);
        for (left, right, way) in [
            (whole(5), whole(5), None),
            (tree(&[]), tree(&[]), None),
            (whole(5), whole(6), Some("rest slots[1] .x")),
            (whole(5), with(other_leaf.clone()), Some("rest slots[1] .x")),
            (with(other_leaf), whole(5), Some("rest slots[1] .z")),
            (whole(5), with(longer.clone()), Some("rest terrain")),
            (with(longer), whole(5), Some("rest terrain")),
            (whole(5), with(more.clone()), Some("rest slots[1] .z")),
            (with(more), whole(5), Some("rest slots[1] .z")),
            (whole(5), with(leaf("orders", 1)), Some("rest")),
            (
                with(phase(5)),
                with(part("rest", &[part("tick", &[leaf("", 1)]), renamed])),
                Some("rest slots[1]"),
            ),
            // One log has only hashes.
            (whole(5), with(leaf("rest", 9)), Some("rest")),
            (with(leaf("rest", 9)), whole(5), Some("rest")),
            (with(leaf("rest", 9)), with(leaf("rest", 8)), Some("rest")),
            (tree(&[leaf("apply", 1)]), tree(&[leaf("apply", 1), leaf("rest", 2)]), Some("rest")),
            (tree(&[leaf("apply", 1), leaf("rest", 2)]), tree(&[leaf("apply", 1)]), Some("rest")),
            (tree(&[]), tree(&[leaf("apply", 1)]), Some("apply")),
            (tree(&[leaf("apply", 1)]), tree(&[leaf("orders", 1)]), Some("apply")),
        ] {
            let found = left.first_difference(&right).map(|way| way.join(" "));
            assert_eq!(found.as_deref(), way, "{left}\n{right}");
        }
    }

    #[test]
    fn a_tree_is_written_with_two_blanks_by_depth() {
        let leaf = branch(".x", 4, &[]);
        let part = branch("slots[1]", 3, &[leaf.clone(), leaf]);
        let phases = vec![branch("apply", 2, &[part]), branch("rest", 0x0123_4567_89ab_cdef, &[])];
        let text = "\
00000000000000ff tick 3
0000000000000002   apply
0000000000000003     slots[1]
0000000000000004       .x
0000000000000004       .x
0123456789abcdef   rest
";
        assert_eq!(Tree { tick: 3, hash: 255, phases }.to_string(), text);
    }

    #[test]
    fn a_tree_of_hashes_ends_at_the_phases() {
        let phase = PhaseState { name: "rest".to_owned(), sum: 9, world: Vec::new(), game: Vec::new() };
        let mut log = TickLog::sums();
        (log.tick, log.phases) = (3, vec![phase]);
        assert_eq!(log.tree::<World>(), Ok(tree(&[branch("rest", 9, &[])])));
    }
}

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

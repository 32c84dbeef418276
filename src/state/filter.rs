//! The collision filter: the one place that reads layers, groups and body types.

use serde::{Deserialize, Serialize};

use super::{BodyType, StateError};

/// The rule of a pair of bodies, or of a body and a static. The order is that of strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(try_from = "u8", into = "u8")]
pub enum Rule {
    /// No collision, and no report.
    Ignore = 0,
    /// Sensor: the two pass through each other, and their overlap is reported.
    Sensor = 1,
    /// Soft: the two may overlap, and a tick separates them: see
    /// [`Limits::separation_speed`](super::Limits::separation_speed). There is no impulse and no bounce.
    Soft = 2,
    /// Solid: neither may enter the other.
    Solid = 3,
}

impl Rule {
    /// The rule of a number, or `None` if it has none.
    #[inline]
    const fn of(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Ignore),
            1 => Some(Self::Sensor),
            2 => Some(Self::Soft),
            3 => Some(Self::Solid),
            _ => None,
        }
    }
}

impl From<Rule> for u8 {
    fn from(rule: Rule) -> Self {
        rule as Self
    }
}

impl TryFrom<u8> for Rule {
    type Error = StateError;

    fn try_from(number: u8) -> Result<Self, StateError> {
        Self::of(number.into()).ok_or(StateError::Number { name: "rule", number })
    }
}

/// The values of a body or a static that select the rule of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filter {
    /// The body type; [`BodyType::Static`] for a static of the scenery.
    pub body_type: BodyType,
    /// The layer, `0..=15`.
    pub layer: u8,
    /// Bodies of the same group other than 0 ignore each other.
    pub group: u16,
}

impl Filter {
    /// The filter of a child shape, which may have its own layer.
    pub(crate) const fn of_child(self, layer: Option<u8>) -> Self {
        match layer {
            Some(layer) => Self { layer, ..self },
            None => self,
        }
    }
}

/// The rule of every pair of the sixteen layers; symmetric.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LayerTable {
    /// A row for each layer: two bits for each other layer, layer 0 in the lowest.
    rows: [u32; LayerTable::LAYERS as usize],
}

impl LayerTable {
    /// The number of layers.
    pub const LAYERS: u8 = 16;
    /// All layers solid to each other.
    pub const SOLID: Self = Self { rows: [u32::MAX; Self::LAYERS as usize] };

    /// The rule of a pair of layers.
    ///
    /// # Panics
    ///
    /// If a layer is not below [`LAYERS`](Self::LAYERS).
    #[must_use]
    #[inline]
    pub fn of_layers(&self, a: u8, b: u8) -> Rule {
        assert!(b < Self::LAYERS, "layer {b} is not below 16");
        // Every two bits are a rule.
        Rule::of(self.rows[usize::from(a)] >> (2 * b) & 3).unwrap_or(Rule::Solid)
    }

    /// Changes the rule of a pair of layers.
    ///
    /// # Panics
    ///
    /// If a layer is not below [`LAYERS`](Self::LAYERS).
    pub fn set(&mut self, a: u8, b: u8, rule: Rule) {
        assert!(a < Self::LAYERS && b < Self::LAYERS, "layers {a} and {b} are not both below 16");
        for (row, column) in [(a, b), (b, a)] {
            let row = &mut self.rows[usize::from(row)];
            *row = *row & !(3 << (2 * column)) | (rule as u32) << (2 * column);
        }
    }

    /// The rule of a pair: the table's rule, except that bodies of one group ignore each other, that a pair
    /// without a dynamic body is neither solid nor soft, and that two colliders that never move ignore each
    /// other.
    ///
    /// Symmetric in its arguments.
    #[must_use]
    #[inline]
    pub fn rule(&self, a: Filter, b: Filter) -> Rule {
        let is_still = a.body_type == BodyType::Static && b.body_type == BodyType::Static;
        if is_still || (a.group == b.group && a.group != 0) {
            return Rule::Ignore;
        }
        let rule = self.of_layers(a.layer, b.layer);
        let is_moved = a.body_type == BodyType::Dynamic || b.body_type == BodyType::Dynamic;
        if rule >= Rule::Soft && !is_moved { Rule::Ignore } else { rule }
    }

    /// True if any pair of layers is soft.
    #[inline]
    pub(crate) fn has_soft(&self) -> bool {
        self.rows.iter().any(|row| soft_in(*row) != 0)
    }

    /// True if a layer is soft to one of a set of layers, given as a bit for each.
    #[inline]
    pub(crate) fn is_soft_to_any(&self, layer: u8, others: u16) -> bool {
        let soft = soft_in(self.rows[usize::from(layer)]);
        (0..Self::LAYERS).any(|other| others >> other & 1 == 1 && soft >> (2 * other) & 1 == 1)
    }

    /// True if a pair is solid.
    #[must_use]
    #[inline]
    pub fn is_solid(&self, a: Filter, b: Filter) -> bool {
        let is_moved = a.body_type == BodyType::Dynamic || b.body_type == BodyType::Dynamic;
        let are_one = a.group == b.group && a.group != 0;
        is_moved && !are_one && self.of_layers(a.layer, b.layer) == Rule::Solid
    }

    /// Checks that the table is symmetric.
    pub(super) fn check(&self) -> Result<(), StateError> {
        let entry = |a: usize, b: usize| self.rows[a] >> (2 * b) & 3;
        let layers = usize::from(Self::LAYERS);
        for (a, b) in (0..layers).flat_map(|a| (0..=a).map(move |b| (a, b))) {
            if entry(a, b) != entry(b, a) {
                let (field, reason) =
                    (format!("layers {b} and {a}"), "one rule one way round, another the other way");
                return Err(StateError::Impossible { field, reason });
            }
        }
        Ok(())
    }
}

/// The lower bits of the layers to which a row is soft.
const fn soft_in(row: u32) -> u32 {
    row >> 1 & !row & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [BodyType; 3] = [BodyType::Dynamic, BodyType::Kinematic, BodyType::Static];

    #[test]
    fn a_table_is_symmetric_and_keeps_its_other_entries() {
        let mut table = LayerTable::SOLID;
        table.set(3, 15, Rule::Ignore);
        table.set(0, 0, Rule::Sensor);
        table.set(15, 15, Rule::Sensor);
        for a in 0..16 {
            for b in 0..16 {
                let expected = match (a.min(b), a.max(b)) {
                    (3, 15) => Rule::Ignore,
                    (0, 0) | (15, 15) => Rule::Sensor,
                    _ => Rule::Solid,
                };
                assert_eq!(table.of_layers(a, b), expected, "{a} {b}");
            }
        }
        table.set(15, 3, Rule::Solid);
        assert_eq!((table.of_layers(3, 15), table.check()), (Rule::Solid, Ok(())));
    }

    #[test]
    fn a_table_that_no_command_makes_is_refused() {
        let with = |row: usize, bits: u32| {
            let mut table = LayerTable::SOLID;
            table.rows[row] = bits;
            table.check().map_err(|error| error.to_string())
        };
        assert_eq!(with(5, u32::MAX), Ok(()));
        let lopsided = "layers 1 and 2: one rule one way round, another the other way";
        assert_eq!(with(2, !(3 << 2)), Err(lopsided.to_owned()));
        assert_eq!(with(0, u32::MAX - 1), Ok(()), "soft to itself");
    }

    #[test]
    fn a_table_knows_which_layers_are_soft() {
        let mut table = LayerTable::SOLID;
        assert!(!table.has_soft());
        for (a, b, rule) in [(3, 15, Rule::Soft), (1, 2, Rule::Sensor), (7, 7, Rule::Ignore)] {
            table.set(a, b, rule);
        }
        assert!(table.has_soft());
        let soft = |layer: u8, others: &[u8]| {
            table.is_soft_to_any(layer, others.iter().fold(0, |mask, other| mask | 1 << other))
        };
        assert!(soft(3, &[15]) && soft(15, &[0, 3]) && soft(3, &[0, 1, 2, 15]));
        assert!(!soft(3, &[3]) && !soft(15, &[15]) && !soft(1, &[2]) && !soft(7, &[7]) && !soft(3, &[]));
    }

    #[test]
    fn kinds_and_groups_weaken_the_rule_of_the_layers() {
        let mut table = LayerTable::SOLID;
        table.set(0, 1, Rule::Sensor);
        table.set(0, 2, Rule::Ignore);
        table.set(0, 3, Rule::Soft);
        let filter = |kind, layer, group| Filter { body_type: kind, layer, group };
        let mut solid = 0;
        for (a, b) in KINDS.into_iter().flat_map(|a| KINDS.map(|b| (a, b))) {
            for (groups, same) in [([0, 0], false), ([7, 7], true), ([7, 8], false), ([0, 7], false)] {
                for layer in 0..4 {
                    let pair = (filter(a, 0, groups[0]), filter(b, layer, groups[1]));
                    let still = a == BodyType::Static && b == BodyType::Static;
                    let moved = a == BodyType::Dynamic || b == BodyType::Dynamic;
                    let expected = match layer {
                        _ if same || still => Rule::Ignore,
                        0 if moved => Rule::Solid,
                        1 => Rule::Sensor,
                        3 if moved => Rule::Soft,
                        _ => Rule::Ignore,
                    };
                    assert_eq!(table.rule(pair.0, pair.1), expected, "{a:?} {b:?} {groups:?} {layer}");
                    assert_eq!(table.rule(pair.1, pair.0) == Rule::Solid, table.is_solid(pair.0, pair.1));
                    solid += u32::from(expected == Rule::Solid);
                }
            }
        }
        assert_eq!(solid, 15); // five of nine pairs of kinds, three of four pairs of groups
    }
}

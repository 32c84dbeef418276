//! The differences between two worlds.

use std::{collections::BTreeMap, fmt};

use super::{Field, Value, fields};
use crate::tick::World;

/// One field in which two worlds differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The field's path, as in [`Field`].
    pub path: String,
    /// Its value in the first world; `None` where that has no such field.
    pub left: Option<Value>,
    /// Its value in the second world; `None` where that has no such field.
    pub right: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, left, right } = self;
        let show = |value: &Option<Value>| value.as_ref().map_or("(no field)".to_owned(), Value::to_string);
        write!(f, "{path}: {} | {}", show(left), show(right))
    }
}

/// Every field in which two worlds differ: first the left one's fields in the order of the
/// encoding, then those that only the right one has.
///
/// Both are walked by the definition that encodes them, so the list is empty exactly when their
/// states' bytes are equal. The scenery is not compared.
#[must_use]
pub fn diff(left: &World, right: &World) -> Vec<Difference> {
    diff_fields(&fields(left), &fields(right))
}

/// Every field in which two lists differ: first the left one's in their order, then those that only the right
/// one has.
#[must_use]
pub fn diff_fields(left: &[Field], right: &[Field]) -> Vec<Difference> {
    let (in_left, in_right) = (by_path(left), by_path(right));
    let of_left = left.iter().map(|field| (field, Some(&field.value), in_right.get(&*field.path).copied()));
    let only_right = right.iter().filter(|field| !in_left.contains_key(&*field.path));
    of_left
        .chain(only_right.map(|field| (field, None, Some(&field.value))))
        .filter(|(_, left, right)| left != right)
        .map(|(field, left, right)| Difference {
            path: field.path.clone(),
            left: left.cloned(),
            right: right.cloned(),
        })
        .collect()
}

fn by_path(fields: &[Field]) -> BTreeMap<&str, &Value> {
    fields.iter().map(|field| (&*field.path, &field.value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Rotation, Vec3},
        num::lit,
        shape::Shape,
        state::{BodyId, Command, Limits, Material, MaterialId, SceneryBuilder, Spawn, Spin},
    };

    /// Balls of mass 1 at rest on the x axis.
    fn balls(places: &[&str]) -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        let shape = builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        for x in places {
            let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
            let (material, velocity) = (MaterialId(0), Vec3::ZERO);
            let spawn = Spawn { material, velocity, ..Spawn::new(shape, position) };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        world
    }

    fn lines(left: &World, right: &World) -> Vec<String> {
        diff(left, right).iter().map(Difference::to_string).collect()
    }

    #[test]
    fn every_field_that_differs_is_listed_with_both_values() {
        let (two, mut moved) = (balls(&["0", "3"]), balls(&["0", "3.5"]));
        assert_eq!(lines(&two, &two), [""; 0]);
        assert!(
            moved.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -4, 0]) }]).outcomes[0].is_ok()
        );
        let expected = [
            "gravity.y: 0 (raw 0) | -0.000000001 (raw -4)",
            "slots[1].body.position.x: 3 (raw 12884901888) | 3.5 (raw 15032385536)",
        ];
        assert_eq!(lines(&two, &moved), expected);
    }

    #[test]
    fn rotations_are_compared_by_their_parts() {
        let (still, mut turned) = (balls(&["0"]), balls(&["0"]));
        let spin = |w, x, raw| {
            let orientation = Rotation::from_components([w, x, 0, 0]).unwrap();
            Some(Spin { orientation, angular_momentum: Vec3::from_raw([0, raw, 0]) })
        };
        let mut spinning = still.clone();
        spinning.state.slots[0].body.as_mut().unwrap().spin = spin(1 << 30, 0, 1);
        turned.state.slots[0].body.as_mut().unwrap().spin = spin(0, -1 << 30, 2);
        let expected = [
            "slots[0].body.spin.orientation.w: 1073741824 | 0",
            "slots[0].body.spin.orientation.x: 0 | -1073741824",
            "slots[0].body.spin.angular_momentum.y: 0.0000000002 (raw 1) | 0.0000000005 (raw 2)",
        ];
        assert_eq!(lines(&spinning, &turned), expected);
        assert_eq!(lines(&still, &spinning).len(), 8);
    }

    #[test]
    fn fields_that_only_one_has_are_listed() {
        let (one, two) = (balls(&["0"]), balls(&["0", "3"]));
        let (added, lost) = (lines(&one, &two), lines(&two, &one));
        assert_eq!((added.len(), lost.len()), (22, 22));
        assert_eq!(
            added[..2],
            [
                "slots[1].generation: (no field) | 0",
                "slots[1].body.position.x: (no field) | 3 (raw 12884901888)"
            ]
        );
        assert_eq!(lost[17], "slots[1].body.spin: none | (no field)");
        let mut removed = balls(&["0"]);
        let body = BodyId::from_parts(0, 0);
        assert!(removed.apply(&[Command::Remove { body }]).outcomes[0].is_ok());
        let gone = lines(&one, &removed);
        assert_eq!(gone[0], "slots[0].generation: 0 | 1");
        assert_eq!(gone.last().unwrap(), "slots[0].body: (no field) | none");
    }
}

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::*;
use crate::{
    geom::Vec3,
    num::lit,
    shape::Shape,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn, wire},
    tick::World,
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum Unit {
    Zealot,
    Archer,
    Rank(u8),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Order {
    Stand,
    Walk { to: (i16, i16), fast: bool },
    Follow(u32),
    Trade(u8, u8),
    Nothing {},
    Pass(()),
    Wait((), ()),
    Halt { here: () },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Wrapped(u16);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Pair(u8, u16);

/// A value of every kind that serde knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Realm {
    open: bool,
    small: (i8, i16, i32, i64, i128),
    large: (u8, u16, u32, u64, u128),
    letter: char,
    name: String,
    none: Option<u8>,
    some: Option<u32>,
    unit: (),
    wrapped: Wrapped,
    pair: Pair,
    orders: Vec<Order>,
    empty: Vec<u8>,
    nested: Vec<Vec<u8>>,
    pull: Vec3,
    units: BTreeMap<Unit, u32>,
    names: BTreeMap<String, i8>,
    bodies: BTreeMap<BodyId, u8>,
    far: BTreeMap<i16, Option<bool>>,
    deep: Option<Option<Option<u8>>>,
    list: Option<Vec<u8>>,
    mark: Option<()>,
    says: Option<String>,
    places: BTreeMap<Option<Option<u8>>, u8>,
    sides: BTreeMap<Option<()>, u8>,
}

fn realm() -> Realm {
    let body = |slot| BodyId::from_parts(slot, 1);
    Realm {
        open: true,
        small: (-1, -2, -3, -4, -5),
        large: (1, 2, 3, 4, 5),
        letter: 'ß',
        name: "Köln".to_owned(),
        none: None,
        some: Some(7),
        unit: (),
        wrapped: Wrapped(9),
        pair: Pair(8, 10),
        orders: vec![
            Order::Stand,
            Order::Walk { to: (1, -1), fast: true },
            Order::Follow(3),
            Order::Trade(4, 5),
            Order::Nothing {},
            Order::Pass(()),
            Order::Wait((), ()),
            Order::Halt { here: () },
        ],
        empty: Vec::new(),
        nested: vec![vec![], vec![6]],
        pull: Vec3::new(lit("0"), lit("-0.5"), lit("2")),
        units: [(Unit::Zealot, 1), (Unit::Archer, 2), (Unit::Rank(3), 4), (Unit::Rank(9), 5)].into(),
        names: [("", 1), ("1a", 5), ("_x", 6), ("a,b", 2), ("a_b-c", 7), ("ab", 3), ("none", 4)]
            .map(|(name, number)| (name.to_owned(), number))
            .into(),
        bodies: [(body(2), 1), (body(10), 2)].into(),
        far: [(-300, None), (-2, Some(true)), (17, Some(false))].into(),
        deep: Some(None),
        list: Some(vec![]),
        mark: Some(()),
        says: Some("some none".to_owned()),
        places: [(None, 1), (Some(None), 2), (Some(Some(3)), 4)].into(),
        sides: [(None, 1), (Some(()), 2)].into(),
    }
}

/// The bytes of a leaf, if it is a number or a text.
fn bytes_of(value: &Value, width: usize) -> Option<Vec<u8>> {
    match value {
        Value::Whole(value) => Some(value.to_le_bytes()[..width].to_vec()),
        Value::Fixed(value) => Some(value.to_bits().to_le_bytes().to_vec()),
        _ => None,
    }
}

fn assert_leaves_lie_in<T: Serialize>(value: &T) -> Vec<Leaf> {
    let (bytes, (leaves, end)) = (wire::encode(value), leaves(value).unwrap());
    assert_eq!(end, bytes.len());
    for leaf in &leaves {
        let there = &bytes[leaf.at..leaf.at + leaf.width];
        if let Some(expected) = bytes_of(&leaf.value, leaf.width) {
            assert_eq!(there, expected, "{leaf:?}");
        }
    }
    assert!(leaves.windows(2).all(|pair| pair[0].at + pair[0].width <= pair[1].at), "in order, apart");
    let paths: std::collections::BTreeSet<_> = leaves.iter().map(|leaf| &leaf.path).collect();
    assert_eq!(paths.len(), leaves.len(), "every path once");
    leaves
}

#[test]
fn every_leaf_lies_where_the_walk_says() {
    let leaves = assert_leaves_lie_in(&realm());
    let bytes = wire::encode(&realm());
    let lines: Vec<String> = leaves
        .iter()
        .map(|leaf| {
            let there = &bytes[leaf.at..leaf.at + leaf.width];
            let text = std::str::from_utf8(there).ok().filter(|text| *text == leaf.value.to_string());
            format!("{} = {} in {}{}", leaf.path, leaf.value, leaf.width, text.map_or("", |_| ", as text"))
        })
        .collect();
    assert_eq!(lines.join("\n"), EXPECTED.trim());
}

/// Every leaf by hand: its path, its value, and its number of bytes.
const EXPECTED: &str = r#"
open = 1 in 1
small[0] = -1 in 1
small[1] = -2 in 2
small[2] = -3 in 4
small[3] = -4 in 8
small[4] = -5 in 16
large[0] = 1 in 1
large[1] = 2 in 2
large[2] = 3 in 4
large[3] = 4 in 8
large[4] = 00000000000000000000000000000005 in 16
letter = ß in 2, as text
name = Köln in 5, as text
none = none in 1
some = 7 in 4
wrapped = 9 in 2
pair[0] = 8 in 1
pair[1] = 10 in 2
orders[0] = Stand in 4
orders[1].Walk.to[0] = 1 in 2
orders[1].Walk.to[1] = -1 in 2
orders[1].Walk.fast = 1 in 1
orders[2].Follow = 3 in 4
orders[3].Trade[0] = 4 in 1
orders[3].Trade[1] = 5 in 1
orders[4] = Nothing in 4
orders[5] = Pass in 4
orders[6] = Wait in 4
orders[7] = Halt in 4
empty = none in 8
nested[0] = none in 8
nested[1][0] = 6 in 1
pull.x = 0 (raw 0) in 8
pull.y = -0.5 (raw -2147483648) in 8
pull.z = 2 (raw 8589934592) in 8
units[Zealot] = 1 in 4
units[Archer] = 2 in 4
units[Rank,3] = 4 in 4
units[Rank,9] = 5 in 4
names[""] = 1 in 1
names["1a"] = 5 in 1
names[_x] = 6 in 1
names["a,b"] = 2 in 1
names[a_b-c] = 7 in 1
names[ab] = 3 in 1
names["none"] = 4 in 1
bodies[2,1] = 1 in 1
bodies[10,1] = 2 in 1
far[-300] = none in 1
far[-2] = 1 in 1
far[17] = 0 in 1
deep = some none in 1
list = some none in 8
mark = some in 1
says = some none in 9, as text
places[none] = 1 in 1
places["some none"] = 2 in 1
places[3] = 4 in 1
sides[none] = 1 in 1
sides[some] = 2 in 1
"#;

/// Bytes that are handed to the serializer in one piece.
struct Bytes(&'static [u8]);

impl Serialize for Bytes {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn bytes_in_one_piece_are_a_list_of_numbers() {
    #[derive(Serialize)]
    struct Parcel {
        full: Bytes,
        empty: Bytes,
        behind: u8,
    }
    let parcel = Parcel { full: Bytes(&[7, 9]), empty: Bytes(&[]), behind: 5 };
    let leaves = assert_leaves_lie_in(&parcel);
    let lines = leaves.iter().map(|leaf| format!("{} = {} in {}", leaf.path, leaf.value, leaf.width));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        ["full[0] = 7 in 1", "full[1] = 9 in 1", "empty = none in 8", "behind = 5 in 1"]
    );
}

#[test]
fn every_leaf_of_a_world_lies_where_the_walk_says() {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let shape = builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    assert_eq!(assert_leaves_lie_in(world.state()).last().unwrap().path, "terrain");
    for x in ["0", "3", "-3"] {
        let (position, velocity) =
            (Vec3::new(x.parse().unwrap(), lit("1"), lit("0")), Vec3::splat(lit("-0.1")));
        let spawn = Spawn { material, velocity, mass: 3, user: 5, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world.apply(&[Command::Remove { body: BodyId::from_parts(1, 0) }]).accepted().unwrap();
    let leaves = assert_leaves_lie_in(world.state());
    assert_eq!(leaves.len(), crate::snapshot::fields(&world).len());
}

#[test]
fn two_values_have_the_same_fields_only_if_they_are_the_same() {
    let change = |change: fn(&mut Realm)| {
        let mut realm = realm();
        change(&mut realm);
        realm
    };
    let changed = [
        realm(),
        change(|realm| realm.nested.push(vec![])),
        change(|realm| realm.nested.clear()),
        change(|realm| realm.nested.swap(0, 1)),
        change(|realm| realm.orders[4] = Order::Stand),
        change(|realm| realm.orders[1] = Order::Stand),
        change(|realm| realm.orders[3] = Order::Follow(4)),
        change(|realm| realm.orders[0] = Order::Pass(())),
        change(|realm| realm.orders[0] = Order::Wait((), ())),
        change(|realm| realm.orders[0] = Order::Halt { here: () }),
        change(|realm| realm.none = Some(0)),
        change(|realm| realm.deep = None),
        change(|realm| realm.deep = Some(Some(None))),
        change(|realm| realm.deep = Some(Some(Some(1)))),
        change(|realm| realm.list = None),
        change(|realm| realm.list = Some(vec![0])),
        change(|realm| realm.mark = None),
        change(|realm| realm.says = None),
        change(|realm| realm.says = Some(String::new())),
        change(|realm| realm.name.clear()),
        change(|realm| assert!(realm.units.remove(&Unit::Archer).is_some())),
        change(|realm| assert!(realm.far.insert(0, None).is_none())),
        change(|realm| assert!(realm.names.insert("\"\"".to_owned(), 1).is_none())),
    ];
    for (index, left) in changed.iter().enumerate() {
        for (other, right) in changed.iter().enumerate() {
            assert_eq!(visit(left) == visit(right), index == other, "{index} and {other}");
        }
    }
}

/// Scalars with the serde of their own type, and with that of this crate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Runner {
    speed: Scalar,
    aim: Option<Scalar>,
    splits: Vec<Scalar>,
    keys: [Scalar; 2],
    best: BTreeMap<Scalar, Option<Option<Scalar>>>,
    bits: i64,
    #[serde(with = "crate::num::scalar")]
    weight: Scalar,
}

#[test]
fn scalars_need_no_attribute() {
    let runner = Runner {
        speed: lit("0.5"),
        aim: Some(lit("-1")),
        splits: vec![lit("2"), lit("0.25")],
        keys: [lit("3"), lit("4")],
        best: [(lit("-0.5"), None), (lit("7"), Some(Some(lit("1"))))].into(),
        bits: 6,
        weight: lit("0.5"),
    };
    let lines: Vec<String> =
        assert_leaves_lie_in(&runner).iter().map(|leaf| format!("{} = {}", leaf.path, leaf.value)).collect();
    assert_eq!(
        lines,
        [
            "speed = 0.5 (raw 2147483648)",
            "aim = -1 (raw -4294967296)",
            "splits[0] = 2 (raw 8589934592)",
            "splits[1] = 0.25 (raw 1073741824)",
            "keys[0] = 3 (raw 12884901888)",
            "keys[1] = 4 (raw 17179869184)",
            "best[-0.5] = none",
            "best[7] = 1 (raw 4294967296)",
            "bits = 6",
            "weight = 0.5 (raw 2147483648)",
        ]
    );
    let bytes = wire::encode(&runner);
    assert_eq!(bytes[..8], bytes[bytes.len() - 8..], "one encoding");
    assert_eq!(wire::decode::<Runner>(&bytes).unwrap(), runner);
}

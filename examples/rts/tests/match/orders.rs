//! Orders as they come from other machines: checked, or refused.

use bitstep::{
    geom::Vec3,
    num::{Rng, lit},
};
use bitstep_lockstep::{ORDERS_MAX, decode_orders};
use rts::{FIELD, Order, Place, UNIT_NUMBERS, Units};

fn encode_orders(orders: &[Order]) -> Vec<u8> {
    bitstep_lockstep::encode_orders(orders).unwrap()
}

fn some() -> Vec<Order> {
    let units = |numbers: &[u16]| Units::of(numbers.iter().copied());
    let to = Place::nearest(Vec3::new(lit("-12.5"), lit("40"), lit("0")));
    vec![
        Order::March { units: units(&[5, 1, 2, 3, 9]), to },
        Order::Gather { units: Units::of(0..UNIT_NUMBERS), to },
        Order::Attack { units: units(&[UNIT_NUMBERS - 1]), target: 17 },
        Order::Stop { units: units(&[]) },
    ]
}

#[test]
fn orders_come_back_as_they_were() {
    let bytes = encode_orders(&some());
    assert_eq!(decode_orders::<Order>(&bytes).unwrap(), some());
    assert!(bytes.len() < 60, "lists are runs: {} bytes", bytes.len());
    assert_eq!(encode_orders(&[]).len(), 1, "nothing is a byte");
}

#[test]
fn a_list_of_units_is_in_order_and_has_none_twice() {
    let units = Units::of([7, 3, 4, 3, 5, UNIT_NUMBERS, u16::MAX]);
    assert_eq!(units.numbers().collect::<Vec<_>>(), [3, 4, 5, 7]);
    let last = UNIT_NUMBERS - 1;
    let cases: [(&[[u16; 2]], bool); 10] = [
        (&[], true),
        (&[[3, 3], [7, 1]], true),
        (&[[last, 1]], true),
        (&[[0, UNIT_NUMBERS]], true),
        (&[[3, 0]], false),
        (&[[3, 3], [5, 1]], false),
        (&[[3, 3], [6, 1]], false),
        (&[[7, 1], [3, 3]], false),
        (&[[last, 2]], false),
        (&[[u16::MAX, u16::MAX]], false),
    ];
    for (runs, is_list) in cases {
        assert_eq!(Units::try_from(runs.to_vec()).is_ok(), is_list, "{runs:?}");
    }
}

#[test]
fn places_are_on_the_field_and_round_alike_on_both_sides() {
    for raw in [0, 1 << 14, 1 << 15, (1 << 15) - 1, 12_345_678_901, i64::MAX / 2, i64::MAX] {
        let [right, left] = [raw, -raw].map(|raw| Place::nearest(Vec3::from_raw([raw, -raw, 0])));
        assert_eq!((right.x, right.y), (-left.x, -left.y), "{raw}");
        assert!(
            right.point().within(FIELD)
                && (right.point().x.to_bits() - raw.min(FIELD.to_bits())).abs() <= 1 << 15
        );
    }
    assert!(Place { x: i32::MIN, y: i32::MAX }.point().within(FIELD));
}

#[test]
fn malformed_orders_are_refused() {
    let bytes = encode_orders(&some());
    for length in 0..bytes.len() {
        assert!(decode_orders::<Order>(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(decode_orders::<Order>(&[&bytes[..], &[0]].concat()).is_err());
    let many = vec![Order::Stop { units: Units::default() }; ORDERS_MAX + 1];
    assert!(decode_orders::<Order>(&encode_orders(&many)).is_err());
    assert!(decode_orders::<Order>(&encode_orders(&many[1..])).is_ok());
}

#[test]
fn drawn_bytes_are_orders_or_an_error() {
    let (sound, mut decoded) = (encode_orders(&some()), 0);
    for round in 0..20_000 {
        let mut draws = Rng::new(3).at(0, 0, round);
        let mut bytes = sound.clone();
        for _ in 0..=draws.below(4) {
            let at = draws.below(bytes.len() as u64) as usize;
            bytes[at] = draws.bits() as u8;
        }
        if let Ok(orders) = decode_orders::<Order>(&bytes) {
            decoded += 1;
            assert!(
                orders.iter().flat_map(|order| order.units().numbers()).all(|number| number < UNIT_NUMBERS)
            );
        }
    }
    assert!(decoded > 500, "{decoded}");
}

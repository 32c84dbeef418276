//! Single rows and bodies, by hand.

use super::*;

/// The mass of the bodies here: 17 bits.
const MASS: u32 = 1 << 16;

/// An island of two bodies with some points, in its units.
fn gathered(points: Vec<Point>) -> Grip {
    let mut grip = Grip::default();
    grip.clear();
    grip.held.extend([Held { mass: MASS, ..Held::default() }; 2]);
    grip.points = points;
    grip.gather(1);
    grip
}

#[test]
fn pushes_far_beyond_the_cone_are_cut_by_axis_and_then_shortened() {
    let row = Row { normal: UP, friction_q16: part_q16(1, 2), ..Row::default() };
    // Along the normal they are cut to 2^28, so 2^27 is left across it: over the root of 2, and of 5.
    let (far, most) = (row::FAR, 1 << 28);
    let [diagonal, single, double] = [94_906_265, 60_023_992, 120_047_985];
    for (push, across) in [
        ([5 * far, far, far], [diagonal, diagonal]),
        ([-5 * far, far, far], [-diagonal, diagonal]),
        ([far, 5 * far, -9 * far], [diagonal, -diagonal]),
        ([-far * 3 / 2, far / 2, -far - 1], [-diagonal, -diagonal]),
        ([far * 3 / 2, far / 2, far / 2], [double, single]),
        ([-far / 2, far * 2, -far * 3 / 2], [-single, -double]),
    ] {
        let [x, y, z] = row.on_cone(push, 0, most);
        assert_eq!(y, most, "{push:?}");
        for (found, exact) in [x, z].into_iter().zip(across) {
            assert!((found - exact).abs() <= 1, "{push:?}: {found} {exact}");
        }
    }
    assert_eq!(row.on_cone([far, -5 * far, far], 0, most), [0; 3]);
}

#[test]
fn velocities_are_cut_to_the_largest_whatever_the_others_are() {
    const MOST: i64 = 1 << RATE_BITS;
    let bits = |i: usize| if i < 3 { 0 } else { NARROW_BITS };
    let others = [(-1, -5), (-1, 0), (-1, 5), (1, -5), (1, 0), (1, 5)];
    for (axis, (way, other)) in (0..6).flat_map(|axis| others.map(|other| (axis, other))) {
        let scale = GripScale { unit: 0, push: 0 };
        let mut body = Gripped::of(&Held { mass: 1, ..Held::default() }, &scale);
        let mut sway = Sway::default();
        // The second step goes ahead by as much as the velocity has changed: to half as much again.
        for velocity in [MOST / 2, MOST - 1] {
            let pushed = |i: usize| if i == axis { way * velocity } else { other };
            sway.sum = [0, 1, 2, 3, 4, 5].map(|i| pushed(i) << bits(i));
            body.go_on(&mut sway, 1 << AHEAD_BITS, None);
        }
        let end = |i: usize| if i == axis { way * MOST } else { other };
        let expected = [0, 1, 2, 3, 4, 5].map(|i| end(i) << (NARROW_BITS - bits(i)));
        assert_eq!(sway.end, expected, "axis {axis}, {way}, {other}");
    }
}

#[test]
fn rows_are_round_only_where_no_push_turns_a_body_about_its_own_axis() {
    let is_round = |levers: [[[i32; 3]; 3]; 2]| {
        gathered(vec![Point { sides: [1, 2], normal: UP, levers, ..Point::default() }]).rows[0].is_round
    };
    let ball = [[0, -300, 500], [300, 0, 700], [-500, -700, 0]];
    assert!(is_round([ball; 2]));
    for (side, axis) in [0, 1].into_iter().flat_map(|side| [0, 1, 2].map(|axis| (side, axis))) {
        for lever in [1, -400] {
            let mut levers = [ball; 2];
            levers[side][axis][axis] = lever;
            assert!(!is_round(levers), "side {side}, axis {axis}, {lever}");
        }
    }
}

#[test]
fn pushes_are_cut_by_how_many_a_body_has_beyond_a_thousand() {
    for (rows, bits) in
        [(1, 29), (1 << 10, 29), ((1 << 11) - 1, 29), (1 << 11, 28), ((1 << 12) - 1, 28), (1 << 12, 27)]
    {
        let crowd = Point { sides: [0, 2], normal: UP, ..Point::default() };
        let mut points = vec![crowd; rows];
        points.push(Point { sides: [0, 1], ..crowd });
        let push_max = gathered(points).push_max;
        assert_eq!(push_max, 1 << bits, "{rows}");
        // So they turn a body by what fits.
        assert!(push_max * (rows as i64) < 1 << (scale::PUSH_BITS + 1 + scale::CROWD_BITS as i32));
    }
}

#[test]
fn a_push_along_a_surface_without_friction_is_given_up() {
    for steps in [0, 1, 256] {
        let mut heap = tower(&[7], 0);
        heap.points.iter_mut().for_each(|point| point.grip = [GRAVITY / 8, 0, -GRAVITY / 16]);
        heap.solve(steps);
        assert!(heap.points.iter().all(|point| point.grip == [0; 3]), "{steps}");
    }
}

#[test]
fn units_hold_what_is_asked_for_and_no_slip_without_friction() {
    let units = |friction_q16: u32, excess: i64, slip: i64| {
        let slip = [0, 0, slip];
        let point = Point { sides: [0, 1], normal: UP, friction_q16, excess, slip, ..Point::default() };
        let scale = gathered(vec![point]).scale;
        (scale.unit, scale.push)
    };
    // Both masses have 18 bits, of which each bit that is asked for leaves less for pushes, of 29 with 2 to spare.
    for (bits, asked) in [(0, 0), (1, 1), (2, 2), (3, 4), (10, 1 << 9), (14, 1 << 13)] {
        let expected = (-8, 29 - 8 - 2 - 18 - bits);
        for slip in [0, 1, 1 << 40] {
            assert_eq!(units(0, asked, slip), expected, "{asked}");
        }
        for friction_q16 in [1, 1 << 16] {
            assert_eq!(units(friction_q16, 0, asked), expected, "{asked}");
            assert_eq!(units(friction_q16, -asked, asked), expected, "{asked}");
        }
    }
    // Velocities of 31 bits in units of 9 bits have 22.
    assert_eq!(units(1, 0, 1 << 30), (9, 29 + 9 - 2 - 18 - 31));
    assert_eq!(units(0, 1 << 30, 1 << 50), (9, 29 + 9 - 2 - 18 - 31));
}

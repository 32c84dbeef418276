//! A row in a step: where nearly all of the work is.

use super::{AHEAD_BITS, Came, FRICTION_BITS, NARROW_BITS, Row, Sway, dot, nearest};

/// Pushes are cut to this before they are brought back to the cone, in each component.
pub(super) const FAR: i64 = 1 << 30;

/// What is asked for along the normal, in 2^-20, loses so many bits before it is multiplied.
pub(super) const MORE_BITS: u32 = 12;

/// The square of a normal is less far from 1 than 2 to minus this.
const CLEAR_BITS: u32 = 18;

impl Row {
    /// How fast the upper one moves away from the lower one where the row is, by the pushes; in 2^-20 units.
    #[inline(always)]
    pub(super) fn rate(&self, low: &[i64; 6], high: &[i64; 6]) -> [i64; 3] {
        // The levers of what no push moves are 0, and so are its velocities.
        let [a, b] = match self.is_round {
            true => [turns::<true>(&self.columns[0], low), turns::<true>(&self.columns[1], high)],
            false => [turns::<false>(&self.columns[0], low), turns::<false>(&self.columns[1], high)],
        };
        [0, 1, 2].map(|j: usize| b[j] - a[j] + high[j] - low[j])
    }

    /// Changes the push by what is asked for.
    #[inline(always)]
    pub(super) fn step(&mut self, sways: &mut [Sway], ahead: i64, push_max: i64, came: &mut Came) {
        let [low, high] = self.sides;
        let rate = self.rate(&sways[low as usize].end, &sways[high as usize].end);
        let push = self.push.map(i64::from);
        let (weight, shift) = (i64::from(self.weight), self.shift);
        let (mut from, mut to, mut asked) = ([0; 3], [0; 3], [0; 3]);
        for i in 0..3 {
            let rate = rate[i] + self.bias[i];
            from[i] = push[i] + round(self.went[i] * ahead, AHEAD_BITS);
            to[i] = from[i] - round(rate * weight, shift);
            asked[i] = round(rate, NARROW_BITS);
        }
        let along = dot(self.normal.map(i64::from), asked);
        let more = nearest((along >> MORE_BITS) * i64::from(self.more), self.shift - MORE_BITS);
        let to = self.on_cone(to, more, push_max);
        let d = [to[0] - push[0], to[1] - push[1], to[2] - push[2]];
        self.went = d;
        self.push = [to[0] as i32, to[1] as i32, to[2] as i32];
        if d[0] | d[1] | d[2] != 0 {
            self.add(d, sways);
        }
        // Most steps meet a row that is far at once.
        if came.is_solved {
            let is_far = |i: usize| (from[i] - to[i] + self.near) as u64 > 2 * self.near as u64;
            came.is_solved = !(is_far(0) | is_far(1) | is_far(2));
        }
        // What is absurdly large may wrap: it only says how far the next step goes ahead.
        let uphill = asked[0].wrapping_mul(d[0]).wrapping_add(asked[1].wrapping_mul(d[1]));
        came.uphill += i128::from(uphill.wrapping_add(asked[2].wrapping_mul(d[2])));
    }

    /// What of a push, less so much along the normal, does not pull, and needs no more friction than there is.
    #[inline(always)]
    pub(super) fn on_cone(&self, mut to: [i64; 3], less: i64, push_max: i64) -> [i64; 3] {
        if ((to[0] + FAR) | (to[1] + FAR) | (to[2] + FAR)) as u64 >= 2 * FAR as u64 {
            to = to.map(|c| c.clamp(-FAR, FAR));
        }
        let n = self.normal.map(i64::from);
        let along = nearest(dot(n, to), NARROW_BITS);
        let normal = (along - less).min(push_max);
        if normal <= 0 {
            return [0; 3];
        }
        let most = ((normal * i64::from(self.friction_q16)) >> FRICTION_BITS).min(2 * FAR);
        // Nearly the square of what is along the surface, for the normal is only nearly of length 1.
        let rest = dot(to, to) - along * along;
        if rest + ((along * along) >> CLEAR_BITS) <= most * most {
            return sum(to, n, normal - along);
        }
        let across = sum(to, n, -along);
        let square = dot(across, across);
        if square > most * most {
            return sum(shortened(across, most, square), n, normal);
        }
        sum(across, n, normal)
    }

    /// Adds what a change of the push does to both bodies.
    #[inline(always)]
    pub(super) fn add(&self, d: [i64; 3], sways: &mut [Sway]) {
        match self.is_round {
            true => self.add_to_both::<true>(d, sways),
            false => self.add_to_both::<false>(d, sways),
        }
    }

    #[inline(always)]
    fn add_to_both<const ROUND: bool>(&self, d: [i64; 3], sways: &mut [Sway]) {
        let [low, high] = self.sides;
        add_to::<ROUND, false>(&mut sways[high as usize].sum, &self.columns[1], d);
        if low != 0 {
            add_to::<ROUND, true>(&mut sways[low as usize].sum, &self.columns[0], d);
        }
    }
}

/// How fast a point of a body goes.
pub(super) fn carried(columns: &[[i32; 3]; 3], end: &[i64; 6]) -> [i64; 3] {
    let turned = turns::<false>(columns, end);
    [0, 1, 2].map(|j: usize| (end[j] << NARROW_BITS) + turned[j])
}

/// How fast it goes in the turn of the body; of a round one the numbers on the diagonal are 0 and left out.
#[inline(always)]
fn turns<const ROUND: bool>(columns: &[[i32; 3]; 3], end: &[i64; 6]) -> [i64; 3] {
    let mut rate = [0; 3];
    for j in 0..3 {
        let c = &columns[j];
        for k in 0..3 {
            if !(ROUND && j == k) {
                rate[j] += i64::from(c[k]) * end[3 + k];
            }
        }
    }
    rate
}

#[inline(always)]
fn add_to<const ROUND: bool, const LESS: bool>(sum: &mut [i64; 6], columns: &[[i32; 3]; 3], d: [i64; 3]) {
    for k in 0..3 {
        let mut turned = 0;
        for j in 0..3 {
            if !(ROUND && j == k) {
                turned += i64::from(columns[j][k]) * d[j];
            }
        }
        if LESS {
            sum[k] -= d[k];
            sum[3 + k] -= turned;
        } else {
            sum[k] += d[k];
            sum[3 + k] += turned;
        }
    }
}

/// To nearest, halves away from zero.
#[inline(always)]
pub(super) const fn round(number: i64, bits: u32) -> i64 {
    (number + (1 << (bits - 1)) + (number >> 63)) >> bits
}

/// A push and so much along a normal.
#[inline(always)]
const fn sum(push: [i64; 3], n: [i64; 3], along: i64) -> [i64; 3] {
    [
        push[0] + round(n[0] * along, NARROW_BITS),
        push[1] + round(n[1] * along, NARROW_BITS),
        push[2] + round(n[2] * along, NARROW_BITS),
    ]
}

/// What is left of a push along the surface that is longer than friction holds: each component toward zero.
fn shortened(across: [i64; 3], most: i64, square: i64) -> [i64; 3] {
    if most == 0 {
        return [0; 3];
    }
    let length = square.isqrt() + 1;
    // `most < length`, which is below 2^31.
    let part = (most << 30) / length;
    let less = |c: i64| (c * part) / (1 << 30);
    [less(across[0]), less(across[1]), less(across[2])]
}

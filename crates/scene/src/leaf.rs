//! Values that are kept as text, and read exactly.

use bitstep::{geom::Vec3, num::Scalar};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};

/// A value in the scene's text, not read yet: errors about it point at its position.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a>(&'a str);

/// Three decimals: `(x, y, z)`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub struct Vector<'a> {
    #[serde(borrow)]
    parts: [Leaf<'a>; 3],
}

/// An error in a value.
#[derive(Debug)]
pub struct Fault<'a> {
    /// The value.
    pub at: Leaf<'a>,
    /// Field, value and limit, in words.
    pub message: String,
}

impl<'de: 'a, 'a> Deserialize<'de> for Leaf<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(<&RawValue>::deserialize(deserializer)?.trim().get_ron()))
    }
}

impl<'a> Leaf<'a> {
    /// An error that points here.
    pub fn fault(self, message: impl Into<String>) -> Fault<'a> {
        Fault { at: self, message: message.into() }
    }

    /// The exact decimal, to the nearest raw.
    pub fn decimal(self, field: &str) -> Result<Scalar, Fault<'a>> {
        decimal_of(self.0).map_err(|reason| self.fault(format!("{field} is {}, {reason}", self.shown())))
    }

    /// A decimal between two limits, both included.
    pub fn decimal_in(self, field: &str, low: Scalar, high: Scalar) -> Result<Scalar, Fault<'a>> {
        let value = self.decimal(field)?;
        let fits = low <= value && value <= high;
        if fits {
            Ok(value)
        } else {
            Err(self.fault(format!("{field} is {value}, must be in {low}..={high}")))
        }
    }

    /// A whole number between two limits, both included.
    pub fn whole(self, field: &str, low: u64, high: u64) -> Result<u64, Fault<'a>> {
        let digits = self.0.replace('_', "");
        let value = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>());
        match value {
            Some(Ok(value)) if low <= value && value <= high => Ok(value),
            _ => {
                let message =
                    format!("{field} is {}, must be a whole number in {low}..={high}", self.shown());
                Err(self.fault(message))
            }
        }
    }

    /// A text in quotes.
    pub fn text(self, field: &str) -> Result<String, Fault<'a>> {
        let message = || format!("{field} is {}, must be a text in quotes", self.shown());
        ron::from_str(self.0).map_err(|_| self.fault(message()))
    }

    /// The value as text, shortened where it is long.
    fn shown(self) -> String {
        const LONGEST: usize = 40;
        match self.0.char_indices().nth(LONGEST) {
            None => self.0.to_owned(),
            Some((end, _)) => format!("{}...", &self.0[..end]),
        }
    }
}

impl<'a> Vector<'a> {
    /// The first component: the place for errors about the whole vector.
    pub const fn first(&self) -> Leaf<'a> {
        self.parts[0]
    }

    /// The exact decimals, each to the nearest raw.
    pub fn decimals(&self, field: &str) -> Result<Vec3, Fault<'a>> {
        let [x, y, z] = self.parts;
        Ok(Vec3::new(
            x.decimal(&format!("{field}.x"))?,
            y.decimal(&format!("{field}.y"))?,
            z.decimal(&format!("{field}.z"))?,
        ))
    }

    /// Decimals of at most `limit` in magnitude.
    pub fn decimals_within(&self, field: &str, limit: Scalar) -> Result<Vec3, Fault<'a>> {
        let vector = self.decimals(field)?;
        self.check_within(field, vector, limit, "")?;
        Ok(vector)
    }

    /// Checks the converted decimals against a limit on each axis.
    pub fn check_within(
        &self,
        field: &str,
        vector: Vec3,
        limit: Scalar,
        unit: &str,
    ) -> Result<(), Fault<'a>> {
        for ((axis, part), value) in
            ["x", "y", "z"].iter().zip(self.parts).zip([vector.x, vector.y, vector.z])
        {
            if value.to_bits().unsigned_abs() > limit.to_bits().unsigned_abs() {
                let message =
                    format!("{field}.{axis} is {value}{unit}, must be at most {limit}{unit} in magnitude");
                return Err(part.fault(message));
            }
        }
        Ok(())
    }

    /// Three whole numbers between two limits, both included.
    pub fn wholes(&self, field: &str, low: u64, high: u64) -> Result<[u64; 3], Fault<'a>> {
        let [x, y, z] = self.parts.map(|part| part.whole(field, low, high));
        Ok([x?, y?, z?])
    }
}

/// The number that a decimal text names: an optional sign, digits, an optional fraction. `_` may
/// stand between digits.
///
/// **Rounding**: to the nearest raw, ties to even; exact where the decimal has a finite binary
/// fraction of 32 bits.
///
/// # Errors
///
/// If the text is no such number, or does not fit in a [`Scalar`].
pub fn decimal_of(text: &str) -> Result<Scalar, &'static str> {
    const LONGEST: usize = 100;
    if text.len() > LONGEST || !is_decimal(text) {
        return Err("must be a decimal number such as 12.5 or -0.75, without an exponent");
    }
    text.replace('_', "").parse().map_err(|_| "must be below 2147483648 in magnitude")
}

fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
            && part.bytes().any(|byte| byte.is_ascii_digit())
    };
    digits(whole) && digits(fraction)
}

/// The line and the column of a value of this source, both from 1.
pub fn line_and_column(source: &str, leaf: Leaf<'_>) -> (u64, u64) {
    // A leaf borrows from the source, so the distance of the two addresses is its place in it.
    let offset = (leaf.0.as_ptr() as usize).saturating_sub(source.as_ptr() as usize);
    let before = source.get(..offset).unwrap_or_default();
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line as u64, column as u64)
}

//! The public number: 32 integer bits, 32 fraction bits.

use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

/// A fixed-point number with a resolution of 2^-32, about 2.3e-10.
///
/// One least bit is called *raw*. Positions and lengths are in units (a meter, if you like);
/// velocities are displacements per tick, so that a whole tick of motion is exact.
///
/// Whole numbers of up to 32 bits convert exactly, a literal is read by [`lit`], a text by `str::parse`.
///
/// ```
/// use bitstep::num::{Scalar, lit};
/// assert_eq!(Scalar::from(-7_i32), lit("-7"));
/// assert_eq!(Scalar::from(i32::MIN), Scalar::MIN);
/// assert_eq!("0.25".parse(), Ok(lit("0.25")));
/// ```
///
/// A game's state derives serde plainly, in options, lists and arrays, too. In binary formats a scalar is its raw integer, and
/// where two states differ it is shown as a decimal. In formats for people it is then `(bits: RAW)`;
/// `#[serde(with = "bitstep::num::scalar")]` writes a decimal there, and the same bytes in binary ones.
///
/// ```
/// use bitstep::num::Scalar;
/// #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
/// struct Player { stamina: Scalar, aim: Option<Scalar>, splits: Vec<Scalar>, keys: [Scalar; 2] }
/// ```
pub type Scalar = fixed::types::I32F32;

/// Number of fraction bits of a [`Scalar`].
pub const FRACTION_BITS: u32 = 32;

/// One unit in raw.
pub const ONE_RAW: i64 = 1 << FRACTION_BITS;

/// The name under which a scalar is written, by which a walk over a state knows one.
pub(crate) const WIRE_NAME: &str = "Scalar";

/// The name and the field under which the type's own serde writes a scalar. Other numbers of 64 bits from the crate `fixed` have the
/// same, whatever their point.
pub(crate) const PLAIN_NAME: &str = "FixedI64";
pub(crate) const PLAIN_FIELD: &str = "bits";

/// The number that a decimal literal names, exactly rounded, without a float on the way.
///
/// **Rounding**: to the nearest raw, ties to even.
///
/// # Panics
///
/// If the text is not a decimal number between -2^31 and 2^31. In a `const` this is a compile
/// error; for text from outside use `str::parse::<Scalar>`.
///
/// ```
/// use bitstep::num::{Scalar, lit};
/// const HALF: Scalar = lit("0.5");
/// assert_eq!(HALF + HALF, Scalar::ONE);
/// ```
#[must_use]
pub const fn lit(text: &str) -> Scalar {
    Scalar::lit(text)
}

/// Writes a scalar: decimal text in formats for people, the raw integer in binary ones.
///
/// # Errors
///
/// Whatever the serializer reports.
pub fn serialize<S: Serializer>(value: &Scalar, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.collect_str(value)
    } else {
        serializer.serialize_newtype_struct(WIRE_NAME, &value.to_bits())
    }
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
///
/// If a text is not a decimal number in range, or whatever the deserializer reports.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
    if deserializer.is_human_readable() {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    } else {
        i64::deserialize(deserializer).map(Scalar::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use bincode::{
        config::standard,
        serde::{decode_from_slice, encode_to_vec},
    };
    use std::fmt;

    use serde::{
        Deserialize, Serialize,
        de::{IntoDeserializer, value::Error},
    };

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Held(#[serde(with = "super")] Scalar);

    #[test]
    fn a_scalar_is_its_raw_integer_in_binary_formats() {
        for raw in [0, 1, -1, 1 << 32, i64::MAX, i64::MIN, 0x0123_4567_89AB_CDEF] {
            let held = Held(Scalar::from_bits(raw));
            let bytes = encode_to_vec(&held, standard().with_fixed_int_encoding()).unwrap();
            assert_eq!(bytes, raw.to_le_bytes());
            let (read, length): (Held, _) =
                decode_from_slice(&bytes, standard().with_fixed_int_encoding()).unwrap();
            assert_eq!((read, length), (held, 8));
        }
    }

    struct Shown(Scalar);

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            serialize(&self.0, f)
        }
    }

    #[test]
    fn a_scalar_is_a_decimal_in_text_formats() {
        for text in ["0", "-0.1000000001", "2147483647.5", "-2147483648"] {
            let scalar: Scalar = text.parse().unwrap();
            let read = |text: &str| deserialize::<_>(IntoDeserializer::<Error>::into_deserializer(text));
            assert_eq!(Shown(scalar).to_string().parse::<Scalar>(), Ok(scalar));
            assert_eq!(read(text), Ok(scalar));
        }
        let read = deserialize::<_>(IntoDeserializer::<Error>::into_deserializer("2147483648"));
        assert!(read.unwrap_err().to_string().contains("overflow"));
    }

    #[test]
    fn a_literal_is_the_nearest_raw() {
        assert_eq!(lit("0.1").to_bits(), 429_496_730);
        assert_eq!(lit("-0.1").to_bits(), -429_496_730);
        assert_eq!(lit("-2147483648").to_bits(), i64::MIN);
    }
}

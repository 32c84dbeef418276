//! The elements of an accessor: numbers in a buffer, by their bits.

use bitstep::shape::Mesh;

use super::document::{Accessor, BufferView, Document, entry};
use crate::bake::number::Number;

/// The component types by their numbers, with their sizes in bytes.
const UNSIGNED: [(u64, usize); 3] = [(5121, 1), (5123, 2), (5125, 4)];
const FLOAT: u64 = 5126;

/// The elements of an accessor within a buffer.
struct Elements<'b> {
    bytes: &'b [u8],
    stride: usize,
    count: usize,
}

/// The positions of an accessor.
pub struct Positions<'b> {
    index: u64,
    elements: Elements<'b>,
}

impl<'b> Positions<'b> {
    /// The positions of the accessor of this number.
    pub fn of(document: &Document<'_>, buffers: &'b [Vec<u8>], index: u64) -> Result<Self, String> {
        let accessor = entry(&document.accessors, "accessors", index)?;
        if accessor.component_type != FLOAT || accessor.form != "VEC3" {
            let (found, form) = (accessor.component_type, &accessor.form);
            return Err(format!(
                "accessors[{index}] is {form:?} of {found}, positions must be \"VEC3\" of {FLOAT}"
            ));
        }
        Ok(Self { index, elements: elements(document, buffers, index, 12)? })
    }

    pub fn count(&self) -> usize {
        self.elements.count
    }

    /// The position of an element, exactly. Exact numbers take much more than their floats: one position is worked with at a time.
    pub fn at(&self, at: usize) -> Result<[Number; 3], String> {
        let element = &self.elements.bytes[at * self.elements.stride..];
        let part = |axis: usize| {
            let bits = element[4 * axis..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
            let bits = bits.unwrap_or_default(); // every element has 12 bytes
            Number::of_float_bits(bits).ok_or_else(|| {
                let (index, axis) = (self.index, ["x", "y", "z"][axis]);
                format!(
                    "accessors[{index}], element {at}: {axis} is no finite number, its bits are {bits:08x}"
                )
            })
        };
        Ok([part(0)?, part(1)?, part(2)?])
    }
}

/// The places of corners of an accessor.
pub fn indices(document: &Document<'_>, buffers: &[Vec<u8>], index: u64) -> Result<Vec<u32>, String> {
    let accessor = entry(&document.accessors, "accessors", index)?;
    let size = UNSIGNED.iter().find(|(number, _)| *number == accessor.component_type);
    let (Some((_, size)), "SCALAR") = (size, accessor.form.as_str()) else {
        let (found, form) = (accessor.component_type, &accessor.form);
        return Err(format!(
            "accessors[{index}] is {form:?} of {found}, indices must be \"SCALAR\" of 5121, 5123 or 5125"
        ));
    };
    let elements = elements(document, buffers, index, *size)?;
    let corner = |at: usize| {
        let element = &elements.bytes[at * elements.stride..][..*size];
        element.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte))
    };
    Ok((0..elements.count).map(corner).collect())
}

/// The bytes of an accessor with elements of so many bytes; every count is checked against the bytes that are there.
fn elements<'b>(
    document: &Document<'_>,
    buffers: &'b [Vec<u8>],
    index: u64,
    size: usize,
) -> Result<Elements<'b>, String> {
    // Each corner of each triangle may have an index.
    const COUNT_MAX: u64 = 3 * Mesh::COUNT_MAX as u64;
    let Accessor { buffer_view, byte_offset, count, sparse, .. } =
        entry(&document.accessors, "accessors", index)?;
    if sparse.is_some() {
        return Err(format!("accessors[{index}] is sparse: export the model without"));
    }
    let view = buffer_view.ok_or_else(|| {
        format!("accessors[{index}] has no bufferView: export the model without compression")
    })?;
    if !(1..=COUNT_MAX).contains(count) {
        return Err(format!("accessors[{index}].count is {count}, must be in 1..={COUNT_MAX}"));
    }
    let BufferView { buffer, byte_offset: start, byte_length, byte_stride } =
        entry(&document.buffer_views, "bufferViews", view)?;
    let buffer = entry(buffers, "buffers", *buffer)?;
    let end = start.checked_add(*byte_length).and_then(|end| usize::try_from(end).ok());
    let bytes = end.and_then(|end| buffer.get(*start as usize..end)).ok_or_else(|| {
        format!(
            "bufferViews[{view}]: byteOffset {start} and byteLength {byte_length} end behind its buffer of {} bytes",
            buffer.len()
        )
    })?;
    let stride = byte_stride.unwrap_or(size as u64);
    if !(size as u64..=252).contains(&stride) {
        return Err(format!("bufferViews[{view}].byteStride is {stride}, must be in {size}..=252"));
    }
    // The count is at most 2^24 and the stride below 2^8.
    let needed = (count - 1) * stride + size as u64;
    let fits = byte_offset.checked_add(needed).is_some_and(|end| end <= bytes.len() as u64);
    if !fits {
        return Err(format!(
            "accessors[{index}]: count {count} from byteOffset {byte_offset} ends behind its view of {} bytes",
            bytes.len()
        ));
    }
    Ok(Elements { bytes: &bytes[*byte_offset as usize..], stride: stride as usize, count: *count as usize })
}

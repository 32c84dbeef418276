//! The overlap of two boxes in time.

use super::Slots;

/// The overlap of two boxes in time, and whether it is certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Meeting {
    /// The slots that they have in common.
    pub slots: Slots,
    /// True if both hold for the whole tick and their exact boxes certainly touch; otherwise only the rounded
    /// ones are known to touch.
    pub is_certain: bool,
}

impl Meeting {
    /// The meeting of boxes that hold in some slots each, with their overlap deep or not.
    pub(super) fn of(a: Slots, b: Slots, is_deep: bool) -> Self {
        let slots = a.both(b);
        Self { slots, is_certain: slots == Slots::ALL && is_deep }
    }
}

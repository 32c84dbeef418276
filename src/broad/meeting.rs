//! When two boxes meet.

use super::Slots;

/// When two boxes meet, and whether that is certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Meeting {
    /// The slots that they have in common.
    pub slots: Slots,
    /// True if both hold for the whole tick and their exact boxes touch for certain; of others it is
    /// known that the rounded ones do.
    pub is_certain: bool,
}

impl Meeting {
    /// The meeting of boxes that hold in some slots each, and overlap deeply or not.
    pub(super) fn of(a: Slots, b: Slots, is_deep: bool) -> Self {
        let slots = a.both(b);
        Self { slots, is_certain: slots == Slots::ALL && is_deep }
    }
}

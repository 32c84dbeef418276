//! Capsules against everything, as worked by hand.

//! What the protocol costs.

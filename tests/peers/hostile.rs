//! Messages that nobody honest sent.

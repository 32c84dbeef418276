//! A terminal to play in: raw mode, keys, and pictures of half blocks. Nothing here reaches a state.

mod canvas;
mod keys;
mod picture;
mod screen;

pub use keys::{Board, Keyboard};
pub use screen::Screen;

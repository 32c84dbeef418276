//! A terminal to drive in: raw mode, keys, and pictures of half blocks. Nothing here reaches a state.

mod camera;
mod canvas;
mod keys;
mod picture;
mod screen;

pub use canvas::Canvas;
pub use keys::{Keyboard, Pressed};
pub use picture::{Painter, time};
pub use screen::Screen;

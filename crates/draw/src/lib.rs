#![doc = include_str!("../README.md")]

mod frame;
mod pose;
mod wireframe;

pub use frame::Frame;
pub use pose::{Pose, number, vector};
pub use wireframe::{Line, Wireframe};

//! What physics promises: momentum, energy, exact impacts, fair space. One file per law.
#![allow(missing_docs)]

mod blows;
mod bounces;
mod capsules;
mod carried;
mod commands;
mod dead;
mod energy;
mod events;
mod filters;
mod flat;
mod flight;
mod game;
mod gas;
mod halts;
mod ids;
mod impacts;
mod kinematics;
mod landings;
mod listeners;
mod locks;
mod materials;
mod nets;
mod overlaps;
mod piles;
mod rest;
mod rods;
mod sceneries;
#[path = "../support/shrink/mod.rs"]
#[allow(dead_code)]
mod shrink;
mod shrinks;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod symmetry;
#[path = "../../fuzz/bodies/world/laws.rs"]
#[allow(dead_code)]
mod tick_laws;
mod ties;
mod tunnels;

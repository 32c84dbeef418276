//! The laws of the physics: momentum, energy, exact impacts, fair space. One file per law.
#![allow(missing_docs)]

mod angular;
mod bounces;
mod capsules;
mod carried;
mod chaos;
mod child_shapes;
mod child_shapes_as_bodies;
mod child_shapes_by_hand;
mod commands;
mod compounds;
mod compounds_by_hand;
mod corners;
mod crossing;
mod dice;
mod digs;
mod dominoes;
#[cfg(feature = "arbitrary")]
mod drawn;
mod drives;
mod duets;
mod energy;
mod events;
mod filters;
mod flat;
mod flat_turning;
mod flight;
mod freezes;
mod game;
mod gas;
mod grounds;
mod halts;
mod hulls;
mod ids;
mod ignored_pairs;
mod impacts;
mod impacts_on_contacts;
mod impulses;
mod inelastic;
mod kinematics;
mod landings;
mod listeners;
mod locks;
mod materials;
mod meshes;
mod nets;
mod on_hits;
mod one_ways;
mod one_ways_drawn;
mod one_ways_on_meshes;
mod overlaps;
mod piles;
mod rare_ticks;
mod rest;
mod rods;
mod rules;
mod sceneries;
mod seams;
mod settling;
mod shows;
mod shows_loads;
mod shows_piles;
mod shows_rebounds;
mod shows_slopes;
mod shows_stands;
#[path = "../support/shrink/mod.rs"]
#[allow(dead_code)]
mod shrink;
mod shrinks;
mod sleeps;
mod sleeps_by_hand;
mod soft;
mod soft_among_solids;
mod soft_by_hand;
mod spins;
mod steps;
mod stills;
mod stress;
mod strikes;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod symmetry;
#[path = "../../fuzz/bodies/world/laws.rs"]
#[allow(dead_code)]
mod tick_laws;
mod ties;
mod tracks;
mod tumblers;
mod tunnels;
mod turn_locks;
mod turning;
mod turning_copies;
mod turning_ids;
mod turning_overlaps;
mod turning_space;
mod turntables;
mod walks;
mod walks_by_hand;
mod walks_drawn;
mod wedged;

//! The bitstep program: run scenes, bake meshes, sweep single pairs, and the work with recordings that every program of
//! this library does.
//!
//! Exit codes: 0 all is well, 1 a recording and its re-run differ, 2 bad input or arguments.

mod bake;
mod demo;
mod files;
mod introduce;
mod picture;
mod profile;
mod run;
mod summary;
mod sweep;

use std::{ffi::OsStr, process::ExitCode};

use anyhow::Result;
use bitstep::World;
use bitstep_program::{EXIT_CODES, Ending};
use clap::{Parser, Subcommand};

/// Deterministic fixed-point 3D physics: the same bits everywhere, nothing passes through
/// anything, recordings that verify.
#[derive(Parser)]
#[command(version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Show what there is: three recordings with their pages, and a wrong bit that is found
    Demo(demo::Demo),
    /// Simulate a scene, record it, and check that the recording re-simulates to the bit
    Run(run::Run),
    /// Bake a model in OBJ or glTF into a mesh file for scenes, and say what was found in it
    ///
    /// Scenes have the file as `mesh(file: "level.mesh")`. Coordinates are rounded once, to the nearest 2^-16 unit; polygons of OBJ are cut
    /// into fans around their first corner. The mesh file is what to share: a model may be exported otherwise the next time.
    Bake(bake::Bake),
    #[command(flatten)]
    Recordings(bitstep_program::Subcommands),
    /// Answer questions about two shapes, one per line of JSON or RON: exact times of contact, overlap,
    /// closest points
    Sweep(sweep::Sweep),
}

impl Arguments {
    /// Those of a command, without the program's name.
    fn of(line: &[&OsStr]) -> std::result::Result<Self, clap::Error> {
        Self::try_parse_from(std::iter::once(&OsStr::new("bitstep")).chain(line))
    }

    fn execute(self) -> Result<Ending> {
        match self.command {
            None => introduce::introduce(),
            Some(Subcommands::Demo(demo)) => demo.run(),
            Some(Subcommands::Run(run)) => run.run(),
            Some(Subcommands::Bake(bake)) => bake.run(),
            Some(Subcommands::Recordings(recordings)) => recordings.run::<World>(),
            Some(Subcommands::Sweep(sweep)) => sweep.run(),
        }
    }
}

fn main() -> ExitCode {
    bitstep_program::finish("bitstep", Arguments::parse().execute())
}

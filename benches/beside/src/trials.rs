//! Scenes with one figure each, at several rates: dominoes, the seams of a floor of tiles, a turntable.

use glam::DVec3;
use serde::Serialize;

use crate::{
    decimal,
    engines::{Entrant, Moment},
    scenes::{self, Scene, trials},
    timing::Run,
};

#[cfg(test)]
mod tests;

/// The figures of one engine, by rate.
#[derive(Serialize)]
pub struct Trial {
    pub scene: String,
    pub engine: &'static str,
    /// What the figure says.
    pub figure: &'static str,
    /// Ticks per second, and the figure there; `None` where it is never reached.
    pub by_rate: Vec<(u32, Option<f64>)>,
}

/// A question to a scene.
struct Question {
    /// The beginning of the scene's name.
    kind: &'static str,
    /// All of the names if the kind is asked for as a whole.
    scenes: &'static [&'static str],
    figures: &'static [&'static str],
    rates: &'static [u32],
    answer: fn(Run, &Scene) -> Vec<Option<f64>>,
}

const QUESTIONS: [Question; 3] = [
    Question {
        kind: "dominoes",
        scenes: &["dominoes"],
        figures: &["seconds until all have fallen"],
        rates: &[30, 60, 120, 240, 480],
        answer: fall,
    },
    Question {
        kind: "seams",
        scenes: &[
            "seams-locked:40",
            "seams-locked:150",
            "seams-boxes:40",
            "seams-boxes:150",
            "seams-balls:100",
            "seams-balls:300",
            "seams-none:100",
        ],
        figures: &["lanes of 12 in which it crosses 11 seams", "least part of the speed left there"],
        rates: &[20, 30, 60, 120, 240],
        answer: speed_kept,
    },
    Question {
        kind: "turntable",
        scenes: &["turntable"],
        figures: &["growth of the radius in 5 s, in percent"],
        rates: &[20, 30, 60, 120],
        answer: drift,
    },
];

/// The scenes of a name such as `seams` or `seams-balls:100`; none if it names no trial.
pub fn scenes(name: &str) -> Vec<String> {
    let Some(question) = question(name) else { return Vec::new() };
    if name == question.kind {
        return question.scenes.iter().map(|&name| name.to_owned()).collect();
    }
    if scenes::scene(name).is_some() { vec![name.to_owned()] } else { Vec::new() }
}

fn question(name: &str) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| name.split(['-', ':', '@']).next() == Some(question.kind))
}

/// Puts every engine on trial in a scene that [`scenes`] has named, at the rates of its kind or at its own.
pub fn run(name: &str, entrants: &[Entrant]) -> Vec<Trial> {
    let Some(question) = question(name) else { return Vec::new() };
    let (plain, rates) = match name.split_once('@') {
        Some((plain, rate)) => (plain, vec![rate.parse().expect("a rate")]),
        None => (name, question.rates.to_vec()),
    };
    let answers = |entrant: &Entrant| {
        let answer = |&rate: &u32| {
            let scene = scenes::scene(&format!("{plain}@{rate}")).expect("a trial");
            (rate, (question.answer)(Run::new(*entrant, &scene), &scene))
        };
        rates.iter().map(answer).collect::<Vec<_>>()
    };
    let answers: Vec<_> = entrants.iter().map(|entrant| (entrant, answers(entrant))).collect();
    let trial = |index: usize, figure: &'static str| {
        answers.iter().map(move |(entrant, by_rate)| Trial {
            scene: plain.to_owned(),
            engine: entrant.name,
            figure,
            by_rate: by_rate.iter().map(|(rate, figures)| (*rate, figures[index])).collect(),
        })
    };
    question.figures.iter().enumerate().flat_map(|(index, figure)| trial(index, figure)).collect()
}

/// The time until all plates lean by more than 60 degrees.
fn fall(mut run: Run, scene: &Scene) -> Vec<Option<f64>> {
    const SECONDS: u32 = 20;
    let lies = |moment: &Moment| (moment.orientation * DVec3::Z).z < 0.5;
    while run.ticks < SECONDS * scene.rate {
        run.play_to(run.ticks + 1);
        if run.engine.read().iter().all(lies) {
            return vec![Some(f64::from(run.ticks) / f64::from(scene.rate))];
        }
    }
    vec![None]
}

/// How many bodies come over the last seam in twice the time that it takes at their speed, and the least part of
/// it that any of these has then.
fn speed_kept(mut run: Run, scene: &Scene) -> Vec<Option<f64>> {
    let end = (trials::TILE * (trials::SEAMS + 1) - 1) as f64; // a unit behind the last one
    let mut kept = vec![None; scene.bodies.len()];
    let speed = run.engine.read()[0].velocity.x;
    let ticks = 2.0 * end / speed * f64::from(scene.rate);
    while kept.contains(&None) && f64::from(run.ticks) < ticks {
        run.play_to(run.ticks + 1);
        for (moment, kept) in run.engine.read().into_iter().zip(&mut kept) {
            let arrived = (moment.position.x > end).then_some(moment.velocity.x / speed);
            *kept = kept.or(arrived);
        }
    }
    let arrived = || kept.iter().flatten().copied();
    vec![Some(arrived().count() as f64), arrived().reduce(f64::min)]
}

/// By how much farther from its axis a body is after 5 seconds on a turntable.
fn drift(mut run: Run, scene: &Scene) -> Vec<Option<f64>> {
    run.play_to(5 * scene.rate);
    let radius = run.engine.read()[0].position.truncate().length();
    vec![Some((radius / decimal(trials::RIM) - 1.0) * 100.0)]
}

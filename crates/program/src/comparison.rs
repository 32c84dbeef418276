//! The output of a comparison, for people and in JSON.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::output::{Screen, Tone, count, program};
use bitstep::{
    replay::{Agreement, Comparison, Judgement, Player, Replay},
    session::{LoggedCommand, LoggedDraw, Origin, Simulation},
    snapshot::{Difference, Value},
};

/// Number of fields, inputs and commands that are listed in full.
const SHOWN: usize = 8;

/// The files of both sides; without the second it is another run.
pub type Names<'a> = [Option<&'a Path>; 2];

/// The game's name of the body that a difference is in: of the first recording that has one, after the tick or else before it.
pub fn body_name<S: Simulation>(replays: &[&Replay<S>], comparison: &Comparison) -> Option<String> {
    let slot: u32 = body_of(&comparison.difference.as_ref()?.path)?.parse().ok()?;
    let tick = comparison.tick?;
    replays.iter().find_map(|replay| {
        let after = tick.checked_sub(replay.initial_state().tick_count())?;
        let mut player = Player::with_budget(replay, 0);
        [Some(after), after.checked_sub(1)].into_iter().flatten().find_map(|ticks| {
            let state = player.seek(ticks).ok()?;
            let (body, _) = state.world().bodies().find(|(body, _)| body.slot() == slot)?;
            state.body_name(body)
        })
    })
}

/// Prints a comparison: the verdict first, then the place, both values, and the inputs of the tick. `body` is the name of the body that
/// differs.
pub fn show(
    screen: &mut Screen,
    comparison: &Comparison,
    names: Names<'_>,
    body: Option<&str>,
) -> Result<()> {
    let tone = if comparison.judgement == Judgement::Same { Tone::Good } else { Tone::Bad };
    let verdict = screen.paint(tone, &comparison.judgement.to_string());
    let meaning = match (comparison.judgement, names[1]) {
        (Judgement::Same, None) => "this build, run again, comes to what was recorded",
        (judgement, _) => meaning(judgement),
    };
    screen.line(format!("{verdict}: {meaning}"))?;
    place(screen, comparison, body)?;
    values(screen, comparison, names)?;
    if comparison.tick.is_some() {
        inputs(screen, comparison)?;
        commands(screen, comparison)?;
        draws(screen, comparison)?;
        screen.fact("judged", agreement(comparison.rerun, names))?;
    }
    for note in &comparison.notes {
        screen.fact("note", with_names(note, names))?;
    }
    suggest(screen, comparison, names)
}

/// The meaning of a verdict, in a few words.
pub const fn meaning(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Same => "in the ticks that both have",
        Judgement::Content => "rules, scenery, limits or the state that they begin with",
        Judgement::Inputs => "a tick was given other inputs",
        Judgement::GameState => "the game's own state diverges first",
        Judgement::Physics => "the bodies diverge first, under the same commands",
        Judgement::NotReproducible => "this build does not come to what was recorded",
    }
}

fn place(screen: &mut Screen, comparison: &Comparison, body: Option<&str>) -> Result<()> {
    let Comparison { tick, phase, difference, .. } = comparison;
    if let Some(tick) = tick {
        let phase = phase.as_ref().map_or(String::new(), |phase| format!(", after {phase}"));
        screen.fact("tick", format!("{tick}{phase}"))?;
    }
    let Some(Difference { path, .. }) = difference else { return Ok(()) };
    match body_of(path) {
        None => screen.fact("field", path),
        Some(slot) => {
            let name = body.map_or(String::new(), |name| format!(", {name}"));
            screen.fact("field", format!("{path}, of the body in slot {slot}{name}"))
        }
    }
}

/// The slot that a path leads into.
pub fn body_of(path: &str) -> Option<&str> {
    let (slot, rest) = path.strip_prefix("slots[")?.split_once(']')?;
    rest.starts_with(".body").then_some(slot)
}

fn values(screen: &mut Screen, comparison: &Comparison, names: Names<'_>) -> Result<()> {
    let Some(difference) = &comparison.difference else { return Ok(()) };
    let names = names.map(name_of);
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let values = [&difference.left, &difference.right].map(Option::as_ref);
    let decimals = values.map(decimal);
    let decimal_width = decimals.iter().map(String::len).max().unwrap_or(0);
    for ((name, value), decimal) in names.iter().zip(values).zip(&decimals) {
        let line = match raw(value) {
            Some(raw) => format!("{name:<width$}  {decimal:<decimal_width$}  raw {raw}"),
            None => format!("{name:<width$}  {decimal}"),
        };
        screen.fact("", line)?;
    }
    further(screen, &comparison.further)
}

/// The other fields, which follow or came at once.
fn further(screen: &mut Screen, fields: &[Difference]) -> Result<()> {
    for (index, field) in fields.iter().take(SHOWN).enumerate() {
        screen.fact(if index == 0 { "also" } else { "" }, field.to_string())?;
    }
    let more = fields.len().saturating_sub(SHOWN);
    if more > 0 { screen.fact("", format!("and {} more fields", count(more as u64))) } else { Ok(()) }
}

pub fn decimal(value: Option<&Value>) -> String {
    match value {
        None => "(no field)".to_owned(),
        Some(Value::Fixed(value)) => value.to_string(),
        Some(value) => value.to_string(),
    }
}

fn raw(value: Option<&Value>) -> Option<i64> {
    match value {
        Some(Value::Fixed(value)) => Some(value.to_bits()),
        _ => None,
    }
}

fn inputs(screen: &mut Screen, comparison: &Comparison) -> Result<()> {
    let [left, right] = &comparison.inputs;
    if left.is_empty() && right.is_empty() {
        return screen.fact("inputs", "none in this tick");
    }
    rows(screen, "inputs", left, right)
}

fn commands(screen: &mut Screen, comparison: &Comparison) -> Result<()> {
    let text = |given: &LoggedCommand| format!("{:?}{}", given.command, from(given.origin.as_ref()));
    let [left, right] = comparison.commands.each_ref().map(|row| row.iter().map(text).collect::<Vec<_>>());
    // A world's commands are its inputs, which were shown already.
    let is_known =
        [&left, &right].iter().zip(&comparison.inputs).all(|(commands, inputs)| *commands == inputs);
    if is_known || (left.is_empty() && right.is_empty()) {
        return Ok(());
    }
    rows(screen, "commands", &left, &right)
}

/// The random draws, if they differ.
fn draws(screen: &mut Screen, comparison: &Comparison) -> Result<()> {
    let drawn = |row: &[LoggedDraw]| row.iter().map(|draw| (draw.purpose, draw.id)).collect::<Vec<_>>();
    let [left, right] = &comparison.draws;
    if drawn(left) == drawn(right) {
        return Ok(());
    }
    let text = |LoggedDraw { purpose, id, origin }: &LoggedDraw| {
        format!("purpose {purpose}, id {id}{}", from(origin.as_ref()))
    };
    let [left, right] = [left, right].map(|row| row.iter().map(text).collect::<Vec<_>>());
    rows(screen, "draws", &left, &right)
}

/// Two lists: once where they are the same, by sides from the first difference.
fn rows(screen: &mut Screen, label: &str, left: &[String], right: &[String]) -> Result<()> {
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let is_same = same == left.len() && same == right.len();
    let mut label = label;
    // An equal part is shown from its end where a difference follows.
    let shown = if is_same { 0 } else { same.saturating_sub(2) };
    if shown > 0 {
        screen.fact(label, format!("{} the same, then", count(shown as u64)))?;
        label = "";
    }
    for (index, text) in left.iter().enumerate().take(same).skip(shown).take(SHOWN) {
        screen.fact(label, format!("{index}  {text}"))?;
        label = "";
    }
    if is_same {
        let more = same.saturating_sub(SHOWN);
        return if more > 0 { screen.fact("", format!("and {} more", count(more as u64))) } else { Ok(()) };
    }
    for (side, row) in [("left ", left), ("right", right)] {
        let texts = row.iter().enumerate().skip(same).take(SHOWN / 2);
        for (index, text) in texts {
            screen.fact(label, format!("{index}  {side}  {text}"))?;
            label = "";
        }
        let more = row.len().saturating_sub(same + SHOWN / 2);
        match (row.len() - same, more) {
            (0, _) => screen.fact(label, format!("{same}  {side}  none"))?,
            (_, 0) => {}
            _ => screen.fact("", format!("   {side}  and {} more", count(more as u64)))?,
        }
        label = "";
    }
    Ok(())
}

fn from(origin: Option<&Origin>) -> String {
    origin.map_or_else(String::new, |Origin { file, line }| format!("  at {file}:{line}"))
}

fn name_of(name: Option<&Path>) -> String {
    name.map_or_else(|| "another run".to_owned(), |name| name.display().to_string())
}

/// A sentence about left and right, in which they have names.
pub fn with_names(note: &str, [left, right]: Names<'_>) -> String {
    note.replace("the left", &name_of(left)).replace("the right", &name_of(right))
}

fn agreement(agreement: Agreement, names: Names<'_>) -> String {
    match agreement {
        // The right is that other run.
        Agreement::Right if names[1].is_none() => {
            format!("this build, run again, does not come to what {} says", name_of(names[0]))
        }
        agreement => with_names(&agreement.to_string(), names),
    }
}

fn suggest(screen: &mut Screen, comparison: &Comparison, [left, right]: Names<'_>) -> Result<()> {
    let (Some(tick), Some(left)) = (comparison.tick, left) else { return Ok(()) };
    let (program, left) = (program(), left.display());
    screen.line("")?;
    screen.line(screen.paint(Tone::Bold, "Try next"))?;
    if let Some(right) = right {
        screen.line(format!("  {program} diff {left}"))?;
        return screen.line(format!("  {program} diff {}", right.display()));
    }
    screen.line(format!("  {program} show {left} --tree {tick}"))?;
    screen.line(format!("  {program} clip {left} --tick {tick} --test"))
}

/// A comparison for machines; values with their raw integers as strings.
pub fn to_json(comparison: &Comparison, names: Names<'_>, body: Option<&str>) -> Json {
    let commands = comparison.commands.each_ref().map(|row| row.iter().map(command_json).collect::<Vec<_>>());
    let draws = comparison.draws.each_ref().map(|row| row.iter().map(draw_json).collect::<Vec<_>>());
    json!({
        "left": names[0].map(|name| name.display().to_string()),
        "right": names[1].map(|name| name.display().to_string()),
        "verdict": comparison.judgement.to_string(),
        "tick": comparison.tick,
        "phase": comparison.phase,
        "difference": comparison.difference.as_ref().map(difference_json),
        "body": body,
        "further": comparison.further.iter().map(difference_json).collect::<Vec<_>>(),
        "inputs": comparison.inputs,
        "commands": commands,
        "draws": draws,
        "rerun": comparison.rerun.to_string(),
        "notes": comparison.notes,
    })
}

fn difference_json(Difference { path, left, right }: &Difference) -> Json {
    let side = |value: &Option<Value>| {
        let value = value.as_ref()?;
        let raw = raw(Some(value)).map(|raw| raw.to_string());
        Some(json!({ "value": decimal(Some(value)), "raw": raw }))
    };
    json!({ "path": path, "left": side(left), "right": side(right) })
}

fn command_json(LoggedCommand { command, origin }: &LoggedCommand) -> Json {
    json!({ "command": format!("{command:?}"), "origin": origin_json(origin.as_ref()) })
}

fn draw_json(LoggedDraw { purpose, id, origin }: &LoggedDraw) -> Json {
    json!({ "purpose": purpose, "id": id, "origin": origin_json(origin.as_ref()) })
}

fn origin_json(origin: Option<&Origin>) -> Json {
    origin.map_or(Json::Null, |Origin { file, line }| json!({ "file": file, "line": line }))
}

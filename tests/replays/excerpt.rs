//! The first difference of two traces.

use std::collections::BTreeMap;

use similar::{ChangeTag, TextDiff};

/// The first differing parts of two traces.
#[derive(PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The lines before the first tick and behind the last one, where those differ: `-` reviewed, `+` found.
    pub ends: Option<String>,
    /// The first tick that differs, and its lines.
    pub tick: Option<(u64, String)>,
    /// The number of other ticks that differ.
    pub others: usize,
}

/// The most lines of a tick that are shown.
const SHOWN: usize = 24;

/// Where a line of a trace belongs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Start,
    Tick(u64),
    End,
}

/// The first difference of two traces; `None` where they are the same.
pub fn differences(reviewed: &str, found: &str) -> Option<Excerpt> {
    let sides = [parts(reviewed), parts(found)];
    let lines = |side: usize, part: &Part| sides[side].get(part).cloned().unwrap_or_default();
    let mut differing: Vec<Part> = sides.iter().flat_map(BTreeMap::keys).copied().collect();
    differing.sort_unstable();
    differing.dedup();
    differing.retain(|part| lines(0, part) != lines(1, part));
    if differing.is_empty() {
        return None;
    }
    let changed = |part: &Part| diff(&lines(0, part), &lines(1, part));
    let is_tick = |part: &&Part| matches!(part, Part::Tick(_));
    let ends: String = differing.iter().filter(|part| !is_tick(part)).map(changed).collect();
    let mut ticks = differing.iter().filter(is_tick);
    let tick = ticks.next().and_then(|part| Some((part.tick()?, changed(part))));
    Some(Excerpt { ends: (!ends.is_empty()).then_some(ends), tick, others: ticks.count() })
}

/// The lines of one tick of a trace.
pub fn lines_of(trace: &str, tick: u64) -> String {
    let lines = trace.lines().filter(|line| part(line) == Part::Tick(tick));
    let lines: Vec<String> = lines.map(|line| format!("      {line}\n")).collect();
    if lines.is_empty() { "      (none)\n".to_owned() } else { cut(lines) }
}

/// The lines of a trace up to a tick, without the last line, which is that of its end.
pub fn up_to(trace: &str, last: u64) -> String {
    let is_kept = |line: &&str| part(line) <= Part::Tick(last);
    trace.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

impl Part {
    fn tick(self) -> Option<u64> {
        if let Self::Tick(tick) = self { Some(tick) } else { None }
    }
}

/// The lines of each part.
fn parts(trace: &str) -> BTreeMap<Part, Vec<&str>> {
    let mut parts = BTreeMap::<_, Vec<_>>::new();
    for line in trace.lines() {
        parts.entry(part(line)).or_default().push(line);
    }
    parts
}

fn part(line: &str) -> Part {
    let tick = line.strip_prefix("tick ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    match tick {
        Some(tick) => Part::Tick(tick),
        None if line.starts_with("end ") => Part::End,
        None => Part::Start,
    }
}

fn diff(reviewed: &[&str], found: &[&str]) -> String {
    let diff = TextDiff::from_slices(reviewed, found);
    let lines = diff
        .iter_all_changes()
        .map(|change| {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            format!("    {sign} {}\n", change.value())
        })
        .collect();
    cut(lines)
}

/// The first lines of a tick, and the number of the others.
fn cut(mut lines: Vec<String>) -> String {
    let more = lines.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.truncate(SHOWN);
        lines.push(format!("      and {more} more lines of this tick\n"));
    }
    lines.concat()
}

#[test]
fn the_excerpt_is_the_first_tick_that_differs() {
    let reviewed = "rules 1\nstart  9 bytes\ntick 7  a\ntick 7  b\ntick 60  sum 1\nend  sum 2\n";
    assert_eq!(differences(reviewed, reviewed), None);
    let found = "rules 1\nstart  9 bytes\ntick 7  a\ntick 7  c\ntick 8  new\ntick 60  sum 3\nend  sum 4\n";
    let excerpt = differences(reviewed, found).unwrap();
    assert_eq!(excerpt.tick, Some((7, "      tick 7  a\n    - tick 7  b\n    + tick 7  c\n".to_owned())));
    assert_eq!(excerpt.others, 2);
    assert_eq!(excerpt.ends.unwrap(), "    - end  sum 2\n    + end  sum 4\n");
    // A head that differs hides no tick.
    let found = reviewed.replace("rules 1", "rules 2").replace("sum 1", "sum 5");
    let excerpt = differences(reviewed, &found).unwrap();
    assert_eq!((excerpt.tick.unwrap().0, excerpt.others), (60, 0));
    assert_eq!(excerpt.ends.unwrap(), "    - rules 1\n    + rules 2\n      start  9 bytes\n");
    // A line that is there on one side alone.
    let excerpt = differences(reviewed, &reviewed.replace("tick 60  sum 1\n", "")).unwrap();
    assert_eq!((excerpt.tick, excerpt.ends), (Some((60, "    - tick 60  sum 1\n".to_owned())), None));
}

#[test]
fn a_tick_with_many_lines_is_cut() {
    let trace: String = (0..30).map(|line| format!("tick 7  line {line}\n")).collect();
    let lines = lines_of(&trace, 7);
    assert_eq!(lines.lines().count(), SHOWN + 1);
    assert!(lines.ends_with("      tick 7  line 23\n      and 6 more lines of this tick\n"), "{lines}");
    assert_eq!(lines_of(&trace, 8), "      (none)\n");
}

#[test]
fn a_trace_is_cut_behind_a_tick() {
    let trace = "rules 1\nstart  9 bytes\ntick 7  a\ntick 60  sum 1\ntick 61  b\nend  sum 2\n";
    assert_eq!(up_to(trace, 60), "rules 1\nstart  9 bytes\ntick 7  a\ntick 60  sum 1\n");
    assert_eq!(up_to(trace, 6), "rules 1\nstart  9 bytes\n");
}

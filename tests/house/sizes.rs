//! Files that fit in a head, functions that fit on a screen, calls that fit on a line.

use crate::source::{Kind, Source, Token, past_group, root, sources_under};

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;
/// Besides `self`; those in the pattern of a tuple count one by one.
const PARAMETERS_MAX: usize = 5;
/// The folder whose functions may take one more in a tuple: the next contact solver replaces it.
const EXEMPT: &str = "src/tick/contact/rest/";

/// What is too large in one file.
fn complaints(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    let mut found = Vec::new();
    let lines = source.text.lines().count();
    if lines > FILE_LINES_MAX {
        found.push(format!("{path}: {lines} lines, at most {FILE_LINES_MAX}"));
    }
    for function in functions(source.tokens()) {
        let Function { name, line, lines, parameters } = function;
        if lines > FUNCTION_LINES_MAX {
            found.push(format!("{path}:{line}: `{name}` has {lines} lines, at most {FUNCTION_LINES_MAX}"));
        }
        if parameters > PARAMETERS_MAX + usize::from(path.starts_with(EXEMPT)) {
            found.push(format!(
                "{path}:{line}: `{name}` takes {parameters} parameters, at most {PARAMETERS_MAX}"
            ));
        }
    }
    found
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
    parameters: usize,
}

/// Every function with a name, nested ones too.
fn functions(row: &[Token]) -> Vec<Function> {
    let begins =
        |at: &usize| row[*at].is("fn") && row.get(at + 1).is_some_and(|next| next.kind == Kind::Ident);
    (0..row.len()).filter(begins).map(|at| function(row, at)).collect()
}

fn function(row: &[Token], at: usize) -> Function {
    let open = first_outside_angles(row, at, "(");
    let close = past_group(row, open);
    let end =
        (close..row.len()).find(|&next| row[next].is("{") || row[next].is(";")).unwrap_or(row.len() - 1);
    let last = if row[end].is("{") { past_group(row, end) - 1 } else { end };
    Function {
        name: row[at + 1].text.clone(),
        line: row[at].line,
        lines: row[last].line - row[at].line + 1,
        parameters: count_parameters(&row[open + 1..close - 1]),
    }
}

/// The next such token that is not among generic parameters.
fn first_outside_angles(row: &[Token], from: usize, text: &str) -> usize {
    let mut angles = 0;
    for at in from..row.len() {
        if angles == 0 && row[at].is(text) {
            return at;
        }
        angles += angle(row, at);
    }
    row.len() - 1
}

/// How a token changes the depth of angle brackets; the head of an arrow does not.
fn angle(row: &[Token], at: usize) -> i32 {
    match row[at].text.as_str() {
        "<" => 1,
        ">" if at > 0 && !row[at - 1].is("-") => -1,
        _ => 0,
    }
}

/// The number of parameters; those that a tuple takes in its pattern count one by one.
fn count_parameters(list: &[Token]) -> usize {
    let begins = |at: usize| at == 0 || list[at - 1].is(",");
    let is_tuple = |at: &usize| list[*at].is("(") && begins(*at);
    let tuples = (0..list.len()).filter(is_tuple).filter(|&at| depth_at(list, at) == 0);
    let more = tuples.map(|at| count_plain(&list[at + 1..past_group(list, at) - 1]).saturating_sub(1));
    count_plain(list) + more.sum::<usize>()
}

/// The number of groups that are open before a token.
fn depth_at(list: &[Token], at: usize) -> usize {
    let count = |kind| list[..at].iter().filter(|token| token.kind == kind).count();
    count(Kind::Open) - count(Kind::Close)
}

fn count_plain(list: &[Token]) -> usize {
    let (mut depth, mut angles, mut count, mut empty) = (0, 0, 0, true);
    for (at, token) in list.iter().enumerate() {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => angles += angle(list, at),
        }
        if token.is(",") && depth == 0 && angles == 0 {
            empty = true;
        } else if empty && token.is("self") {
            empty = false; // the receiver is not counted
        } else if empty && !token.is("&") && !token.is("mut") && !token.is("'") {
            count += 1;
            empty = false;
        }
    }
    count
}

#[test]
fn files_functions_and_parameter_lists_are_short() {
    let sources =
        ["src", "crates", "tests", "examples", "benches", "fuzz"].into_iter().flat_map(sources_under);
    let found: Vec<_> = sources.flat_map(complaints).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_files_of_pages_are_short() {
    for folder in [
        "crates/program/src/view/page",
        "crates/program/tests/pictures",
        "examples/page/page/fight",
        "examples/page/page/shared",
        "examples/page/page/skirmish",
        "examples/page/tests",
    ] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= FILE_LINES_MAX, "{}: {lines} lines, at most {FILE_LINES_MAX}", path.display());
        }
    }
}

#[test]
fn the_rule_notices_what_is_too_large() {
    let complain = |text: &str| complaints(&Source::sample("src/a.rs", text)).len();
    let long_function = |lines: usize| format!("fn f() {{\n{}}}\n", "g();\n".repeat(lines - 2));
    assert_eq!(complain(&long_function(70)), 0);
    assert_eq!(complain(&long_function(71)), 1);
    assert_eq!(complain(&format!("impl A {{ {} }}", long_function(71))), 1);
    assert_eq!(complain(&"const A: u8 = 1;\n".repeat(500)), 0);
    assert_eq!(complain(&"const A: u8 = 1;\n".repeat(501)), 1);
    assert_eq!(complain("fn f(&mut self, a: A, b: B, c: C, d: D, e: E) {}"), 0);
    assert_eq!(complain("fn f(&'a self, a: A, b: B, c: C, d: D, e: E, f: F) {}"), 1);
    assert_eq!(complain("fn f(a: A, b: B, c: C, d: D, e: E, f: F,) -> u8;"), 1);
    assert_eq!(complain("fn f<T: Fn(A, B) -> C>(a: M<A, B>, (b, c): (B, C), d: [u8; 2], e: T) {}"), 0);
    assert_eq!(complain("fn f(a: M<A, B>, (b, c): (B, C), d: [u8; 2], e: T, f: F) {}"), 1, "a tuple of two");
    assert_eq!(complain("fn f<T: Fn(A, B) -> C>(a: A, b: B, c: C, d: D, e: E, f: &mut F) {}"), 1);
}

//! The types of values before a dot, where they are simply told: `self`, a parameter or a variable with its type, a variable
//! made by `Type::function(...)`, or by `let Type { field, .. } = ...`, and the fields and methods of these, one after another.
//!
//! A name that a function binds more than once is not told, so that no scope has to be known.

use std::collections::BTreeMap;

use crate::{
    imports::entries,
    names::{Function, is_behind_dot, is_variable, named_and_typed, plain_type},
    source::{Kind, Token, past_group},
};

/// A way to a type: the name of a type in its file, and the fields and methods from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    pub root: String,
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Field(String),
    Call(String),
}

impl Known {
    fn of(root: &str) -> Self {
        Self { root: root.to_owned(), steps: Vec::new() }
    }

    fn and(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// What is known of the values before the names behind dots, by the places of those names.
pub fn receivers(row: &[Token], functions: &[Function]) -> BTreeMap<usize, Known> {
    let mut found = BTreeMap::new();
    for function in functions {
        let mut locals = Locals { owner: function.owner.clone(), known: BTreeMap::new() };
        for parameter in entries(&row[function.parameters.clone()]) {
            match named_and_typed(parameter) {
                Some((name, kind)) => locals.bind(&name, kind.map(|kind| locals.of_type(&kind))),
                None => locals.bind_all(parameter),
            }
        }
        let body = &row[function.body.clone()];
        (0..body.len()).for_each(|at| locals.bind_at(body, at));
        for at in 0..body.len() {
            locals.chain(body, at, |name, known| {
                found.insert(function.body.start + name, known.clone());
            });
        }
    }
    found
}

/// The names that a function binds, with what is known of each.
struct Locals {
    owner: Option<String>,
    known: BTreeMap<String, Option<Known>>,
}

impl Locals {
    fn of_type(&self, name: &str) -> Known {
        Known::of(self.owner.as_deref().filter(|_| name == "Self").unwrap_or(name))
    }

    fn bind(&mut self, name: &str, known: Option<Known>) {
        if name != "self" {
            let is_new = !self.known.contains_key(name);
            self.known.insert(name.to_owned(), known.filter(|_| is_new));
        }
    }

    /// Binds the names of a pattern to what is not known.
    fn bind_all(&mut self, pattern: &[Token]) {
        pattern.iter().filter(|token| is_variable(token)).for_each(|token| self.bind(&token.text, None));
    }

    /// Binds what a token binds, if it begins or ends a pattern.
    fn bind_at(&mut self, body: &[Token], at: usize) {
        let token = &body[at];
        if token.is("let") {
            self.bind_let(body, at + 1);
        } else if token.is("for") {
            let end = end_of(body, at + 1, &["in", "{"]);
            self.bind_all(&body[at + 1..end]);
        } else if token.is("fn") {
            let end = end_of(body, at + 1, &["{", ";"]);
            self.bind_all(&body[at + 1..end]);
        } else if token.is("|") && begins_closure(body, at) {
            let end = end_of(body, at + 1, &["|"]);
            self.bind_all(&body[at + 1..end]);
        } else if token.is(">") && at > 0 && body[at - 1].is("=") {
            self.bind_all(&body[begin_of_arm(body, at - 1)..at - 1]);
        }
    }

    fn bind_let(&mut self, body: &[Token], at: usize) {
        let end = end_of(body, at, &["=", ":", ";"]);
        let pattern = &body[at..end];
        match pattern {
            [name] if is_variable(name) => self.bind_value(&name.text, body, end),
            [first, name] if first.is("mut") => self.bind_value(&name.text, body, end),
            [kind, open, inside @ .., _] if kind.kind == Kind::Ident && open.is("{") => {
                let kind = self.of_type(&kind.text);
                entries(inside).for_each(|entry| self.bind_field(entry, &kind));
            }
            _ => self.bind_all(pattern),
        }
    }

    fn bind_field(&mut self, entry: &[Token], kind: &Known) {
        let known = |field: &Token| Some(kind.clone().and(Step::Field(field.text.clone())));
        match entry {
            [name] => self.bind(&name.text, known(name)),
            [first, name] if first.is("mut") => self.bind(&name.text, known(name)),
            [field, _, name] if is_variable(name) => self.bind(&name.text, known(field)),
            _ => self.bind_all(entry),
        }
    }

    /// Binds a variable whose type or value follows.
    fn bind_value(&mut self, name: &str, body: &[Token], at: usize) {
        let end = end_of(body, at, &[";"]);
        let known = if body[at].is(":") {
            plain_type(&body[at + 1..end_of(body, at + 1, &["=", ";"])]).map(|kind| self.of_type(&kind))
        } else {
            let is_sign = |at: &usize| ["&", "*", "mut"].iter().any(|sign| body[*at].is(sign));
            let begin = (at + 1..end).find(|at| !is_sign(at)).unwrap_or(end);
            self.chain(body, begin, |_, _| {}).filter(|&(_, past)| past == end).map(|(known, _)| known)
        };
        self.bind(name, known);
    }

    /// Goes along a chain of fields and calls from a name whose type is known, and tells each name behind a dot together with
    /// what is before it. Returns what is known at its end, and the place just past it.
    fn chain(
        &self,
        body: &[Token],
        at: usize,
        mut tell: impl FnMut(usize, &Known),
    ) -> Option<(Known, usize)> {
        let (mut known, mut at) = self.root(body, at)?;
        while at + 1 < body.len() && body[at].is(".") && body[at + 1].kind == Kind::Ident {
            tell(at + 1, &known);
            let name = body[at + 1].text.clone();
            let is = |text: &str| body.get(at + 2).is_some_and(|token| token.is(text));
            if is("(") {
                (known, at) = (known.and(Step::Call(name)), past_group(body, at + 2));
            } else if is(":") {
                return None;
            } else {
                (known, at) = (known.and(Step::Field(name)), at + 2);
            }
        }
        Some((known, at))
    }

    /// What is known of the value that a token begins, and the place just past it.
    fn root(&self, body: &[Token], at: usize) -> Option<(Known, usize)> {
        let token = body.get(at).filter(|token| token.kind == Kind::Ident)?;
        if is_behind_dot(body, at) || (at > 0 && body[at - 1].is(":") && at > 1 && body[at - 2].is(":")) {
            return None;
        }
        let is = |at: usize, text: &str| body.get(at).is_some_and(|token| token.is(text));
        if token.is("self") {
            return self.owner.as_deref().map(|owner| (Known::of(owner), at + 1));
        }
        if is_variable(token) {
            let known = self.known.get(&token.text)?.clone()?;
            return (!is(at + 1, "(") && !is(at + 1, ":")).then_some((known, at + 1));
        }
        let is_call = is(at + 1, ":") && is(at + 2, ":") && is(at + 4, "(") && is_variable(&body[at + 3]);
        let call = || self.of_type(&token.text).and(Step::Call(body[at + 3].text.clone()));
        is_call.then(|| (call(), past_group(body, at + 4)))
    }
}

/// The next place outside of brackets with one of these tokens; `:` is not one of the two of a path.
fn end_of(row: &[Token], from: usize, ends: &[&str]) -> usize {
    let mut at = from;
    while at < row.len() {
        let is_pair = row[at].is(":") && row.get(at + 1).is_some_and(|next| next.is(":"));
        if is_pair {
            at += 2;
        } else if ends.iter().any(|end| row[at].is(end)) || row[at].kind == Kind::Close {
            return at;
        } else {
            at = if row[at].kind == Kind::Open { past_group(row, at) } else { at + 1 };
        }
    }
    row.len()
}

/// True if a bar begins the parameters of a closure: no value stands before it.
fn begins_closure(row: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| &row[at]) else { return true };
    let is_word = ["move", "return", "else", "in"].iter().any(|word| before.is(word));
    is_word || (!before.is("|") && matches!(before.kind, Kind::Punct | Kind::Open))
}

/// Where the pattern begins that ends with the arrow of an arm.
fn begin_of_arm(row: &[Token], arrow: usize) -> usize {
    let (mut depth, mut at) = (0, arrow);
    while at > 0 {
        let token = &row[at - 1];
        match token.kind {
            Kind::Open if depth == 0 => break,
            Kind::Open => {
                depth -= 1;
                if depth == 0 && at > 2 && row[at - 2].is(">") && row[at - 3].is("=") {
                    return past_group(row, at - 1); // the block of the arm before
                }
            }
            Kind::Close => depth += 1,
            _ if depth == 0 && token.is(",") => break,
            _ => {}
        }
        at -= 1;
    }
    at
}

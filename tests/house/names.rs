//! What a file defines, and what it uses: the names from which references between files are found.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use crate::{
    imports::{Import, Path, entries, imports, path_at},
    receivers::{Known, receivers},
    source::{Kind, Source, Token, past_group, starts_with},
};

/// A name behind a dot: a field, or a method that is called.
pub struct Access {
    pub name: String,
    pub is_call: bool,
    /// How the type of the value before the dot is told, if it simply is.
    pub receiver: Option<Known>,
    pub line: usize,
}

/// A method or a function of a type.
pub struct Method {
    /// The type that it returns, if that is one name.
    pub returned: Option<String>,
    /// True if it is a trait's: methods of the type itself come before it.
    pub is_of_trait: bool,
}

/// The names of a file.
#[derive(Default)]
pub struct Names {
    /// Types, functions and constants.
    pub items: BTreeSet<String>,
    /// Type and method.
    pub methods: BTreeMap<(String, String), Method>,
    /// Type and field, with the type of the field.
    pub fields: BTreeMap<(String, String), Option<String>>,
    pub imports: Vec<Import>,
    /// The paths in code, and not in imports, with the type whose block they stand in.
    pub paths: Vec<(Path, Option<String>)>,
    pub accesses: Vec<Access>,
}

impl Names {
    pub fn of(source: &Source) -> Self {
        let (row, mut names) = (source.shipped_tokens(), Self::default());
        let mut functions = Vec::new();
        names.define(row, 0, &mut functions);
        let mut known = receivers(row, &functions);
        let mut at = 0;
        while at < row.len() {
            if row[at].is("use") {
                let end = (at..row.len()).find(|&at| row[at].is(";")).map_or(row.len(), |end| end + 1);
                names.imports.extend(imports(&row[at + 1..end]));
                at = end;
                continue;
            }
            if let Some(path) = path_at(row, at) {
                let inside = functions.iter().rfind(|function| function.body.contains(&at));
                names.paths.push((path, inside.and_then(|function| function.owner.clone())));
            }
            if row[at].kind == Kind::Ident && is_behind_dot(row, at) {
                let (name, line) = (row[at].text.clone(), row[at].line);
                let (is_call, receiver) = (is_called(row, at), known.remove(&at));
                names.accesses.push(Access { name, is_call, receiver, line });
            }
            at += 1;
        }
        names
    }

    /// Collects the items of a file and of its modules, the methods of its `impl` and `trait` blocks, and the fields of its types.
    fn define(&mut self, row: &[Token], from: usize, functions: &mut Vec<Function>) {
        let mut at = from;
        while at < row.len() {
            if row[at].kind == Kind::Open {
                at = past_group(row, at);
            } else if row[at].is("impl") || row[at].is("trait") {
                let open = (at..row.len()).find(|&at| row[at].is("{")).unwrap_or(row.len() - 1);
                let end = past_group(row, open);
                if row[at].is("trait") {
                    self.items.insert(row[at + 1].text.clone());
                }
                self.define_methods(row, &row[at..open], open + 1..end - 1, functions);
                at = end;
            } else {
                self.define_item(row, at, functions);
                at += 1;
            }
        }
    }

    fn define_item(&mut self, row: &[Token], at: usize, functions: &mut Vec<Function>) {
        let words = ["struct", "enum", "type", "static", "const", "fn"];
        let is_item = words.iter().any(|word| row[at].is(word));
        let name = row.get(at + 1).filter(|name| is_item && name.kind == Kind::Ident && !name.is("fn"));
        let Some(name) = name else { return };
        self.items.insert(name.text.clone());
        if row[at].is("struct") {
            self.define_fields(row, at);
        } else if row[at].is("fn") {
            functions.push(Function::at(row, at, None));
        }
    }

    fn define_fields(&mut self, row: &[Token], at: usize) {
        let ends = |at: &usize| row[*at].is("{") || row[*at].is(";") || row[*at].is("(");
        let Some(open) = (at..row.len()).find(ends).filter(|&open| row[open].is("{")) else { return };
        let owner = &row[at + 1].text;
        for entry in entries(&row[open + 1..past_group(row, open) - 1]) {
            if let Some((name, kind)) = named_and_typed(entry) {
                self.fields.insert((owner.clone(), name), kind.map(|kind| of_self(kind, owner)));
            }
        }
    }

    /// The methods of a block, by its head and the places of its body.
    fn define_methods(
        &mut self,
        row: &[Token],
        head: &[Token],
        body: Range<usize>,
        functions: &mut Vec<Function>,
    ) {
        let (owner, is_of_trait) = owner_of(head);
        let (mut at, end) = (body.start, body.end);
        while at + 1 < end {
            if row[at].kind == Kind::Open {
                at = past_group(row, at);
                continue;
            }
            if row[at].is("fn") {
                let function = Function::at(row, at, Some(&owner));
                let returned = function.returned.clone().map(|kind| of_self(kind, &owner));
                let (key, method) =
                    ((owner.clone(), row[at + 1].text.clone()), Method { returned, is_of_trait });
                if !is_of_trait || !self.methods.contains_key(&key) {
                    self.methods.insert(key, method);
                }
                functions.push(function);
            }
            at += 1;
        }
    }
}

/// A function with a name, by the places of its tokens.
pub struct Function {
    /// The type or trait whose method it is.
    pub owner: Option<String>,
    /// The parameters, without their brackets.
    pub parameters: Range<usize>,
    pub body: Range<usize>,
    returned: Option<String>,
}

impl Function {
    fn at(row: &[Token], at: usize, owner: Option<&str>) -> Self {
        let open = open_of_parameters(row, at);
        let close = past_group(row, open);
        let ends = |at: &usize| row[*at].is("{") || row[*at].is(";");
        let begin = (close..row.len()).find(ends).unwrap_or(row.len() - 1);
        let end = if row[begin].is("{") { past_group(row, begin) } else { begin };
        let head = &row[close..begin];
        let head = head.split(|token| token.is("where")).next().unwrap_or_default();
        let returned = if starts_with(head, &["-", ">"]) { plain_type(&head[2..]) } else { None };
        let owner = owner.map(str::to_owned);
        Self { owner, parameters: open + 1..close - 1, body: begin..end, returned }
    }
}

/// The bracket that opens the parameters of a function, behind its generic ones.
fn open_of_parameters(row: &[Token], at: usize) -> usize {
    let mut angles = 0;
    for next in at..row.len() {
        match row[next].text.as_str() {
            "(" if angles == 0 => return next,
            "<" => angles += 1,
            ">" if !row[next - 1].is("-") => angles -= 1,
            _ => {}
        }
    }
    row.len() - 1
}

/// The type of a head like `impl<'a> Trait for Type<'a>`, or the name of a trait; and true if the methods are a trait's.
fn owner_of(head: &[Token]) -> (String, bool) {
    if head[0].is("trait") {
        return (head[1].text.clone(), true);
    }
    let of_trait = head.iter().position(|token| token.is("for"));
    let (mut depth, mut owner) = (0_i32, String::new());
    for token in &head[of_trait.map_or(1, |at| at + 1)..] {
        match token.text.as_str() {
            "<" => depth += 1,
            ">" => depth -= 1,
            "where" => break,
            _ if depth == 0 && token.kind == Kind::Ident => owner.clone_from(&token.text),
            _ => {}
        }
    }
    (owner, of_trait.is_some())
}

fn of_self(kind: String, owner: &str) -> String {
    if kind == "Self" { owner.to_owned() } else { kind }
}

/// The name and the type of `#[attribute] pub(super) name: Type`; the type only if it is a plain one.
pub fn named_and_typed(entry: &[Token]) -> Option<(String, Option<String>)> {
    let mut at = 0;
    while at < entry.len() && !entry[at].is(":") {
        at = if entry[at].kind == Kind::Open { past_group(entry, at) } else { at + 1 };
    }
    let name = entry.get(at.checked_sub(1)?).filter(|name| is_variable(name))?;
    Some((name.text.clone(), plain_type(entry.get(at + 1..)?)))
}

/// The name of a type that is one name, maybe borrowed, with whatever between its angles.
pub fn plain_type(row: &[Token]) -> Option<String> {
    let mut at = 0;
    loop {
        let token = row.get(at)?;
        if token.is("'") {
            at += 2;
        } else if token.is("&") || token.is("mut") {
            at += 1;
        } else {
            break;
        }
    }
    let name = &row[at];
    let is_name = name.kind == Kind::Ident && !["impl", "dyn", "fn"].iter().any(|word| name.is(word));
    let is_whole = row.get(at + 1).is_none_or(|next| next.is("<"));
    (is_name && is_whole).then(|| name.text.clone())
}

/// True if a token is a name in small letters.
pub fn is_variable(token: &Token) -> bool {
    token.kind == Kind::Ident
        && token.text.starts_with(|letter: char| letter == '_' || letter.is_ascii_lowercase())
}

/// True if a name follows a dot, and not the two of a range.
pub fn is_behind_dot(row: &[Token], at: usize) -> bool {
    at > 0 && row[at - 1].is(".") && !(at > 1 && row[at - 2].is("."))
}

/// True if a call follows a name, maybe with the types of it.
pub fn is_called(row: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| row.get(at).is_some_and(|token| token.is(text));
    is(at + 1, "(") || (is(at + 1, ":") && is(at + 2, ":"))
}

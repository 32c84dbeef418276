//! The places of a source where it may be broken, and how.

use std::{fmt, ops::Range};

use anyhow::Result;
use proc_macro2::Span;
use syn::{
    Arm, Attribute, BinOp, Expr, ExprBinary, ExprIf, ExprLet, ExprLit, ExprPath, ExprRepeat, ExprUnary,
    ExprWhile, ImplItemFn, Item, ItemFn, Lit, Stmt, TraitItemFn, UnOp,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::rooms::Room;

/// One way in which the library may be broken.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub number: usize,
    pub room: &'static str,
    /// Path from the root of the repository.
    pub path: String,
    pub function: String,
    pub line: usize,
    /// The bytes of the source that are replaced.
    pub range: Range<usize>,
    /// Their text, in one line.
    pub was: String,
    pub form: Form,
    pub state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Tried,
    /// Another one was asked for.
    LeftOut,
    /// The compiler refuses it: it is not a program.
    Refused,
}

/// A replacement for a piece of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A value of the same type.
    Value(String),
    /// Nothing, for a statement.
    Nothing,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let becomes = match &self.form {
            Form::Value(text) => one_line(text),
            Form::Nothing => "nothing".into(),
        };
        write!(f, "{}:{} {}: `{}` -> `{becomes}`", self.path, self.line, self.function, self.was)
    }
}

/// All mutants of a source, in the order in which they begin, and an outer one before those in it.
pub fn mutants(room: &Room, path: &str, text: &str) -> Result<Vec<Mutant>> {
    let mut finder = Finder { room: room.name, path, text, functions: Vec::new(), found: Vec::new() };
    finder.visit_file(&syn::parse_file(text)?);
    finder.found.sort_by_key(|mutant| (mutant.range.start, usize::MAX - mutant.range.end));
    Ok(finder.found)
}

struct Finder<'a> {
    room: &'static str,
    path: &'a str,
    text: &'a str,
    functions: Vec<String>,
    found: Vec<Mutant>,
}

/// Calls that stand for each other.
const CALLS: [(&str, &str); 10] = [
    ("min", "max"),
    ("any", "all"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("first", "last"),
    ("div_floor", "div_ceil"),
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
    ("checked_add", "checked_sub"),
    ("leading_zeros", "trailing_zeros"),
];

fn operator(of: &BinOp) -> Option<&'static str> {
    Some(match of {
        BinOp::Add(_) => "-",
        BinOp::Sub(_) | BinOp::Mul(_) => "+",
        BinOp::Div(_) => "*",
        BinOp::Rem(_) => "/",
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        BinOp::BitAnd(_) => "|",
        BinOp::BitOr(_) | BinOp::BitXor(_) => "&",
        BinOp::Shl(_) => ">>",
        BinOp::Shr(_) => "<<",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        BinOp::AddAssign(_) => "-=",
        BinOp::SubAssign(_) | BinOp::MulAssign(_) => "+=",
        BinOp::BitAndAssign(_) => "|=",
        BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_) => "&=",
        BinOp::ShlAssign(_) => ">>=",
        BinOp::ShrAssign(_) => "<<=",
        _ => return None,
    })
}

impl Finder<'_> {
    fn add(&mut self, span: Span, form: Form) {
        let range = span.byte_range();
        self.found.push(Mutant {
            number: 0,
            room: self.room,
            path: self.path.into(),
            function: self.functions.join("::"),
            line: span.start().line,
            was: one_line(&self.text[range.clone()]),
            range,
            form,
            state: State::Tried,
        });
    }

    /// The text of `whole` with `part` of it replaced.
    fn with(&self, whole: Span, part: Span, becomes: &str) -> Form {
        let (whole, part) = (whole.byte_range(), part.byte_range());
        let [before, after] = [whole.start..part.start, part.end..whole.end].map(|range| &self.text[range]);
        Form::Value(format!("{before}{becomes}{after}"))
    }

    fn condition(&mut self, condition: &Expr) {
        if !matches!(condition, Expr::Let(_)) {
            self.add(condition.span(), Form::Value("false".into()));
        }
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.functions.push(name);
        visit(self);
        self.functions.pop();
    }
}

/// True for items that are compiled under some conditions only, tests among them.
fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| one.path().is_ident("cfg"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        if let Some(becomes) = operator(&node.op) {
            self.add(node.span(), self.with(node.span(), node.op.span(), becomes));
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast ExprUnary) {
        if matches!(node.op, UnOp::Neg(_) | UnOp::Not(_)) {
            self.add(node.span(), self.with(node.span(), node.op.span(), ""));
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_lit(&mut self, node: &'ast ExprLit) {
        match &node.lit {
            Lit::Int(number) => {
                if let Ok(value) = number.base10_parse::<u128>() {
                    self.add(node.span(), Form::Value(format!("{}{}", value + 1, number.suffix())));
                }
            }
            Lit::Bool(value) => self.add(node.span(), Form::Value((!value.value).to_string())),
            _ => {}
        }
    }

    fn visit_expr_path(&mut self, node: &'ast ExprPath) {
        let is_constant = node.path.get_ident().map(ToString::to_string).is_some_and(|name| {
            name.len() > 1
                && name
                    .chars()
                    .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
        });
        if is_constant {
            self.add(node.span(), Form::Value(format!("{} + 1", &self.text[node.span().byte_range()])));
        }
    }

    fn visit_expr_method_call(&mut self, node: &'ast syn::ExprMethodCall) {
        let name = node.method.to_string();
        for (one, other) in CALLS {
            if name == one || name == other {
                let becomes = if name == one { other } else { one };
                self.add(node.span(), self.with(node.span(), node.method.span(), becomes));
            }
        }
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr_call(&mut self, node: &'ast syn::ExprCall) {
        if matches!(&*node.func, Expr::Path(path) if path.path.is_ident("Some")) {
            self.add(node.span(), Form::Value("None".into()));
        }
        visit::visit_expr_call(self, node);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.condition(&node.cond);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.condition(&node.cond);
        visit::visit_expr_while(self, node);
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        if let Some((_, guard)) = &node.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, node);
    }

    fn visit_stmt(&mut self, node: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = node {
            let is_call = matches!(expr, Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_));
            let is_change = matches!(expr, Expr::Binary(binary) if operator(&binary.op).is_some_and(|one| one.ends_with('=')));
            if is_call || is_change {
                self.add(node.span(), Form::Nothing);
            }
        }
        visit::visit_stmt(self, node);
    }

    fn visit_item(&mut self, node: &'ast Item) {
        let attributes = match node {
            Item::Fn(one) => &one.attrs,
            Item::Mod(one) => &one.attrs,
            Item::Impl(one) => &one.attrs,
            Item::Trait(one) => &one.attrs,
            _ => return, // constants, types and macros: nothing that runs
        };
        let is_debug = matches!(node, Item::Impl(one) if one.trait_.as_ref().is_some_and(|(_, path, _)| {
            path.segments.last().is_some_and(|last| last.ident == "Debug")
        }));
        if !is_conditional(attributes) && !is_debug {
            visit::visit_item(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.inside(node.sig.ident.to_string(), |this| visit::visit_block(this, &node.block));
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        if !is_conditional(&node.attrs) {
            self.inside(node.sig.ident.to_string(), |this| visit::visit_block(this, &node.block));
        }
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        if let Some(block) = &node.default {
            self.inside(node.sig.ident.to_string(), |this| visit::visit_block(this, block));
        }
    }

    // The length of an array, patterns, types and their arguments, and constants are the compiler's, not the program's.
    fn visit_expr_repeat(&mut self, node: &'ast ExprRepeat) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_let(&mut self, node: &'ast ExprLet) {
        self.visit_expr(&node.expr);
    }

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

//! A source with a switch at each of its mutants.

use std::ops::Range;

use crate::find::{Form, Mutant};

/// The rewritten text, and where in it each mutant stands, by its number.
pub struct Rewritten {
    pub text: String,
    pub places: Vec<(usize, Range<usize>)>,
}

/// Mutants are those of this text, in their order.
pub fn rewrite(text: &str, mutants: &[&Mutant]) -> Rewritten {
    let mut writer = Writer { text, out: Rewritten { text: String::new(), places: Vec::new() } };
    writer.write(0..text.len(), mutants);
    writer.out
}

struct Writer<'a> {
    text: &'a str,
    out: Rewritten,
}

impl Writer<'_> {
    fn write(&mut self, range: Range<usize>, mut mutants: &[&Mutant]) {
        let mut at = range.start;
        while let Some((first, rest)) = mutants.split_first() {
            let inner = rest.partition_point(|mutant| mutant.range.start < first.range.end);
            self.out.text += &self.text[at..first.range.start];
            self.switch(first, &rest[..inner]);
            at = first.range.end;
            mutants = &rest[inner..];
        }
        self.out.text += &self.text[at..range.end];
    }

    fn switch(&mut self, mutant: &Mutant, inner: &[&Mutant]) {
        let begin = self.out.text.len();
        let number = mutant.number;
        match &mutant.form {
            Form::Value(becomes) => {
                self.out.text += &format!("(if bitstep_switch::on({number}) {{ {becomes} }} else {{ ");
                self.write(mutant.range.clone(), inner);
                self.out.text += " })";
            }
            Form::Nothing => {
                self.out.text += &format!("if !bitstep_switch::on({number}) {{ ");
                self.write(mutant.range.clone(), inner);
                self.out.text += " }";
            }
        }
        self.out.places.push((number, begin..self.out.text.len()));
    }
}

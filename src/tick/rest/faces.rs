//! The planes and manifolds of the last tick: what lies still faces what it lies on as it did.
//!
//! A pair is looked up by all that both are worked out from, to the last bit: two shapes as they lie and the way from one
//! to the other. Which bodies ask only says where to look. So nothing depends on whether it is found: who takes a
//! body's place or its shape asks for something else, and a world that was restored, and has no memory, goes on
//! the same.

use std::mem;

use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::{Manifold, Separation, manifold_shapes, separation_shapes},
    shape::Shape,
    world::{Face, FacePoints, Faced, Faces, NONE, Partner},
};

/// Who asks: a mover, the other one of the pair, and which parts of both.
pub(super) type Asker = (u32, Partner, [u8; 2]);

impl Faces {
    /// Begins a tick of so many movers.
    pub(super) fn begin(&mut self, movers: usize) {
        mem::swap(&mut self.last, &mut self.next);
        self.next.faces.clear();
        self.next.first.clear();
        self.next.first.resize(movers, NONE);
    }

    /// The plane between two shapes, and where it is kept for [`Self::manifold`].
    pub(super) fn plane(
        &mut self,
        (a, b, parts): Asker,
        shapes: [&Shape; 2],
        way: Vec3,
    ) -> (Option<Separation>, u32) {
        let find = || separation_shapes(shapes[0], shapes[1], way);
        let partner = (b, parts);
        let known = self.last.find(a, partner, shapes, way);
        let index = self.next.faces.len() as u32;
        let next = mem::replace(&mut self.next.first[a as usize], index);
        let face = match known {
            Some(face) => Face { next, ..*face },
            None => {
                Face { partner, shapes: shapes.map(|shape| *shape), way, plane: find(), points: None, next }
            }
        };
        self.next.faces.push(face);
        (face.plane, index)
    }

    /// Where the shapes of a plane touch: from the first to the second of them, or the other way round.
    pub(super) fn manifold(
        &mut self,
        index: u32,
        is_swapped: bool,
        normal: Normal,
        band: Scalar,
    ) -> &Manifold {
        let Face { shapes: [a, b], way, points, .. } = &mut self.next.faces[index as usize];
        let is_known = points.is_some_and(|points| {
            (points.is_swapped, points.normal, points.band) == (is_swapped, normal, band)
        });
        if !is_known {
            let (a, b, way) = if is_swapped { (b, a, -*way) } else { (a, b, *way) };
            let manifold = manifold_shapes(a, b, way, normal, band);
            *points = Some(FacePoints { is_swapped, normal, band, manifold });
        }
        &points.as_ref().expect("it was found").manifold
    }
}

impl Faced {
    /// The same pair of the same shapes with the same way between them.
    fn find(&self, a: u32, partner: (Partner, [u8; 2]), shapes: [&Shape; 2], way: Vec3) -> Option<&Face> {
        let mut next = *self.first.get(a as usize)?;
        while let Some(face) = self.faces.get(next as usize) {
            let [first, second] = &face.shapes;
            if face.partner == partner && face.way == way && [first, second] == shapes {
                return Some(face);
            }
            next = face.next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::Obb};

    /// Who asks what.
    #[derive(Clone)]
    struct Question {
        asker: Asker,
        shapes: [Shape; 2],
        way: Vec3,
        is_swapped: bool,
        band: Scalar,
    }

    impl Question {
        /// A box above another one.
        fn new() -> Self {
            let upper = Shape::Obb(Obb::along_axes(Vec3::new(lit("0.5"), lit("0.25"), lit("0.5"))));
            let lower = Shape::aabb(Vec3::new(lit("1"), lit("0.5"), lit("0.75")));
            let way = Vec3::new(lit("0.125"), lit("-0.76"), lit("0.25"));
            let asker = (1, Partner::Mover(3), [0, 2]);
            Self { asker, shapes: [upper, lower], way, is_swapped: true, band: lit("0.01") }
        }

        /// The plane and the points that are in memory for it, then as they are without.
        fn ask(&self, faces: &mut Faces) -> [(Option<Separation>, Vec<i64>); 2] {
            let ask = |faces: &mut Faces| {
                let (plane, index) = faces.plane(self.asker, [&self.shapes[0], &self.shapes[1]], self.way);
                let normal = plane.unwrap().normal;
                let normal = if self.is_swapped { -normal } else { normal };
                let manifold = faces.manifold(index, self.is_swapped, normal, self.band);
                let gap = |point: &crate::overlap::ManifoldPoint| point.gap.to_bits();
                (plane, manifold.points().iter().map(gap).collect())
            };
            faces.begin(5);
            let found = ask(faces);
            let mut empty = Faces::default();
            empty.begin(5);
            [found, ask(&mut empty)]
        }
    }

    /// What was asked in the last tick, with answers that nobody would find: so it can be told where they are from.
    fn memory_of(question: &Question) -> Faces {
        let mut faces = Faces::default();
        let mut neighbour = question.clone();
        neighbour.asker.2 = [0, 1];
        let _ = neighbour.ask(&mut faces);
        let [found, exact] = question.ask(&mut faces);
        assert!(found == exact && found.1.len() == 4, "{found:?}");
        let face = faces.next.faces.last_mut().unwrap();
        face.plane.as_mut().unwrap().reach += 1;
        face.points.as_mut().unwrap().manifold = Manifold::default();
        faces
    }

    #[test]
    fn who_asks_for_the_same_gets_the_answer_tick_after_tick() {
        let question = Question::new();
        let mut faces = memory_of(&question);
        for _ in 0..3 {
            let [(plane, points), (exact, _)] = question.ask(&mut faces);
            assert_eq!((plane.unwrap().reach, points.len()), (exact.unwrap().reach + 1, 0));
        }
        faces.begin(5);
        let [found, exact] = question.ask(&mut faces);
        assert_eq!(found, exact, "a tick without the pair forgets it");
    }

    #[test]
    fn who_asks_for_anything_else_gets_it_worked_out() {
        type Change = (&'static str, fn(&mut Question));
        let changes: [Change; 9] = [
            ("another mover", |it| it.asker.0 = 2),
            ("another partner", |it| it.asker.1 = Partner::Static(crate::world::StaticId(3))),
            ("another part of the one", |it| it.asker.2[0] = 1),
            ("another part of the other", |it| it.asker.2[1] = 3),
            ("another upper shape", |it| it.shapes[0] = Shape::aabb(Vec3::splat(lit("0.25")))),
            ("another lower shape", |it| {
                it.shapes[1] =
                    Shape::Obb(Obb::along_axes(Vec3::new(lit("1"), lit("0.5"), Scalar::from_bits(3 << 30))));
            }),
            ("farther along x", |it| it.way.x += Scalar::DELTA),
            ("farther along y", |it| it.way.y -= Scalar::DELTA),
            ("farther along z", |it| it.way.z += Scalar::DELTA),
        ];
        let question = Question::new();
        for (what, change) in changes {
            let mut other = question.clone();
            change(&mut other);
            let [found, exact] = other.ask(&mut memory_of(&question));
            assert_eq!(found, exact, "{what}");
        }
    }

    /// The plane is the same; the points are asked with it.
    #[test]
    fn who_asks_for_other_points_of_a_plane_gets_them_worked_out() {
        let question = Question::new();
        let changes: [fn(&mut Question); 2] = [|it| it.is_swapped = false, |it| it.band += Scalar::DELTA];
        for change in changes {
            let mut other = question.clone();
            change(&mut other);
            let [(plane, points), (exact, exact_points)] = other.ask(&mut memory_of(&question));
            assert_eq!((plane.unwrap().reach, points), (exact.unwrap().reach + 1, exact_points));
        }
        let mut faces = memory_of(&question);
        faces.begin(5);
        let (_, index) =
            faces.plane(question.asker, [&question.shapes[0], &question.shapes[1]], question.way);
        let down = faces.manifold(index, true, Normal::new(1, 1 << 30, 0), question.band);
        assert_eq!(down.points().len(), 4, "another normal");
    }
}

//! The shapes of bodies at an instant, and their rotation from there on.

use std::borrow::Cow;

use super::{
    Bodies,
    body::{BodyIndex, ChildPair, Partner, SimBody},
    rotation::SimRotation,
};
use crate::{
    geom::{AngularMotion, Motion, Rotation, Vec3},
    num::{Scalar, Toi},
    shape::Shape,
    state::{SKIN, skin, turning_skin},
};

impl<'a> Bodies<'a> {
    /// The gap that a body and its partner keep, by their shapes; larger if they rotate.
    #[inline(always)]
    pub fn skin_of(&self, a: BodyIndex, b: Partner, shapes: [&Shape; 2]) -> Scalar {
        if !self.scenery.has_leaning() {
            return SKIN; // the gap of spheres and boxes along the axes, even if they rotate
        }
        skin(shapes[0], shapes[1]) + self.turning_skin_of(a, b, shapes)
    }

    /// True if no body of the world rotates: then there is nothing to look up.
    #[inline(always)]
    pub fn no_body_rotates(&self) -> bool {
        !self.sim.any_rotates()
    }

    /// The addition to the gap because the bodies may rotate.
    #[inline]
    pub fn turning_skin_of(&self, a: BodyIndex, b: Partner, shapes: [&Shape; 2]) -> Scalar {
        if self.no_body_rotates() {
            return Scalar::ZERO;
        }
        let more = |index: BodyIndex, shape| match self.rotation_of(index) {
            Some(rotation) if rotation.is_compound => {
                self.scenery.turning_skin(self.body(index).shape, shape)
            }
            Some(_) => turning_skin(shape),
            None => Scalar::ZERO,
        };
        more(a, shapes[0]) + if let Partner::Body(b) = b { more(b, shapes[1]) } else { Scalar::ZERO }
    }

    /// True if all solids have the scenery's shapes in the whole tick: no body rotates, or only spheres do.
    #[inline(always)]
    pub fn has_no_forms(&self) -> bool {
        !self.scenery.has_leaning() || self.no_body_rotates()
    }

    /// True if rotation changes a body's shape in the rest of the tick, so that sweeps must take it into
    /// account.
    #[inline(always)]
    pub fn changes_form(&self, index: BodyIndex) -> bool {
        !self.has_no_forms() && self.rotation_of(index).is_some_and(SimRotation::changes_form)
    }

    /// True if the sweeps of a body must take its orientation into account, if only for the offsets of its
    /// child shapes.
    #[inline(always)]
    pub fn is_swept_turning(&self, index: BodyIndex) -> bool {
        !self.has_no_forms() && self.rotation_of(index).is_some_and(SimRotation::is_swept)
    }

    /// A single shape, or a child shape of a compound that does not rotate, in the world's axes at the start
    /// of its body's path.
    #[inline(always)]
    pub fn form(&self, index: BodyIndex, child: u8) -> &'a Shape {
        let body = self.body(index);
        if self.has_no_forms() {
            return self.scenery.child(body.shape, child);
        }
        match self.rotation_of(index) {
            Some(rotation) => &rotation.form,
            None => self.scenery.child(body.shape, child),
        }
    }

    /// A child shape of a body in the world's axes at an instant.
    pub fn form_at(&self, index: BodyIndex, child: u8, toi: Toi) -> Cow<'a, Shape> {
        let body = self.body(index);
        match self.rotation_of(index) {
            Some(rotation) if rotation.is_compound => {
                let orientation = self.orientation_of(rotation, body, toi);
                Cow::Owned(self.scenery.child(body.shape, child).turned(orientation))
            }
            Some(rotation) if toi > body.path.start && rotation.changes_form() => {
                let orientation = self.orientation_of(rotation, body, toi);
                Cow::Owned(self.scenery.shape(body.shape).turned(orientation))
            }
            _ => Cow::Borrowed(self.form(index, child)),
        }
    }

    /// Calls `ask` with child shapes of a pair in the orientations of an instant.
    #[inline(always)]
    pub fn with_forms<T>(
        &self,
        sides: [Partner; 2],
        children: ChildPair,
        toi: Toi,
        ask: impl FnOnce(&Shape, &Shape) -> T,
    ) -> T {
        if self.has_no_forms() {
            return ask(self.shape_of(sides[0], children[0]), self.shape_of(sides[1], children[1]));
        }
        let [a, b] = [0, 1].map(|side: usize| self.form_of(sides[side], children[side], toi));
        ask(&a, &b)
    }

    /// The orientation of a body at an instant; that of the start of its path if the instant is before it.
    fn orientation_of(&self, rotation: &SimRotation, body: &SimBody, toi: Toi) -> Rotation {
        Motion { path: body.path, turning: rotation.turning }.at(toi.max(body.path.start)).orientation
    }

    /// The offset from the center of a body to the origin of a child shape at an instant.
    ///
    /// **Rounding**: to nearest if the body rotates, as [`Rotation::turn_nearest`].
    pub fn arm_at(&self, index: BodyIndex, child: u8, toi: Toi) -> Vec3 {
        let body = self.body(index);
        let offset = self.scenery.child_offset(body.shape, child);
        match self.rotation_of(index) {
            Some(rotation) if rotation.is_compound => {
                self.orientation_of(rotation, body, toi).turn_nearest(offset)
            }
            _ => offset,
        }
    }

    /// The offset of a child shape in the frame of its body.
    pub fn own_arm(&self, which: Partner, child: u8) -> Vec3 {
        match which {
            Partner::Body(index) => self.scenery.child_offset(self.body(index).shape, child),
            Partner::Static(_) => Vec3::ZERO,
        }
    }

    /// The offset of a child shape in the frame of its body if that rotates, otherwise zero; and its offset
    /// in the world's axes if the body does not rotate, otherwise zero.
    pub fn arm_in_sweep(&self, which: Partner, child: u8) -> [Vec3; 2] {
        let arm = self.own_arm(which, child);
        let rotates = matches!(which, Partner::Body(index) if self.rotation_of(index).is_some());
        if rotates { [arm, Vec3::ZERO] } else { [Vec3::ZERO, arm] }
    }

    /// A child shape of a body's partner, at an instant.
    #[inline]
    pub fn form_of(&self, which: Partner, child: u8, toi: Toi) -> Cow<'a, Shape> {
        match which {
            Partner::Body(index) => self.form_at(index, child, toi),
            Partner::Static(id) => Cow::Borrowed(self.scenery.shape_of(id)),
        }
    }

    /// The rotation of a body from an instant on.
    pub fn turning_from(&self, index: BodyIndex, toi: Toi) -> AngularMotion {
        self.motion(Partner::Body(index)).from(toi).turning
    }

    /// The largest derivatives of a side of a pair that is of one shape, where they were found: see [`SimRotation`].
    pub fn derivatives_of(&self, which: Partner) -> Option<[i128; 2]> {
        let Partner::Body(index) = which else { return None };
        self.rotation_of(index).filter(|rotation| !rotation.is_compound)?.derivatives
    }

    /// A child shape in its own frame.
    #[inline(always)]
    pub fn shape_of(&self, which: Partner, child: u8) -> &'a Shape {
        match which {
            Partner::Body(index) => self.scenery.child(self.body(index).shape, child),
            Partner::Static(id) => self.scenery.shape_of(id),
        }
    }
}

//! What a body stands on, and what stands on it.

use super::{Contact, QueryError, QueryFilter, QueryView};
use crate::{
    geom::{Normal, is_within_slope},
    num::{Scalar, lit},
    state::{BodyId, Collider},
};

/// The meaning of standing, for [`QueryView::supports`] and [`QueryView::carries`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupportQuery {
    /// The up direction.
    pub up: Normal,
    /// The steepest slope that supports, as rise over run, from 0 to 16: 1 is 45 degrees.
    ///
    /// **Rounding**: down to 2^-16.
    pub slope_max: Scalar,
    /// The largest gap between the two, in units.
    pub gap: Scalar,
}

impl SupportQuery {
    /// Up is y, slopes up to 45 degrees support, and the gap is 1/16 unit: more than the gap at which anything
    /// [rests](crate::tick::touch_gap).
    pub const USUAL: Self = Self { up: Normal::Y, slope_max: Scalar::ONE, gap: lit("0.0625") };

    /// The steepest accepted slope.
    const SLOPE_LIMIT: Scalar = lit("16");

    fn check(&self) -> Result<(), QueryError> {
        let beyond = |field: &str, value: Scalar, low: Scalar, high: Scalar| {
            Err(QueryError::Beyond { field: field.to_owned(), value, low, high })
        };
        if !self.up.is_valid() {
            return beyond("up", Scalar::ZERO, Scalar::from_bits(1), Scalar::ONE);
        }
        if self.slope_max < 0 || self.slope_max > Self::SLOPE_LIMIT {
            return beyond("slope_max", self.slope_max, Scalar::ZERO, Self::SLOPE_LIMIT);
        }
        Ok(())
    }

    /// The contact as a support, if the lower one supports the upper one along a normal from the first to the second.
    fn support(&self, contact: &Contact, normal: Normal) -> Option<Support> {
        let Contact { gap, collider, children, .. } = *contact;
        is_within_slope(normal, self.up, self.slope_max).then_some(Support {
            gap,
            collider,
            children,
            normal,
        })
    }
}

/// A collider that supports a body, or is supported by it. The order is by gap, then by id and child shapes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Support {
    /// The distance between the two, in units; zero if they touch or overlap. Rounded up to the next raw.
    pub gap: Scalar,
    /// The other collider.
    pub collider: Collider,
    /// The indices of the child shapes of the body and of the collider in their compounds; 0 of single shapes.
    pub children: [u8; 2],
    /// The normal of the ground: from the one below to the one above, not of unit length.
    pub normal: Normal,
}

impl QueryView {
    /// The colliders that support a body, by gap and id: those within the gap below it, along a normal that is no steeper than
    /// the slope. A body is supported if there is one.
    ///
    /// It is a question of geometry, and as exact as [`contacts`](Self::contacts): neither speeds nor what is solid to what
    /// matter, so a filter names the layers that count as ground, and a body that flies up past a ledge is supported by it for as
    /// long as it is within the gap. At an edge that is met at a corner the normal is that of the least overlap.
    ///
    /// ```
    /// use bitstep::{
    ///     World,
    ///     geom::Vec3,
    ///     num::lit,
    ///     query::{QueryFilter, SupportQuery},
    ///     shape::Shape,
    ///     state::{Collider, Command, Limits, Material, SceneryBuilder, Spawn},
    /// };
    ///
    /// let mut scenery = SceneryBuilder::default();
    /// let stone = scenery.material(Material::INELASTIC);
    /// let cube = scenery.shape(Shape::aabb(Vec3::lit("1", "1", "1")));
    /// let floor = scenery.fixed(cube, stone, Vec3::lit("0", "-2", "0"));
    /// let mut world = World::new(Limits::new(60), scenery.build()?)?;
    /// let ids = world.next_ids(2);
    /// let spawn = |y| Command::Spawn(Spawn { material: stone, ..Spawn::new(cube, Vec3::new(lit("0"), y, lit("0"))) });
    /// world.apply(&[spawn(lit("0")), spawn(lit("2.01"))]).accepted()?;
    ///
    /// let (view, mut found) = (world.query_view(), Vec::new());
    /// view.supports(ids[0], &SupportQuery::USUAL, &QueryFilter::ALL, &mut found)?;
    /// assert_eq!((found.len(), found[0].collider), (1, Collider::Static(floor)));
    /// view.carries(ids[0], &SupportQuery::USUAL, &QueryFilter::ALL, &mut found)?;
    /// assert_eq!((found.len(), found[0].collider), (1, Collider::Body(ids[1])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the gap is negative or beyond [`OFFSET_MAX`](crate::sweep::OFFSET_MAX), the slope is not in 0..=16, up is no direction,
    /// or the view has no such body.
    pub fn supports(
        &self,
        body: BodyId,
        query: &SupportQuery,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Support>,
    ) -> Result<(), QueryError> {
        self.find_supports(body, query, filter, found, |normal| -normal)
    }

    /// The colliders that a body supports, by gap and id: what stands on a platform. Else as [`supports`](Self::supports).
    ///
    /// # Errors
    ///
    /// As [`supports`](Self::supports).
    pub fn carries(
        &self,
        body: BodyId,
        query: &SupportQuery,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Support>,
    ) -> Result<(), QueryError> {
        self.find_supports(body, query, filter, found, |normal| normal)
    }

    /// Finds supports; `upward` turns the normal from the body to the collider to that from the lower to the upper one.
    fn find_supports(
        &self,
        body: BodyId,
        query: &SupportQuery,
        filter: &QueryFilter<'_>,
        found: &mut Vec<Support>,
        upward: impl Fn(Normal) -> Normal,
    ) -> Result<(), QueryError> {
        found.clear();
        query.check()?;
        self.each_contact(body, query.gap, filter, |contact| {
            let normal = contact.normal.map(&upward);
            found.extend(normal.and_then(|normal| query.support(&contact, normal)));
        })?;
        found.sort_unstable();
        Ok(())
    }
}

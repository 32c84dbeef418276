//! Several queries in one call.

use super::{PointHit, PointQuery, QueryError, QueryFilter, QueryHit, QueryView, Ray, hit::Cast};

/// The results of several queries in one list, in the order of the queries.
///
/// ```
/// use bitstep::query::{Batch, PointHit};
/// let near: Batch<PointHit> = Batch::default();
/// assert_eq!(near.iter().count(), 0);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch<T> {
    all: Vec<T>,
    /// The end of each query's results.
    ends: Vec<usize>,
}

impl<T> Batch<T> {
    /// Number of queries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there was no query.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All results, one query after the other.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.all
    }

    /// The results of the query of an index, or `None` past the last one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[T]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.all.get(start..end)
    }

    /// The results of each query.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    fn close(&mut self) {
        self.ends.push(self.all.len());
    }
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self { all: Vec::new(), ends: Vec::new() }
    }
}

impl QueryView {
    /// The result of [`ray`](Self::ray) for each of several rays.
    ///
    /// # Errors
    ///
    /// If a component of any of them is out of range; then no ray is cast.
    pub fn rays(
        &self,
        rays: &[Ray],
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Option<QueryHit>>,
    ) -> Result<(), QueryError> {
        hits.clear();
        check_each("rays", rays, Ray::check)?;
        hits.extend(rays.iter().map(|ray| self.first(&Cast::of_ray(ray), filter)));
        Ok(())
    }

    /// The result of [`ray_all`](Self::ray_all) for each of several rays.
    ///
    /// # Errors
    ///
    /// If a component of any of them is out of range; then no ray is cast.
    pub fn rays_all(
        &self,
        rays: &[Ray],
        filter: &QueryFilter<'_>,
        hits: &mut Batch<QueryHit>,
    ) -> Result<(), QueryError> {
        hits.clear();
        check_each("rays", rays, Ray::check)?;
        for ray in rays {
            self.add_all(&Cast::of_ray(ray), filter, &mut hits.all);
            hits.close();
        }
        Ok(())
    }

    /// The result of [`radius`](Self::radius) for each of several balls.
    ///
    /// # Errors
    ///
    /// If a number of any of them is out of range; then no query is made.
    pub fn radii(
        &self,
        balls: &[PointQuery],
        filter: &QueryFilter<'_>,
        found: &mut Batch<PointHit>,
    ) -> Result<(), QueryError> {
        found.clear();
        check_each("balls", balls, PointQuery::check)?;
        for ball in balls {
            self.add_within(ball, filter, &mut found.all);
            found.close();
        }
        Ok(())
    }
}

fn check_each<T>(
    list: &str,
    questions: &[T],
    check: impl Fn(&T) -> Result<(), QueryError>,
) -> Result<(), QueryError> {
    let mut numbered = questions.iter().enumerate();
    numbered.try_for_each(|(index, question)| check(question).map_err(|error| error.of(list, index)))
}

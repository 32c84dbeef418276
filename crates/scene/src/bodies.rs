//! The bodies of the initial state, one by one and by the many.

use std::collections::BTreeMap;

use bitstep::{
    World,
    geom::{Normal, Vec3},
    num::{Rng, Scalar, round::div_nearest},
    state::{BodyId, Collider, Command, Done, Outcome, Refusal, Spawn},
};

use super::{
    build::DISTANCE_MAX,
    hulls::Frame,
    kinds::{BodyKind, Kinds},
    leaf::{Fault, Leaf, Vector},
    scatter::{Scatter, scatter, velocity},
    text::{BodiesText, BodyText, GridText, RandomText, TriangleText},
};

/// Largest total number of draws of positions by the random generators of one scene.
const TRIES_MAX: u64 = 4_000_000;

/// The name in errors of a body without one, which they point at.
const NAMELESS: &str = "this body";

/// The spawns before the first tick.
pub struct InitialBodies<'a, 'k> {
    kinds: &'k Kinds,
    spawns: Vec<Command>,
    /// Per spawn: the place and the name for errors about it.
    labels: Vec<(Leaf<'a>, String)>,
    names: BTreeMap<String, u32>,
    tries: u64,
}

/// The name, kind and place in the text of a generator's bodies.
struct Many<'a> {
    name: Option<Leaf<'a>>,
    kind: BodyKind,
    at: Leaf<'a>,
}

impl<'a, 'k> InitialBodies<'a, 'k> {
    /// All initial bodies, in the order of the text.
    pub fn of(texts: &[BodiesText<'a>], kinds: &'k Kinds) -> Result<Self, Fault<'a>> {
        check_total(texts, kinds)?;
        let (spawns, labels, names) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut initial_bodies = Self { kinds, spawns, labels, names, tries: TRIES_MAX };
        for text in texts {
            match text {
                BodiesText::Body(body) => initial_bodies.body(body)?,
                BodiesText::Grid(grid) => initial_bodies.grid(grid)?,
                BodiesText::Triangle(triangle) => initial_bodies.triangle(triangle)?,
                BodiesText::Random(random) => initial_bodies.random(random)?,
            }
        }
        Ok(initial_bodies)
    }

    /// Spawns them all and returns the ids of those that have a name.
    pub fn spawn_into(self, world: &mut World) -> Result<BTreeMap<String, BodyId>, Fault<'a>> {
        let outcomes = world.apply(&self.spawns).outcomes;
        if let Some((index, refusal)) =
            outcomes.iter().enumerate().find_map(|(index, outcome)| Some((index, outcome.as_ref().err()?)))
        {
            let (at, label) = &self.labels[index];
            return Err(at.fault(format!("{label} cannot be here: {}", self.reason(&refusal.reason))));
        }
        let id = |outcome: &Outcome| match outcome {
            Ok(Done::Spawned(id)) => Some(*id),
            _ => None,
        };
        let named = self.names.into_iter();
        Ok(named.filter_map(|(name, index)| Some((name, id(&outcomes[index as usize])?))).collect())
    }

    /// A refusal in the terms of the scene: the world was empty, so slots count the spawns.
    fn reason(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Overlaps { with: Collider::Body(id) } => {
                let other = &self.labels[id.slot() as usize].1;
                format!("would overlap {}", if other == NAMELESS { "one of those before it" } else { other })
            }
            Refusal::Overlaps { with: Collider::Static(id) } => format!("would overlap static {}", id.0),
            refusal => refusal.to_string(),
        }
    }

    fn body(&mut self, text: &BodyText<'a>) -> Result<(), Fault<'a>> {
        let kind = self.kinds.kind_within(&text.kind())?;
        let position = text.position.decimals_within("position", self.kinds.limits.extent)?;
        let velocity = self.kinds.velocity_within(text.velocity.as_ref())?;
        let name = text.name.map(|name| name.text("name")).transpose()?;
        let label = name.as_ref().map_or(NAMELESS.to_owned(), |name| format!("body {name:?}"));
        self.push(&kind, (position, velocity), (text.position.first(), label));
        name.map_or(Ok(()), |name| self.call(name, text.name))
    }

    fn grid(&mut self, text: &GridText<'a>) -> Result<(), Fault<'a>> {
        let kind = self.kinds.kind_within(&text.kind())?;
        let [nx, ny, nz] = text.count.wholes("count", 1, self.kinds.limits.bodies_max.into())?;
        let velocity = self.kinds.velocity_within(text.velocity.as_ref())?;
        let first = text.first.decimals_within("first", self.kinds.limits.extent)?.raw();
        let step = text.step.decimals_within("step", DISTANCE_MAX)?.raw();
        let many = Many { name: text.name, kind, at: text.first.first() };
        let cells = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        for (number, cell) in (1..).zip(cells) {
            let along =
                |axis: usize| i128::from(first[axis]) + i128::from(step[axis]) * i128::from(cell[axis]);
            self.one_of(&many, number, [0, 1, 2].map(along), velocity)?;
        }
        Ok(())
    }

    fn triangle(&mut self, text: &TriangleText<'a>) -> Result<(), Fault<'a>> {
        let kind = self.kinds.kind_within(&text.kind())?;
        let rows = rows(text, self.kinds)?;
        let velocity = self.kinds.velocity_within(text.velocity.as_ref())?;
        let apex = text.apex.decimals_within("apex", self.kinds.limits.extent)?.raw();
        let along = text.along.decimals_within("along", DISTANCE_MAX)?.raw();
        let across = text.across.decimals_within("across", DISTANCE_MAX)?.raw();
        let many = Many { name: text.name, kind, at: text.apex.first() };
        let places =
            (0..rows).flat_map(|row| (0..=row).map(move |place| (row, 2 * place as i64 - row as i64)));
        for (number, (row, halves)) in (1..).zip(places) {
            // Half a step is rounded to nearest, halves away from zero.
            let at = |axis: usize| {
                let side = div_nearest(i128::from(across[axis]) * i128::from(halves), 2);
                i128::from(apex[axis]) + i128::from(along[axis]) * i128::from(row) + side
            };
            self.one_of(&many, number, [0, 1, 2].map(at), velocity)?;
        }
        Ok(())
    }

    fn random(&mut self, text: &RandomText<'a>) -> Result<(), Fault<'a>> {
        let kind = self.kinds.kind_within(&text.kind())?;
        // The points are drawn for the middles of the solids.
        let kind = BodyKind { frame: Frame::NONE, ..kind };
        let rng = Rng::new(text.seed.whole("seed", 0, u64::MAX)?);
        let count = text.count.whole("count", 1, self.kinds.limits.bodies_max.into())?;
        let speed = self.speeds(text)?;
        let direction = text.direction.as_ref().map(direction).transpose()?;
        let (low, high) = self.room(text, &kind)?;
        let gap =
            text.gap.map_or(Ok(Scalar::ZERO), |gap| gap.decimal_in("gap", Scalar::ZERO, DISTANCE_MAX))?;
        let radius = kind.solid.bounding_radius().unwrap_or_default();
        let task = Scatter { rng, count, low, high, distance: radius + radius + gap };
        let points = scatter(&task, &mut self.tries).map_err(|placed| {
            let message =
                format!("count is {count}, but only {placed} found room; enlarge the box or lower gap");
            text.count.fault(message)
        })?;
        let many = Many { name: text.name, kind, at: text.min.first() };
        for (number, point) in (1..).zip(points) {
            let velocity = velocity(rng, u64::from(number), speed, direction);
            self.one_of(&many, number, point.raw().map(i128::from), velocity)?;
        }
        Ok(())
    }

    /// The slowest and the fastest speed in raw per tick.
    fn speeds(&self, text: &RandomText<'a>) -> Result<(i64, i64), Fault<'a>> {
        let Some((slow_text, fast_text)) = text.speed else { return Ok((0, 0)) };
        let slow = slow_text.decimal_in("speed.0", Scalar::ZERO, Scalar::MAX)?;
        let fast = fast_text.decimal_in("speed.1", slow, Scalar::MAX)?;
        let [slow, fast] = [slow, fast].map(|speed| self.kinds.limits.speed_nearest(speed));
        let limit = self.kinds.limits.speed_max;
        if fast > limit {
            let message = format!(
                "speed.1 is {fast} units per tick, must be at most speed_max, {limit} units per tick"
            );
            return Err(fast_text.fault(message));
        }
        Ok((slow.to_bits(), fast.to_bits()))
    }

    /// The box for the centers of bodies that stay whole inside the text's box.
    fn room(&self, text: &RandomText<'a>, kind: &BodyKind) -> Result<(Vec3, Vec3), Fault<'a>> {
        let min = text.min.decimals_within("min", self.kinds.limits.extent)?;
        let max = text.max.decimals_within("max", self.kinds.limits.extent)?;
        let half = kind.solid.half_extent().unwrap_or_default();
        let (low, high) = (min + half, max - half);
        let fits = low.x <= high.x && low.y <= high.y && low.z <= high.z;
        if fits {
            Ok((low, high))
        } else {
            Err(text.max.first().fault("max: the box has no room for one body"))
        }
    }

    /// Adds a generator's body; a number makes it one of many.
    fn one_of(
        &mut self,
        many: &Many<'a>,
        number: u32,
        raw: [i128; 3],
        velocity: Vec3,
    ) -> Result<(), Fault<'a>> {
        let limit = self.kinds.limits.extent;
        let label = format!("body {number} of these");
        if raw.iter().any(|part| part.unsigned_abs() > u128::from(limit.to_bits().unsigned_abs())) {
            let message = format!("{label} has a position beyond extent, {limit} in magnitude");
            return Err(many.at.fault(message));
        }
        let position = Vec3::from_raw(raw.map(|part| part as i64)); // at most the extent
        self.push(&many.kind, (position, velocity), (many.at, label));
        match many.name {
            Some(leaf) => self.call(format!("{}.{number}", leaf.text("name")?), Some(leaf)),
            None => Ok(()),
        }
    }

    fn push(&mut self, kind: &BodyKind, (position, velocity): (Vec3, Vec3), label: (Leaf<'a>, String)) {
        let position = kind.frame.position(position);
        self.spawns.push(Command::Spawn(Spawn { position, velocity, ..kind.spawn }));
        self.labels.push(label);
    }

    /// Gives the last body a name.
    fn call(&mut self, name: String, at: Option<Leaf<'a>>) -> Result<(), Fault<'a>> {
        let index = (self.spawns.len() - 1) as u32; // bodies_max is below 2^32
        match (self.names.insert(name.clone(), index), at) {
            (Some(_), Some(at)) => Err(at.fault(format!("name {name:?} is taken by another body"))),
            _ => Ok(()),
        }
    }
}

/// Checks the number of bodies, before any is made.
fn check_total<'a>(texts: &[BodiesText<'a>], kinds: &Kinds) -> Result<(), Fault<'a>> {
    let limit = kinds.limits.bodies_max;
    let mut total = 0_u128;
    for text in texts {
        let (count, at) = count(text, kinds)?;
        total += count;
        if total > u128::from(limit) {
            return Err(at.fault(format!("bodies: {total} up to here, must be at most bodies_max, {limit}")));
        }
    }
    Ok(())
}

fn count<'a>(text: &BodiesText<'a>, kinds: &Kinds) -> Result<(u128, Leaf<'a>), Fault<'a>> {
    let most = kinds.limits.bodies_max.into();
    match text {
        BodiesText::Body(body) => Ok((1, body.position.first())),
        BodiesText::Grid(grid) => {
            let count = grid.count.wholes("count", 1, most)?;
            Ok((count.iter().map(|&part| u128::from(part)).product(), grid.count.first()))
        }
        BodiesText::Triangle(triangle) => {
            let rows = u128::from(rows(triangle, kinds)?);
            Ok((rows * (rows + 1) / 2, triangle.rows))
        }
        BodiesText::Random(random) => Ok((random.count.whole("count", 1, most)?.into(), random.count)),
    }
}

fn rows<'a>(text: &TriangleText<'a>, kinds: &Kinds) -> Result<u64, Fault<'a>> {
    text.rows.whole("rows", 1, kinds.limits.bodies_max.into())
}

fn direction<'a>(vector: &Vector<'a>) -> Result<Normal, Fault<'a>> {
    let direction = Normal::from_vector(vector.decimals("direction")?);
    direction.ok_or_else(|| vector.first().fault("direction is zero"))
}

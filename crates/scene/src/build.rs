//! From the text of a scene to a world: limits, materials, shapes, statics.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bitstep::{
    World,
    geom::Vec3,
    num::{Scalar, lit, round::div_nearest},
    shape::{SIZE_MAX, Shape, ShapeError},
    state::{
        ChildShape, Command, Face, Limits, Material, Scenery, SceneryBuilder, ShapeId, Sleep, StateError,
        Static,
    },
};

use super::{
    Scene, TICKS_MAX, Timeline,
    bodies::InitialBodies,
    command_text::CommandText,
    heights,
    hulls::{self, Frame},
    kinds::{Kinds, layer, layers},
    leaf::{Fault, Leaf, Vector},
    mesh::{self, ReadFile},
    named::Named,
    rotation::quaternion,
    text::{BodiesText, ChildText, LimitsText, MaterialText, SceneText, ShapeText, StaticText},
};

/// The scene that a text describes.
pub fn build<'a>(text: &SceneText<'a>, read_file: &mut ReadFile<'_>) -> Result<Scene, Fault<'a>> {
    let limits = limits(text)?;
    let ticks = text.ticks.whole("ticks", 1, TICKS_MAX)?;
    let (shapes, compounds, materials) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut kinds = Kinds {
        limits,
        shapes,
        meshes: mesh::load(text, read_file)?,
        principal: BTreeMap::new(),
        compounds,
        children: Vec::new(),
        materials,
        statics: BTreeMap::new(),
    };
    let scenery = scenery(text, &mut kinds)?;
    let mut initial_state =
        World::new(limits, scenery).map_err(|error| text.title.fault(error.to_string()))?;
    if let Some(vector) = &text.gravity {
        let gravity = gravity(vector, &kinds)?;
        let outcome = initial_state.apply(&[Command::SetGravity { gravity }]).outcomes.pop();
        if let Some(Err(refused)) = outcome {
            return Err(vector.first().fault(refused.reason.to_string()));
        }
    }
    for text in &text.layers {
        initial_state.apply(&[layers(text)?]).accepted().expect("an empty world takes all layers");
    }
    let names = InitialBodies::of(&text.bodies, &kinds)?.spawn_into(&mut initial_state)?;
    let timeline = Timeline::of(&text.timeline, ticks, names, &kinds)?;
    let about = text.about.map(|about| about.text("about")).transpose()?;
    Ok(Scene { title: text.title.text("title")?, about, ticks, initial_state, timeline })
}

fn limits<'a>(text: &SceneText<'a>) -> Result<Limits, Fault<'a>> {
    let tick_rate = text.tick_rate.whole("tick_rate", 1, 1_000)? as u32;
    let mut limits = Limits::new(tick_rate);
    if let Some(steps) = text.substeps {
        let most = (Limits::RATE_MAX / tick_rate).min(Limits::STEPS_MAX.into());
        limits.substeps = steps.whole("substeps", 1, most.into())? as u8;
    }
    let given = &text.limits;
    let whole = |leaf: Option<Leaf<'a>>, field, high| leaf.map(|leaf| leaf.whole(field, 0, high)).transpose();
    let decimal = |leaf: Option<Leaf<'a>>, field| leaf.map(|leaf| leaf.decimal(field)).transpose();
    if let Some(extent) = decimal(given.extent, "extent")? {
        limits.extent = extent;
    }
    if let Some(speed) = decimal(given.speed_max, "speed_max")? {
        limits.speed_max = limits.speed_nearest(speed);
    }
    if let Some(size) = decimal(given.size_max, "size_max")? {
        limits.size_max = size;
    }
    if let Some(speed) = decimal(given.rest_speed, "rest_speed")? {
        limits.rest_speed = limits.speed_nearest(speed);
    }
    if let Some(speed) = decimal(given.separation_speed, "separation_speed")? {
        limits.separation_speed = limits.speed_nearest(speed);
    }
    if let Some(mass) = whole(given.mass_max, "mass_max", 1 << 16)? {
        limits.mass_max = mass as u32;
    }
    if let Some(bodies) = whole(given.bodies_max, "bodies_max", 1 << 20)? {
        limits.bodies_max = bodies as u32;
    }
    if let Some(budget) = whole(given.budget, "budget", Limits::BUDGET_MAX.into())? {
        limits.budget = budget as u32;
    }
    if let Some(pairs_max) = whole(given.pairs_max, "pairs_max", 1 << 26)? {
        limits.pairs_max = pairs_max as u32;
    }
    limits.flat = given.flat;
    if let Some(leaf) = text.sleep {
        limits.sleep_after = sleep_after(leaf, tick_rate)?;
    }
    limits.check().map_err(|error| limit_fault(text, given, &error))?;
    Ok(limits)
}

/// The ticks of a number of seconds, to nearest, halves up.
fn sleep_after<'a>(leaf: Leaf<'a>, tick_rate: u32) -> Result<u8, Fault<'a>> {
    let seconds = leaf.decimal_in("sleep", Scalar::ZERO, lit("1000"))?;
    let ticks = div_nearest(i128::from(seconds.to_bits()) * i128::from(tick_rate), 1 << 32);
    let fits = ticks == 0 || (2..=i128::from(Sleep::TICKS_MAX)).contains(&ticks);
    let refusal = || format!("sleep is {ticks} ticks, must be 0 or in 2..={}", Sleep::TICKS_MAX);
    if fits { Ok(ticks as u8) } else { Err(leaf.fault(refusal())) }
}

fn limit_fault<'a>(text: &SceneText<'a>, given: &LimitsText<'a>, error: &StateError) -> Fault<'a> {
    let StateError::Limit { field, value, low, high } = error else {
        return text.tick_rate.fault(error.to_string());
    };
    let (leaf, unit) = match *field {
        "extent" => (given.extent, ""),
        "speed_max" => (given.speed_max, " units per tick"),
        "size_max" => (given.size_max, ""),
        "rest_speed" => (given.rest_speed, " units per tick"),
        "separation_speed" => (given.separation_speed, " units per tick"),
        "mass_max" => (given.mass_max, ""),
        "bodies_max" => (given.bodies_max, ""),
        "budget" => (given.budget, ""),
        "pairs_max" => (given.pairs_max, ""),
        _ => (None, ""),
    };
    leaf.unwrap_or(text.tick_rate).fault(format!("{field} is {value}{unit}, must be in {low}..={high}{unit}"))
}

fn scenery<'a>(text: &SceneText<'a>, kinds: &mut Kinds) -> Result<Arc<Scenery>, Fault<'a>> {
    let mut builder = SceneryBuilder::default();
    too_many(&text.materials, "materials")?;
    for (name, material) in &text.materials.entries {
        let id = builder.material(surface(material)?);
        insert(&mut kinds.materials, *name, "material", id)?;
    }
    too_many(&text.shapes, "shapes")?;
    for (name, given) in &text.shapes.entries {
        let solid = shape(*name, given, kinds)?;
        solid.check(SIZE_MAX).map_err(|error| size_fault(*name, given, error))?;
        let id = builder.shape(solid.clone());
        open_face(given)?.into_iter().for_each(|face| builder.one_way(id, face));
        insert(&mut kinds.shapes, *name, "shape", (id, solid))?;
    }
    principal_hulls(text, &mut builder, kinds)?;
    compounds(text, &mut builder, kinds)?;
    for StaticText { name, shape: called, material: surface, position, layer: of_layer } in &text.statics {
        let position = position.decimals_within("position", Scenery::EXTENT_MAX)?;
        let (shape, solid) = find(&kinds.shapes, *called, "shape")?;
        let position = Frame::of(&solid).position(position);
        let material = find(&kinds.materials, *surface, "material")?;
        if let Some(file) = kinds.meshes.get(&called.text("shape")?) {
            mesh::check_materials(file, *surface, material, &text.materials)?;
        }
        let layer = of_layer.map_or(Ok(0), |leaf| layer("layer", leaf))?;
        let id = builder.add(Static { shape, material, position, layer });
        name.map_or(Ok(()), |name| insert(&mut kinds.statics, name, "static", (id, solid)))?;
    }
    builder.build().map_err(|error| text.title.fault(error.to_string()))
}

/// Adds the hulls that bodies have which rotate, where their points do not lie along their principal axes: after all shapes with a name.
fn principal_hulls<'a>(
    text: &SceneText<'a>,
    builder: &mut SceneryBuilder,
    kinds: &mut Kinds,
) -> Result<(), Fault<'a>> {
    let rotating = rotating(text)?;
    for (name, given) in &text.shapes.entries {
        let called = name.text("name")?;
        let (_, upright) = find(&kinds.shapes, *name, "shape")?;
        if !rotating.contains(&called) {
            continue;
        }
        if let Some(solid) = hulls::principal(*name, given, &upright)? {
            kinds.principal.insert(called, (builder.shape(solid.clone()), solid));
        }
    }
    Ok(())
}

/// The names of the shapes of bodies that rotate.
fn rotating<'a>(text: &SceneText<'a>) -> Result<BTreeSet<String>, Fault<'a>> {
    let initial = text.bodies.iter().map(BodiesText::kind);
    let spawned = text.timeline.iter().flat_map(|at| &at.commands).filter_map(|command| match command {
        CommandText::Spawn(body) => Some(body.kind()),
        _ => None,
    });
    initial.chain(spawned).filter(|kind| kind.rotates).map(|kind| kind.shape.text("shape")).collect()
}

/// Adds the compounds, which share their names with the shapes.
fn compounds<'a>(
    text: &SceneText<'a>,
    builder: &mut SceneryBuilder,
    kinds: &mut Kinds,
) -> Result<(), Fault<'a>> {
    for (name, children) in &text.compounds.entries {
        let called = name.text("name")?;
        if kinds.shapes.contains_key(&called) {
            return Err(name.fault("there is a shape of this name; give the compound another one"));
        }
        let children: Vec<_> = children.iter().map(|text| child(text, kinds)).collect::<Result<_, _>>()?;
        let outline = outline(&children, kinds);
        kinds.children.push(
            children.iter().map(|child| (solid_of(child.shape, kinds).clone(), child.offset)).collect(),
        );
        insert(&mut kinds.compounds, *name, "compound", (builder.compound(children), outline))?;
    }
    let names = text.shapes.entries.len() + kinds.principal.len() + 2 * text.compounds.entries.len();
    match text.compounds.entries.last() {
        Some((name, _)) if names as u64 > Scenery::NAMES_MAX => {
            let limit = Scenery::NAMES_MAX;
            Err(name.fault(format!(
                "compounds: {names} shapes and twice the compounds, at most {limit} are accepted"
            )))
        }
        _ => Ok(()),
    }
}

fn child<'a>(text: &ChildText<'a>, kinds: &Kinds) -> Result<ChildShape, Fault<'a>> {
    let (shape, solid) = find(&kinds.shapes, text.shape, "shape")?;
    let offset = |vector: &Vector<'a>| vector.decimals_within("offset", SIZE_MAX);
    let offset = text.offset.as_ref().map_or(Ok(Vec3::ZERO), offset)?;
    let offset = Frame::of(&solid).position(offset);
    let layer = text.layer.map(|leaf| layer("layer", leaf)).transpose()?;
    Ok(ChildShape { shape, offset, layer })
}

/// A box around the center of a compound that holds all its child shapes.
fn outline(children: &[ChildShape], kinds: &Kinds) -> Shape {
    let half = |child: &ChildShape| {
        let own = solid_of(child.shape, kinds).half_extent().unwrap_or_default();
        child.offset.map_raw(i64::abs) + own
    };
    Shape::aabb(children.iter().map(half).fold(Vec3::ZERO, Vec3::max))
}

/// The shape of an id that a child shape has.
fn solid_of(id: ShapeId, kinds: &Kinds) -> &Shape {
    let (_, solid) =
        kinds.shapes.values().find(|(other, _)| *other == id).expect("a child's shape was found");
    solid
}

fn too_many<'a, T>(named: &Named<'a, T>, list: &str) -> Result<(), Fault<'a>> {
    match named.entries.get(Scenery::NAMES_MAX as usize) {
        Some((name, _)) => {
            let (count, limit) = (named.entries.len(), Scenery::NAMES_MAX);
            Err(name.fault(format!("{list}: {count} entries, at most {limit} are accepted")))
        }
        None => Ok(()),
    }
}

fn surface<'a>(text: &MaterialText<'a>) -> Result<Material, Fault<'a>> {
    let part = text.restitution.decimal_in("restitution", Scalar::ZERO, Scalar::ONE)?;
    let smooth = Material::new(part).map_err(|error| text.restitution.fault(error.to_string()))?;
    let Some(leaf) = text.friction else { return Ok(smooth) };
    smooth.with_friction(leaf.decimal("friction")?).map_err(|error| leaf.fault(error.to_string()))
}

fn shape<'a>(name: Leaf<'a>, text: &ShapeText<'a>, kinds: &Kinds) -> Result<Shape, Fault<'a>> {
    match text {
        ShapeText::Sphere { radius } => Ok(Shape::sphere(radius.decimal("radius")?)),
        ShapeText::Aabb { half, .. } => Ok(Shape::aabb(half.decimals("half")?)),
        ShapeText::Obb { half, rotation, .. } => {
            let extent = half.decimals("half")?;
            Shape::aabb(extent).check(SIZE_MAX).map_err(|error| half.first().fault(error.to_string()))?;
            let turn = quaternion("rotation", *rotation)?;
            Ok(Shape::obb(extent, turn))
        }
        ShapeText::Plane { normal } => {
            let plane = Shape::plane(normal.decimals("normal")?);
            plane.ok_or_else(|| normal.first().fault("normal is zero"))
        }
        ShapeText::Capsule { half_axis, radius } => {
            Ok(Shape::capsule(half_axis.decimals("half_axis")?, radius.decimal("radius")?))
        }
        ShapeText::Hull { .. }
        | ShapeText::Prism { .. }
        | ShapeText::Cylinder { .. }
        | ShapeText::Cone { .. } => hulls::upright(name, text),
        ShapeText::Mesh { .. } => mesh::of(name, text, &kinds.meshes),
        ShapeText::Heights { cell, unit, rows, noise, holes, .. } => {
            let (columns, heights) = heights::points(name, rows.as_deref(), noise.as_ref())?;
            heights::of(name, [*cell, *unit], (columns, heights), holes)
        }
    }
}

/// The face on which a shape is open, if it is.
fn open_face<'a>(text: &ShapeText<'a>) -> Result<Option<Face>, Fault<'a>> {
    let (leaf, faces, names) = match text {
        ShapeText::Aabb { open: Some(leaf), .. } | ShapeText::Obb { open: Some(leaf), .. } => {
            (leaf, &Face::OF_BOX[..], "\"+x\", \"-x\", \"+y\", \"-y\", \"+z\" or \"-z\"")
        }
        ShapeText::Mesh { open: Some(leaf), .. } | ShapeText::Heights { open: Some(leaf), .. } => {
            (leaf, &[Face::Front][..], "\"front\"")
        }
        _ => return Ok(None),
    };
    let name = leaf.text("open")?;
    let found = faces.iter().copied().find(|face| face.name() == name);
    found.map(Some).ok_or_else(|| leaf.fault(format!("open is {name:?}, must be {names}")))
}

/// An error about a shape's size.
fn size_fault<'a>(name: Leaf<'a>, text: &ShapeText<'a>, error: ShapeError) -> Fault<'a> {
    let leaf = match text {
        ShapeText::Sphere { radius } => *radius,
        ShapeText::Aabb { half, .. } | ShapeText::Obb { half, .. } => half.first(),
        ShapeText::Plane { normal } => normal.first(),
        ShapeText::Capsule { half_axis, .. } => half_axis.first(),
        ShapeText::Hull { .. }
        | ShapeText::Prism { .. }
        | ShapeText::Cylinder { .. }
        | ShapeText::Cone { .. }
        | ShapeText::Mesh { .. }
        | ShapeText::Heights { .. } => return hulls::fault(name, error),
    };
    leaf.fault(error.to_string())
}

/// Gravity per tick, checked against the limits.
fn gravity<'a>(vector: &Vector<'a>, kinds: &Kinds) -> Result<Vec3, Fault<'a>> {
    let gravity = kinds.limits.gravity_nearest_even(vector.decimals("gravity")?);
    let limit = kinds.limits.speed_max;
    vector.check_within("gravity", gravity, limit, " units per tick")?;
    Ok(gravity)
}

fn insert<'a, T>(
    names: &mut BTreeMap<String, T>,
    name: Leaf<'a>,
    list: &str,
    value: T,
) -> Result<(), Fault<'a>> {
    let text = name.text("name")?;
    match names.insert(text, value) {
        None => Ok(()),
        Some(_) => Err(name.fault(format!("this {list} is here twice; give it another name"))),
    }
}

/// The value of a name.
pub fn find<'a, T: Clone>(names: &BTreeMap<String, T>, name: Leaf<'a>, list: &str) -> Result<T, Fault<'a>> {
    let text = name.text(list)?;
    names.get(&text).cloned().ok_or_else(|| {
        const SHOWN: usize = 8;
        let there: Vec<String> = names.keys().take(SHOWN).map(|name| format!("{name:?}")).collect();
        let more = if names.len() > SHOWN { ", .." } else { "" };
        name.fault(format!("no {list} {text:?}; there are: {}{more}", there.join(", ")))
    })
}

/// The largest distance that any two points of a world can have on an axis.
pub const DISTANCE_MAX: Scalar = lit("33554432");

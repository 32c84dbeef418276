//! The format: the content of a scene file, field by field.
//!
//! Lengths are in units, velocities in units per second, gravity in units per second squared, impulses in
//! mass units times units per second, angular velocities in radians per second, angular impulses in mass
//! units times units squared per second.

use serde::Deserialize;

use super::{
    command_text::CommandText,
    leaf::{Leaf, Vector},
    named::Named,
    rules::OnHitText,
};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "scene")]
pub struct SceneText<'a> {
    #[serde(borrow)]
    pub title: Leaf<'a>,
    #[serde(borrow, default)]
    pub about: Option<Leaf<'a>>,
    #[serde(borrow)]
    pub tick_rate: Leaf<'a>,
    #[serde(borrow, default)]
    pub substeps: Option<Leaf<'a>>,
    #[serde(borrow)]
    pub ticks: Leaf<'a>,
    #[serde(borrow, default)]
    pub limits: LimitsText<'a>,
    #[serde(borrow, default)]
    pub sleep: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub gravity: Option<Vector<'a>>,
    #[serde(borrow, default)]
    pub layers: Vec<LayersText<'a>>,
    #[serde(borrow)]
    pub materials: Named<'a, MaterialText<'a>>,
    #[serde(borrow)]
    pub shapes: Named<'a, ShapeText<'a>>,
    #[serde(borrow, default)]
    pub compounds: Named<'a, Vec<ChildText<'a>>>,
    #[serde(borrow, default)]
    pub statics: Vec<StaticText<'a>>,
    #[serde(borrow, default)]
    pub bodies: Vec<BodiesText<'a>>,
    #[serde(borrow, default)]
    pub timeline: Vec<AtText<'a>>,
}

/// The world's limits; a missing field has the library's roomy value.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename = "limits")]
pub struct LimitsText<'a> {
    #[serde(borrow, default)]
    pub extent: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub speed_max: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub size_max: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub rest_speed: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub separation_speed: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub mass_max: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub bodies_max: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub budget: Option<Leaf<'a>>,
    #[serde(borrow, default)]
    pub pairs_max: Option<Leaf<'a>>,
    #[serde(default)]
    pub flat: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "material")]
pub struct MaterialText<'a> {
    #[serde(borrow)]
    pub restitution: Leaf<'a>,
    #[serde(borrow, default)]
    pub friction: Option<Leaf<'a>>,
}

/// The orientation of a body.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields, rename = "orientation", rename_all = "snake_case")]
pub enum OrientationText<'a> {
    /// A quaternion of any length, `(w, x, y, z)`.
    Quaternion(
        #[serde(borrow)] Leaf<'a>,
        #[serde(borrow)] Leaf<'a>,
        #[serde(borrow)] Leaf<'a>,
        #[serde(borrow)] Leaf<'a>,
    ),
    /// Rotated by an angle about an axis of any length: seen from its tip, against the clock.
    About {
        #[serde(borrow)]
        axis: Vector<'a>,
        #[serde(borrow)]
        degrees: Leaf<'a>,
    },
}

/// A shape around its own origin. The order is the library's; the last four are its hulls.
///
/// The origin of a hull is that of its points: a body, a static or a child shape has it at its place. Its position in the world is its
/// center of mass, to which it is moved; `teleport` and `move_kinematic` give that. A hull keeps the axes of its points, except in a body
/// that rotates: where they are not its principal axes, there the body's frame is that of the principal axes, and the scenery has the hull twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "shape", rename_all = "snake_case")]
pub enum ShapeText<'a> {
    Sphere {
        #[serde(borrow)]
        radius: Leaf<'a>,
    },
    Aabb {
        #[serde(borrow)]
        half: Vector<'a>,
        /// The face on which it is open, as `"+y"`.
        #[serde(borrow, default)]
        open: Option<Leaf<'a>>,
    },
    /// The rotation is a quaternion of any length, `(w, x, y, z)`.
    Obb {
        #[serde(borrow)]
        half: Vector<'a>,
        #[serde(borrow)]
        rotation: [Leaf<'a>; 4],
        #[serde(borrow, default)]
        open: Option<Leaf<'a>>,
    },
    /// Through the origin; solid behind the normal, which may have any length.
    Plane {
        #[serde(borrow)]
        normal: Vector<'a>,
    },
    /// A capsule: the vector from its middle to the center of one round end, and its radius.
    Capsule {
        #[serde(borrow)]
        half_axis: Vector<'a>,
        #[serde(borrow)]
        radius: Leaf<'a>,
    },
    /// The convex hull of points, 4 to 64 of which are its corners.
    Hull {
        #[serde(borrow)]
        points: Vec<Vector<'a>>,
    },
    /// A hull: a convex polygon in the plane of x and y, as far along z both ways.
    Prism {
        #[serde(borrow)]
        polygon: Vec<[Leaf<'a>; 2]>,
        #[serde(borrow)]
        half_length: Leaf<'a>,
    },
    /// A hull: a cylinder along z with so many flat sides; the corners lie on the circle, the first one along x.
    Cylinder {
        #[serde(borrow)]
        radius: Leaf<'a>,
        #[serde(borrow)]
        half_length: Leaf<'a>,
        #[serde(borrow)]
        sides: Leaf<'a>,
    },
    /// A hull: a cone along z with so many flat sides, its base as far below its origin as its tip is above.
    Cone {
        #[serde(borrow)]
        radius: Leaf<'a>,
        #[serde(borrow)]
        half_height: Leaf<'a>,
        #[serde(borrow)]
        sides: Leaf<'a>,
    },
    /// Triangles for statics: points, and the places of the corners of each triangle among them, from 0; or the file of a baked mesh.
    Mesh {
        #[serde(borrow, default)]
        points: Option<Vec<Vector<'a>>>,
        #[serde(borrow, default)]
        triangles: Option<Vec<[Leaf<'a>; 3]>>,
        /// The name of the file, from the folder of the scene.
        #[serde(borrow, default)]
        file: Option<Leaf<'a>>,
        /// The face on which it is open, `"front"`.
        #[serde(borrow, default)]
        open: Option<Leaf<'a>>,
    },
    /// Ground for statics: heights in a unit over a grid of square cells, rows along x one after another along z, from the origin, or those of a noise; and the
    /// column and the row of each cell that is a hole.
    Heights {
        #[serde(borrow)]
        cell: Leaf<'a>,
        #[serde(borrow)]
        unit: Leaf<'a>,
        #[serde(borrow, default)]
        rows: Option<Vec<Vec<Leaf<'a>>>>,
        #[serde(borrow, default)]
        noise: Option<NoiseText<'a>>,
        #[serde(borrow, default)]
        holes: Vec<[Leaf<'a>; 2]>,
        /// The face on which it is open, `"front"`.
        #[serde(borrow, default)]
        open: Option<Leaf<'a>>,
    },
}

/// Heights that are drawn by a seed: the sum of octaves, each of which draws a height at every `step`-th point, up to its `height` above and below 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "noise")]
pub struct NoiseText<'a> {
    /// Number of points along x and along z.
    #[serde(borrow)]
    pub points: [Leaf<'a>; 2],
    #[serde(borrow)]
    pub seed: Leaf<'a>,
    /// The step and the height of each octave.
    #[serde(borrow)]
    pub octaves: Vec<[Leaf<'a>; 2]>,
}

/// One of the child shapes of a compound.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "child")]
pub struct ChildText<'a> {
    #[serde(borrow)]
    pub shape: Leaf<'a>,
    #[serde(borrow, default)]
    pub offset: Option<Vector<'a>>,
    #[serde(borrow, default)]
    pub layer: Option<Leaf<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "static")]
pub struct StaticText<'a> {
    #[serde(borrow, default)]
    pub name: Option<Leaf<'a>>,
    #[serde(borrow)]
    pub shape: Leaf<'a>,
    #[serde(borrow)]
    pub material: Leaf<'a>,
    #[serde(borrow)]
    pub position: Vector<'a>,
    #[serde(borrow, default)]
    pub layer: Option<Leaf<'a>>,
}

/// The rule between two layers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "layers")]
pub struct LayersText<'a> {
    #[serde(borrow)]
    pub a: Leaf<'a>,
    #[serde(borrow)]
    pub b: Leaf<'a>,
    pub rule: RuleText,
    #[serde(default)]
    pub allow_overlap: bool,
}

/// A rule, from the weakest.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename = "rule", rename_all = "snake_case")]
pub enum RuleText {
    Ignore,
    Sensor,
    Soft,
    Solid,
}

/// One body, or many of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "bodies", rename_all = "snake_case")]
pub enum BodiesText<'a> {
    /// One body, called `name`.
    #[serde(borrow)]
    Body(BodyText<'a>),
    /// `count` bodies on a lattice, called `name.1`, `name.2` and so on; x runs fastest.
    #[serde(borrow)]
    Grid(GridText<'a>),
    /// A rack: row r has r + 1 bodies, row by row behind the apex.
    #[serde(borrow)]
    Triangle(TriangleText<'a>),
    /// Bodies scattered over a box by a seed.
    #[serde(borrow)]
    Random(RandomText<'a>),
}

impl<'a> BodiesText<'a> {
    /// The fields that every record of bodies has.
    pub const fn kind(&self) -> KindText<'a> {
        match self {
            Self::Body(body) => body.kind(),
            Self::Grid(grid) => grid.kind(),
            Self::Triangle(triangle) => triangle.kind(),
            Self::Random(random) => random.kind(),
        }
    }
}

/// The common fields of bodies of one kind.
#[derive(Clone, Copy)]
pub struct KindText<'a> {
    pub shape: Leaf<'a>,
    pub mirrored: bool,
    pub material: Leaf<'a>,
    pub mass: Option<Leaf<'a>>,
    pub rotates: bool,
    pub orientation: Option<OrientationText<'a>>,
    pub angular_velocity: Option<Vector<'a>>,
    pub body_type: MovedBy,
    pub layer: Option<Leaf<'a>>,
    pub group: Option<Leaf<'a>>,
    pub locks: Option<Leaf<'a>>,
    pub damping: Option<Leaf<'a>>,
    pub user: Option<Leaf<'a>>,
    pub allow_overlap: bool,
    pub on_hit: OnHitText,
    pub dominance: Option<Leaf<'a>>,
}

/// The cause of a body's motion.
#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename = "body_type", rename_all = "snake_case")]
pub enum MovedBy {
    #[default]
    Dynamic,
    Kinematic,
    Static,
}

/// A record of the fields that every body has, and some of its own.
macro_rules! bodies_text {
    ($(#[$about:meta])* $type:ident $name:literal { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, rename = $name)]
        pub struct $type<'a> {
            #[serde(borrow, default)]
            pub name: Option<Leaf<'a>>,
            #[serde(borrow)]
            pub shape: Leaf<'a>,
            #[serde(default)]
            pub mirrored: bool,
            #[serde(borrow)]
            pub material: Leaf<'a>,
            #[serde(borrow, default)]
            pub mass: Option<Leaf<'a>>,
            #[serde(default)]
            pub rotates: bool,
            #[serde(borrow, default)]
            pub orientation: Option<OrientationText<'a>>,
            #[serde(borrow, default)]
            pub angular_velocity: Option<Vector<'a>>,
            #[serde(default)]
            pub body_type: MovedBy,
            #[serde(borrow, default)]
            pub layer: Option<Leaf<'a>>,
            #[serde(borrow, default)]
            pub group: Option<Leaf<'a>>,
            #[serde(borrow, default)]
            pub locks: Option<Leaf<'a>>,
            #[serde(borrow, default)]
            pub damping: Option<Leaf<'a>>,
            #[serde(borrow, default)]
            pub user: Option<Leaf<'a>>,
            #[serde(default)]
            pub allow_overlap: bool,
            #[serde(default)]
            pub on_hit: OnHitText,
            #[serde(borrow, default)]
            pub dominance: Option<Leaf<'a>>,
            $($own)*
        }

        impl<'a> $type<'a> {
            /// Its fields in common with every record of bodies.
            pub const fn kind(&self) -> KindText<'a> {
                let Self { shape, material, mass, body_type: kind, layer, group, locks, damping, user, .. } = *self;
                let Self { mirrored, rotates, orientation, angular_velocity, allow_overlap, on_hit, .. } = *self;
                let Self { dominance, .. } = *self;
                KindText {
                    shape,
                    mirrored,
                    material,
                    mass,
                    rotates,
                    orientation,
                    angular_velocity,
                    body_type: kind,
                    layer,
                    group,
                    locks,
                    damping,
                    user,
                    allow_overlap,
                    on_hit,
                    dominance,
                }
            }
        }
    };
}

bodies_text! {
    /// A body, or a later spawn.
    BodyText "body" {
        #[serde(borrow)]
        pub position: Vector<'a>,
        #[serde(borrow, default)]
        pub velocity: Option<Vector<'a>>,
    }
}

bodies_text! {
    /// Bodies on a lattice.
    GridText "grid" {
        /// Number on each axis.
        #[serde(borrow)]
        pub count: Vector<'a>,
        /// Position of the first body.
        #[serde(borrow)]
        pub first: Vector<'a>,
        /// Offset from one to the next, on each axis.
        #[serde(borrow)]
        pub step: Vector<'a>,
        #[serde(borrow, default)]
        pub velocity: Option<Vector<'a>>,
    }
}

bodies_text! {
    /// Bodies in rows, each longer by one.
    TriangleText "triangle" {
        #[serde(borrow)]
        pub rows: Leaf<'a>,
        /// Position of the single body of the first row.
        #[serde(borrow)]
        pub apex: Vector<'a>,
        /// The vector from the middle of one row to the middle of the next.
        #[serde(borrow)]
        pub along: Vector<'a>,
        /// The vector from one body of a row to the next.
        #[serde(borrow)]
        pub across: Vector<'a>,
        #[serde(borrow, default)]
        pub velocity: Option<Vector<'a>>,
    }
}

bodies_text! {
    /// Bodies scattered over a box.
    RandomText "random" {
        #[serde(borrow)]
        pub count: Leaf<'a>,
        #[serde(borrow)]
        pub seed: Leaf<'a>,
        /// The box that holds the bodies whole, from corner to corner.
        #[serde(borrow)]
        pub min: Vector<'a>,
        #[serde(borrow)]
        pub max: Vector<'a>,
        /// The least distance between their bounding spheres.
        #[serde(borrow, default)]
        pub gap: Option<Leaf<'a>>,
        /// The slowest and the fastest speed; at rest where it is left out.
        #[serde(borrow, default)]
        pub speed: Option<(Leaf<'a>, Leaf<'a>)>,
        /// The direction of motion; any where it is left out.
        #[serde(borrow, default)]
        pub direction: Option<Vector<'a>>,
    }
}

/// Commands that take effect just before a tick is stepped; the first tick is 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "at")]
pub struct AtText<'a> {
    #[serde(borrow)]
    pub tick: Leaf<'a>,
    #[serde(borrow)]
    pub commands: Vec<CommandText<'a>>,
}

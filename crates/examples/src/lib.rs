//! The pages of `docs` whose blocks of code are compiled and run as tests.
//!
//! They stand here and not in the library, which is published without them.

#[doc = include_str!("../../../docs/getting-started.md")]
pub mod getting_started {}

/// One page for each topic.
pub mod guide {
    #[doc = include_str!("../../../docs/guide/bodies.md")]
    pub mod bodies {}

    #[doc = include_str!("../../../docs/guide/characters.md")]
    pub mod characters {}

    #[doc = include_str!("../../../docs/guide/commands.md")]
    pub mod commands {}

    #[doc = include_str!("../../../docs/guide/events.md")]
    pub mod events {}

    #[doc = include_str!("../../../docs/guide/ground.md")]
    pub mod ground {}

    #[doc = include_str!("../../../docs/guide/layers-and-sensors.md")]
    pub mod layers_and_sensors {}

    #[doc = include_str!("../../../docs/guide/limits.md")]
    pub mod limits {}

    #[doc = include_str!("../../../docs/guide/platforms.md")]
    pub mod platforms {}

    #[doc = include_str!("../../../docs/guide/queries.md")]
    pub mod queries {}

    #[doc = include_str!("../../../docs/guide/sessions.md")]
    pub mod sessions {}

    #[doc = include_str!("../../../docs/guide/shapes.md")]
    pub mod shapes {}

    #[doc = include_str!("../../../docs/guide/sleeping.md")]
    pub mod sleeping {}
}

//! Simplification of commands.

use bitstep::{
    geom::{Rotation, Vec3},
    state::{BodyId, BodyType, Command, Locks, MaterialId, OnHit, ShapeId, Spawn},
};

/// The simplest replacement of any compound.
const fn one_shape(body: BodyId) -> Command {
    Command::SetShape { body, shape: ShapeId(0), allow_overlap: false }
}

/// The same command with one value simpler, in every way; each way terminates.
pub fn simpler(command: &Command) -> Vec<Command> {
    let (mut found, given) = (Vec::new(), *command);
    match given {
        Command::Spawn(spawn) => found.extend(simpler_spawns(&spawn).into_iter().map(Command::Spawn)),
        Command::Remove { .. } => {}
        Command::Teleport { body, position, orientation, allow_overlap } => {
            let to = |position| Command::Teleport { body, position, orientation, allow_overlap };
            found.extend(vectors(position).into_iter().map(to));
            let turned = |orientation| Command::Teleport { body, position, orientation, allow_overlap };
            if orientation.is_some() {
                found.extend([Some(Rotation::IDENTITY), None].map(turned));
            }
            found.push(Command::Teleport { body, position, orientation, allow_overlap: false });
        }
        Command::SetAngularVelocity { body, angular_velocity } => {
            let with = |angular_velocity| Command::SetAngularVelocity { body, angular_velocity };
            found.extend(vectors(angular_velocity).into_iter().map(with));
        }
        Command::ApplyImpulseAt { body, impulse, point } => {
            found.extend(simpler_pushes(body, impulse, point));
        }
        Command::ApplyAngularImpulse { body, angular_impulse } => {
            let with = |angular_impulse| Command::ApplyAngularImpulse { body, angular_impulse };
            found.extend(vectors(angular_impulse).into_iter().map(with));
        }
        Command::MoveKinematic { body, position } => {
            found.extend(
                vectors(position).into_iter().map(|position| Command::MoveKinematic { body, position }),
            );
        }
        Command::SetVelocity { body, velocity } => {
            let with = |velocity| Command::SetVelocity { body, velocity };
            found.extend(vectors(velocity).into_iter().map(with));
        }
        Command::ApplyImpulse { body, impulse } => {
            found.extend(vectors(impulse).into_iter().map(|impulse| Command::ApplyImpulse { body, impulse }));
        }
        Command::SetGravity { gravity } => {
            let even = |gravity: Vec3| Command::SetGravity { gravity: gravity.map_raw(|raw| raw / 2 * 2) };
            found.extend(vectors(gravity).into_iter().map(even));
        }
        Command::SetShape { body, shape, allow_overlap } => {
            found.push(Command::SetShape { body, shape: ShapeId(0), allow_overlap });
            found.push(Command::SetShape { body, shape, allow_overlap: false });
        }
        Command::SetCompound { body, .. } => found.push(one_shape(body)),
        Command::SetFilter { body, layer, group, allow_overlap } => {
            found.push(Command::SetFilter { body, layer: 0, group, allow_overlap });
            found.push(Command::SetFilter { body, layer, group: 0, allow_overlap });
            found.push(Command::SetFilter { body, layer, group, allow_overlap: false });
        }
        Command::SetLayers { a, b, rule, .. } => {
            found.push(Command::SetLayers { a, b, rule, allow_overlap: false });
        }
        Command::SetLocks { body, .. } => found.push(Command::SetLocks { body, locks: Locks::NONE }),
        Command::SetSleep { body, .. } => found.push(Command::SetSleep { body, sleeps: true }),
        Command::SetUser { body, .. } => found.push(Command::SetUser { body, user: 0 }),
        _ => found.extend(simpler_rules(command)),
    }
    found.retain(|command| *command != given);
    found
}

fn simpler_rules(command: &Command) -> Vec<Command> {
    match *command {
        Command::Freeze { body, ticks } => {
            [0, ticks.min(1), ticks / 2].map(|ticks| Command::Freeze { body, ticks }).to_vec()
        }
        Command::SetOnHit { body, .. } => vec![Command::SetOnHit { body, on_hit: OnHit::Continue }],
        Command::SetDominance { body, dominance } => [0, dominance.min(1), dominance / 2]
            .map(|dominance| Command::SetDominance { body, dominance })
            .to_vec(),
        Command::Drive { body, velocity, accel_max } => {
            let with = |velocity| Command::Drive { body, velocity, accel_max };
            vectors(velocity).into_iter().map(with).chain([Command::EndDrive { body }]).collect()
        }
        Command::SetDamping { body, damping_q16 } => {
            [0, damping_q16 / 2].map(|damping_q16| Command::SetDamping { body, damping_q16 }).to_vec()
        }
        Command::IgnorePair { a, b, ticks } => {
            [0, ticks.min(1), ticks / 2].map(|ticks| Command::IgnorePair { a, b, ticks }).to_vec()
        }
        _ => Vec::new(),
    }
}

fn simpler_pushes(body: BodyId, impulse: Vec3, point: Vec3) -> Vec<Command> {
    let with = |impulse| Command::ApplyImpulseAt { body, impulse, point };
    let at = |point| Command::ApplyImpulseAt { body, impulse, point };
    let pushes = vectors(impulse).into_iter().map(with).chain(vectors(point).into_iter().map(at));
    pushes.chain([Command::ApplyImpulse { body, impulse }]).collect()
}

fn simpler_spawns(spawn: &Spawn) -> Vec<Spawn> {
    let given = *spawn;
    let mut found = vec![
        Spawn { body_type: BodyType::Dynamic, ..given },
        Spawn { locks: Locks::NONE, ..given },
        Spawn { on_hit: OnHit::Continue, ..given },
        Spawn { dominance: 0, ..given },
        Spawn { rotates: false, orientation: Rotation::IDENTITY, angular_velocity: Vec3::ZERO, ..given },
        Spawn { orientation: Rotation::IDENTITY, ..given },
        Spawn { layer: 0, ..given },
        Spawn { group: 0, ..given },
        Spawn { damping_q16: 0, ..given },
        Spawn { user: 0, ..given },
        Spawn { shape: ShapeId(0), ..given },
        Spawn { material: MaterialId(0), ..given },
        Spawn { allow_overlap: false, ..given },
        Spawn { mass: 1, ..given },
        Spawn { mass: given.mass.div_ceil(2), ..given },
        Spawn { damping_q16: given.damping_q16 / 2, ..given },
    ];
    found.extend(vectors(given.velocity).into_iter().map(|velocity| Spawn { velocity, ..given }));
    let turning = |angular_velocity| Spawn { angular_velocity, ..given };
    found.extend(vectors(given.angular_velocity).into_iter().map(turning));
    found.extend(vectors(given.position).into_iter().map(|position| Spawn { position, ..given }));
    found.retain(|spawn| *spawn != given);
    found
}

/// The vector with one component at zero, with fewer bits behind the point, or halved.
fn vectors(vector: Vec3) -> Vec<Vec3> {
    let raw = vector.raw();
    let mut found = vec![Vec3::ZERO];
    for axis in 0..3 {
        let whole = |bits: u32| raw[axis] / (1 << bits) * (1 << bits);
        let simpler = [0, whole(32), whole(30), whole(26), whole(20), whole(12), raw[axis] / 2];
        for value in simpler {
            let mut parts = raw;
            parts[axis] = value;
            found.push(Vec3::from_raw(parts));
        }
    }
    found.retain(|simpler| *simpler != vector);
    found.dedup();
    found
}

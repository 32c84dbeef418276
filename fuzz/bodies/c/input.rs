//! Arguments of calls, from bytes.

use std::mem::MaybeUninit;

use bitstep_c::{body::*, command::*, memory::Sized32, scenery::*, types::*, world::*};

/// Bytes that numbers are taken from; zeros behind their end.
pub struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.rest = rest;
        *first
    }

    /// A number below another one, from one byte.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    pub fn bits(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// So many bytes, or those that are left.
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        bytes
    }

    /// A scalar: within 8 units mostly.
    pub fn scalar(&mut self) -> BitstepScalar {
        match self.below(8) {
            0 => self.bits() as i64,
            1 => [0, i64::MIN, i64::MAX, -1, 1][self.below(5)],
            _ => i64::from(self.short() as i16) << 20,
        }
    }

    pub fn vector(&mut self) -> BitstepVec3 {
        BitstepVec3 { x: self.scalar(), y: self.scalar(), z: self.scalar() }
    }

    /// A number of a list, mostly.
    pub fn small(&mut self) -> u32 {
        match self.byte() {
            byte @ ..250 => u32::from(byte % 5),
            _ => self.bits() as u32,
        }
    }

    fn flag(&mut self) -> u32 {
        u32::from(self.byte() % 2)
    }

    /// No rotation, a quarter turn about the third axis, or any components.
    fn rotation(&mut self) -> BitstepRotation {
        match self.below(4) {
            0 => BitstepRotation { w: 759_250_125, x: 0, y: 0, z: 759_250_125 },
            1 => {
                let (left, right) = (self.bits(), self.bits());
                BitstepRotation {
                    w: left as i32,
                    x: (left >> 32) as i32,
                    y: right as i32,
                    z: (right >> 32) as i32,
                }
            }
            _ => BitstepRotation::default(),
        }
    }

    pub fn body(&mut self) -> BitstepBody {
        match self.byte() {
            byte @ ..240 => BitstepBody { id: u64::from(byte % 12) | u64::from(byte / 120) << 32 },
            _ => BitstepBody { id: self.bits() },
        }
    }

    pub fn collider(&mut self) -> BitstepCollider {
        BitstepCollider { is_static: self.flag(), index: self.small() % 4, body: self.body() }
    }

    /// A struct of any bytes, of its own size mostly.
    pub fn any<T: Sized32>(&mut self) -> T {
        let mut bytes = vec![0; size_of::<T>()];
        let given = self.take(bytes.len());
        bytes[..given.len()].copy_from_slice(given);
        if bytes[0] % 16 != 0 {
            bytes[..4].copy_from_slice(&(size_of::<T>() as u32).to_le_bytes());
        }
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: both have the size of a `T`.
        unsafe { value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        // SAFETY: every byte was written, and a `Sized32` is valid whatever its bytes are.
        unsafe { value.assume_init() }
    }

    /// A struct with its size and zeros.
    pub fn sized<T: Sized32>() -> T {
        Input::new(&[1]).any()
    }

    /// A struct that is made, or one of any bytes.
    fn made<T: Sized32>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        if self.below(16) == 15 { self.any() } else { make(self) }
    }

    pub fn shape(&mut self) -> BitstepShape {
        self.made(|input| BitstepShape {
            kind: input.small(),
            radius: input.scalar(),
            half: input.vector(),
            rotation: input.rotation(),
            ..Self::sized()
        })
    }

    pub fn fixed(&mut self) -> BitstepStatic {
        self.made(|input| BitstepStatic {
            shape: input.small(),
            material: input.small(),
            layer: input.small(),
            position: input.vector(),
            ..Self::sized()
        })
    }

    pub fn spawn(&mut self) -> BitstepSpawn {
        self.made(|input| {
            let mut spawn = MaybeUninit::uninit();
            // SAFETY: there is room for the struct, which is written.
            unsafe { bitstep_spawn_init(input.small(), spawn.as_mut_ptr()) };
            // SAFETY: it was written.
            let spawn: BitstepSpawn = unsafe { spawn.assume_init() };
            BitstepSpawn {
                position: input.vector(),
                velocity: input.vector(),
                body_type: input.small() % 4,
                layer: input.small(),
                rotates: input.flag(),
                allow_overlap: input.flag(),
                mass: input.small().max(1),
                on_hit: input.small(),
                ..spawn
            }
        })
    }

    pub fn command(&mut self) -> BitstepCommand {
        self.made(|input| {
            let made = BitstepCommand {
                kind: u32::from(input.byte() % 24),
                body: input.body(),
                vector: input.vector(),
                point: BitstepVec3 { y: 1 << 31, ..BitstepVec3::default() },
                rotation: input.rotation(),
                scalar: input.scalar(),
                other: input.collider(),
                user: 7,
                number: input.small(),
                second: input.small(),
                third: input.small(),
                allow_overlap: input.flag(),
                ..Self::sized()
            };
            if made.kind != BITSTEP_COMMAND_SET_HEIGHTS {
                return made;
            }
            let [columns, rows] = [input.small(), input.small()];
            BitstepCommand { columns, rows, heights: [[input.byte() as i8 as i16; 8]; 8], ..made }
        })
    }

    /// The limits of a small world.
    pub fn limits(&mut self) -> BitstepLimits {
        let mut limits = MaybeUninit::uninit();
        // SAFETY: there is room for the struct, which is written.
        unsafe { bitstep_limits_init(u32::from(self.byte()), limits.as_mut_ptr()) };
        // SAFETY: it was written.
        let limits: BitstepLimits = unsafe { limits.assume_init() };
        self.made(|input| BitstepLimits {
            bodies_max: u32::from(input.byte() % 16),
            flat: input.flag(),
            sleep_after: input.small(),
            substeps: 1 + input.small() % 3,
            separation_speed: i64::from(input.short()) << 12,
            ..limits
        })
    }

    /// Bytes that were right: as they are, cut, with one changed, or others.
    pub fn damaged(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (kind, mut bytes) = (self.below(8), bytes.to_vec());
        let at = if kind < 5 { 0 } else { usize::from(self.short()) % bytes.len().max(1) };
        match kind {
            5 => bytes.truncate(at),
            6 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= self.byte()),
            7 => {
                let count = self.below(64);
                bytes = self.take(count).to_vec();
            }
            _ => {}
        }
        bytes
    }
}

//! Handles: numbers that stand for objects, and are refused when these are gone.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::code::{BITSTEP_ERROR_HANDLE, BITSTEP_ERROR_POISONED, Failure};

/// The bits of a slot in a handle; behind them are those of the generation, and then the kind.
const SLOT_BITS: u32 = 32;
const GENERATION_BITS: u32 = 24;

/// A place for an object.
struct Slot<T> {
    /// Number of objects that were here before; one that cannot be counted any more leaves the slot unused.
    generation: u32,
    object: Option<Arc<Mutex<T>>>,
}

/// All objects of one kind.
pub struct Table<T> {
    kind: u8,
    name: &'static str,
    slots: RwLock<Vec<Slot<T>>>,
}

impl<T> Table<T> {
    /// No object yet; every kind has a number of its own above 0.
    pub const fn new(kind: u8, name: &'static str) -> Self {
        Self { kind, name, slots: RwLock::new(Vec::new()) }
    }

    /// Takes an object; returns its handle, which is never 0.
    pub fn add(&self, object: T) -> u64 {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let is_free = |slot: &Slot<T>| slot.object.is_none() && slot.generation < 1 << GENERATION_BITS;
        let place = slots.iter().position(is_free).unwrap_or_else(|| {
            slots.push(Slot { generation: 0, object: None });
            slots.len() - 1
        });
        let slot = &mut slots[place];
        slot.object = Some(Arc::new(Mutex::new(object)));
        u64::from(self.kind) << (SLOT_BITS + GENERATION_BITS)
            | u64::from(slot.generation) << SLOT_BITS
            | place as u64
    }

    /// Works on an object, while other calls with it wait.
    pub fn with<R>(
        &self,
        handle: u64,
        work: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let object = {
            let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
            let place = self.place(&slots, handle)?;
            slots[place].object.clone().ok_or_else(|| self.stale(handle))?
        };
        let mut object = object.lock().map_err(|_| {
            Failure::new(BITSTEP_ERROR_POISONED, format!("this {} met a fault of bitstep", self.name))
        })?;
        work(&mut object)
    }

    /// Frees an object, also a poisoned one. A call that still works on it works on to its end.
    pub fn remove(&self, handle: u64) -> Result<(), Failure> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let place = self.place(&slots, handle)?;
        let slot = &mut slots[place];
        slot.generation += 1;
        let object = slot.object.take();
        drop(slots);
        drop(object); // without the lock on all others
        Ok(())
    }

    fn place(&self, slots: &[Slot<T>], handle: u64) -> Result<usize, Failure> {
        let kind = handle >> (SLOT_BITS + GENERATION_BITS);
        let generation = handle >> SLOT_BITS & ((1 << GENERATION_BITS) - 1);
        let place = usize::try_from(handle & u64::from(u32::MAX)).map_err(|_| self.stale(handle))?;
        let is_here = kind == u64::from(self.kind)
            && slots
                .get(place)
                .is_some_and(|slot| slot.object.is_some() && u64::from(slot.generation) == generation);
        if is_here { Ok(place) } else { Err(self.stale(handle)) }
    }

    fn stale(&self, handle: u64) -> Failure {
        Failure::new(BITSTEP_ERROR_HANDLE, format!("{handle:#x} is no {}, or one that was freed", self.name))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        thread,
    };

    use super::*;

    #[test]
    fn handles_of_freed_objects_are_stale_for_ever() {
        static TABLE: Table<u32> = Table::new(3, "number");
        let mut seen = Vec::new();
        for number in 0..1_000 {
            let handle = TABLE.add(number);
            assert!(handle != 0 && !seen.contains(&handle));
            assert_eq!(TABLE.with(handle, |it| Ok(*it)).ok(), Some(number));
            assert!(TABLE.remove(handle).is_ok() && TABLE.remove(handle).is_err());
            seen.push(handle);
        }
        assert_eq!(TABLE.slots.read().unwrap().len(), 1, "the slot is used again");
        assert!(seen.iter().all(|&handle| TABLE.with(handle, |_| Ok(())).is_err()));
        // One of another kind is none.
        static OTHER: Table<u32> = Table::new(4, "other");
        let handle = OTHER.add(1);
        assert!(TABLE.with(handle, |_| Ok(())).is_err() && OTHER.with(handle, |_| Ok(())).is_ok());
        for handle in [0, u64::MAX, 1 << 56, handle + 1, handle | 1 << 40] {
            assert!(OTHER.with(handle, |_| Ok(())).is_err(), "{handle:#x}");
        }
    }

    #[test]
    fn a_slot_whose_generations_are_used_up_is_left() {
        static TABLE: Table<u32> = Table::new(1, "number");
        TABLE.slots.write().unwrap().push(Slot { generation: (1 << GENERATION_BITS) - 1, object: None });
        let last = TABLE.add(5);
        assert!(TABLE.remove(last).is_ok());
        let next = TABLE.add(6);
        assert_eq!(next & u64::from(u32::MAX), 1);
    }

    #[test]
    fn objects_that_met_a_panic_are_poisoned_and_can_be_freed() {
        static TABLE: Table<u32> = Table::new(1, "number");
        let handle = TABLE.add(5);
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let panicked =
            catch_unwind(AssertUnwindSafe(|| TABLE.with(handle, |_| -> Result<(), _> { panic!() })));
        std::panic::set_hook(hook);
        assert!(panicked.is_err());
        assert_eq!(TABLE.with(handle, |_| Ok(())).unwrap_err().code, BITSTEP_ERROR_POISONED);
        assert!(TABLE.remove(handle).is_ok());
        let other = TABLE.add(6);
        assert!(TABLE.with(other, |_| Ok(())).is_ok());
    }

    #[test]
    fn calls_with_one_object_wait_for_each_other() {
        static TABLE: Table<u64> = Table::new(2, "number");
        let handle = TABLE.add(0);
        let count = || {
            for _ in 0..10_000 {
                let _ = TABLE.with(handle, |it| {
                    *it += 1;
                    Ok(())
                });
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(count))));
        assert_eq!(TABLE.with(handle, |it| Ok(*it)).ok(), Some(40_000));
    }
}

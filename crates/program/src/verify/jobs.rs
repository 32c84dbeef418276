//! Recordings in parallel, reported one after the other.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::{self, available_parallelism},
};

use anyhow::Result;

/// Number of threads for `--jobs`: 0 is one for each CPU.
pub fn threads(jobs: usize) -> usize {
    match jobs {
        0 => available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    }
}

/// Runs `work` for every number below `count`, on some threads, and calls `tell` with the results in the
/// order of the numbers, on this thread, each as soon as all before it are reported.
///
/// One thread is this one: targets without threads have that.
///
/// # Errors
///
/// The error of `tell`; no further work is begun then.
pub fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut tell: impl FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).try_for_each(|index| tell(index, work(index)));
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is closed where `tell` failed.
                    if index >= count || sender.send((index, work(index))).is_err() {
                        break;
                    }
                }
            });
        }
        // The last thread to end closes the channel.
        drop(sender);
        let (mut waiting, mut told) = (BTreeMap::new(), 0);
        for (index, done) in receiver {
            waiting.insert(index, done);
            while let Some(done) = waiting.remove(&told) {
                tell(told, done)?;
                told += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, time::Duration};

    use anyhow::bail;

    use super::*;

    #[test]
    fn results_are_told_in_the_order_of_the_work() {
        for threads in [1, 2, 7, 100] {
            let mut told = Vec::new();
            let work = |index: usize| {
                thread::sleep(Duration::from_millis(if index % 3 == 0 { 6 } else { 0 }));
                index * index
            };
            in_order(20, threads, work, |index, square| {
                told.push((index, square));
                Ok(())
            })
            .unwrap();
            assert_eq!(told, (0..20).map(|index| (index, index * index)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn jobs_at_once_are_as_many_as_threads() {
        // With fewer than four at once no thread passes the barrier.
        let barrier = Barrier::new(4);
        let work = |_| {
            barrier.wait();
        };
        in_order(8, 4, work, |_, ()| Ok(())).unwrap();
    }

    #[test]
    fn nothing_is_begun_behind_an_error() {
        for threads in [1, 3] {
            let begun = AtomicUsize::new(0);
            let work = |_| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(2));
            };
            let ended =
                in_order(1000, threads, work, |index, ()| if index == 4 { bail!("full") } else { Ok(()) });
            assert_eq!(ended.unwrap_err().to_string(), "full");
            assert!(begun.into_inner() < 500);
        }
    }
}

//! Threads that run a network side by side; a trainer keeps its own and lends them.

use crate::error::NetError;
use crate::network::Net;
use crate::runtime::prepare_thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Threads that work on the same network, from their beginning to their end.
///
/// LibTorch's matrix library remembers each thread that ever multiplied something: 180 bytes stay of every step of
/// two threads that are begun for it.
pub struct Threads {
    /// `None` for a single one, which is the caller's, and while the threads are sent home.
    pool: Option<rayon::ThreadPool>,
    handles: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Threads {
    /// So many; one and none are the caller's.
    ///
    /// # Errors
    /// [`NetError::Module`] where the system gives none.
    pub fn new(count: usize) -> Result<Threads, NetError> {
        let handles: Arc<Mutex<Vec<JoinHandle<()>>>> = Arc::default();
        if count <= 1 {
            return Ok(Threads { pool: None, handles });
        }
        let kept = Arc::clone(&handles);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .spawn_handler(move |thread| {
                let handle = std::thread::Builder::new().spawn(|| {
                    prepare_thread();
                    thread.run();
                })?;
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
                Ok(())
            })
            .build()
            .map_err(|error| NetError::Module(format!("{count} threads for a network: {error}")))?;
        Ok(Threads { pool: Some(pool), handles })
    }

    /// How many work at the same time.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Calls `work` once on each thread, on all at the same time, with the number of the thread and a network that
    /// shares the tensors of `net`; what they answer, in the order of the threads.
    ///
    /// # Errors
    /// The first one of `work`, and [`NetError::Module`] where it panicked.
    pub(crate) fn each<T: Send>(
        &self,
        net: &Net,
        work: impl Fn(usize, &Net) -> Result<T, NetError> + Sync,
    ) -> Result<Vec<T>, NetError> {
        let Some(pool) = &self.pool else { return Ok(vec![work(0, net)?]) };
        let nets: Vec<Mutex<Net>> = (0..self.count()).map(|_| Mutex::new(net.share())).collect();
        let answers = pool.broadcast(|thread| {
            let net = nets[thread.index()].lock().unwrap_or_else(PoisonError::into_inner);
            catch_unwind(AssertUnwindSafe(|| work(thread.index(), &net)))
                .unwrap_or_else(|_| Err(NetError::Module("a thread of the network panicked".to_owned())))
        });
        answers.into_iter().collect()
    }
}

impl Drop for Threads {
    /// Waits for the threads: none may be in LibTorch when the process ends.
    fn drop(&mut self) {
        self.pool = None;
        let handles = std::mem::take(&mut *self.handles.lock().unwrap_or_else(PoisonError::into_inner));
        for handle in handles {
            // One that panicked has said so in its answer.
            let _ = handle.join();
        }
    }
}

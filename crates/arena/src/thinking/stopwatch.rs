//! Measuring the time of a thread.

use pairs::Clock;
use std::time::{Duration, Instant};

/// Time from now on, by one of two clocks. The processor's belongs to the thread that asks it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Clock,
    begin: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub fn start(clock: Clock) -> Stopwatch {
        let begin = match clock {
            Clock::Wall => Duration::ZERO,
            Clock::Processor => processor_time(),
        };
        Stopwatch { clock, begin, wall: Instant::now() }
    }

    /// What has gone by.
    pub fn elapsed(&self) -> Duration {
        match self.clock {
            Clock::Wall => self.wall.elapsed(),
            Clock::Processor => processor_time().saturating_sub(self.begin),
        }
    }
}

/// Time that the processor has worked for this thread.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes the time to where it is told, and this clock is there on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeping_thread_spends_no_processor_time() {
        let (wall, processor) = (Stopwatch::start(Clock::Wall), Stopwatch::start(Clock::Processor));
        std::thread::sleep(Duration::from_millis(60));
        assert!(wall.elapsed() >= Duration::from_millis(60));
        assert!(processor.elapsed() < wall.elapsed() / 2);
        let (mut sum, before) = (0_u64, processor.elapsed());
        while processor.elapsed() < before + Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
    }
}

//! How fast this processor can multiply at best: what rates of networks are shares of.

use crate::error::NetError;
use crate::runtime::thread_seconds;
use std::hint::black_box;
use tch::{Device, Kind, Tensor, no_grad};

/// Floating-point operations a second of one thread, measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Peak {
    /// Of a large matrix product of LibTorch.
    pub product: f64,
    /// Of fused multiplications and additions in registers, which nothing in 32-bit numbers can exceed;
    /// `None` for other numbers, and where the processor's instructions are not known here.
    pub registers: Option<f64>,
}

impl Peak {
    /// The larger one: what shares are taken of.
    pub fn best(&self) -> f64 {
        self.registers.map_or(self.product, |registers| registers.max(self.product))
    }

    /// Measures for about `seconds`: the best of several short runs, by the processor time of this thread.
    ///
    /// # Errors
    /// What LibTorch says.
    pub fn measure(kind: Kind, seconds: f64) -> Result<Peak, NetError> {
        let mut product: f64 = 0.0;
        for size in [512i64, 1024] {
            let square = || Tensor::f_ones([size, size], (Kind::Float, Device::Cpu))?.f_to_kind(kind);
            let (left, right) = (square()?, square()?);
            let operations = 2.0 * (size * size * size) as f64;
            product = product.max(no_grad(|| {
                best_rate(operations, seconds / 4.0, || {
                    let _ = black_box(left.f_matmul(&right)?);
                    Ok(())
                })
            })?);
        }
        let registers = match (kind, register_kernel()) {
            (Kind::Float, Some((kernel, operations))) => {
                const ROUNDS: u32 = 1 << 20;
                Some(best_rate(operations * f64::from(ROUNDS), seconds / 2.0, || {
                    black_box(kernel(ROUNDS));
                    Ok(())
                })?)
            }
            _ => None,
        };
        Ok(Peak { product, registers })
    }
}

/// Operations a second of processor time that this thread multiplies for `seconds`, on average and not at best: what
/// rates that were measured under the same load are shares of. In registers where their instructions are known, else
/// in matrix products.
///
/// # Errors
/// What LibTorch says.
pub fn sustained(kind: Kind, seconds: f64) -> Result<f64, NetError> {
    const ROUNDS: u32 = 1 << 18;
    const SIZE: i64 = 512;
    let square = || Tensor::f_ones([SIZE, SIZE], (Kind::Float, Device::Cpu))?.f_to_kind(kind);
    let (left, right) = (square()?, square()?);
    let kernel = register_kernel().filter(|_| kind == Kind::Float);
    let (clock, begin, mut operations) = (std::time::Instant::now(), thread_seconds(), 0.0);
    loop {
        match kernel {
            Some((kernel, each)) => {
                black_box(kernel(ROUNDS));
                operations += each * f64::from(ROUNDS);
            }
            None => {
                let _ = black_box(no_grad(|| left.f_matmul(&right))?);
                operations += 2.0 * (SIZE * SIZE * SIZE) as f64;
            }
        }
        if clock.elapsed().as_secs_f64() >= seconds {
            return Ok(operations / (thread_seconds() - begin).max(1e-9));
        }
    }
}

/// Operations a second of `work`, which does `operations` of them: the best of as many runs as fit into `seconds`,
/// after one that does not count.
fn best_rate(
    operations: f64,
    seconds: f64,
    mut work: impl FnMut() -> Result<(), NetError>,
) -> Result<f64, NetError> {
    work()?;
    let (begin, mut best) = (thread_seconds(), f64::INFINITY);
    loop {
        let before = thread_seconds();
        work()?;
        let now = thread_seconds();
        best = best.min(now - before);
        if now - begin >= seconds {
            return Ok(operations / best.max(1e-9));
        }
    }
}

/// A loop of so many rounds.
type Kernel = fn(u32) -> f32;

/// The widest loop that this processor has instructions for, and the operations of one of its rounds.
fn register_kernel() -> Option<(Kernel, f64)> {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the instructions, as was just asked.
            return Some((|rounds| unsafe { x86::multiply_512(rounds) }, (x86::SUMS * 16 * 2) as f64));
        }
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: as above.
            return Some((|rounds| unsafe { x86::multiply_256(rounds) }, (x86::SUMS * 8 * 2) as f64));
        }
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_cvtss_f32, _mm256_fmadd_ps, _mm256_set1_ps, _mm512_fmadd_ps,
        _mm512_reduce_add_ps, _mm512_set1_ps,
    };
    use std::hint::black_box;

    /// Independent sums: enough to hide the latency of two units, few enough for sixteen registers.
    pub const SUMS: usize = 12;

    #[target_feature(enable = "avx2,fma")]
    pub fn multiply_256(rounds: u32) -> f32 {
        let (factor, term) = (_mm256_set1_ps(black_box(0.999)), _mm256_set1_ps(black_box(0.001)));
        let mut sums = [_mm256_set1_ps(black_box(0.5)); SUMS];
        for _ in 0..rounds {
            for sum in &mut sums {
                *sum = _mm256_fmadd_ps(*sum, factor, term);
            }
        }
        _mm256_cvtss_f32(sums.into_iter().reduce(|sum, next| _mm256_add_ps(sum, next)).unwrap_or(term))
    }

    #[target_feature(enable = "avx512f")]
    pub fn multiply_512(rounds: u32) -> f32 {
        let (factor, term) = (_mm512_set1_ps(black_box(0.999)), _mm512_set1_ps(black_box(0.001)));
        let mut sums = [_mm512_set1_ps(black_box(0.5)); SUMS];
        for _ in 0..rounds {
            for sum in &mut sums {
                *sum = _mm512_fmadd_ps(*sum, factor, term);
            }
        }
        sums.into_iter().map(|sum| _mm512_reduce_add_ps(sum)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_do_not_beat_the_registers_by_much() {
        crate::runtime::prepare();
        let peak = Peak::measure(Kind::Float, 0.2).unwrap();
        assert!(peak.product > 1e8, "{peak:?}");
        // They cannot beat them at all, but frequencies change while both are measured.
        assert!(peak.registers.is_none_or(|registers| registers > 0.7 * peak.product), "{peak:?}");
        let sustained = sustained(Kind::Float, 0.05).unwrap();
        assert!(sustained > 0.0 && sustained < 1.5 * peak.best(), "{sustained} {peak:?}");
    }
}

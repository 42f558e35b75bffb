//! Past policies that the one that learns meets.

use super::policy::Policy;
use game::random::{Purpose, stream};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Past policies, each known by the number of updates that it had behind it. All that were ever offered are equally
/// likely to be among those kept (J. S. Vitter, "Random sampling with a reservoir", 1985, algorithm R), so that to
/// meet the pool is to meet the mean of the past, as in fictitious play.
pub struct Pool {
    size: usize,
    offered: u64,
    members: Vec<(u64, Box<dyn Policy>)>,
}

/// Which policies are kept, without the policies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolState {
    /// Policies that were offered so far.
    pub offered: u64,
    /// Updates behind each of those kept.
    pub members: Vec<u64>,
}

impl Pool {
    /// An empty pool for so many policies.
    pub fn new(size: usize) -> Pool {
        Pool { size, offered: 0, members: Vec::new() }
    }

    /// A pool as it was.
    ///
    /// # Errors
    /// The first one of `open`.
    pub fn resume<E>(
        size: usize,
        state: &PoolState,
        open: impl Fn(u64) -> Result<Box<dyn Policy>, E>,
    ) -> Result<Pool, E> {
        let members = state.members.iter().map(|&updates| Ok((updates, open(updates)?)));
        Ok(Pool { size, offered: state.offered, members: members.collect::<Result<_, E>>()? })
    }

    /// Which policies are kept.
    pub fn state(&self) -> PoolState {
        PoolState { offered: self.offered, members: self.members.iter().map(|member| member.0).collect() }
    }

    /// Offers a policy.
    pub fn offer(&mut self, updates: u64, policy: Box<dyn Policy>, seed: u64) {
        self.offered += 1;
        if self.members.len() < self.size {
            self.members.push((updates, policy));
            return;
        }
        let mut random = stream(seed, Purpose::Selection, &[10, self.offered]);
        let place = random.random_range(0..self.offered) as usize;
        if let Some(member) = self.members.get_mut(place) {
            *member = (updates, policy);
        }
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// A policy with the number of its updates.
    pub fn member(&self, number: usize) -> Option<(u64, &dyn Policy)> {
        self.members.get(number).map(|(updates, policy)| (*updates, &**policy))
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::{Answers, PolicyError};
    use super::*;

    struct Silent;

    impl Policy for Silent {
        fn answer(&self, _: &[f32], _: usize) -> Result<Answers, PolicyError> {
            Err(PolicyError("silent".to_owned()))
        }
    }

    #[test]
    fn all_that_were_offered_are_equally_likely_to_stay() {
        let mut kept = [0u32; 20];
        for seed in 0..400 {
            let mut pool = Pool::new(5);
            (0..20).for_each(|updates| pool.offer(updates, Box::new(Silent), seed));
            assert_eq!(pool.len(), 5);
            pool.state().members.iter().for_each(|&updates| kept[updates as usize] += 1);
        }
        // 100 each are expected with a standard deviation of 8.7.
        assert!(kept.iter().all(|&number| (65..=135).contains(&number)), "{kept:?}");
    }

    #[test]
    fn a_pool_goes_on_as_it_was() {
        let mut whole = Pool::new(3);
        (0..9).for_each(|updates| whole.offer(updates, Box::new(Silent), 7));
        let open = |_| Ok::<Box<dyn Policy>, PolicyError>(Box::new(Silent));
        let mut again = Pool::resume(3, &whole.state(), open).unwrap();
        for pool in [&mut whole, &mut again] {
            (9..30).for_each(|updates| pool.offer(updates, Box::new(Silent), 7));
        }
        assert_eq!(whole.state(), again.state());
    }
}

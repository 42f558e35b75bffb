//! One evaluator for many workers: a thread that joins their batches. A GPU wants larger batches than one worker fills,
//! and one thread that speaks to it.

use crate::handover::{Answerer, Asker, Gone, desk};
use crate::{Batch, Evaluator, EvaluatorError};
use game::{PlaneShape, PolicyShape};
use std::sync::Arc;
use std::thread::JoinHandle;

/// What a worker asks through when the evaluator is on another thread.
///
/// The thread takes whatever waits and evaluates it at once; it never waits for more, so that with one worker nothing
/// is lost, and with many the batches that come in during one evaluation are the next one. It ends with the last of
/// its evaluators, whose drop waits for it.
pub struct SharedEvaluator {
    // Before the thread, which ends when the last asker has gone.
    asker: Asker<Batch, Answered>,
    _thread: Arc<Thread>,
    plane_shape: PlaneShape,
    policy_shape: PolicyShape,
}

/// A batch that comes back, with how it went.
type Answered = (Batch, Result<(), EvaluatorError>);

/// A thread that is waited for.
struct Thread(Option<JoinHandle<()>>);

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            // A panic there was told to whoever asked last.
            let _ = thread.join();
        }
    }
}

/// Puts an evaluator on a thread of its own and gives `workers` workers one to ask it through. Batches are joined up to
/// `most_rows` rows; a larger one goes alone.
pub fn share(evaluator: Box<dyn Evaluator>, workers: usize, most_rows: usize) -> Vec<SharedEvaluator> {
    let (plane_shape, policy_shape) = (evaluator.plane_shape(), evaluator.policy_shape());
    let (askers, answerer) = desk(workers);
    let thread = std::thread::spawn(move || serve(evaluator, &answerer, most_rows));
    let thread = Arc::new(Thread(Some(thread)));
    askers
        .into_iter()
        .map(|asker| SharedEvaluator { asker, _thread: Arc::clone(&thread), plane_shape, policy_shape })
        .collect()
}

impl Evaluator for SharedEvaluator {
    fn plane_shape(&self) -> PlaneShape {
        self.plane_shape
    }

    fn policy_shape(&self) -> PolicyShape {
        self.policy_shape
    }

    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        // Joined batches must be of one shape.
        if batch.plane_shape() != self.plane_shape || batch.policy_shape() != self.policy_shape {
            return Err(EvaluatorError::Shape { batch: batch.plane_shape(), evaluator: self.plane_shape });
        }
        let own = std::mem::replace(batch, Batch::new(self.plane_shape, self.policy_shape, 0));
        match self.asker.ask(own) {
            Ok((answered, result)) => {
                *batch = answered;
                result
            }
            Err(Gone(own)) => {
                if let Some(own) = own {
                    *batch = own;
                }
                Err(EvaluatorError::Backend("the thread that evaluates is gone".to_owned()))
            }
        }
    }
}

/// The thread's work.
fn serve(mut evaluator: Box<dyn Evaluator>, answerer: &Answerer<Batch, Answered>, most_rows: usize) {
    let mut joined = Batch::new(evaluator.plane_shape(), evaluator.policy_shape(), 0);
    loop {
        let taken = answerer.take(|taken, next| {
            taken.iter().map(|(_, batch)| batch.len()).sum::<usize>() + next.len() <= most_rows
        });
        if taken.is_empty() {
            return;
        }
        let together = taken.len() > 1 && {
            joined.clear();
            taken.iter().for_each(|(_, batch)| joined.append(batch));
            evaluator.evaluate(&mut joined).is_ok()
        };
        let mut start = 0;
        for (asker, mut batch) in taken {
            let result = if together {
                batch.take_answers(&joined, start);
                Ok(())
            } else {
                // Alone, or one after the other to find out whose fault a failure is.
                evaluator.evaluate(&mut batch)
            };
            start += batch.len();
            answerer.answer(asker, (batch, result));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HashEvaluator, random_batch};
    use connect4::ConnectFour;
    use game::random::{Purpose, stream};
    use std::sync::{Mutex, PoisonError};

    /// Notes the rows of each batch; a row whose first number is 7 is answered with an error.
    struct Noting {
        inner: HashEvaluator,
        rows: Arc<Mutex<Vec<usize>>>,
    }

    impl Evaluator for Noting {
        fn plane_shape(&self) -> PlaneShape {
            self.inner.plane_shape()
        }

        fn policy_shape(&self) -> PolicyShape {
            self.inner.policy_shape()
        }

        fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
            self.rows.lock().unwrap_or_else(PoisonError::into_inner).push(batch.len());
            // Long enough for the others to come.
            std::thread::sleep(std::time::Duration::from_millis(2));
            let length = self.plane_shape().len();
            if let Some(row) = batch.planes().chunks_exact(length).position(|row| row[0] == 7.0) {
                return Err(EvaluatorError::NotFinite { row });
            }
            self.inner.evaluate(batch)
        }
    }

    fn batch(seed: u64) -> Batch {
        let game = ConnectFour::new();
        random_batch(&game, 3 + seed as usize % 5, &mut stream(seed, Purpose::Playout, &[]))
    }

    fn answers(batch: &Batch) -> Vec<(Vec<f32>, crate::Judgement)> {
        (0..batch.len()).map(|row| batch.answer(row)).map(|(logits, own)| (logits.to_vec(), own)).collect()
    }

    #[test]
    fn workers_get_their_own_answers_from_joined_batches() {
        let game = ConnectFour::new();
        let rows = Arc::new(Mutex::new(Vec::new()));
        let inner = HashEvaluator::for_game(&game, 1);
        let evaluators = share(Box::new(Noting { inner: inner.clone(), rows: Arc::clone(&rows) }), 4, 16);
        std::thread::scope(|scope| {
            for (worker, mut evaluator) in evaluators.into_iter().enumerate() {
                let mut inner = inner.clone();
                scope.spawn(move || {
                    for index in 0..50 {
                        let mut own = batch((worker * 1000 + index) as u64);
                        let mut right = own.clone();
                        evaluator.evaluate(&mut own).unwrap();
                        inner.evaluate(&mut right).unwrap();
                        assert_eq!(answers(&own), answers(&right));
                        assert_eq!(own.planes(), right.planes());
                    }
                });
            }
        });
        let rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(rows.iter().all(|&rows| rows <= 16), "{rows:?}");
        assert!(rows.len() < 150, "hardly any batches were joined: {}", rows.len());
    }

    #[test]
    fn a_failure_reaches_the_worker_whose_row_it_is_and_nobody_else() {
        let game = ConnectFour::new();
        let inner = HashEvaluator::for_game(&game, 1);
        let mut evaluators = share(Box::new(Noting { inner, rows: Arc::default() }), 3, 100).into_iter();
        let mut bad = evaluators.next().unwrap();
        std::thread::scope(|scope| {
            for (worker, mut good) in evaluators.enumerate() {
                scope.spawn(move || {
                    for index in 0..20 {
                        good.evaluate(&mut batch((worker * 100 + index) as u64)).unwrap();
                    }
                });
            }
            for index in 0..20 {
                let mut own = batch(index);
                let mut planes = own.planes()[..own.plane_shape().len()].to_vec();
                planes[0] = 7.0;
                let row = own.push_numbers(&planes, &[0]);
                let error = bad.evaluate(&mut own).unwrap_err();
                assert!(matches!(error, EvaluatorError::NotFinite { row: found } if found == row), "{error}");
                assert_eq!(own.len(), row + 1, "the batch comes back");
            }
        });
    }

    /// Panics at its second batch.
    struct Panicking(HashEvaluator, usize);

    impl Evaluator for Panicking {
        fn plane_shape(&self) -> PlaneShape {
            self.0.plane_shape()
        }

        fn policy_shape(&self) -> PolicyShape {
            self.0.policy_shape()
        }

        fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
            self.1 += 1;
            assert!(self.1 < 2, "this panic is meant");
            self.0.evaluate(batch)
        }
    }

    #[test]
    fn a_thread_that_is_gone_is_noticed_by_everybody() {
        let inner = HashEvaluator::for_game(&ConnectFour::new(), 1);
        let mut evaluators = share(Box::new(Panicking(inner, 0)), 3, 1);
        evaluators[0].evaluate(&mut batch(1)).unwrap();
        std::thread::scope(|scope| {
            for evaluator in &mut evaluators {
                scope.spawn(|| {
                    for index in 0..3 {
                        let error = evaluator.evaluate(&mut batch(index)).unwrap_err();
                        assert!(error.to_string().contains("is gone"), "{error}");
                    }
                });
            }
        });
    }
}

//! One evaluator for many workers: a thread that joins their batches. A GPU wants larger batches than one worker fills,
//! and one thread that speaks to it.

use crate::{Batch, Evaluator, EvaluatorError};
use game::{PlaneShape, PolicyShape};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::JoinHandle;

/// What a worker asks through when the evaluator is on another thread.
///
/// The thread takes whatever waits and evaluates it at once; it never waits for more, so that with one worker nothing
/// is lost, and with many the batches that come in during one evaluation are the next one. It ends with the last of
/// its evaluators, whose drop waits for it.
pub struct SharedEvaluator {
    server: Arc<Server>,
    answers: (SyncSender<Answered>, Receiver<Answered>),
    plane_shape: PlaneShape,
    policy_shape: PolicyShape,
}

/// A batch that comes back, with how it went.
type Answered = (Batch, Result<(), EvaluatorError>);

struct Request {
    batch: Batch,
    answer: SyncSender<Answered>,
}

struct Server {
    /// Taken when the last evaluator goes: the thread ends when nobody can ask any more.
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            // A panic there was told to whoever asked last.
            let _ = thread.join();
        }
    }
}

/// Puts an evaluator on a thread of its own and gives `workers` workers one to ask it through. Batches are joined up to
/// `most_rows` rows; a larger one goes alone.
pub fn share(evaluator: Box<dyn Evaluator>, workers: usize, most_rows: usize) -> Vec<SharedEvaluator> {
    let (plane_shape, policy_shape) = (evaluator.plane_shape(), evaluator.policy_shape());
    let (requests, waiting) = mpsc::channel();
    let thread = std::thread::spawn(move || serve(evaluator, &waiting, most_rows));
    let server = Arc::new(Server { requests: Some(requests), thread: Some(thread) });
    (0..workers)
        .map(|_| {
            let (server, answers) = (Arc::clone(&server), mpsc::sync_channel(1));
            SharedEvaluator { server, answers, plane_shape, policy_shape }
        })
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
        let gone = || EvaluatorError::Backend("the thread that evaluates is gone".to_owned());
        let own = std::mem::replace(batch, Batch::new(self.plane_shape, self.policy_shape, 0));
        let request = Request { batch: own, answer: self.answers.0.clone() };
        let requests = self.server.requests.as_ref().ok_or_else(gone)?;
        if let Err(mpsc::SendError(Request { batch: own, .. })) = requests.send(request) {
            *batch = own;
            return Err(gone());
        }
        // This end holds a sender too, so that a panic over there would not be seen as a closed channel.
        loop {
            match self.answers.1.recv_timeout(LIFE_SIGN) {
                Ok((answered, result)) => {
                    *batch = answered;
                    return result;
                }
                Err(_) if self.server.thread.as_ref().is_none_or(JoinHandle::is_finished) => {
                    return Err(gone());
                }
                Err(_) => {}
            }
        }
    }
}

/// How often a worker that waits looks whether the thread is still there.
const LIFE_SIGN: std::time::Duration = std::time::Duration::from_secs(1);

/// The thread's work.
fn serve(mut evaluator: Box<dyn Evaluator>, waiting: &Receiver<Request>, most_rows: usize) {
    let mut joined = Batch::new(evaluator.plane_shape(), evaluator.policy_shape(), 0);
    let mut next = None;
    while let Some(first) = next.take().or_else(|| waiting.recv().ok()) {
        let mut requests = vec![first];
        let mut rows = requests[0].batch.len();
        for request in waiting.try_iter() {
            if rows + request.batch.len() > most_rows {
                next = Some(request);
                break;
            }
            rows += request.batch.len();
            requests.push(request);
        }
        let together = requests.len() > 1 && {
            joined.clear();
            requests.iter().for_each(|request| joined.append(&request.batch));
            evaluator.evaluate(&mut joined).is_ok()
        };
        let mut start = 0;
        for Request { mut batch, answer } in requests {
            let result = if together {
                batch.take_answers(&joined, start);
                Ok(())
            } else {
                // Alone, or one after the other to find out whose fault a failure is.
                evaluator.evaluate(&mut batch)
            };
            start += batch.len();
            // A worker that is gone wants no answer.
            let _ = answer.send((batch, result));
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
}

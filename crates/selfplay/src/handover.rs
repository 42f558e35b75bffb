//! Questions of several threads to one thread, and its answers to who asked.
//!
//! `scripts/check-models` tries all orders in which threads can meet here: nobody waits for ever, nobody gets
//! another's answer, and whoever asks a thread that is gone is told so, also if it goes just then.

use crate::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::collections::VecDeque;

/// What both sides share.
struct Desk<Q, A> {
    state: Mutex<State<Q, A>>,
    /// There is a question, or an asker has gone.
    asked: Condvar,
    /// There is an answer for this asker, or the answerer has gone.
    answered: Vec<Condvar>,
}

struct State<Q, A> {
    /// Questions that nobody has taken, with who asks.
    waiting: VecDeque<(usize, Q)>,
    /// Answers that nobody has fetched, by asker.
    answers: Vec<Option<A>>,
    /// Askers that are left.
    askers: usize,
    /// Whether anybody is there to answer.
    answers_come: bool,
}

impl<Q, A> Desk<Q, A> {
    /// No code that can panic runs under the lock but the caller's `fits`, which only reads.
    fn lock(&self) -> MutexGuard<'_, State<Q, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One who asks: one question at a time.
pub(crate) struct Asker<Q, A> {
    desk: Arc<Desk<Q, A>>,
    number: usize,
}

/// The one who answers.
pub(crate) struct Answerer<Q, A> {
    desk: Arc<Desk<Q, A>>,
}

/// There is nobody to answer; the question, unless it is lost with who should have answered it.
#[derive(Debug)]
pub(crate) struct Gone<Q>(pub Option<Q>);

/// So many askers and who answers them.
pub(crate) fn desk<Q, A>(askers: usize) -> (Vec<Asker<Q, A>>, Answerer<Q, A>) {
    let state = State {
        waiting: VecDeque::with_capacity(askers),
        answers: (0..askers).map(|_| None).collect(),
        askers,
        answers_come: true,
    };
    let desk = Arc::new(Desk {
        state: Mutex::new(state),
        asked: Condvar::new(),
        answered: (0..askers).map(|_| Condvar::new()).collect(),
    });
    let askers = (0..askers).map(|number| Asker { desk: Arc::clone(&desk), number }).collect();
    (askers, Answerer { desk })
}

impl<Q, A> Asker<Q, A> {
    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// Nobody is there to answer, or goes before the answer.
    pub fn ask(&mut self, question: Q) -> Result<A, Gone<Q>> {
        let Desk { asked, answered, .. } = &*self.desk;
        let mut state = self.desk.lock();
        if !state.answers_come {
            return Err(Gone(Some(question)));
        }
        state.waiting.push_back((self.number, question));
        asked.notify_one();
        loop {
            if let Some(answer) = state.answers[self.number].take() {
                return Ok(answer);
            }
            if !state.answers_come {
                let place = state.waiting.iter().position(|(asker, _)| *asker == self.number);
                return Err(Gone(place.and_then(|place| state.waiting.remove(place)).map(|(_, own)| own)));
            }
            state = answered[self.number].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<Q, A> Drop for Asker<Q, A> {
    fn drop(&mut self) {
        self.desk.lock().askers -= 1;
        self.desk.asked.notify_one();
    }
}

impl<Q, A> Answerer<Q, A> {
    /// Waits for a question and takes it, with those behind it as long as each `fits` with what was taken
    /// before; nothing once all askers have gone. The first one always fits.
    pub fn take(&self, mut fits: impl FnMut(&[(usize, Q)], &Q) -> bool) -> Vec<(usize, Q)> {
        let mut taken = Vec::new();
        let mut state = self.desk.lock();
        while state.waiting.is_empty() {
            if state.askers == 0 {
                return taken;
            }
            state = self.desk.asked.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        while let Some((_, question)) = state.waiting.front() {
            if !taken.is_empty() && !fits(&taken, question) {
                break;
            }
            taken.extend(state.waiting.pop_front());
        }
        taken
    }

    /// Answers a question that was taken.
    pub fn answer(&self, asker: usize, answer: A) {
        self.desk.lock().answers[asker] = Some(answer);
        self.desk.answered[asker].notify_one();
    }
}

impl<Q, A> Drop for Answerer<Q, A> {
    /// Also in a panic: whoever waits is told.
    fn drop(&mut self) {
        self.desk.lock().answers_come = false;
        self.desk.answered.iter().for_each(Condvar::notify_one);
    }
}

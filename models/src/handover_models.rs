//! Every order of askers and answerer that can be told apart. Loom ends a model that can wait for ever.

use crate::handover::{Answerer, Asker, Gone, desk};
use crate::model;
use loom::thread;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks once and checks that the answer is its own.
fn ask_once(mut asker: Asker<usize, usize>, question: usize) {
    assert!(matches!(asker.ask(question), Ok(answer) if answer == question * 10));
}

/// Answers until nobody is left; the most questions that were taken together.
fn serve(answerer: &Answerer<usize, usize>) -> usize {
    let mut most = 0;
    loop {
        let taken = answerer.take(|taken, _| taken.len() < 2);
        if taken.is_empty() {
            return most;
        }
        most = most.max(taken.len());
        for (asker, question) in taken {
            answerer.answer(asker, question * 10);
        }
    }
}

#[test]
fn everybody_gets_their_own_answer_and_the_answerer_ends_with_the_last() {
    static MOST: AtomicUsize = AtomicUsize::new(0);
    model(|| {
        let (askers, answerer) = desk(2);
        let threads: Vec<_> = (1..)
            .zip(askers)
            .map(|(question, asker)| thread::spawn(move || ask_once(asker, question)))
            .collect();
        MOST.fetch_max(serve(&answerer), Ordering::Relaxed);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(MOST.load(Ordering::Relaxed), 2, "no order joined two questions: the model sees too little");
}

#[test]
fn one_asks_again_and_again() {
    model(|| {
        let (mut askers, answerer) = desk(1);
        let mut asker = askers.remove(0);
        let thread = thread::spawn(move || {
            for question in 0..3 {
                assert!(matches!(asker.ask(question), Ok(answer) if answer == question * 10));
            }
        });
        serve(&answerer);
        thread.join().unwrap();
    });
}

#[test]
fn askers_that_leave_without_asking_end_the_answerer() {
    model(|| {
        let (mut askers, answerer) = desk(2);
        let last = askers.remove(1);
        let threads = [thread::spawn(move || drop(askers)), thread::spawn(move || drop(last))];
        assert_eq!(serve(&answerer), 0);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// How a question to an answerer that goes ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Answered,
    Back,
    Lost,
}

#[test]
fn an_answerer_that_goes_is_noticed_at_any_moment() {
    // How often each end came.
    static SEEN: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    model(|| {
        let (askers, answerer) = desk(2);
        let threads: Vec<_> = (1..)
            .zip(askers)
            .map(|(question, mut asker): (usize, _)| {
                thread::spawn(move || match asker.ask(question) {
                    Ok(answer) => {
                        assert_eq!(answer, question * 10);
                        End::Answered
                    }
                    Err(Gone(Some(back))) => {
                        assert_eq!(back, question);
                        assert!(asker.ask(question).is_err());
                        End::Back
                    }
                    Err(Gone(None)) => End::Lost,
                })
            })
            .collect();
        // It takes what waits, answers one of it and goes.
        let taken = answerer.take(|_, _| true);
        answerer.answer(taken[0].0, taken[0].1 * 10);
        drop(answerer);
        for (question, thread) in (1..).zip(threads) {
            // Only a question that was taken may be lost, and each that was not comes back.
            let end = match taken.iter().position(|(_, own)| *own == question) {
                Some(0) => End::Answered,
                Some(_) => End::Lost,
                None => End::Back,
            };
            assert_eq!(thread.join().unwrap(), end);
            SEEN[end as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    let seen = SEEN.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(seen.iter().all(|&count| count > 0), "some end was never met: {seen:?}");
}

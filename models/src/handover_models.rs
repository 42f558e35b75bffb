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

#[test]
fn an_answerer_that_goes_is_noticed_at_any_moment() {
    static BACK: AtomicUsize = AtomicUsize::new(0);
    static LOST: AtomicUsize = AtomicUsize::new(0);
    model(|| {
        let (askers, answerer) = desk(2);
        let threads: Vec<_> = (1..)
            .zip(askers)
            .map(|(question, mut asker): (usize, _)| {
                thread::spawn(move || match asker.ask(question) {
                    Ok(answer) => assert_eq!(answer, question * 10),
                    Err(Gone(Some(back))) => {
                        assert_eq!(back, question);
                        BACK.fetch_add(1, Ordering::Relaxed);
                        assert!(asker.ask(question).is_err());
                    }
                    Err(Gone(None)) => {
                        LOST.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        // It takes what waits, answers one of it and goes.
        let taken = answerer.take(|_, _| true);
        answerer.answer(taken[0].0, taken[0].1 * 10);
        drop(answerer);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let [back, lost] = [&BACK, &LOST].map(|count| count.load(Ordering::Relaxed));
    assert!(back > 0 && lost > 0, "some order is missing: {back} came back, {lost} were lost");
}

//! A board that is heard while another thread thinks, in every order. Loom ends a model that can wait for ever.

use crate::control::Control;
use crate::model;
use loom::sync::Arc;
use loom::thread;

/// Lets a board say something on a thread of its own after its first `go`, while this one thinks.
fn meet(
    board: impl Fn(&Control) + Send + Sync + Copy + 'static,
    think: impl Fn(&Control) + Send + Sync + 'static,
) {
    model(move || {
        let control = Arc::new(Control::new());
        // The line with the search is handed over after this.
        control.asked();
        let heard = Arc::clone(&control);
        let thread = thread::spawn(move || board(&heard));
        think(&control);
        thread.join().unwrap();
    });
}

/// Thinks until it is told to stop, as an endless search does.
fn endless(control: &Control) {
    let search = control.next();
    assert!(control.is_thinking());
    control.wait_for_stop(search);
    assert!(control.is_stopped(search, true));
    control.done(search);
}

#[test]
fn an_endless_search_ends_whenever_it_is_told_to() {
    meet(Control::stop, endless);
    meet(Control::stop_for_good, endless);
    meet(Control::close, endless);
}

#[test]
fn a_stop_is_for_what_was_asked_before_it_and_nothing_later() {
    meet(
        |control| {
            control.stop();
            control.asked();
        },
        |control| {
            endless(control);
            // The second search is not stopped by the first one's word.
            assert!(!control.is_stopped(control.next(), false));
        },
    );
}

#[test]
fn two_searches_are_stopped_one_by_one() {
    meet(
        |control| {
            control.stop();
            control.asked();
            control.stop();
        },
        |control| {
            endless(control);
            // The line with the second one is handed over when it was heard.
            while !control.is_thinking() {
                thread::yield_now();
            }
            endless(control);
        },
    );
}

//! Alarms of whole runs: what rings, what stops the run, and what is left on the disk then.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::fs;
use support::{Place, TINY, alarms, checkpoints, cycles, metrics};

#[test]
fn an_alarm_is_on_the_terminal_in_the_log_and_in_the_metrics() {
    let place = Place::new(TINY);
    let judged = ["--run", "run", "--set", "cycle.positions=600", "--cycles", "1"];
    let text = place.done(&judged);
    assert!(!text.contains("alarm"), "nothing is wrong: {text}");
    assert!(alarms(&place.path("run")).is_empty());

    let judged = [&["--run", "loud", "--set", "alarms.draw_share=0"], &judged[2..]].concat();
    let text = place.done(&judged);
    assert!(text.contains("warning: alarm draw-share in cycle 1: "), "{text}");
    assert!(text.contains("try: raise search.margin_weight"), "{text}");
    let found = alarms(&place.path("loud"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0]["name"].as_str(), found[0]["cycle"].as_u64()), (Some("draw-share"), Some(1)));
    assert_eq!(found[0]["threshold"].as_f64(), Some(0.0));
    let log = fs::read_to_string(place.path("loud/log.jsonl")).unwrap();
    let entry: Value = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|entry| entry["event"] == "alarm")
        .unwrap();
    assert_eq!(entry["alarm"]["name"], "draw-share");
}

/// The network as it plays is compared with the exact one in every cycle, and what is found is kept.
#[test]
fn the_network_as_it_plays_is_watched() {
    let place = Place::new(TINY);
    place.done(&["--run", "run", "--set", "alarms.policy_difference=0", "--cycles", "1"]);
    let run = place.path("run");
    let cycle = metrics(&run).into_iter().rfind(|record| record["kind"] == "cycle").unwrap();
    let found = &cycle["play"]["inference_difference"];
    let (policy, value) = (found["policy"].as_f64().unwrap(), found["value"].as_f64().unwrap());
    // Compiled, in whatever numbers suit this processor, against one operation after the other in 32 bits.
    assert!((0.0..0.05).contains(&policy) && (0.0..0.05).contains(&value), "{found}");
    let rung: Vec<_> = alarms(&run).into_iter().filter(|alarm| alarm["name"] == "inference-drift").collect();
    assert_eq!(rung.len(), 1, "{rung:?}");
    assert_eq!(rung[0]["value"].as_f64(), Some(policy));
}

/// Numbers overflow in the loss, in the weights, and before training began.
#[test]
fn numbers_that_are_not_finite_stop_the_run_and_leave_the_last_checkpoint_intact() {
    let place = Place::new(TINY);
    place.done(&["--run", "good", "--cycles", "1"]);
    for (run, set, words) in [
        ("gradient", "training.loss.policy=1e300", "the gradient of"),
        ("update", "training.optimizer.weight_decay=1e300", "are not finite after the step"),
    ] {
        let spoiled = ["--run", run, "--set", set];
        let output = place.run(&spoiled);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let last = text.lines().last().unwrap();
        assert!(
            last.starts_with("error: training step 1, sample of game ") && last.contains(words),
            "{text}"
        );
        assert!(text.contains("warning: alarm non-finite in cycle 1: "), "{text}");
        let run = place.path(run);
        let found = alarms(&run);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0]["name"], "non-finite");
        let (game, step) = (&found[0]["sample"]["game"], &found[0]["sample"]["step"]);
        assert!(last.contains(&format!("game {game}, step {step}")), "{game} {step} in {last}");
        assert_eq!(checkpoints(&run), ["000000"]);
        let resumed = ["--run", spoiled[1], "--resume"];
        place.done(&resumed);
        assert_eq!(cycles(&run), [0, 1, 2]);
        assert!(alarms(&run).is_empty(), "the cycle was done again, without its alarm");
    }
}

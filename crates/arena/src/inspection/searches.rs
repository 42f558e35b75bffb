//! Searching many positions side by side.

use super::{InspectedStep, Inspection, InspectionError, InspectionPlan, lines};
use game::random::{Purpose, stream};
use game::{BoardGame, Play};
use search::{Effort, Exploration, Gathered, RootReport, Search};
use selfplay::{Batch, Evaluator};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

/// Searches every play and returns what was found in their order. The plays are dealt out to the
/// evaluators in turn, each on a thread of its own, so that batches repeat. None of the plays has ended.
pub(super) fn run<G: BoardGame>(
    game: &G,
    plays: &[Play<G>],
    evaluators: Vec<Box<dyn Evaluator>>,
    plan: &InspectionPlan,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Inspection>, InspectionError> {
    let threads = evaluators.len().max(1);
    let failed = AtomicBool::new(false);
    let mut found: Vec<Option<Inspection>> = vec![None; plays.len()];
    std::thread::scope(|scope| {
        let workers: Vec<_> = evaluators
            .into_iter()
            .enumerate()
            .map(|(thread, evaluator)| {
                let failed = &failed;
                let own = (thread..plays.len()).step_by(threads).collect();
                scope.spawn(move || {
                    let stopped = || failed.load(Ordering::Relaxed) || stop();
                    let result = work(game, plays, own, evaluator, plan, &stopped);
                    failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    result
                })
            })
            .collect();
        let mut result = Ok(());
        for worker in workers {
            match worker.join() {
                Ok(Ok(inspections)) => {
                    for (index, inspection) in inspections {
                        found[index] = Some(inspection);
                    }
                }
                // A worker that was stopped by another's failure has less to say than that one.
                Ok(Err(InspectionError::Stopped)) if result.is_err() => {}
                Ok(Err(error)) => result = Err(error),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        result
    })?;
    found.into_iter().map(|inspection| inspection.ok_or(InspectionError::Stopped)).collect()
}

fn work<G: BoardGame>(
    game: &G,
    plays: &[Play<G>],
    mut waiting: VecDeque<usize>,
    mut evaluator: Box<dyn Evaluator>,
    plan: &InspectionPlan,
    stopped: &dyn Fn() -> bool,
) -> Result<Vec<(usize, Inspection)>, InspectionError> {
    if evaluator.plane_shape() != game.plane_shape() || evaluator.policy_shape() != game.policy_shape() {
        return Err(InspectionError::Shapes);
    }
    let at_once = plan.at_once.max(1);
    let mut batch = Batch::for_game(game, at_once);
    let mut live: Vec<(usize, Search<G>)> = Vec::new();
    let mut spare: Vec<Search<G>> = Vec::new();
    let mut found = Vec::with_capacity(waiting.len());
    loop {
        if stopped() {
            return Err(InspectionError::Stopped);
        }
        while live.len() < at_once {
            let Some(index) = waiting.pop_front() else { break };
            let mut search = spare
                .pop()
                .unwrap_or_else(|| Search::new(plan.search.clone()).with_margin_unit(game.margin_unit()));
            search.begin(game, &plays[index], stream(0, Purpose::Search, &[index as u64]));
            search.plan(game, Effort { simulations: plan.simulations, exploration: Exploration::None });
            live.push((index, search));
        }
        batch.clear();
        let mut index = 0;
        while index < live.len() {
            match live[index].1.gather(game) {
                Gathered::Leaf => {
                    let (position, steps) = live[index].1.leaf();
                    batch.push(game, position, steps);
                    index += 1;
                }
                Gathered::Finished => {
                    // Order matters to batches: removal keeps it.
                    let (position, mut search) = live.remove(index);
                    found.push((position, inspection(game, &mut search)));
                    spare.push(search);
                }
            }
        }
        if batch.is_empty() {
            if waiting.is_empty() {
                return Ok(found);
            }
            continue;
        }
        evaluator.evaluate(&mut batch)?;
        for (row, (_, search)) in live.iter_mut().enumerate() {
            let (logits, judgement) = batch.answer(row);
            search.apply(logits, judgement.wdl, judgement.margin);
        }
    }
}

/// What a finished search of a position that has not ended has found.
pub(crate) fn inspection<G: BoardGame>(game: &G, search: &mut Search<G>) -> Inspection {
    let chosen = search.choose(0.0);
    let RootReport { position, steps, before, after, simulations } = search.report();
    Inspection {
        fen: game.write_position(position),
        mover: game.mover(position),
        network: before.into(),
        search: after.into(),
        simulations,
        chosen: steps.iter().position(|step| step.step == chosen).unwrap_or(0),
        steps: steps
            .iter()
            .map(|found| InspectedStep {
                step: game.step_text(position, found.step),
                code: game.step_code(position, found.step),
                prior: found.prior,
                visits: found.visits,
                value: found.value.map(|value| value.0),
                policy: found.policy,
                line: lines::turns(game, position, &search.line(found.step)),
            })
            .collect(),
    }
}

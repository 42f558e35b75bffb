//! Networks as evaluators: batches of planes in, logits of legal steps and judgements out.

use crate::batch::all_finite;
use crate::compiled::Compiled;
use crate::error::NetError;
use crate::folded::Folded;
use crate::module::Call;
use crate::network::{Net, planes_tensor};
use crate::plan::{Path, Plan, Rows};
use crate::policy_head::StepPlaces;
use crate::quantised::Quantised;
use crate::runtime;
use crate::script::Script;
use game::{NO_CELL, OfMover, PlaneShape, PolicyShape, Wdl};
use selfplay::evaluator::{Batch, Evaluator, EvaluatorError, Judgement};
use std::sync::Arc;
use std::thread::ThreadId;
use tch::{Device, Kind, Tensor, no_grad};

/// Sizes of calls that networks are compiled for, smallest first. A batch of another size is cut into
/// these, the last part padded: from 8 rows on a position costs about the same at any size, so cutting
/// wastes less than padding.
pub const SIZES: &[usize] = &[1, 2, 4, 8, 16, 32, 64];

/// Most rows of a batch that a GPU gets from several workers at once.
pub const MOST_JOINED_ROWS: usize = 4096;

/// A network made ready for inference: every worker thread gets an evaluator of its own. Each size of [`SIZES`] is
/// compiled when it is first asked for, which takes some ten milliseconds ([`InferenceModel::prepare`] does it
/// beforehand).
pub struct InferenceModel {
    backend: Backend,
    sizes: Arc<[usize]>,
    planes: PlaneShape,
    policy: PolicyShape,
    device: Device,
}

enum Backend {
    Compiled(Arc<Compiled>),
    Eager(Box<EagerNet>),
}

impl Backend {
    fn run(&self, call: &mut Call<'_>) -> Result<(), NetError> {
        match self {
            Backend::Compiled(compiled) => compiled.run(call),
            Backend::Eager(eager) => eager.run(call),
        }
    }
}

impl InferenceModel {
    /// Makes a network ready as planned. It keeps nothing of `net`, which may go on learning.
    ///
    /// # Errors
    /// [`NetError::Quantised`] for 8-bit numbers where the processor has no instructions for them or the plan no
    /// positions of this network's game; weights that are not finite; what LibTorch says.
    pub fn new(net: &Net, plan: &Plan) -> Result<InferenceModel, NetError> {
        match plan.rows {
            Rows::Parts => InferenceModel::with_sizes(net, plan, SIZES),
            Rows::Fixed(rows) => InferenceModel::with_sizes(net, plan, &[rows]),
        }
    }

    /// The network as exactly as it can be run: one operation after the other on the processor, in 32-bit
    /// numbers. What faster ways answer is measured against it ([`selfplay::Difference`]).
    ///
    /// # Errors
    /// As [`InferenceModel::new`].
    pub fn exact(net: &Net) -> Result<InferenceModel, NetError> {
        InferenceModel::new(net, &Plan::fixed(Path::Eager, Kind::Float, Device::Cpu))
    }

    /// The same for given sizes, smallest first; a single one is compiled at once.
    pub(crate) fn with_sizes(net: &Net, plan: &Plan, sizes: &[usize]) -> Result<InferenceModel, NetError> {
        runtime::prepare_thread();
        let (planes, policy) = (net.plane_shape(), net.policy_shape());
        // What 8-bit numbers are made of, and what surrounds them.
        let kind = if plan.kind == Kind::QUInt8 { Kind::Float } else { plan.kind };
        let folded = Folded::new(net, kind, plan.device)?;
        let backend = match (plan.kind, plan.path) {
            (Kind::QUInt8, path) => {
                let quantised = Quantised::new(&folded, plan.positions.as_deref())?;
                Backend::Compiled(Arc::new(Compiled::new(quantised.script()?, net, kind, path, sizes)))
            }
            (_, Path::Eager) => Backend::Eager(Box::new(EagerNet { folded, kind, device: plan.device })),
            (_, path) => {
                Backend::Compiled(Arc::new(Compiled::new(Script::of(&folded)?, net, kind, path, sizes)))
            }
        };
        let only = if let [only] = sizes { Some(*only) } else { None };
        // A GPU wants batches whole.
        let sizes = if plan.device == Device::Cpu { sizes } else { &[] };
        let model = InferenceModel { backend, sizes: sizes.into(), planes, policy, device: plan.device };
        if let Some(rows) = only {
            model.prepare(rows)?;
        }
        Ok(model)
    }

    /// Compiles what batches of `rows` positions need, which is done at the first such batch else.
    ///
    /// # Errors
    /// What LibTorch says.
    pub fn prepare(&self, rows: usize) -> Result<(), NetError> {
        let Backend::Compiled(compiled) = &self.backend else { return Ok(()) };
        runtime::prepare_thread();
        let mut left = rows;
        while left > 0 {
            let (taken, size) = part(&self.sizes, left);
            compiled.prepare(size)?;
            left -= taken;
        }
        Ok(())
    }

    /// The same, made ready for batches of exactly `rows` rows: what a program would do that has no others.
    ///
    /// # Errors
    /// As [`InferenceModel::new`].
    pub fn for_rows(net: &Net, plan: &Plan, rows: usize) -> Result<InferenceModel, NetError> {
        InferenceModel::with_sizes(net, plan, &[rows])
    }

    /// Runs the network alone on planes `[rows, board rows, columns, channels]` and throws its answers away: for
    /// measuring what an evaluator adds. The calling thread is prepared ([`runtime::prepare_thread`]).
    ///
    /// # Errors
    /// What LibTorch says, planes that are not `rows` rows, and sizes that it was not made ready for.
    pub fn run_bare(&self, planes: &[f32], rows: usize) -> Result<(), NetError> {
        self.backend.run(&mut Call::bare(planes, rows))
    }

    /// Evaluators for so many worker threads: on a processor one each; on a GPU all of them ask one thread, which joins
    /// what waits ([`selfplay::server`]) into batches of at most [`MOST_JOINED_ROWS`].
    pub fn evaluators(&self, workers: usize) -> Vec<Box<dyn Evaluator>> {
        if self.device == Device::Cpu || workers < 2 {
            return (0..workers).map(|_| Box::new(self.evaluator()) as Box<dyn Evaluator>).collect();
        }
        selfplay::share(Box::new(self.evaluator()), workers, MOST_JOINED_ROWS)
            .into_iter()
            .map(|evaluator| Box::new(evaluator) as Box<dyn Evaluator>)
            .collect()
    }

    /// An evaluator for one worker thread. It stays valid when this model is gone.
    pub fn evaluator(&self) -> NetEvaluator {
        let backend = match &self.backend {
            Backend::Compiled(compiled) => Backend::Compiled(Arc::clone(compiled)),
            Backend::Eager(eager) => Backend::Eager(Box::new(eager.share())),
        };
        NetEvaluator {
            backend,
            sizes: Arc::clone(&self.sizes),
            planes: self.planes,
            policy: self.policy,
            thread: None,
            padded: Vec::new(),
            step_ends: Vec::new(),
            logits: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// A network as an [`Evaluator`] for one worker thread.
pub struct NetEvaluator {
    backend: Backend,
    sizes: Arc<[usize]>,
    planes: PlaneShape,
    policy: PolicyShape,
    /// The thread that was prepared for LibTorch.
    thread: Option<ThreadId>,
    padded: Vec<f32>,
    step_ends: Vec<u32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl NetEvaluator {
    /// How many of `rows` rows go into the next part, and the size that it is padded to.
    fn part(&self, rows: usize) -> (usize, usize) {
        part(&self.sizes, rows)
    }

    /// Answers rows `start..start + rows`, padded to `size`, into `self.logits` and `self.values`.
    fn run(&mut self, batch: &Batch, start: usize, rows: usize, size: usize) -> Result<(), NetError> {
        let length = self.planes.len();
        let own = &batch.planes()[start * length..(start + rows) * length];
        let planes = if rows == size {
            own
        } else {
            self.padded.clear();
            self.padded.extend_from_slice(own);
            self.padded.resize(size * length, 0.0);
            &self.padded
        };
        let first = batch.step_range(start).start;
        let steps = batch.step_range(start + rows - 1).end - first;
        self.step_ends.clear();
        let ends = batch.step_ends()[start..start + rows].iter();
        self.step_ends.extend(ends.map(|&end| end - first as u32));
        self.logits.resize(steps, 0.0);
        self.values.resize(rows * 4, 0.0);
        let width = self.policy.cells_per_step;
        let mut call = Call {
            planes,
            rows: size,
            step_ends: &self.step_ends,
            cells: &batch.cells()[first * width..(first + steps) * width],
            logits: &mut self.logits,
            values: &mut self.values,
        };
        self.backend.run(&mut call)
    }
}

/// The next part of `rows` rows: its rows and the size that it is padded to.
fn part(sizes: &[usize], rows: usize) -> (usize, usize) {
    // From this size on a position costs the same at any size.
    const EVEN: usize = 8;
    let covers = sizes.iter().copied().find(|&size| size >= rows);
    let fits = sizes.iter().copied().rev().find(|&size| size <= rows);
    match (fits, covers) {
        (Some(size), _) if size >= EVEN || size == rows => (size, size),
        (_, Some(size)) => (rows, size),
        (Some(size), None) => (size, size),
        (None, None) => (rows, rows),
    }
}

impl Evaluator for NetEvaluator {
    fn plane_shape(&self) -> PlaneShape {
        self.planes
    }

    fn policy_shape(&self) -> PolicyShape {
        self.policy
    }

    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        if batch.plane_shape() != self.planes {
            return Err(EvaluatorError::Shape { batch: batch.plane_shape(), evaluator: self.planes });
        }
        if batch.policy_shape() != self.policy {
            let (found, own) = (batch.policy_shape(), self.policy);
            return Err(EvaluatorError::Backend(format!(
                "the batch has policy {found:?}, the network {own:?}"
            )));
        }
        let thread = std::thread::current().id();
        if self.thread != Some(thread) {
            runtime::prepare_thread();
            self.thread = Some(thread);
        }
        let mut start = 0;
        while start < batch.len() {
            let (rows, size) = self.part(batch.len() - start);
            // Looked for here, because compiled networks turn such numbers into 0 in places.
            let length = self.planes.len();
            let bad = (start..start + rows)
                .find(|&row| !all_finite(&batch.planes()[row * length..(row + 1) * length]));
            if let Some(row) = bad {
                return Err(EvaluatorError::NotFinite { row });
            }
            self.run(batch, start, rows, size).map_err(|error| EvaluatorError::Backend(error.to_string()))?;
            let first = batch.step_range(start).start;
            let (logits, judgements) = batch.answers_mut();
            logits[first..first + self.logits.len()].copy_from_slice(&self.logits);
            let mut step = 0;
            for row in 0..rows {
                let end = self.step_ends[row] as usize;
                let values = &self.values[row * 4..row * 4 + 4];
                let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
                if !finite(&self.logits[step..end]) || !finite(values) {
                    return Err(EvaluatorError::NotFinite { row: start + row });
                }
                step = end;
                judgements[start + row] =
                    Judgement { wdl: OfMover(softmax(values)), margin: OfMover(values[3]) };
            }
            start += rows;
        }
        Ok(())
    }
}

/// Probabilities from the first three numbers: logits of win, draw and loss.
fn softmax(logits: &[f32]) -> Wdl {
    let largest = logits[0].max(logits[1]).max(logits[2]);
    let [win, draw, loss] = [0, 1, 2].map(|index| (logits[index] - largest).exp());
    let sum = win + draw + loss;
    Wdl { win: win / sum, draw: draw / sum, loss: loss / sum }
}

/// A network run one operation after the other.
struct EagerNet {
    folded: Folded,
    kind: Kind,
    device: Device,
}

impl EagerNet {
    fn share(&self) -> EagerNet {
        EagerNet { folded: self.folded.share(), kind: self.kind, device: self.device }
    }

    fn run(&self, call: &mut Call<'_>) -> Result<(), NetError> {
        no_grad(|| {
            let planes = planes_tensor(call.planes, call.rows, self.folded.plane_shape(), self.device)?;
            let outputs = self.folded.forward(&planes.f_to_kind(self.kind)?)?;
            let answered = call.step_ends.len();
            let values = Tensor::f_cat(&[outputs.result, outputs.margin], 1)?;
            let values = values.f_narrow(0, 0, answered as i64)?;
            host(&values, call.values)?;
            if call.logits.is_empty() {
                return Ok(());
            }
            // Gathered on the device, so that only what is legal travels.
            let policy = self.folded.policy_shape();
            let head = self.folded.config().policy_head;
            let mut places = StepPlaces::new(head, policy, call.logits.len());
            let mut step = 0;
            for (row, &end) in call.step_ends.iter().enumerate() {
                let cells = &call.cells[step * policy.cells_per_step..end as usize * policy.cells_per_step];
                let limit = policy.cells();
                if let Some(cell) = cells.iter().find(|&&cell| cell != NO_CELL && cell as usize >= limit) {
                    let fault = format!("policy cell {cell} of row {row} is not below {limit}");
                    return Err(NetError::Module(fault));
                }
                places.enter(step, row, cells);
                step = end as usize;
            }
            let logits = places.tensors(self.device)?.logits(&outputs.policy)?;
            host(&logits, call.logits)
        })
    }
}

/// Copies a tensor's numbers to the host.
fn host(tensor: &Tensor, numbers: &mut [f32]) -> Result<(), NetError> {
    let tensor = tensor.f_to_device(Device::Cpu)?.f_to_kind(Kind::Float)?.f_contiguous()?;
    Ok(tensor.f_copy_data(numbers, numbers.len())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_rows_with_little_padding() {
        for rows in 1..300 {
            let (mut left, mut padded) = (rows, 0);
            while left > 0 {
                let (taken, size) = part(SIZES, left);
                assert!(
                    taken > 0 && taken <= left && taken <= size && SIZES.contains(&size),
                    "{rows} {left}"
                );
                padded += size - taken;
                left -= taken;
            }
            assert!(padded <= 3, "{rows} rows are padded with {padded}");
        }
    }
}

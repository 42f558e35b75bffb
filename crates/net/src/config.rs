//! Sizes of a network and settings of its training.

use crate::plan::Precision;
use crate::policy_head::PolicyHead;
use selfplay::AuxiliaryHead;
use serde::{Deserialize, Serialize};

/// Size of a policy-value network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Residual blocks of the trunk, 1 to 64.
    pub blocks: usize,
    /// Channels of the trunk, 4 to 1024.
    pub channels: usize,
    /// Every how many blocks one has global pooling (KataGo paper, section 3.3): 2 means the second,
    /// fourth and so on; 0 means none.
    pub pooling_every: usize,
    /// Channels that a pooling block summarises over the board.
    pub pooling_channels: usize,
    /// Channels of the policy head before its last convolution.
    pub policy_channels: usize,
    /// How the logit of a step is made: `"cells"`, or `{ pairs = { channels = 16 } }`.
    pub policy_head: PolicyHead,
    /// Channels of the value head before they are pooled over the board.
    pub value_channels: usize,
    /// Width of the value head's hidden layer.
    pub value_hidden: usize,
    /// What is learned on the side, each at most once. These heads exist only in training: play is as
    /// fast without them.
    pub auxiliary: Vec<AuxiliaryHead>,
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig {
            blocks: 4,
            channels: 64,
            pooling_every: 2,
            pooling_channels: 16,
            policy_channels: 32,
            policy_head: PolicyHead::Cells,
            value_channels: 32,
            value_hidden: 64,
            auxiliary: Vec::new(),
        }
    }
}

impl NetConfig {
    /// All faults, each with its key, what was found and what would be right.
    pub fn faults(&self) -> Vec<String> {
        let ranges = [
            ("blocks", self.blocks, 1, 64),
            ("channels", self.channels, 4, 1024),
            ("pooling_every", self.pooling_every, 0, 64),
            ("pooling_channels", self.pooling_channels, 1, 256),
            ("policy_channels", self.policy_channels, 1, 512),
            ("value_channels", self.value_channels, 1, 512),
            ("value_hidden", self.value_hidden, 1, 1024),
        ];
        let mut faults = Vec::new();
        for (key, found, low, high) in ranges {
            if !(low..=high).contains(&found) {
                faults.push(format!("{key} = {found} must be {low} to {high}"));
            }
        }
        if let PolicyHead::Pairs { channels } = self.policy_head
            && !(1..=256).contains(&channels)
        {
            faults.push(format!("policy_head.pairs.channels = {channels} must be 1 to 256"));
        }
        for (index, head) in self.auxiliary.iter().enumerate() {
            if self.auxiliary[..index].contains(head) {
                faults.push(format!("auxiliary names {head:?} twice"));
            }
        }
        faults
    }

    /// Whether block `index` (from 0) has global pooling.
    pub fn pools(&self, index: usize) -> bool {
        self.pooling_every > 0 && (index + 1).is_multiple_of(self.pooling_every)
    }
}

/// Settings of AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", algorithm 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamWConfig {
    /// Decay of the mean of gradients.
    pub beta1: f64,
    /// Decay of the mean of squared gradients.
    pub beta2: f64,
    /// Added to the root of the mean square.
    pub epsilon: f64,
    /// Weight decay: a weight shrinks by `learning rate · weight_decay` of itself a step. Biases and
    /// the gains of normalisations do not decay.
    pub weight_decay: f64,
}

impl Default for AdamWConfig {
    fn default() -> AdamWConfig {
        AdamWConfig { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 1e-4 }
    }
}

/// What each term counts in the total loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// Cross-entropy of the policy over legal steps.
    pub policy: f64,
    /// Cross-entropy of win, draw and loss.
    pub value: f64,
    /// Huber loss of the points margin.
    pub margin: f64,
    /// Where the Huber loss of the margin turns from quadratic to linear.
    pub margin_delta: f64,
    /// Huber loss (turning at 1) of ln(1 + turns left), where the network has that head.
    pub turns_left: f64,
    /// Cross-entropy of the reply, where the network has that head.
    pub reply: f64,
    /// Mean over the squares of the cross-entropy of their owners, where the network has that head.
    pub owners: f64,
}

impl Default for LossWeights {
    fn default() -> LossWeights {
        LossWeights {
            policy: 1.0,
            value: 1.0,
            margin: 0.5,
            margin_delta: 0.5,
            turns_left: 0.1,
            reply: 0.15,
            owners: 0.3,
        }
    }
}

impl LossWeights {
    /// The weight of an auxiliary head.
    pub fn of(&self, head: AuxiliaryHead) -> f64 {
        match head {
            AuxiliaryHead::TurnsLeft => self.turns_left,
            AuxiliaryHead::Reply => self.reply,
            AuxiliaryHead::Owners => self.owners,
        }
    }
}

/// Whether the weights that play are an average over training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Averaging {
    /// The weights of the last step play.
    None,
    /// An exponential moving average plays.
    Exponential {
        /// Share of the average that is kept a step; smaller during the first steps, see
        /// [`crate::average::effective_decay`].
        decay: f64,
    },
}

/// Settings of a [`crate::Trainer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainerConfig {
    /// The optimiser.
    pub optimizer: AdamWConfig,
    /// Largest Euclidean norm of the whole gradient; a longer one is scaled down to it. 0: no limit.
    pub clip_norm: f64,
    /// Weights of the loss terms.
    pub loss: LossWeights,
    /// Average of the weights for play.
    pub averaging: Averaging,
    /// Pieces that a batch is cut into; each is normalised by its own statistics and their gradients
    /// are added in order, so the result depends on this number and not on `threads`.
    pub pieces: usize,
    /// Threads that work on pieces, each with one LibTorch thread.
    pub threads: usize,
    /// Numbers of the forward and backward pass on a CPU: `auto` is bf16 where the processor is faster in
    /// it, which is measured. Weights, statistics, losses and the optimiser are always 32-bit.
    pub precision: Precision,
}

impl Default for TrainerConfig {
    fn default() -> TrainerConfig {
        TrainerConfig {
            optimizer: AdamWConfig::default(),
            clip_norm: 5.0,
            loss: LossWeights::default(),
            averaging: Averaging::Exponential { decay: 0.995 },
            pieces: 2,
            threads: 2,
            precision: Precision::Auto,
        }
    }
}

impl TrainerConfig {
    /// All faults, each with its key, what was found and what would be right.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |key: &str, found: f64, good: bool, right: &str| {
            if !good {
                faults.push(format!("{key} = {found} must be {right}"));
            }
        };
        let adam = &self.optimizer;
        let share = |number: f64| (0.0..1.0).contains(&number);
        check("optimizer.beta1", adam.beta1, share(adam.beta1), "at least 0 and less than 1");
        check("optimizer.beta2", adam.beta2, share(adam.beta2), "at least 0 and less than 1");
        check(
            "optimizer.epsilon",
            adam.epsilon,
            adam.epsilon > 0.0 && adam.epsilon.is_finite(),
            "more than 0",
        );
        for (key, number) in [
            ("optimizer.weight_decay", adam.weight_decay),
            ("clip_norm", self.clip_norm),
            ("loss.policy", self.loss.policy),
            ("loss.value", self.loss.value),
            ("loss.margin", self.loss.margin),
            ("loss.turns_left", self.loss.turns_left),
            ("loss.reply", self.loss.reply),
            ("loss.owners", self.loss.owners),
        ] {
            check(key, number, number >= 0.0 && number.is_finite(), "a number of at least 0");
        }
        let delta = self.loss.margin_delta;
        check("loss.margin_delta", delta, delta > 0.0 && delta.is_finite(), "more than 0");
        if let Averaging::Exponential { decay } = self.averaging {
            check("averaging.decay", decay, share(decay), "at least 0 and less than 1");
        }
        check("pieces", self.pieces as f64, (1..=64).contains(&self.pieces), "1 to 64");
        check("threads", self.threads as f64, (1..=64).contains(&self.threads), "1 to 64");
        if self.precision == Precision::Int8 {
            faults.push(
                "precision = int8 must be auto, fp32 or bf16: 8-bit numbers are for play alone".to_string(),
            );
        }
        faults
    }
}

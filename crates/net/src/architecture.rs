//! The network, described once.
//!
//! A residual trunk with global pooling in some blocks (KataGo: Wu, "Accelerating self-play learning in
//! Go", section 3.3), a policy head that answers planes per square, and a value head on globally pooled
//! features that answers win, draw and loss logits and the points margin. [`forward`] walks through it
//! and tells a [`Builder`] what comes next; the builders list the tensors ([`crate::tensors`]), run it
//! for training or inference ([`crate::network`], [`crate::folded`]) or write it as a script
//! ([`crate::script`]).

use crate::config::NetConfig;
use game::{Owner, PlaneShape, PolicyShape};
use selfplay::AuxiliaryHead;

/// A convolution over the board, stride 1, padded with zeros to keep its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Channels in.
    pub inputs: usize,
    /// Channels out.
    pub outputs: usize,
    /// Width of the square kernel, odd.
    pub kernel: usize,
}

/// What follows a normalised convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    Linear,
    /// `max(x, 0)`.
    Relu,
}

/// One way to make something of the network. Values are boards `[batch, channels, rows, columns]` or
/// features `[batch, channels]`.
pub trait Builder {
    /// What stands for a tensor that flows through the network.
    type Value;
    /// Why building can fail.
    type Error;

    /// Convolution without bias, batch normalisation, activation.
    fn normalised(
        &mut self,
        name: &str,
        input: &Self::Value,
        shape: Convolution,
        then: Activation,
    ) -> Result<Self::Value, Self::Error>;
    /// Convolution with bias.
    fn convolution(
        &mut self,
        name: &str,
        input: &Self::Value,
        shape: Convolution,
    ) -> Result<Self::Value, Self::Error>;
    /// Fully connected layer on features.
    fn linear(
        &mut self,
        name: &str,
        input: &Self::Value,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self::Value, Self::Error>;
    /// Board to features: the mean of each channel, then the maximum of each channel.
    fn pool(&mut self, input: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// Sum of two boards.
    fn add(&mut self, left: &Self::Value, right: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// A board plus one feature per channel, the same on every square.
    fn add_per_channel(
        &mut self,
        board: &Self::Value,
        features: &Self::Value,
    ) -> Result<Self::Value, Self::Error>;
    /// `max(x, 0)`.
    fn relu(&mut self, input: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// Hyperbolic tangent.
    fn tanh(&mut self, input: &Self::Value) -> Result<Self::Value, Self::Error>;
}

/// What the network answers.
#[derive(Debug)]
pub struct Outputs<Value> {
    /// `[batch, outputs of the policy head, rows, columns]`; [`crate::policy_head`] says how logits of steps are
    /// made of them.
    pub policy: Value,
    /// `[batch, 3]`: logits of win, draw and loss for the side to move.
    pub result: Value,
    /// `[batch, 1]`: points margin for the side to move, in [−1, 1].
    pub margin: Value,
    /// What is learned on the side, in training only.
    pub auxiliary: Vec<(AuxiliaryHead, Value)>,
}

/// Name of the last layer of the policy head.
pub const POLICY_CELLS: &str = "policy.cells";
/// Name of the layer with win, draw and loss.
pub const RESULT: &str = "value.result";
/// Name of the layer with the margin.
pub const MARGIN: &str = "value.margin";
/// Last layers of the heads, whose first weights are small.
pub const LAST_LAYERS: [&str; 6] = [POLICY_CELLS, RESULT, MARGIN, TURNS_LEFT, REPLY, OWNERS];

/// `[batch, 1]`: ln(1 + turns left).
const TURNS_LEFT: &str = "auxiliary.turns_left";
/// `[batch, policy planes, rows, columns]`: as the policy, for the reply.
const REPLY: &str = "auxiliary.reply";
/// `[batch, owners, rows, columns]`: logits of the owner of each square at the end.
const OWNERS: &str = "auxiliary.owners";

/// What the layers of auxiliary heads are called; play does without them.
pub fn is_auxiliary(layer: &str) -> bool {
    layer.starts_with("auxiliary.")
}

/// Walks through the network, and to the heads of `auxiliary`: those of the configuration in training, none in play.
pub fn forward<B: Builder>(
    builder: &mut B,
    config: &NetConfig,
    planes: PlaneShape,
    policy: PolicyShape,
    auxiliary: &[AuxiliaryHead],
    input: &B::Value,
) -> Result<Outputs<B::Value>, B::Error> {
    let trunk = config.channels;
    let wide = |inputs, outputs| Convolution { inputs, outputs, kernel: 3 };
    let narrow = |inputs, outputs| Convolution { inputs, outputs, kernel: 1 };

    let mut value = builder.normalised("stem", input, wide(planes.channels, trunk), Activation::Relu)?;
    for block in 0..config.blocks {
        let name = |part: &str| format!("blocks.{block}.{part}");
        let first = if config.pools(block) {
            let pooled = config.pooling_channels;
            let local = builder.normalised(&name("first"), &value, wide(trunk, trunk), Activation::Linear)?;
            let summed =
                builder.normalised(&name("pooled"), &value, narrow(trunk, pooled), Activation::Relu)?;
            let features = builder.pool(&summed)?;
            let bias = builder.linear(&name("bias"), &features, 2 * pooled, trunk)?;
            let both = builder.add_per_channel(&local, &bias)?;
            builder.relu(&both)?
        } else {
            builder.normalised(&name("first"), &value, wide(trunk, trunk), Activation::Relu)?
        };
        let second = builder.normalised(&name("second"), &first, wide(trunk, trunk), Activation::Linear)?;
        let sum = builder.add(&second, &value)?;
        value = builder.relu(&sum)?;
    }

    let width = config.policy_channels;
    let policy_features =
        builder.normalised("policy.features", &value, narrow(trunk, width), Activation::Relu)?;
    let cells = builder.convolution(
        POLICY_CELLS,
        &policy_features,
        narrow(width, config.policy_head.outputs(policy)),
    )?;

    let width = config.value_channels;
    let features = builder.normalised("value.features", &value, narrow(trunk, width), Activation::Relu)?;
    let pooled = builder.pool(&features)?;
    let hidden = builder.linear("value.hidden", &pooled, 2 * width, config.value_hidden)?;
    let hidden = builder.relu(&hidden)?;
    let result = builder.linear(RESULT, &hidden, config.value_hidden, 3)?;
    let margin = builder.linear(MARGIN, &hidden, config.value_hidden, 1)?;
    let margin = builder.tanh(&margin)?;

    let auxiliary = auxiliary
        .iter()
        .map(|&head| {
            let output = match head {
                AuxiliaryHead::TurnsLeft => builder.linear(TURNS_LEFT, &hidden, config.value_hidden, 1)?,
                AuxiliaryHead::Reply => {
                    let shape = narrow(config.policy_channels, policy.planes);
                    builder.convolution(REPLY, &policy_features, shape)?
                }
                AuxiliaryHead::Owners => {
                    builder.convolution(OWNERS, &value, narrow(trunk, Owner::ALL.len()))?
                }
            };
            Ok((head, output))
        })
        .collect::<Result<_, B::Error>>()?;
    Ok(Outputs { policy: cells, result, margin, auxiliary })
}

//! The network written as TorchScript source, for the exported module.

use crate::architecture::{Activation, Builder, Convolution, forward};
use crate::error::NetError;
use crate::folded::Folded;
use std::fmt::Write;
use tch::Tensor;

/// Source of `forward` and the tensors it names.
pub(crate) struct Script {
    /// `def forward(self, planes: Tensor) -> …`
    pub source: String,
    /// Attributes of the module.
    pub tensors: Vec<(String, Tensor)>,
    /// Convolutions on 8-bit numbers, attributes too.
    pub packed: Vec<Packed>,
}

/// A convolution of stride 1 that keeps the size of the board, whose weights are packed into 8 bits.
pub(crate) struct Packed {
    /// Name of the attribute.
    pub name: String,
    /// `[outputs, inputs, kernel, kernel]`, 32-bit.
    pub weight: Tensor,
    /// `[outputs]`, 32-bit.
    pub bias: Tensor,
}

impl Script {
    /// Writes a folded network. The script answers the policy `[batch, planes, rows, columns]`, the
    /// logits of the result `[batch, 3]` and the margin `[batch, 1]`.
    pub fn of(folded: &Folded) -> Result<Script, NetError> {
        let mut writer = Writer { folded, body: String::new(), tensors: Vec::new(), values: 0 };
        let input = "planes".to_string();
        let outputs =
            forward(&mut writer, folded.config(), folded.plane_shape(), folded.policy_shape(), &[], &input)?;
        let source = format!(
            "def forward(self, planes: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n{}    return {}, {}, {}\n",
            writer.body, outputs.policy, outputs.result, outputs.margin
        );
        Ok(Script { source, tensors: writer.tensors, packed: Vec::new() })
    }
}

/// Values are names of variables.
struct Writer<'a> {
    folded: &'a Folded,
    body: String,
    tensors: Vec<(String, Tensor)>,
    values: usize,
}

impl Writer<'_> {
    fn assign(&mut self, expression: &str) -> String {
        let name = format!("v{}", self.values);
        self.values += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "    {name} = {expression}");
        name
    }

    fn attribute(&mut self, name: &str) -> Result<String, NetError> {
        let attribute = name.replace('.', "_");
        self.tensors.push((attribute.clone(), self.folded.tensor(name)?.shallow_clone()));
        Ok(format!("self.{attribute}"))
    }
}

impl Builder for Writer<'_> {
    type Value = String;
    type Error = NetError;

    fn normalised(
        &mut self,
        name: &str,
        input: &String,
        shape: Convolution,
        then: Activation,
    ) -> Result<String, NetError> {
        let output = self.convolution(name, input, shape)?;
        match then {
            Activation::Linear => Ok(output),
            Activation::Relu => self.relu(&output),
        }
    }

    fn convolution(&mut self, name: &str, input: &String, shape: Convolution) -> Result<String, NetError> {
        let weight = self.attribute(&format!("{name}.weight"))?;
        let bias = self.attribute(&format!("{name}.bias"))?;
        let border = shape.kernel / 2;
        // Lists of two elements: with single numbers the fuser reports invalid dimensions.
        Ok(self.assign(&format!(
            "torch.conv2d({input}, {weight}, {bias}, [1, 1], [{border}, {border}], [1, 1], 1)"
        )))
    }

    fn linear(&mut self, name: &str, input: &String, _: usize, _: usize) -> Result<String, NetError> {
        let weight = self.attribute(&format!("{name}.weight"))?;
        let bias = self.attribute(&format!("{name}.bias"))?;
        Ok(self.assign(&format!("torch.linear({input}, {weight}, {bias})")))
    }

    fn pool(&mut self, input: &String) -> Result<String, NetError> {
        let mean = self.assign(&format!("torch.adaptive_avg_pool2d({input}, [1, 1])"));
        let largest = self.assign(&format!("torch.adaptive_max_pool2d({input}, [1, 1])[0]"));
        Ok(self.assign(&format!("torch.flatten(torch.cat([{mean}, {largest}], 1), 1)")))
    }

    fn add(&mut self, left: &String, right: &String) -> Result<String, NetError> {
        Ok(self.assign(&format!("torch.add({left}, {right})")))
    }

    fn add_per_channel(&mut self, board: &String, features: &String) -> Result<String, NetError> {
        Ok(self.assign(&format!("torch.add({board}, {features}.unsqueeze(-1).unsqueeze(-1))")))
    }

    fn relu(&mut self, input: &String) -> Result<String, NetError> {
        Ok(self.assign(&format!("torch.relu({input})")))
    }

    fn tanh(&mut self, input: &String) -> Result<String, NetError> {
        Ok(self.assign(&format!("torch.tanh({input})")))
    }
}

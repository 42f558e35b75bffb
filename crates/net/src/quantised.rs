//! Networks in 8-bit numbers: the convolutions of the trunk on bytes, the one that reads the planes in 16 or 32 bits,
//! pooling and the last layers in 32 bits.
//!
//! Weights have 8 bits with a sign and a scale for each output channel; activations have 8 bits without a sign and
//! one scale a layer: its largest value on positions that the network is calibrated on, by 255. What exceeds that
//! is cut off.

use crate::architecture::{Activation, Builder, Convolution, forward};
use crate::batch::all_finite;
use crate::device::DeviceChoice;
use crate::error::NetError;
use crate::folded::Folded;
use crate::network::{convolve, planes_tensor, pool};
use crate::plan::{Precision, has_bf16_instructions};
use crate::script::{Packed, Script};
use selfplay::evaluator::Batch;
use std::collections::HashMap;
use std::fmt::Write;
use tch::{Device, Kind, Tensor, no_grad};

/// What the planes are called in the script.
const PLANES: &str = "planes";

/// A network with the largest numbers of each of its layers on some positions.
pub(crate) struct Quantised<'a> {
    folded: &'a Folded,
    /// By layer, the largest absolute number.
    largest: HashMap<String, f64>,
}

impl Quantised<'_> {
    /// Runs a network, whose tensors are 32-bit and on the CPU, on positions.
    ///
    /// # Errors
    /// [`NetError::Quantised`]; what LibTorch says.
    pub fn new<'a>(folded: &'a Folded, positions: Option<&Batch>) -> Result<Quantised<'a>, NetError> {
        let shape = folded.plane_shape();
        let fault = |text: &str| Err(NetError::Quantised(text.to_string()));
        if let Some(text) = Precision::Int8.fault(DeviceChoice::Cpu) {
            return fault(text);
        }
        let fits = |positions: &&Batch| !positions.is_empty() && positions.plane_shape() == shape;
        let Some(positions) = positions.filter(fits) else {
            return fault("a network is calibrated on positions of its game, at least one");
        };
        let (rows, planes) = (positions.len(), positions.planes());
        if !all_finite(planes) {
            return fault("a plane of a position that it is calibrated on holds a number that is not finite");
        }
        let input = planes_tensor(planes, rows, shape, Device::Cpu)?;
        let mut pass = Measuring { folded, largest: HashMap::new() };
        no_grad(|| {
            let input = Measured { tensor: input, layer: PLANES.to_string() };
            forward(&mut pass, folded.config(), shape, folded.policy_shape(), &[], &input)
        })?;
        Ok(Quantised { folded, largest: pass.largest })
    }

    /// The network as a script on 8-bit numbers that reads and answers what [`Script::of`] does.
    pub fn script(&self) -> Result<Script, NetError> {
        let folded = self.folded;
        let mut writer = Writer {
            quantised: self,
            script: Script { source: String::new(), tensors: Vec::new(), packed: Vec::new() },
            values: 0,
        };
        let input = Value::Numbers { name: PLANES.to_string(), layer: String::new() };
        let outputs =
            forward(&mut writer, folded.config(), folded.plane_shape(), folded.policy_shape(), &[], &input)?;
        let policy = writer.numbers(&outputs.policy)?;
        let result = writer.numbers(&outputs.result)?;
        let margin = writer.numbers(&outputs.margin)?;
        let Script { source, tensors, packed } = writer.script;
        let source = format!(
            "def forward(self, planes: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n{source}    return {policy}, {result}, {margin}\n"
        );
        Ok(Script { source, tensors, packed })
    }

    fn largest(&self, layer: &str) -> Result<f64, NetError> {
        let fault = || NetError::Quantised(format!("layer '{layer}' was not calibrated"));
        self.largest.get(layer).map(|&largest| largest.max(1e-9)).ok_or_else(fault)
    }

    /// Scale of bytes for what a layer answers after its activation.
    fn scale(&self, layer: &str) -> Result<f64, NetError> {
        Ok(self.largest(layer)? / 255.0)
    }
}

/// A tensor, and the layer that it comes from.
struct Measured {
    tensor: Tensor,
    layer: String,
}

/// Runs the network and notes the largest absolute number of each layer: before the activation under the layer's
/// name with `.linear`, after it under its name.
struct Measuring<'a> {
    folded: &'a Folded,
    largest: HashMap<String, f64>,
}

impl Measuring<'_> {
    fn note(&mut self, layer: &str, tensor: &Tensor) -> Result<(), NetError> {
        let largest = tensor.f_abs()?.f_max()?.f_double_value(&[])?;
        let known = self.largest.entry(layer.to_string()).or_default();
        *known = known.max(largest);
        Ok(())
    }
}

impl Builder for Measuring<'_> {
    type Value = Measured;
    type Error = NetError;

    fn normalised(
        &mut self,
        name: &str,
        input: &Measured,
        shape: Convolution,
        then: Activation,
    ) -> Result<Measured, NetError> {
        let output = self.convolution(name, input, shape)?;
        match then {
            Activation::Linear => {
                self.note(&format!("{name}.linear"), &output.tensor)?;
                Ok(output)
            }
            Activation::Relu => self.relu(&output),
        }
    }

    fn convolution(
        &mut self,
        name: &str,
        input: &Measured,
        shape: Convolution,
    ) -> Result<Measured, NetError> {
        let weight = self.folded.tensor(&format!("{name}.weight"))?;
        let bias = self.folded.tensor(&format!("{name}.bias"))?;
        let tensor = convolve(&input.tensor, weight, Some(bias), shape)?;
        Ok(Measured { tensor, layer: name.to_string() })
    }

    fn linear(&mut self, name: &str, input: &Measured, _: usize, _: usize) -> Result<Measured, NetError> {
        let weight = self.folded.tensor(&format!("{name}.weight"))?;
        let bias = self.folded.tensor(&format!("{name}.bias"))?;
        Ok(Measured { tensor: input.tensor.f_linear(weight, Some(bias))?, layer: name.to_string() })
    }

    fn pool(&mut self, input: &Measured) -> Result<Measured, NetError> {
        Ok(Measured { tensor: pool(&input.tensor)?, layer: input.layer.clone() })
    }

    fn add(&mut self, left: &Measured, right: &Measured) -> Result<Measured, NetError> {
        Ok(Measured { tensor: left.tensor.f_add(&right.tensor)?, layer: left.layer.clone() })
    }

    fn add_per_channel(&mut self, board: &Measured, features: &Measured) -> Result<Measured, NetError> {
        let features = features.tensor.f_unsqueeze(-1)?.f_unsqueeze(-1)?;
        Ok(Measured { tensor: board.tensor.f_add(&features)?, layer: board.layer.clone() })
    }

    fn relu(&mut self, input: &Measured) -> Result<Measured, NetError> {
        let tensor = input.tensor.f_relu()?;
        self.note(&input.layer, &tensor)?;
        Ok(Measured { tensor, layer: input.layer.clone() })
    }

    fn tanh(&mut self, input: &Measured) -> Result<Measured, NetError> {
        Ok(Measured { tensor: input.tensor.f_tanh()?, layer: input.layer.clone() })
    }
}

/// A convolution that is not written yet, because what follows becomes part of it.
#[derive(Clone)]
struct Pending {
    layer: String,
    input: String,
    /// Bytes that are added to what it answers.
    added: Option<String>,
}

/// What a variable holds.
enum Value {
    /// Bytes.
    Bytes(String),
    /// 32-bit numbers, and the layer that they come from.
    Numbers { name: String, layer: String },
    /// What a convolution will answer.
    Pending(Pending),
}

struct Writer<'a> {
    quantised: &'a Quantised<'a>,
    script: Script,
    values: usize,
}

impl Writer<'_> {
    fn assign(&mut self, expression: &str) -> String {
        let name = format!("v{}", self.values);
        self.values += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(self.script.source, "    {name} = {expression}");
        name
    }

    /// 32-bit numbers to bytes; what lies beyond, such as all below 0, becomes the nearest one.
    fn round(&mut self, numbers: &str, scale: f64) -> Value {
        // 13 is the number of LibTorch's type for bytes with a scale.
        Value::Bytes(self.assign(&format!("torch.quantize_per_tensor({numbers}, {scale:e}, 0, 13)")))
    }

    fn attribute(&mut self, name: &str, kind: Kind) -> Result<String, NetError> {
        let attribute = name.replace('.', "_");
        let tensor = self.quantised.folded.tensor(name)?.f_to_kind(kind)?;
        self.script.tensors.push((attribute.clone(), tensor));
        Ok(format!("self.{attribute}"))
    }

    /// A convolution on numbers of a kind.
    fn convolve(
        &mut self,
        name: &str,
        input: &str,
        shape: Convolution,
        kind: Kind,
    ) -> Result<String, NetError> {
        let weight = self.attribute(&format!("{name}.weight"), kind)?;
        let bias = self.attribute(&format!("{name}.bias"), kind)?;
        let border = shape.kernel / 2;
        Ok(self.assign(&format!(
            "torch.conv2d({input}, {weight}, {bias}, [1, 1], [{border}, {border}], [1, 1], 1)"
        )))
    }

    /// The convolution that reads the planes: some hold 0 and 1 and others fractions, and with one scale of bytes for
    /// all of them values are off four times as much (`docs/speed.md`).
    fn first(&mut self, name: &str, planes: &str, shape: Convolution) -> Result<Value, NetError> {
        let output = if has_bf16_instructions() {
            // 15 and 6 are the numbers of LibTorch's types for 16-bit brain floats and 32-bit numbers.
            let half = self.assign(&format!("{planes}.to(15)"));
            let output = self.convolve(name, &half, shape, Kind::BFloat16)?;
            self.assign(&format!("{output}.to(6)"))
        } else {
            self.convolve(name, planes, shape, Kind::Float)?
        };
        Ok(Value::Numbers { name: output, layer: name.to_string() })
    }

    fn packed(&mut self, layer: &str) -> Result<String, NetError> {
        let name = format!("{}_packed", layer.replace('.', "_"));
        let part = |part: &str| {
            Ok::<_, NetError>(self.quantised.folded.tensor(&format!("{layer}.{part}"))?.shallow_clone())
        };
        let (weight, bias) = (part("weight")?, part("bias")?);
        self.script.packed.push(Packed { name: name.clone(), weight, bias });
        Ok(format!("self.{name}"))
    }

    /// The 32-bit numbers of a value.
    fn numbers(&mut self, value: &Value) -> Result<String, NetError> {
        match value {
            Value::Numbers { name, .. } => Ok(name.clone()),
            Value::Bytes(name) => Ok(self.assign(&format!("torch.dequantize({name})"))),
            Value::Pending(Pending { added: Some(_), .. }) => Err(NetError::Quantised(
                "a sum of boards without an activation has no 8-bit form".to_string(),
            )),
            Value::Pending(Pending { layer, input, added: None }) => {
                // Of both signs: 128 stands for 0.
                let scale = self.quantised.largest(&format!("{layer}.linear"))? / 127.0;
                let packed = self.packed(layer)?;
                let bytes = self.assign(&format!("quantized.conv2d({input}, {packed}, {scale:e}, 128)"));
                Ok(self.assign(&format!("torch.dequantize({bytes})")))
            }
        }
    }

    /// The bytes of a value.
    fn bytes<'v>(&self, value: &'v Value) -> Result<&'v str, NetError> {
        match value {
            Value::Bytes(name) => Ok(name),
            _ => Err(NetError::Quantised("a convolution reads something without an 8-bit form".to_string())),
        }
    }
}

impl Builder for Writer<'_> {
    type Value = Value;
    type Error = NetError;

    fn normalised(
        &mut self,
        name: &str,
        input: &Value,
        shape: Convolution,
        then: Activation,
    ) -> Result<Value, NetError> {
        let output = match input {
            Value::Numbers { name: planes, .. } => self.first(name, planes, shape)?,
            _ => {
                let input = self.bytes(input)?.to_string();
                Value::Pending(Pending { layer: name.to_string(), input, added: None })
            }
        };
        match then {
            Activation::Linear => Ok(output),
            Activation::Relu => self.relu(&output),
        }
    }

    fn convolution(&mut self, name: &str, input: &Value, shape: Convolution) -> Result<Value, NetError> {
        let input = self.numbers(input)?;
        let output = self.convolve(name, &input, shape, Kind::Float)?;
        Ok(Value::Numbers { name: output, layer: name.to_string() })
    }

    fn linear(&mut self, name: &str, input: &Value, _: usize, _: usize) -> Result<Value, NetError> {
        let input = self.numbers(input)?;
        let weight = self.attribute(&format!("{name}.weight"), Kind::Float)?;
        let bias = self.attribute(&format!("{name}.bias"), Kind::Float)?;
        let output = self.assign(&format!("torch.linear({input}, {weight}, {bias})"));
        Ok(Value::Numbers { name: output, layer: String::new() })
    }

    fn pool(&mut self, input: &Value) -> Result<Value, NetError> {
        let input = self.numbers(input)?;
        let mean = self.assign(&format!("torch.adaptive_avg_pool2d({input}, [1, 1])"));
        let largest = self.assign(&format!("torch.adaptive_max_pool2d({input}, [1, 1])[0]"));
        let name = self.assign(&format!("torch.flatten(torch.cat([{mean}, {largest}], 1), 1)"));
        Ok(Value::Numbers { name, layer: String::new() })
    }

    fn add(&mut self, left: &Value, right: &Value) -> Result<Value, NetError> {
        match (left, right) {
            (Value::Pending(pending), Value::Bytes(added)) if pending.added.is_none() => {
                Ok(Value::Pending(Pending { added: Some(added.clone()), ..pending.clone() }))
            }
            _ => Err(NetError::Quantised("only a convolution and a board add up in 8 bits".to_string())),
        }
    }

    fn add_per_channel(&mut self, board: &Value, features: &Value) -> Result<Value, NetError> {
        let layer = match board {
            Value::Pending(Pending { layer, .. }) | Value::Numbers { layer, .. } => layer.clone(),
            Value::Bytes(_) => String::new(),
        };
        let (board, features) = (self.numbers(board)?, self.numbers(features)?);
        let name = self.assign(&format!("torch.add({board}, {features}.unsqueeze(-1).unsqueeze(-1))"));
        Ok(Value::Numbers { name, layer })
    }

    fn relu(&mut self, input: &Value) -> Result<Value, NetError> {
        match input {
            Value::Pending(Pending { layer, input, added }) => {
                let scale = self.quantised.scale(layer)?;
                let packed = self.packed(layer)?;
                let expression = match added {
                    None => format!("quantized.conv2d_relu({input}, {packed}, {scale:e}, 0)"),
                    Some(added) => {
                        format!("quantized.conv2d_add_relu({input}, {added}, {packed}, {scale:e}, 0)")
                    }
                };
                Ok(Value::Bytes(self.assign(&expression)))
            }
            // A board of the trunk goes back to bytes; features stay as they are.
            Value::Numbers { name, layer } if !layer.is_empty() => {
                let scale = self.quantised.scale(layer)?;
                // Rounding makes 0 of what is below 0.
                Ok(self.round(name, scale))
            }
            Value::Numbers { name, .. } => {
                let name = self.assign(&format!("torch.relu({name})"));
                Ok(Value::Numbers { name, layer: String::new() })
            }
            Value::Bytes(name) => Ok(Value::Bytes(name.clone())),
        }
    }

    fn tanh(&mut self, input: &Value) -> Result<Value, NetError> {
        let input = self.numbers(input)?;
        let name = self.assign(&format!("torch.tanh({input})"));
        Ok(Value::Numbers { name, layer: String::new() })
    }
}

/// Whether the processor multiplies bytes itself, without which sums of products overflow or are slow.
pub fn has_int8_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let wide = std::arch::is_x86_feature_detected!("avx512vnni");
        wide || std::arch::is_x86_feature_detected!("avxvnni")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

"""8-bit inference as an experiment: what `scripts/check-int8` runs. Prints one JSON object.

A network of Connect Four is read from a checkpoint, its normalisations folded, and written as ONNX; ONNX Runtime
quantises it (8-bit weights per channel, 8-bit activations, calibrated on random positions, as it would have to be done
at every publish). Then both are compared on the solved quiet positions, and timed; `--shape` times an untrained network
of another size instead, since speed does not depend on weights.
"""

import argparse
import json
import os
import pathlib
import tempfile
import time

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization
from safetensors.numpy import load_file

EPSILON = 1e-5
ROWS, COLUMNS = 6, 7


class Graph:
    """An ONNX graph under construction."""

    def __init__(self, tensors):
        self.tensors, self.nodes, self.initializers, self.count = tensors, [], [], 0

    def constant(self, numbers):
        name = f"constant{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(numpy.ascontiguousarray(numbers, numpy.float32), name))
        return name

    def node(self, kind, inputs, **attributes):
        self.count += 1
        output = f"value{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}{self.count}", **attributes))
        return output

    def convolution(self, name, value, relu):
        weight = self.tensors[f"{name}.weight"]
        if f"{name}.norm.gain" in self.tensors:
            part = lambda part: self.tensors[f"{name}.norm.{part}"]
            scale = part("gain") / numpy.sqrt(part("variance") + EPSILON)
            weight, bias = weight * scale[:, None, None, None], part("bias") - part("mean") * scale
        else:
            bias = self.tensors[f"{name}.bias"]
        border = weight.shape[2] // 2
        value = self.node("Conv", [value, self.constant(weight), self.constant(bias)], pads=[border] * 4)
        return self.node("Relu", [value]) if relu else value

    def linear(self, name, value):
        weight, bias = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        return self.node("Gemm", [value, self.constant(weight), self.constant(bias)], transB=1)

    def pool(self, value):
        both = [self.node(kind, [value]) for kind in ("GlobalAveragePool", "GlobalMaxPool")]
        return self.node("Flatten", [self.node("Concat", both, axis=1)])

    def network(self):
        """Names of policy cells, logits of win, draw and loss, and margin, from the planes named `planes`."""
        value = self.convolution("stem", "planes", True)
        block = 0
        while f"blocks.{block}.first.weight" in self.tensors:
            name = f"blocks.{block}"
            pools = f"{name}.pooled.weight" in self.tensors
            inner = self.convolution(f"{name}.first", value, not pools)
            if pools:
                pooled = self.pool(self.convolution(f"{name}.pooled", value, True))
                bias = self.linear(f"{name}.bias", pooled)
                axes = numpy_helper.from_array(numpy.array([2, 3], numpy.int64), f"axes{block}")
                self.initializers.append(axes)
                inner = self.node("Relu", [self.node("Add", [inner, self.node("Unsqueeze", [bias, axes.name])])])
            second = self.convolution(f"{name}.second", inner, False)
            value = self.node("Relu", [self.node("Add", [second, value])])
            block += 1
        cells = self.convolution("policy.cells", self.convolution("policy.features", value, True), False)
        pooled = self.pool(self.convolution("value.features", value, True))
        hidden = self.node("Relu", [self.linear("value.hidden", pooled)])
        margin = self.node("Tanh", [self.linear("value.margin", hidden)])
        return cells, self.linear("value.result", hidden), margin


def write_model(tensors, board, path):
    graph = Graph(tensors)
    cells, result, margin = graph.network()
    shapes = {cells: ["batch", tensors["policy.cells.weight"].shape[0], *board], result: ["batch", 3], margin: ["batch", 1]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    channels = tensors["stem.weight"].shape[1]
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", channels, *board])
    made = helper.make_graph(graph.nodes, "net", [planes], outputs, graph.initializers)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def untrained(channels, board, blocks, width, policy):
    """Tensors of a network of the default heads with random weights."""
    random = numpy.random.default_rng(1)
    tensors = {}

    def add(name, shape, normalised=True):
        inputs = int(numpy.prod(shape[1:]))
        tensors[f"{name}.weight"] = (random.standard_normal(shape) * (2 / inputs) ** 0.5).astype(numpy.float32)
        if not normalised:
            tensors[f"{name}.bias"] = numpy.zeros(shape[0], numpy.float32)
            return
        for part, number in (("gain", 1), ("bias", 0), ("mean", 0), ("variance", 1)):
            tensors[f"{name}.norm.{part}"] = numpy.full(shape[0], number, numpy.float32)

    add("stem", (width, channels, 3, 3))
    for block in range(blocks):
        add(f"blocks.{block}.first", (width, width, 3, 3))
        add(f"blocks.{block}.second", (width, width, 3, 3))
        if block % 2 == 1:
            add(f"blocks.{block}.pooled", (16, width, 1, 1))
            add(f"blocks.{block}.bias", (width, 32), normalised=False)
    add("policy.features", (32, width, 1, 1))
    add("policy.cells", (policy, 32, 1, 1), normalised=False)
    add("value.features", (32, width, 1, 1))
    add("value.hidden", (64, 64), normalised=False)
    add("value.result", (3, 64), normalised=False)
    add("value.margin", (1, 64), normalised=False)
    return tensors


class Calibration(quantization.CalibrationDataReader):
    def __init__(self, planes):
        self.batches = iter([{"planes": part} for part in numpy.array_split(planes, 8)])

    def get_next(self):
        return next(self.batches, None)


def quantise(source, target, planes):
    quantization.quantize_static(
        source,
        target,
        Calibration(planes),
        quant_format=quantization.QuantFormat.QDQ,
        per_channel=True,
        # Without VNNI two products are added in 16 bits, which 8-bit weights overflow.
        reduce_range=not has_vnni(),
        weight_type=quantization.QuantType.QInt8,
        activation_type=quantization.QuantType.QUInt8,
    )


def has_vnni():
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return "avx512_vnni" in flags or "avx_vnni" in flags


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def rate(run, planes, seconds):
    """Positions a second of this thread's processor time, the median of all batches."""
    run.run(None, {"planes": planes})
    begin, times = time.monotonic(), []
    while time.monotonic() - begin < seconds or len(times) < 5:
        before = time.process_time()
        run.run(None, {"planes": planes})
        times.append(time.process_time() - before)
    return len(planes) / float(numpy.median(times))


def quiet_positions(path):
    """Planes, rows of the next stone in each column (-1: full) and scores (nan: full) of the solved positions."""
    planes, landings, scores = [], [], []
    for line in pathlib.Path(path).read_text().splitlines()[1:]:
        _, position, numbers = line.split(";")
        board, mover = position.split()
        own = numpy.zeros((3, ROWS, COLUMNS), numpy.float32)
        own[2] = 1
        height = [0] * COLUMNS
        for row, text in enumerate(board.split("/")):
            column = 0
            for letter in text:
                if letter.isdigit():
                    column += int(letter)
                    continue
                own[0 if letter == mover else 1, row, column] = 1
                height[column] += 1
                column += 1
        planes.append(own)
        landings.append([ROWS - 1 - stones if stones < ROWS else -1 for stones in height])
        scores.append([float(number) if number.lstrip("-").isdigit() else numpy.nan for number in numbers.split(",")])
    return numpy.stack(planes), numpy.array(landings), numpy.array(scores)


def judge(run, planes, landings):
    """Probabilities of each column, and of win, draw and loss."""
    cells, results, _ = run.run(None, {"planes": planes})
    rows = numpy.arange(len(planes))[:, None]
    logits = cells[rows, 0, numpy.maximum(landings, 0), numpy.arange(COLUMNS)[None]]
    logits = numpy.where(landings >= 0, logits, -numpy.inf)

    def softmax(numbers):
        powers = numpy.exp(numbers - numbers.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    return softmax(logits), softmax(results)


def compare(full, short, positions):
    planes, landings, scores = positions
    # Compiled kernels differ by batch, not by what is in it.
    (policy, wdl), (policy8, wdl8) = (judge(run, planes, landings) for run in (full, short))
    # Full columns have no probability and add nothing.
    ratio = numpy.log(numpy.where(policy > 0, policy, 1)) - numpy.log(numpy.where(policy8 > 0, policy8, 1))
    value, value8 = wdl[:, 0] - wdl[:, 2], wdl8[:, 0] - wdl8[:, 2]
    best = numpy.nanmax(scores, axis=1)

    def keeps(policy):
        chosen = scores[numpy.arange(len(scores)), policy.argmax(axis=1)]
        return float(numpy.mean(numpy.sign(chosen) == numpy.sign(best)))

    def value_error(value):
        return float(numpy.sqrt(numpy.mean((value - numpy.sign(best)) ** 2)))

    return {
        "positions": len(planes),
        "policy_divergence_nats": float(numpy.mean((policy * ratio).sum(axis=1))),
        "same_first_choice": float(numpy.mean(policy.argmax(axis=1) == policy8.argmax(axis=1))),
        "value_difference_rms": float(numpy.sqrt(numpy.mean((value - value8) ** 2))),
        "value_error_fp32": value_error(value),
        "value_error_int8": value_error(value8),
        "raw_policy_keeps_value_fp32": keeps(policy),
        "raw_policy_keeps_value_int8": keeps(policy8),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", help="weights.safetensors of a Connect Four checkpoint")
    parser.add_argument("--quiet", help="text of crates/connect4/data/quiet.txt.zst")
    parser.add_argument("--shape", default="", help="channels,rows,columns,blocks,width,policy planes")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each rate")
    arguments = parser.parse_args()
    random = numpy.random.default_rng(2)
    report = {"onnxruntime": onnxruntime.__version__, "vnni": has_vnni()}
    with tempfile.TemporaryDirectory() as place:
        full, short = os.path.join(place, "fp32.onnx"), os.path.join(place, "int8.onnx")
        if arguments.shape:
            channels, rows, columns, blocks, width, policy = map(int, arguments.shape.split(","))
            board = (rows, columns)
            write_model(untrained(channels, board, blocks, width, policy), board, full)
            planes = (random.random((512, channels, *board)) > 0.9).astype(numpy.float32)
        else:
            write_model(load_file(arguments.weights), (ROWS, COLUMNS), full)
            positions = quiet_positions(arguments.quiet)
            # Half of the positions calibrate, the other half compares.
            order = random.permutation(len(positions[0]))
            half = len(order) // 2
            planes = positions[0][order[:half]]
        begin = time.process_time()
        quantise(full, short, planes)
        report["quantise_processor_seconds"] = time.process_time() - begin
        runs = session(full), session(short)
        if not arguments.shape:
            report |= compare(*runs, [part[order[half:]] for part in positions])
        for batch in (1, 8, 64):
            rates = [rate(run, planes[:batch], arguments.seconds) for run in runs]
            report[f"batch_{batch}"] = {"fp32": rates[0], "int8": rates[1], "ratio": rates[1] / rates[0]}
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()

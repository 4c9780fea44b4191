"""Training beside PyTorch: the same weights, data and optimizer. Losses, and time a step.

Each model is exported to ONNX with weights. Tenon compiles the file with --train and
tenon-run trains it; PyTorch runs the same file as a module whose weights are its
parameters, eagerly for the losses and compiled (inductor) for the time.
"""
import argparse
import json
import os
import re
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cpu"))

import numpy as np
import torch
import torch.nn.functional as F

import onnx_torch
from common import machine, stats
from common.tools import Tools

# The example's, with 32 texts of 64 characters.
CHAR_TRANSFORMER = os.path.join(os.path.dirname(__file__), "..", "..", "python-free-examples",
                                "char-transformer", "transformer.mlir")
# What the zoo is asked for, the axis of classes; the number of the result that the loss judges,
# if it is not the first.
MODELS = {
    "mlp": (["mlp", "--batch", 32], 1),
    "bert-base": (["bert-base", "--batch", 4, "--sequence", 128], 1, 1),
    "bert-small": (["bert-base", "--small", "--batch", 4, "--sequence", 16], 1, 1),
    "char-transformer": (CHAR_TRANSFORMER, 2),
    "squeezenet-small": (["squeezenet", "--small", "--batch", 8], 1),
    "resnet50-small": (["resnet50", "--small", "--batch", 8], 1),
    "gpt2-small": (["gpt2", "--small", "--batch", 4, "--sequence", 16], 2),
    "resnet50": (["resnet50", "--batch", 8], 1),
    "squeezenet": (["squeezenet", "--batch", 8], 1),
    "vgg19-small": (["vgg19", "--small", "--batch", 4], 1),
}
BATCHES = 8


def train_batch_norm(attributes, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, training=True, momentum=0.1,
                        eps=attributes.get("epsilon", 1e-5))


onnx_torch.OPS["BatchNormalization"] = train_batch_norm


class Peer:
    """The model in PyTorch, with its optimizer."""

    def __init__(self, path, axis, result, rate, compiled):
        self.module, self.axis, self.result = onnx_torch.OnnxModule(path), axis, result
        statistics_names = set()
        for function, _, operands, _ in self.module.steps:
            if function is train_batch_norm:
                statistics_names.update(name for _, name in operands[3:])
        weights = []
        for name, value in list(self.module.named_buffers()):
            if value.is_floating_point() and value.dim() > 0 and name not in statistics_names:
                delattr(self.module, name)
                self.module.register_parameter(name, torch.nn.Parameter(value.clone()))
                weights.append(getattr(self.module, name))
        self.optimizer = torch.optim.AdamW(weights, lr=rate, weight_decay=0.01)
        self.call = torch.compile(self.module, dynamic=False) if compiled else self.module

    def loss(self, inputs, target):
        scores = self.call(*inputs)[self.result]
        if self.is_softmax:
            scores = torch.log(scores)
        return F.cross_entropy(scores.movedim(self.axis, 1), target)

    def step(self, inputs, target):
        self.optimizer.zero_grad()
        loss = self.loss(inputs, target)
        loss.backward()
        self.optimizer.step()
        return loss

    @property
    def is_softmax(self):
        function = self.module.steps[-1][0]
        return getattr(function, "func", function).__name__ == "softmax"


def draw_input(draw, value, batches, classes):
    """Values of an input for all batches."""
    import onnx

    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    shape[0] *= batches
    if value.type.tensor_type.elem_type != onnx.TensorProto.INT64:
        return draw.standard_normal(shape, dtype=np.float32)
    if value.name in ("attention_mask", "token_type_ids"):
        return np.full(shape, value.name == "attention_mask", np.int64)
    return draw.integers(0, classes, shape)


def make_data(tools, name, path):
    """Raw files for tenon-run, and the batches as arrays."""
    import onnx

    graph = onnx.load(path).graph
    axis, result = get_target(name)
    scores = [d.dim_value for d in graph.output[result].type.tensor_type.shape.dim]
    draw = np.random.default_rng(1)
    arrays = [draw_input(draw, value, BATCHES, scores[axis]) for value in graph.input]
    labels = scores[:axis] + scores[axis + 1:]
    targets = draw.integers(0, scores[axis], [labels[0] * BATCHES] + labels[1:])
    files = []
    for number, array in enumerate(arrays + [targets]):
        files.append(tools.path(f"{name}.{number}.raw"))
        array.tofile(files[-1])
    inputs = list(zip(*(np.split(array, BATCHES) for array in arrays)))
    return files, inputs, np.split(targets, BATCHES)


def run_tenon(tools, name, files, threads, steps):
    metrics = tools.path(name + ".jsonl")
    data = [argument for file in files for argument in ("--data", file)]
    with tools.other_work:
        tools.run("tenon-run", tools.path(name + ".so"), "--train", "--threads", threads, *data,
                  "--shuffle", "off", "--steps", steps, "--metrics", metrics, threads=threads)
    with open(metrics) as stream:
        lines = [json.loads(line) for line in stream]
    return [line["loss"] for line in lines], [line["ms"] for line in lines]


def run_peer(peer, inputs, targets, steps):
    losses, times = [], []
    for step in range(steps):
        arguments = [list(inputs[step % BATCHES]), targets[step % BATCHES]]
        if isinstance(peer, Peer):
            arguments = [[torch.from_numpy(array) for array in arguments[0]],
                         torch.from_numpy(arguments[1])]
        begin = time.perf_counter()
        losses.append(peer.step(*arguments).item())
        times.append(1000 * (time.perf_counter() - begin))
    return losses, times


def largest_error(ours, theirs):
    return max(abs(a - b) / max(1, abs(b)) for a, b in zip(ours, theirs))


def write_weights(source, path):
    """Random weights of an .mlir model of f32 parameters, as safetensors."""
    with open(source) as stream:
        text = stream.read()
    aliases = dict(re.findall(r"^!(\w+) = tensor<([0-9x]*)f32>", text, re.MULTILINE))
    draw, header, data = np.random.default_rng(1), {}, b""
    for name, alias, shape in re.findall(
            r"graph.parameter @([\w.]+) : (?:!(\w+)|tensor<([0-9x]*)f32>)", text):
        sizes = [int(size) for size in (shape or aliases[alias]).rstrip("x").split("x")]
        values = draw.standard_normal(sizes, dtype=np.float32) / np.float32(np.sqrt(sizes[0]))
        begin = len(data)
        data += values.tobytes()
        header[name] = {"dtype": "F32", "shape": sizes, "data_offsets": [begin, len(data)]}
    head = json.dumps(header).encode()
    with open(path, "wb") as stream:
        stream.write(len(head).to_bytes(8, "little") + head + data)


def get_target(name):
    """The axis of classes, and the number of the result that the loss judges."""
    return (*MODELS[name][1:], 0)[:2]


def export(tools, name):
    """Writes a model with weights; returns the path."""
    path, weights = tools.path(name + ".onnx"), tools.path(name + ".weights.safetensors")
    if isinstance(MODELS[name][0], str):
        source, options = MODELS[name][0], ["--bind", "n=32", "--params", weights]
        write_weights(source, weights)
    else:
        source, options = tools.path(name + ".mlir"), []
        tools.run("tenon-zoo", *MODELS[name][0], "-o", source, "--params", weights, "--seed", 1)
    tools.run("tenon-compile", source, "--emit=onnx", "--optimize=off", "-o", path, *options)
    return path


def measure(tools, name, options):
    path, (axis, result) = export(tools, name), get_target(name)
    tools.run("tenon-compile", path, "-o", tools.path(name + ".so"), "--force",
              "--train=cross-entropy", "--train-optimizer=adamw", "--train-weight-decay=0.01",
              f"--train-learning-rate={options.rate}", f"--train-class-axis={axis}",
              f"--train-of={result}",
              f"--recompute={options.recompute}")
    files, inputs, targets = make_data(tools, name, path)
    torch.set_num_threads(options.threads)
    ours = run_tenon(tools, name, files, options.threads, options.steps)[0]
    theirs = run_peer(Peer(path, axis, result, options.rate, False), inputs, targets, options.steps)[0]
    row = [name, f"{theirs[0]:.4f}", f"{ours[-1]:.4f}", f"{theirs[-1]:.4f}",
           f"{largest_error(ours[:10], theirs[:10]):.1e}", f"{largest_error(ours, theirs):.1e}"]
    if options.rounds:
        os.sched_setaffinity(0, machine.cores(options.threads))
        peers = {"torch": Peer(path, axis, result, options.rate, True)}
        if options.jax:
            import jax_peer  # takes its threads from the affinity

            peers["jax"] = jax_peer.JaxPeer(path, axis, result, options.rate)
        for side, peer in peers.items():
            if largest_error(run_peer(peer, inputs, targets, 5)[0], theirs) > 1e-2:
                raise SystemExit(f"{name}: the losses of {side} differ from eager PyTorch's")
        times = {side: [] for side in ["tenon", *peers]}
        for order in stats.orders(list(times), options.rounds):
            for side in order:
                measured = (run_tenon(tools, name, files, options.threads, options.timed)
                            if side == "tenon" else
                            run_peer(peers[side], inputs, targets, options.timed))[1]
                times[side].append(statistics.median(measured[min(3, options.timed - 2):]))
        for side in peers:
            row.append(stats.show(stats.interval(stats.ratios(times["tenon"], times[side]))))
        row += [f"{statistics.median(values):.2f}" for values in times.values()]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True, help="the folder of tenon-compile and others")
    parser.add_argument("--work", default="training-work", help="a folder for files")
    parser.add_argument("--models", default="mlp,squeezenet-small,resnet50-small,gpt2-small")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=50, help="of which losses are compared")
    parser.add_argument("--rate", type=float, default=1e-3, help="the learning rate")
    parser.add_argument("--rounds", type=int, default=5, help="of time; 0: none")
    parser.add_argument("--jax", action="store_true", help="time beside JAX, too")
    parser.add_argument("--recompute", default="none", help="as of tenon-compile")
    parser.add_argument("--timed", type=int, default=20, help="steps in a round")
    options = parser.parse_args()
    tools = Tools(options.tools, options.work)
    affinity = os.sched_getaffinity(0)
    print(f"{machine.describe()}; {tools.version()}, PyTorch {torch.__version__}; "
          f"threads {options.threads}, adamw {options.rate}\n")
    columns = ["model", "first loss", f"Tenon's loss {options.steps}", f"PyTorch's",
               "largest error of 10", f"of {options.steps}"]
    if options.rounds:
        peers = ["PyTorch", "JAX"][:1 + options.jax]
        columns += [f"Tenon / {peer} [95 %]" for peer in peers]
        columns += [f"{side} ms" for side in ["Tenon", *peers]]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for name in options.models.split(","):
        os.sched_setaffinity(0, affinity)
        print("| " + " | ".join(measure(tools, name, options)) + " |", flush=True)
    if note := tools.other_work.note():
        print("\n" + note)


if __name__ == "__main__":
    main()

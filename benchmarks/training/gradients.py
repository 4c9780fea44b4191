"""Gradients beside PyTorch's: the same weights and the same batch, parameter by parameter.

Tenon's gradient is the momentum that the first step of sgd saves, compiled and as its interpreter
computes it in f64. The reference is PyTorch's gradient in f64; the error of PyTorch's f32 gradient
stands beside ours. Errors of a parameter are relative to the largest element of its gradient, or
where that is 0, as for the bias of an attention's keys, to a thousandth of the model's largest.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cpu"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # that folder has a compare.py, too

import numpy as np
import torch

import compare
from common import machine
from common.tools import Tools


def read_states(path):
    """The f32 tensors of a safetensors file."""
    with open(path, "rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(size))
        data = stream.read()
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], np.float32)
            .reshape(entry["shape"])
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"}


def gradients(path, axis, result, inputs, target, double):
    peer = compare.Peer(path, axis, result, 0, False)
    arguments = [torch.from_numpy(array) for array in inputs]
    if double:
        peer.module.double()
        arguments = [array.double() if array.is_floating_point() else array for array in arguments]
    peer.loss(arguments, torch.from_numpy(target)).backward()
    names = {buffer: name for name, buffer in peer.module.buffer_of.items()}
    return {names[buffer]: parameter.grad.numpy().astype(np.float64)
            for buffer, parameter in peer.module.named_parameters()}


def interpret(tools, name, path, train, inputs, target):
    """The states after the first step, computed in f64 and rounded to f32."""
    module, states = tools.path(name + ".train.mlir"), tools.path(name + ".f64.safetensors")
    tools.run("tenon-compile", path, "-o", module, "--force", "--stop-after=import", *train)
    given = []
    for number, array in enumerate([*inputs, target]):
        file = tools.path(f"{name}.{number}.npy")
        np.save(file, array)
        given += ["--input", "@" + file]
    tools.run("tenon-interpret", module, "--entry", "train_step", *given, "--save-state", states)
    return read_states(states)


def measure(tools, name, options):
    path, (axis, result) = compare.export(tools, name), compare.get_target(name)
    library, states = tools.path(name + ".so"), tools.path(name + ".states.safetensors")
    train = ["--train=cross-entropy", "--train-optimizer=sgd", "--train-momentum=0.9",
             f"--train-class-axis={axis}", f"--train-of={result}"]
    tools.run("tenon-compile", path, "-o", library, "--force", *train)
    files, inputs, targets = compare.make_data(tools, name, path)
    data = [argument for file in files for argument in ("--data", file)]
    if os.path.exists(states):
        os.remove(states)
    tools.run("tenon-run", library, "--train", "--threads", options.threads, *data, "--shuffle",
              "off", "--steps", 1, "--save-state", states)
    ours = read_states(states)
    found = [ours]
    if not options.compiled_only:
        found.append(interpret(tools, name, path, train, inputs[0], targets[0]))
    torch.set_num_threads(options.threads)
    single = gradients(path, axis, result, inputs[0], targets[0], False)
    exact = gradients(path, axis, result, inputs[0], targets[0], True)
    largest = [("", 0.0)] * 3
    most = max(np.abs(reference).max() for reference in exact.values())
    for parameter, reference in exact.items():
        scale = np.abs(reference).max()
        if scale < 1e-12 * most:
            scale = 1e-3 * most
        state = "optimizer.momentum." + parameter
        values = [found[0][state], single[parameter], *(other[state] for other in found[1:])]
        for side, value in enumerate(values):
            error = np.abs(value - reference).max() / scale
            if not error <= largest[side][1]:
                largest[side] = (parameter, error)
    cells = [f"{error:.1e} ({where})" if where else "–" for where, error in largest]
    return [name, str(len(exact)), *cells]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True, help="the folder of tenon-compile and others")
    parser.add_argument("--work", default="training-work", help="a folder for files")
    parser.add_argument("--models", default=",".join(compare.MODELS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compiled-only", action="store_true", help="do not interpret: it is slow")
    options = parser.parse_args()
    tools = Tools(options.tools, options.work)
    print(f"{machine.describe()}; {tools.version()}, PyTorch {torch.__version__}; "
          f"threads {options.threads}\n")
    print("| model | parameters | Tenon's largest error | PyTorch's in f32 | Tenon's, interpreted in "
          "f64 |\n|---|---|---|---|---|")
    for name in options.models.split(","):
        print("| " + " | ".join(measure(tools, name, options)) + " |", flush=True)


if __name__ == "__main__":
    main()

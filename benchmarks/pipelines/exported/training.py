"""Trains exported models with Tenon and with PyTorch, and compares their losses.

usage: training.py [NAME...] --tools DIR --out DIR [--exporter NAME] [--setting NAME]
                   [--ranks N [--planner NAME] [--micro-batch B]]
       training.py --list

Each model is trained for 30 steps on 8 samples each, with the optimizer settings that CASES
names. PyTorch computes in eager mode, in f32 and on one thread. Without --ranks, Tenon trains on
one device; with it, in a pipeline of N ranks, which run on one thread. A row of the table has the
largest difference of the losses over all steps, and beside it how much PyTorch in f64 differs,
because of rounding; the difference of the mean loss of `evaluate` after all steps, which reads
the statistics of batch norms; and how many numbers are trained. The exit status is 1 if Tenon's
losses differ by more than 1e-4 or if Tenon trains other parameters than the module has. DIR of
--tools has tenon-compile, tenon-plan and tenon-run. It needs the same Python packages as
export.py.
"""

import argparse
import copy
import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Callable

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn
from torch.onnx import TrainingMode

import export
import language
import layers
import vision
from spec import MASKED_AXES, SEQ, Pick, Spec, masked

STEPS, BATCH, BOUND = 30, 8, 1e-4


@dataclass
class Setting:
    optimizer: str  # of Tenon
    clip: float = 0

    def options(self, rate):
        """The options of tenon-compile."""
        given = ["optimizer=" + self.optimizer, f"learning-rate={rate}"]
        given += ["momentum=0.9"] if self.optimizer == "sgd" else ["weight-decay=0.01"]
        given += [f"clip={self.clip}"] if self.clip else []
        return ["--train-" + option for option in given]

    def of_torch(self, parameters, rate):
        if self.optimizer == "sgd":
            return torch.optim.SGD(parameters, lr=rate, momentum=0.9)
        return torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01)


SETTINGS = {
    "momentum": Setting("sgd"),
    "adamw": Setting("adamw"),
    "momentum-clip": Setting("sgd", clip=1),
    "adamw-clip": Setting("adamw", clip=1),
}


@dataclass
class Case:
    make: Callable[[str], Spec]  # for an exporter
    target: Callable[[int], torch.Tensor]  # of so many samples
    rates: dict  # setting -> learning rate
    class_axis: int | None = None  # of cross-entropy; None: the loss is mean-squared
    exporters: tuple = ("dynamo", "legacy")

    def loss(self, result, target):
        if self.class_axis is None:
            return F.mse_loss(result, target)
        return F.cross_entropy(result.movedim(self.class_axis, 1), target)

    def options(self):
        """The options of tenon-compile."""
        if self.class_axis is None:
            return ["--train=mean-squared"]
        return ["--train=cross-entropy", f"--train-class-axis={self.class_axis}"]


def classes(count, *shape):
    """Classes of which the first ones are frequent, so that there is something to learn."""
    return lambda samples: (torch.rand(samples, *shape) ** 3 * count).long()


def only_read(positions):
    """Cuts a table of positions to the sequence: the dynamo exporter leaves the others out."""
    positions.weight = nn.Parameter(positions.weight[:SEQ].detach())


def gpt2_tied(exporter):
    spec = language.gpt2(exporter == "dynamo")
    model = spec.module if spec.dynamo else spec.module.model
    only_read(model.transformer.wpe)
    return spec


def bert(exporter):
    spec = language.bert_mask_legacy()
    only_read(spec.module.model.bert.embeddings.position_embeddings)
    # The dynamo exporter passes inputs by name, so that it needs no Pick.
    return replace(spec, module=spec.module.model, dynamo=True) if exporter == "dynamo" else spec


def llama_tied(exporter):
    spec = language.llama()
    spec.module.lm_head.weight = spec.module.model.embed_tokens.weight
    if exporter == "dynamo":
        return spec
    # The legacy exporter needs a mask (see language.gpt2).
    module = Pick(spec.module, ["input_ids", "attention_mask"], "logits")
    return Spec(module, masked(96), False, MASKED_AXES)


# The options with which each exporter does not merge batch norms into convolutions. The last one
# exports a module in evaluation mode; the others do so in training mode (see vision.resnet18).
KEEP_NORMS = {
    "dynamo": dict(optimize=False),
    "legacy": dict(training=TrainingMode.TRAINING, do_constant_folding=False),
    "legacy-eval": dict(training=TrainingMode.PRESERVE),
}


def resnet18(exporter):
    """The norms are changed so that 30 steps do not amplify rounding errors.

    With those of vision.resnet18, PyTorch in f32 and in f64 differ by 0.1: many values before a
    ReLU are near 0, where its gradient jumps, and each block adds as much as it is given.
    """
    spec = vision.resnet18(exporter != "legacy-eval", exporter == "dynamo", **KEEP_NORMS[exporter])
    for name, m in spec.module.named_modules():
        if isinstance(m, nn.BatchNorm2d):
            nn.init.constant_(m.weight, 0.2 if name.endswith(".bn2") else 1)
            nn.init.ones_(m.bias)
    return spec


def unet_batch_norm(exporter):
    spec = vision.unet()
    for block in spec.module.modules():
        if isinstance(block, nn.Sequential):
            for i, layer in enumerate(block):
                if isinstance(layer, nn.GroupNorm):
                    block[i] = nn.BatchNorm2d(layer.num_channels)
                    # Its gradient would be only rounding errors, which Adam makes large.
                    block[i - 1].register_parameter("bias", None)
    return replace(
        spec,
        dynamo=exporter == "dynamo",
        training=exporter != "legacy-eval",
        options=KEEP_NORMS[exporter],
    )


CASES = {
    "gpt2-tied": Case(
        gpt2_tied, classes(96, SEQ), {"adamw": 2e-3, "momentum-clip": 0.05}, class_axis=2
    ),
    "bert-mask": Case(bert, classes(3), {"adamw-clip": 1e-3, "momentum": 0.02}, class_axis=1),
    "resnet18": Case(
        resnet18,
        classes(10),
        {"momentum": 5e-4, "adamw": 2e-4},
        class_axis=1,
        exporters=tuple(KEEP_NORMS),
    ),
    "unet-batch-norm": Case(
        unet_batch_norm,
        classes(2, 32, 32),
        {"momentum": 0.02, "adamw": 1e-3},
        class_axis=1,
        exporters=tuple(KEEP_NORMS),
    ),
    "vit": Case(
        lambda exporter: vision.vit(exporter == "dynamo"),
        classes(10),
        {"adamw": 1e-3, "momentum-clip": 0.02},
        class_axis=1,
    ),
    "gru": Case(
        lambda exporter: replace(layers.gru(), dynamo=exporter == "dynamo"),
        classes(5),
        {"momentum": 0.05, "adamw-clip": 2e-3},
        class_axis=1,
    ),
    "recommender-dlrm": Case(
        lambda exporter: replace(layers.dlrm(False), dynamo=exporter == "dynamo"),
        lambda samples: torch.randn(samples) + 1,
        {"adamw": 2e-3, "momentum": 2e-4, "momentum-clip": 2e-3},
    ),
    "llama-tied": Case(
        llama_tied, classes(96, SEQ), {"adamw-clip": 2e-3, "momentum": 0.01}, class_axis=2
    ),
}


def add_noise(module):
    """Makes all parameters and statistics differ: exporters write equal ones only once."""
    torch.manual_seed(22)
    with torch.no_grad():
        for p in module.parameters():
            p.add_(1e-6 * torch.randn_like(p))
        for name, b in module.named_buffers():
            if "running_" in name:
                b.add_(1e-6 * torch.randn_like(b))


def stored_statistics(model):
    stored = [i for i in onnx.load(model).graph.initializer if ".running_" in i.name]
    return {i.name: torch.tensor(numpy_helper.to_array(i)) for i in stored}


def result(spec, inputs):
    # As export.py calls them: the dynamo exporter with names, which transformers' modules need.
    given = spec.module(**inputs) if spec.dynamo else spec.module(*inputs.values())
    return given if isinstance(given, torch.Tensor) else given[spec.outputs[0]]


def batches(data):
    return [{n: t[i : i + BATCH] for n, t in data.items()} for i in range(0, STEPS * BATCH, BATCH)]


def train_torch(spec, case, setting, rate, data, dtype=torch.float32):
    """The loss of each step, the mean loss after them, and in how many steps gradients were cut."""
    spec = replace(spec, module=copy.deepcopy(spec.module).to(dtype).train())
    torch.set_default_dtype(dtype)
    data = {n: t.to(dtype) if t.is_floating_point() else t for n, t in data.items()}
    optimizer = setting.of_torch(spec.module.parameters(), rate)
    losses, clipped = [], 0
    inputs = {n: t for n, t in data.items() if n != "target"}
    both = list(zip(batches(inputs), data["target"].split(BATCH)))
    for batch, target in both:
        optimizer.zero_grad()
        loss = case.loss(result(spec, batch), target)
        loss.backward()
        if setting.clip:
            norm = nn.utils.clip_grad_norm_(spec.module.parameters(), setting.clip)
            clipped += int(norm > setting.clip)
        optimizer.step()
        losses.append(loss.item())
    spec.module.eval()
    with torch.no_grad():
        after = [case.loss(result(spec, batch), target) for batch, target in both]
    torch.set_default_dtype(torch.float32)
    return np.array(losses), torch.stack(after).mean().item(), clipped


class ToolError(Exception):
    pass


class Tools:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, tool, *arguments):
        command = [os.path.join(self.folder, tool), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
        )
        if done.returncode:
            lines = [l for l in done.stderr.splitlines() if "error:" in l] or [done.stderr.strip()]
            raise ToolError(f"{tool}: {lines[0]}")
        return done.stdout


def not_trained_alike(model, listed, module):
    """How many numbers are trained, and the names of those that only one side trains.

    Exporters rename, transpose and concatenate parameters, so that their values are compared,
    which the noise makes different.
    """
    rows = [line.split() for line in listed.splitlines() if line.startswith("trained ")]
    trained = {row[1]: row[2] for row in rows}
    count = sum(int(np.prod([int(n) for n in t.split("x")[:-1]])) for t in trained.values())
    stored = {i.name: numpy_helper.to_array(i) for i in onnx.load(model).graph.initializer}
    ours = {n: p.detach().numpy() for n, p in module.named_parameters()}
    theirs = {n: stored[n] for n in trained if n in stored}
    every = lambda values: np.concatenate([v.ravel() for v in values.values()])
    other = [n for n, p in ours.items() if not np.isin(p, every(theirs)).all()]
    other += [n for n in trained if n not in stored or not np.isin(stored[n], every(ours)).all()]
    return count, other


def train_tenon(tools, case, setting, rate, data, model, out, args, norms):
    """The loss of each step, the mean loss after them, and the list of trained weights."""
    path = lambda name: os.path.join(out, name)
    options = case.options() + setting.options(rate)
    listed = tools("tenon-compile", model, *options, "--train-list")
    source, running = model, ["--threads", "1"]
    if args.ranks:
        # Batch norms of a whole mini-batch have its statistics if one device computes each.
        batch = BATCH if norms else args.micro_batch
        planning = ["--batch-norm=per-micro-batch"] if norms else []
        planning += ["--optimizer=" + ("adam" if setting.optimizer == "adamw" else "momentum")]
        planning += ["--devices", str(args.ranks), "--planner", args.planner, "--force"]
        planning += ["--mini-batch", str(BATCH), "--micro-batch", str(batch)]
        source = path("plan.mlir")
        tools("tenon-plan", model, *planning, "-o", source, "--json", path("plan.json"))
        with open(path("plan.json")) as f:
            stages = json.load(f)["stages"]
        if norms and any(len(stage["devices"]) > 1 for stage in stages):
            raise ToolError("tenon-plan: devices share a stage, which changes batch norms")
        running += ["--ranks", "1"]
    library, metrics = path("model.so"), path("metrics.jsonl")
    tools("tenon-compile", source, *options, "-o", library, "--threads", "1")
    if os.path.exists(metrics):
        os.remove(metrics)
    for n in data:
        running += [f"--{use}={n}={path(n + '.npy')}" for use in ("data", "eval-data")]
    running += ["--steps", str(STEPS), "--batch", str(BATCH), "--shuffle", "off"]
    tools("tenon-run", library, "--train", *running, "--metrics", metrics)
    with open(metrics) as f:
        lines = [json.loads(line) for line in f]
    losses = [line["loss"] for line in lines if "loss" in line]
    (after,) = [line["eval_loss"] for line in lines if "eval_loss" in line]
    return np.array(losses), after, listed


def compare(name, exporter, settings, args):
    """Prints a row for each setting, and returns how many fail."""
    case, tools = CASES[name], Tools(args.tools)
    out = os.path.join(args.out, f"{name}-{exporter}")
    os.makedirs(out, exist_ok=True)
    torch.manual_seed(20)
    spec = case.make(exporter)
    add_noise(spec.module)
    # Tracing runs the module, which changes the statistics of batch norms: only the legacy exporter
    # writes the changed ones.
    state = copy.deepcopy(spec.module.state_dict())
    export.MODELS[name] = lambda: spec
    model = export.export(name, out)
    spec.module.load_state_dict(state)
    spec.module.load_state_dict(stored_statistics(model), strict=False)
    torch.manual_seed(23)
    data = [spec.inputs(BATCH, SEQ) for _ in range(STEPS)]
    data = {n: torch.cat([d[n] for d in data]) for n in data[0]}
    data["target"] = case.target(STEPS * BATCH)
    for n, t in data.items():
        np.save(os.path.join(out, n + ".npy"), t.numpy())
    norms = any(isinstance(m, nn.BatchNorm2d) for m in spec.module.modules())
    failed = 0
    for s in settings:
        row = f"| {name} | {exporter} | {s} |"
        setting, rate = SETTINGS[s], case.rates[s]
        expected, expected_after, clipped = train_torch(spec, case, setting, rate, data)
        exact = train_torch(spec, case, setting, rate, data, torch.float64)[0]
        try:
            losses, after, listed = train_tenon(
                tools, case, setting, rate, data, model, out, args, norms
            )
        except ToolError as e:
            print(row, f"FAILED {e} |", flush=True)
            failed += 1
            continue
        differences = np.abs(losses - expected)
        count, other = not_trained_alike(model, listed, spec.module)
        whole = sum(p.numel() for p in spec.module.parameters())
        bad = not (max(*differences, abs(after - expected_after)) <= BOUND)
        bad = bad or len(losses) != STEPS or count != whole or bool(other)
        failed += bad
        print(
            row,
            f"{expected[0]:.3f} to {expected[-1]:.3f} | {clipped if setting.clip else '-'} |",
            f"{np.abs(exact - expected).max():.1e} |",
            f"{differences.max():.1e} (step {differences.argmax() + 1}) |",
            f"{abs(after - expected_after):.1e} | {count} of {whole}",
            *(["not alike: " + ", ".join(other)] if other else []),
            f"| {'FAILED' if bad else 'ok'} |",
            flush=True,
        )
    return failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--tools", metavar="DIR", default="build/bin")
    parser.add_argument("--out", metavar="DIR", default=".")
    parser.add_argument("--exporter", choices=list(KEEP_NORMS), help="only this one")
    parser.add_argument("--setting", choices=list(SETTINGS), help="only this one")
    parser.add_argument("--ranks", type=int, metavar="N", help="train in a pipeline")
    parser.add_argument("--planner", default="sequential", metavar="NAME")
    parser.add_argument(
        "--micro-batch", type=int, default=2, metavar="B", help="without batch norms"
    )
    parser.add_argument("--list", action="store_true", help="print the names")
    args = parser.parse_args()
    if args.list:
        print("\n".join(CASES))
        return 0
    unknown = [n for n in args.names if n not in CASES]
    if unknown:
        parser.error("unknown: " + ", ".join(unknown))
    torch.set_num_threads(1)
    print(
        "| model | exporter | setting | PyTorch's loss | clipped | PyTorch's in f64 differs |",
        "Tenon's differs | evaluate | trained | |\n" + 10 * "|---" + "|",
        flush=True,
    )
    failed = 0
    for name in args.names or CASES:
        for exporter in CASES[name].exporters:
            settings = [s for s in CASES[name].rates if args.setting in (None, s)]
            if settings and args.exporter in (None, exporter):
                try:
                    failed += compare(name, exporter, settings, args)
                except Exception as e:
                    text = str(e).strip().splitlines() or [""]
                    print(f"| {name} | {exporter} | FAILED {type(e).__name__}: {text[0][:300]} |")
                    failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

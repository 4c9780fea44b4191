"""What a model would gain if splits and concatenations took no time.

usage: bound.py --tools BIN [--models a,b] [--onnx DIR] [--runs N] [--threads N]

Models are those of the zoo, or .onnx files; each is compiled without options and run
under a trace. A kernel counts as movement if it only joins, cuts or moves tensors, with
the activations and additions that it does on the way. The bound is the time of all
kernels over that of the others, each kernel with the median of its runs.
"""
import argparse
import collections
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from common import machine, models  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402
from moves import moves_only  # noqa: E402


def arguments_of(tools, name, path):
    """Inputs and weights of a run: those of a file with weights are drawn here."""
    if not path.endswith(".onnx"):
        return ["--params", "random:1"]
    import numpy as np

    arguments = []
    for number, (key, value) in enumerate(models.inputs_of(path).items()):
        file = tools.path(f"{name}-in{number}.npy")
        np.save(file, value)
        arguments += ["--input", f"{key}=@{file}"]
    return arguments


def bound(tools, model, options):
    name = models.name_of(model)
    if model.endswith("model.onnx"):
        name = os.path.basename(os.path.dirname(model))
    path = models.source(tools, model, options.onnx)
    library, trace = tools.path(name + ".so"), tools.path("trace.json")
    tools.run("tenon-compile", path, "-o", library)
    tools.run("tenon-run", library, "--threads", options.threads, "--repeat", options.runs,
              "--trace", trace, *arguments_of(tools, name, path), threads=options.threads)
    with open(trace) as stream:
        events = json.load(stream)["traceEvents"]
    steps = collections.defaultdict(list)
    for event in events:
        if event.get("cat") not in ("copy", "check"):
            steps[event["args"]["step"], event["name"], event["cat"]].append(event["dur"])
    total = moved = 0
    for (_, text, backend), times in steps.items():
        seconds = statistics.median(times)
        total += seconds
        pattern = text[text.rfind("(") + 1:].rstrip(")")
        if backend == "kernel" and moves_only(pattern):
            moved += seconds
    return (f"| {name} | {options.threads} | {total / 1e3:.3f} | {moved / 1e3:.3f} | "
            f"{total / (total - moved):.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--work", default="/tmp/tenon-bound")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    models.add_options(parser)
    options = parser.parse_args()
    tools = Tools(options.tools, options.work)
    print(f"{tools.version()}; {machine.describe()}\n\n"
          "| model | threads | kernels ms | of these, movement ms | bound |\n|---|---|---|---|---|")
    for model in options.models.split(","):
        print(bound(tools, model, options), flush=True)


try:
    main()
except ToolError as error:
    raise SystemExit(str(error))

"""Which kernels of generated code take more than 5 % of a model, and how near they are to what
the machine allows.

usage: roofline.py --tools DIR --corpus DIR [--set tuned|unseen] [--share 0.05] [NAME...]

Each model is placed with the defaults of tenon-compile, and that plan is costed by a profile that
has peaks alone, assumed for the machine (below): a core's 16 f32 multiply-adds a cycle, and the
bandwidths of its memory and caches. The placed model is then run on one core with a trace.
Kernels of generated code of one pattern and one size of result are one row, if they take that
share of the run together: their number, their time, and the part of it that the peaks would take.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import tempfile

import models

# One core of an EPYC of Zen 4 at 3.7 GHz.
PEAKS = {"schema_version": 1, "name": "peaks", "source": "roofline.py", "device": "cpu",
         "matrix_flops_32": 118e9, "matrix_flops_16": 118e9,
         "vector_flops": 118e9, "own_matrix_flops": 118e9, "half_peak_flops": 0,
         "memory_bandwidth": 20e9, "cache_bandwidth": 45e9, "cache_bytes": 32 << 20,
         "weight_bandwidth": 45e9, "weight_seconds": 0, "launch_seconds": 0,
         "library_seconds": 0}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def place(tools, source, folder):
    """The plan's kernels by the peaks, in the order of their steps, and the library."""
    compiler = os.path.join(tools, "tenon-compile")
    placed, library, profile, report = (os.path.join(folder, name) for name in (
        "placed.mlir", "model.so", "peaks.json", "report.json"))
    with open(profile, "w", encoding="utf-8") as stream:
        json.dump(PEAKS, stream)
    run(compiler, source, "--stop-after=place", "-o", placed)
    run(compiler, placed, f"--profile={profile}", f"--report={report}", "-o", library)
    with open(report, encoding="utf-8") as stream:
        return json.load(stream)["after"]["kernels"], library


def trace(tools, library, folder, core, repeat=6):
    """The steps of a run, with their median times in microseconds."""
    path = os.path.join(folder, "trace.json")
    run("taskset", "-c", str(core), os.path.join(tools, "tenon-run"), library, "--threads", "1",
        "--params", "random:1", "--input", "random:2", "--repeat", str(repeat), "--trace", path)
    with open(path, encoding="utf-8") as stream:
        events = json.load(stream)
    events = events["traceEvents"] if isinstance(events, dict) else events
    times, names = collections.defaultdict(list), {}
    for event in events:
        if event.get("ph") == "X" and "step" in event.get("args", {}):
            step = event["args"]["step"]
            times[step].append(event["dur"])
            names[step] = event["name"]
    return [(step, names[step], statistics.median(times[step])) for step in sorted(times)]


def join(kernels, steps):
    """Kernels with their times: both are in order, and a step's name ends with the pattern."""
    joined, rest = [], list(kernels)
    for step, name, time in steps:
        for number, kernel in enumerate(rest):
            pattern = kernel["name"].split(" ", 1)[1]
            if name == pattern or name.endswith(f"({pattern})"):
                joined.append((step, kernel, time))
                del rest[:number + 1]
                break
    return joined


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--set", default="tuned", choices=("tuned", "unseen"))
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--core", type=int, default=0, help="that runs the models")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print("| model | kernels | pattern | us | share of the run | by the peaks |")
    print("|---|---|---|---|---|---|")
    for name in options.names or models.names(options.set):
        with tempfile.TemporaryDirectory() as folder:
            kernels, library = place(options.tools, os.path.join(options.corpus, name + ".onnx"),
                                     folder)
            steps = trace(options.tools, library, folder, options.core)
        whole = sum(time for _, _, time in steps)
        groups = collections.defaultdict(list)
        for _, kernel, time in join(kernels, steps):
            groups[kernel["name"], kernel["detail"]].append((kernel, time))
        for (pattern, _), members in sorted(groups.items(), key=lambda g: -sum(
                time for _, time in g[1])):
            time = sum(time for _, time in members)
            if time < options.share * whole or not pattern.startswith("cpu "):
                continue
            least = sum(kernel["seconds"] for kernel, _ in members) * 1e6
            print(f"| {name} | {len(members)} | {pattern[4:]} | {time:.0f} | {time / whole:.3f} | "
                  f"{least / time:.2f} |", flush=True)


main()

#!/usr/bin/env python3
"""How compile time grows with the model: chains, graphs of other shapes, unrolled
recurrent layers, and bert-base with more and more layers.

Processor time of the user, which other work on the machine disturbs least, of the
fastest of some runs; and the ratio to half the size."""
import argparse
import datetime
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import machine  # noqa: E402
from compile_time import models  # noqa: E402


def measure(command, runs):
    """Seconds of the user and on the clock, and the phases, of the fastest run."""
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        start = datetime.datetime.now()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wall = (datetime.datetime.now() - start).total_seconds()
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}:\n{done.stderr}")
        user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        phases = {}
        for line in done.stderr.splitlines():
            words = line.split()
            if len(words) == 5 and words[1] == "s":
                phases[words[4]] = float(words[0])
        if best is None or user < best[0]:
            best = user, wall, phases
    return best


def rows(options, folder):
    """Family, size, and the model's file."""
    for name in options.graphs:
        for size in options.sizes:
            path = os.path.join(folder, f"{name}.mlir")
            with open(path, "w") as stream:
                stream.write(models.GRAPHS[name](size))
            yield f"{name}, ops", size, path
    for op in ("LSTM", "GRU"):
        for layers, bidirectional in ((1, False), (2, True)):
            for steps in options.steps:
                path = os.path.join(folder, "recurrent.onnx")
                models.recurrent(op, steps, layers, bidirectional, 4, path)
                kind = ", 2 layers, bidirectional" if bidirectional else ""
                yield f"{op}{kind}, steps", steps, path
    for layers in options.layers:
        path = os.path.join(folder, "bert.mlir")
        subprocess.run([os.path.join(options.tools, "tenon-zoo"), "bert-base", "--batch=1",
                        "--sequence=128", f"--layers={layers}", "-o", path], check=True)
        yield "bert-base, layers", layers, path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", default="build/bin", help="the folder of tenon-compile")
    parser.add_argument("--out", help="a file for the table (default: standard output)")
    parser.add_argument("--graphs", nargs="*", default=list(models.GRAPHS),
                        choices=list(models.GRAPHS))
    parser.add_argument("--sizes", nargs="*", type=int, default=[1000, 2000, 4000, 8000])
    parser.add_argument("--steps", nargs="*", type=int, default=[50, 100, 200])
    parser.add_argument("--layers", nargs="*", type=int, default=[12, 24, 48])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--compile", action="append", default=[],
                        help="an option of tenon-compile (repeatable)")
    options = parser.parse_args()

    lines = ["| model | size | user s | ratio | wall s | optimize | place | lower | codegen |",
             "|---|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.join(options.tools, "tenon-compile"), "--time-report", "-o",
                   os.path.join(folder, "model.so"), *options.compile]
        last = None
        for family, size, path in rows(options, folder):
            user, wall, phases = measure([*command, path], options.runs)
            ratio = ""
            if last and last[0] == family and last[1] * 2 == size:
                ratio = f"{user / last[2]:.2f}"
            last = family, size, user
            parts = " | ".join(f"{phases.get(name, 0):.2f}"
                               for name in ("optimize", "place", "lower", "codegen"))
            lines.append(f"| {family} | {size} | {user:.2f} | {ratio} | {wall:.2f} | {parts} |")
            print(lines[-1], file=sys.stderr)
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True)
    text = "\n".join([f"{machine.describe()}; {version.stdout.splitlines()[0]}; options: "
                      f"{' '.join(options.compile) or 'none'}.", "", *lines, ""])
    if options.out:
        with open(options.out, "w") as stream:
            stream.write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()

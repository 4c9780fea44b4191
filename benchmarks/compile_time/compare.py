#!/usr/bin/env python3
"""Compile time of models beside another build's, or beside other options.

Processor time of a whole compile (user and system, all threads), which other work on the
machine disturbs least, in ABBA order; one column per side but the first, with the ratio
to it: the median of the pairs and its 95 % interval."""
import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import machine, stats  # noqa: E402


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_once(side, model, folder):
    """Processor seconds."""
    before = spent()
    done = subprocess.run([*shlex.split(side), model, "--force", "-o",
                           os.path.join(folder, "model.so")], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{side} {model}:\n{done.stderr}")
    return spent() - before


def name_of(path):
    name = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if name == "model" else name


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", action="append", required=True, metavar="COMMAND",
                        help="tenon-compile with options; the first is what others are "
                             "compared with (repeatable)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--out", help="a file for the table (default: standard output)")
    parser.add_argument("models", nargs="+", help=".onnx or .mlir files")
    options = parser.parse_args()
    first, others = options.side[0], options.side[1:]
    lines = ["| model | s | " + " | ".join("s | ratio" for _ in others) + " |",
             "|---" * (2 + 2 * len(others)) + "|"]
    rows = {side: [] for side in others}
    work = machine.OtherWork()
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            seconds = {side: [] for side in options.side}
            with work:
                for side in options.side:  # files are read, and not timed
                    compile_once(side, model, folder)
                for order in stats.orders(options.side, options.rounds):
                    for side in order:
                        seconds[side].append(compile_once(side, model, folder))
            cells = [f"{statistics.median(seconds[first]):.2f}"]
            for side in others:
                pairs = stats.ratios(seconds[side], seconds[first])
                rows[side].append(pairs)
                cells += [f"{statistics.median(seconds[side]):.2f}",
                          stats.show(stats.interval(pairs), 3)]
            lines.append(f"| {name_of(model)} | " + " | ".join(cells) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
    text = [f"{machine.describe()}; {options.rounds} rounds. {work.note()}".rstrip(), ""]
    text += [f"- {'first' if side == first else 'other'}: `{side}`" for side in options.side]
    text += ["", *lines, ""]
    for side in others:
        medians = [statistics.median(pairs) for pairs in rows[side]]
        text += [f"`{side}`: median of the models {statistics.median(medians):.3f}, geometric mean "
                 f"{stats.show(stats.geomean_interval(rows[side]), 3)}", ""]
    if options.out:
        with open(options.out, "w") as stream:
            stream.write("\n".join(text))
    else:
        print("\n".join(text))


if __name__ == "__main__":
    main()

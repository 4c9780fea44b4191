"""What rules of PET's kinds gain or lose where they are applied to all that they match.

usage: partial.py --tools BIN --rules DIR --out RESULTS.md [--work DIR] [--pairs N]
                  [--repeat N] [--threads 1,2]

csrnet's dilated convolutions are split into phases, resnet18's batches are folded
into rows and columns, and the parts at the seams corrected. Both sides are placed
and compiled alike. The ratio is of medians of processes in ABBA order, with the 95 %
interval of a bootstrap over pairs; "chosen" says whether the optimizer chooses the
rule by itself, without measured costs.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from common import machine, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402

# Model, batch, file of rules, rules.
CASES = [
    ("csrnet", 1, "convolution-layout", ["split_row_phases", "split_column_phases"]),
    ("resnet18", 4, "optional/corrected", ["fold_batch_into_image_rows"]),
    ("resnet18", 4, "optional/corrected", ["fold_batch_into_image_rows_along_axis_0"]),
    ("resnet18", 16, "optional/corrected", ["fold_batch_into_image_rows_along_axis_0"]),
    ("resnet18", 16, "optional/corrected", ["fold_batch_into_image_columns_along_axis_0"]),
]


def measure(bench, options, model, batch, file, rules):
    source = bench.path(f"{model}-{batch}.mlir")
    bench.run("tenon-zoo", model, "--batch", batch, "-o", source)
    rewritten = bench.path(f"{model}-{batch}-rewritten.mlir")
    bench.run("tenon-opt", source, "-o", rewritten,
              f"--graph-apply-rules=rules={options.rules}/{file}.mlir names={','.join(rules)}")
    report, _ = bench.compile(source, bench.path("chosen.mlir"), "--stop-after=optimize")
    chosen = sum(rule["count"] for rule in report["rules"] if rule["name"] in rules)
    libraries = []
    for side in (source, rewritten):
        libraries.append(side.replace(".mlir", ".so"))
        bench.run("tenon-compile", side, "-o", libraries[-1], "--optimize=off")
    rows = []
    for threads in map(int, options.threads.split(",")):
        times = {library: [] for library in libraries}
        for order in stats.orders(libraries, options.pairs):
            for library in order:
                run = bench.measure(library, threads, options.repeat, "--params", "random:1")
                times[library].append(run["latency_ms"]["median"])
        before, after = (sorted(times[library])[options.pairs // 2] for library in libraries)
        ratio = stats.interval(stats.ratios(times[libraries[0]], times[libraries[1]]))
        rows.append(f"| {model} | {batch} | {', '.join(rules)} | {threads} | {before:.2f} | "
                    f"{after:.2f} | {stats.show(ratio)} | {'yes' if chosen else 'no'} |")
        print(rows[-1], flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/tenon-partial")
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    options = parser.parse_args()
    bench = Tools(options.tools, options.work)
    lines = [f"{bench.version()}; {machine.describe()}", "",
             "| model | batch | rules | threads | before ms | after ms | before / after | chosen |",
             "|---|---|---|---|---|---|---|---|"]
    for case in CASES:
        lines += measure(bench, options, *case)
    with open(options.out, "w") as stream:
        stream.write("\n".join(lines) + "\n")


try:
    main()
except ToolError as error:
    raise SystemExit(str(error))

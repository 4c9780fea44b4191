"""What the optimizer gains, modelled and measured, and how long it searches.

usage: run.py --tools BIN --out RESULTS.md [--work DIR] [--pairs N] [--repeat N]
              [--threads 1,2] [--models a,b] [--modelled] [--measured]

Modelled: placed for a GPU, with the costs of a T4 (t4.json, from its data sheet). The
gain is t0 / t1 - 1, as TASO and TENSAT state it, of the sums over placed kernels: what
is fused without rules is no part of it. The search time is that of the whole stage:
loading and preparing all rules, search, extraction, placing, writing the report.

Measured: kernels are measured where they stand (tenon-profile, one traced run
after the other), for the input and for what the optimizer chooses, until its
choice has been measured. Predicted is the sum over measured kernels. The bound is
what the best candidate would gain if kernels that only join, cut or move tensors,
with the activations and additions that they do on the way, took no time. The ratio
is of medians of processes in ABBA order, with the 95 % interval of a bootstrap over
pairs; both sides are placed and compiled alike.
"""
import argparse
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from common import machine, models, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402
from moves import moves_only  # noqa: E402

T4 = os.path.join(os.path.dirname(os.path.abspath(__file__)), "t4.json")
# Seconds and per cent: TENSAT, MLSys'21, with TASO beside it, on a T4.
PUBLISHED = {
    "bert-base": (13.6, 1.4, 8.5, 9.2),
    "resnext50": (25.3, 0.7, 5.5, 8.8),
    "nasnet-a": (1226, 10.6, 1.9, 7.3),
    "nasrnn": (177.3, 0.5, 45.4, 68.9),
    "inception-v3": (68.6, 5.1, 6.3, 10.0),
    "squeezenet": (16.4, 0.3, 6.7, 24.5),
    "vgg19": (8.9, 0.4, 8.9, 8.9),
}


class Bench(Tools):
    def __init__(self, options):
        super().__init__(options.tools, options.work)
        self.options = options

    def model(self, name):
        return models.source(self, name)

    def optimize(self, model, out, *more):
        """The report, and the seconds of the stage."""
        report, seconds = self.compile(model, out, "--optimize=egraph", "--stop-after=optimize",
                                       *more)
        return report, seconds["optimize"]


def facts_of(report):
    return {fact["name"]: fact["value"] for fact in report["facts"]}


def modelled(bench, name):
    model = bench.model(name)
    out = bench.path(name + ".t4.mlir")
    times = []
    for _ in range(5):
        report, seconds = bench.optimize(model, out, "--target=cuda:sm_80",
                                         f"--profile={T4}")
        times.append(seconds)
    facts = facts_of(report)
    before, after = report["before"]["seconds"], report["after"]["seconds"]
    rules = ", ".join(f"{rule['name']} {rule['count']}" for rule in report["rules"])
    taso_s, tensat_s, taso, tensat = PUBLISHED[name]
    return (f"| {name} | {statistics.median(times):.2f} | {tensat_s} | {taso_s} | "
            f"{100 * (before / after - 1):.1f} | {tensat} | {taso} | "
            f"{facts['e-nodes']} | {facts['stopped']} | {rules or 'none'} |")


def is_movement(kernel):
    backend, _, pattern = kernel["name"].partition(" ")
    return backend == "cpu" and moves_only(pattern)


def without_moves(report):
    return sum(k["seconds"] for k in report["after"]["kernels"] if not is_movement(k))


def latency(bench, library, threads):
    run = bench.measure(library, threads, bench.options.repeat, "--params", "random:1")
    return run["latency_ms"]["median"]


def measured(bench, name, threads):
    model = bench.model(name)
    costs = bench.path(f"{name}-{threads}.costs.json")
    if os.path.exists(costs):
        os.remove(costs)
    profile = ("--target=cpu:x86-64-v3", f"--threads={threads}", "-o", costs, "--repeat", 30,
               "--optimize=off")
    bench.run("tenon-profile", model, *profile)
    chosen = bench.path(name + ".cpu.mlir")
    # The best candidate is measured even if the cost model predicts no gain.
    for _ in range(6):
        report, _ = bench.optimize(model, chosen, f"--costs={costs}", "--least-gain=-100")
        if all(kernel["measured"] for kernel in report["after"]["kernels"]):
            break
        bench.run("tenon-profile", chosen, *profile, "--resume")
    least = without_moves(report)
    report, seconds = bench.optimize(model, chosen, f"--costs={costs}")
    before, after = report["before"]["seconds"], report["after"]["seconds"]
    libraries = []
    for side, source in (("off", model), ("on", chosen)):
        library = bench.path(f"{name}.{side}.so")
        bench.run("tenon-compile", source, "-o", library, "--optimize=off")
        libraries.append(library)
    ratios = []
    for order in stats.orders(libraries, bench.options.pairs):
        times = {library: latency(bench, library, threads) for library in order}
        ratios.append(times[libraries[0]] / times[libraries[1]])
    ratio, low, high = stats.interval(ratios)
    rules = ", ".join(f"{rule['name']} {rule['count']}" for rule in report["rules"])
    why = "; ".join(note for note in report["notes"] if note.startswith("kept"))
    return (f"| {name} | {threads} | {before * 1e3:.2f} | {after * 1e3:.2f} | "
            f"{100 * (before / after - 1):.1f} | {100 * (before / least - 1):.1f} | "
            f"{100 * (ratio - 1):.1f} | {stats.show((ratio, low, high), 3)} | {seconds:.2f} | {rules or why or 'none'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/tenon-optimizer")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--models", default=",".join(PUBLISHED))
    parser.add_argument("--modelled", action="store_true")
    parser.add_argument("--measured", action="store_true")
    options = parser.parse_args()
    bench = Bench(options)
    names = options.models.split(",")
    lines = [f"{bench.version()}; {machine.describe()}", ""]
    if options.modelled:
        lines += ["## Modelled: a T4", "",
                  "| model | search s | TENSAT s | TASO s | gain % | TENSAT % | TASO % | "
                  "e-nodes | stopped | rules fired |",
                  "|---|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            lines.append(modelled(bench, name))
            print(lines[-1], flush=True)
    if options.measured:
        lines += ["", "## Measured on the CPU, kernel by kernel and end to end", "",
                  "| model | threads | before ms | after ms | predicted % | bound % | measured % | "
                  "off / on | search s | rules fired, or why not |",
                  "|---|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            for threads in map(int, options.threads.split(",")):
                lines.append(measured(bench, name, threads))
                print(lines[-1], flush=True)
    with open(options.out, "w") as stream:
        stream.write("\n".join(lines) + "\n")


try:
    main()
except ToolError as error:
    raise SystemExit(str(error))

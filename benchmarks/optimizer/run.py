"""What the optimizer gains, modelled and measured, and how long it searches.

usage: run.py --tools BIN --out RESULTS.md [--work DIR] [--pairs N] [--repeat N]
              [--threads 1,2] [--models a,b] [--modelled] [--measured]

Modelled: under the profile "t4" with TASO's cost semantics (the sum of isolated
ops; a bias and an activation join the matmul or convolution before them). The
gain is t0 / t1 - 1, as TASO and TENSAT state it; t0 is the sum of all ops of the
input, each by itself. Beside it stands the gain over the input with its epilogues
fused, which no rule is needed for. The search time is that of the whole stage:
loading and preparing all rules, search, extraction, writing the report.

Measured: kernels are measured where they stand (tenon-profile, one traced run
after the other), for the input and for what the optimizer chooses, until its
choice has been measured. Predicted is the sum over measured kernels. The ratio is
of medians of processes in ABBA order, with the 95 % interval of a bootstrap over
pairs; both sides are placed and compiled alike.
"""
import argparse
import json
import os
import platform
import random
import statistics
import subprocess

MODELS = {
    "bert-base": ["--batch", "1", "--sequence", "128"],
    "resnext50": ["--batch", "1"],
    "nasnet-a": ["--batch", "1"],
    "nasrnn": ["--batch", "1"],
    "inception-v3": ["--batch", "1"],
    "squeezenet": ["--batch", "1"],
    "vgg19": ["--batch", "1"],
}
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


class Bench:
    def __init__(self, options):
        self.options = options
        os.makedirs(options.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.options.work, name)

    def tool(self, name, *arguments):
        done = subprocess.run([os.path.join(self.options.tools, name), *map(str, arguments)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"{name} {' '.join(map(str, arguments))}:\n{done.stderr}")
        return done

    def model(self, name):
        path = self.path(name + ".mlir")
        self.tool("tenon-zoo", name, *MODELS[name], "-o", path)
        return path

    def optimize(self, model, out, *more):
        """The report, and the seconds of the stage."""
        report = self.path("report.json")
        done = self.tool("tenon-compile", model, "--optimize=egraph", "--stop-after=optimize",
                         "--timing", f"--report={report}", "-o", out, *more)
        seconds = [float(line.split()[0]) for line in done.stderr.splitlines()
                   if line.strip().endswith(" optimize")]
        with open(report) as stream:
            return json.load(stream), seconds[0]


def facts_of(report):
    return {fact["name"]: fact["value"] for fact in report["facts"]}


def microseconds(text):
    return float(text.split()[0])


def modelled(bench, name):
    model = bench.model(name)
    out = bench.path(name + ".t4.mlir")
    times = []
    for _ in range(5):
        report, seconds = bench.optimize(model, out, "--profile=t4")
        times.append(seconds)
    facts = facts_of(report)
    isolated = microseconds(facts["each op by itself, before"])
    fused = microseconds(facts["with epilogues fused, before"])
    after = microseconds(facts["search's sum, after"])
    rules = ", ".join(f"{rule['name']} {rule['count']}" for rule in report["rules"])
    taso_s, tensat_s, taso, tensat = PUBLISHED[name]
    return (f"| {name} | {statistics.median(times):.2f} | {tensat_s} | {taso_s} | "
            f"{100 * (isolated / after - 1):.1f} | {tensat} | {taso} | "
            f"{100 * (fused / after - 1):.1f} | {facts['e-nodes']} | {facts['stopped']} | "
            f"{rules or 'none'} |")


def interval(ratios):
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios)))
                     for _ in range(2000))
    return statistics.median(ratios), medians[50], medians[1949]


def latency(bench, library, threads):
    out = bench.path("run.json")
    bench.tool("tenon-run", library, "--params", "random:1", "--repeat", bench.options.repeat,
               "--threads", threads, "--json", out)
    with open(out) as stream:
        return json.load(stream)["latency_ms"]["median"]


def measured(bench, name, threads):
    model = bench.model(name)
    costs = bench.path(f"{name}-{threads}.costs.json")
    if os.path.exists(costs):
        os.remove(costs)
    profile = ("--target=cpu:x86-64-v3", f"--threads={threads}", "-o", costs, "--repeat", 30,
               "--optimize=off")
    bench.tool("tenon-profile", model, *profile)
    chosen = bench.path(name + ".cpu.mlir")
    # The best candidate is measured even where the model distrusts it.
    for _ in range(6):
        report, _ = bench.optimize(model, chosen, f"--costs={costs}", "--least-gain=-100")
        if all(kernel["measured"] for kernel in report["after"]["kernels"]):
            break
        bench.tool("tenon-profile", chosen, *profile, "--resume")
    report, seconds = bench.optimize(model, chosen, f"--costs={costs}")
    before, after = report["before"]["seconds"], report["after"]["seconds"]
    libraries = []
    for side, source in (("off", model), ("on", chosen)):
        library = bench.path(f"{name}.{side}.so")
        bench.tool("tenon-compile", source, "-o", library, "--optimize=off")
        libraries.append(library)
    ratios = []
    for pair in range(bench.options.pairs):
        order = libraries if pair % 2 == 0 else libraries[::-1]
        times = {library: latency(bench, library, threads) for library in order}
        ratios.append(times[libraries[0]] / times[libraries[1]])
    ratio, low, high = interval(ratios)
    rules = ", ".join(f"{rule['name']} {rule['count']}" for rule in report["rules"])
    why = "; ".join(note for note in report["notes"] if note.startswith("kept"))
    return (f"| {name} | {threads} | {before * 1e3:.2f} | {after * 1e3:.2f} | "
            f"{100 * (before / after - 1):.1f} | {100 * (ratio - 1):.1f} | "
            f"{ratio:.3f} [{low:.3f}, {high:.3f}] | {seconds:.2f} | {rules or why or 'none'} |")


def describe_machine(tools):
    with open("/proc/cpuinfo") as stream:
        processor = next(line.split(":")[1].strip() for line in stream
                         if line.startswith("model name"))
    version = subprocess.run([os.path.join(tools, "tenon-compile"), "--version"],
                             stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    return f"{version}; {processor}, {os.cpu_count()} cores; {platform.system()} {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/tenon-optimizer")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--modelled", action="store_true")
    parser.add_argument("--measured", action="store_true")
    options = parser.parse_args()
    bench = Bench(options)
    names = options.models.split(",")
    lines = [describe_machine(options.tools), ""]
    if options.modelled:
        lines += ["## Modelled: a T4, TASO's cost semantics", "",
                  "| model | search s | TENSAT s | TASO s | gain % | TENSAT % | TASO % | "
                  "over fused % | e-nodes | stopped | rules fired |",
                  "|---|---|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            lines.append(modelled(bench, name))
            print(lines[-1], flush=True)
    if options.measured:
        lines += ["", "## Measured on the CPU, kernel by kernel and end to end", "",
                  "| model | threads | before ms | after ms | predicted % | measured % | "
                  "off / on | search s | rules fired, or why not |",
                  "|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            for threads in options.threads.split(","):
                lines.append(measured(bench, name, threads))
                print(lines[-1], flush=True)
    with open(options.out, "w") as stream:
        stream.write("\n".join(lines) + "\n")


main()

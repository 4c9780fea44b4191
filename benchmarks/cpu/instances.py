"""What several instances of a model in one process need, and how they run.

Each measurement is a process of instances.c, linked with the compiled model:

  memory      instances of one model against one: resident size, and the sum of
              tenon_memory_bytes, in which shared weights count for each
  first       load and first run against load and a steady run
  throughput  instances, each run by a thread of its own, on one pool, against sessions of
              ONNX Runtime on its global pool: runs per second, in ABBA order
  threads     threads of the process after a load and after runs, with a host's executor
  heap        what malloc holds after a tenth of the runs and at their end (gpt2 --small,
              entry decode, states reset whenever the caches are full)

Run it with the Python of a virtual environment that has numpy and onnxruntime.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from common import machine, stats  # noqa: E402
from common.tools import Tools  # noqa: E402

IMAGE = ["main", "1", "f32:1x3x224x224"]
MODELS = {
    "resnet50": (["--batch", 1], IMAGE),
    "squeezenet": (["--batch", 1], IMAGE),
    "bert-base": (["--batch", 1, "--sequence", 128], ["main", "2", *3 * ["i64:1x128"]]),
    "gpt2": (["--small", "--cache", 64], ["decode", "2", "i64:1x1"]),
}


class Program:
    """A model, compiled and linked with instances.c in a folder of its own."""

    def __init__(self, tools, name):
        self.tools, self.name = tools, name
        self.folder = tools.path(name)
        os.makedirs(self.folder, exist_ok=True)
        size, self.arguments = MODELS[name]
        graph = self.path("m.mlir")
        tools.run("tenon-zoo", name, *size, "--params", self.path("m.safetensors"),
                  "--seed", 1, "-o", graph)
        tools.run("tenon-compile", graph, "-o", self.path("m.so"))
        subprocess.run(["cc", "-O2", "-I", self.folder, os.path.join(HERE, "instances.c"),
                        "-L", self.folder, "-l:m.so", "-Wl,-rpath," + self.folder, "-lpthread",
                        "-o", self.path("instances")], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def onnx(self):
        path = self.path("m.onnx")
        self.tools.run("tenon-compile", self.path("m.mlir"), "--emit=onnx", "-o", path)
        return path

    def measure(self, mode, instances, threads, runs):
        """threads: of the pool or executor; in mode heap, runs between two resets."""
        command = [self.path("instances"), mode, instances, threads, runs, *self.arguments]
        with self.tools.other_work:
            done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True,
                                  env=os.environ | {"GOMP_SPINCOUNT": "3000"})
        return json.loads(done.stdout)


def memory(program, options):
    one, many = (program.measure("memory", count, 0, 1) for count in (1, options.instances))
    mib = 1 / 1024
    each = (many["rss_kib"] - one["rss_kib"]) / (options.instances - 1)
    weights = os.path.getsize(program.path("m.safetensors")) / 1024
    return (f"{program.name}: weights {weights * mib:.1f} MiB; resident with one instance "
            f"{one['rss_kib'] * mib:.1f} MiB, with {options.instances} "
            f"{many['rss_kib'] * mib:.1f} MiB: {many['rss_kib'] / one['rss_kib']:.2f} times; "
            f"{each * mib:.1f} MiB for each further instance; sum of tenon_memory_bytes "
            f"{one['memory_bytes'] / 2**20:.1f} and {many['memory_bytes'] / 2**20:.1f} MiB")


def first(program, options):
    results = [program.measure("first", 1, options.threads, 20) for _ in range(options.rounds)]
    ratios = [(r["load_ms"] + r["first_ms"]) / (r["load_ms"] + r["steady_ms"]) for r in results]
    load, begin, steady = (statistics.median(r[key] for r in results)
                           for key in ("load_ms", "first_ms", "steady_ms"))
    return (f"{program.name}: load {load:.1f} ms, first run {begin:.1f} ms, steady run "
            f"{steady:.1f} ms; ratio {stats.show(stats.interval(ratios))}")


def throughput(program, options):
    onnx, ours, theirs = program.onnx(), [], []
    for order in stats.orders(["Tenon", "ort"], options.rounds):
        for side in order:
            if side == "Tenon":
                found = program.measure("throughput", options.instances, options.threads,
                                        options.seconds)
                ours.append(found["runs_per_second"])
            else:
                command = [options.python, os.path.join(HERE, "ort_instances.py"), onnx,
                           options.instances, options.threads, options.seconds]
                with program.tools.other_work:
                    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                                          check=True)
                theirs.append(json.loads(done.stdout)["runs_per_second"])
    return (f"{program.name}: {options.instances} instances on {options.threads} threads: Tenon "
            f"{statistics.median(ours):.1f} runs/s, ONNX Runtime {statistics.median(theirs):.1f}; "
            f"ratio {stats.show(stats.interval(stats.ratios(ours, theirs)))}")


def threads(program, options):
    found = program.measure("threads", 1, 4, 20)
    return (f"{program.name}: threads before the load {found['before']}, after it "
            f"{found['after_load']}, after 20 runs {found['after_runs']}")


def heap(program, options):
    found = program.measure("heap", 1, 64, options.runs)
    return (f"{program.name}: {found['runs']} runs: in use after a tenth "
            f"{found['used_after_tenth']} bytes, at the end {found['used_at_end']}; mapped "
            f"{found['mapped_after_tenth']} and {found['mapped_at_end']}")


MODES = {
    "memory": (memory, ["resnet50"]),
    "first": (first, ["resnet50", "squeezenet", "bert-base"]),
    "throughput": (throughput, ["resnet50", "squeezenet"]),
    "threads": (threads, ["resnet50"]),
    "heap": (heap, ["gpt2"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--tools", required=True, help="folder of Tenon's tools")
    parser.add_argument("--models", help="instead of the mode's own: " + ", ".join(MODELS))
    parser.add_argument("--instances", type=int, default=10, help="default 10")
    parser.add_argument("--threads", type=int, default=2, help="of a run or the pool (default 2)")
    parser.add_argument("--rounds", type=int, default=10, help="default 10")
    parser.add_argument("--seconds", type=int, default=5, help="of one measurement (default 5)")
    parser.add_argument("--runs", type=int, default=10000, help="of mode heap (default 10000)")
    parser.add_argument("--python", default=sys.executable, help="ONNX Runtime's Python")
    parser.add_argument("--work", help="folder for models and libraries (default: a temporary one)")
    options = parser.parse_args()
    measure, names = MODES[options.mode]
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(os.path.abspath(options.tools), os.path.abspath(options.work or folder))
        print(f"{tools.version()}; {machine.describe()}", flush=True)
        for name in options.models.split(",") if options.models else names:
            tools.other_work = machine.OtherWork()
            line = measure(Program(tools, name), options)
            note = tools.other_work.note()
            print(f"- {line}" + (f" ({note})" if note else ""), flush=True)


main()

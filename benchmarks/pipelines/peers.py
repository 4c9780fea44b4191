"""Training on two ranks of this machine, one thread each, beside PyTorch: pipelines of two stages
with 1F1B and equal micro-batches, and replicas that sum gradients (DDP over gloo).

Each measurement is a run of its own, and counts as the median of its iterations. Ranks of Tenon
are threads, and processes under Open MPI."""
import argparse
import json
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from common import machine, stats
from common.tools import Tools

WORKER = os.path.join(os.path.dirname(__file__), "torch_worker.py")
WAYS = ["pipeline", "replicas"]
ATTEMPTS = 3
# The zoo's model, the mini-batch, and the result that the loss judges.
MODELS = {
    "mlp": (["mlp"], 256, "0"),
    "bert": (["bert-base", "--small", "--sequence", "64"], 16, "1"),
}


def make_plan(tools, name, way):
    """A chain of two stages, or one stage on both ranks."""
    model, batch, _ = MODELS[name]
    graph, plan = tools.path(name + ".mlir"), tools.path(f"{name}.{way}.mlir")
    tools.run("tenon-zoo", *model, "-o", graph)
    if way == "pipeline":
        tools.run("tenon-plan", graph, "--devices", 2, "--mini-batch", batch, "--micro-batch",
                  batch // 4, "--planner=sequential", "-o", plan)
        return plan
    # Links that cost nothing make replicas the best plan.
    cluster = tools.path("cluster.json")
    with open(cluster, "w") as stream:
        json.dump({"schema_version": 1, "name": "one machine", "source": "assumed",
                   "device": "cpu", "devices": 2, "devices_per_node": 2,
                   "memory_bytes": 1 << 33, **dict.fromkeys(
                       ("inside", "between"),
                       {"latency_seconds": 1e-9, "bytes_per_second": 1e15})}, stream)
    tools.run("tenon-plan", graph, "--devices", 2, "--mini-batch", batch, "--micro-batch", batch,
              "--cluster", cluster, "-o", plan)
    with open(plan) as stream:
        if "on [0, 1]" not in stream.read():
            raise SystemExit(f"{plan}: expected one stage on both ranks")
    return plan


def compile_plan(tools, name, way):
    library = tools.path(f"{name}.{way}.so")
    tools.run("tenon-compile", make_plan(tools, name, way), "-o", library,
              "--target=cpu:native", "--train=mean-squared", "--train-optimizer=adam",
              f"--train-of={MODELS[name][2]}")
    return library


def run_tenon(tools, library, iterations, processes):
    out = tools.path("run.json")
    command = [os.path.join(tools.folder, "tenon-run"), library, "--params", "random:1",
               "--entry", "train_step", "--repeat", str(iterations), "--json", out]
    if processes:
        command = ["mpirun", "--bind-to", "none", "-n", "2", *command, "--channels", "mpi"]
    with tools.other_work:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={
            **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    with open(out) as stream:
        return json.load(stream)["latency_ms"]["median"]


def run_torch(name, way, iterations):
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone",
               "--nproc-per-node", "2", WORKER,
               "--model", name, "--way", way, "--batch", str(MODELS[name][1]),
               "--iterations", str(iterations)]
    for attempt in range(ATTEMPTS):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        if done.returncode == 0:
            break
        # Its launcher sometimes fails before the first iteration.
        print(f"PyTorch failed ({name}, {way}, attempt {attempt + 1} of {ATTEMPTS}):\n"
              f"{done.stderr[-2000:]}", file=sys.stderr, flush=True)
    else:
        sys.exit("PyTorch failed each time")
    line = next(line for line in done.stdout.splitlines() if line.startswith("["))
    return statistics.median(json.loads(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True, help="the folder of Tenon's tools")
    parser.add_argument("--work", default="/tmp/tenon-pipelines")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    options = parser.parse_args()
    tools = Tools(options.tools, options.work)
    import torch

    print(f"{tools.version()}, PyTorch {torch.__version__}, {machine.describe()}, "
          f"{options.rounds} rounds of {options.iterations} iterations\n")
    print("| model | way | threads ms | processes ms | PyTorch ms | threads / PyTorch | "
          "processes / PyTorch |\n|---|---|---|---|---|---|---|")
    for name in options.models:
        for way in options.ways:
            library = compile_plan(tools, name, way)
            sides = {
                "threads": lambda: run_tenon(tools, library, options.iterations, False),
                "processes": lambda: run_tenon(tools, library, options.iterations, True),
                "torch": lambda: run_torch(name, way, options.iterations),
            }
            times = {side: [] for side in sides}
            for order in stats.orders(sides, options.rounds):
                for side in order:
                    times[side].append(sides[side]())
            ours = [stats.show(stats.interval(stats.ratios(times[side], times["torch"])))
                    for side in ("threads", "processes")]
            middle = [f"{statistics.median(times[side]):.2f}" for side in sides]
            print(f"| {name} | {way} | {' | '.join(middle + ours)} |", flush=True)
    print(f"\n{tools.other_work.note()}")


if __name__ == "__main__":
    main()

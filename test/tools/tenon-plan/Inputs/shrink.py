"""Plans models for devices with just the memory that the plan before needed, and then
with a byte less, as long as there is a plan. Each must pass --pipe-check.

Usage: shrink.py TOOLS FOLDER
"""

import json
import os
import subprocess
import sys


def main(tools, folder):
    model, cluster, plan = (os.path.join(folder, name)
                            for name in ("m.mlir", "cluster.json", "plan.json"))
    total, failed = 0, 0
    for name in ("mmt", "candle-uno", "resnet50"):
        subprocess.run([os.path.join(tools, "tenon-zoo"), name, "--small", "-o", model],
                       check=True)
        for devices in (2, 4):
            memory = 1 << 34
            for turn in range(5):
                with open(cluster, "w") as out:
                    wire = {"latency_seconds": 5e-6, "bytes_per_second": 1e10}
                    json.dump({"schema_version": 1, "name": "c", "source": "made up",
                               "device": "v100", "devices": devices,
                               "devices_per_node": 2, "memory_bytes": memory,
                               "inside": wire, "between": wire}, out)
                done = subprocess.run(
                    [os.path.join(tools, "tenon-plan"), model, "--devices", str(devices),
                     "--mini-batch", "16", "--cluster", cluster, "--json", plan,
                     "--budget", "4000", "--batch-norm=per-micro-batch",
                     "-o", os.path.join(folder, "plan.mlir")],
                    stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
                error = done.stderr.decode()
                if "no plan was found" in error:
                    break
                total += 1
                if done.returncode:
                    failed += 1
                    print(name, devices, memory, error)
                    break
                with open(plan) as f:
                    memory = max(d["peak_bytes"] for d in json.load(f)["devices"])
                memory -= turn % 2
    print("%d of %d plans fail their check" % (failed, total))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Runs @main of two modules on random inputs and compares all outputs: in f64,
and with --field exactly, in the prime field.

Usage: same_results.py IN.mlir OUT.mlir SCRATCH [--field] [SYMBOL=N]...
"""

import os
import re
import subprocess
import sys

model, optimized, scratch = sys.argv[1:4]
field = "--field" in sys.argv[4:]
sizes = dict(a.split("=") for a in sys.argv[4:] if "=" in a)


def run(*arguments):
    subprocess.run(arguments, check=True)


# One form for all: no aliases, no names.
os.makedirs(scratch, exist_ok=True)
plain = os.path.join(scratch, "plain.mlir")
run("tenon-opt", model, "-o", plain)
with open(plain) as f:
    main = f.read().split("func.func @main(")[1]
inputs = []
for number, (shape, encoding) in enumerate(re.findall(
        r"%arg\d+: tensor<((?:[0-9?]+x)*)[a-z]+[0-9]+(?:, #graph.dims<([^>]*)>)?>",
        main.split("\n")[0])):
    axes = encoding.split(", ") if encoding else shape.split("x")[:-1]
    spec = "random:%d" % (number + 1)
    if encoding:
        spec += ":" + "x".join(sizes.get(axis, axis) for axis in axes)
    inputs += ["--input", spec]
results = re.search(r"^    return(.*):", main, re.M).group(1).count("%")
if results == 0:
    sys.exit("error: @main returns nothing")
files = ["@%s/%d.npy" % (scratch, number) for number in range(results)]
for domain in ["f64"] + (["field:1", "field:2"] if field else []):
    common = ["--domain", domain, "--params", "random:9"] + inputs
    run("tenon-interpret", plain, *common,
        *(word for f in files for word in ("--output", f)))
    run("tenon-interpret", optimized, *common, "--rtol",
        "1e-12" if domain == "f64" else "0",
        *(word for f in files for word in ("--expect", f)))
print("%d inputs, %d results: equal" % (len(inputs) // 2, results))

"""Calls same_results.py for each function of two modules, as their @main, but for
those named and those that return nothing.

Usage: each_function.py IN.mlir OUT.mlir SAME_RESULTS.py EXCEPT...
"""

import re
import subprocess
import sys

model, optimized, script = sys.argv[1:4]


def functions(path):
    text = subprocess.run(["tenon-opt", path], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    return {name: "func.func @main(" + body + "\n  }\n" for name, body in
            re.findall(r"^  func.func @(\w+)\((.*?)\n  }$", text, re.M | re.S)}


before, after = functions(model), functions(optimized)
count = 0
for name in before:
    if name in sys.argv[4:] or "return %" not in before[name]:
        continue
    count += 1
    for part, path in ((before, "before.mlir"), (after, "after.mlir")):
        with open(path, "w") as f:
            f.write(part[name])
    subprocess.run([sys.executable, script, "before.mlir", "after.mlir", "each"],
                   check=True)
if count == 0:
    sys.exit("error: no functions")

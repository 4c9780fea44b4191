"""Counts a module's parameters (each name once) and its ops of each kind.

Usage: count.py MODULE.mlir
"""

import collections
import math
import re
import sys

sizes = {}
ops = collections.Counter()
with open(sys.argv[1]) as module:
    for line in module:
        if not (op := re.match(r" *%\S+ = graph\.(\w+) ", line)):
            continue
        ops[op[1]] += 1
        if op[1] == "parameter":
            name, shape = re.search(r"@(\S+) .*tensor<([0-9x]+)xf32>", line).groups()
            sizes[name] = math.prod(int(size) for size in shape.split("x"))
print("%d in %d parameters" % (sum(sizes.values()), len(sizes)))
for name in sorted(ops):
    print(name, ops[name])

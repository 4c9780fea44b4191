"""Writes a graph of N ops.

Usage: large_graphs.py adds|mixed N, where `adds` is a chain of sums
"""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
x, w = "tensor<8x16xf32>", "tensor<16x16xf32>"
print("func.func @main(%%v0: %s, %%w: %s, %%b: %s) -> %s {" % (x, w, x, x))


def write(number, op):
    print("  %%v%d = graph.%s" % (number + 1, op))


for n in range(count):
    kind_of_op = "chain" if kind == "adds" else n % 5
    if kind_of_op == "chain":
        write(n, "add %%v%d, %%%s : %s" % (n, "b" if n % 2 else "v0", x))
    elif kind_of_op in (0, 3):
        # The second of two that share their input.
        given = max(0, n - (1 if kind_of_op == 0 else 3))
        write(n, "matmul %%v%d, %%w : (%s, %s) -> %s" % (given, x, w, x))
    elif kind_of_op == 1:
        write(n, "add %%v%d, %%b : %s" % (n, x))
    elif kind_of_op == 2:
        write(n, "relu %%v%d : %s" % (n, x))
    else:
        write(n, "mul %%v%d, %%v%d : %s" % (n, n - 1, x))
print("  return %%v%d : %s\n}" % (count, x))

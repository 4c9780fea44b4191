"""Writes 61 branches and their concatenation, along the last axis or the first."""

import sys

COUNT = 61
UNARY = ["relu", "tanh", "sigmoid", "neg", "abs"]

if sys.argv[1] == "last":
    ARGUMENTS = '%x: tensor<4x7xf32> {graph.name = "x"}'
    TYPES = ["tensor<4x7xf32>"] * COUNT
    VALUES = ["%x"] * COUNT
    RESULT, AXIS = f"tensor<4x{7 * COUNT}xf32>", 1
else:
    N, M = ("tensor<?x5xf32, #graph.dims<n, 5>>", "tensor<?x5xf32, #graph.dims<m, 5>>")
    ARGUMENTS = f'%n: {N} {{graph.name = "n"}}, %m: {M} {{graph.name = "m"}}'
    TYPES = [M if i % 3 == 0 else N for i in range(COUNT)]
    VALUES = ["%m" if i % 3 == 0 else "%n" for i in range(COUNT)]
    M_COUNT = TYPES.count(M)
    RESULT = f"tensor<?x5xf32, #graph.dims<{M_COUNT}*m + {COUNT - M_COUNT}*n, 5>>"
    AXIS = 0

print(f'func.func @main({ARGUMENTS}) -> ({RESULT} {{graph.name = "y"}}) {{')
for i in range(COUNT):
    print(f"  %b{i} = graph.{UNARY[i % 5]} {VALUES[i]} : {TYPES[i]}")
print(f"  %y = graph.concat {', '.join(f'%b{i}' for i in range(COUNT))} axis = {AXIS} :")
print(f"    ({', '.join(TYPES)}) -> {RESULT}")
print(f"  return %y : {RESULT}")
print("}")

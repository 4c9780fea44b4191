"""Writes a recurrent network of so many equal steps, each with constants of its own."""

import sys

STEPS = int(sys.argv[1])
X, W, B = "tensor<64x256xf32>", "tensor<256x256xf32>", "tensor<256xf32>"

print(f"func.func @main(%x: {X}) -> {X} {{")
print(f"  %w = graph.parameter @w : {W}")
print(f"  %h0 = graph.tanh %x : {X}")
for step in range(STEPS):
    values = ", ".join(str(step * 256.0 + i) for i in range(256))
    print(f"  %b{step} = graph.constant dense<[{values}]> : {B}")
    print(f"  %r{step} = graph.broadcast %b{step} shape = [64, 256] : ({B}) -> {X}")
    print(f"  %m{step} = graph.matmul %h{step}, %w : ({X}, {W}) -> {X}")
    print(f"  %a{step} = graph.add %m{step}, %r{step} : {X}")
    print(f"  %s{step} = graph.softmax %a{step} axis = 1 : {X}")
    print(f"  %h{step + 1} = graph.mul %s{step}, %x : {X}")
print(f"  return %h{STEPS} : {X}")
print("}")

"""Writes a model of 300 outputs whose sizes depend on its input's."""

COUNT = 300
UNARY = ["relu", "tanh", "sigmoid", "neg", "abs"]
T = "tensor<?x8xf32, #graph.dims<n, 8>>"

results = ", ".join(f'{T} {{graph.name = "y{i}"}}' for i in range(COUNT))
print(f'func.func @main(%x: {T} {{graph.name = "x"}}) -> ({results}) {{')
for i in range(COUNT):
    print(f"  %c{i} = graph.constant dense<{float(i)}> : tensor<f32>")
    print(f"  %b{i} = graph.broadcast %c{i} shape = [n, 8] : (tensor<f32>) -> {T}")
    print(f"  %a{i} = graph.add %x, %b{i} : {T}")
    print(f"  %y{i} = graph.{UNARY[i % 5]} %a{i} : {T}")
print(f"  return {', '.join(f'%y{i}' for i in range(COUNT))} : {', '.join([T] * COUNT)}")
print("}")

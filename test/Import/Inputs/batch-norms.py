"""Writes models with batch norms as PyTorch exports them into a folder, and data for them."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

folder = sys.argv[1]
draw = np.random.default_rng(0)
samples, channels, width = 4, 80, 3
zeros, ones = np.zeros(channels), np.ones(channels)
noise = lambda: draw.standard_normal(channels)


def write(name, nodes, weights, results=("y",), producer="pytorch", functions=(), inputs=("x",)):
    kinds = {"x": ["n", channels, width]}
    value = lambda n: helper.make_tensor_value_info(
        n, TensorProto.FLOAT, kinds.get(n, kinds["x"] if n == "y" else [channels]))
    graph = helper.make_graph(
        nodes, "g", [value(n) for n in inputs], [value(n) for n in results],
        [numpy_helper.from_array(np.asarray(w, np.float32), n) for n, w in weights.items()])
    opsets = [helper.make_opsetid("", 17)] + [helper.make_opsetid("local", 1)] * bool(functions)
    save(helper.make_model(graph, opset_imports=opsets, producer_name=producer,
                           functions=functions), f"{folder}/{name}.onnx")


def norm(inputs, outputs, training=0):
    return helper.make_node("BatchNormalization", inputs, outputs, name="/bn/" + outputs[0],
                            training_mode=training)


def operands(module):
    return [f"{module}.{n}" for n in ("weight", "bias", "running_mean", "running_var")]


# One norm, in evaluation and in training mode, which returns what it moves, or reads it.
weights = dict(zip(operands("bn"), (noise(), noise(), noise(), 1 + noise() ** 2)))
every = ["y", "mean", "var"]
write("evaluation", [norm(["x", *operands("bn")], ["y"])], weights)
write("training", [norm(["x", *operands("bn")], every, 1)], weights)
write("returned", [norm(["x", *operands("bn")], every, 1)], weights, every)
write("read", [helper.make_node("Constant", [], ["axis"], value_ints=[1]),
               norm(["x", *operands("bn")], ["h", "mean", "var"], 1),
               helper.make_node("Unsqueeze", ["mean", "axis"], ["column"]),
               helper.make_node("Add", ["h", "column"], ["y"])], weights)
write("given", [norm(["x", "s", "b", "m", "v"], every, 1)], {}, every,
      inputs=("x", "s", "b", "m", "v"))
# Without statistics (track_running_stats=False), even in evaluation mode.
write("computed", [helper.make_node("ReduceMean", ["x"], ["m"], axes=[0, 2], keepdims=0),
                   helper.make_node("Mul", ["m", "m"], ["v"]),
                   norm(["x", *operands("bn")[:2], "m", "v"], every, 1)],
      {n: weights[n] for n in operands("bn")[:2]})

x = draw.standard_normal((samples, channels, width)).astype(np.float32)
mean, var = x.mean((0, 2)), x.var((0, 2))
column = lambda v: v.astype(np.float32)[:, None]
scale, bias, m, v = weights.values()
np.save(folder + "/x.npy", x)
np.save(folder + "/y.npy", (x - column(mean)) / np.sqrt(column(var) + 1e-5) * column(scale) + column(bias))
np.save(folder + "/mean.npy", np.float32(0.9 * m + 0.1 * mean))
np.save(folder + "/var.npy", np.float32(0.9 * v + 0.1 * var))


def chain(norms):
    """The operands of norms, one after the other."""
    last, nodes = "x", []
    for i, given in enumerate(norms):
        result = "y" if i + 1 == len(norms) else f"h{i}"
        nodes.append(norm([last, *given], [result]))
        last = result
    return nodes


def same(name, *others):
    """What the legacy exporter writes for initializers with equal elements."""
    return [helper.make_node("Identity", [name], [other]) for other in others]


affine = {f"{n}.{kind}": noise() for n in "abcd" for kind in ("weight", "bias")}
new = {"a.running_mean": zeros, "a.running_var": ones}
# d and e have new scales, which are their new variances, too; c is called twice.
legacy = same("a.running_mean", "b.running_mean", "c.running_mean", "d.running_mean")
legacy += same("a.running_mean", "e.running_mean") + same("a.running_var", "b.running_var")
legacy += same("d.weight", "c.running_var", "d.running_var", "e.weight", "e.running_var")
legacy += same("d.bias", "e.bias")
calls = [operands(n) for n in "abccde"]
write("legacy", legacy + chain(calls), {**affine, "d.weight": ones, **new})

# The other exporter drops the names; the second call of c reads what the first one returned. Two
# norms have no scale, and one has another statistic that is not new.
statistics = operands("a")[2:]
plain = ["val_1", "val_2"]
calls = [operands(n)[:2] + statistics for n in "bacc"]
calls[3][2:] = ["getitem_3", "getitem_4"]
calls += [plain + statistics, plain + statistics]
calls += [plain + ["e.running_mean", "e.running_var"]] * 2
write("dynamo", same(statistics[0], "getitem_3") + same(statistics[1], "getitem_4") + chain(calls),
      {**affine, **new, "val_1": ones, "val_2": noise(), "e.running_mean": noise(),
       "e.running_var": 1 + noise() ** 2})

# With names that say nothing; as a scale, too.
given = {"s": noise(), "t": noise(), "z": zeros, "o": ones}
write("names", chain([["s", "z", "m", "v"], ["t", "z", "m", "v"]]), {**given, "m": zeros, "v": ones},
      producer="other")
write("merged", chain([["s", "z", "m", "o"], ["o", "z", "m", "o"]]), {**given, "m": zeros})

# Names of a function's inputs are not those of initializers.
call = lambda module, x, y: helper.make_node("Norm", [x, *operands(module)], [y], domain="local")
formal = ["h", "weight", "bias", "running_mean", "running_var"]
function = helper.make_function("local", "Norm", formal, ["r"], [norm(formal, ["r"])],
                                [helper.make_opsetid("", 17)])
write("functions", [call("a", "x", "h0"), call("b", "h0", "y")],
      {n: noise() for module in "ab" for n in operands(module)}, functions=[function])

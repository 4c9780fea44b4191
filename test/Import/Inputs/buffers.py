"""Writes models with parameters of many kinds, and weights that are none, into a folder."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

draw = np.random.default_rng(0)
f32 = np.float32
positions, depth = 8, 16
angles = np.arange(positions)[:, None] / 10000 ** (np.arange(0, depth, 2) / depth)
sines = np.zeros((positions, depth))
sines[:, 0::2], sines[:, 1::2] = np.sin(angles), np.cos(angles)
causal = np.triu(np.full((positions, positions), -np.inf), 1)
weights = {
    "proj.weight": draw.standard_normal((depth, depth)),
    "norm.weight": np.ones(depth),
    "norm.bias": np.zeros(depth),
    "scale": np.full(1, 0.5),
    "ramp": np.arange(depth),
    "identity": np.eye(depth),
    "pe": sines,
    "inv_freq": 1 / 10000 ** (np.arange(0, 2 * depth, 2) / (2 * depth)),
    "causal": causal,
    "tril": np.tril(np.ones((positions, positions))),
    "filled": np.where(causal < 0, -1e9, 0),
    "val_3": np.ones(depth),
    "val_4": draw.standard_normal(depth),
    "val_5": np.full(1, 2),
    "number": np.array(3),
    "class_weight": np.abs(draw.standard_normal(depth)),
    "switch": np.arange(2),
}
nodes = [
    helper.make_node("Add", ["x", "pe"], ["h0"]),
    helper.make_node("MatMul", ["h0", "proj.weight"], ["h1"]),
    helper.make_node("LayerNormalization", ["h1", "norm.weight", "norm.bias"], ["h2"], axis=-1),
    helper.make_node("MatMul", ["h2", "identity"], ["h3"]),
]
last = "h3"
for name in ("scale", "ramp", "inv_freq", "val_3", "val_4", "val_5", "number"):
    nodes.append(helper.make_node("Mul", [last, name], ["by." + name]))
    last = "by." + name
nodes += [
    helper.make_node("MatMul", ["tril", last], ["h4"]),
    helper.make_node("Transpose", ["h4"], ["h4t"], perm=[0, 2, 1]),
    helper.make_node("MatMul", ["h4", "h4t"], ["s0"]),
    helper.make_node("Add", ["s0", "causal"], ["s1"]),
    helper.make_node("Add", ["s1", "filled"], ["s2"]),
    helper.make_node("Softmax", ["s2"], ["p"], axis=-1),
    helper.make_node("MatMul", ["p", last], ["scores"]),
    helper.make_node("Gather", ["class_weight", "classes"], ["w"], axis=0),
    helper.make_node("Unsqueeze", ["w", "axis"], ["w1"]),
    helper.make_node("OneHot", ["classes", "depth", "switch"], ["hot"]),
    helper.make_node("Add", ["scores", "hot"], ["marked"]),
    helper.make_node("Mul", ["marked", "w1"], ["y"]),
]
tensors = [numpy_helper.from_array(np.asarray(value, f32), name) for name, value in weights.items()]
tensors.append(numpy_helper.from_array(np.array([2]), "axis"))
tensors.append(numpy_helper.from_array(np.array([depth]), "depth"))
shape = ["n", positions, depth]
graph = helper.make_graph(
    nodes, "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape),
     helper.make_tensor_value_info("classes", TensorProto.INT64, shape[:2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)], tensors)
opsets = [helper.make_opsetid("", 17)]
save(helper.make_model(graph, opset_imports=opsets), sys.argv[1] + "/model.onnx")

# As PyTorch's exporter writes them: an embedding that is the head too, twice; two norms that
# start equal, once; a slope of one element, reshaped; scales of a resize that are no parameter.
# Sines of a grid's points, and a mask of shifted windows. Fills from which a mask is computed:
# val_20 as torchvision's Swin does, val_22 by a comparison of its own; val_21 is read itself, too.
embedding = draw.standard_normal((12, 6))
rows, columns = np.divmod(np.arange(42), 6)
waves = [wave(place / 10000 ** (i / 2)) for place in (rows, columns)
         for i in (0, 1) for wave in (np.sin, np.cos)]
exported = {
    "head.weight": embedding,
    "val_9": embedding.T,
    "norm.weight": np.ones(6),
    "norm.bias": np.zeros(6),
    "val_7": np.full((1, 1), 0.25),
    "logit_scale": np.array(2.5),
    "val_8": np.zeros((6, 6)),
    "arange_1": np.arange(6),
    "gate": np.array([[1], [1], [0], [1]]),
    "frequencies": 1 / 10000 ** (np.arange(600) / 600),
    "gentle": np.linspace(0.9, 1.1, 6),
    "grid": np.stack(waves, -1)[None],
    "shuffled": draw.permutation(np.stack(waves, -1)),
    "windows": np.where(np.arange(32).reshape(2, 4, 4) % 3, 0, -100),
    "slopes": np.linspace(0.1, 1, 1000),
    "signs": np.array([[1 - 2 * (bin(i & j).count("1") % 2) for j in range(64)] for i in range(64)]),
    "steps": np.where(np.arange(8) % 3, 0, -50),
    "val_20": np.full(2, 2),
    "val_21": np.full(2, 2),
    "val_22": np.full(2, 2),
    "fill": np.full(2, 2),
    "onnx::Concat_3": np.ones(2),
    "onnx::Concat_4": np.full(1, 2),
}
fills = []
for name in ("val_20", "val_21", "val_22", "fill"):
    of = lambda text: f"{text}.{name}"
    fills += [
        helper.make_node("Constant", [], [of("plain")], value_floats=[0.0] * 6),
        helper.make_node("Constant", [], [of("places")], value=helper.make_tensor(
            "places", TensorProto.INT64, [2, 1], [1, 3])),
        helper.make_node("Constant", [], [of("none")], value_float=0.0),
        helper.make_node("Constant", [], [of("zero")], value_float=0.0),
        helper.make_node("Constant", [], [of("hidden")], value_float=-100.0),
        helper.make_node("ScatterND", [of("plain"), of("places"), name], [of("filled")]),
        helper.make_node("Equal", [of("filled"), of("zero")], [of("same")]),
        helper.make_node("Not", [of("same")], [of("other")]),
        helper.make_node("Equal", [of("filled"), of("none")], [of("again")]),
        helper.make_node("Where", [of("other"), of("hidden"), of("filled")], [of("first")]),
        helper.make_node("Where", [of("again" if name == "val_22" else "same"),
                                   of("filled" if name == "val_21" else "zero"),
                                   of("first")], [of("mask")]),
    ]
summed = ("grid", "shuffled", "windows", "slopes", "signs", "steps")
nodes = [
    helper.make_node("Gather", ["head.weight", "tokens"], ["h0"], axis=0),
    helper.make_node("LayerNormalization", ["h0", "norm.weight", "norm.bias"], ["h1"], axis=-1),
    helper.make_node("PRelu", ["h1", "val_7"], ["h2"]),
    helper.make_node("LayerNormalization", ["h2", "norm.weight", "norm.bias"], ["h3"], axis=-1),
    helper.make_node("MatMul", ["h3", "val_8"], ["lora"]),
    helper.make_node("Add", ["h3", "lora"], ["h3a"]),
    helper.make_node("Mul", ["h3a", "gate"], ["h3b"]),
    helper.make_node("Mul", ["h3b", "gentle"], ["h3c"]),
    helper.make_node("ReduceSum", ["frequencies"], ["all"], keepdims=0),
    helper.make_node("Mul", ["h3c", "all"], ["h3c0"]),
    *(helper.make_node("ReduceSum", [name], ["sum." + name], keepdims=0) for name in summed),
    *(helper.make_node("Add", [f"h3c{i}", "sum." + name], [f"h3c{i + 1}"])
      for i, name in enumerate(summed)),
    *fills,
    helper.make_node("Sum", [f"h3c{len(summed)}", "mask.val_20", "mask.val_21", "mask.val_22",
                             "mask.fill"], ["h3d"]),
    helper.make_node("Mul", ["h3d", "arange_1"], ["h3e"]),
    helper.make_node("MatMul", ["h3e", "val_9"], ["h4"]),
    helper.make_node("Mul", ["h4", "logit_scale"], ["h5"]),
    helper.make_node("Concat", ["onnx::Concat_3", "onnx::Concat_4"], ["scales"], axis=0),
    helper.make_node("Resize", ["h5", "", "scales"], ["y"]),
]
graph = helper.make_graph(
    nodes, "g", [helper.make_tensor_value_info("tokens", TensorProto.INT64, ["n", 4])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 4, 24])],
    [numpy_helper.from_array(np.asarray(value, f32), name) for name, value in exported.items()])
save(helper.make_model(graph, opset_imports=opsets, producer_name="pytorch"),
     sys.argv[1] + "/exported.onnx")

# Tables in 16 bits, which round more.
tables = {"pe": sines, "freq": np.asarray(weights["inv_freq"]),
          "noise": draw.standard_normal((positions, depth))}
tensors, nodes, last = [], [], "x"
for kind, bits in ((TensorProto.FLOAT16, lambda x: x.astype(np.float16).view(np.uint16)),
                   (TensorProto.BFLOAT16, lambda x: ((x.view(np.uint32) + 0x8000) >> 16).astype(np.uint16))):
    for name, value in tables.items():
        name += ".f16" if kind == TensorProto.FLOAT16 else ".bf16"
        tensors.append(helper.make_tensor(name, kind, value.shape, bits(value.astype(f32)).tobytes(),
                                          raw=True))
        nodes += [helper.make_node("Cast", [name], ["wide." + name], to=TensorProto.FLOAT),
                  helper.make_node("Add", [last, "wide." + name], ["y" + name])]
        last = "y" + name
graph = helper.make_graph(
    nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
    [helper.make_tensor_value_info(last, TensorProto.FLOAT, shape)], tensors)
save(helper.make_model(graph, opset_imports=opsets), sys.argv[1] + "/half.onnx")

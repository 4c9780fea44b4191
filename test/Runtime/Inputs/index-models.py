# usage: index-models.py FOLDER
#
# Writes ONNX models that read at indices.

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def save(name, nodes, inputs, initializers=()):
    values = [
        helper.make_tensor_value_info(
            key, TensorProto.INT64 if key == "i" else TensorProto.FLOAT, shape
        )
        for key, shape in inputs.items()
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    tensors = [numpy_helper.from_array(value, key) for key, value in initializers]
    graph = helper.make_graph(nodes, "g", values, [output], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, f"{sys.argv[1]}/{name}.onnx")


node = helper.make_node
indices = np.zeros(100000, np.int64)
indices[777] = 3
save(
    "constant",
    [node("Gather", ["x", "i"], ["y"], axis=1, name="pick")],
    {"x": [2, 3]},
    [("i", indices)],
)
save(
    "normalized",
    [
        node("Less", ["i", "zero"], ["negative"]),
        node("Add", ["i", "size"], ["wrapped"]),
        node("Where", ["negative", "wrapped", "i"], ["at"]),
        node("Gather", ["x", "at"], ["y"], axis=0, name="rows"),
    ],
    {"x": [10, 3], "i": [4]},
    [("zero", np.array(0)), ("size", np.array(10))],
)
save(
    "grid",
    [node("GridSample", ["x", "g"], ["y"], mode="bilinear")],
    {"x": [1, 2, 5, 6], "g": [1, 3, 4, 2]},
)
save(
    "reverse",
    [
        node(
            "ReverseSequence",
            ["x", "i"],
            ["y"],
            batch_axis=1,
            time_axis=0,
            name="rs",
        )
    ],
    {"x": [5, 2, 3], "i": [2]},
)
save(
    "one-hot",
    [node("OneHot", ["i", "depth", "values"], ["y"])],
    {"i": [4]},
    [("depth", np.array(3)), ("values", np.array([0, 1], np.float32))],
)

"""Writes a model with initializers of few elements.

Usage: small_weights.py OUT.onnx
"""

import sys

import onnx
from onnx import TensorProto, helper


def tensor(name, shape, values):
    return helper.make_tensor(name, TensorProto.FLOAT, shape, values)


nodes = [
    helper.make_node("MatMul", ["x", "val_8"], ["a"]),
    helper.make_node("Reshape", ["bias", "shape"], ["row"]),
    helper.make_node("Add", ["a", "row"], ["b"]),
    helper.make_node("Mul", ["b", "scale"], ["c"]),
    helper.make_node("Mul", ["c", "val_7"], ["d"]),
    helper.make_node("Add", ["d", "scalar"], ["y"]),
]
initializers = [
    tensor("val_8", [2, 3], [1, 2, 3, 4, 5, 6]),
    tensor("bias", [3], [0, 0, 0]),
    tensor("scale", [1], [1]),
    tensor("val_7", [1], [0.5]),
    tensor("scalar", [], [2]),
    helper.make_tensor("shape", TensorProto.INT64, [2], [1, 3]),
]
graph = helper.make_graph(
    nodes, "small",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 3])],
    initializers)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, sys.argv[1])

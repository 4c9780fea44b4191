"""Writes a model whose result's shape is the value of an input, and inputs."""

import sys

import numpy as np
from onnx import TensorProto, helper, save

folder = sys.argv[1]
graph = helper.make_graph(
    [helper.make_node("Reshape", ["x", "shape"], ["y"])],
    "reshape",
    [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3]),
        helper.make_tensor_value_info("shape", TensorProto.INT64, [2]),
    ],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["a", "b"])],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
model.ir_version = 7
save(model, folder + "/model.onnx")
np.save(folder + "/x.npy", np.arange(6, dtype=np.float32).reshape(2, 3))
np.save(folder + "/shape.npy", np.array([3, -1], dtype=np.int64))

"""Writes models with weights into a folder: inline, external, and broken."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

out = sys.argv[1]
weight = np.arange(128, dtype=np.float32).reshape(8, 16)
bias = np.arange(16, dtype=np.float32)


def write(name, tensor):
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["x", "layer/w", "b"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 16])],
        [tensor, numpy_helper.from_array(bias, "b")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    with open("%s/%s.onnx" % (out, name), "wb") as f:
        f.write(model.SerializeToString())


def external(location, offset):
    tensor = TensorProto(name="layer/w", data_type=TensorProto.FLOAT, dims=[8, 16],
                         data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", str(offset))):
        tensor.external_data.add(key=key, value=value)
    return tensor


with open(out + "/data.bin", "wb") as f:
    f.write(b"\0" * 64 + weight.tobytes())
write("inline", numpy_helper.from_array(weight, "layer/w"))
write("external", external("data.bin", 64))
write("short", external("data.bin", 256))
write("missing", external("nothing.bin", 0))

#!/usr/bin/env python3
"""Writes the ONNX standard's node tests as files.

    generate.py OUT [--only SUBSTRING...]

Each case is a folder OUT/NAME with model.onnx, input_N.pb, output_N.pb and
case.json (tolerances). Needs the onnx package; the newest knows most cases.
"""

import argparse
import builtins
import json
import os
import sys
import warnings

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

# The cases of onnx 1.12 use names that numpy 1.24 removed.
for name in ("float", "int", "bool", "object", "str"):
    if name not in np.__dict__:
        setattr(np, name, getattr(builtins, name))

from onnx.backend.test.case.node import collect_testcases  # noqa: E402


def to_bytes(value, info):
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    kind = info.type.WhichOneof("value")
    if kind == "tensor_type":
        if not isinstance(value, np.ndarray):
            value = np.asarray(value)
        return numpy_helper.from_array(value, info.name).SerializeToString()
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name).SerializeToString()
    return numpy_helper.from_optional(value, info.name).SerializeToString()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", default=[""])
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    count = 0
    for case in collect_testcases(None):
        if case.model is None or not any(o in case.name for o in args.only):
            continue
        folder = os.path.join(args.out, case.name)
        os.makedirs(folder, exist_ok=True)
        write(os.path.join(folder, "model.onnx"), case.model.SerializeToString())
        inputs, outputs = case.data_sets[0]
        graph = case.model.graph
        for i, (value, info) in enumerate(zip(inputs, graph.input)):
            write(os.path.join(folder, "input_%d.pb" % i), to_bytes(value, info))
        for i, (value, info) in enumerate(zip(outputs, graph.output)):
            write(os.path.join(folder, "output_%d.pb" % i), to_bytes(value, info))
        with open(os.path.join(folder, "case.json"), "w") as f:
            json.dump({
                "rtol": case.rtol,
                "atol": case.atol,
                "operators": sorted({node.op_type for node in graph.node}),
                "inputs": [info.name for info in graph.input],
                # Inputs that may be shapes.
                "shapes": [info.name for info, value in zip(graph.input, inputs)
                           if getattr(value, "dtype", None) == np.int64
                           and value.ndim <= 1],
                "outputs": [info.name for info in graph.output],
            }, f)
        count += 1
    print("%d cases from onnx %s" % (count, onnx.__version__))
    return 0


if __name__ == "__main__":
    sys.exit(main())

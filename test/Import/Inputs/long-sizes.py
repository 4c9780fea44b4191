"""Writes a model in whose sizes the number of symbols triples from one round to
the next: w = max(min(size of p - 2, size of z), 1), p = concat(z[w/2:], p[:w]).

Usage: long-sizes.py ROUNDS FILE
"""

import sys

import onnx
from onnx import TensorProto, helper

rounds, path = int(sys.argv[1]), sys.argv[2]
node = helper.make_node
nodes = [
    node("Constant", [], [name],
         value=helper.make_tensor(name, TensorProto.INT64, [1], [value]))
    for name, value in (("one", 1), ("two", 2), ("zero", 0), ("far", 2**62))]
nodes.append(node("Shape", ["z"], ["zs"]))
p = "p"
for i in range(rounds):
    nodes += [
        node("Shape", [p], ["s%d" % i]),
        node("Sub", ["s%d" % i, "two"], ["t%d" % i]),
        node("Min", ["t%d" % i, "zs"], ["m%d" % i]),
        node("Max", ["m%d" % i, "one"], ["w%d" % i]),
        node("Div", ["w%d" % i, "two"], ["h%d" % i]),
        node("Slice", ["z", "h%d" % i, "far", "zero"], ["a%d" % i]),
        node("Slice", [p, "zero", "w%d" % i, "zero"], ["b%d" % i]),
        node("Concat", ["a%d" % i, "b%d" % i], ["p%d" % i], axis=0)]
    p = "p%d" % i
info = helper.make_tensor_value_info
graph = helper.make_graph(
    nodes, "g", [info("p", TensorProto.FLOAT, ["n"]),
                 info("z", TensorProto.FLOAT, ["k"])],
    [info(p, TensorProto.FLOAT, ["m"])])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, path)

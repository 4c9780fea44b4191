"""Writes a model that calls its own function, and one with a branch."""

import sys

from onnx import AttributeProto, TensorProto, helper, save

out = sys.argv[1]
opsets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])

leaky = helper.make_node("LeakyRelu", ["a"], ["b"])
reference = AttributeProto(name="alpha", ref_attr_name="slope",
                           type=AttributeProto.FLOAT)
leaky.attribute.append(reference)
function = helper.make_function(
    "local", "Twice", ["a"], ["c"],
    [leaky, helper.make_node("Add", ["b", "b"], ["c"])],
    [helper.make_opsetid("", 17)], ["slope"])
graph = helper.make_graph(
    [helper.make_node("Twice", ["x"], ["y"], domain="local", slope=0.25)], "g", [x], [y])
save(helper.make_model(graph, opset_imports=opsets, functions=[function]),
     out + "/function.onnx")

def branch(op):
    return helper.make_graph([helper.make_node(op, ["x"], [op])], op, [],
                             [helper.make_tensor_value_info(op, TensorProto.FLOAT, ["n"])])


rank = helper.make_tensor("two", TensorProto.INT64, [], [1])
graph = helper.make_graph(
    [helper.make_node("Shape", ["x"], ["s"]),
     helper.make_node("Size", ["s"], ["r"]),
     helper.make_node("Equal", ["r", "two"], ["c"]),
     helper.make_node("If", ["c"], ["y"], then_branch=branch("Neg"),
                      else_branch=branch("Exp"))], "g", [x], [y], [rank])
save(helper.make_model(graph, opset_imports=opsets[:1]), out + "/branch.onnx")

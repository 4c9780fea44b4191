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

# A chain of functions, each of which calls the one before.
chain = [helper.make_function("local", "F0", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])],
                              opsets[:1])]
for depth in range(1, 100):
    call = helper.make_node("F%d" % (depth - 1), ["a"], ["b"], domain="local")
    chain.append(helper.make_function("local", "F%d" % depth, ["a"], ["b"], [call], opsets))
graph = helper.make_graph([helper.make_node("F99", ["x"], ["y"], domain="local")], "g", [x], [y])
save(helper.make_model(graph, opset_imports=opsets, functions=chain), out + "/deep.onnx")


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

# Three steps that double a state and keep every second power.
state = helper.make_tensor_value_info("s", TensorProto.FLOAT, ["n"])
body = helper.make_graph(
    [helper.make_node("Add", ["s", "s"], ["next"]),
     helper.make_node("Identity", ["next"], ["kept"]),
     helper.make_node("Identity", ["go_in"], ["go_out"])], "body",
    [helper.make_tensor_value_info("i", TensorProto.INT64, []),
     helper.make_tensor_value_info("go_in", TensorProto.BOOL, []), state],
    [helper.make_tensor_value_info("go_out", TensorProto.BOOL, []),
     helper.make_tensor_value_info("next", TensorProto.FLOAT, ["n"]),
     helper.make_tensor_value_info("kept", TensorProto.FLOAT, ["n"])])
kept = helper.make_tensor_value_info("all", TensorProto.FLOAT, [3, "n"])
for name, trips in (("loop", 3), ("long", 100000)):
    graph = helper.make_graph(
        [helper.make_node("Loop", ["trips", "", "x"], ["y", "all"], body=body)], "g",
        [x], [y, kept], [helper.make_tensor("trips", TensorProto.INT64, [], [trips])])
    save(helper.make_model(graph, opset_imports=opsets[:1]), "%s/%s.onnx" % (out, name))

step = helper.make_graph(
    [helper.make_node("Add", ["s", "e"], ["t"])], "step",
    [state, helper.make_tensor_value_info("e", TensorProto.FLOAT, ["n"])],
    [helper.make_tensor_value_info("t", TensorProto.FLOAT, ["n"])])
elements = helper.make_tensor_value_info("es", TensorProto.FLOAT, [2, "n"])
graph = helper.make_graph(
    [helper.make_node("Scan", ["x", "es"], ["y"], body=step, num_scan_inputs=1)], "g",
    [x, elements], [y])
save(helper.make_model(graph, opset_imports=opsets[:1]), out + "/scan.onnx")

"""Models of cases: one for the judges, many in one for Tenon."""
import onnx
from onnx import TensorProto, helper, numpy_helper

IR_VERSION = 10


def tensor(array, name=""):
    return numpy_helper.from_array(array, name)


def _renamed(name, prefix):
    return prefix + name if name else ""


def _rename_node(node, prefix):
    """A copy of the node whose values, and those of its graphs, have a prefix."""
    node = onnx.NodeProto.FromString(node.SerializeToString())
    node.input[:] = [_renamed(n, prefix) for n in node.input]
    node.output[:] = [_renamed(n, prefix) for n in node.output]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            graph = attribute.g
            for value in [*graph.input, *graph.output, *graph.initializer, *graph.value_info]:
                value.name = _renamed(value.name, prefix)
            nodes = [_rename_node(n, prefix) for n in graph.node]
            del graph.node[:]
            graph.node.extend(nodes)
    return node


def prefix_of(case):
    return f"c{case.number}_"


def build(cases, types=None):
    """`types` has the elements' types of each case's outputs, and their shapes or None."""
    nodes, inputs, outputs, initializers = [], [], [], []
    for case in cases:
        prefix = prefix_of(case)
        for name, array in case.inputs.items():
            if name not in case.constants:
                shape = [_renamed(case.symbols.get((name, axis)), prefix)
                         if (name, axis) in case.symbols else size
                         for axis, size in enumerate(array.shape)]
                element = helper.np_dtype_to_tensor_dtype(array.dtype)
                inputs.append(helper.make_tensor_value_info(prefix + name, element, shape))
            elif case.as_nodes:
                nodes.append(helper.make_node("Constant", [], [prefix + name], prefix + name,
                                              value=tensor(array)))
            else:
                initializers.append(tensor(array, prefix + name))
        for position, node in enumerate(case.nodes):
            nodes.append(_rename_node(node, prefix))
            nodes[-1].name = f"{prefix}n{position}"
        for name in case.outputs:
            if types is None:
                outputs.append(onnx.ValueInfoProto(name=prefix + name))
            else:
                element, shape = types[case.number][name]
                outputs.append(helper.make_tensor_value_info(prefix + name, element, shape))
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", cases[0].opset)],
                             ir_version=IR_VERSION)


def for_judges(case):
    """The model of one case, checked, and the types of its outputs."""
    model = onnx.shape_inference.infer_shapes(build([case]), check_type=True, strict_mode=True)
    found = {}
    for value in model.graph.output:
        element = value.type.tensor_type.elem_type
        if element == TensorProto.UNDEFINED:
            raise ValueError(f"the type of {value.name} can't be inferred")
        found[value.name[len(prefix_of(case)):]] = element
        # The checker expects a shape; judges get none, which the inference may state wrongly.
        value.type.tensor_type.shape.SetInParent()
    del model.graph.value_info[:]
    onnx.checker.check_model(model)
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    return model, found


def inputs_of(case):
    prefix = prefix_of(case)
    return {prefix + n: a for n, a in case.inputs.items() if n not in case.constants}

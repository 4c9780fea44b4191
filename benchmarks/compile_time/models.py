"""Models whose length can be chosen, to see how compile time grows with it."""

UNARY = ["relu", "tanh", "sigmoid", "neg", "abs"]
T = "tensor<64x256xf32>"


def _function(arguments, body, value, type_=T):
    arguments = ", ".join(f"%{name}: {T}" for name in arguments)
    lines = [f"func.func @main({arguments}) -> {type_} {{", *(f"  {line}" for line in body),
             f"  return {value} : {type_}", "}"]
    return "\n".join(lines) + "\n"


def chain(count):
    """Unary ops, and every third one adds the second input."""
    body, last = [], "%x"
    for i in range(count):
        body.append(f"%v{i} = graph.add {last}, %s : {T}" if i % 3 == 2
                    else f"%v{i} = graph.{UNARY[i % 5]} {last} : {T}")
        last = f"%v{i}"
    return _function(["x", "s"], body, last)


def skips(count):
    """Every second op also reads a value from a third of the chain before."""
    body, values = [], ["%x", "%s"]
    for i in range(count):
        far = values[max(0, len(values) - 1 - count // 3)]
        body.append(f"%v{i} = graph.add {values[-1]}, {far} : {T}" if i % 2
                    else f"%v{i} = graph.{UNARY[i % 5]} {values[-1]} : {T}")
        values.append(f"%v{i}")
    return _function(["x", "s"], body, values[-1])


def diamonds(count):
    body, last = [], "%x"
    for i in range(count // 3):
        body += [f"%a{i} = graph.tanh {last} : {T}", f"%b{i} = graph.sigmoid {last} : {T}",
                 f"%c{i} = graph.mul %a{i}, %b{i} : {T}"]
        last = f"%c{i}"
    return _function(["x"], body, last)


def softmaxes(count):
    body, last = [], "%x"
    for i in range(count // 2):
        body += [f"%a{i} = graph.softmax {last} axis = 1 : {T}", f"%b{i} = graph.tanh %a{i} : {T}"]
        last = f"%b{i}"
    return _function(["x"], body, last)


def products(count):
    """A matmul and an elementwise op in turn."""
    body, last, w = ["%w = graph.parameter @w : tensor<256x256xf32>"], "%x", "tensor<256x256xf32>"
    for i in range(count // 2):
        body += [f"%m{i} = graph.matmul {last}, %w : ({T}, {w}) -> {T}",
                 f"%v{i} = graph.{UNARY[i % 5]} %m{i} : {T}"]
        last = f"%v{i}"
    return _function(["x"], body, last)


def branches(count):
    """Branches of two ops each, side by side, and one concatenation of all."""
    half = count // 2
    body = [f"%a{i} = graph.{UNARY[i % 5]} %x : {T}" for i in range(half)]
    body += [f"%b{i} = graph.add %a{i}, %s : {T}" for i in range(half)]
    result = f"tensor<64x{256 * half}xf32>"
    body.append(f"%y = graph.concat {', '.join(f'%b{i}' for i in range(half))} axis = 1 : "
                f"({', '.join([T] * half)}) -> {result}")
    return _function(["x", "s"], body, "%y", result)


GRAPHS = {function.__name__: function
          for function in (chain, skips, diamonds, softmaxes, products, branches)}


def recurrent(op, steps, layers, bidirectional, batch, path):
    """An ONNX model of LSTM or GRU layers, 64 features in and 128 hidden."""
    import numpy
    import onnx
    from onnx import helper, numpy_helper

    random = numpy.random.default_rng(0)
    directions, gates = 2 if bidirectional else 1, {"LSTM": 4, "GRU": 3}[op]
    features, hidden, value = 64, 128, "x"
    nodes, weights = [], []

    def weight(name, *shape):
        data = (random.standard_normal(shape) * 0.1).astype(numpy.float32)
        weights.append(numpy_helper.from_array(data, name))
        return name

    for layer in range(layers):
        inputs = [value, weight(f"W{layer}", directions, gates * hidden, features),
                  weight(f"R{layer}", directions, gates * hidden, hidden),
                  weight(f"B{layer}", directions, 2 * gates * hidden)]
        attributes = {"hidden_size": hidden}
        if bidirectional:
            attributes["direction"] = "bidirectional"
        if op == "GRU":
            attributes["linear_before_reset"] = 1
        nodes.append(helper.make_node(op, inputs, [f"Y{layer}"], name=f"layer{layer}", **attributes))
        nodes.append(helper.make_node("Transpose", [f"Y{layer}"], [f"T{layer}"], perm=[0, 2, 1, 3]))
        weights.append(numpy_helper.from_array(numpy.array([0, 0, -1], numpy.int64), f"S{layer}"))
        nodes.append(helper.make_node("Reshape", [f"T{layer}", f"S{layer}"], [f"X{layer}"]))
        value, features = f"X{layer}", hidden * directions
    tensor = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, "recurrent", [helper.make_tensor_value_info("x", tensor, [steps, batch, 64])],
        [helper.make_tensor_value_info(value, tensor, [steps, batch, features])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)

"""An ONNX model as a torch.nn.Module: one torch call a node, weights as buffers.

PyTorch has no importer of ONNX. This one knows the operators that the models of
these benchmarks use, in the forms in which they use them, and refuses the rest;
what it builds is checked against ONNX Runtime before anything is timed.
"""
import functools

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper


class Unsupported(Exception):
    pass


def padding(a, x):
    """Leading pads, whether the trailing ones are the same, and all as F.pad takes them."""
    if a.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        raise Unsupported("auto_pad")
    rank = x.dim() - 2
    pads = a.get("pads", [0] * 2 * rank)
    return pads[:rank], pads[:rank] == pads[rank:], [
        p for pair in reversed(list(zip(pads[:rank], pads[rank:]))) for p in pair]


def conv(a, x, w, b=None):
    pads, symmetric, apart = padding(a, x)
    if not symmetric:
        x, pads = F.pad(x, apart), [0] * len(pads)
    function = {3: F.conv1d, 4: F.conv2d}[x.dim()]
    return function(x, w, b, a.get("strides", 1), pads, a.get("dilations", 1), a.get("group", 1))


def max_pool(a, x):
    pads, symmetric, apart = padding(a, x)
    if not symmetric:
        x, pads = F.pad(x, apart, value=float("-inf")), [0] * len(pads)
    return F.max_pool2d(x, a["kernel_shape"], a.get("strides", 1), pads,
                        a.get("dilations", 1), bool(a.get("ceil_mode", 0)))


def average_pool(a, x):
    pads, symmetric, apart = padding(a, x)
    kernel, strides = a["kernel_shape"], a.get("strides", 1)
    if a.get("ceil_mode", 0):
        raise Unsupported("AveragePool with ceil_mode")
    inside = bool(a.get("count_include_pad", 0))
    if symmetric:
        return F.avg_pool2d(x, kernel, strides, pads, False, inside)
    sums = F.avg_pool2d(F.pad(x, apart), kernel, strides)
    if inside:
        return sums
    # What share of each window lies in the tensor: constant, and folded as such.
    return sums / F.avg_pool2d(F.pad(torch.ones_like(x), apart), kernel, strides)


def gemm(a, x, w, c=None):
    x = x.t() if a.get("transA", 0) else x
    alpha, beta = a.get("alpha", 1.0), a.get("beta", 1.0)
    if alpha == 1 and beta == 1 and a.get("transB", 0):
        return F.linear(x, w, c)
    y = alpha * (x @ (w.t() if a.get("transB", 0) else w))
    return y if c is None else y + beta * c


def softmax(a, x, opset):
    if opset >= 13:
        return F.softmax(x, a.get("axis", -1))
    # Until opset 13 all dimensions from the axis on are one.
    return F.softmax(x.flatten(a.get("axis", 1)), -1).reshape(x.shape)


def reshape(a, x, shape):
    if not a.get("allowzero", 0):
        shape = [x.shape[i] if size == 0 else size for i, size in enumerate(shape)]
    return x.reshape(shape)


def slice_(a, x, starts, ends, axes=None, steps=None):
    for i, start in enumerate(starts):
        axis = axes[i] if axes else i
        if steps and steps[i] != 1:
            raise Unsupported("Slice with steps")
        index = [slice(None)] * x.dim()
        index[axis] = slice(start, ends[i])
        x = x[tuple(index)]
    return x


def gather(a, x, indices):
    axis = a.get("axis", 0)
    shape = [*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]]
    return torch.index_select(x, axis, indices.reshape(-1)).reshape(shape)


def layer_norm(a, x, scale, bias=None):
    return F.layer_norm(x, x.shape[a.get("axis", -1):], scale, bias, a.get("epsilon", 1e-5))


def batch_norm(a, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, a.get("epsilon", 1e-5))


TYPES = {onnx.TensorProto.FLOAT: torch.float32, onnx.TensorProto.INT64: torch.int64,
         onnx.TensorProto.BOOL: torch.bool}
OPS = {
    "ReduceMean": lambda a, x, axes=None: x.mean(axes or a["axes"], bool(a.get("keepdims", 1))),
    "Add": lambda a, x, y: x + y,
    "AveragePool": average_pool,
    "BatchNormalization": batch_norm,
    "Cast": lambda a, x: x.to(TYPES[a["to"]]),
    "Concat": lambda a, *x: torch.cat(x, a["axis"]),
    "Conv": conv,
    "Div": lambda a, x, y: x / y,
    "Dropout": lambda a, x, *_: x,
    "Equal": lambda a, x, y: x == y,
    "Erf": lambda a, x: torch.erf(x),
    "Expand": lambda a, x, shape: x.expand(torch.broadcast_shapes(x.shape, shape)),
    "Flatten": lambda a, x: x.flatten(a.get("axis", 1)),
    "Gather": gather,
    "Gelu": lambda a, x: F.gelu(x, approximate=a.get("approximate", b"none").decode()),
    "Gemm": gemm,
    "GlobalAveragePool": lambda a, x: F.adaptive_avg_pool2d(x, 1),
    "Identity": lambda a, x: x,
    "LRN": lambda a, x: F.local_response_norm(x, a["size"], a.get("alpha", 1e-4),
                                              a.get("beta", 0.75), a.get("bias", 1.0)),
    "LayerNormalization": layer_norm,
    "LessOrEqual": lambda a, x, y: x <= y,
    "MatMul": lambda a, x, y: x @ y,
    "MaxPool": max_pool,
    "Mul": lambda a, x, y: x * y,
    "Range": lambda a, start, limit, delta: torch.arange(start, limit, delta),
    "Relu": lambda a, x: F.relu(x),
    "Reshape": reshape,
    "Sigmoid": lambda a, x: torch.sigmoid(x),
    "Slice": slice_,
    "Softmax": softmax,
    "Sub": lambda a, x, y: x - y,
    "Sum": lambda a, *x: sum(x[1:], x[0]),
    "Tanh": lambda a, x: torch.tanh(x),
    "Transpose": lambda a, x: x.permute(a["perm"]),
    "Where": lambda a, c, x, y: torch.where(c, x, y),
}
# The first index of the operands that are parameters of the op and must be constant.
KNOWN = {"ReduceMean": 1, "Expand": 1, "Range": 0, "Reshape": 1, "Slice": 1}


class OnnxModule(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        model = onnx.load(path)
        graph = model.graph
        self.opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
        arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                arrays[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        self.inputs = [v.name for v in graph.input if v.name not in arrays]
        self.outputs = [v.name for v in graph.output]
        self.buffer_of, self.steps = {}, []
        for node in graph.node:
            if node.op_type == "Constant":
                continue
            function, attributes, operands, name = self.step(node, arrays)
            if all(i in arrays and arrays[i].dtype == np.int64 for i in node.input):
                # Computed sizes: known from here on.
                arrays[name] = function(attributes, *(
                    value if kind == "value" else getattr(self, value)
                    for kind, value in operands)).numpy()
            else:
                self.steps.append((function, attributes, operands, name))

    def step(self, node, arrays):
        """A function, its attributes, its operands (what is known by value), its result."""
        if node.op_type not in OPS or node.domain not in ("", "ai.onnx"):
            raise Unsupported(f"{node.domain}:{node.op_type}")
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        if node.op_type == "Softmax":
            function = functools.partial(softmax, opset=self.opset)
        else:
            function = OPS[node.op_type]
        known, operands = KNOWN.get(node.op_type, len(node.input)), []
        for index, name in enumerate(node.input):
            if index >= known:
                if name and name not in arrays:
                    raise Unsupported(f"{node.op_type} with operand {index} computed")
                operands.append(("value", arrays[name].tolist() if name else None))
            elif name in arrays:
                operands.append(("buffer", self.add_weight(name, arrays[name])))
            else:
                operands.append(("result", name))
        return function, attributes, operands, node.output[0]

    def add_weight(self, name, array):
        if name not in self.buffer_of:
            self.buffer_of[name] = f"weight{len(self.buffer_of)}"
            self.register_buffer(self.buffer_of[name], torch.from_numpy(array.copy()))
        return self.buffer_of[name]

    def forward(self, *inputs):
        results = dict(zip(self.inputs, inputs))
        for function, attributes, operands, name in self.steps:
            results[name] = function(attributes, *(
                value if kind == "value" else getattr(self, value) if kind == "buffer"
                else results[value] for kind, value in operands))
        return tuple(results[name] for name in self.outputs)

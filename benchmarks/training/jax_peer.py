"""Training of an ONNX model by JAX: one jnp call a node, adamw, one jitted step.

It knows the operators of the models that are compared, and refuses the rest.
"""
import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper


def conv(a, x, w, b=None):
    rank = x.ndim - 2
    pads = a.get("pads", [0] * 2 * rank)
    y = jax.lax.conv_general_dilated(
        x, w, a.get("strides", [1] * rank), list(zip(pads[:rank], pads[rank:])),
        rhs_dilation=a.get("dilations", [1] * rank), feature_group_count=a.get("group", 1),
        dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return y if b is None else y + b.reshape(1, -1, 1, 1)


def max_pool(a, x):
    pads = a.get("pads", [0, 0, 0, 0])
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, *a["kernel_shape"]),
                                 (1, 1, *a.get("strides", [1, 1])),
                                 [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])


def batch_norm(a, x, scale, bias, _mean, _variance):
    """In training: by the statistics of the batch."""
    mean = x.mean((0, 2, 3), keepdims=True)
    variance = x.var((0, 2, 3), keepdims=True)
    y = (x - mean) * jax.lax.rsqrt(variance + a.get("epsilon", 1e-5))
    return y * scale.reshape(1, -1, 1, 1) + bias.reshape(1, -1, 1, 1)


def layer_norm(a, x, scale, bias=0):
    axes = tuple(range(a.get("axis", -1) % x.ndim, x.ndim))
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + a.get("epsilon", 1e-5)) * scale + bias


def gemm(a, x, w, c=None):
    x, w = (x.T if a.get("transA", 0) else x), (w.T if a.get("transB", 0) else w)
    y = a.get("alpha", 1.0) * (x @ w)
    return y if c is None else y + a.get("beta", 1.0) * c


def reshape(a, x, shape):
    return x.reshape([x.shape[i] if size == 0 else int(size) for i, size in enumerate(shape)])


def slice_(a, x, starts, ends, axes=None, steps=None):
    index = [slice(None)] * x.ndim
    for i, start in enumerate(starts):
        index[int(axes[i]) if axes is not None else i] = slice(
            int(start), int(ends[i]), int(steps[i]) if steps is not None else 1)
    return x[tuple(index)]


TYPES = {onnx.TensorProto.FLOAT: jnp.float32, onnx.TensorProto.INT64: jnp.int32}
OPS = {
    "Add": lambda a, x, y: x + y,
    "BatchNormalization": batch_norm,
    "Cast": lambda a, x: x.astype(TYPES[a["to"]]),
    "Conv": conv,
    "Expand": lambda a, x, shape: jnp.broadcast_to(
        x, np.broadcast_shapes(x.shape, tuple(int(size) for size in shape))),
    "Gather": lambda a, x, i: jnp.take(x, i, a.get("axis", 0)),
    "Gelu": lambda a, x: jax.nn.gelu(x, approximate=a.get("approximate", b"none") == b"tanh"),
    "Gemm": gemm,
    "Identity": lambda a, x: x,
    "LayerNormalization": layer_norm,
    "LessOrEqual": lambda a, x, y: x <= y,
    "MatMul": lambda a, x, y: x @ y,
    "MaxPool": max_pool,
    "Mul": lambda a, x, y: x * y,
    "Range": lambda a, start, limit, delta: np.arange(start, limit, delta),
    "ReduceMean": lambda a, x, axes: x.mean(tuple(int(axis) for axis in axes),
                                            keepdims=bool(a.get("keepdims", 1))),
    "Relu": lambda a, x: jax.nn.relu(x),
    "Reshape": reshape,
    "Slice": slice_,
    "Softmax": lambda a, x: jax.nn.softmax(x, a.get("axis", -1)),
    "Sub": lambda a, x, y: x - y,
    "Tanh": lambda a, x: jnp.tanh(x),
    "Transpose": lambda a, x: jnp.transpose(x, a["perm"]),
    "Where": lambda a, c, x, y: jnp.where(c, x, y),
}


class JaxPeer:
    """Like compare.Peer; always compiled."""

    def __init__(self, path, axis, result, rate):
        graph = onnx.load(path).graph
        arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                arrays[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        names = [v.name for v in graph.input if v.name not in arrays]
        nodes = [(OPS[node.op_type],
                  {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute},
                  list(node.input), node.output[0])
                 for node in graph.node if node.op_type != "Constant"]
        is_softmax = graph.node[-1].op_type == "Softmax"
        output = graph.output[result].name
        constants = {name: array for name, array in arrays.items()
                     if array.dtype != np.float32 or array.ndim == 0}
        self.weights = {name: jnp.asarray(array) for name, array in arrays.items()
                        if name not in constants}

        def loss(weights, inputs, target):
            values = {**constants, **weights, **dict(zip(names, inputs))}
            for function, attributes, operands, name in nodes:
                values[name] = function(attributes, *(values[o] if o else None for o in operands))
            scores = jnp.moveaxis(values[output], axis, -1)
            logs = jnp.log(scores) if is_softmax else jax.nn.log_softmax(scores)
            return -jnp.take_along_axis(logs, target[..., None], -1).mean()

        def step(state, count, inputs, target):
            value, gradients = jax.value_and_grad(loss)(state[0], inputs, target)
            first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[1], gradients)
            second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state[2], gradients)
            correct1, correct2 = 1 - 0.9 ** count, 1 - 0.999 ** count
            weights = jax.tree.map(
                lambda w, m, v: w * (1 - rate * 0.01) -
                rate * (m / correct1) / (jnp.sqrt(v / correct2) + 1e-8), state[0], first, second)
            return value, (weights, first, second)

        self.compiled = jax.jit(step, donate_argnums=0)
        zeros = lambda: jax.tree.map(jnp.zeros_like, self.weights)
        self.state, self.count = (self.weights, zeros(), zeros()), 0

    def step(self, inputs, target):
        self.count += 1
        value, self.state = self.compiled(self.state, np.float32(self.count), inputs, target)
        jax.block_until_ready(self.state)
        return value

"""Gathers, scatters and selections by index."""
import math

import numpy as np

from draw import BOOL, I32, I64, U8


def indices(draw, shape, size, kind, negative=True):
    """Indices into an axis of a size, which must not be 0 unless there are none."""
    low = -size if negative and draw.chance(0.4) else 0
    return draw.numpy.integers(low, max(size, 1), shape).astype(kind)


def gather(draw):
    shape = draw.shape(1, 4, zero=0)
    axis = draw.axis(len(shape), draw.opset >= 11)
    at = indices(draw, draw.shape(0, 3), shape[axis], draw.type("Tind", (I64, I32)),
                 draw.opset >= 11)
    return draw.node([draw.array(draw.type(), shape), at], axis=draw.maybe(axis) if axis == 0
                     else axis)


def gather_elements(draw):
    shape = draw.shape(1, 4, zero=0)
    axis = draw.axis(len(shape))
    at = list(shape)
    at[axis] = draw.size(zero=0.05)
    if draw.chance(0.3):
        # The indices may be smaller along other axes, too.
        at = [size if a == axis % len(shape) else draw.randint(1, size)
              for a, size in enumerate(at)]
    return draw.node([draw.array(draw.type(), shape),
                      indices(draw, at, shape[axis], draw.type("Tind", (I64, I32)))],
                     axis=draw.maybe(axis) if axis == 0 else axis)


def positions(draw, shape, batch, count, depth):
    """Positions for GatherND and ScatterND, `count` of the shape."""
    parts = [indices(draw, count, shape[batch + d], I64) for d in range(depth)]
    return np.stack(parts, -1) if parts else np.zeros((*count, 0), I64)


def gather_nd(draw):
    shape = draw.shape(1, 4, zero=0)
    batch = draw.randint(0, len(shape) - 1) if draw.opset >= 12 and draw.chance(0.5) else 0
    depth = draw.randint(1, len(shape) - batch)
    at = positions(draw, shape, batch, (*shape[:batch], *draw.shape(0, 2)), depth)
    return draw.node([draw.array(draw.type(), shape), at],
                     batch_dims=draw.maybe(batch) if batch == 0 and draw.opset >= 12
                     else (batch or None))


def combination(draw, dtype):
    """How updates combine with elements; a Boolean has no sum."""
    kinds = ["none"]
    if draw.opset >= 16 and dtype != BOOL:
        kinds += ["add", "mul"] + (["min", "max"] if draw.opset >= 18 else [])
    return draw.choice(kinds)


def scatter_elements(draw):
    shape = draw.shape(1, 4, zero=0)
    dtype = draw.type()
    axis = draw.axis(len(shape), draw.opset >= 11)
    kind = combination(draw, dtype) if draw.op == "ScatterElements" else "none"
    at = [draw.randint(1, size) for size in shape]
    size = shape[axis]
    index = draw.type("Tind", (I64, I32))
    if kind == "none":
        # The order of updates of one element is undefined: each index once in a row.
        places = _distinct(draw, at, axis, size)
        if draw.opset >= 11 and draw.chance(0.4):
            places = places - size
        places = places.astype(index)
    else:
        if draw.chance(0.3):
            at[axis] = draw.randint(1, 6)
        places = indices(draw, at, size, index)
    return draw.node([draw.array(dtype, shape), places, draw.array(dtype, at)],
                     axis=draw.maybe(axis) if axis == 0 else axis,
                     reduction=None if kind == "none" else kind)


def _distinct(draw, shape, axis, size):
    rest = [s for a, s in enumerate(shape) if a != axis % len(shape)]
    rows = [draw.sample(range(size), shape[axis]) for _ in range(math.prod(rest))]
    return np.moveaxis(np.array(rows, I64).reshape(*rest, shape[axis]), -1, axis)


def scatter_nd(draw):
    shape = draw.shape(1, 4, zero=0)
    dtype = draw.type()
    depth = draw.randint(1, len(shape))
    kind = combination(draw, dtype)
    count = draw.shape(0, 2)
    if kind == "none":
        cells = math.prod(shape[:depth])
        count = (draw.randint(0 if draw.chance(0.1) else 1, min(cells, 6)),)
        flat = draw.sample(range(cells), count[0])
        at = np.array(np.unravel_index(np.array(flat, I64), shape[:depth]), I64).T
        at = at.reshape(count[0], depth)
        if draw.opset >= 11 and draw.chance(0.3):
            at = at - np.array(shape[:depth], I64)
    else:
        at = positions(draw, shape, 0, count, depth)
    updates = draw.array(dtype, (*count, *shape[depth:]))
    return draw.node([draw.array(dtype, shape), at, updates],
                     reduction=None if kind == "none" else kind)


def tensor_scatter(draw):
    shape = draw.shape(2, 4, zero=0)
    rank = len(shape)
    axis = draw.randint(1, rank - 1)
    update = list(shape)
    update[axis] = draw.randint(1, shape[axis])
    circular = draw.chance(0.4)
    most = 2 * shape[axis] if circular else shape[axis] - update[axis]
    at = draw.array(I64, (shape[0],), low=0, high=most)
    dtype = draw.type()
    given = axis - rank if draw.chance(0.4) else axis
    return draw.node([draw.array(dtype, shape), draw.array(dtype, update), draw.maybe(at, 0.8)],
                     mode="circular" if circular else draw.maybe("linear"),
                     axis=None if axis == rank - 2 and draw.chance(0.5) else given)


def compress(draw):
    shape = draw.shape(1, 4)
    axis = draw.maybe(draw.axis(len(shape), draw.opset >= 11), 0.6)
    size = math.prod(shape) if axis is None else shape[axis]
    count = max(1, draw.randint(min(1, size), size)) if size else 1
    condition = draw.array(BOOL, (count,)) & (size > 0)
    return draw.node([draw.array(draw.type(), shape), condition], known=(1,), axis=axis)


def non_zero(draw):
    return draw.node([draw.array(draw.type(), draw.shape(1, 4), special=0.3)], known=(0,))


def one_hot(draw):
    depth = draw.randint(1, 6)
    kind = draw.type("T1", (I64, I32)) if draw.chance(0.7) else draw.type("T1")
    at = indices(draw, draw.shape(0, 3), depth, I64, kind != U8 and draw.opset >= 11)
    if draw.chance(0.2):
        at = at * 2
    value = draw.type("T3")
    # ONNX's evaluator takes no depth of shape [1].
    shape = () if draw.chance(0.85) else (1,)
    number = np.full(shape, depth, draw.type("T2"))
    rank = at.ndim
    axis = draw.maybe(draw.randint(-rank - 1, rank) if draw.opset >= 11 else draw.randint(-1, rank))
    return draw.node([np.asarray(at).astype(kind), number, draw.array(value, (2,))], known=(1,),
                     axis=axis)


OPS = {
    "Compress": compress, "Gather": gather, "GatherElements": gather_elements,
    "GatherND": gather_nd, "NonZero": non_zero, "OneHot": one_hot, "Scatter": scatter_elements,
    "ScatterElements": scatter_elements, "ScatterND": scatter_nd, "TensorScatter": tensor_scatter,
}

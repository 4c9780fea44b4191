"""Shapes, and moving elements: reshapes, slices, pads, concatenations, tiles."""
import math

import numpy as np
from onnx import helper

from draw import F16, F32, F64, I32, I64


def ints(values):
    return np.array(values, I64).reshape(len(values))


def concat(draw):
    dtype, shape = draw.type(), list(draw.shape(1, 4))
    axis = draw.axis(len(shape), draw.opset >= 11)
    arrays = []
    for _ in range(draw.randint(1, 4)):
        shape[axis] = draw.size(zero=0.08)
        arrays.append(draw.array(dtype, shape))
    return draw.node(arrays, axis=axis)


def depth(draw, up):
    block = draw.randint(1, 3)
    n, c, h, w = draw.size(3), draw.size(3, 0), draw.size(4, 0), draw.size(4, 0)
    mode = draw.maybe(draw.pick("DCR", "CRD")) if draw.opset >= (11 if up else 28) else None
    shape = (n, c * block**2, h, w) if up else (n, c, h * block, w * block)
    return draw.node([draw.array(draw.type(), shape)], blocksize=block, mode=mode)


def expand(draw):
    shape = draw.shape(0, 4)
    x = draw.array(draw.type(), draw.broadcastable(shape))
    if draw.chance(0.3):
        shape = draw.broadcastable(shape)
    return draw.node([x, ints(shape)], known=(1,))


def flatten(draw):
    shape = draw.shape()
    rank = len(shape)
    axis = draw.randint(-rank if draw.opset >= 11 else 0, rank)
    return draw.node([draw.array(draw.type(), shape)], axis=draw.maybe(axis, 0.8) if rank else 0)


def identity(draw):
    return draw.node([draw.array(draw.type("V" if draw.opset >= 14 else "T"))])


def pad(draw):
    dtype, shape = draw.type(), draw.shape(1, 4, zero=0.01)
    rank = len(shape)
    modes = ["constant", "constant", "reflect", "edge"] + (["wrap"] if draw.opset >= 19 else [])
    mode = draw.choice(modes)
    if mode != "constant" and 0 in shape:
        mode = "constant"
    axes = list(range(rank))
    if draw.opset >= 18 and draw.chance(0.4):
        axes = draw.axes(rank, 1)
    pads = []
    for _ in range(2):
        for a in axes:
            most = min(3, shape[a] - 1) if mode == "reflect" else 3
            if mode == "wrap":
                most = min(3, shape[a])
            least = -min(2, shape[a] // 3) if mode == "constant" and draw.chance(0.2) else 0
            pads.append(draw.randint(least, max(0, most)))
    x = draw.array(dtype, shape)
    if draw.opset < 11:
        value = draw.maybe(1.5) if mode == "constant" else None
        return draw.node([x], mode=mode, pads=pads, value=value)
    value = draw.maybe(draw.array(dtype, ())) if mode == "constant" else None
    given = axes != list(range(rank)) or (draw.opset >= 18 and draw.chance(0.2))
    return draw.node([x, ints(pads), value, ints(axes) if given else None], known=(1, 3),
                     mode=draw.maybe(mode) if mode == "constant" else mode)


def reshape(draw):
    shape = draw.shape()
    total = math.prod(shape)
    x = draw.array(draw.type(), shape)
    if total == 0:
        allow = draw.opset >= 14 and draw.chance(0.5)
        if allow:
            wanted = [0] + [draw.randint(0, 4) for _ in range(draw.randint(0, 2))]
            draw.shuffle(wanted)
        else:
            wanted = [0 if draw.chance(0.5) else size for size in shape]
        return draw.node([x, ints(wanted)], known=(1,), allowzero=1 if allow else None)
    wanted, rest = [], total
    while rest > 1 or draw.chance(0.2):
        factor = draw.choice([d for d in range(1, rest + 1) if rest % d == 0])
        wanted.append(factor)
        rest //= factor
        if len(wanted) >= 5:
            wanted.append(rest)
            break
    for i, size in enumerate(wanted):
        if i < len(shape) and shape[i] == size and draw.chance(0.6):
            wanted[i] = 0
    if wanted and draw.chance(0.5):
        wanted[draw.randrange(len(wanted))] = -1
    return draw.node([x, ints(wanted)], known=(1,),
                     allowzero=draw.maybe(0, 0.2) if draw.opset >= 14 else None)


def shape_of(draw):
    x = draw.array(draw.type())
    some = draw.some(start=draw.randint(-5, 5), end=draw.randint(-5, 5))
    return draw.node([x], **(some if draw.opset >= 15 else {}))


def size_of(draw):
    return draw.node([draw.array(draw.type())])


def slice_(draw):
    shape = draw.shape(1, 4)
    rank, old = len(shape), draw.opset < 10
    axes = draw.axes(rank, 1, negative=draw.opset >= 10)
    given = draw.chance(0.7) or len(axes) < rank
    if not given:
        axes = list(range(rank))
    steps = [draw.pick(1, 1, 1, 2, 3, -1, -2) for _ in axes]
    starts, ends = [], []
    for axis, step in zip(axes, steps):
        size = shape[axis]
        start, end = (draw.randint(-size - 2, size + 2) for _ in range(2))
        if (start > end) == (step > 0) and draw.chance(0.7):
            start, end = end, start
        if draw.chance(0.2):
            end = 2**63 - 1 if step > 0 or old else -2**63
        starts.append(start)
        ends.append(end)
    x = draw.array(draw.type(), shape)
    if old:
        return draw.node([x], starts=starts, ends=ends, axes=axes if given else None)
    kind = I64 if draw.chance(0.8) or any(abs(e) > 2**31 for e in ends) else I32
    return draw.node([x, ints(starts).astype(kind), ints(ends).astype(kind),
                      ints(axes).astype(kind) if given else None,
                      draw.maybe(ints(steps).astype(kind), 0.8)], known=(1, 2, 3, 4))


def split(draw):
    shape = list(draw.shape(1, 4))
    axis = draw.axis(len(shape), draw.opset >= 11)
    parts = [draw.size(4, 0.1) for _ in range(draw.randint(1, 4))]
    count, sizes = len(parts), parts
    if draw.chance(0.4):
        sizes = None
        parts = [draw.size(3, 0.05)] * count
        if draw.opset >= 18 and draw.chance(0.4) and parts[0] > 1:
            parts[-1] -= 1
    shape[axis] = sum(parts)
    x = draw.array(draw.type(), shape)
    attributes = {"axis": axis if axis or draw.chance(0.5) else None}
    if draw.opset < 13:
        return draw.node([x], count, split=sizes, **attributes)
    if draw.opset >= 18 and sizes is None:
        attributes["num_outputs"] = count
        if parts != [-(-sum(parts) // count)] * (count - 1) + parts[-1:] or parts[-1] < 0:
            attributes["num_outputs"], count, = 1, 1
    return draw.node([x, None if sizes is None else ints(sizes)], count, known=(1,), **attributes)


def squeeze(draw):
    shape = [1 if draw.chance(0.5) else draw.size() for _ in range(draw.randint(1, 5))]
    ones = [i for i, size in enumerate(shape) if size == 1]
    axes = draw.sample(ones, draw.randint(0, len(ones)))
    if draw.opset >= 11:
        axes = [a - len(shape) if draw.chance(0.4) else a for a in axes]
    x = draw.array(draw.type(), shape)
    if draw.opset < 13:
        case = draw.node([x], axes=axes or None)
    else:
        case = draw.node([x, ints(axes) if axes else None], known=(1,))
    if not axes:
        # Which sizes are 1 has to be known.
        case.symbols = {}
    return case


def unsqueeze(draw):
    shape = draw.shape(0, 4)
    count = draw.randint(1, 3)
    axes = draw.axes(len(shape) + count, count, count, negative=draw.opset >= 11)
    x = draw.array(draw.type(), shape)
    if draw.opset < 13:
        return draw.node([x], axes=axes)
    return draw.node([x, ints(axes)], known=(1,))


def tile(draw):
    shape = draw.shape(1, 4)
    repeats = [draw.pick(1, 1, 2, 3, 0 if draw.chance(0.1) else 1) for _ in shape]
    return draw.node([draw.array(draw.type(), shape), ints(repeats)], known=(1,))


def transpose(draw):
    shape = draw.shape(0, 5, 4)
    order = draw.sample(range(len(shape)), len(shape)) or None
    return draw.node([draw.array(draw.type(), shape)], perm=draw.maybe(order, 0.8))


def trilu(draw):
    x = draw.array(draw.type(), draw.shape(2, 4))
    return draw.node([x, draw.maybe(np.array(draw.randint(-6, 6), I64), 0.6)],
                     upper=draw.maybe(draw.pick(0, 1), 0.7))


def eye_like(draw):
    x = draw.array(draw.type("T1"), draw.shape(2, 2))
    kind = draw.maybe(draw.type("T2"))
    return draw.node([x], k=draw.maybe(draw.randint(-4, 4)),
                     dtype=kind and helper.np_dtype_to_tensor_dtype(kind))


def reverse_sequence(draw):
    batch_axis = draw.randint(0, 1)
    shape = (draw.size(5, 0), draw.size(5, 0), *draw.shape(0, 2))
    time = shape[1 - batch_axis]
    lengths = draw.array(I64, (shape[batch_axis],), low=1, high=time)
    given = {} if batch_axis == 1 and draw.chance(0.5) else {
        "batch_axis": batch_axis, "time_axis": 1 - batch_axis}
    return draw.node([draw.array(draw.type(), shape), lengths], **given)


def dropout(draw):
    x = draw.array(draw.type())
    outputs = [True, draw.chance(0.4)] if draw.opset >= 10 else 1
    if draw.opset < 12:
        return draw.node([x], outputs, ratio=draw.maybe(0.3))
    ratio = draw.maybe(np.array(0.4, draw.type("T1", (F32, F64, F16))))
    training = draw.maybe(np.array(False), 0.3)
    return draw.node([x, ratio, training], outputs, known=(1, 2))


def center_crop_pad(draw):
    shape = draw.shape(1, 4, 6)
    axes = draw.axes(len(shape), 1) if draw.chance(0.6) else None
    target = [draw.randint(1, 7) for _ in (shape if axes is None else axes)]
    kind = draw.pick(I64, I64, I32)
    case = draw.node([draw.array(draw.type(), shape), ints(target).astype(kind)], known=(1,),
                     axes=axes)
    if draw.chance(0.8):
        # Static sizes are documented as required.
        case.symbols = {}
    return case


OPS = {
    "CenterCropPad": center_crop_pad, "Concat": concat,
    "DepthToSpace": lambda draw: depth(draw, True),
    "SpaceToDepth": lambda draw: depth(draw, False),
    "Dropout": dropout, "Expand": expand, "EyeLike": eye_like, "Flatten": flatten,
    "Identity": identity, "Pad": pad, "Reshape": reshape, "ReverseSequence": reverse_sequence,
    "Shape": shape_of, "Size": size_of, "Slice": slice_, "Split": split, "Squeeze": squeeze,
    "Tile": tile, "Transpose": transpose, "Trilu": trilu, "Unsqueeze": unsqueeze,
}

"""Reductions, running sums, extrema and their positions."""
import numpy as np

from draw import I32, I64, U8, is_float
from families.movement import ints

FROM_INPUT = {"ReduceSum": 13}
DECIDED_WHOLE = "the logarithm of integers is rounded once, at the end, toward zero"


def reduction(positive=False, small=False, least=0):
    """`least`: the smallest size of a reduced axis; an empty one may have no value."""
    def draw_case(draw):
        shape = draw.shape(0, 4, zero=0 if least else 0.03)
        dtype = draw.type()
        limits = {}
        if positive and is_float(dtype):
            limits = {"low": 0.1, "high": 4}
        elif positive:
            limits = {"low": 1, "high": 9}
        elif small:
            limits = {"low": 0.5, "high": 1.6} if is_float(dtype) else {"low": 0, "high": 3}
        x = draw.array(dtype, shape, **limits)
        axes = draw.axes(len(shape), 0, negative=draw.opset >= 11)
        keep = draw.maybe(draw.pick(0, 1), 0.7)
        decided = DECIDED_WHOLE if draw.op == "ReduceLogSumExp" and not is_float(dtype) else ""
        if draw.opset < FROM_INPUT.get(draw.op, 18):
            return draw.node([x], decided=decided, axes=axes or None, keepdims=keep)
        axes = draw.maybe(ints(axes), 0.8)
        return draw.node([x, axes], known=(1,), decided=decided, keepdims=keep,
                         noop_with_empty_axes=draw.maybe(draw.pick(0, 1), 0.4))
    return draw_case


def arg(draw):
    shape = draw.shape(1, 4, zero=0)
    dtype = draw.type()
    # Few values, so that ties are common.
    x = draw.array(dtype, shape, low=0, high=3)
    x = np.round(x.astype(float)).astype(dtype) if draw.chance(0.5) else x
    last = draw.maybe(draw.pick(0, 1)) if draw.opset >= 12 else None
    return draw.node([x], axis=draw.maybe(draw.axis(len(shape), draw.opset >= 11), 0.8),
                     keepdims=draw.maybe(draw.pick(0, 1)), select_last_index=last)


def cumulative(draw):
    shape = draw.shape(1, 4)
    dtype = draw.type("T")
    small = {"low": 0.6, "high": 1.5} if is_float(dtype) and draw.op == "CumProd" else {}
    axis = np.array(draw.axis(len(shape)), draw.pick(I64, I32))
    return draw.node([draw.array(dtype, shape, **small), axis], known=(1,),
                     exclusive=draw.maybe(draw.pick(0, 1)), reverse=draw.maybe(draw.pick(0, 1)))


def top_k(draw):
    shape = draw.shape(1, 4, 8, zero=0)
    dtype = draw.type()
    axis = draw.axis(len(shape), draw.opset >= 11)
    size = shape[axis]
    total = int(np.prod(shape))
    # Equal elements: the lower index is first.
    if draw.chance(0.3) or dtype == U8 or total > 100:
        x = draw.array(dtype, shape, low=0, high=4)
        x = np.round(x.astype(float)).astype(dtype)
    else:
        x = (draw.numpy.permutation(total) - total // 2).reshape(shape).astype(dtype)
    k = draw.randint(0 if draw.chance(0.05) else 1, size)
    given = {"axis": axis if draw.chance(0.8) or axis not in (-1, len(shape) - 1) else None}
    if draw.opset < 10:
        return draw.node([x], 2, k=k, **given)
    if draw.opset >= 11:
        given["largest"] = draw.maybe(draw.pick(0, 1))
    return draw.node([x, ints([k])], 2, known=(1,), **given)


OPS = {
    "ArgMax": arg, "ArgMin": arg, "CumSum": cumulative, "CumProd": cumulative, "TopK": top_k,
    "ReduceL1": reduction(), "ReduceL2": reduction(), "ReduceLogSum": reduction(positive=True),
    "ReduceLogSumExp": reduction(least=1), "ReduceMax": reduction(least=1),
    "ReduceMean": reduction(least=1), "ReduceMin": reduction(least=1),
    "ReduceProd": reduction(small=True), "ReduceSum": reduction(),
    "ReduceSumSquare": reduction(),
}

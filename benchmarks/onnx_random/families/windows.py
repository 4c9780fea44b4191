"""Convolutions, pools, and what takes windows apart or together."""
import math

import numpy as np

from draw import I64, is_float
from families.movement import ints


def spread(kernel, dilation):
    return (kernel - 1) * dilation + 1


class Window:
    """Draws kernels, strides, dilations and pads, and sizes that hold one window or more."""

    def __init__(self, draw, dilate=True):
        self.rank = rank = draw.pick(1, 2, 2, 2, 3)
        self.kernel = [draw.randint(1, 3) for _ in range(rank)]
        self.strides = draw.maybe([draw.randint(1, 3) for _ in range(rank)], 0.6)
        self.dilations = draw.maybe([draw.pick(1, 1, 2, 3) for _ in range(rank)],
                                    0.4) if dilate else None
        spreads = [spread(k, d) for k, d in zip(self.kernel, self.dilations or [1] * rank)]
        self.auto, self.pads = draw.pick(None, "VALID", "SAME_UPPER", "SAME_LOWER", None, None,
                                         "NOTSET"), None
        if self.auto in (None, "NOTSET") and draw.chance(0.6):
            # A pad is smaller than the kernel, so that no window lies in pads alone.
            self.pads = [draw.randint(0, k - 1) for k in self.kernel * 2]
        if self.auto and self.auto.startswith("SAME"):
            if self.dilations and draw.chance(0.8):
                self.dilations, spreads = None, self.kernel
            if any(s > k for s, k in zip(self.strides or [1] * rank, spreads)):
                # Pads would be negative.
                self.strides = None
        self.size = [max(s, k) + draw.randint(0, 4) for s, k in zip(spreads, self.kernel)]

    def attributes(self):
        return {"strides": self.strides, "dilations": self.dilations, "pads": self.pads,
                "auto_pad": self.auto}


def conv(draw):
    window = Window(draw)
    group = draw.pick(1, 1, 1, 2, 3)
    inner, outer = draw.randint(1, 3), group * draw.randint(1, 3)
    if draw.chance(0.15):
        inner, outer = 1, group
    dtype = draw.type()
    x = draw.array(dtype, (draw.size(3, 0.02), group * inner, *window.size))
    w = draw.array(dtype, (outer, inner, *window.kernel))
    return draw.node([x, w, draw.maybe(draw.array(dtype, (outer,)))], weights=(1, 2),
                     group=group if group > 1 or draw.chance(0.3) else None,
                     kernel_shape=draw.maybe(window.kernel), **window.attributes())


def conv_transpose(draw):
    window = Window(draw)
    group = draw.pick(1, 1, 1, 2)
    inner, outer = group * draw.randint(1, 3), draw.randint(1, 3)
    dtype = draw.type()
    sizes = [draw.randint(1, 5) for _ in window.kernel]
    x = draw.array(dtype, (draw.size(3, 0), inner, *sizes))
    w = draw.array(dtype, (inner, outer, *window.kernel))
    strides = window.strides or [1] * window.rank
    dilations = window.dilations or [1] * window.rank
    spreads = [spread(k, d) for k, d in zip(window.kernel, dilations)]
    if any(k < s for k, s in zip(spreads, strides)) and window.auto != "VALID":
        # SAME would take negative pads.
        window.auto = None
    given = window.attributes()
    full = [s * (n - 1) + k for s, n, k in zip(strides, sizes, spreads)]
    if draw.chance(0.3):
        given["output_padding"] = extra = [draw.randint(0, max(s, d) - 1)
                                           for s, d in zip(strides, dilations)]
        full = [f + e for f, e in zip(full, extra)]
    if window.pads:
        half = window.rank
        if any(f <= a + b for f, a, b in zip(full, window.pads[:half], window.pads[half:])):
            given["pads"] = None
    elif window.auto != "VALID" and draw.chance(0.25):
        given["output_shape"] = [max(1, f - draw.randint(0, 2)) for f in full]
        if draw.chance(0.3):
            given["auto_pad"] = draw.pick("SAME_UPPER", "SAME_LOWER")
    return draw.node([x, w, draw.maybe(draw.array(dtype, (outer,)))], weights=(1, 2),
                     group=group if group > 1 or draw.chance(0.3) else None,
                     kernel_shape=draw.maybe(window.kernel), **given)


def pool(draw):
    dilated = {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[draw.op]
    window = Window(draw, draw.opset >= dilated)
    dtype = draw.type()
    if window.auto and window.auto.startswith("SAME"):
        # Both judges take sizes here that are not the standard's.
        window.dilations = None
    x = draw.array(dtype, (draw.size(3, 0.02), draw.size(3, 0), *window.size))
    given = {**window.attributes(), "kernel_shape": window.kernel}
    if draw.opset >= dilated and window.auto in (None, "NOTSET"):
        given["ceil_mode"] = draw.maybe(draw.pick(0, 1))
    if draw.op == "AveragePool":
        given["count_include_pad"] = draw.maybe(draw.pick(0, 1)) if draw.opset >= 7 else None
    if draw.op == "LpPool":
        given["p"] = draw.maybe(draw.pick(1, 2, 3))
    outputs = 1
    if draw.op == "MaxPool" and draw.opset >= 8:
        outputs = draw.pick(1, 2)
        if outputs == 2:
            given["storage_order"] = draw.maybe(draw.pick(0, 1))
            # Equal elements may be told by either index.
            total = math.prod(x.shape)
            if is_float(dtype) or total <= 120:
                x = (draw.numpy.permutation(total) - total // 2 * is_float(dtype)).reshape(
                    x.shape).astype(dtype)
    return draw.node([x], outputs, **given)


def max_unpool(draw):
    rank = draw.pick(1, 2, 2, 3)
    kernel = [draw.randint(1, 3) for _ in range(rank)]
    strides = draw.maybe([draw.randint(1, 3) for _ in range(rank)])
    sizes = [draw.randint(1, 3) for _ in range(rank)]
    full = [(n - 1) * s + k for n, s, k in zip(sizes, strides or [1] * rank, kernel)]
    pads = None
    if draw.chance(0.3):
        pads = [draw.randint(0, (k - 1) // 2) for k in kernel] * 2
        smaller = [f - 2 * p for f, p in zip(full, pads)]
        if min(smaller) < 1:
            pads = None
        else:
            full = smaller
    n, c = draw.size(2, 0), draw.size(3, 0)
    dtype = draw.type("T1")
    shape = draw.maybe([n, c, *(f + draw.randint(0, 2) for f in full)], 0.4)
    cells = math.prod(full)
    count = math.prod(sizes)
    if count > cells:
        return max_unpool(draw)
    planes = [p * cells + np.array(draw.sample(range(cells), count)) for p in range(n * c)]
    at = np.array(planes, I64).reshape(n, c, *sizes)
    x = draw.array(dtype, at.shape)
    return draw.node([x, at, None if shape is None else ints(shape)], known=(2,),
                     kernel_shape=kernel, strides=strides, pads=pads)


def global_pool(draw):
    shape = (*draw.shape(2, 2, 4), *draw.shape(1, 3, 4, zero=0))
    p = draw.maybe(draw.pick(1, 2, 3)) if draw.op == "GlobalLpPool" else None
    return draw.node([draw.array(draw.type(), shape)], p=p)


def causal_conv(draw):
    dtype = draw.type()
    n, c, length, kernel = (draw.randint(1, 3), draw.randint(1, 4), draw.randint(1, 5),
                            draw.randint(1, 4))
    return draw.node([draw.array(dtype, (n, c, length)), draw.array(dtype, (c, 1, kernel)),
                      draw.maybe(draw.array(dtype, (c,))),
                      draw.maybe(draw.array(dtype, (n, c, kernel - 1)))], [True, True],
                     weights=(1, 2, 3),
                     activation=draw.maybe(draw.pick("none", "silu", "swish")))


def col2im(draw):
    window = Window(draw)
    pads = window.pads or [0] * 2 * window.rank
    n = window.rank
    counts = [(size + pads[a] + pads[a + n] - spread(k, d)) // s + 1 for a, (size, k, d, s) in
              enumerate(zip(window.size, window.kernel, window.dilations or [1] * n,
                            window.strides or [1] * n))]
    shape = (draw.size(2, 0), draw.randint(1, 3) * math.prod(window.kernel), math.prod(counts))
    return draw.node([draw.array(draw.type(), shape), ints(window.size), ints(window.kernel)],
                     known=(1, 2), pads=window.pads, strides=window.strides,
                     dilations=window.dilations)


OPS = {
    "AveragePool": pool, "CausalConvWithState": causal_conv, "Col2Im": col2im, "Conv": conv,
    "ConvTranspose": conv_transpose, "GlobalAveragePool": global_pool,
    "GlobalLpPool": global_pool, "GlobalMaxPool": global_pool, "LpPool": pool, "MaxPool": pool,
    "MaxUnpool": max_unpool,
}

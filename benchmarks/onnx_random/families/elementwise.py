"""Element by element: one input, two that broadcast, many, and selections."""
import numpy as np
from onnx import helper

from draw import BOOL, INTEGERS, U8, is_float


def unary(low=None, high=None, special=0.08, **attributes):
    """One input; each attribute is a function that draws it or gives None."""
    def draw_case(draw):
        dtype = draw.type(draw.parameter())
        kind = is_float(dtype)
        x = draw.array(dtype, scale=3, special=special, low=low if kind else None,
                       high=high if kind else None)
        return draw.node([x], **{k: f(draw) for k, f in attributes.items()})
    return draw_case


def number(low, high):
    return lambda draw: draw.maybe(round(draw.uniform(low, high), 3), 0.7)


def two_shapes(draw):
    """Shapes of two inputs, either of which broadcasts, and the attributes that say so."""
    shape = draw.shape()
    if draw.opset < 7:
        # The second input broadcasts along some axes of the first, if an attribute says so.
        if draw.chance(0.5):
            return shape, shape, {}
        first, last = sorted(draw.randint(0, len(shape)) for _ in range(2))
        suffix = last == len(shape) and draw.chance(0.5)
        axis = None if suffix or first == last else first
        return shape, shape[first:last], {"broadcast": 1, "axis": axis}
    a, b = shape, draw.broadcastable(shape)
    if draw.chance(0.2):
        a = draw.broadcastable(shape, drop=0)
    return (b, a, {}) if draw.chance(0.4) else (a, b, {})


def binary(parameter="T", scale=3.0, special=0.05, nonzero=False, among=None):
    def draw_case(draw):
        dtype = draw.type(parameter, among)
        a, b, given = two_shapes(draw)
        x, y = (draw.array(dtype, s, scale=scale, special=special) for s in (a, b))
        if not is_float(dtype) and dtype != BOOL:
            if nonzero:
                y = np.where(y == 0, 3, y).astype(dtype)
            elif draw.chance(0.15):
                bits = np.iinfo(dtype)
                x = draw.numpy.integers(bits.min, bits.max, a, dtype=dtype, endpoint=True)
        return draw.node([x, y], **given)
    return draw_case


def mod(draw):
    dtype = draw.type()
    a, b, _ = two_shapes(draw)
    x, y = draw.array(dtype, a, scale=5), draw.array(dtype, b, scale=3)
    y = np.where(y == 0, 3, y).astype(dtype)
    return draw.node([x, y], fmod=1 if is_float(dtype) else draw.maybe(draw.pick(0, 1)))


def power(draw):
    dtype = draw.type("T")
    other = draw.type("T1") if draw.opset >= 12 else dtype
    a, b, given = two_shapes(draw)
    if is_float(dtype):
        x = draw.array(dtype, a, low=0.2, high=3)
        if draw.chance(0.3):
            x, y = draw.array(dtype, a, scale=2), draw.array(other, b, low=0, high=4)
            return draw.node([x, y.round() if is_float(other) else y], **given)
        return draw.node([x, draw.array(other, b, **(
            {"scale": 1.5} if is_float(other) else {"low": 0, "high": 4}))], **given)
    # Results that the base's type can't hold are undefined.
    x = draw.array(dtype, a, low=0 if dtype == U8 else -4, high=4)
    y = draw.array(other, b, low=0, high=3)
    return draw.node([x, np.round(y.astype(float)).astype(other)], **given)


def shift(draw):
    a, b, _ = two_shapes(draw)
    x = draw.array(U8, a, low=0, high=255)
    return draw.node([x, draw.array(U8, b, low=0, high=7)],
                     direction=draw.pick("LEFT", "RIGHT"))


def variadic(draw):
    dtype = draw.type()
    shape = draw.shape()
    count = draw.randint(1, 4)
    shapes = [shape if draw.opset < 8 or draw.chance(0.5) else draw.broadcastable(shape)
              for _ in range(count)]
    return draw.node([draw.array(dtype, s, scale=3, special=0.03) for s in shapes])


def prelu(draw):
    dtype = draw.type()
    shape = draw.shape(1, 4)
    # Opset 6 has one slope, or one of each channel.
    slope = draw.broadcastable(shape) if draw.opset >= 7 else (
        (1,) if len(shape) < 2 or draw.chance(0.4) else (shape[1],))
    return draw.node([draw.array(dtype, shape, scale=3), draw.array(dtype, slope)])


def where(draw):
    dtype = draw.type()
    shape = draw.shape()
    c, a, b = (draw.broadcastable(shape) if draw.chance(0.5) else shape for _ in range(3))
    return draw.node([draw.array(BOOL, c), draw.array(dtype, a, special=0.1),
                      draw.array(dtype, b, special=0.1)])


def clip(draw):
    dtype = draw.type()
    x = draw.array(dtype, scale=4, special=0.03)
    low, high = sorted([draw.randint(0, 5), draw.randint(0, 9)])
    if draw.chance(0.1):
        low, high = high, low
    if draw.opset < 11:
        return draw.node([x], **draw.some(min=float(low), max=float(high)))
    if dtype != U8:
        low -= 4
    return draw.node([x, draw.maybe(np.array(low, dtype), 0.7),
                      draw.maybe(np.array(high, dtype), 0.7)])


def is_inf(draw):
    return draw.node([draw.array(draw.type("T1"), special=0.6)],
                     detect_negative=draw.maybe(draw.pick(0, 1)),
                     detect_positive=draw.maybe(draw.pick(0, 1)))


def is_nan(draw):
    return draw.node([draw.array(draw.type("T1"), special=0.6)])


def integral(draw):
    dtype = draw.type()
    x = draw.array(dtype, scale=3, special=0.1)
    if draw.chance(0.6) and is_float(dtype):
        x = (np.round(x.astype(float) * 2) / 2).astype(dtype)
    return draw.node([x])


def swiglu(draw):
    dtype = draw.type()
    shape = draw.shape()
    return draw.node([draw.array(dtype, shape, scale=3), draw.array(dtype, shape)],
                     **draw.some(alpha=round(draw.uniform(-2, 2), 3)))


def _cast_data(draw, source, target):
    """Values that both types can hold."""
    shape = draw.shape()
    if is_float(source) and is_float(target):
        return draw.array(source, shape, scale=10, special=0.05)
    if is_float(source) and target != BOOL:
        return draw.array(source, shape, low=0 if target == U8 else -120, high=120)
    if source in INTEGERS and target in INTEGERS and draw.chance(0.3):
        bits = np.iinfo(source)
        return draw.numpy.integers(bits.min, bits.max, shape, dtype=source, endpoint=True)
    return draw.array(source, shape)


def _cast_types(draw, first, second):
    return draw.type(first), draw.type(second)


def cast(draw):
    source, target = _cast_types(draw, "T1", "T2")
    x = _cast_data(draw, source, target)
    return draw.node([x], to=helper.np_dtype_to_tensor_dtype(target))


def cast_like(draw):
    source, target = _cast_types(draw, "T1", "T2")
    return draw.node([_cast_data(draw, source, target), draw.array(target)])


OPS = {
    "Abs": unary(), "Acos": unary(-1, 1, 0.02), "Acosh": unary(1, 9, 0.02),
    "Asin": unary(-1, 1, 0.02), "Asinh": unary(), "Atan": unary(), "Atanh": unary(-0.99, 0.99, 0),
    "Ceil": integral, "Cos": unary(), "Cosh": unary(-5, 5, 0.02), "Erf": unary(),
    "Exp": unary(-5, 5, 0.02), "Floor": integral, "Log": unary(0.01, 9, 0.02), "Neg": unary(),
    "Not": unary(), "Reciprocal": unary(), "Relu": unary(), "Round": integral,
    "Sigmoid": unary(), "Sign": unary(), "Sin": unary(), "Sinh": unary(-5, 5, 0.02),
    "Softplus": unary(), "Softsign": unary(), "Sqrt": unary(0, 9, 0.02), "Tan": unary(-1.4, 1.4),
    "Tanh": unary(), "Mish": unary(), "BitwiseNot": unary(), "HardSwish": unary(),
    "Celu": unary(alpha=number(0.3, 3)), "Elu": unary(alpha=number(0.3, 3)),
    "HardSigmoid": unary(alpha=number(0.05, 1), beta=number(0, 1)),
    "LeakyRelu": unary(alpha=number(-0.5, 1.5)),
    "Selu": unary(alpha=number(0.5, 2), gamma=number(0.5, 2)),
    "Shrink": unary(lambd=number(0, 3), bias=number(-1, 1)),
    "ThresholdedRelu": unary(alpha=number(-1, 3)), "Swish": unary(alpha=number(-2, 2)),
    "Gelu": unary(approximate=lambda d: d.maybe(d.pick("none", "tanh"))),
    "IsInf": is_inf, "IsNaN": is_nan,
    "Add": binary(), "Sub": binary(), "Mul": binary(), "Div": binary(nonzero=True),
    "And": binary(), "Or": binary(), "Xor": binary(), "Equal": binary(scale=1),
    "Greater": binary(), "GreaterOrEqual": binary(), "Less": binary(), "LessOrEqual": binary(),
    "BitwiseAnd": binary(), "BitwiseOr": binary(), "BitwiseXor": binary(),
    "BitShift": shift, "Mod": mod, "Pow": power, "PRelu": prelu, "Where": where, "Clip": clip,
    "Max": variadic, "Min": variadic, "Mean": variadic, "Sum": variadic, "SwiGLU": swiglu,
    "Cast": cast, "CastLike": cast_like,
}

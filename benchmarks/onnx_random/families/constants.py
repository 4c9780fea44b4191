"""What makes tensors out of attributes and sizes."""
import numpy as np
from onnx import helper

from draw import F32, FLOATS, I32, I64, is_float
from families.movement import ints
from models import tensor


def constant(draw):
    # Its result is a result of the model through an Identity, or is added to an input.
    dtype = draw.type("T")
    kinds = ["value"] * 3
    if draw.opset >= 12:
        kinds += ["value_float", "value_floats", "value_int", "value_ints"]
    kind = draw.choice(kinds)
    value = {"value": lambda: tensor(draw.array(dtype)), "value_float": lambda: draw.gauss(0, 9),
             "value_floats": lambda: [draw.gauss(0, 9) for _ in range(draw.randint(1, 5))],
             "value_int": lambda: draw.randint(-2**62, 2**62),
             "value_ints": lambda: [draw.randint(-99, 99) for _ in range(draw.randint(1, 5))]}
    made = helper.make_node("Constant", [], ["k"], **{kind: value[kind]()})
    result = {"value": dtype, "value_float": F32, "value_floats": F32}.get(kind, np.dtype(I64))
    if draw.chance(0.6) and result in (F32, I64, I32) and draw.opset >= 7:
        return draw.graph([made, helper.make_node("Add", ["k", "x0"], ["y0"])],
                          {"x0": draw.array(result, ())}, ["y0"])
    return draw.graph([made, helper.make_node("Identity", ["k"], ["y0"])], {}, ["y0"])


def constant_of_shape(draw):
    value = draw.maybe(tensor(draw.array(draw.type("T2"), (1,))), 0.8)
    return draw.node([ints(draw.shape(0, 4, zero=0.1))], known=(0,), value=value)


def window(draw):
    size = np.array(draw.randint(2, 12), draw.type("T1", (I64, I32)))
    # An element near 1 rounds to 0 or 1 as an integer.
    kind = draw.maybe(draw.type("T2", FLOATS))
    return draw.node([size], known=(0,), periodic=draw.maybe(draw.pick(0, 1)),
                     output_datatype=kind and helper.np_dtype_to_tensor_dtype(kind))


def range_(draw):
    dtype = draw.type("T")
    if is_float(dtype):
        start, delta = draw.randint(-8, 8) / 4, draw.choice([-0.5, 0.25, 0.5, 1.0, 2.5])
        limit = start + delta * (draw.randint(-1, 8) + draw.choice([0, 0.5, 0.25]))
    else:
        start, delta = draw.randint(-8, 8), draw.choice([-3, -1, 1, 2, 5])
        limit = start + draw.randint(-3, 12) * (1 if delta > 0 else -1)
    return draw.node([np.array(v, dtype) for v in (start, limit, delta)], known=(0, 1, 2))


OPS = {
    "BlackmanWindow": window, "HammingWindow": window, "HannWindow": window,
    "Constant": constant, "ConstantOfShape": constant_of_shape, "Range": range_,
}

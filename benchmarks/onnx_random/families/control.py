"""Branches, loops, scans and sequences."""
import numpy as np
from onnx import helper

from draw import BOOL, F32, F64, I32, I64, attribute_graph, tensor_type
from families.movement import ints
from models import tensor

NUMBERS = (F32, F32, F64, I64, I32)
STEPS = ["Add", "Sub", "Mul"]


def make(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def constant(name, value):
    return make("Constant", [], [name], value=tensor(np.asarray(value)))


def if_(draw):
    dtype, shape = draw.choice(NUMBERS), draw.shape(1, 3)
    inputs = {"x": draw.array(dtype, shape), "z": draw.array(dtype, shape)}
    branches = {}
    for name in ("then", "else"):
        nodes = [make(draw.choice(STEPS), ["x", "z"], [name + "_a"]),
                 make(draw.pick("Neg", "Abs"), [name + "_a"], [name + "_b"])]
        branches[name + "_branch"] = attribute_graph(
            nodes, name, [], [tensor_type(name + "_b", dtype, shape)])
    inputs["c"] = np.array(draw.chance(0.5)) if draw.chance(0.5) else np.array([draw.chance(0.5)])
    return draw.graph([make("If", ["c"], ["y0"], **branches)], inputs, ["y0"], known=("c",),
                      fixed=("x", "z"))


def loop(draw):
    """Carried values and scanned ones; the condition may end it early."""
    dtype, shape = draw.choice(NUMBERS), draw.shape(0, 3, 3)
    trips = draw.randint(0, 5)
    kind = draw.pick("trips", "trips", "condition", "both")
    nodes = [make(draw.pick("Add", "Sub"), ["p", "x"], ["q0"])]
    given = {"x": draw.array(dtype, shape), "v": draw.array(dtype, shape)}
    if draw.chance(0.5):
        nodes += [make("Cast", ["i"], ["f"], to=helper.np_dtype_to_tensor_dtype(dtype)),
                  make("Add", ["q0", "f"], ["q"])]
    else:
        nodes.append(make("Identity", ["q0"], ["q"]))
    last = draw.randint(0, 4)
    if kind == "trips":
        nodes.append(make("Identity", ["c"], ["d"]))
    else:
        nodes += [constant("last", np.array(last, I64)), make("Less", ["i", "last"], ["d"])]
    results = [tensor_type("d", BOOL, ()), tensor_type("q", dtype, shape)]
    outputs = ["y0"]
    for number in range(draw.randint(0, 2)):
        nodes.append(make(draw.choice(STEPS), ["q", "x" if number else "p"], [f"s{number}"]))
        results.append(tensor_type(f"s{number}", dtype, shape))
        outputs.append(f"y{number + 1}")
    body = attribute_graph(nodes, "step", [tensor_type("i", I64, ()), tensor_type("c", BOOL, ()),
                                           tensor_type("p", dtype, shape)], results)
    named = {}
    if kind != "condition":
        named["m"] = np.array(trips, I64)
    if kind != "trips" or draw.chance(0.4):
        named["k"] = np.array(draw.chance(0.9))
    given.update(named)
    made = make("Loop", ["m" if "m" in named else "", "k" if "k" in named else "", "v"], outputs,
                body=body)
    return draw.graph([made], given, outputs, known=("m", "k"), fixed=("x", "v"))


def scan(draw):
    dtype = draw.choice(NUMBERS)
    length, shape = draw.randint(1, 4), draw.shape(0, 2, 3, zero=0)
    axis, out_axis = draw.randint(0, len(shape)), draw.randint(0, len(shape))
    whole = [*shape[:axis], length, *shape[axis:]]
    nodes = [make(draw.pick("Add", "Sub", "Mul"), ["p", "e"], ["q"]),
             make(draw.pick("Add", "Sub", "Mul"), ["q", "e"], ["s"])]
    body = attribute_graph(
        nodes, "step", [tensor_type("p", dtype, shape), tensor_type("e", dtype, shape)],
        [tensor_type("q", dtype, shape), tensor_type("s", dtype, shape)])
    given = {"num_scan_inputs": 1, "body": body}
    if axis or draw.chance(0.3):
        given["scan_input_axes"] = [axis - len(whole) if draw.opset >= 11 and draw.chance(0.3)
                                    else axis]
    if out_axis or draw.chance(0.3):
        given["scan_output_axes"] = [out_axis]
    given["scan_input_directions"] = draw.maybe([draw.randint(0, 1)])
    given["scan_output_directions"] = draw.maybe([draw.randint(0, 1)])
    made = make("Scan", ["v", "x"], ["y0", "y1"],
                **{k: a for k, a in given.items() if a is not None})
    return draw.graph([made], {"v": draw.array(dtype, shape), "x": draw.array(dtype, whole)},
                      ["y0", "y1"], fixed=("v", "x"))


def sequence(draw):
    """Makes a sequence, works on it, and takes tensors out of it."""
    dtype = draw.choice(NUMBERS)
    shape = draw.shape(1, 3)
    count = draw.randint(1, 4)
    arrays = {f"x{i}": draw.array(dtype, shape) for i in range(count)}
    nodes = [make("SequenceConstruct", list(arrays), ["s"])]
    if draw.op == "SequenceEmpty":
        nodes = [make("SequenceEmpty", [], ["e"], dtype=helper.np_dtype_to_tensor_dtype(dtype)),
                 make("SequenceInsert", ["e", "x0"], ["s"])]
        arrays, count = {"x0": arrays["x0"]}, 1
        if dtype == F32 and draw.chance(0.5):
            nodes[0] = make("SequenceEmpty", [], ["e"])
    known, last = [], "s"

    def position(name, low, high):
        arrays[name] = np.array(draw.randint(low, high), draw.pick(I64, I32))
        known.append(name)
        return name

    if draw.op == "SequenceInsert" or draw.chance(0.2):
        arrays["z"] = draw.array(dtype, shape)
        where = [position("at0", -count, count)] if draw.chance(0.7) else []
        nodes.append(make("SequenceInsert", [last, "z", *where], ["s1"]))
        last, count = "s1", count + 1
    if (draw.op == "SequenceErase" or draw.chance(0.2)) and count > 1:
        where = [position("at1", -count, count - 1)] if draw.chance(0.7) else []
        nodes.append(make("SequenceErase", [last, *where], ["s2"]))
        last, count = "s2", count - 1
    outputs = ["y0"]
    if draw.op == "SequenceLength":
        nodes.append(make("SequenceLength", [last], ["y0"]))
    elif draw.op == "SequenceAt" or (draw.op != "ConcatFromSequence" and draw.chance(0.4)):
        nodes.append(make("SequenceAt", [last, position("at2", -count, count - 1)], ["y0"]))
    else:
        new = draw.chance(0.4)
        rank = len(shape) + new
        nodes.append(make("ConcatFromSequence", [last], ["y0"], axis=draw.axis(rank),
                          **({"new_axis": 1} if new else draw.some(new_axis=0))))
    return draw.graph(nodes, arrays, outputs, known=known)


def split_to_sequence(draw):
    shape = list(draw.shape(1, 3))
    axis = draw.axis(len(shape))
    parts = [draw.randint(1, 3) for _ in range(draw.randint(1, 4))]
    arrays, known, inputs = {}, ["n", "at"], ["x"]
    kind = draw.pick("none", "scalar", "sizes")
    if kind == "scalar":
        part = draw.randint(1, 3)
        total = draw.randint(1, 7)
        arrays["n"] = np.array(part, draw.pick(I64, I32))
        count = -(-total // part)
    elif kind == "sizes":
        total, count = sum(parts), len(parts)
        arrays["n"] = ints(parts).astype(draw.pick(I64, I32))
    else:
        total = count = draw.randint(1, 5)
    shape[axis] = total
    arrays["x"] = draw.array(draw.type("T", (F32, F64, I64, I32)), shape)
    if kind != "none":
        inputs.append("n")
    keep = draw.maybe(draw.pick(0, 1))
    nodes = [make("SplitToSequence", inputs, ["s"],
                  **{k: v for k, v in {"axis": axis, "keepdims": keep}.items() if v is not None})]
    if draw.chance(0.3):
        nodes.append(make("SequenceLength", ["s"], ["y0"]))
    else:
        arrays["at"] = np.array(draw.randint(-count, count - 1), I64)
        nodes.append(make("SequenceAt", ["s", "at"], ["y0"]))
    return draw.graph(nodes, arrays, ["y0"], known=known)


def sequence_map(draw):
    dtype, shape = draw.choice(NUMBERS), draw.shape(1, 3)
    count = draw.randint(1, 3)
    arrays = {f"x{i}": draw.array(dtype, shape) for i in range(count)}
    nodes = [make("SequenceConstruct", list(arrays), ["s"])]
    inputs, values, second = ["s"], [tensor_type("a", dtype, shape)], "a"
    if draw.chance(0.6):
        inputs.append("z")
        arrays["z"] = draw.array(dtype, shape)
        values.append(tensor_type("b", dtype, shape))
        second = "b"
    body = attribute_graph([make(draw.choice(STEPS), ["a", second], ["m0"]),
                            make(draw.pick("Neg", "Abs"), ["m0"], ["m1"])], "each", values,
                           [tensor_type("m1", dtype, shape)])
    nodes += [make("SequenceMap", inputs, ["t"], body=body),
              make("ConcatFromSequence", ["t"], ["y0"], axis=0, new_axis=draw.randint(0, 1))]
    return draw.graph(nodes, arrays, ["y0"], fixed=tuple(arrays))


OPS = {
    "If": if_, "Loop": loop, "Scan": scan, "ConcatFromSequence": sequence,
    "SequenceAt": sequence, "SequenceConstruct": sequence, "SequenceEmpty": sequence,
    "SequenceErase": sequence, "SequenceInsert": sequence, "SequenceLength": sequence,
    "SequenceMap": sequence_map, "SplitToSequence": split_to_sequence,
}

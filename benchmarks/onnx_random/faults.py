"""Where the judges are known to be wrong: their answers don't count there."""
from onnx import helper


def _given(case):
    return {a.name: helper.get_attribute_value(a) for a in case.nodes[0].attribute}


def _ignored_by_recurrent(case):
    node, names = case.nodes[0], _given(case)
    if len(node.input) > 4 and node.input[4]:
        return "takes no sequence lengths"
    for name in ("clip", "activations", "input_forget"):
        if name in names:
            return f"ignores {name}"
    return ""


def _rank_of(name):
    def rank(case):
        return "takes four axes only" if case.inputs[name].ndim != 4 else ""
    return rank


def _old_gemm(case):
    return "adds no C without broadcasting" if case.opset < 7 else ""


def _pool(case):
    given = _given(case)
    if given.get("auto_pad") == b"VALID" and "dilations" in given:
        return "ignores dilations for the size of VALID"
    if case.inputs["x0"].size == 0:
        return "takes no empty input"
    if case.op == "AveragePool" and case.opset < 7:
        return "counts pads before opset 7"
    if case.op == "LpPool" and given.get("ceil_mode"):
        return "scales windows that reach beyond the end"
    if case.op == "MaxPool" and len(case.outputs) > 1 and case.inputs["x0"].ndim == 3:
        return "counts indices from each channel with one axis"
    return ""


def _hardmax(case):
    return "does not flatten before opset 13" if case.opset < 13 else ""


def _loop(case):
    return "joins the steps along an axis before opset 11" if case.opset < 11 else ""


def _lp_normalization(case):
    return "sums without absolute values" if _given(case).get("p") == 1 else ""


def _lrn(case):
    n, c = case.inputs["x0"].shape[:2]
    return "counts channels by the batch" if n != c else ""


def _integer_grid(case):
    whole = case.inputs["x0"].dtype.kind in "iu" and _given(case).get("mode") != b"nearest"
    return "loses integers at the border" if whole else ""


def _recurrent_runtime(case):
    given = _given(case)
    if b"Softplus" in given.get("activations", []):
        return "overflows in Softplus"
    wrong = case.op == "LSTM" and "clip" in given
    return "does not clip the input of the last activation" if wrong else ""


def _attention(case):
    node, given = case.nodes[0], _given(case)
    shown = len(node.output) > 3 and node.output[3]
    wrong = shown and case.opset >= 25 and "softcap" in given and not given.get(
        "qk_matmul_output_mode")
    return "gives the products after the soft cap in mode 0" if wrong else ""


def _old_prelu(case):
    return "broadcasts a slope of channels along the last axis" if case.opset < 7 else ""


def _old_broadcast(case):
    return "broadcasts by the later rules" if "broadcast" in _given(case) else ""


REFERENCE = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater",
                     "Less"), _old_broadcast),
    "Attention": _attention, "GridSample": _integer_grid,
    "AveragePool": _pool, "LpPool": _pool, "MaxPool": _pool, "LRN": _lrn, "Hardmax": _hardmax,
    "Loop": _loop, "LpNormalization": _lp_normalization,
    "RNN": _ignored_by_recurrent, "LSTM": _ignored_by_recurrent, "GRU": _ignored_by_recurrent,
    "PRelu": _old_prelu, "GlobalMaxPool": _rank_of("x0"), "Gemm": _old_gemm,
}
RUNTIME = dict.fromkeys(("RNN", "LSTM", "GRU"), _recurrent_runtime)


def fault(judge, case):
    """Why the judge does not count for the case, or an empty text."""
    table = REFERENCE if judge == "reference" else RUNTIME
    return table[case.op](case) if case.op in table else ""

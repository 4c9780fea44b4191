"""What the standard's text says, in numpy, of cases that neither judge can run."""
import numpy as np
from onnx import helper

from draw import is_float

ACTIVATIONS = {
    "Relu": lambda v, a, b: np.maximum(v, 0), "Tanh": lambda v, a, b: np.tanh(v),
    "Sigmoid": lambda v, a, b: 1 / (1 + np.exp(-v)), "Affine": lambda v, a, b: a * v + b,
    "LeakyRelu": lambda v, a, b: np.where(v >= 0, v, a * v),
    "ThresholdedRelu": lambda v, a, b: np.where(v > a, v, 0),
    "ScaledTanh": lambda v, a, b: a * np.tanh(b * v),
    "HardSigmoid": lambda v, a, b: np.clip(a * v + b, 0, 1),
    "Elu": lambda v, a, b: np.where(v >= 0, v, a * (np.exp(np.minimum(v, 0)) - 1)),
    "Softsign": lambda v, a, b: v / (1 + abs(v)), "Softplus": lambda v, a, b: np.logaddexp(0, v),
}
ALPHA = {"LeakyRelu": 0.01, "ThresholdedRelu": 1.0, "Elu": 1.0, "HardSigmoid": 0.2,
         "Affine": 1.0, "ScaledTanh": 1.0}
BETA = {"HardSigmoid": 0.5, "Affine": 0.0, "ScaledTanh": 1.0}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}


def _functions(op, given, directions):
    """The activations of each direction; parameters go, in order, to those that take them."""
    names = [n.decode() for n in given.get("activations", [])] or DEFAULTS[op] * directions
    alphas, betas = list(given.get("activation_alpha", [])), list(given.get("activation_beta", []))
    clip, made = given.get("clip"), []
    for name in names:
        alpha = (alphas.pop(0) if alphas else ALPHA[name]) if name in ALPHA else None
        beta = (betas.pop(0) if betas else BETA[name]) if name in BETA else None
        made.append(lambda v, f=ACTIVATIONS[name], a=alpha, b=beta: f(
            v if clip is None else np.clip(v, -clip, clip), a, b))
    each = len(DEFAULTS[op])
    return [made[d * each:(d + 1) * each] for d in range(directions)]


def _rnn(fs, given, x, h, c, w, r, wb, rb, p):
    return fs[0](x @ w.T + h @ r.T + wb + rb), c


def _gru(fs, given, x, h, c, w, r, wb, rb, p):
    (wz, wr, wh), (rz, rr, rh) = np.split(w, 3), np.split(r, 3)
    (bz, br, bh), (sz, sr, sh) = np.split(wb, 3), np.split(rb, 3)
    z = fs[0](x @ wz.T + h @ rz.T + bz + sz)
    reset = fs[0](x @ wr.T + h @ rr.T + br + sr)
    if given.get("linear_before_reset"):
        new = fs[1](x @ wh.T + reset * (h @ rh.T + sh) + bh)
    else:
        new = fs[1](x @ wh.T + (reset * h) @ rh.T + sh + bh)
    return (1 - z) * new + z * h, c


def _lstm(fs, given, x, h, c, w, r, wb, rb, p):
    i, o, f, new = np.split(x @ w.T + h @ r.T + wb + rb, 4, axis=1)
    pi, po, pf = np.split(p, 3)
    i = fs[0](i + pi * c)
    f = 1 - i if given.get("input_forget") else fs[0](f + pf * c)
    c = f * c + i * fs[1](new)
    return fs[0](o + po * c) * fs[2](c), c


def recurrent(op, given, inputs):
    step = {"RNN": _rnn, "GRU": _gru, "LSTM": _lstm}[op]
    inputs = inputs + [None] * (8 - len(inputs))
    x, w, r, b, lengths, first_h, first_c, p = inputs
    first = given.get("layout", 0) == 1
    if first:
        x = x.swapaxes(0, 1)
        first_h, first_c = (None if s is None else s.swapaxes(0, 1) for s in (first_h, first_c))
    count, batch = x.shape[:2]
    directions, hidden = w.shape[0], r.shape[2]
    ways = given.get("direction", b"forward").decode()
    y = np.zeros((count, directions, batch, hidden))
    hs, cs = np.zeros((2, directions, batch, hidden))
    for d, fs in enumerate(_functions(op, given, directions)):
        backwards = ways == "reverse" or d == 1
        bias = np.zeros(2 * w.shape[1]) if b is None else b[d]
        wb, rb = np.split(bias, 2)
        peephole = np.zeros(3 * hidden) if p is None else p[d]
        for n in range(batch):
            length = count if lengths is None else int(lengths[n])
            h = np.zeros((1, hidden)) if first_h is None else first_h[d, n:n + 1]
            c = np.zeros((1, hidden)) if first_c is None else first_c[d, n:n + 1]
            for t in (reversed(range(length)) if backwards else range(length)):
                h, c = step(fs, given, x[t, n:n + 1], h, c, w[d], r[d], wb, rb, peephole)
                y[t, d, n] = h[0]
            hs[d, n], cs[d, n] = h[0], c[0]
    if first:
        y, hs, cs = y.transpose(2, 0, 1, 3), hs.swapaxes(0, 1), cs.swapaxes(0, 1)
    return [y, hs, cs]


def lrn(op, given, inputs):
    x, size = inputs[0], given["size"]
    squares = np.zeros(x.shape)
    for c in range(x.shape[1]):
        low, high = max(0, c - (size - 1) // 2), min(x.shape[1] - 1, c + size // 2)
        squares[:, c] = (x[:, low:high + 1]**2).sum(1)
    return [x / (given.get("bias", 1.0) + given.get("alpha", 1e-4) / size * squares)
            ** given.get("beta", 0.75)]


def global_lp_pool(op, given, inputs):
    x, p = inputs[0], given.get("p", 2)
    return [(abs(x)**p).sum(tuple(range(2, x.ndim)), keepdims=True)**(1 / p)]


BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Pow": np.power,
          "And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor, "Equal": np.equal,
          "Greater": np.greater, "Less": np.less}


def binary(op, given, inputs):
    """Before opset 7, the second input's axes lie at one of the first's."""
    a, b = inputs
    axis = given.get("axis", a.ndim - b.ndim)
    b = b.reshape((1,) * axis + b.shape + (1,) * (a.ndim - axis - b.ndim))
    if op == "Div":
        return [a / b if a.dtype.kind == "f" else np.trunc(a / b)]
    return [BINARY[op](a, b)]


OPS = {**dict.fromkeys([*BINARY, "Div"], binary), "GlobalLpPool": global_lp_pool,
       "RNN": recurrent, "GRU": recurrent, "LSTM": recurrent, "LRN": lrn}


def answer(case, types):
    """The results by name; the types of outputs are numpy's."""
    node = case.nodes[0]
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    arrays = [case.inputs[n] if n else None for n in node.input]
    arrays = [a.astype(float) if a is not None and is_float(a.dtype) else a for a in arrays]
    with np.errstate(all="ignore"):
        results = OPS[case.op](case.op, given, arrays)
    return {n: np.asarray(v).astype(types[n]) for n, v in zip(node.output, results) if n}

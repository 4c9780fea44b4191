"""RNN, LSTM and GRU."""
from draw import I32

PLAIN = ["Relu", "Tanh", "Sigmoid", "Softsign", "Softplus"]
PARAMETERS = {"Affine": (1.5, 0.2), "LeakyRelu": (0.1, None), "ThresholdedRelu": (0.3, None),
              "ScaledTanh": (1.2, 0.7), "HardSigmoid": (0.3, 0.4), "Elu": (0.8, None)}
GATES = {"RNN": 1, "LSTM": 4, "GRU": 3}
ACTIVATIONS = {"RNN": 1, "LSTM": 3, "GRU": 2}


def recurrent(draw):
    dtype = draw.type("T")
    length, batch, width, hidden = (draw.randint(1, n) for n in (4, 3, 3, 3))
    gates = GATES[draw.op]
    direction = draw.pick(None, "forward", "reverse", "bidirectional")
    count = 2 if direction == "bidirectional" else 1
    batch_first = draw.opset >= 14 and draw.chance(0.3)

    def state():
        shape = (batch, count, hidden) if batch_first else (count, batch, hidden)
        return draw.maybe(draw.array(dtype, shape))

    given = {"hidden_size": hidden, "direction": direction,
             "layout": 1 if batch_first else None}
    if draw.chance(0.4):
        names = [draw.choice(PLAIN + list(PARAMETERS)) for _ in range(count * ACTIVATIONS[draw.op])]
        given["activations"] = names
        alphas = [PARAMETERS[n][0] for n in names if n in PARAMETERS]
        betas = [PARAMETERS[n][1] for n in names if n in PARAMETERS and PARAMETERS[n][1]]
        # These have no default parameters, or ONNX Runtime has other ones.
        if draw.chance(0.7) or {"Affine", "ScaledTanh", "ThresholdedRelu"} & set(names):
            given.update(activation_alpha=alphas or None, activation_beta=betas or None)
    if draw.chance(0.2):
        given["clip"] = draw.pick(0.5, 2.0)
    if draw.op == "GRU":
        given["linear_before_reset"] = draw.maybe(draw.pick(0, 1))
    if draw.op == "LSTM" and draw.chance(0.15):
        given["input_forget"] = draw.pick(0, 1)
    inputs = [draw.array(dtype, (batch, length, width) if batch_first else (length, batch, width)),
              draw.array(dtype, (count, gates * hidden, width)),
              draw.array(dtype, (count, gates * hidden, hidden)),
              draw.maybe(draw.array(dtype, (count, 2 * gates * hidden))),
              draw.maybe(draw.array(I32, (batch,), low=1, high=length), 0.3), state()]
    results = 2
    if draw.op == "LSTM":
        inputs += [state(), draw.maybe(draw.array(dtype, (count, 3 * hidden)), 0.3)]
        results = 3
    outputs = [draw.chance(0.7) for _ in range(results)]
    if not any(outputs):
        outputs[0] = True
    case = draw.node(inputs, outputs, weights=(1, 2, 3, 7), **given)
    # The steps are unrolled: their number is static.
    axis = 1 if batch_first else 0
    fixed = case.symbols.pop(("x0", axis), None)
    case.symbols = {k: s for k, s in case.symbols.items() if s != fixed}
    return case


OPS = {"GRU": recurrent, "LSTM": recurrent, "RNN": recurrent}

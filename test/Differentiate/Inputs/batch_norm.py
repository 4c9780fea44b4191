"""Steps of sgd through two batch norms that share their statistics.

Usage: batch_norm.py write FOLDER: writes the weights, the batch, and states
       batch_norm.py check STATES: compares states after two steps
"""

import json
import math
import random
import struct
import sys

N, C, S = 4, 3, 2
EPSILON, RATE, MOMENTUM = 1e-3, 0.5, 0.25
random.seed(19)


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


X = [single(random.gauss(0.5, 2)) for _ in range(N * C * S)]
TARGET = [single(random.gauss(0, 1)) for _ in range(N * C * S)]
WEIGHTS = {name: [single(random.uniform(0.5, 1.5)) for _ in range(C)]
           for name in "sbmv"}
STORED = {name: [single(random.uniform(0.5, 1.5)) for _ in range(C)]
          for name in "sbmv"}


def channel(index):
    return index // S % C


def norm(x, s, b):
    """Returns the result and the mean and variance of each channel."""
    count = N * S
    mean = [sum(v for i, v in enumerate(x) if channel(i) == c) / count
            for c in range(C)]
    variance = [sum((v - mean[c]) ** 2 for i, v in enumerate(x)
                    if channel(i) == c) / count for c in range(C)]
    y = [(v - mean[channel(i)]) / math.sqrt(variance[channel(i)] + EPSILON)
         * s[channel(i)] + b[channel(i)] for i, v in enumerate(x)]
    return y, mean, [v * count / (count - 1) for v in variance]


def forward(s, b):
    first, *one = norm(X, s, b)
    second, *two = norm([x * y for x, y in zip(X, first)], s, b)
    loss = sum((y - t) ** 2 for y, t in zip(second, TARGET)) / len(X)
    return loss, [one, two]


def step(state):
    gradients = {}
    for name in "sb":
        gradients[name] = []
        for c in range(C):
            values = []
            for sign in (1, -1):
                moved = {n: list(state[n]) for n in "sb"}
                moved[name][c] += sign * 1e-6
                values.append(forward(moved["s"], moved["b"])[0])
            gradients[name].append((values[0] - values[1]) / 2e-6)
    for mean, variance in forward(state["s"], state["b"])[1]:
        for name, now in (("m", mean), ("v", variance)):
            state[name] = [(1 - MOMENTUM) * old + MOMENTUM * new
                           for old, new in zip(state[name], now)]
    for name in "sb":
        state[name] = [p - RATE * g for p, g in zip(state[name], gradients[name])]


def write_npy(path, values):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }"
              % (N, C, S))
    header += " " * (-(11 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + struct.pack("<%df" % len(values), *values))


def write_safetensors(path, tensors, step=None):
    header, data = {}, b""
    for name, values in tensors.items():
        bytes_ = struct.pack("<%df" % len(values), *values)
        header[name] = {"dtype": "F32", "shape": [len(values)],
                        "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    if step is not None:
        header["optimizer.step"] = {"dtype": "I64", "shape": [],
                                    "data_offsets": [len(data), len(data) + 8]}
        data += struct.pack("<q", step)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path):
    with open(path, "rb") as file:
        content = file.read()
    size = struct.unpack("<Q", content[:8])[0]
    tensors = {}
    for name, entry in json.loads(content[8:8 + size]).items():
        if entry.get("dtype") == "F32":
            begin, end = (8 + size + x for x in entry["data_offsets"])
            tensors[name] = struct.unpack("<%df" % ((end - begin) // 4),
                                          content[begin:end])
    return tensors


if sys.argv[1] == "write":
    folder = sys.argv[2]
    write_npy(folder + "/x.npy", X)
    write_npy(folder + "/target.npy", TARGET)
    write_safetensors(folder + "/weights.safetensors", WEIGHTS)
    write_safetensors(folder + "/stored.safetensors", STORED)
    write_safetensors(folder + "/stored-states.safetensors", STORED, 7)
else:
    state = dict(WEIGHTS)
    step(state)
    step(state)
    found = read_safetensors(sys.argv[2])
    for name in "sbmv":
        for got, expected in zip(found[name], state[name]):
            if abs(got - expected) > 1e-4 * max(1, abs(expected)):
                sys.exit("%s: got %s, expected %s"
                         % (name, found[name], state[name]))
    print("s, b, m, v: as by the formulas")

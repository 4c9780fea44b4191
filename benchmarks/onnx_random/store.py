"""A selection of right cases for the test suite, which needs no Python packages there: models
of many cases, and a safetensors file beside each with inputs and expected results."""
import collections
import json
import os
import random

import onnx

import models
from draw import BF16, BOOL, F16, F32, F64, I8, I32, I64, U8

NAMES = {BF16: "BF16", BOOL: "BOOL", F16: "F16", F32: "F32", F64: "F64", I8: "I8", I32: "I32",
         I64: "I64", U8: "U8"}
LARGEST = 4000  # bytes of a case


def _safetensors(path, tensors):
    header, data = {}, b""
    for name, array in tensors.items():
        text = array.tobytes()
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(text)]}
        data += text
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as stream:
        stream.write(len(head).to_bytes(8, "little") + head + data)


def _size(case):
    answer = next(iter(case.answers.values()))
    return sum(a.nbytes for a in [*case.inputs.values(), *answer.values()])


def choose(results, count):
    """As many of each operator as there can be, of different opsets, types and sizes first."""
    chosen, queues = [], []
    for op, cases in sorted(results.items()):
        right = [c for c in cases if c.verdict[0] == "right" and c.agree and _size(c) <= LARGEST]
        kinds = collections.defaultdict(list)
        for case in right:
            first = next(iter(case.inputs.values()), None)
            kinds[case.opset, first is not None and str(first.dtype),
                  bool(case.symbols)].append(case)
        queue = []
        while any(kinds.values()):
            queue += [cases.pop(0) for cases in kinds.values() if cases]
        # The same shuffle each time, so that not every operator starts with the same type.
        random.Random(op).shuffle(queue)
        queues.append(sorted(queue, key=lambda c: len(c.constants) == len(c.inputs)))
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def write(folder, results, count, most):
    """Writes models of at most so many cases, each of one opset."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        if name.endswith((".onnx", ".safetensors")):
            os.remove(os.path.join(folder, name))
    by_opset = collections.defaultdict(list)
    for case in choose(results, count):
        by_opset[case.opset].append(case)
    for opset, cases in sorted(by_opset.items()):
        parts = -(-len(cases) // most)
        for part in range(parts):
            some = cases[part::parts]
            tensors = {}
            for number, case in enumerate(some):
                case.number = number
                answer = next(iter(case.answers.values()))
                case.types = {n: (e, None) for n, (e, _) in case.types.items()}
                tensors.update({"in." + n: a for n, a in models.inputs_of(case).items()})
                tensors.update({f"out.{models.prefix_of(case)}{n}": a for n, a in answer.items()})
            base = os.path.join(folder, f"opset-{opset}-{part + 1}")
            model = models.build(some, {c.number: c.types for c in some})
            for node in model.graph.node:
                node.name += "_" + node.op_type
            onnx.save(model, base + ".onnx")
            _safetensors(base + ".safetensors", tensors)

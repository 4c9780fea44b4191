"""Runs stored cases of ONNX operators and compares their results with those of ONNX's own
evaluators, by which benchmarks/onnx_random/run.py --store chose and wrote them:

    check.py BIN FOLDER

BIN has Tenon's tools; FOLDER is for what they write. Each model beside this script holds many
cases, which share nothing; its inputs and expected results are in the .safetensors file."""
import concurrent.futures
import glob
import json
import math
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# ONNX's number of each element type, how struct reads one, and what results may differ by:
# relative to the element, and to the largest.
TYPES = {"F32": (1, "f", 1e-3, 1e-5), "U8": (2, "B", 0, 0), "I8": (3, "b", 0, 0),
         "I32": (6, "i", 0, 0), "I64": (7, "q", 0, 0), "BOOL": (9, "?", 0, 0),
         "F16": (10, "e", 5e-3, 1e-2), "F64": (11, "d", 1e-4, 1e-6), "BF16": (16, "H", 3e-2, 3e-2)}
NAMES = {number: name for name, (number, *_) in TYPES.items()}


def varint(value):
    text = b""
    while value > 127:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


def write_tensor(path, kind, shape, data):
    """A TensorProto: dims, data_type, raw_data."""
    dims = b"".join(b"\x08" + varint(size) for size in shape)
    with open(path, "wb") as stream:
        stream.write(dims + b"\x10" + varint(TYPES[kind][0]) + b"\x4a" + varint(len(data)) + data)


def read_tensor(path):
    with open(path, "rb") as stream:
        text = stream.read()
    at, kind, shape, data = 0, None, [], b""

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = text[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(text):
        key = number()
        value = number()
        if key & 7 == 2:
            field = text[at:at + value]
            at += value
            if key >> 3 == 9:
                data = field
            elif key >> 3 == 1:
                # Packed sizes.
                rest, text, at, end = (text, at), field, 0, len(field)
                while at < end:
                    shape.append(number())
                text, at = rest
        elif key >> 3 == 1:
            shape.append(value)
        elif key >> 3 == 2:
            kind = NAMES.get(value)
    return kind, shape, data


def values(kind, data):
    code = TYPES[kind][1]
    found = struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)
    if kind == "BF16":
        return [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in found]
    return found


def differs(got, wanted):
    """Why a tensor is not what is wanted, or an empty text; each is (type, shape, data)."""
    if got[:2] != wanted[:2]:
        return f"{got[:2]}, expected {wanted[:2]}"
    kind = wanted[0]
    _, _, relative, absolute = TYPES[kind]
    a, b = values(kind, got[2]), values(kind, wanted[2])
    largest = max((abs(v) for v in b if math.isfinite(v)), default=0) if relative else 0
    if kind in ("F32", "F64"):
        largest = max(largest, 1)
    for at, (x, y) in enumerate(zip(a, b)):
        if x == y or (x != x and y != y):
            continue
        if not (relative and math.isfinite(x) and math.isfinite(y)
                and abs(x - y) <= relative * abs(y) + absolute * largest):
            return f"{x}, expected {y} at {at} of {len(b)}"
    return ""


def load(path):
    with open(path, "rb") as stream:
        text = stream.read()
    start = 8 + int.from_bytes(text[:8], "little")
    for name, about in json.loads(text[8:start]).items():
        low, high = (start + offset for offset in about["data_offsets"])
        yield name, (about["dtype"], about["shape"], text[low:high])


def check(binaries, model, folder):
    """The cases of a model, and what is wrong with them."""
    base = os.path.join(folder, os.path.basename(model)[:-len(".onnx")])
    os.makedirs(base)
    arguments, expected = [], {}
    for name, (kind, shape, data) in load(model[:-len("onnx")] + "safetensors"):
        path, name = os.path.join(base, name + ".pb"), name.split(".", 1)[1]
        if os.path.basename(path).startswith("in."):
            write_tensor(path, kind, shape, data)
            arguments += ["--input", f"{name}=@{path}"]
        else:
            expected[name] = kind, shape, data
            arguments += ["--output", f"{name}=@{path}"]
    library, wrong = base + ".so", []
    ways = {"interpreted": [["tenon-interpret", model, *arguments]],
            "compiled": [["tenon-compile", model, "-o", library, "--target=cpu:x86-64-v2"],
                         ["tenon-run", library, *arguments]]}
    for way, commands in ways.items():
        for name in expected:
            if os.path.exists(os.path.join(base, f"out.{name}.pb")):
                os.remove(os.path.join(base, f"out.{name}.pb"))
        for tool, *rest in commands:
            done = subprocess.run([os.path.join(binaries, tool), *rest], capture_output=True,
                                  text=True)
            if done.returncode:
                wrong.append(f"{os.path.basename(model)}, {tool}: {done.stderr.strip()[-600:]}")
                break
        else:
            for name, wanted in expected.items():
                why = differs(read_tensor(os.path.join(base, f"out.{name}.pb")), wanted)
                if why:
                    wrong.append(f"{os.path.basename(model)}, {way}, {name}: {why}")
    return {name.split("_")[0] for name in expected}, wrong


def main():
    binaries, folder = sys.argv[1:]
    models = sorted(glob.glob(os.path.join(HERE, "*.onnx")))
    cases, wrong = 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found, problems in pool.map(lambda m: check(binaries, m, folder), models):
            cases += len(found)
            wrong += len(problems)
            print("\n".join(problems) + "\n" * bool(problems), end="")
    print(f"{cases} cases, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())

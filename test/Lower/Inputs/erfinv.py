"""Points for graph.erfinv, and errors in units in the last place.

usage: erfinv.py write X.npy        65,536 numbers of f32 in [-1, 1], and edges
       erfinv.py check Y.npy R.npy  compares Y (f32 or f64) with R (f64)
"""
import array
import math
import struct
import sys

COUNT = 65536


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    header = data[10 : 10 + size].decode()
    kind = "f" if "<f4" in header else "d"
    return kind, array.array(kind, data[10 + size :])


def write(path):
    # All magnitudes, and all distances from 1.
    points = [1.0, -1.0, 0.0, -0.0, 1.5, -2.0, math.inf, math.nan]
    bits = [0x3F800000 - 1 - step for step in range(2048)]
    while len(points) + len(bits) < COUNT:
        number = len(bits)
        bits.append((0x3F800000 - 17 * number if number % 2 else 0x3F7FFFFF - 14983 * number) & 0x7FFFFFFF)
    for number, word in enumerate(bits):
        value = struct.unpack("<f", struct.pack("<I", word))[0]
        points.append(-value if number % 3 == 0 else value)
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % COUNT
    header += " " * (117 - len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(array.array("f", points).tobytes())


def check(path, reference):
    kind, values = read(path)
    _, exact = read(reference)
    bits, least = (24, -149) if kind == "f" else (53, -1074)
    assert len(values) == len(exact) == COUNT, (len(values), len(exact))
    worst = 0.0
    for value, wanted in zip(values, exact):
        if math.isfinite(wanted) and wanted != 0:
            exponent = max(math.frexp(wanted)[1] - bits, least)
            error = abs(value - wanted) / math.ldexp(1.0, exponent)
            assert error <= 4, (value, wanted, error)
            worst = max(worst, error)
        else:
            same = math.isnan(value) if math.isnan(wanted) else value == wanted
            assert same and (math.isnan(wanted) or math.copysign(1, value) == math.copysign(1, wanted)), (value, wanted)
    print("agrees, worst error %.2f ulp" % worst)


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    check(*sys.argv[2:4])

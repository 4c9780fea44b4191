"""write-npy.py DESCR SIZES FILE: an array of zeros."""

import struct
import sys

descr, sizes, path = sys.argv[1:]
shape = [int(s) for s in sizes.split(",")]
count = int(descr[2:])
for size in shape:
    count *= size
header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n" % (
    descr, tuple(shape))
with open(path, "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    f.write(header.encode() + bytes(count))

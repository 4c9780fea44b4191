"""Writes N samples of open-batch.mlir's inputs, x and target.

Usage: pairs.py N OUT.safetensors
"""

import json
import struct
import sys

count = int(sys.argv[1])
numbers = [(i % 7 - 3) / 4 for i in range(4 * count)]
data = struct.pack("<%df" % len(numbers), *numbers)
header = {
    name: {"dtype": "F32", "shape": [count, 4],
           "data_offsets": [n * len(data), (n + 1) * len(data)]}
    for n, name in enumerate(["x", "target"])
}
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(sys.argv[2], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data + data)

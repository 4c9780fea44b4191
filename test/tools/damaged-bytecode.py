"""Replaces the affine map in a file of bytecode by one that nests too deeply to
be read.

Usage: damaged-bytecode.py FROM TO
"""

import sys

source, target = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
begin = data.index(b"affine_map<")
end = data.index(b"\0", begin)
text = b"affine_map<(d0) -> ("
text += b"(" * (end - begin - len(text))
with open(target, "wb") as file:
    file.write(data[:begin] + text + data[end:])

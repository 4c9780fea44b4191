"""truncate.py FILE PREFIX: writes PREFIX.I.so, the first I quarters of FILE."""

import sys

data = open(sys.argv[1], "rb").read()
for quarter in range(4):
    with open("%s.%d.so" % (sys.argv[2], quarter), "wb") as f:
        f.write(data[: len(data) * quarter // 4 + 1])

"""Of a report whose result needs more memory than its input, prints a limit that
keeps the result out but not the input, and one that keeps neither out.
"""

import json
import sys

with open(sys.argv[1]) as f:
    report = json.load(f)
before, after = (report[side]["peak_bytes"] for side in ("before", "after"))
if not 0 < before < after:
    sys.exit("error: the result takes %d bytes, the input %d" % (after, before))
print((before + after) // 2)
print(after)

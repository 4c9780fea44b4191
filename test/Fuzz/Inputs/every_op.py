"""Says which graph ops no generated graph has.

Usage: every_op.py REFERENCE.md GRAPHS.mlir [OP...], where OPs are not expected.
"""

import re
import sys


def main(reference, graphs, *exceptions):
    with open(reference) as f:
        ops = set(re.findall(r"^### `(graph\.\w+)`", f.read(), re.M))
    with open(graphs) as f:
        text = f.read()
    generated = {op for op in ops if re.search(re.escape(op) + r"\b", text)}
    for op in sorted(ops - generated - set(exceptions)):
        print("error: %s is in no generated graph" % op)
    for op in sorted(generated & set(exceptions)):
        print("error: %s is an exception, but generated" % op)
    print("%d of %d ops" % (len(generated), len(ops)))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Prints what a report says of placement, a kernel a line, without its times.

Usage: placement.py REPORT.json
"""

import json
import sys

with open(sys.argv[1]) as f:
    placement = json.load(f)["placement"]
print("%s: %s" % (placement["plan"], placement["reason"]))
for plan in placement["plans"]:
    assert plan["seconds"] > 0
    print("plan %s, %s" % (plan["plan"], "a run" if plan["run_seconds"] else "no run"))
for kernel in placement["kernels"]:
    extra = kernel["extra_seconds"]
    print("%s %s from %s: %s, instead %s%s" % (
        kernel["backend"], kernel["pattern"], kernel["from"], kernel["basis"],
        kernel["instead"] or "nothing",
        "" if extra is None else ", extra positive" if extra > 0 else ", extra negative"))
total = sum(kernel["seconds"] for kernel in placement["kernels"])
plans = {plan["plan"]: plan["seconds"] for plan in placement["plans"]}
sums = [placement["seconds"], plans.get(placement["plan"], total)]
print("sums agree" if all(abs(s - total) <= 1e-9 * total for s in sums)
      else "sums differ: %s, kernels %s" % (sums, total))
missing = placement["missing"]
print("missing %d%s" % (len(missing), ": " * bool(missing) +
                        ", ".join(kernel["name"] for kernel in missing)))

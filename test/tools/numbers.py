"""Gives every option that takes a number what is none: each is wrong usage,
with status 2 and a message that names the option.

Usage: numbers.py TOOLS
"""

import os
import subprocess
import sys

tools = sys.argv[1]
BAD = ["", "-1", "99999999999999999999", "18446744073709551616", "1x", " 1",
       "0x10", "1.5", "1e3", "one", "--", "\xff"]
# Options, and what they take beside whole numbers.
OPTIONS = {
    "tenon-compile m.mlir -o m.so": ["--threads", "--budget", "--memory-limit"],
    "tenon-compare a.so b.so": ["--threads"],
    "tenon-fuzz": ["--seed", "--count", "--budget", "--ops"],
    "tenon-interpret m.mlir": ["--threads"],
    "tenon-profile m.mlir -o m.json": ["--threads", "--repeat", "--limit"],
    "tenon-rules check m.mlir": ["--seed", "--instances"],
    "tenon-rules mutate m.mlir -o -": ["--limit"],
    "tenon-rules prove m.mlir": ["--rlimit"],
    "tenon-run m.so": ["--threads", "--repeat", "--ranks", "--device=cuda:"],
    "tenon-zoo mlp": ["--batch", "--seed"],
    "tenon-zoo gpt2": ["--sequence"],
    "tenon-zoo mmt": ["--branches", "--heads", "--layers", "--width"],
    "tenon-zoo dlrm": ["--trunk-layers"],
}
REALS = {
    "tenon-compile m.mlir -o m.so": ["--least-gain"],
    "tenon-compare a.so b.so": ["--rtol", "--atol", "--factor"],
    "tenon-interpret m.mlir": ["--rtol", "--atol"],
    "tenon-run m.so": ["--rtol", "--atol"],
}
errors = 0


def check(line, option, value):
    global errors
    command = line.split()
    done = subprocess.run(
        [os.path.join(tools, command[0])] + command[1:]
        + [option + ("" if option.endswith(":") else "=") + value],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    said = done.stderr.decode(errors="replace")
    if done.returncode != 2 or "unknown" in said or option.split("=")[0] not in said:
        print("FAILED: %s %s=%r: status %d, '%s'"
              % (line, option, value, done.returncode, said[:200]))
        errors += 1


for line, options in OPTIONS.items():
    for option in options:
        for value in BAD:
            check(line, option, value)
for line, options in REALS.items():
    for option in options:
        for value in ("", "1x", "one", "nan", "inf", "1e999", "0x", " 1"):
            check(line, option, value)
print("%d errors" % errors)

"""Changes a log of the optimizer in every place, one at a time, and asserts that
tenon-rules replay refuses each, but for those that are derivations too.

Usage: mutate_log.py LOG IN.mlir OUT.mlir RULES SCRATCH COMMAND..., where COMMAND
is tenon-rules.
"""

import copy
import json
import random
import subprocess
import sys

log_path, model, expected, rules, scratch = sys.argv[1:6]
command = sys.argv[6:]
with open(log_path) as f:
    text = f.read()
log = json.loads(text)
errors = 0
counts = {"refused": 0, "allowed": 0}


def replay(content):
    with open(scratch, "wb") as f:
        f.write(content)
    done = subprocess.run(
        command + ["replay", scratch, "--input", model, "--rules", rules,
                   "--expect", expected],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, done.stderr.decode(errors="replace")


def check(what, content, allowed):
    """`allowed`: the log is a derivation of the same result, which --expect
    compares."""
    global errors
    status, message = replay(content)
    if status == (0 if allowed else 1) and (allowed or "error:" in message):
        counts["allowed" if allowed else "refused"] += 1
        return
    errors += 1
    print("error: %s: status %d, %s" % (what, status, message[:300]))


def places(value, path=()):
    """Every value of the log with its path, from the outside in."""
    yield path, value
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], path + (name,))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places(part, path + (number,))


def get(value, path):
    for step in path:
        value = value[step]
    return value


def changed(path, value):
    result = copy.deepcopy(log)
    get(result, path[:-1])[path[-1]] = value
    return result


def is_allowed(path, value):
    # A policy that allows more allows what the log's does.
    if path == ("fp",):
        policies = ["strict", "reassociate", "finite"]
        return (value in policies
                and policies.index(value) > policies.index(log["fp"]))
    return False


def others(path, value):
    """Other values for a scalar."""
    values = [None, []]
    if isinstance(value, str):
        values += ["", value + "x", value + "\0", 7]
        if path[-2:-1] == ("ops",):
            values += ["o0", "o2", "o99", "o01", "o-1", "f0.0", "f1.0", "f99.0",
                       "f-1.0", "f0.4294967295", "o4294967296"]
        # What the log has elsewhere in such a place.
        else:
            values += sorted({other for at, other in places(log)
                              if at and at[-1] == path[-1]
                              and isinstance(other, str)})[:3]
        if path == ("fp",):
            values += ["strict", "reassociate", "finite"]
    else:
        values += [value + 1, value - 1, -value - 1, value + 2 ** 32, 2 ** 63,
                   -2 ** 63, 1e300, value + 0.5, str(value), True]
    # True equals 1 for Python, but not for us.
    values = [v for v in values if v != value or type(v) is not type(value)]
    # All in the first function, some in those that are like it.
    if path[0] == "functions" and path[1] > 0:
        values = random.Random(str(path)).sample(values, 3)
    return values


for path, value in list(places(log)):
    where = "/".join(map(str, path))
    if isinstance(value, (str, int)):
        for other in others(path, value):
            check("%s = %.60r" % (where, other),
                  json.dumps(changed(path, other)).encode(),
                  is_allowed(path, other))
    elif isinstance(value, dict):
        for name in value:
            less = copy.deepcopy(log)
            del get(less, path)[name]
            check("%s without %s" % (where, name), json.dumps(less).encode(),
                  False)
        if path and path[-1] == "symbols":
            more = copy.deepcopy(log)
            get(more, path)["zz"] = "1"
            check("%s with zz" % where, json.dumps(more).encode(), False)
    else:
        # A step at the end that nothing rests on makes no other result; nor
        # does an order of functions.
        for number in range(len(value)):
            for what, part in (
                    ("without", value[:number] + value[number + 1:]),
                    ("twice", value[:number + 1] + value[number:]),
                    ("swapped", value[:number] + value[number:number + 2][::-1]
                     + value[number + 2:])):
                if part == value:
                    continue
                free = (path[-1] == "firings" and what == "twice"
                        and number == len(value) - 1)
                free |= path == ("functions",) and what == "swapped"
                check("%s %s %d" % (where, what, number),
                      json.dumps(changed(path, part)).encode(), free)

        if path[-1] == "conditions":
            check("%s with another" % where,
                  json.dumps(changed(path, value + ["n >= 1"])).encode(), False)

# Steps of one function as those of another.
for one in range(len(log["functions"])):
    for other in range(len(log["functions"])):
        part = log["functions"][other]["firings"]
        if part == log["functions"][one]["firings"]:
            continue
        check("steps of %d for %d" % (other, one),
              json.dumps(changed(("functions", one, "firings"), part)).encode(),
              False)

# Files that are cut off, or have wrong bytes.
random.seed(1)
raw = text.encode()
for end in sorted(random.sample(range(len(raw.rstrip()) - 1), 30)):
    check("cut at %d" % end, raw[:end], False)
for number in range(60):
    at = random.randrange(len(raw))
    byte = random.choice(b"\x00\xff{}[]\",:0-9.eE\\of ")
    damaged = raw[:at] + bytes([byte]) + raw[at + 1:]
    try:
        read = json.loads(damaged.decode())
    except (ValueError, TypeError, KeyError):
        read = None
    check("byte %d is %d" % (at, byte), damaged, read == log)
for content in (b"", b"null", b"[]", b"{}", b"1", b"[" * 1000000,
                b'{"a":' * 1000000, b'"' + b"x" * 1000000,
                b'{"functions": ' + b"[" * 1000000, b"\x00" * 1000):
    check("garbage", content, False)

print("%d refused, %d are derivations too, %d errors"
      % (counts["refused"], counts["allowed"], errors))
sys.exit(errors != 0)

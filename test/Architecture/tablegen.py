"""Checks the records of the .td files: passes and ops say what they do.

Usage: tablegen.py SOURCE_ROOT LLVM_TBLGEN
"""

import json
import os
import subprocess
import sys

import tree


def records(root, tblgen, path):
    include = os.path.join(os.path.dirname(os.path.dirname(tblgen)), "include")
    done = subprocess.run(
        [tblgen, "--dump-json", "-I", include, "-I", os.path.join(root, "include"),
         "-I", os.path.join(root, os.path.dirname(path)), os.path.join(root, path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        return None, done.stderr.decode().strip().splitlines()[0]
    return json.loads(done.stdout), None


def check_pass(name, record, path, errors):
    where = "%s: pass '%s'" % (path, record["argument"] or name)
    summary = record["summary"].strip()
    if not summary:
        errors.append(where + ": expected a summary")
    elif len(summary) > 80:
        errors.append(where + ": expected a summary of at most 80 characters, "
                      "but got %d" % len(summary))
    elif summary.lower().replace(" ", "-") == record["argument"]:
        errors.append(where + ": the summary repeats the name")
    if not record["description"].strip():
        errors.append(where + ": expected a description")


def check_op(name, record, path, errors):
    where = "%s: op '%s'" % (path, record["opName"])
    if not record["summary"].strip():
        errors.append(where + ": expected a summary")


def main(root, tblgen):
    errors = []
    paths = [p for p in tree.files(root, ("include/tenon",), (".td",))
             if p.endswith("Passes.td") or (p.endswith("Ops.td") and os.path.exists(
                 os.path.join(root, os.path.dirname(p), "CMakeLists.txt")))]
    for path in paths:
        found, problem = records(root, tblgen, path)
        if problem:
            # A part of a dialect that does not stand alone: the file that
            # includes it is checked.
            if path.endswith("Passes.td"):
                errors.append("%s: %s" % (path, problem))
            continue
        for name in found["!instanceof"].get("PassBase", []):
            check_pass(name, found[name], path, errors)
        for name in found["!instanceof"].get("Op", []):
            check_op(name, found[name], path, errors)
    tree.finish("tablegen", len(paths), sorted(set(errors)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

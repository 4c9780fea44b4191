"""Checks the pages of the dialects: ops have a description and an example that
tenon-opt parses and verifies.

Usage: examples.py SOURCE_ROOT TENON_OPT FILE, where FILE is written: all
examples, as they are given to tenon-opt.
"""

import re
import subprocess
import sys

import tree

SEPARATOR = "// -----"
EXAMPLE = re.compile(r"^```mlir\n(.*?)^```$", re.M | re.S)


def sections(text):
    """Pairs of an op's name and the part of its page."""
    parts = re.split(r"^##+ (.*)$", text, flags=re.M)
    name = None
    for heading, body in zip(parts[1::2], parts[2::2]):
        found = re.match(r"`(\w+\.\w+)` \(", heading)
        # Headings below are those of tables.
        name = found and found.group(1)
        if name:
            yield name, body


def describe(body):
    """What a section says beside summary, syntax, traits and examples."""
    body = re.split(r"^(?:Traits|Interfaces|Effects): ", body, maxsplit=1,
                    flags=re.M)[0]
    body = re.sub(r"^Syntax:\n\n```\n.*?^```$", "", body, flags=re.M | re.S)
    body = re.sub(r"^_.*_$", "", body, count=1, flags=re.M)
    body = EXAMPLE.sub("", body)
    return re.sub(r"^(?:Example|Constraints):$", "", body, flags=re.M).strip()


def check(path, text, examples, errors):
    for name, body in sections(text):
        where = "%s: %s" % (path, name)
        if not describe(body):
            errors.append(where + ": expected a description")
        found = EXAMPLE.findall(body)
        if not found:
            errors.append(where + ": expected an example")
        elif not any(re.search(r"(?<![\w.])%s(?!\w)" % re.escape(name), one)
                     for one in found):
            errors.append(where + ": expected an example of this op")
        examples += [(name, one) for one in found]


def run(tool, file, examples, errors):
    """Parses and verifies all examples at once."""
    with open(file, "w") as out:
        out.write((SEPARATOR + "\n").join("// %s\n%s" % one for one in examples))
    done = subprocess.run([tool, "--split-input-file", file],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        errors.append("an example is refused:\n" + done.stderr.decode().rstrip())
        return
    read = done.stdout.decode().count(SEPARATOR) + 1
    if read != len(examples):
        errors.append("expected %d examples to be read, but got %d"
                      % (len(examples), read))


def main(root, tool, file):
    errors, examples = [], []
    paths = [p for p in tree.files(root, ("docs/reference",), (".md",))
             if p.startswith("docs/reference/dialect-")]
    for path in paths:
        check(path, tree.read(root, path), examples, errors)
    run(tool, file, examples, errors)
    tree.finish("examples", len(paths), errors)


if __name__ == "__main__":
    main(*sys.argv[1:])

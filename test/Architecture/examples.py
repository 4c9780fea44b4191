"""Checks docs/reference: ops have a description and an example that tenon-opt
parses and verifies; a pass turns the first part of its example into the second.

Usage: examples.py SOURCE_ROOT TENON_OPT [OPTION...] FILE, where FILE is written: the
examples of all ops, as they are given to tenon-opt.
"""

import re
import subprocess
import sys

import tree

SEPARATOR = "// -----"
EXAMPLE = re.compile(r"^```mlir\n(.*?)^```$", re.M | re.S)
PASS_EXAMPLE = re.compile(r"^Example, with `(--[^`\n]*)`:\n\n" + EXAMPLE.pattern[1:] +
                          r"\n\nbecomes\n\n" + EXAMPLE.pattern[1:],
                          re.M | re.S)


def sections(text):
    """Pairs of the name of an op or a pass and the part of its page."""
    parts = re.split(r"^##+ (.*)$", text, flags=re.M)
    for heading, body in zip(parts[1::2], parts[2::2]):
        found = re.match(r"`(\w+\.\w+)` \(|`-([\w-]+)`$", heading)
        # Headings below are those of tables.
        if found:
            yield found.group(1) or found.group(2), body


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
    done = subprocess.run(tool + ["--split-input-file", file],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        errors.append("an example is refused:\n" + done.stderr.decode().rstrip())
        return
    read = done.stdout.decode().count(SEPARATOR) + 1
    if read != len(examples):
        errors.append("expected %d examples to be read, but got %d"
                      % (len(examples), read))


def printed(tool, options, text):
    """What tenon-opt prints, or its diagnostics."""
    done = subprocess.run(tool + options, input=text.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode().rstrip()


def check_passes(path, text, tool, errors):
    for name, body in sections(text):
        where = "%s: %s" % (path, name)
        found = PASS_EXAMPLE.findall(body)
        if 2 * len(found) != len(EXAMPLE.findall(body)):
            errors.append(where + ": expected examples of two parts, with options")
        for options, before, after in found:
            if not re.match(r"--%s(?![\w-])" % name, options):
                errors.append(where + ": expected its own option, but got "
                              + options)
                continue
            got = printed(tool, options.split(), before)
            if got != printed(tool, [], after):
                errors.append("%s: the example becomes\n%s" % (where, got))


def main(root, *rest):
    # tenon-opt may have options.
    tool, file = list(rest[:-1]), rest[-1]
    errors, examples = [], []
    paths = [p for p in tree.files(root, ("docs/reference",), (".md",))
             if not p.endswith("/README.md")]
    for path in paths:
        text = tree.read(root, path)
        if path.startswith("docs/reference/dialect-"):
            check(path, text, examples, errors)
        else:
            check_passes(path, text, tool, errors)
    run(tool, file, examples, errors)
    tree.finish("examples", len(paths), errors)


if __name__ == "__main__":
    main(*sys.argv[1:])

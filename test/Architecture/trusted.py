"""Counts the code between the imported and the placed module that is trusted.

Usage: trusted.py SOURCE_ROOT [--fix]. Prints the lines of each group of trusted.txt,
and fails if a file of its folders is in no group, if a path matches nothing, or if
docs/proofs.md states figures that are off by more than one in twenty. With --fix it
writes what it counted there.

Lines are those that hold code: no blank ones, no comments, and of TableGen no texts.
A path counts for the first group that names it exactly, else for the first whose
pattern it matches.
"""

import fnmatch
import os
import re
import sys

import tree

SUFFIXES = (".cpp", ".h", ".td", ".def", ".in")
ROW = re.compile(r"^\| ([a-z][a-z -]*?) \|([^|]*)\| *([0-9,]+) \|")


def count(text, is_tablegen):
    if is_tablegen:
        text = re.sub(r"\[\{.*?\}\]", "", text, flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines = (line.strip() for line in text.splitlines())
    return sum(1 for line in lines if line and not line.startswith("//"))


def main():
    root, fix = sys.argv[1], sys.argv[2:] == ["--fix"]
    patterns, folders, errors = [], [], []
    for line in tree.read(root, "test/Architecture/trusted.txt").splitlines():
        if not line or line.startswith("#"):
            continue
        name, paths = line.split(": ", 1)
        if name == "folders":
            folders += paths.split()
        else:
            patterns += [(name, path) for path in paths.split()]

    def find(path):
        for name, pattern in patterns:
            if path == pattern:
                return name, pattern
        for name, pattern in patterns:
            if (path.count("/") == pattern.count("/")
                    and fnmatch.fnmatch(path, pattern)):
                return name, pattern
        return None, None

    lines, used = {name: 0 for name, _ in patterns}, set()
    for path in tree.files(root, suffixes=SUFFIXES):
        group, pattern = find(path)
        inside = any(path.startswith(folder + "/") for folder in folders)
        if group is None:
            if inside:
                errors.append("%s: expected a group in trusted.txt" % path)
            continue
        used.add((group, pattern))
        lines[group] += count(tree.read(root, path) or "", path.endswith(".td"))
    for name, pattern in patterns:
        if (name, pattern) not in used:
            errors.append("test/Architecture/trusted.txt: '%s' matches nothing"
                          % pattern)

    document, stated, out = "docs/proofs.md", set(), []
    for line in (tree.read(root, document) or "").splitlines(keepends=True):
        row = ROW.match(line)
        if row and row.group(1) in lines:
            name, number = row.group(1), lines[row.group(1)]
            stated.add(name)
            start, end = row.span(3)
            if fix:
                line = line[:start] + "{:,}".format(number) + line[end:]
            elif abs(int(row.group(3).replace(",", "")) - number) * 20 > number:
                errors.append("%s: %s: expected %d lines, but got %s (run "
                              "test/Architecture/trusted.py . --fix)"
                              % (document, name, number, row.group(3)))
        out.append(line)
    for name in lines:
        if name != "not trusted" and name not in stated:
            errors.append("%s: expected a row for '%s'" % (document, name))
    if fix:
        with open(os.path.join(root, document), "w") as f:
            f.write("".join(out))
    for name, number in lines.items():
        print("%6d %s" % (number, name))
    for error in errors:
        print("error: " + error)
    print("trusted: %d errors" % len(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

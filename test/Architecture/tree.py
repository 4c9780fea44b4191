"""What the lints share: the files of the source tree, and reports."""

import os
import sys

FOLDERS = (
    "include", "lib", "tools", "test", "docs", "cmake", "scripts", ".ci",
    "rules", "benchmarks", "python-free-examples",
)
SKIPPED = {"Output", "__pycache__", ".venv", "node_modules"}


def files(root, folders=FOLDERS, suffixes=None):
    """Paths relative to `root`, sorted, of the files under `folders`."""
    found = []
    for folder in folders:
        for path, names, entries in os.walk(os.path.join(root, folder)):
            names[:] = sorted(n for n in names if n not in SKIPPED)
            for entry in sorted(entries):
                if suffixes is None or entry.endswith(suffixes):
                    full = os.path.join(path, entry)
                    found.append(os.path.relpath(full, root))
    return found


def top_files(root):
    return sorted(
        e for e in os.listdir(root) if os.path.isfile(os.path.join(root, e))
    )


def read(root, path):
    """Text of a file, or None if it does not exist or is not text."""
    if not os.path.isfile(os.path.join(root, path)):
        return None
    with open(os.path.join(root, path), "rb") as f:
        data = f.read()
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8", "replace")


def finish(what, checked, errors):
    """Prints each error and exits: 1 on errors, or if nothing was checked."""
    for error in errors:
        print("error: " + error)
    if errors:
        print("%s: %d errors in %d files" % (what, len(errors), checked))
        sys.exit(1)
    if not checked:
        print("error: %s: expected files to check, but found none" % what)
        sys.exit(1)
    print("%s: %d files, no errors" % (what, checked))

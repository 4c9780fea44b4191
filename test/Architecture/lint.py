"""Small checks of the source tree.

Usage: lint.py CHECK SOURCE_ROOT, where CHECK is a function below whose name
begins with check_ (dashes for underscores): lint.py file-length .
"""

import json
import os
import re
import sys

import tree

CODE = ("include", "lib", "tools", "test/unit")
SOURCES = (".h", ".cpp", ".c", ".td", ".cu", ".proto")


def check_file_length(root):
    """No source over 600 lines, unless long-files.txt says why."""
    allowed = {}
    for line in (tree.read(root, "test/Architecture/long-files.txt") or "").splitlines():
        if line and not line.startswith("#"):
            path, limit, reason = line.split(None, 2)
            allowed[path] = int(limit)
    errors = []
    paths = tree.files(root, suffixes=SOURCES + (".py", ".cmake", ".sh"))
    for path in paths:
        count = len((tree.read(root, path) or "").splitlines())
        limit = allowed.get(path, 600)
        if count > limit:
            errors.append("%s: expected at most %d lines, but got %d"
                          % (path, limit, count))
    for path in sorted(set(allowed) - set(paths)):
        errors.append("test/Architecture/long-files.txt: '%s' does not exist"
                      % path)
    return len(paths), errors


def check_license(root):
    """Each source names its file, the project and the license."""
    errors = []
    paths = tree.files(root, CODE, SOURCES)
    for path in paths:
        head = (tree.read(root, path) or "").splitlines()[:10]
        if not any("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" in l
                   for l in head):
            errors.append("%s: expected the license banner in the first ten "
                          "lines" % path)
        elif path.endswith((".h", ".cpp", ".td")):
            named = re.match(r"//===-+ *(\S+) -", head[0])
            if named and named.group(1) != path.rsplit("/", 1)[1]:
                errors.append("%s: the banner names '%s'"
                              % (path, named.group(1)))
    return len(paths), errors


def check_marks(root):
    """Unfinished work is a refusal with a diagnostic, not a mark."""
    mark = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|"
                      r"\b[Nn]ot (yet )?implemented\b|(?<![\"\w])[Uu]nimplemented\b")
    errors = []
    paths = tree.files(root, ("include", "lib", "tools", "scripts", ".ci",
                              "cmake"))
    for path in paths:
        for number, line in enumerate((tree.read(root, path) or "").splitlines(), 1):
            found = mark.search(line)
            if found:
                errors.append("%s:%d: unfinished: '%s'"
                              % (path, number, found.group(0)))
    return len(paths), errors


def check_local_paths(root):
    """No path of one developer's machine."""
    # Written in pieces, so that this file passes itself.
    local = re.compile(r"(?<![\w.}/-])/(?:" + "|".join(
        ["wo" "rk", "ro" "ot", "ho" "me", "fa" "rm", "Us" "ers"]) + r")/\w")
    errors = []
    paths = tree.files(root) + tree.top_files(root)
    for path in paths:
        for number, line in enumerate((tree.read(root, path) or "").splitlines(), 1):
            found = local.search(line)
            if found:
                errors.append("%s:%d: path of one machine: '%s'"
                              % (path, number, line.strip()[:80]))
    return len(paths), errors


def check_names(root):
    """Headers are named by content, and guards by path."""
    errors = []
    paths = tree.files(root, ("include", "lib"), (".h", ".cpp"))
    for path in paths:
        name = path.rsplit("/", 1)[1]
        if re.match(r"(\w*Util(s|ities)?|Helpers?|Misc|Common)\.(h|cpp)$", name):
            errors.append("%s: expected a name that says what is in it" % path)
        if path.startswith("include/") and name.endswith(".h"):
            expected = re.sub(r"[/.]", "_", path[len("include/"):]).upper()
            guard = re.search(r"^#ifndef (\w+)", tree.read(root, path), re.M)
            if not guard or guard.group(1) != expected:
                errors.append("%s: expected the guard %s, but got %s" % (
                    path, expected, guard.group(1) if guard else "none"))
    return len(paths), errors


def check_duplicates(root):
    """What stands once (duplicates.txt) stands in the files that it names."""
    errors, rows = [], []
    for line in tree.read(root, "test/Architecture/duplicates.txt").splitlines():
        if line and not line.startswith("#"):
            pattern, where, instead = line.split(None, 2)
            allowed = set() if where == "-" else set(where.split(","))
            rows.append((re.compile(pattern), allowed, set(), instead))
    paths = tree.files(root, ("include", "lib", "tools"), (".h", ".cpp", ".td"))
    for path in paths:
        text = tree.read(root, path) or ""
        for pattern, allowed, used, instead in rows:
            found = pattern.search(text)
            if found and path in allowed:
                used.add(path)
            elif found:
                errors.append("%s:%d: expected %s, but got '%s'" % (
                    path, text.count("\n", 0, found.start()) + 1, instead,
                    found.group(0)))
    for pattern, allowed, used, instead in rows:
        for path in sorted(allowed - used):
            errors.append("test/Architecture/duplicates.txt: %s does not match "
                          "'%s'" % (path, pattern.pattern))
    return len(paths), errors


def check_old_names(root):
    """Names that were replaced do not return."""
    new = {}
    for line in tree.read(root, "test/Architecture/old-names.txt").splitlines():
        if line and not line.startswith("#"):
            before, after = line.split()
            new[before] = after
    old = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, new)) + r")(?![\w-])")
    errors = []
    paths = [p for p in tree.files(root, CODE + ("docs", "cmake"))
             if not p.startswith("docs/adr/")]
    for path in paths:
        for number, line in enumerate((tree.read(root, path) or "").splitlines(), 1):
            for found in old.findall(line):
                errors.append("%s:%d: expected '%s', but got '%s'"
                              % (path, number, new[found], found))
    return len(paths), errors


def check_tests_check(root):
    """A lit test must be able to fail by more than its exit status."""
    able = re.compile(r"CHECK|verify-diagnostics|expected-|\bdiff\b|\bcmp\b|"
                      r"--expect|\bnot\b|FileCheck|prove\b|\.py\b|same-text|judge")
    errors = []
    paths = [p for p in tree.files(root, ("test",), (".mlir", ".test"))
             if "/Inputs/" not in p]
    for path in paths:
        text = tree.read(root, path) or ""
        if "RUN:" not in text:
            errors.append("%s: expected a RUN line (data belongs in a folder "
                          "named Inputs)" % path)
        elif not able.search(text):
            errors.append("%s: checks nothing" % path)
    return len(paths), errors


def check_links(root):
    """Relative links of the documents lead to files that exist."""
    errors = []
    paths = tree.files(root, ("docs", "benchmarks", "python-free-examples",
                              "rules"), (".md",))
    paths += [p for p in tree.top_files(root) if p.endswith(".md")]
    for path in paths:
        text = re.sub(r"```.*?```", "", tree.read(root, path), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            target = target.split("#")[0]
            if target and "://" not in target and not target.startswith("mailto:"):
                full = os.path.join(root, os.path.dirname(path), target)
                if not os.path.exists(full):
                    errors.append("%s: link to '%s', which does not exist"
                                  % (path, target))
    return len(paths), errors


def check_lists(root):
    """Lists in the documents are complete: decisions, features, presets,
    tools, examples, folders."""
    def folders(path):
        full = os.path.join(root, path)
        if not os.path.isdir(full):
            return []
        return sorted(n for n in os.listdir(full) if os.path.isfile(
            os.path.join(full, n, "CMakeLists.txt")) or os.path.isfile(
            os.path.join(full, n, "run.sh")))

    wanted = []
    for path in tree.files(root, ("docs/adr",), (".md",)):
        name = os.path.basename(path)
        if re.match(r"\d{4}-", name):
            wanted.append(("docs/adr/README.md", "decision", "(%s)" % name))
    config = tree.read(root, "test/lit.cfg.py") or ""
    features = re.search(r"^features = \{(.*?)^\}", config, re.M | re.S)
    for name in re.findall(r'^    "([\w-]+)":', features.group(1), re.M):
        wanted.append(("docs/testing.md", "feature", "`%s`" % name))
    presets = json.loads(tree.read(root, "CMakePresets.json"))
    for preset in presets["configurePresets"]:
        if not preset.get("hidden"):
            wanted.append(("README.md", "preset", "`%s`" % preset["name"]))
    for name in folders("tools"):
        wanted.append(("README.md", "tool", "`%s`" % name))
    for name in folders("python-free-examples"):
        wanted.append(("python-free-examples/README.md", "example",
                       "(%s/README.md)" % name))
    for name in sorted(os.listdir(root)):
        if os.path.isdir(os.path.join(root, name)) and not name.startswith(
                (".", "build")):
            wanted.append(("README.md", "folder", "`%s" % name))
    errors = ["%s: expected %s %s to be listed" % (path, kind, text)
              for path, kind, text in wanted
              if text not in (tree.read(root, path) or "")]
    return len(wanted), errors


if __name__ == "__main__":
    checks = {n[6:].replace("_", "-"): f for n, f in globals().items()
              if n.startswith("check_")}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        print("usage: lint.py %s SOURCE_ROOT" % "|".join(sorted(checks)))
        sys.exit(2)
    tree.finish(sys.argv[1], *checks[sys.argv[1]](sys.argv[2]))

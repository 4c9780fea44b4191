"""Checks includes against the tables of docs/architecture.md.

Usage: layering.py SOURCE_ROOT
"""

import fnmatch
import posixpath
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#?\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def table(text, heading):
    """Rows of the first table under `## heading`, without its header."""
    section = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % heading, text, re.M | re.S)
    if not section:
        sys.exit("error: docs/architecture.md: expected a section '%s'" % heading)
    lines = [l for l in section.group(1).splitlines() if l.startswith("|")]
    return [[c.strip() for c in l.strip("|").split("|")] for l in lines[2:]]


def parse_rooms(rows):
    """Room pattern -> set of patterns that it may include."""
    allowed = {}
    for name, _, may in rows:
        if may == "all above":
            allowed[name] = set(allowed)
        elif may in ("–", "-", ""):
            allowed[name] = set()
        else:
            allowed[name] = {m.strip() for m in may.split(",")}
    for name, mays in allowed.items():
        for may in mays:
            if may != "Dialect/*" and may not in allowed:
                sys.exit("error: docs/architecture.md: room '%s' may include "
                         "'%s', which has no row" % (name, may))
    return allowed


def parse_outside(rows):
    """Header prefix -> function from room to whether it may include."""
    rules = {}
    for header, rooms in rows:
        names = {r.strip() for r in rooms.replace("all but", "").split(",")}
        if rooms.startswith("all but"):
            rules[header.strip("`")] = lambda r, n=names: not matches(r, n)
        elif rooms == "none":
            rules[header.strip("`")] = lambda r: False
        else:
            rules[header.strip("`")] = lambda r, n=names: matches(r, n)
    return rules


def matches(room, patterns):
    return any(fnmatch.fnmatchcase(room, p) for p in patterns)


def row_of(path, allowed):
    """(row, room) of a path below lib/ or include/tenon/, or None.

    Dialect/Graph/IR/Graph.h is in the row and the room Dialect/Graph;
    Backend/Gpu/X.h in the row Backend/* and the room Backend/Gpu."""
    parts = path.split("/")
    for depth in (2, 1):
        room = "/".join(parts[:depth])
        for row in allowed:
            if len(parts) > depth and fnmatch.fnmatchcase(room, row):
                return row, room
    return None


def main(root):
    text = tree.read(root, "docs/architecture.md")
    allowed = parse_rooms(table(text, "Rooms"))
    outside = parse_outside(table(text, "Headers from outside"))
    errors = []
    paths = tree.files(root, ("include/tenon", "lib"),
                       (".h", ".cpp", ".c", ".td", ".cu", ".inc"))
    for path in paths:
        below = re.sub(r"^(include/tenon|lib)/", "", path)
        place = row_of(below, allowed)
        if place is None:
            errors.append("%s: expected a folder that is a room of "
                          "docs/architecture.md, but got '%s'" % (path, below))
            continue
        row, room = place
        for match in INCLUDE.finditer(tree.read(root, path)):
            header = match.group(2)
            line = tree.read(root, path)[:match.start(2)].count("\n") + 1
            where = "%s:%d" % (path, line)
            if header.startswith("tenon/"):
                target = row_of(header[len("tenon/"):], allowed)
                if target is None:
                    errors.append("%s: '%s' is in no room of "
                                  "docs/architecture.md" % (where, header))
                elif target[1] != room and not (
                        matches(target[1], allowed[row])):
                    errors.append(
                        "%s: room '%s' may not include '%s'; expected one of: "
                        "%s" % (where, room, header,
                                ", ".join(sorted(allowed[row])) or "none"))
            elif header.startswith(("..", "lib/", "tools/", "test/")):
                # A private header: only of the same room.
                full = posixpath.normpath(
                    posixpath.join(posixpath.dirname(path), header))
                target = full.startswith("lib/") and row_of(full[4:], allowed)
                if not target or target[1] != room:
                    errors.append("%s: expected a path below include/ or a "
                                  "private header of the same room, but got "
                                  "'%s'" % (where, header))
            else:
                for prefix, may in outside.items():
                    if header.startswith(prefix) and not may(room):
                        errors.append("%s: room '%s' may not include '%s' "
                                      "(headers from outside)"
                                      % (where, room, header))
    tree.finish("layering", len(paths), errors)


if __name__ == "__main__":
    main(sys.argv[1])

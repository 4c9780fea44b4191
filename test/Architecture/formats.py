"""Compares the members of a JSON example in docs/formats.md with a file.

Usage: formats.py FORMATS.md HEADING FILE.json, where HEADING is written with
dashes: tenon-run-json for "tenon-run --json".
"""

import json
import re
import sys


def members(value, path=""):
    """Names of the members: `inputs[].shape`. Lists stand for all elements."""
    found = set()
    if path.endswith("versions."):
        return {path + "*"}  # by backend
    if isinstance(value, dict):
        for name, part in value.items():
            found.add(path + name)
            found |= members(part, path + name + ".")
    elif isinstance(value, list):
        for part in value:
            found |= members(part, path[:-1] + "[].")
    return found


def main(formats, heading, actual):
    with open(formats) as f:
        text = f.read()
    title = re.escape(heading).replace("\\-", "[^a-z\\n]+")
    found = re.search(r"^## %s\n.*?```json\n(.*?)```" % title, text, re.M | re.S)
    if not found:
        sys.exit("error: %s: expected an example below '%s'" % (formats, heading))
    expected = members(json.loads(found.group(1)))
    with open(actual) as f:
        got = members(json.load(f))
    for name in sorted(got - expected):
        print("error: '%s' is written, but not in the example" % name)
    for name in sorted(expected - got):
        print("error: '%s' is in the example, but not written" % name)
    if "schema_version" not in got:
        print("error: expected schema_version")
    if got != expected or "schema_version" not in got:
        sys.exit(1)
    print("%s: %d members" % (heading, len(got)))


if __name__ == "__main__":
    main(*sys.argv[1:])

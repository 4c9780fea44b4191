"""Judges what `tenon-rules prove --json` said of mutants: RESULTS.json CHECK.txt
LEAST. Every one is refuted, or proved and seen to be true by `tenon-rules check`,
whose output CHECK.txt is; at least LEAST are refuted."""

import collections
import json
import re
import sys

with open(sys.argv[1]) as file:
    rules = json.load(file)["rules"]
with open(sys.argv[2]) as file:
    said = re.findall(r"^(agrees|differs|unchecked) +(\S+)", file.read(), re.M)
agree = {name for verdict, name in said if verdict == "agrees"}
agree -= {name for verdict, name in said if verdict != "agrees"}
counts = collections.Counter(rule["status"] for rule in rules)
print(", ".join("%d %s" % (counts[status], status) for status in sorted(counts)))
bad = [
    rule["name"]
    for rule in rules
    if rule["status"] != "refuted"
    and not (rule["status"] == "proved" and rule["name"] in agree)
]
for name in bad:
    print("error: mutant", name, "is neither refuted nor true")
if counts["refuted"] < int(sys.argv[3]):
    print("error: expected", sys.argv[3], "refuted mutants or more")
    bad.append("too few")
sys.exit(1 if bad else 0)

"""Writes certificates with witnesses of one's own beside a file of rules:

    forge_witness.py RULES.mlir WITNESSES.json [NAME=VALUE]...

The file's rules are those of `tenon-rules prove --json` of it; what they mean, `tenon-rules
check-proof` says. WITNESSES.json holds witnesses by the rule's name; NAME=VALUE replaces
members of the certificates."""

import hashlib
import json
import subprocess
import sys

rules, witnesses = sys.argv[1:3]
members = {}
for word in sys.argv[3:]:
    name, value = word.split("=", 1)
    members[name] = json.loads(value)
found = subprocess.run(["tenon-rules", "prove", "--without-refuting", "--json", rules + ".json",
                        rules], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
with open(rules + ".json") as file:
    found = {rule["name"]: rule for rule in json.load(file)["rules"]}
with open(witnesses) as file:
    witnesses = json.load(file)
certificates = []
for name, witness in witnesses.items():
    c = {"name": name, "statement": found[name]["statement"], "status": "proved",
         "solver": found[name]["solver"], "rlimit": 1, "obligations": 1, "conditions": [],
         "kernel": 12, "hypotheses": [], "meanings": "", "elements": "real", "float": ["reassociates"],
         "witness": witness}
    c.update(members)
    text = json.dumps(c, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    c["digest"] = hashlib.sha256(text.encode()).hexdigest()
    certificates.append(c)
with open(rules.replace(".mlir", ".proved.json"), "w") as file:
    json.dump({"schema_version": 5, "certificates": certificates}, file)

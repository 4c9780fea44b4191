"""Edits one field of each certificate, at random, and asks what still holds:

    edit_certificates.py edit SEED SOURCE TARGET FILE...
    edit_certificates.py judge SOURCE TARGET OUTPUT FILE...

`edit` writes TARGET/FILE for each file of certificates SOURCE/FILE, with digests of what the
certificates then are. OUTPUT is what `tenon-rules check-proof` said of TARGET: `judge` fails if a
certificate holds there that grants anything else than that of SOURCE."""

import copy
import hashlib
import json
import random
import re
import sys

FLAGS = ["reassociates", "needs-finite", "changes-range"]


def read(path):
    with open(path) as file:
        return json.load(file)


def places(value, path=()):
    """All paths in a JSON value."""
    yield path
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, part in value.items() if isinstance(value, dict) else ():
        yield from places(part, path + (key,))


def change(value, draw, others):
    """Another value for a field."""
    choices = [None, 0, 1, -1, True, False, "", "x", "1", [], {}, "real", "any", "proved", FLAGS, others]
    if isinstance(value, int) and not isinstance(value, bool):
        choices = [value + 1, value - 1, -value, 2**63, 0.5] + choices[:4]
    if isinstance(value, str) and value:
        at = draw.randrange(len(value))
        choices = [value[:at] + value[at + 1:], value[:at] + draw.choice("0an-*+ ") + value[at:],
                   "any" if value == "real" else "real"] + choices[:8]
    if isinstance(value, list):
        shuffled = draw.sample(value, len(value))
        choices = [value[:-1], value[1:], value + value[:1], shuffled, value + [FLAGS[0]]] + choices[:6]
    return draw.choice([choice for choice in choices if choice != value])


def edit(certificate, draw, other):
    paths = [path for path in places(certificate) if path and path[0] != "digest"]
    # Each field as often as another, whatever its size.
    field = draw.choice(sorted({path[0] for path in paths} | {"lifts", "range_change"}))
    inside = [path for path in paths if path[0] == field]
    edited = copy.deepcopy(certificate)
    if not inside:
        edited[field] = draw.choice([{}, [], True, "n", other.get(field, {})])
        return edited
    path = draw.choice(inside)
    parent = edited
    for key in path[:-1]:
        parent = parent[key]
    if draw.random() < 0.3:
        del parent[path[-1]]
    elif draw.random() < 0.3 and field in other:
        edited[field] = copy.deepcopy(other[field])
    else:
        parent[path[-1]] = change(parent[path[-1]], draw, other.get(field))
    return edited


def main_edit(seed, source, target, files):
    draw = random.Random(int(seed))
    count = 0
    for name in files:
        whole = read(f"{source}/{name}")
        edited = []
        for certificate in whole["certificates"]:
            new = edit(certificate, draw, draw.choice(whole["certificates"]))
            count += new != certificate
            new.pop("digest", None)
            text = json.dumps(new, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            new["digest"] = hashlib.sha256(text.encode()).hexdigest()
            edited.append(new)
        whole["certificates"] = edited
        with open(f"{target}/{name}", "w") as file:
            json.dump(whole, file)
    print(count, "edited")


def grants(certificate):
    """What the optimizer reads. Anything else than an object is no object."""
    def get(key):
        value = certificate.get(key)
        return value if isinstance(value, dict) else {}
    lifts = get("lifts")
    lifted = [lifts.get(key) for key in ("proved", "symbol", "hypotheses")] if lifts.get("proved") is True else []
    return [certificate.get(key) for key in ("statement", "status", "elements", "hypotheses")] + [
        set(certificate["float"]), get("range_change"), lifted]


def main_judge(source, target, output, files):
    holding = set(re.findall(r"^holds (\S+)", open(output).read(), re.MULTILINE))
    wrong = held = 0
    for name in files:
        originals = read(f"{source}/{name}")["certificates"]
        for before, after in zip(originals, read(f"{target}/{name}")["certificates"]):
            if before["name"] not in holding:
                continue
            held += 1
            if grants(before) != grants(after):
                wrong += 1
                print(before["name"], "now grants", grants(after))
    print(held, "hold,", wrong, "grant something else")
    return wrong != 0


if __name__ == "__main__":
    if sys.argv[1] == "edit":
        main_edit(*sys.argv[2:5], sys.argv[5:])
    else:
        sys.exit(main_judge(*sys.argv[2:5], sys.argv[5:]))

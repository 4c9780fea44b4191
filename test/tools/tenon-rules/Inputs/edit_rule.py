"""Replaces a text in one rule of a file, and fails where the rule lacks it.

Usage: edit_rule.py FILE RULE OLD NEW
"""

import sys

path, rule, old, new = sys.argv[1:]
with open(path) as f:
    text = f.read()
start = text.index("rule.rule @%s(" % rule)
end = text.find("rule.rule @", start + 1)
end = len(text) if end < 0 else end
if old not in text[start:end]:
    sys.exit("error: rule '%s' of %s has no '%s'" % (rule, path, old))
with open(path, "w") as f:
    f.write(text[:start] + text[start:end].replace(old, new) + text[end:])

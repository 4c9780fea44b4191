"""Prints the JSON example below a heading: example.py FILE.md HEADING"""

import re
import sys

with open(sys.argv[1]) as f:
    text = f.read()
found = re.search(r"^## %s\n.*?```json\n(.*?)```" % re.escape(sys.argv[2]), text,
                  re.M | re.S)
if not found:
    sys.exit("error: expected an example below '%s'" % sys.argv[2])
print(found.group(1))

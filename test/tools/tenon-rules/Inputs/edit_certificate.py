"""Changes a certificate, and gives it the digest of what it then is:

    edit_certificate.py IN.json OUT.json NAME 'PYTHON'

PYTHON is run with `c`, the certificate of the rule NAME."""

import hashlib
import json
import sys

source, target, name, code = sys.argv[1:]
with open(source) as file:
    whole = json.load(file)
for c in whole["certificates"]:
    if c["name"] != name:
        continue
    exec(code)
    c.pop("digest", None)
    text = json.dumps(c, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    c["digest"] = hashlib.sha256(text.encode()).hexdigest()
with open(target, "w") as file:
    json.dump(whole, file)

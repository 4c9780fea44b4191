"""Calls each tool of a folder with --help, --version and a wrong flag."""

import os
import re
import subprocess
import sys

folder = sys.argv[1]
tools = sorted(
    n for n in os.listdir(folder) if n.startswith("tenon-") and n != "tenon-lit"
)
errors = 0


def check(tool, flag, status, pattern):
    global errors
    done = subprocess.run(
        [os.path.join(folder, tool), flag], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    text = (done.stdout if status == 0 else done.stderr).decode()
    if done.returncode != status:
        print("error: %s %s: expected status %d, but got %d"
              % (tool, flag, status, done.returncode))
        errors += 1
    elif not re.search(pattern, text):
        print("error: %s %s: expected '%s', but got '%s'"
              % (tool, flag, pattern, text[:200]))
        errors += 1


for tool in tools:
    check(tool, "--version", 0, re.escape(tool) + r" \d+\.\d+\.\d+")
    check(tool, "--help", 0, "(?i)usage")
    check(tool, "--no-such-flag", 2, "no-such-flag")
print("%d tools, %d errors" % (len(tools), errors))
sys.exit(errors != 0 or not tools)

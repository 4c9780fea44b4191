"""Runs a command with a terminal as its standard error, and prints what came
there, control characters as escapes."""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # the other end is closed
        break
    if not part:
        break
    text += part
print(repr(text.decode())[1:-1])
sys.exit(process.wait())

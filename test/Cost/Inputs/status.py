"""Runs a command that must end with a status: status.py STATUS COMMAND..."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
if status != int(sys.argv[1]):
    print("error: expected status %s, but got %d" % (sys.argv[1], status))
sys.exit(status != int(sys.argv[1]))

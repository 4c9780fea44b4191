"""Runs a command and fails unless its exit status is the expected one.

Usage: exit_status.py STATUS PROGRAM ARGUMENTS...
"""

import subprocess
import sys

expected = int(sys.argv[1])
status = subprocess.run(sys.argv[2:], check=False).returncode
if status != expected:
    print("expected exit status %d, but got %d" % (expected, status))
    sys.exit(1)

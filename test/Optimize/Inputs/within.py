"""Runs a command, and fails when it fails, or takes more than so many seconds or
megabytes.

Usage: within.py SECONDS MEGABYTES PROGRAM ARGUMENTS...
"""

import resource
import subprocess
import sys

subprocess.run(sys.argv[3:], check=True, timeout=float(sys.argv[1]))
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
if peak > int(sys.argv[2]):
    sys.exit("error: took %d MB, expected at most %s" % (peak, sys.argv[2]))

"""Runs a command that can't write files of more than LIMIT bytes, and fails
unless its exit status is the expected one.

Usage: full_disk.py STATUS LIMIT PROGRAM ARGUMENTS...
"""

import resource
import signal
import subprocess
import sys

expected, limit = int(sys.argv[1]), int(sys.argv[2])


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


# Output goes through a pipe, which the limit does not concern.
result = subprocess.run(sys.argv[3:], preexec_fn=limit_files, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.write(result.stdout.decode(errors="replace"))
if result.returncode != expected:
    print("expected exit status %d, but got %d" % (expected, result.returncode))
    sys.exit(1)

"""status.py N COMMAND...: runs the command, and fails unless it exits with N."""

import subprocess
import sys

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.write(done.stdout.decode())
sys.exit(0 if done.returncode == int(sys.argv[1]) else 1)

"""Kills compilations at many times, and looks at what is left.

Usage: temporaries.py TENON_COMPILE FOLDER
"""

import os
import random
import signal
import subprocess
import sys
import time

program, folder = sys.argv[1:]
os.chdir(folder)
os.environ["TMPDIR"] = os.path.join(folder, "tmp")
os.mkdir("tmp")
COMMAND = [program, "net.mlir", "-o", "out.so", "--log=log.json"]
INPUTS = {"net.mlir", "net.safetensors", "tmp"}
OUTPUTS = {"out.so", "out.h", "out.safetensors", "log.json"}


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
           signal.SIGXCPU)


def start(interrupt=signal.SIG_DFL):
    # A shell's job in the background inherits signals that are ignored.
    def reset():
        for each in SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        signal.signal(signal.SIGINT, interrupt)

    return subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, start_new_session=True,
                            preexec_fn=reset)


def left():
    return set(os.listdir(".")) - INPUTS, os.listdir("tmp")


def check(what):
    beside, temporary = left()
    if temporary or beside not in (set(), OUTPUTS):
        print("FAILED: after %s: %s, %s" % (what, sorted(beside), temporary))


def clear():
    for name in left()[0]:
        if name in OUTPUTS:
            os.remove(name)


begin = time.time()
assert subprocess.run(COMMAND).returncode == 0
seconds = time.time() - begin
check("a success")
clear()
random.seed(1)
for number in SIGNALS:
    for _ in range(4):
        child = start()
        time.sleep(random.uniform(0.02, 1) * seconds)
        os.killpg(child.pid, number)
        said = child.communicate()[1]
        status = child.returncode
        if status not in (-number, 0) or b"bug report" in said:
            print("FAILED: %s: status %d, %s" % (number.name, status, said))
        check(number.name)
        clear()

# What the caller ignores, as for a job in the background, is ignored.
child = start(signal.SIG_IGN)
time.sleep(0.4 * seconds)
os.kill(child.pid, signal.SIGINT)
print("ignored: %d" % child.wait())
check("an ignored signal")

# What a killed process leaves goes with the next one; what looks alike stays.
found = False
for _ in range(20):
    child = start()
    time.sleep(random.uniform(0.1, 0.9) * seconds)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    found |= any(name.startswith(".tenon-tmp-") for name in os.listdir("."))
print("left by SIGKILL: %s" % found)
others = [".tenon-tmp-", ".tenon-tmp-00000000-1-1-0", ".tenon-tmp-x",
          "out.so.tmp-12345678"]
for name in others:
    os.mkdir(name)
running = start()
assert subprocess.run(COMMAND).returncode == 0
print("two at once: %d" % running.wait())
beside = left()[0] - OUTPUTS
print("others: %s" % (beside == set(others)))
for name in others:
    os.rmdir(name)
check("cleaning")

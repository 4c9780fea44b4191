"""Kills random ranks of a training under mpirun at random moments: the others must end within 5
seconds, with the name of the lost rank, and training must continue from its last checkpoint with
the same losses; on fewer ranks, with losses that differ by at most 1e-4.

usage: kill.py TENON-RUN FOUR.so TWO.so FOLDER KILLS SEED [nccl]

With nccl, kernels are emulated: those of NAME.so are in FOLDER/kernels/NAME.kernels.mlir.
"""
import json
import os
import random
import signal
import subprocess
import sys
import time

RUN, FOUR, TWO, FOLDER = sys.argv[1:5]
KILLS, draw = int(sys.argv[5]), random.Random(int(sys.argv[6]))
CHANNELS = sys.argv[7] if len(sys.argv) > 7 else "mpi"
STEPS, EVERY = (1500, 50) if CHANNELS == "mpi" else (60, 5)
INPUTS = [argument for number, name in enumerate(("input.0", "input.1", "target"))
          for argument in ("--input", f"{name}=random:{number + 1}")]
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]


def path(name):
    return os.path.join(FOLDER, name)


def command(library, ranks, state, metrics):
    name = os.path.basename(library).replace(".so", ".kernels.mlir")
    os.environ["TENON_FAKE_CUDA_KERNELS"] = os.path.abspath(path(f"kernels/{name}"))
    return MPIRUN + [str(ranks), RUN, library, "--channels", CHANNELS, "--params", "random:1",
                     "--train", "--steps", str(STEPS), "--save-state", path(state),
                     "--save-every", str(EVERY), "--resume", "--metrics", path(metrics)] + INPUTS


def losses(metrics):
    with open(path(metrics)) as stream:
        return {line["step"]: line["loss"] for line in map(json.loads, stream)}


def find_ranks(process):
    """The processes that mpirun has started, by rank."""
    ranks = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat") as stream:
                parent = int(stream.read().rsplit(")", 1)[1].split()[1])
            if parent != process.pid:
                continue
            with open(f"/proc/{entry}/environ", "rb") as stream:
                words = dict(word.split(b"=", 1) for word in stream.read().split(b"\0") if word)
            ranks[int(words[b"OMPI_COMM_WORLD_RANK"])] = int(entry)
        except (OSError, KeyError, ValueError):
            continue
    return ranks


def remove(*names):
    for name in names:
        if os.path.exists(path(name)):
            os.remove(path(name))


def fail(what):
    print(f"kill.py: {what}")
    sys.exit(1)


def kill_once(number, duration, needs_state):
    """Returns whether a rank was killed before the end, and if it is needed, after a checkpoint."""
    remove("k.state", "k.jsonl")
    with open(path("k.log"), "w") as log:
        process = subprocess.Popen(command(FOUR, 4, "k.state", "k.jsonl"), stdout=log, stderr=log)
    while needs_state and not os.path.exists(path("k.state")) and process.poll() is None:
        time.sleep(0.001)
    time.sleep(draw.random() * duration / (4 if needs_state else 1))
    ranks = find_ranks(process)
    if not ranks:
        process.wait()
        return False
    rank = draw.choice(sorted(ranks))
    os.kill(ranks[rank], signal.SIGKILL)
    begin = time.monotonic()
    try:
        status = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        fail(f"kill {number}: rank {rank} is lost, but the others run after 5 s")
    if status == 0:
        return False
    for other in ranks.values():
        while os.path.exists(f"/proc/{other}") and time.monotonic() - begin < 5:
            time.sleep(0.01)
        if os.path.exists(f"/proc/{other}"):
            fail(f"kill {number}: process {other} runs after 5 s")
    with open(path("k.log")) as log:
        text = log.read()
    if f"rank {rank} " not in text:
        fail(f"kill {number}: rank {rank} is lost, but is not named in:\n{text}")
    return True


def stop_once():
    """A rank that is stopped, and not lost, is what the others wait for without success."""
    remove("k.state", "k.jsonl")
    with open(path("k.log"), "w") as log:
        process = subprocess.Popen(command(FOUR, 4, "k.state", "k.jsonl") + ["--watchdog", "1"],
                                   stdout=log, stderr=log)
    while len(find_ranks(process)) < 4:
        time.sleep(0.01)
    ranks = find_ranks(process)
    while not os.path.exists(path("k.state")):
        time.sleep(0.01)
    os.kill(ranks[2], signal.SIGSTOP)
    if process.wait(timeout=20) == 0:
        fail("rank 2 is stopped, but training ended")
    with open(path("k.log")) as log:
        text = log.read()
    if "waited for rank " not in text:
        fail(f"rank 2 is stopped, but no rank waited too long in:\n{text}")


def resume(library, ranks, tolerance, whole):
    subprocess.run(command(library, ranks, "k.state", "k.jsonl"), check=True,
                   stdout=subprocess.DEVNULL)
    found = losses("k.jsonl")
    if sorted(found) != sorted(whole):
        fail(f"expected the losses of {len(whole)} steps, but got {len(found)}")
    for step, loss in whole.items():
        if abs(found[step] - loss) > tolerance * abs(loss):
            fail(f"step {step}: expected the loss {loss}, but got {found[step]}")


def main():
    remove("w.state", "w.jsonl")
    begin = time.monotonic()
    subprocess.run(command(FOUR, 4, "w.state", "w.jsonl"), check=True, stdout=subprocess.DEVNULL)
    duration = time.monotonic() - begin
    whole, killed, fewer = losses("w.jsonl"), 0, 0
    while killed < KILLS:
        on_fewer = killed % 2 == 1
        if not kill_once(killed, duration, on_fewer):
            continue
        killed += 1
        if on_fewer:
            fewer += 1
            resume(TWO, 2, 1e-4, whole)
        else:
            resume(FOUR, 4, 0, whole)
            with open(path("w.state"), "rb") as a, open(path("k.state"), "rb") as b:
                if a.read() != b.read():
                    fail("the parameters at the end differ")
    stop_once()
    print(f"{killed} ranks killed, all named; training continued with the same losses, "
          f"{fewer} times on fewer ranks")


main()

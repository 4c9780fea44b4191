"""Fails unless the programs of two artifacts for one kind of device are the same, as their
manifests describe them.

usage: same_program.py A.so B.so DEVICE
"""
import ctypes
import json
import os
import sys


def read(path, device):
    library = ctypes.CDLL(os.path.abspath(path))
    library.tenon_manifest.restype = ctypes.c_char_p
    targets = json.loads(library.tenon_manifest())["targets"]
    # Only the default program's steps are told.
    return [{name: value for name, value in target.items() if name != "steps"}
            for target in targets if target["device"] == device]


first, second, device = sys.argv[1:]
programs = read(first, device), read(second, device)
if not programs[0] or programs[0] != programs[1]:
    sys.exit(f"{programs[0]}\n{programs[1]}")

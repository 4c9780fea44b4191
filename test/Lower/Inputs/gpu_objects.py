"""Reads the objects of gpu.binary ops out of printed MLIR.

Usage: gpu_objects.py FILE.mlir [--extract FOLDER]

Prints one line per object: its chip, its format, and what it holds: the
architecture of the ELF header and the kernels for machine code, the target and
the entries for PTX.
"""

import os
import re
import struct
import sys


def unescape(text):
    out = bytearray()
    at = 0
    while at < len(text):
        if text[at:at + 1] != b"\\":
            out += text[at:at + 1]
            at += 1
        elif text[at + 1:at + 2] in (b"\\", b'"'):
            out += text[at + 1:at + 2]
            at += 2
        else:
            out.append(int(text[at + 1:at + 3], 16))
            at += 3
    return bytes(out)


def describe_elf(data):
    if data[:4] != b"\x7fELF" or data[4] != 2:
        return "not a 64-bit ELF file"
    machine, = struct.unpack_from("<H", data, 18)
    flags, = struct.unpack_from("<I", data, 48)
    # NVIDIA's ABI 8 holds the architecture one byte higher than those before.
    arch = (flags >> 8) & 0xFF if data[8] >= 8 else flags & 0xFF
    kernels = sorted(set(re.findall(rb"\.text\.(\w+)", data)))
    return "ELF machine %d arch %d kernels %s" % (
        machine, arch, b" ".join(kernels).decode())


def describe_ptx(data):
    target = re.search(rb"\.target (\w+)", data)
    version = re.search(rb"\.version ([\d.]+)", data)
    entries = re.findall(rb"\.visible \.entry (\w+)", data)
    return "PTX %s target %s entries %s" % (
        version.group(1).decode(), target.group(1).decode(),
        b" ".join(entries).decode())


def main(path, folder=None):
    with open(path, "rb") as file:
        text = file.read()
    objects = re.findall(
        rb'#gpu\.object<#nvvm\.target<[^>]*chip = "(\w+)"[^>]*>,'
        rb'(?: properties = \{([^}]*)\},)? (\w+) = "((?:[^"\\]|\\.)*)"', text)
    for chip, properties, kind, quoted in objects:
        data = unescape(quoted)
        what = describe_elf(data) if kind == b"bin" else describe_ptx(data)
        print("%s %s %s" % (chip.decode(), kind.decode(), what))
        if properties:
            print("  properties " + properties.decode())
        if folder:
            os.makedirs(folder, exist_ok=True)
            name = "%s.%s" % (chip.decode(),
                              "cubin" if kind == b"bin" else "ptx")
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data.rstrip(b"\0") if kind != b"bin" else data)
    if not objects:
        sys.exit("error: %s: no GPU objects" % path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else None)

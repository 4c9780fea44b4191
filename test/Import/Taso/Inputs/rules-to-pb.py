"""rules-to-pb.py FOLDER: writes F.pb for each F.txt, in TASO's rule format.

A line is one of

    rule
    source TYPE OPERAND... | KEY=VALUE...
    target TYPE OPERAND... | KEY=VALUE...
    output SOURCE = TARGET
    bytes HEX                  appended to the file as they are

TYPE, KEY and VALUE are TASO's numbers ("-" leaves the type out); an OPERAND is
iN (input N) or OP:RESULT, SOURCE and TARGET are OP:RESULT. Whatever follows "#"
is a comment.
"""

import pathlib
import sys


def varint(value):
    value &= (1 << 64) - 1
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)
    return bytes(data)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def pair(text):
    if text.startswith("i"):
        return -int(text[1:]), 0
    op, result = text.split(":")
    return int(op), int(result)


def operator(words):
    split = words.index("|")
    data = b"" if words[0] == "-" else number(1, int(words[0]))
    for word in words[1:split]:
        op, result = pair(word)
        data += message(2, number(1, op) + number(2, result))
    for word in words[split + 1 :]:
        key, value = word.split("=")
        data += message(3, number(1, int(key)) + number(2, int(value)))
    return data


def encode(text):
    rules, rest = [], b""
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "rule":
            rules.append(b"")
        elif words[0] in ("source", "target"):
            field = 1 if words[0] == "source" else 2
            rules[-1] += message(field, operator(words[1:]))
        elif words[0] == "output":
            source, target = pair(words[1]), pair(words[3])
            rules[-1] += message(
                3,
                number(1, source[0])
                + number(2, target[0])
                + number(3, source[1])
                + number(4, target[1]),
            )
        elif words[0] == "bytes":
            rest += bytes.fromhex("".join(words[1:]))
        else:
            sys.exit("rules-to-pb.py: unknown line: " + line)
    return b"".join(message(1, rule) for rule in rules) + rest


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.txt")):
    path.with_suffix(".pb").write_bytes(encode(path.read_text()))

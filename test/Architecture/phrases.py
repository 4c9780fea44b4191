"""Finds the phrases of phrases.txt in comments, documents and diagnostics.

Usage: phrases.py SOURCE_ROOT
"""

import os
import re
import sys

import tree

# Characters that are neither comments nor text, so that no phrase extends over them.
CODE = "\1"

C_STRING = r'"(?:\\.|[^"\\\n])*"'
SCANNERS = {
    "c": re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'|R\"\(.*?\)\"|" + C_STRING, re.S),
    "python": re.compile(r"#[^\n]*|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|" + C_STRING, re.S),
    "script": re.compile(r"(?:(?<=\s)|^)#[^\n]*|" + C_STRING, re.S | re.M),
    "mlir": re.compile(r"//(?!\s*[A-Z][\w-]*:)(?![^\n]*(?:CHECK|expected-))[^\n]*"),
    "test": re.compile(r"^#[^\n]*", re.M),
    "markdown": re.compile(r".+", re.S),
}
KINDS = {
    ".h": "c", ".cpp": "c", ".c": "c", ".cu": "c", ".proto": "c", ".def": "c",
    ".td": "markdown", ".md": "markdown", ".py": "python", ".cmake": "script",
    ".sh": "script", ".mlir": "mlir", ".test": "test",
}
# The pages that state the phrases, and pages that are written by tools from other files.
SKIPPED = ("docs/style.md", "docs/reference/", "docs/onnx-support.md",
           "test/Architecture/phrases.")
# What stands at the beginning of a line of a comment or between two strings of a diagnostic.
MARKS = re.compile(r'^[ \t]*(///?!?|#|\*|//)|"[ \t]*\n[ \t]*"', re.M)


def read_phrases(path):
    """(compiled pattern, what to say) of each line of the file."""
    found = []
    with open(path) as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            pattern, arrow, say = line.rpartition(" => ")
            if not arrow:
                sys.exit("error: %s:%d: expected 'PATTERN => REPLACEMENT'" % (path, number))
            if not pattern.startswith("(^"):
                pattern = r"(?<![\w-])" + pattern
            if re.search(r"(?<!\\)\w$", pattern):
                pattern += r"(?!\w)"
            capital = re.search(r"[A-Z]", re.sub(r"\\.", "", pattern))
            found.append((re.compile(pattern.replace(" ", r"\s+"),
                                     re.M | (0 if capital else re.I)), say))
    return found


def prose(text, kind):
    """The text with everything but prose replaced, so that lines are kept."""
    if kind == "markdown":
        return re.sub(r"```.*?```", lambda m: blank(m.group(0)), text, flags=re.S)
    parts = []
    end = 0
    for match in SCANNERS[kind].finditer(text):
        parts.append(blank(text[end:match.start()]))
        parts.append(match.group(0))
        end = match.end()
    parts.append(blank(text[end:]))
    return MARKS.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), "".join(parts))


def blank(code):
    """Each line of code as a character that no pattern matches."""
    lines = code.split("\n")
    return "\n".join(CODE if line.strip() else "" for line in lines)


def kind_of(root, path):
    name = os.path.basename(path)
    if name == "CMakeLists.txt":
        return "script"
    extension = os.path.splitext(name)[1]
    if extension or "." in name:
        return KINDS.get(extension)
    head = (tree.read(root, path) or "")[:40]
    if head.startswith("#!"):
        return "python" if "python" in head.split("\n")[0] else "script"
    return None


def main(root):
    phrases = read_phrases(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                        "phrases.txt"))
    errors = []
    checked = 0
    for path in tree.files(root) + tree.top_files(root):
        kind = kind_of(root, path)
        text = tree.read(root, path) if kind and not path.startswith(SKIPPED) else None
        if text is None:
            continue
        checked += 1
        text = prose(text, kind)
        spans = [(match.start(), match.end(), say)
                 for pattern, say in phrases for match in pattern.finditer(text)]
        end = 0
        for start, stop, say in sorted(spans, key=lambda s: (s[0], -s[1])):
            if stop <= end:  # Part of a longer phrase.
                continue
            end = stop
            phrase = text[start:stop].lstrip(" .:;\n")
            errors.append("%s:%d: '%s': say: %s" % (
                path, text.count("\n", 0, stop - len(phrase)) + 1,
                " ".join(phrase.split()), say))
    tree.finish("phrases", checked, errors)


if __name__ == "__main__":
    main(sys.argv[1])

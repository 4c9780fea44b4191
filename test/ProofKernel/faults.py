"""Seeds faults in the search for proofs, or in the kernel, and sees what becomes of rules.

    faults.py BUILD WORK list|run (search|kernel) [--count N] [--seed S] [--jobs N]

Every fault is one small change of a source: a condition negated, a number off by one, a
value or a result of a function turned round, a step left out. All of them are compiled
into one tool, and the environment (TENON_FAULT) chooses one.

Prints, per fault, how many true rules are no longer proved, how many false ones are, and for
`search` for how many rules the kernel refuses more proposals than without the fault: a wrong
witness was proposed there. With a fault of the search, no false rule may be proved; a fault of
the kernel shows if what is printed of some rule changes. The suite does not run this script."""

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys

SEARCH = ["MatchSums.cpp", "SimplifyTerm.cpp", "SolveIndices.cpp", "FindDenominators.cpp",
          "Prove.cpp"]
KERNEL = ["ChangeVars.cpp", "CheckSums.cpp", "Kernel.cpp", "CheckOps.cpp", "Normalize.cpp",
          "NormalizeApply.cpp", "NormalizeReduce.cpp", "NormalizeIndices.cpp",
          "NormalizeTruth.cpp", "NormalizeExtremum.cpp", "Laws.cpp", "FunctionLaws.cpp",
          "IntegerLaws.cpp", "LawTerms.cpp", "Signs.cpp", "ElementSigns.cpp", "SumForm.cpp", "Formula.cpp", "MatchExact.cpp"]
# In Prove.cpp, only the search for witnesses.
RANGES = {"Prove.cpp": ("static void proveResult(", "/// Writes the operands of a reason")}
RULE = "static Attempt proveResults(Solver &solver, RuleOp rule) {"
PRELUDE = """#include <string>
namespace tenon { bool isFaulty(int); bool noteVerdict(bool); void enterRule(std::string); }
using tenon::isFaulty;
namespace tenon {
/// The sign of what it multiplies.
struct flip {
  bool turned;
  explicit flip(bool turned) : turned(turned) {}
  template <typename T> T operator*(const T &value) const { return turned ? -value : value; }
};
} // namespace tenon
"""
SWITCH = """#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
namespace tenon {
bool isFaulty(int number) {
  static const int chosen = std::getenv("TENON_FAULT") ? std::atoi(std::getenv("TENON_FAULT")) : -1;
  return number == chosen;
}
static std::mutex mutex;
static std::map<std::string, int> *refused = new std::map<std::string, int>;
static thread_local std::string current;
void enterRule(std::string name) { current = std::move(name); }
bool noteVerdict(bool accepted) {
  static const int once = std::atexit([] {
    for (const auto &[name, count] : *refused)
      std::fprintf(stderr, "kernel refused %s %d\\n", name.c_str(), count);
  });
  (void)once;
  if (!accepted) {
    std::lock_guard<std::mutex> lock(mutex);
    ++(*refused)[current];
  }
  return accepted;
}
} // namespace tenon
"""


def close(text, at):
    """The place of the parenthesis that closes the one at `at`."""
    depth = 0
    for n in range(at, len(text)):
        depth += (text[n] == "(") - (text[n] == ")")
        if depth == 0:
            return n
    raise ValueError("no end")


def find_faults(name, text):
    """Places of `text`, each with what stands there with the fault number {n}."""
    faults = []
    begin_mark, end_mark = RANGES.get(name, ("using namespace tenon", ""))
    start = text.index(begin_mark)
    stop = text.index(end_mark) if end_mark else len(text)
    for match in re.finditer(r"\b(if|while) \(", text):
        begin = match.end() - 1
        end = close(text, begin)
        inner = text[begin + 1:end]
        if ";" in inner or re.search(r"[^=!<>]=[^=]", inner):
            continue  # it declares a name
        if match.group(1) == "if":
            faults.append((begin, end + 1, "(bool(%s) != isFaulty({n}))" % inner, "condition negated"))
    for match in re.finditer(r"return (true|false);", text):
        value = match.group(1)
        faults.append((match.start(), match.end(),
                       "return %s != isFaulty({n});" % value, "result turned round"))
    for match in re.finditer(r"return ([^;{}]*(?: == | != | && | \|\| | < | > )[^;{}]*);", text):
        if "[&]" not in match.group(1) and "?" not in match.group(1):
            faults.append((match.start(), match.end(),
                           "return bool(%s) != isFaulty({n});" % match.group(1),
                           "result turned round"))
    for match in re.finditer(r"= (true|false);", text):
        faults.append((match.start(), match.end(), "= %s != isFaulty({n});" % match.group(1),
                       "value turned round"))
    for match in re.finditer(r"(?<=[ (\-])([012])(?=[);,\] ])", text):
        number = int(match.group(1))
        for other in (number + 1, number - 1):
            if other >= 0:
                faults.append((match.start(), match.end(), "(isFaulty({n}) ? %d : {rest})" % other,
                               "%d for %d" % (other, number)))
    for match in re.finditer(r"[\w.>\[\]-]+?(\.|->)(front|back)\(\)", text):
        other = match.group(0)[:-len(match.group(2)) - 2] + {"front": "back()", "back": "front()"}[match.group(2)]
        faults.append((match.start(), match.end(),
                       "(isFaulty({n}) ? %s : %s)" % (other, match.group(0)), "the other end"))
    for match in re.finditer(r"\n( +)(continue;|break;|\+\+\w+;|std::swap[^;]*;|[\w.>\-]+\.(push_back|insert|erase|push)\([^;]*\);)", text):
        faults.append((match.start(2), match.end(2), "if (!isFaulty({n})) " + match.group(2),
                       "step left out"))
    for match in re.finditer(r"(?<=[\w)\]]) ([+-]) (?=[\w(*])", text):
        sign = match.group(1)
        if text[:match.start()].endswith(("begin()", "size()")):
            continue  # outside of the container
        faults.append((match.start(), match.end(), " %s tenon::flip(isFaulty({n})) * " % sign,
                       "'%s' turned round" % sign))
    for match in re.finditer(r"\bSymInt::symbol\(", text):
        end = close(text, match.end() - 1) + 1
        faults.append((match.start(), end, "(%s + SymInt(int64_t(isFaulty({n}))))"
                       % text[match.start():end], "one more"))
    for match in re.finditer(r"\bsubstitute\(([\w.>\[\]-]+),", text):
        end = close(text, match.end() - 1 - len(match.group(0)) + len("substitute(")) + 1
        faults.append((match.start(), end, "(isFaulty({n}) ? %s : %s)"
                       % (match.group(1), text[match.start():end]), "nothing substituted"))
    for match in re.finditer(r"\b(align|matchFactor|matchSets|matchTerms|match|kernel\.equal|solveFor)\(([\w.\[\]>-]+), ([\w.\[\]>-]+),", text):
        faults.append((match.start(2), match.end(3), "isFaulty({n}) ? %s : %s, isFaulty({n}) ? %s : %s"
                       % (match.group(3), match.group(2), match.group(2), match.group(3)),
                       "arguments exchanged"))
    result = []
    for begin, end, new, what in faults:
        line_start = text.rfind("\n", 0, begin) + 1
        line = text[line_start:text.find("\n", begin)]
        if begin < start or end > stop or line.lstrip().startswith(("//", "static constexpr", "constexpr", "case")):
            continue
        result.append((begin, end, new, "%s:%d: %s: %s" % (
            name, text.count("\n", 0, begin) + 1, what, line.strip())))
    return result


def seed_faults(room, source, count, seed):
    """The sources with faults, and what each fault is."""
    texts, places = {}, []
    for name in SEARCH if room == "search" else KERNEL:
        with open(os.path.join(source, name)) as file:
            texts[name] = file.read()
        places += [(name, fault) for fault in find_faults(name, texts[name])]
    random.Random(seed).shuffle(places)
    chosen, taken = [], {name: [] for name in texts}
    for name, fault in places:
        begin, end = fault[:2]
        # Changes do not overlap, but for other numbers in one place.
        if len(chosen) < count and all(end <= b or e <= begin or
                                       ((b, e) == (begin, end) and "{rest}" in fault[2])
                                       for b, e in taken[name]):
            taken[name].append((begin, end))
            chosen.append((name, fault))
    faulty = {}
    for name, text in texts.items():
        mine = {}
        for n, (other, fault) in enumerate(chosen):
            if other == name:
                begin, end, new = fault[:3]
                mine[begin, end] = new.replace("{n}", str(n)).replace(
                    "{rest}", mine.get((begin, end), text[begin:end]))
        for (begin, end), new in sorted(mine.items(), reverse=True):
            text = text[:begin] + new + text[end:]
        if room == "search":
            for match in reversed(list(re.finditer(r"\b(kernel\.(equal|apply|clear)|checkResult|checkRule)\(",
                                                   text))):
                end = close(text, match.end() - 1) + 1
                if text[:match.start()].rstrip().endswith("theorem ="):
                    continue  # the judgement at the end
                call = text[match.start():end]
                text = "%stenon::noteVerdict(bool(%s))%s" % (text[:match.start()], call, text[end:])
            text = text.replace(RULE, RULE + "\n  tenon::enterRule(rule.getName().str());")
        faulty[name] = PRELUDE + text
    return faulty, [fault[3] for _, fault in chosen]


def build(build_dir, work, room, source, faulty):
    with open(os.path.join(build_dir, "compile_commands.json")) as file:
        commands = {c["file"]: c for c in json.load(file)}
    objects = []
    os.makedirs(work, exist_ok=True)
    for name, text in dict(faulty, **{"Switch.cpp": SWITCH}).items():
        path = os.path.join(work, name)
        with open(path, "w") as file:
            file.write(text)
        like = os.path.join(source, name if name in faulty else list(faulty)[0])
        command = commands[like]
        words = shlex.split(command["command"])
        words = words[words.index(next(w for w in words if "clang++" in w)):]
        words[words.index("-o") + 1] = path + ".o"
        words[words.index("-c") + 1] = path
        words += ["-I", source, "-w"]
        subprocess.run(words, cwd=command["directory"], check=True)
        objects.append(path + ".o")
    lines = subprocess.run(["ninja", "-C", build_dir, "-t", "commands", "bin/tenon-rules"],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    link = shlex.split([line for line in lines.splitlines() if "-o bin/tenon-rules" in line][-1])
    link = link[link.index(next(w for w in link if "clang++" in w)):]
    link = link[:link.index("&&")] if "&&" in link else link
    tool = os.path.join(work, "tenon-rules")
    at = link.index("-o")
    link[at + 1] = tool
    subprocess.run(link[:at] + objects + link[at:] + ["-Wl,--allow-multiple-definition"],
                   cwd=build_dir, check=True)
    return tool


def run(tool, arguments, fault):
    environment = dict(os.environ, TENON_FAULT=str(fault))
    try:
        done = subprocess.run([tool] + arguments, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("what", choices=["list", "run"])
    parser.add_argument("room", choices=["search", "kernel"])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="K/N: every N-th fault from K on")
    parser.add_argument("--true", nargs="+", default=[], help="files of true rules")
    parser.add_argument("--false", nargs="+", default=[], help="files of false rules")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    source = os.path.join(root, "lib", "Prove" if options.room == "search" else "ProofKernel")
    faulty, faults = seed_faults(options.room, source, options.count, options.seed)
    if options.what == "list":
        for number, what in enumerate(faults):
            print(number, what)
        return
    tool = os.path.join(options.work, "tenon-rules")
    if options.part.startswith("0/") or not os.path.exists(tool):
        build(options.build, options.work, options.room, source, faulty)

    def judge(fault):
        """The lines of rules by name, without counts of questions, and refusals by name."""
        lines, refused = {}, {}
        for kind in ("true", "false"):
            _, out, err = run(tool, ["prove", "--without-refuting"] + getattr(options, kind), fault)
            for verdict, name, rest in re.findall(r"^(\w+) +(\S+)(.*)", out, re.M):
                rest = re.sub(r"; \d+ questions?.*", "", rest) if verdict == "proved" else ""
                lines[kind, name] = verdict, rest
            for name, count in re.findall(r"kernel refused (\S+) (\d+)", err):
                refused[name] = refused.get(name, 0) + int(count)
        return lines, refused

    def proved(lines, kind):
        return {name for (of, name), (verdict, _) in lines.items()
                if of == kind and verdict == "proved"}

    lines, refused = judge(-1)
    print("without a fault: %d of the true rules are proved, %d of the others; %d refusals"
          % (len(proved(lines, "true")), len(proved(lines, "false")), sum(refused.values())),
          flush=True)
    shown = wrong = lied = 0
    part, parts = map(int, options.part.split("/"))
    for number, what in list(enumerate(faults))[part::parts]:
        now, more = judge(number)
        lost = proved(lines, "true") - proved(now, "true")
        gained = proved(now, "false") - proved(lines, "false")
        others = {key for key in lines if key in now and now[key] != lines[key]}
        rules = sum(count > refused.get(name, 0) for name, count in more.items())
        shown += bool(lost or gained or others)
        wrong += bool(rules)
        lied += bool(gained)
        print("%d: %d true rules lost, %d false ones proved, %d lines differ, more refused for %d "
              "rules; %s%s" % (number, len(lost), len(gained), len(others), rules, what,
                               "; FALSE: " + ", ".join(sorted(gained)) if gained else ""),
              flush=True)
    print("%d faults: %d show, %d propose wrong witnesses, %d prove a false rule"
          % (len(faults[part::parts]), shown, wrong, lied))


main()

"""Asks other solvers the questions that `tenon-rules prove --dump-smt DIR` wrote:

    replay.py DIR [--solver z3] [--solver cvc5] [--seconds N] [--jobs N]

The first line of each file says what the prover was answered. Prints, for every
solver, how many answers agree, and lists those that do not. Status 0: no answer
contradicts (sat for unsat, or the other way), and those of the program z3 are
all the same, of others at least 95 %."""

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys

COMMANDS = {
    # The prover asks z3's core; for this logic the program would first try
    # another one, for nonlinear arithmetic, which does not end on some.
    "z3": ["z3", "tactic.default_tactic=smt", "-smt2", "-in"],
    "cvc5": ["cvc5", "--lang=smt2", "-"],
}
# A question that takes too long is asked once more with another seed: whether a
# nonlinear one is fast depends on the order in which its text is read.
AGAIN = {"z3": ["smt.random_seed=1"], "cvc5": []}
# Questions that one process is asked.
BATCH = 100


def read(folder):
    """The distinct questions: text -> (expected answer, name of a file)."""
    questions = {}
    files = sorted(n for n in os.listdir(folder) if n.endswith(".smt2"))
    for name in files:
        with open(os.path.join(folder, name)) as file:
            first, text = file.read().split("\n", 1)
        expected = first.replace("; expected: ", "")
        if expected not in ("sat", "unsat", "unknown"):
            sys.exit("error: %s: expected an answer, but got '%s'" % (name, first))
        questions.setdefault(text, (expected, name))
    return files, questions


def ask(solver, seconds, texts, more=()):
    """The answers to `texts`. Where one takes too long, or the solver fails, all
    are asked again, one by one: z3's own limit of time can hang."""
    try:
        process = subprocess.run(
            COMMANDS[solver] + list(more), input="(reset)\n".join(texts) + "(exit)\n",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=seconds)
        output = process.stdout
    except subprocess.TimeoutExpired:
        output = "timeout"
    answers = output.split()
    if len(answers) == len(texts) and set(answers) <= {"sat", "unsat", "unknown"}:
        return answers
    if len(texts) > 1:
        return [ask(solver, seconds, [text])[0] for text in texts]
    if output == "timeout" and AGAIN[solver] and not more:
        return ask(solver, seconds, texts, AGAIN[solver])
    if output == "timeout":
        return [output]
    return ["error: " + " ".join(answers)[:200]]


def replay(solver, arguments, questions):
    texts = list(questions)
    batches = [texts[i:i + BATCH] for i in range(0, len(texts), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        answers = [
            answer
            for batch in pool.map(
                lambda batch: ask(solver, arguments.seconds, batch), batches)
            for answer in batch
        ]
    kinds = collections.Counter()
    others = []
    for text, answer in zip(texts, answers):
        expected, name = questions[text]
        if answer == expected:
            kind = "agree"
        elif {answer, expected} == {"sat", "unsat"}:
            kind = "contradict"
        elif answer.startswith("error"):
            kind = "failed"
        else:
            kind = "undecided"
        kinds[kind] += 1
        if kind != "agree":
            others.append((kind, name, expected, answer))
    share = 100.0 * kinds["agree"] / len(texts)
    print("%s: %d questions, %d agree (%.2f %%), %d contradict, %d undecided, "
          "%d failed" % (solver, len(texts), kinds["agree"], share,
                         kinds["contradict"], kinds["undecided"], kinds["failed"]))
    for kind, name, expected, answer in sorted(others):
        print("  %s: %s: expected %s, but got %s" % (kind, name, expected, answer))
    least = 100 if solver == "z3" else 95
    return kinds["contradict"] == 0 and kinds["failed"] == 0 and share >= least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--solver", action="append", choices=sorted(COMMANDS))
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files, questions = read(arguments.folder)
    if not files:
        sys.exit("error: no questions in " + arguments.folder)
    print("%d files, %d distinct questions" % (len(files), len(questions)))
    good = [replay(solver, arguments, questions)
            for solver in arguments.solver or ["z3", "cvc5"]]
    sys.exit(0 if all(good) else 1)


main()

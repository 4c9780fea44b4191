#!/usr/bin/env python3
"""Judges Tenon's import of ONNX by random cases of every operator.

    run.py --tools build/bin [--cases 200] [--seed 1] [--table FILE] [--save DIR] [OP...]
    run.py --tools build/bin --store DIR --count 400

A case is drawn from the seed: its opset, attributes, element types, sizes, which inputs are
there, which are constants, which sizes are dynamic. ONNX's reference evaluator and ONNX
Runtime say what it gives; Tenon interprets it and compiles it, many cases in one model.
Needs Python's onnx, onnxruntime, numpy and ml_dtypes. Exit status 1 if a case is wrong."""
import argparse
import collections
import os
import sys
import tempfile
import time

from onnx import helper

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import families  # noqa: E402
import models  # noqa: E402
import report  # noqa: E402
import standard  # noqa: E402
import store  # noqa: E402
from draw import Draw  # noqa: E402
from judge import Judges, differences  # noqa: E402
from tenon import Tenon  # noqa: E402


STORED = 70  # cases of one stored model


def draw_cases(op, arguments, first, invalid):
    """Distinct cases that the standard allows, numbered from the first."""
    count = arguments.cases
    draw, seen, found = Draw(op, arguments.seed, bool(arguments.store)), set(), []
    for _ in range(20 * count):
        if len(found) == count:
            break
        draw.start()
        try:
            case = families.OPS[op](draw)
        except Exception as error:
            invalid.append(f"{op}: {type(error).__name__}: {error}")
            continue
        case.answers, case.unable = {}, {}
        case.position, case.number = len(found), first + len(found)
        if case.signature() in seen:
            continue
        seen.add(case.signature())
        try:
            case.judged = models.for_judges(case)
        except Exception as error:
            invalid.append(f"{op}: {type(error).__name__}: {error}")
            continue
        found.append(case)
    return found


def conclude(case):
    """The types of the outputs, and whether the judges agree about them."""
    if not case.answers and case.op in standard.OPS:
        types = {k: helper.tensor_dtype_to_np_dtype(e) for k, e in case.judged[1].items()}
        case.answers["standard"] = standard.answer(case, types)
    answers = list(case.answers.values())
    case.agree = not any(differences(case, answers[0], other) for other in answers[1:])
    if case.answers:
        known = next(iter(case.answers.values()))
        shapes = {k: v.shape if case.agree and not case.symbols else None
                  for k, v in known.items()}
        case.types = {k: (element, shapes[k]) for k, element in case.judged[1].items()}


def decide(case, interpreted, compiled):
    """The verdict on a case, and why."""
    for way, result in (("interpreted", interpreted), ("compiled", compiled)):
        if isinstance(result, str):
            if result.startswith("crash"):
                return "wrong", f"{way}: {result}"
            # The importer names the node; a pass that breaks the program does not.
            refused = "node " in result and "'graph." not in result
            return "refused" if refused else "fails", report.normal(result)
    for way, result in (("interpreted", interpreted), ("compiled", compiled)):
        if result is None:
            continue
        texts = [differences(case, result, wanted) for wanted in case.answers.values()]
        if all(texts):
            verdict = "decided" if case.decided else "wrong" if case.agree else "judges differ"
            return verdict, f"{way}: {'; '.join(texts)}"
    return "right", ""


def run_ops(ops, arguments, judges, tenon, invalid):
    """The cases of some operators, each with its verdict and why."""
    cases = []
    for op in ops:
        cases += draw_cases(op, arguments, len(cases), invalid)
    by_opset = collections.defaultdict(list)
    judges.ask(cases)
    for case in cases:
        conclude(case)
        if case.answers:
            by_opset[case.opset].append(case)
        else:
            case.verdict = "not judged", report.normal(
                "; ".join(f"{k}: {v}" for k, v in case.unable.items()))
    for group in by_opset.values():
        for start in range(0, len(group), arguments.batch):
            batch = group[start:start + arguments.batch]
            interpreted = tenon.interpret(batch)
            sound = [c for c in batch if not isinstance(interpreted[c.number], str)]
            if arguments.compiled is not None:
                sound = [c for c in sound if c.position < arguments.compiled]
            compiled = tenon.compile(sound) if sound else {}
            for case in batch:
                case.results = (interpreted[case.number], compiled.get(case.number))
                case.verdict = decide(case, *case.results)
    return cases


def tell(case):
    print(f"  wrong: {case.op} {case.number}: {report.describe(case)}: {case.verdict[1]}",
          file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--tools", required=True, metavar="BIN", help="the folder with Tenon's tools")
    add("--cases", type=int, default=200, metavar="N", help="cases of each operator (200)")
    add("--seed", type=int, default=1)
    add("--batch", type=int, default=25, metavar="N", help="cases in one model (25)")
    add("--compiled", type=int, metavar="N",
        help="compile only the first N cases of each operator: 0 is many times as fast")
    add("--option", action="append", default=[], help="an option for tenon-compile")
    add("--table", metavar="FILE", help="write the table there, not to standard output")
    add("--save", metavar="DIR", help="save cases that are wrong or that judges differ about")
    add("--store", metavar="DIR", help="write cases that are right for the test suite")
    add("--count", type=int, default=400, metavar="N", help="how many --store writes (400)")
    add("ops", nargs="*", metavar="OP", help="only these operators")
    arguments = parser.parse_args()
    unknown = set(arguments.ops) - set(families.OPS)
    if unknown:
        parser.error(f"no cases are drawn of {', '.join(sorted(unknown))}")
    ops = sorted(arguments.ops or families.OPS)
    if arguments.store:
        # More than are stored, since some are refused.
        arguments.cases = -(-3 * arguments.count // (2 * len(ops)))
    judges, results, invalid = Judges(), {}, []
    with tempfile.TemporaryDirectory() as work:
        tenon = Tenon(arguments.tools, work, arguments.option)
        # A model has cases of several operators if there are few of each.
        together = max(1, 200 // arguments.cases)
        for first in range(0, len(ops), together):
            start, group = time.time(), ops[first:first + together]
            cases = run_ops(group, arguments, judges, tenon, invalid)
            for op in group:
                results[op] = [case for case in cases if case.op == op]
                counts = collections.Counter(case.verdict[0] for case in results[op])
                print(f"{op}: {dict(counts)}", file=sys.stderr)
                for case in results[op]:
                    if case.verdict[0] == "wrong":
                        tell(case)
            print(f"{time.time() - start:.0f} s", file=sys.stderr, flush=True)
            if arguments.save:
                report.save(arguments.save, cases)
            if arguments.table:
                report.write(arguments.table, results, arguments)
    judges.close()
    report.complain(invalid)
    if arguments.store:
        store.write(arguments.store, results, arguments.count, STORED)
    if not arguments.table:
        report.write(None, results, arguments)
    return any(c.verdict[0] == "wrong" for cases in results.values() for c in cases)


if __name__ == "__main__":
    sys.exit(main())

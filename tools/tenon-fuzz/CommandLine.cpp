//===- CommandLine.cpp - options of tenon-fuzz ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Generate/GraphGenerator.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using generate::GraphGenerator;

static constexpr StringLiteral helpText =
    R"(Compares compiled random graphs with the interpreter, element by element,
within the error bounds of the element types.

usage: tenon-fuzz [options]

  --seed S          the first graph's seed (default 0); graph i has seed S + i
  --count N         graphs (default 100)
  --ops A..B        ops in a graph (default 5..40; 3..16 of the optimizer, 2..12
                    for extraction, 3..12 for placement)
  --dynamic         graphs with dimension symbols too (every second one)
  --each-op[=KIND]  instead: a graph per op with all its element types
  --evaluators      instead of compiling: compare the interpreter's evaluators
                    of index forms, bit by bit in every domain
  --emulate[=f32|tf32|strict]
                    instead of compiling for a CPU: run the kernels for GPUs in
                    the emulator, which also finds races and the like
  --assemble        with --emulate: the kernels must also become machine code
                    for sm_80 (PTX if there is no ptxas)
  --optimize        instead of compiling: plant sources of rules, let the
                    optimizer rewrite by random costs, and compare the result
                    with the original, exactly in a prime field or within
                    bounds; its log is done again, too
  --extraction      instead: e-graphs of such graphs; ILP's choice against the
                    best of all, by the costs of the profiles cpu and t4
                    and by random ones
  --placement       instead: what such graphs, without sources of rules, may be
                    placed as; the cover that is found against the best of all,
                    by the profile cpu and by random costs
  --prover          instead: as many false rules, and true ones made of proved
                    rules, as --count says; the prover, without trials at small
                    sizes, must prove no false one, and 95 % of the true
  --rules PATH      rules for --optimize, --extraction and --prover (default:
                    Tenon's own)
  --fp MODE         which rules may fire: strict, reassociate (default), finite
  --engine E        of --optimize: egraph (default) or backtrack
  --budget N        new e-nodes (default 400; 40 for extraction), or graphs
                    of backtracking (default 40)
  --print           write the graphs, and do nothing else
  -o DIR            where reproducers go, made if it is missing (default: the
                    current directory)
  --tools DIR       where tenon-compile and tenon-run are (default: beside)
  --compile-flag F  an argument for tenon-compile (repeatable)
  --allow-refusals  graphs that the compiler refuses are not failures
  --no-shrink       write failing graphs as they are
  --list            the kinds of ops
  --version, --help

exit status: 0 all agree, 1 some do not, 2 wrong usage
)";

static int wrongUsage(const Twine &message) {
  llvm::errs() << "tenon-fuzz: error: " << message
               << "\nsee tenon-fuzz --help\n";
  return 2;
}

std::optional<int> tenon::fuzz::parse(ArrayRef<const char *> arguments,
                                      CommandLine &line) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [name, value] = StringRef(arguments[i]).split('=');
    bool hasValue = name.size() != StringRef(arguments[i]).size();
    if (name == "--help" || name == "-h") {
      llvm::outs() << helpText;
      return 0;
    }
    if (name == "--version") {
      llvm::outs() << "tenon-fuzz " << TENON_VERSION << "\n";
      return 0;
    }
    if (name == "--list") {
      for (const std::string &kind : GraphGenerator::listKinds())
        llvm::outs() << kind << "\n";
      return 0;
    }
    bool *flag = name == "--dynamic"          ? &line.dynamic
                 : name == "--print"          ? &line.print
                 : name == "--each-op"        ? &line.eachOp
                 : name == "--evaluators"     ? &line.evaluators
                 : name == "--optimize"       ? &line.optimize
                 : name == "--extraction"     ? &line.extraction
                 : name == "--placement"      ? &line.placement
                 : name == "--prover"         ? &line.prover
                 : name == "--assemble"       ? &line.assemble
                 : name == "--allow-refusals" ? &line.allowRefusals
                                              : nullptr;
    if (flag) {
      *flag = true;
      line.only = name == "--each-op" ? value.str() : line.only;
      continue;
    }
    if (name == "--emulate") {
      line.emulation = parseEmulation(value.empty() ? "f32" : value);
      if (!line.emulation)
        return wrongUsage("--emulate: expected f32, tf32 or strict, but got '" +
                          value + "'");
      continue;
    }
    if (name == "--no-shrink") {
      line.shrink = false;
      continue;
    }
    if (!llvm::is_contained({"--seed", "--count", "--ops", "-o", "--tools",
                             "--compile-flag", "--rules", "--fp", "--budget",
                             "--engine"},
                            name))
      return wrongUsage("unknown option '" + Twine(arguments[i]) + "'");
    if (!hasValue) {
      if (i + 1 == arguments.size())
        return wrongUsage(name + " needs a value");
      value = arguments[++i];
    }
    bool bad = false;
    if (name == "--seed")
      bad = value.getAsInteger(10, line.seed);
    else if (name == "--count")
      bad = value.getAsInteger(10, line.count);
    else if (name == "--ops")
      bad = value.split("..").first.getAsInteger(10, line.fewest) ||
            value.split("..").second.getAsInteger(10, line.most) ||
            line.fewest < 1 || line.most < line.fewest || line.most > 1000;
    else if (name == "--budget")
      bad = value.getAsInteger(10, line.newNodes);
    else if (name == "--engine") {
      line.backtracks = value == "backtrack";
      bad = !line.backtracks && value != "egraph";
    } else if (name == "--rules")
      line.rules = value.str();
    else if (name == "--fp") {
      std::optional<FpMode> mode = parseFpMode(value);
      bad = !mode;
      line.fp = mode.value_or(line.fp);
    } else if (name == "-o") {
      line.outputs = value.str();
      if (std::error_code error = llvm::sys::fs::create_directories(value))
        return wrongUsage("-o: '" + value +
                          "' can't be made: " + error.message());
    } else if (name == "--tools")
      line.tools = value.str();
    else
      line.compileFlags.push_back(value.str());
    if (bad)
      return wrongUsage(name + ": '" + value + "' is not understood");
  }
  if (line.assemble && !line.emulation)
    return wrongUsage("--assemble is for --emulate");
  if (!line.only.empty() &&
      !llvm::is_contained(GraphGenerator::listKinds(), line.only))
    return wrongUsage("no kind of op '" + line.only + "' (see --list)");
  if (line.most == 0) {
    line.fewest = line.optimize || line.placement ? 3 : line.extraction ? 2 : 5;
    line.most = line.optimize                       ? 16
                : line.extraction || line.placement ? 12
                                                    : 40;
  }
  return std::nullopt;
}

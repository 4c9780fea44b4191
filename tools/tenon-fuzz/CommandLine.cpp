//===- CommandLine.cpp - options of tenon-fuzz ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Generate/GraphGenerator.h"

#include "llvm/Support/FileSystem.h"

#include <climits>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using artifact::makeError;
using artifact::Status;
using generate::GraphGenerator;

static constexpr StringLiteral helpText =
    R"(Compares compiled random graphs with the interpreter, element by element,
within the error bounds of the element types.

usage: tenon-fuzz [options]

  --seed S          the first graph's seed (default 0); graph i has seed S + i
  --count N         graphs (default 100)
  --ops A..B        ops in a graph (default 5..40; 3..16 of the optimizer, 2..12
                    for extraction, 3..12 for placement, gradients and --batch)
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
                    best of all, by the costs of the profiles cpu and h100
                    and by random ones
  --placement       instead: what such graphs, without sources of rules, may be
                    placed as; the cover that is found against the best of all,
                    by the profile cpu and by random costs
  --prover          instead: as many false rules, and true ones made of proved
                    rules, as --count says; the prover, without trials at small
                    sizes, must prove no false one, and 95 % of the true; one of
                    5 true ones fires in models, and must not change results
  --differentiate   instead: the gradients of such graphs against central
                    differences of the interpreter in f64
  --batch           instead: models over n samples, in every second one of which
                    n or another sample may matter; if a cut along the batch is
                    accepted, the results for two parts must be those for the
                    whole, at several n and every cut
  --hypotheses      instead: rules that are true for some sizes, made of proved
                    ones (symbols split, sizes divided by what may be negative),
                    and models that they match; if they are proved, what they
                    make of the models must be equal to the original
  --rules PATH      rules for --optimize, --extraction, --prover and
                    --hypotheses (default: Tenon's own)
  --fp MODE         which rules may fire: strict, reassociate (default), finite
  --budget N        new e-nodes (default 400; 40 for extraction)
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

static void addFlags(artifact::OptionTable &table, CommandLine &line) {
  table.addNumber<uint64_t>("--seed", line.seed, 0, UINT64_MAX);
  table.addNumber("--count", line.count, 0u, UINT_MAX);
  table.addNumber("--budget", line.newNodes, 0u, UINT_MAX);
  table.addText("--rules", line.rules);
  table.addText("--tools", line.tools);
  table.addTexts("--compile-flag", line.compileFlags, "an argument");
  table.addSwitch("--dynamic", line.dynamic);
  table.addSwitch("--print", line.print);
  table.addSwitch("--evaluators", line.evaluators);
  table.addSwitch("--optimize", line.optimize);
  table.addSwitch("--extraction", line.extraction);
  table.addSwitch("--placement", line.placement);
  table.addSwitch("--prover", line.prover);
  table.addSwitch("--differentiate", line.differentiate);
  table.addSwitch("--batch", line.batch);
  table.addSwitch("--hypotheses", line.hypotheses);
  // For tests of --hypotheses: rules fire wherever they match.
  table.addSwitch("--ignore-hypotheses", line.ignoreHypotheses);
  table.addSwitch("--assemble", line.assemble);
  table.addSwitch("--allow-refusals", line.allowRefusals);
  table.addSwitch("--no-shrink", [&line] {
    line.shrink = false;
    return Status::success();
  });
  table.addOptional("--each-op", [&line](std::string_view kind) {
    line.eachOp = true;
    line.only = kind;
    return Status::success();
  });
  table.addOptional("--emulate", [&line](std::string_view value) -> Status {
    line.emulation = parseEmulation(value.empty() ? "f32" : StringRef(value));
    if (!line.emulation)
      return makeError("expected f32, tf32 or strict, but got '", value, "'");
    return Status::success();
  });
  table.add("--fp", [&line](std::string_view value) -> Status {
    std::optional<FpMode> mode = parseFpMode(value);
    if (!mode)
      return makeError("expected ", kFpModes.str(), ", but got '", value, "'");
    line.fp = *mode;
    return Status::success();
  });
  table.add("--ops", [&line](std::string_view value) -> Status {
    auto [fewest, most] = StringRef(value).split("..");
    if (fewest.getAsInteger(10, line.fewest) ||
        most.getAsInteger(10, line.most) || line.fewest < 1 ||
        line.most < line.fewest || line.most > 1000)
      return makeError("expected A..B with numbers from 1 to 1000, but got '",
                       value, "'");
    return Status::success();
  });
  table.add("-o", [&line](std::string_view value) -> Status {
    line.outputs = value;
    if (std::error_code error = llvm::sys::fs::create_directories(value))
      return makeError("'", value, "' can't be made: ", error.message());
    return Status::success();
  });
}

std::optional<int> tenon::fuzz::parse(int argc, char **argv,
                                      CommandLine &line) {
  artifact::OptionTable table;
  bool help = false, version = false, list = false;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, help);
  table.addSwitch("--version", version);
  table.addSwitch("--list", list);
  addFlags(table, line);
  Status parsed = table.parse(argc, argv, [](std::string_view name) -> Status {
    return makeError("unknown option '", name, "'");
  });
  if (!parsed)
    return wrongUsage(parsed.error());
  if (help)
    llvm::outs() << helpText;
  else if (version)
    llvm::outs() << "tenon-fuzz " << TENON_VERSION << "\n";
  else if (list)
    for (const std::string &kind : GraphGenerator::listKinds())
      llvm::outs() << kind << "\n";
  if (help || version || list)
    return 0;
  if (line.assemble && !line.emulation)
    return wrongUsage("--assemble is for --emulate");
  if (!line.only.empty() &&
      !llvm::is_contained(GraphGenerator::listKinds(), line.only))
    return wrongUsage("no kind of op '" + line.only + "' (see --list)");
  if (line.most == 0) {
    bool isSmall = line.placement || line.differentiate || line.batch;
    line.fewest = line.optimize || isSmall ? 3 : line.extraction ? 2 : 5;
    line.most = line.optimize ? 16 : line.extraction || isSmall ? 12 : 40;
  }
  return std::nullopt;
}

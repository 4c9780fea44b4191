//===- tenon-fuzz.cpp - random graphs through the compiler --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchMode.h"
#include "CommandLine.h"
#include "DifferentiateMode.h"
#include "Judge.h"
#include "OptimizerModes.h"
#include "PlacementMode.h"
#include "ProverMode.h"
#include "Shrink.h"

#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Generate/GraphGenerator.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using generate::GraphGenerator;

namespace {
class Fuzzer {
public:
  Fuzzer(const CommandLine &line, MLIRContext &context, std::string scratch)
      : line(line), context(context), scratch(std::move(scratch)) {}

  int run() {
    if (line.eachOp) {
      for (const std::string &kind : GraphGenerator::listKinds())
        if (line.only.empty() || line.only == kind)
          for (bool dynamic : {false, true}) {
            GraphGenerator generator(&context, line.seed, dynamic);
            runCase(generator.generateEach(kind), line.seed,
                    kind + (dynamic ? "-dynamic" : ""));
          }
    } else {
      for (unsigned number = 0; number < line.count; ++number) {
        uint64_t seed = line.seed + number;
        GraphGenerator generator(&context, seed, line.dynamic && seed % 2);
        runCase(generator.generate(line.getOps(seed)), seed,
                std::to_string(seed));
        if (llvm::sys::Process::StandardErrIsDisplayed())
          llvm::errs() << "\r\033[K[" << number + 1 << "/" << line.count << "] "
                       << mismatches << " mismatches";
      }
    }
    if (line.print)
      return 0;
    summarize();
    return mismatches != 0 || (refusals != 0 && !line.allowRefusals);
  }

private:
  Judge makeJudge(uint64_t seed) const {
    Judge::Options options;
    options.tools = line.tools;
    options.scratch = scratch;
    options.compileFlags = line.compileFlags;
    options.seed = seed;
    options.evaluators = line.evaluators;
    options.emulation = line.emulation;
    if (options.emulation && line.assemble)
      options.archs = {"sm_80"};
    return Judge(options);
  }

  void runCase(OwningOpRef<ModuleOp> module, uint64_t seed,
               const std::string &name) {
    if (!module)
      return;
    if (line.print) {
      llvm::outs() << "// " << name << "\n" << *module << "\n";
      return;
    }
    ++graphs;
    Judge judge = makeJudge(seed);
    Verdict verdict = judge.judge(*module);
    elements += verdict.elements;
    kernels += verdict.kernels;
    excluded += verdict.excluded;
    invalid += verdict.kind == Verdict::Invalid;
    if (verdict.kind == Verdict::Agrees || verdict.kind == Verdict::Invalid)
      return;
    if (verdict.kind == Verdict::Refused) {
      ++refusals;
      ++reasons[verdict.text];
      if (line.allowRefusals)
        return;
    } else {
      ++mismatches;
    }
    llvm::outs() << (verdict.kind == Verdict::Refused ? "refused "
                                                      : "MISMATCH ")
                 << name << ": " << verdict.text << "\n";
    OwningOpRef<ModuleOp> small;
    if (!line.noShrink) {
      small = shrink(*module, [&](ModuleOp candidate) {
        Verdict again = judge.judge(candidate);
        if (again.kind == verdict.kind)
          verdict.text = again.text;
        return again.kind == verdict.kind;
      });
    }
    write(small ? *small : *module, judge, name, verdict);
    llvm::outs().flush();
  }

  void write(ModuleOp module, const Judge &judge, const std::string &name,
             const Verdict &verdict) {
    std::string path = line.outputs + "/fuzz-" + name + ".mlir";
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    if (code) {
      llvm::errs() << "tenon-fuzz: error: " << path << ": " << code.message()
                   << "\n";
      return;
    }
    StringRef text = verdict.text;
    SmallVector<StringRef> lines;
    text.split(lines, '\n');
    for (StringRef part : lines)
      os << "// " << part << "\n";
    os << "// arguments:";
    for (const std::string &argument : judge.inputArguments(module))
      os << " " << argument;
    os << "\n" << module << "\n";
    llvm::outs() << "  written to " << path << "\n";
  }

  void summarize() const {
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << "\r\033[K";
    for (const auto &[reason, count] : reasons)
      llvm::outs() << "refused " << count << " times: " << reason << "\n";
    llvm::outs() << graphs << " graphs: " << mismatches << " mismatches, "
                 << refusals << " refused, " << invalid
                 << " invalid at their sizes; " << elements << " elements, "
                 << excluded << " near ties excluded ("
                 << llvm::format("%.2f",
                                 elements ? 100.0 * excluded / elements : 0.0)
                 << " %)\n";
    if (line.emulation)
      llvm::outs() << kernels << " kernels emulated\n";
  }

  const CommandLine &line;
  MLIRContext &context;
  std::string scratch;
  unsigned graphs = 0, invalid = 0, mismatches = 0, refusals = 0;
  int64_t elements = 0, excluded = 0;
  size_t kernels = 0;
  std::map<std::string, unsigned> reasons;
};
} // namespace

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-fuzz");
  CommandLine line;
  if (std::optional<int> status = parse(argc, argv, line))
    return *status;
  if (line.tools.empty())
    line.tools = llvm::sys::path::parent_path(
                     llvm::sys::fs::getMainExecutable(
                         argv[0], reinterpret_cast<void *>(&main)))
                     .str();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (line.optimize)
    return runOptimizer(line, context);
  if (line.extraction)
    return runExtraction(line, context);
  if (line.placement)
    return runPlacement(line, context);
  if (line.differentiate)
    return runDifferentiate(line, context);
  if (line.prover)
    return runProver(line, context);
  if (line.hypotheses)
    return runHypotheses(line, context);
  if (line.batch)
    return runBatch(line, context);
  auto scratch = artifact::TemporaryFolder::createForScratch();
  if (!scratch) {
    llvm::errs() << "tenon-fuzz: error: can't create a folder: "
                 << scratch.error() << "\n";
    return 1;
  }
  return Fuzzer(line, context, scratch->getPath()).run();
}

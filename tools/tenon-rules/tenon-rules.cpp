//===- tenon-rules.cpp - proves rewrite rules -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prove.h"

#include "tenon/Prove/Prove.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::SubCommand proveCommand("prove", "prove rules for all sizes");
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE.mlir..."),
                                   cl::sub(proveCommand));
static cl::opt<std::string> jsonPath("json", cl::value_desc("FILE"),
                                     cl::desc("write the results as JSON"),
                                     cl::sub(proveCommand));
static cl::opt<std::string>
    dumpFolder("dump-smt", cl::value_desc("DIR"),
               cl::desc("write every question to the solver as SMT-LIB"),
               cl::sub(proveCommand));
static cl::opt<uint64_t>
    rlimit("rlimit", cl::value_desc("N"),
           cl::desc("bound of one question, in the solver's own count"),
           cl::init(tenon::prove::ProveOptions().rlimit),
           cl::sub(proveCommand));
static cl::opt<bool>
    cached("cached",
           cl::desc("read and write certificates beside the rules "
                    "(F.mlir: F.proved.json)"),
           cl::sub(proveCommand));

// For tests: a proof of a wrong rule would show.
static cl::opt<bool> withoutRefuting("without-refuting", cl::Hidden,
                                     cl::desc("do not try small sizes"),
                                     cl::sub(proveCommand));

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    std::string solver = tenon::prove::getSolverVersion();
    os << "tenon-rules " << TENON_VERSION << " ("
       << (solver.empty() ? "no solver" : solver) << ")\n";
  });
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Tenon's tool for rewrite rules\n", &llvm::errs()))
    return 2;
  if (!proveCommand) {
    llvm::errs() << "tenon-rules: expected a command: prove\n";
    return 2;
  }
  tenon::tools::ProveCommand command;
  command.files.assign(files.begin(), files.end());
  command.jsonPath = jsonPath;
  command.options.rlimit = rlimit;
  command.options.dumpFolder = dumpFolder;
  command.options.refute = !withoutRefuting;
  command.cached = cached;
  return tenon::tools::runProve(command);
}

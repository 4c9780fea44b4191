//===- Equal.cpp - tenon-rules equal --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Prove/RewriteProver.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;

static constexpr StringLiteral helpText =
    R"(Proves that two modules compute the same: every function of the first one is
compared with that of its name in the second. Where they differ, the equality of
values is stated as rules, which are proved (docs/proofs.md).

usage: tenon-rules equal BEFORE.mlir AFTER.mlir [options]

  --json FILE   also write the result; "-" is standard output
  --help

exit status: 0 all functions are proved to be equal over the reals, 1 one is not,
2 wrong usage
)";

/// What a caller sees that is not the same; empty if there is nothing.
static std::string compareInterfaces(func::FuncOp one, func::FuncOp other) {
  if (one.getNumArguments() != other.getNumArguments() ||
      one.getNumResults() != other.getNumResults())
    return "the second module's function has another number of arguments or "
           "results";
  for (unsigned number = 0; number < one.getNumArguments(); ++number) {
    if (one.getArgument(number).getType() !=
        other.getArgument(number).getType())
      return "argument " + std::to_string(number) + " has another type";
    if (one.getArgAttr(number, "graph.name") !=
        other.getArgAttr(number, "graph.name"))
      return "argument " + std::to_string(number) + " has another name";
  }
  for (unsigned number = 0; number < one.getNumResults(); ++number)
    if (one.getResultAttr(number, "graph.name") !=
        other.getResultAttr(number, "graph.name"))
      return "result " + std::to_string(number) + " has another name";
  return "";
}

/// Returns a difference between the modules beside their common functions:
/// states, the file of weights, functions that only the second one has.
static std::string compareModules(ModuleOp one, ModuleOp other) {
  if (one->getAttr("graph.params") != other->getAttr("graph.params"))
    return "the second module has its weights in another file";
  auto getStates = [](ModuleOp module) {
    std::map<std::string, Attribute> states;
    for (auto state : module.getOps<graph::StateOp>())
      states[state.getSymName().str()] = state->getAttrDictionary();
    return states;
  };
  if (getStates(one) != getStates(other))
    return "the second module has other states";
  for (auto function : other.getOps<func::FuncOp>())
    if (!one.lookupSymbol<func::FuncOp>(function.getName()))
      return "only the second module has the function @" +
             function.getName().str();
  return "";
}

/// Compares the functions of two modules.
static void compare(ModuleOp before, ModuleOp after,
                    prove::RewriteProver &prover) {
  prove::PassReport &row = prover.getReport().getPass("equal");
  std::string modules = compareModules(before, after);
  if (!modules.empty() && before.getOps<func::FuncOp>().empty())
    row.open.push_back({"", "module", before.getLoc(), modules});
  for (auto function : before.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    ++row.runs;
    prove::FunctionSnapshot one = prove::takeSnapshot(function), other;
    auto found = after.lookupSymbol<func::FuncOp>(function.getName());
    if (found && !found.isExternal()) {
      other = prove::takeSnapshot(found);
      if (std::string problem = compareInterfaces(function, found);
          !problem.empty())
        one.problem = problem;
      else
        one.problem = modules;
    } else {
      one.problem = "the second module does not have the function";
    }
    prover.compare("equal", std::move(one), std::move(other));
  }
}

int tools::runEqual(ArrayRef<const char *> arguments) {
  CommandLine line("equal", helpText, "two modules");
  std::string json;
  line.add("--json", json);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (line.files.size() != 2)
    return line.reject("expected two modules, but got " +
                       Twine(line.files.size()));
  if (!checkOutput("--json", json, line.files))
    return 1;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> before = parseModuleFile(line.files[0], &context);
  OwningOpRef<ModuleOp> after = parseModuleFile(line.files[1], &context);
  if (!before || !after)
    return 1;
  prove::RewriteProver prover;
  compare(*before, *after, prover);
  const prove::RewriteReport &report = prover.getReport();
  report.emitOpen();
  report.print(json == "-" ? llvm::errs() : llvm::outs());
  if (!json.empty() &&
      !writeFile(json, llvm::formatv("{0:2}\n", report.toJSON()).str()))
    return 1;
  return llvm::all_of(report.passes,
                      [](const auto &row) { return row.open.empty(); })
             ? 0
             : 1;
}

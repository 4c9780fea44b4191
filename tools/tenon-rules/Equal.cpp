//===- Equal.cpp - tenon-rules equal --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Artifact/OptionTable.h"
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

namespace {
#define GEN_EQUAL_DECL
#include "tenon-rules/Options.inc"
} // namespace

#define GEN_EQUAL_DEF
#include "tenon-rules/Options.inc"

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
  EqualLine line;
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()), line, table))
    return *status;
  if (line.modules.size() != 2)
    return artifact::rejectUsage(kEqualLineTool,
                                 "expected two modules, but got " +
                                     std::to_string(line.modules.size()));
  if (!checkOutput("--json", line.json, line.modules))
    return 1;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> before = parseModuleFile(line.modules[0], &context);
  OwningOpRef<ModuleOp> after = parseModuleFile(line.modules[1], &context);
  if (!before || !after)
    return 1;
  prove::RewriteProver prover;
  compare(*before, *after, prover);
  const prove::RewriteReport &report = prover.getReport();
  report.emitOpen();
  report.print(line.json == "-" ? llvm::errs() : llvm::outs());
  if (!line.json.empty() &&
      !writeFile(line.json, llvm::formatv("{0:2}\n", report.toJSON()).str()))
    return 1;
  return llvm::all_of(report.passes,
                      [](const auto &row) { return row.open.empty(); })
             ? 0
             : 1;
}

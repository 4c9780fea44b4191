//===- Replay.cpp - tenon-rules replay ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Driver/DataFolders.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Driver/ProveRewrites.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Optimize/RuleLog.h"
#include "tenon/Support/EnumChoices.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <filesystem>

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using optimize::FunctionLog;
using optimize::RuleLog;
using optimize::RuleSet;

namespace {
#define GEN_REPLAY_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class LogReplayer : ReplayLine {
public:
  LogReplayer() : handler(sources, &context) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.printOpOnDiagnostic(false);
  }

  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  /// Reports an unreadable file and returns null.
  OwningOpRef<ModuleOp> readModule(const std::string &path) {
    return parseModuleFile(path, &context);
  }
  bool checkPolicy() const;
  bool checkFunctions();
  bool canonicalize();
  bool loadRules();
  bool replayAll();
  bool compare();
  bool write();

  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  RuleLog log;
  OwningOpRef<ModuleOp> module;
  std::optional<RuleSet> rules;
};
} // namespace

/// Sets the most that the log may allow.
static artifact::Status parseFp(std::string_view value, ReplayLine &line) {
  return artifact::OptionTable::choose(value, getChoices<FpMode>(),
                                       line.fp.emplace());
}

#define GEN_REPLAY_DEF
#include "tenon-rules/Options.inc"

std::optional<int> LogReplayer::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<ReplayLine &>(*this), table))
    return status;
  if (input.empty())
    return artifact::rejectUsage(
        kReplayLineTool, "expected the module that was optimized (--input)");
  for (const std::string &path : {logPath, input, expect})
    if (!output.empty() && output == path)
      return artifact::rejectUsage(
          kReplayLineTool, "-o: the result would replace '" + path + "'");
  return std::nullopt;
}

bool LogReplayer::checkPolicy() const {
  if (!fp || (optimize::getAllowedClass(log.fp) &
              ~optimize::getAllowedClass(*fp)) == 0)
    return true;
  reportError("the log's fp is '" + getName(log.fp) +
              "', which allows more than '" + getName(*fp) + "'");
  return false;
}

/// Whether the log tells of each function of the input, once.
bool LogReplayer::checkFunctions() {
  llvm::StringSet<> known;
  for (const FunctionLog &one : log.functions) {
    bool first = known.insert(one.function).second;
    if (first && module->lookupSymbol<func::FuncOp>(one.function))
      continue;
    reportError("the log tells of function '" + one.function +
                (first ? "', which '" + input + "' does not have" : "' twice"));
    return false;
  }
  for (auto function : module->getOps<func::FuncOp>())
    if (!known.contains(function.getName())) {
      function.emitError() << "the log does not tell of function '"
                           << function.getName() << "'";
      return false;
    }
  return true;
}

/// tenon-compile optimizes the canonical form of a model; tenon-opt, what it is
/// given.
bool LogReplayer::canonicalize() {
  if (llvm::all_of(log.functions, [&](const FunctionLog &one) {
        auto function = module->lookupSymbol<func::FuncOp>(one.function);
        return optimize::hashFunction(function) == one.input;
      }))
    return true;
  for (func::FuncOp entry : graph::getEntries(*module))
    graph::recordSizeConditions(entry);
  PassManager passes(&context);
  buildCanonicalPipeline(passes, log.fp);
  prove::RewriteProver prover;
  if (provesRewrites)
    proveRewrites(passes, prover);
  if (failed(passes.run(*module)))
    return false;
  if (!provesRewrites)
    return true;
  prover.getReport().emitOpen();
  prover.getReport().print(output == "-" ? llvm::errs() : llvm::outs());
  return !prover.getReport().isRefuted();
}

/// Only rules that the log names: others need not be proved.
bool LogReplayer::loadRules() {
  std::vector<std::string> paths = rulePaths;
  if (paths.empty())
    paths.push_back(findRulesFolder());
  if (paths.front().empty()) {
    reportError(
        "Tenon's rules were not found beside the program: give --rules");
    return false;
  }
  std::vector<std::string> names;
  for (const FunctionLog &one : log.functions)
    for (const optimize::LoggedFiring &firing : one.firings)
      names.push_back(firing.rule);
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  FailureOr<RuleSet> loaded =
      names.empty() ? FailureOr<RuleSet>(RuleSet())
                    : RuleSet::load(&context, paths, names, makeRuleJudge());
  if (failed(loaded))
    return false;
  rules = std::move(*loaded);
  return true;
}

bool LogReplayer::replayAll() {
  size_t steps = 0;
  for (const FunctionLog &one : log.functions) {
    auto function = module->lookupSymbol<func::FuncOp>(one.function);
    if (failed(optimize::replay(function, one, log.fp, *rules)))
      return false;
    steps += one.firings.size();
  }
  (output == "-" ? llvm::errs() : llvm::outs())
      << "replayed " << steps << " steps of " << log.functions.size()
      << " functions (fp=" << getName(log.fp) << ")\n";
  return true;
}

/// A line where it begins to differ from another, cut.
static std::string cutLine(StringRef line, StringRef other) {
  size_t same = 0;
  while (same < line.size() && same < other.size() && line[same] == other[same])
    ++same;
  size_t from = same > 100 ? same - 60 : 0;
  StringRef part = line.substr(from, 160).ltrim();
  return ((from ? "..." : "") + part + (part.end() == line.end() ? "" : "..."))
      .str();
}

/// Says where two texts begin to differ.
static void reportDifference(func::FuncOp function, StringRef derived,
                             StringRef expected, StringRef path) {
  for (unsigned number = 1;; ++number) {
    auto [ours, oursRest] = derived.split('\n');
    auto [theirs, theirsRest] = expected.split('\n');
    if (ours != theirs) {
      function.emitError() << "function '" << function.getName()
                           << "' differs from that of '" << path
                           << "' in its line " << number << ": derived is '"
                           << cutLine(ours, theirs) << "', expected was '"
                           << cutLine(theirs, ours) << "'";
      return;
    }
    derived = oursRest;
    expected = theirsRest;
  }
}

bool LogReplayer::compare() {
  OwningOpRef<ModuleOp> other = readModule(expect);
  if (!other)
    return false;
  for (auto function : other->getOps<func::FuncOp>())
    if (!module->lookupSymbol<func::FuncOp>(function.getName())) {
      function.emitError() << "function '" << function.getName()
                           << "' is not among those derived";
      return false;
    }
  for (auto function : module->getOps<func::FuncOp>()) {
    auto expected = other->lookupSymbol<func::FuncOp>(function.getName());
    if (!expected) {
      function.emitError() << "function '" << function.getName()
                           << "' is not in '" << expect << "'";
      return false;
    }
    std::string ours = optimize::getFunctionText(function);
    std::string theirs = optimize::getFunctionText(expected);
    if (ours != theirs) {
      reportDifference(function, ours, theirs, expect);
      return false;
    }
  }
  return true;
}

bool LogReplayer::write() {
  namespace fs = std::filesystem;
  // Where `graph.params` points to depends on where the module is.
  auto params = (*module)->getAttrOfType<StringAttr>("graph.params");
  if (params && output != "-" && fs::path(params.str()).is_relative()) {
    std::error_code code;
    fs::path folder = fs::path(output).parent_path();
    // The weights need not be there.
    fs::path file =
        fs::relative(fs::absolute(fs::path(input).parent_path() / params.str()),
                     fs::absolute(folder.empty() ? "." : folder), code);
    if (!code && !file.empty())
      (*module)->setAttr("graph.params",
                         StringAttr::get(&context, file.generic_string()));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return writeFile(output, text + "\n");
}

int LogReplayer::run() {
  if (!checkOutput("-o", output, {logPath, input, expect}))
    return 1;
  llvm::Expected<RuleLog> read = RuleLog::read(logPath);
  if (!read) {
    reportError(llvm::toString(read.takeError()));
    return 1;
  }
  log = std::move(*read);
  module = readModule(input);
  if (!module || !checkPolicy() || !checkFunctions() || !canonicalize() ||
      !loadRules() || !replayAll() || (!expect.empty() && !compare()) ||
      (!output.empty() && !write()))
    return 1;
  return 0;
}

int tools::runReplay(ArrayRef<const char *> arguments) {
  LogReplayer replayer;
  if (std::optional<int> status = replayer.parse(arguments))
    return *status;
  return replayer.run();
}

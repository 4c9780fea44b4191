//===- BatchMode.cpp - tenon-fuzz --batch ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchMode.h"
#include "BatchParts.h"
#include "BatchTally.h"

#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Prove/BatchCut.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using generate::BatchModel;
using graph::BatchAxes;

namespace {
/// What was said of models: by the analysis, which plans rest on, and by
/// proofs, for the axes that the analysis found, and for those that the model's
/// author claimed.
struct Counts {
  unsigned models = 0, accepted = 0, proved = 0, claims = 0;
  /// Models that were refused, and whose parts are not those of the whole.
  unsigned refusedRightly = 0;
};

class BatchFuzzer {
public:
  BatchFuzzer(const CommandLine &line, MLIRContext &context)
      : line(line), context(context) {
    options.refute = false;
  }

  int run();

private:
  void runCase(const BatchModel &model, uint64_t seed);
  /// The axes of all values; std::nullopt if the cut is refused.
  std::optional<BatchAxes> findAxes(Block &body);
  bool prove(Block &body, const BatchAxes &axes);
  /// Whether parts are as the whole. Reports a difference if the cut was
  /// accepted `by` something.
  bool compare(const BatchModel &model, const BatchAxes &axes, uint64_t seed,
               StringRef by);
  void report(const BatchModel &model, uint64_t seed, StringRef text);

  const CommandLine &line;
  MLIRContext &context;
  prove::ProveOptions options;
  llvm::StringSet<> theorems;
  std::string reason;
  /// Models without tricks, with further steps than the basic ones or not, and
  /// those with tricks.
  Counts honest, further, tricky;
  BatchTally tally;
  unsigned different = 0, cuts = 0, withoutEmpty = 0, invalid = 0;
  std::map<std::string, Counts> byTrick;
  std::map<std::string, unsigned> refusals;
};
} // namespace

std::optional<BatchAxes> BatchFuzzer::findAxes(Block &body) {
  FailureOr<BatchAxes> axes =
      graph::getArgumentBatchAxes(body, body.getParentOp()->getLoc());
  if (failed(axes) ||
      failed(graph::findBatchAxes(body, graph::BatchOptions(), *axes)))
    return std::nullopt;
  return std::move(*axes);
}

bool BatchFuzzer::prove(Block &body, const BatchAxes &axes) {
  return succeeded(prove::proveBatchCut(body, axes, options, theorems));
}

void BatchFuzzer::report(const BatchModel &model, uint64_t seed,
                         StringRef text) {
  ++different;
  llvm::outs() << "DIFFERENT " << seed << ": " << text << "\n";
  std::string path = line.outputs + "/batch-" + std::to_string(seed) + ".mlir";
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code) {
    llvm::errs() << "tenon-fuzz: error: " << path << ": " << code.message()
                 << "\n";
    return;
  }
  os << "// " << text << "\n// steps: " << llvm::join(model.steps, ", ")
     << "\n// tricks: " << llvm::join(model.tricks, ", ") << "\n"
     << model.module.get() << "\n";
  llvm::outs() << "  written to " << path << "\n" << model.module.get() << "\n";
}

bool BatchFuzzer::compare(const BatchModel &model, const BatchAxes &axes,
                          uint64_t seed, StringRef by) {
  PartsResult parts = compareParts(model, axes, seed);
  if (!by.empty()) {
    cuts += parts.cuts;
    withoutEmpty += parts.withoutEmpty;
    invalid += parts.invalid;
    if (!parts.difference.empty())
      report(model, seed, "accepted by " + by.str() + "; " + parts.difference);
  }
  return parts.difference.empty();
}

void BatchFuzzer::runCase(const BatchModel &model, uint64_t seed) {
  // Other symbols are sizes of weights.
  graph::unifySampleSymbols(model.getFunction(),
                            [](StringRef name) { return name == "m"; });
  Block &body = model.getFunction().front();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
    return success();
  });
  Counts seen;
  seen.models = 1;
  reason.clear();
  std::optional<BatchAxes> axes = findAxes(body);
  seen.accepted = axes.has_value();
  seen.proved = !line.noProofs && axes && prove(body, *axes);
  std::string refusal = reason;
  reason.clear();
  seen.claims = !line.noProofs && prove(body, model.claimed);
  bool isRight = axes ? compare(model, *axes, seed, "the analysis")
                      : compare(model, model.cut, seed, "");
  if (seen.claims)
    compare(model, model.claimed, seed, "the proof of what was claimed");
  tally.add(model, axes.has_value(), isRight, refusal);
  if (model.tricks.empty() && !axes && !isRight)
    report(model, seed, "without tricks, but samples are not independent");
  if (!axes && !seen.claims)
    seen.refusedRightly = !isRight;
  auto count = [&](Counts &counts) {
    counts.models += seen.models;
    counts.accepted += seen.accepted;
    counts.proved += seen.proved;
    counts.claims += seen.claims;
    counts.refusedRightly += seen.refusedRightly;
  };
  bool isBasic = model.kinds == std::vector<std::string>{"basic"};
  count(!model.tricks.empty() ? tricky : isBasic ? honest : further);
  for (const std::string &trick : model.tricks)
    count(byTrick[trick]);
  if (model.tricks.empty() && isBasic && !line.noProofs && !seen.proved)
    ++refusals[(axes ? "not proved: " : "refused: ") + refusal.substr(0, 110)];
}

static void print(StringRef name, const Counts &counts) {
  llvm::outs() << name << ": " << counts.models << " models, "
               << counts.accepted << " accepted, " << counts.proved
               << " proved, " << counts.claims << " proved as claimed, "
               << counts.refusedRightly << " refused and different\n";
}

int BatchFuzzer::run() {
  for (unsigned number = 0; number < line.count; ++number) {
    uint64_t seed = line.seed + number;
    BatchModel model = generate::generateBatchModel(
        &context, seed, line.getOps(seed), line.batchSteps);
    if (line.print) {
      llvm::outs() << "// " << seed
                   << ", tricks: " << llvm::join(model.tricks, ", ")
                   << "\n// steps: " << llvm::join(model.steps, ", ") << "\n"
                   << model.module.get() << "\n";
      continue;
    }
    runCase(model, seed);
    if (llvm::sys::Process::StandardErrIsDisplayed())
      llvm::errs() << "\r\033[K[" << number + 1 << "/" << line.count << "] "
                   << different << " different";
  }
  if (line.print)
    return 0;
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
  print("sample by sample", honest);
  for (const auto &[text, count] : refusals)
    llvm::outs() << "  " << count << " " << text << "\n";
  print("sample by sample, with further steps", further);
  print("with tricks", tricky);
  for (const auto &[trick, counts] : byTrick)
    print("  " + trick, counts);
  tally.print();
  llvm::outs() << line.count << " models: " << different << " different of "
               << honest.accepted + further.accepted + tricky.accepted
               << " accepted; " << cuts << " cuts compared, " << withoutEmpty
               << " parts of no sample without a result, " << invalid
               << " invalid at their sizes\n";
  return different != 0 || 20 * honest.accepted < 19 * honest.models;
}

int tenon::fuzz::runBatch(const CommandLine &line, MLIRContext &context) {
  return BatchFuzzer(line, context).run();
}

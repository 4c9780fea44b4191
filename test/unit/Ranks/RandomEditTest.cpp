//===- RandomEditTest.cpp - the proof and the interpreter agree -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right programs of ranks are edited at random. What the proof accepts must
// compute the same as before, under all timings that are tried. It may refuse
// little of what does.
//
// TENON_RANK_EDITS says how many edits there are (300), TENON_RANK_SEED with
// which seed they begin (1). TENON_RANK_DUMP is a folder for the modules on
// which the two disagree.
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "RankModels.h"
#include "Reference.h"
#include "tenon/Parallelize/CheckRanks.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

namespace {
/// The timings under which equal programs run.
constexpr unsigned numSeeds = 8;

struct Case {
  std::string name;
  OwningOpRef<ModuleOp> module;
  /// For two draws of inputs and weights.
  std::vector<std::pair<Reference, TaskMemo>> references;
};

struct Counts {
  unsigned accepted = 0, rejected = 0, wronglyAccepted = 0, falseAlarms = 0;
};

class RandomEdits {
public:
  explicit RandomEdits(uint64_t seed) : seed(seed) {}

  void addCases();
  void judge(uint64_t number);
  void report(uint64_t count) const;

  unsigned numEqual = 0;
  /// Equal ones that were refused, and should not be.
  unsigned numUnexpected = 0;
  Counts total;

private:
  OwningOpRef<ModuleOp> edit(EditDraw &draw, Case &original, std::string &kinds,
                             bool &mayBeRefused);
  std::string compare(Case &original, ModuleOp module, uint64_t number) const;
  void dump(ModuleOp module, const std::string &name) const;

  MLIRContext context{MLIRContext::Threading::DISABLED};
  uint64_t seed;
  std::vector<Case> cases;
  std::map<std::string, Counts> counts; // by kind
};
} // namespace

void RandomEdits::addCases() {
  loadDialects(context);
  for (const RankModel &model : getRankModels()) {
    OwningOpRef<ModuleOp> module = buildRanks(context, model);
    ASSERT_TRUE(module) << model.name;
    pipe::ProgramOp program = *module->getOps<pipe::ProgramOp>().begin();
    Case &made = cases.emplace_back();
    made.name = model.name;
    for (uint64_t more : {0, 1}) {
      FailureOr<Reference> reference = Reference::build(program, seed + more);
      ASSERT_TRUE(succeeded(reference)) << model.name;
      auto &[kept, memo] =
          made.references.emplace_back(std::move(*reference), TaskMemo());
      memo.keeps = true;
      ASSERT_EQ(kept.compare(*module, memo, seed, 1), "") << model.name;
      memo.keeps = false;
    }
    made.module = std::move(module);
  }
}

/// A quarter of the edits should change no result.
static const Edit &drawEdit(EditDraw &draw) {
  if (draw.below(4) == 0)
    return draw.pick(getNeutralEdits());
  ArrayRef<Edit> groups[] = {
      getStepEdits(), getStepEdits(),   getMessageEdits(),
      getSumEdits(),  getBufferEdits(), getBodyEdits(),
      getBodyEdits(), getTaskEdits(),   getInterfaceEdits()};
  return draw.pick(draw.pick(groups));
}

/// Returns a module that verifies, and that differs from the original.
OwningOpRef<ModuleOp> RandomEdits::edit(EditDraw &draw, Case &original,
                                        std::string &kinds,
                                        bool &mayBeRefused) {
  while (true) {
    OwningOpRef<ModuleOp> module = original.module->clone();
    draw.module = *module;
    kinds.clear();
    mayBeRefused = false;
    size_t count = draw.below(4) == 0 ? 2 + draw.below(2) : 1;
    bool hasAll = true;
    for (size_t i = 0; i < count && hasAll; ++i) {
      const Edit &edit = drawEdit(draw);
      hasAll = edit.apply(draw);
      mayBeRefused |= edit.mayBeRefused;
      kinds += (kinds.empty() ? "" : ", ") + std::string(edit.name);
    }
    // Most edits change when buffers live.
    if (hasAll && draw.below(4) != 0)
      draw.placeBuffers();
    if (hasAll && succeeded(verify(*module)) &&
        !OperationEquivalence::isEquivalentTo(
            *module, *original.module, OperationEquivalence::IgnoreLocations))
      return module;
  }
}

/// Numbers that are equal once may be a coincidence.
std::string RandomEdits::compare(Case &original, ModuleOp module,
                                 uint64_t number) const {
  std::string difference;
  for (auto &[reference, memo] : original.references) {
    if (difference.empty())
      difference = reference.compare(module, memo, seed + number, numSeeds);
    memo.forget();
  }
  return difference;
}

void RandomEdits::dump(ModuleOp module, const std::string &name) const {
  const char *folder = std::getenv("TENON_RANK_DUMP");
  if (!folder)
    return;
  std::error_code error;
  llvm::raw_fd_ostream os(std::string(folder) + "/" + name + ".mlir", error);
  module.print(os);
}

void RandomEdits::judge(uint64_t number) {
  std::string reason;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
    return success();
  });
  EditDraw draw({}, seed * 1000003 + number);
  Case &original = draw.pick(cases);
  std::string kinds;
  bool mayBeRefused = false;
  OwningOpRef<ModuleOp> module = edit(draw, original, kinds, mayBeRefused);
  reason.clear();
  bool isAccepted = succeeded(
      parallelize::checkRanks(*module->getOps<pipe::ProgramOp>().begin()));
  std::string why = reason;
  std::string difference = compare(original, *module, number);
  bool isEqual = difference.empty();
  numEqual += isEqual;
  numUnexpected += !isAccepted && isEqual && !mayBeRefused;
  for (Counts *counted : {&total, &counts[kinds]}) {
    ++(isAccepted ? counted->accepted : counted->rejected);
    counted->wronglyAccepted += isAccepted && !isEqual;
    counted->falseAlarms += !isAccepted && isEqual;
  }
  if (isAccepted == isEqual)
    return;
  llvm::errs() << "edit " << number << " of '" << original.name
               << "': " << kinds << ": "
               << (isAccepted ? "accepted, but " + difference
                              : "refused, but equal: " + why)
               << "\n";
  dump(*module, (isAccepted ? "accepted-" : "refused-") + std::to_string(seed) +
                    "-" + std::to_string(number));
}

void RandomEdits::report(uint64_t count) const {
  for (const auto &[kind, counted] : counts)
    if (counted.wronglyAccepted + counted.falseAlarms > 0)
      llvm::errs() << kind << ": " << counted.accepted << " accepted, "
                   << counted.rejected << " refused, "
                   << counted.wronglyAccepted << " wrongly accepted, "
                   << counted.falseAlarms << " wrongly refused\n";
  llvm::errs() << count << " edits: " << numEqual << " equal, "
               << total.accepted << " accepted, " << total.wronglyAccepted
               << " wrongly accepted, " << total.falseAlarms
               << " wrongly refused, " << numUnexpected
               << " of these unexpectedly\n";
}

static uint64_t getNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RandomEdits, AreJudgedAlike) {
  uint64_t count = getNumber("TENON_RANK_EDITS", 300);
  RandomEdits edits(getNumber("TENON_RANK_SEED", 1));
  edits.addCases();
  if (HasFatalFailure())
    return;
  for (uint64_t number = 0; number < count; ++number)
    edits.judge(number);
  edits.report(count);
  EXPECT_EQ(edits.total.wronglyAccepted, 0u);
  // Some numbers are equal for reasons that the proof does not know.
  EXPECT_LE(edits.numUnexpected, edits.numEqual / 50 + 3);
}

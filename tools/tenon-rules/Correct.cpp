//===- Correct.cpp - tenon-rules correct ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateProver.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Discover/Corrections.h"
#include "tenon/Discover/Statements.h"
#include "tenon/Prove/Prove.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;
using discover::Box;
using discover::Grid;
using discover::Verdict;
using rule::RuleOp;

namespace {
#define GEN_CORRECT_DECL
#include "tenon-rules/Options.inc"

/// One run of the command.
class RuleCorrector : CorrectLine {
public:
  std::optional<int> parse(ArrayRef<const char *> arguments);
  int run();

private:
  /// Rules that are proved, as a file.
  struct Output {
    std::string text;
    std::vector<rule::Certificate> certificates;
    bool write(const std::string &path) const;
  };

  bool correct(RuleOp partial);
  bool proveElsewhere(RuleOp partial, const Grid &grid);
  bool complete(RuleOp partial, const Grid &grid, const std::string &name,
                unsigned *pieces);
  bool prove(RuleOp rule, Output *output, std::string &why);

  std::vector<std::string> paths;
  std::optional<CandidateProver> prover;
  /// Of all rules that are written, to either file.
  std::set<std::string> names;
  Output corrected{"// Rules with corrections, as `tenon-rules correct` adds "
                   "them.\n\n",
                   {}},
      elsewhere{"// Where the sides of partial rules are equal.\n\n", {}};
};
} // namespace

#define GEN_CORRECT_DEF
#include "tenon-rules/Options.inc"

std::optional<int> RuleCorrector::parse(ArrayRef<const char *> arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()),
                       static_cast<CorrectLine &>(*this), table))
    return status;
  if (output.empty())
    return artifact::rejectUsage(kCorrectLineTool, "no output is given (-o)");
  if (!RuleFiles::expand(inputs, paths) || !checkOutput("-o", output, paths) ||
      !checkOutput("--regions", regions, paths) ||
      !checkDistinct(
          {output, rule::getCertificatePath(output), regions,
           regions.empty() ? "" : rule::getCertificatePath(regions)}))
    return 1;
  prover.emplace(rlimit);
  return std::nullopt;
}

bool RuleCorrector::Output::write(const std::string &path) const {
  if (!writeFile(path, text))
    return false;
  if (llvm::Error failed = rule::writeCertificates(
          rule::getCertificatePath(path), certificates)) {
    reportError(llvm::toString(std::move(failed)));
    return false;
  }
  return true;
}

/// Appends the rule to `output`, if it is not null, and the rule is proved. It
/// gets a number if there is one of its name.
bool RuleCorrector::prove(RuleOp rule, Output *output, std::string &why) {
  OwningOpRef<RuleOp> named(rule.clone());
  std::string name = rule.getSymName().str();
  for (unsigned number = 2; output && names.count(name); ++number)
    name = (rule.getSymName() + "_" + Twine(number)).str();
  named->setSymName(name);
  std::string text = discover::writeRule(*named);
  auto [verdict, reason] = prover->prove({text}).front();
  why = reason;
  if (verdict != Verdict::Proved)
    return false;
  if (output) {
    output->text += text + "\n";
    output->certificates.push_back(prover->get(text));
    output->certificates.back().name = name;
    names.insert(name);
  }
  return true;
}

bool RuleCorrector::proveElsewhere(RuleOp partial, const Grid &grid) {
  bool success = true;
  for (auto [number, box] : llvm::enumerate(grid.getBoxes(false))) {
    auto stated = discover::stateEqualIn(
        partial, box,
        (partial.getSymName() + "_in_" + Twine(number + 1)).str());
    std::string why = "it can't be stated";
    if (succeeded(stated) && prove(**stated, &elsewhere, why))
      continue;
    partial.emitError() << "rule '" << partial.getSymName()
                        << "': that its sides are equal in " << box.str()
                        << " is not proved: " << why;
    success = false;
  }
  return success;
}

/// Adds a correction, with as few conditions as are proved to suffice.
bool RuleCorrector::complete(RuleOp partial, const Grid &grid,
                             const std::string &name, unsigned *pieces) {
  std::string why;
  FailureOr<discover::CorrectedRule> result =
      discover::correct(partial, grid, name, why);
  if (failed(result)) {
    partial.emitError() << "rule '" << partial.getSymName()
                        << "' has no correction: " << why;
    return false;
  }
  if (result->numPieces >= *pieces)
    return true;
  *pieces = result->numPieces;
  if (!prove(*result->rule, nullptr, why)) {
    partial.emitError() << "rule '" << partial.getSymName()
                        << "' is not proved with its correction: " << why
                        << "\n"
                        << discover::writeRule(*result->rule);
    return false;
  }
  std::string unused;
  for (rule::ConditionAttr condition : result->added) {
    auto weaker = discover::dropCondition(*result->rule, condition);
    if (prove(*weaker, nullptr, unused))
      result->rule = std::move(weaker);
  }
  prove(*result->rule, &corrected, why);
  llvm::outs() << "  @" << corrected.certificates.back().name << ": proved, "
               << result->numPieces << " pieces\n";
  return true;
}

bool RuleCorrector::correct(RuleOp partial) {
  std::string name = partial.getSymName().str(), why;
  FailureOr<Grid> grid = discover::findDifferences(partial, options, why);
  if (succeeded(grid) && !llvm::is_contained(grid->differs, false)) {
    why = "they differ everywhere";
    grid = failure();
  }
  if (failed(grid)) {
    partial.emitError() << "rule '" << name
                        << "': it is not known where its sides differ: " << why;
    return false;
  }
  llvm::outs() << name << ": ";
  if (grid->isEmpty()) {
    bool isProved = prove(partial, &corrected, why);
    llvm::outs() << "no difference found, "
                 << (isProved ? "proved\n" : "not proved\n");
    if (!isProved)
      partial.emitError() << "rule '" << name << "' is not proved: " << why;
    return isProved;
  }
  std::vector<std::string> boxes;
  for (const Box &box : grid->getBoxes(true))
    boxes.push_back(box.str());
  llvm::outs() << "differs in " << llvm::join(boxes, ", ") << " ("
               << grid->differing << " of their " << grid->covered
               << " elements)\n";
  llvm::outs().flush();
  bool success = proveElsewhere(partial, *grid);
  if (success)
    llvm::outs() << "  equal elsewhere: proved\n";
  unsigned pieces = ~0u;
  success &= complete(partial, *grid, name, &pieces);
  // More than what differs may need fewer pieces.
  for (size_t axis = 0; axis < grid->bounds.size(); ++axis) {
    if (grid->countCells(axis) == 1)
      continue;
    Grid wider = grid->without(axis);
    if (llvm::is_contained(wider.differs, false))
      success &=
          complete(partial, wider, name + "_along_axis_" + std::to_string(axis),
                   &pieces);
  }
  return success;
}

int RuleCorrector::run() {
  bool success = true;
  RuleFiles reader;
  for (const std::string &path : paths) {
    RuleFile file = reader.read(path);
    success &= file.module && file.numBad == 0;
    if (!file.module)
      continue;
    for (RuleOp rule : file.module->getOps<RuleOp>())
      success &= correct(rule);
  }
  llvm::outs().flush();
  return corrected.write(output) &&
                 (regions.empty() || elsewhere.write(regions)) && success
             ? 0
             : 1;
}

int tools::runCorrect(ArrayRef<const char *> arguments) {
  RuleCorrector corrector;
  if (std::optional<int> status = corrector.parse(arguments))
    return *status;
  return corrector.run();
}

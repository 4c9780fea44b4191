//===- BatchTally.cpp - verdicts of cuts against the truth ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchTally.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mlir;
using namespace tenon::fuzz;

/// Messages that differ only in numbers are one.
static std::string withoutNumbers(StringRef text) {
  std::string result;
  for (char character : text)
    if (!llvm::isDigit(character))
      result += character;
    else if (result.empty() || result.back() != 'N')
      result += 'N';
  return result;
}

void BatchTally::add(const generate::BatchModel &model, bool isAccepted,
                     bool isRight, StringRef refusal) {
  bool hasTricks = !model.tricks.empty();
  broken += !hasTricks && !isRight;
  if (isAccepted)
    ++(isRight ? right : wrong);
  else if (hasTricks)
    ++(isRight ? unclear : couplingRefused);
  if (hasTricks || !isRight)
    return;
  std::set<std::string> steps(model.steps.begin(), model.steps.end());
  auto count = [&](Share &share) {
    ++share.models;
    share.refused += !isAccepted;
  };
  count(independent);
  for (const std::string &kind : model.kinds)
    count(byKind[model.kinds.size() == 1 ? "only " + kind : kind]);
  for (const std::string &step : steps)
    count(byStep[step]);
  if (!isAccepted)
    ++refusals[withoutNumbers(refusal)];
}

void BatchTally::print() const {
  auto getShare = [](const Share &share) {
    std::string text;
    llvm::raw_string_ostream(text)
        << share.refused << " of " << share.models << " refused ("
        << llvm::format("%.1f",
                        100.0 * share.refused / std::max(share.models, 1u))
        << " %)";
    return text;
  };
  llvm::outs() << "accepted and right: " << right
               << "; accepted and wrong: " << wrong
               << "; coupling and refused: " << couplingRefused
               << "; with tricks that changed nothing, and refused: " << unclear
               << "\nindependent: " << getShare(independent) << "\n";
  std::vector<std::pair<unsigned, std::string>> sorted;
  for (const auto &[text, count] : refusals)
    sorted.push_back({count, text});
  llvm::sort(sorted,
             [](const auto &a, const auto &b) { return a.first > b.first; });
  for (const auto &[count, text] : sorted)
    llvm::outs() << "  " << count << " " << text << "\n";
  llvm::outs() << "independent, by kind of step:\n";
  for (const auto &[kind, share] : byKind)
    llvm::outs() << "  " << kind << ": " << getShare(share) << "\n";
  llvm::outs() << "independent, by step:\n";
  for (const auto &[step, share] : byStep)
    llvm::outs() << "  " << step << ": " << getShare(share) << "\n";
  if (broken)
    llvm::outs()
        << "DIFFERENT: " << broken
        << " models without tricks, whose parts are not as the whole\n";
}

//===- RuleText.h - where rules stand in a text ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_RULETEXT_H
#define TENON_TOOLS_RULES_RULETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tenon::tools {

/// A rule of a text: from its `rule.rule` to what comes next.
struct RuleText {
  size_t begin, end;
};

/// The rules of a text that may not parse, found only by brackets, comments and
/// strings. A rule that begins a line ends the one before it, whatever brackets
/// that left open.
std::vector<RuleText> findRules(llvm::StringRef text);

/// The text with spaces for all rules but those that are `kept`: what is left
/// stands where it stood.
std::string blankRules(llvm::StringRef text, llvm::ArrayRef<RuleText> rules,
                       llvm::ArrayRef<bool> kept);

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_RULETEXT_H

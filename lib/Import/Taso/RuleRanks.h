//===- RuleRanks.h - ranks and roles of a TASO rule's inputs --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_RULERANKS_H
#define TENON_LIB_IMPORT_TASO_RULERANKS_H

#include "RuleFile.h"

#include <map>

namespace tenon::taso {

/// What an input is to the op that decides its axes; names its symbols.
enum class Role { None, Data, Weight, Left, Right };

struct RuleRanks {
  struct Input {
    unsigned rank = 0;
    Role role = Role::None;
  };
  /// By the input's number.
  std::map<unsigned, Input> inputs;
  /// No op fixes any rank: the rule holds at all of them.
  bool isFree = true;
};

/// Ranks as the ops fix them: 4 around convolutions, that of a concat, else 2
/// around matmuls, else 1. Reports ops that contradict each other.
mlir::FailureOr<RuleRanks> inferRanks(const Rule &rule, mlir::Location file);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULERANKS_H

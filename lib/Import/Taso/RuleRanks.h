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

/// The role of an input for the op that determines its axes; determines the
/// names of its symbols.
enum class Role { None, Data, Weight, Left, Right };

struct RuleRanks {
  struct Input {
    unsigned rank = 0;
    Role role = Role::None;
  };
  /// Inputs by number.
  std::map<unsigned, Input> inputs;
  /// Whether no op determines any rank, so that the rule holds at all ranks.
  bool isFree = true;
};

/// Infers ranks from the ops: 4 around convolutions, that of a concat,
/// otherwise 2 around matmuls, otherwise 1. Reports ops that contradict each
/// other.
mlir::FailureOr<RuleRanks> inferRanks(const Rule &rule, mlir::Location file);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULERANKS_H

//===- RuleStatement.h - TASO's rules as rules to be written --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_RULESTATEMENT_H
#define TENON_LIB_IMPORT_TASO_RULESTATEMENT_H

#include "RuleShapes.h"

#include "tenon/Dialect/Rule/IR/RuleWriter.h"

namespace tenon::taso {

/// The rule with inferred shapes, in ops of the graph dialect. A fused relu
/// becomes an op.
rule::WrittenRule stateRule(const Rule &rule, const RuleShapes &shapes);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULESTATEMENT_H

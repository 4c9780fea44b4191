//===- RuleShapes.h - the most general shapes of a TASO rule --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_RULESHAPES_H
#define TENON_LIB_IMPORT_TASO_RULESHAPES_H

#include "RuleFile.h"

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <map>

namespace tenon::taso {

/// The generalized parameters of a convolution, height before width.
struct ConvParameters {
  std::array<graph::SymInt, 2> strides, padsLow, padsHigh;
  int64_t groups = 1;
};

struct OpShapes {
  /// One shape per result. A fused relu keeps the shape.
  llvm::SmallVector<graph::Shape, 1> results;
  ConvParameters conv;
};

/// The shapes of a rule, over symbols with short names.
struct RuleShapes {
  /// Shapes by input number.
  std::map<unsigned, graph::Shape> inputs;
  std::vector<OpShapes> source, target;
  /// The conditions in the syntax of rules, without duplicates.
  std::vector<std::string> conditions;
  /// Whether all inputs may have further leading axes.
  bool lifts = false;
  /// Whether parts of a grouped convolution were given equal channels.
  bool channelsMadeEqual = false;
};

/// Infers the most general ranks and shapes for which all ops of both sides are
/// valid and both sides have the same shapes. Reports ops for which that is
/// impossible.
mlir::FailureOr<RuleShapes> inferShapes(const Rule &rule, mlir::Location file,
                                        bool equalChannels);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULESHAPES_H

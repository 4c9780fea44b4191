//===- RuleFile.h - a file of TASO's rules, parsed and checked ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_RULEFILE_H
#define TENON_LIB_IMPORT_TASO_RULEFILE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <string>
#include <vector>

namespace tenon::taso {

enum class OpKind { Conv, Relu, Concat, Split, Add, Mul, Matmul };

/// TASO's name: conv2d, relu, concat, split, ewadd, ewmul, matmul.
llvm::StringRef getName(OpKind kind);

/// An input of the rule, or a result of an op of the same side.
struct TasoValue {
  bool isInput;
  /// The input's number (1 and above), or the op's position.
  unsigned number;
  /// Which of the op's results.
  unsigned result = 0;
};

struct TasoOp {
  OpKind kind;
  llvm::SmallVector<TasoValue, 2> operands;
  unsigned numResults = 1;
  /// Of concat and split.
  unsigned axis = 0;
  /// Of concat: the rank of its operands.
  unsigned rank = 0;
  /// Of conv: height, width.
  std::array<int64_t, 2> kernel = {}, strides = {};
  /// Of conv: as many zeros around as keep the size at stride 1; else none.
  bool samePadding = false;
  /// Of conv and matmul: a relu follows.
  bool relu = false;
};

/// The ops of one side, each after those that it reads.
using Side = std::vector<TasoOp>;

struct Output {
  TasoValue source, target;
};

struct Rule {
  unsigned number;
  Side source, target;
  llvm::SmallVector<Output, 2> outputs;
};

/// Where a diagnostic belongs: the file, and in it a rule, an op.
struct Place {
  mlir::Location file;
  unsigned rule;
  /// Null: the rule as a whole.
  const char *side = nullptr;
  unsigned op = 0;

  mlir::InFlightDiagnostic emitError() const;
};

/// Reads a whole file. Reports what is damaged, missing, unknown or out of
/// range, the first such thing of each rule.
mlir::FailureOr<std::vector<Rule>> readRules(llvm::StringRef bytes,
                                             mlir::Location file);

/// The rule as "source = target; ...", one equation per output, in one line:
/// iN is input N; concat@A and split@A act on axis A; split(x)#K is part K;
/// conv2d[sHW pP aA] has stride H W, padding mode P (0 same, 1 valid) and
/// activation A (0 none, 2 relu). Long text ends in "...".
std::string describe(const Rule &rule);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULEFILE_H

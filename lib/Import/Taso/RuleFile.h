//===- RuleFile.h - parsing and checking of TASO's rules ------------------===//
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
  /// The number of the op's result.
  unsigned result = 0;
};

struct TasoOp {
  OpKind kind;
  llvm::SmallVector<TasoValue, 2> operands;
  unsigned numResults = 1;
  /// For concat and split.
  unsigned axis = 0;
  /// For concat: the rank of its operands.
  unsigned rank = 0;
  /// For conv: height and width.
  std::array<int64_t, 2> kernel = {}, strides = {};
  /// For conv: whether zero padding keeps the size at stride 1; otherwise there
  /// is no padding.
  bool samePadding = false;
  /// For conv and matmul: whether a relu follows.
  bool relu = false;
};

/// The ops of one side; each follows the ops that it reads.
using Side = std::vector<TasoOp>;

struct Output {
  TasoValue source, target;
};

struct Rule {
  unsigned number;
  Side source, target;
  llvm::SmallVector<Output, 2> outputs;
};

/// The location of a diagnostic: the file, and in it a rule and an op.
struct Place {
  mlir::Location file;
  unsigned rule;
  /// Null if it refers to the whole rule.
  const char *side = nullptr;
  unsigned op = 0;

  mlir::InFlightDiagnostic emitError() const;
};

/// Reads a whole file. For each rule, reports the first part that is damaged,
/// missing, unknown or out of range.
mlir::FailureOr<std::vector<Rule>> readRules(llvm::StringRef bytes,
                                             mlir::Location file);

/// Prints the rule as "source = target; ...", one equation per output, in one
/// line: iN is input N; concat@A and split@A act on axis A; split(x)#K is part
/// K; conv2d[sHW pP aA] has stride H W, padding mode P (0 same, 1 valid) and
/// activation A (0 none, 2 relu). Long text ends in "...".
std::string describe(const Rule &rule);

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_RULEFILE_H

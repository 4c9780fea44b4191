//===- Expressions.h - numbers for what values compute ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Value numbering over several functions (Alpern, Wegman and Zadeck, POPL 1988,
// without cycles): two values have one number if the same ops compute them from
// the same leaves. Over the reals, sums and products of two have no order, and
// products with zero are zero.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_EXPRESSIONS_H
#define TENON_LIB_PARALLELIZE_EXPRESSIONS_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <unordered_map>
#include <vector>

namespace tenon::parallelize {

class Expressions {
public:
  using Id = unsigned;

  /// An input. `hasSamples`: it depends on samples.
  Id getLeaf(llvm::StringRef name, mlir::Type type, bool hasSamples);
  /// A state between runs, or a sum of gradients that is complete; if it is
  /// `running`, as tasks that add to it find it.
  Id getState(llvm::StringRef name, mlir::Type type, bool isRunning);

  mlir::Type getType(Id id) const { return infos[id].type; }
  /// Whether it depends on samples.
  bool hasSamples(Id id) const { return infos[id].hasSamples; }
  /// The states that tasks still add to from which it is computed.
  llvm::ArrayRef<llvm::StringRef> getRunning(Id id) const {
    return infos[id].running;
  }
  /// Whether all its elements are zero.
  bool isZero(Id id) const { return infos[id].isZero; }
  /// The number that each of its elements is, if it is made of constants.
  std::optional<double> getNumber(Id id) const { return infos[id].number; }
  Id getZero(mlir::Type type);
  Id getSum(mlir::Type type, llvm::ArrayRef<Id> operands);
  /// The addends of a sum, each as often as it occurs; empty for other values.
  llvm::ArrayRef<Id> getAddends(Id id) const { return infos[id].addends; }

  /// What a function computes.
  struct Evaluation {
    /// Of the arguments, then of the results of all ops, in order.
    std::vector<Id> values;
    /// For each of these, the places of what it is computed from, and the op;
    /// null for arguments.
    std::vector<llvm::SmallVector<unsigned, 2>> sources;
    std::vector<mlir::Operation *> ops;
    /// Places of the results.
    llvm::SmallVector<unsigned> results;
    /// States that are written, with the places of their values, and read.
    llvm::SmallVector<std::pair<llvm::StringRef, unsigned>> writes;
    llvm::SmallVector<llvm::StringRef> reads;
  };
  /// `isRunning`: of a state that is read.
  Evaluation evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Id> arguments,
                      llvm::function_ref<bool(llvm::StringRef)> isRunning);

private:
  using Key = std::vector<uintptr_t>;
  struct Hash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };
  struct Info {
    mlir::Type type;
    bool hasSamples = false, isZero = false;
    std::optional<double> number;
    llvm::SmallVector<llvm::StringRef, 0> running; // each once
    llvm::SmallVector<Id, 0> addends;              // of a sum
  };

  Id intern(Key key, Info info);
  void addOperands(Info &info, llvm::ArrayRef<Id> operands) const;
  bool isZero(mlir::Operation *op, llvm::ArrayRef<Id> operands) const;
  std::optional<double> findNumber(mlir::Operation *op,
                                   llvm::ArrayRef<Id> operands) const;

  std::unordered_map<Key, Id, Hash> ids;
  std::vector<Info> infos;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_EXPRESSIONS_H

//===- ReferenceGraph.h - a model, evaluated value by value --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_REFERENCEGRAPH_H
#define TENON_COMPARE_REFERENCEGRAPH_H

#include "tenon/Compare/Candidates.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::compare {

/// A copy of a model's function in which composite ops are replaced by their
/// decompositions, since a compiler may show the values of these ops. The
/// result of a composite keeps its name.
///
/// A value can be computed only from the inputs, or from the values that a run
/// has shown before, so that earlier errors do not count.
class ReferenceGraph {
public:
  /// `options` must be those of domain f64. `function` is not changed.
  ReferenceGraph(mlir::func::FuncOp function, interpret::Options options);

  /// Computes all values that depend on the inputs and that outputs need.
  /// Reports its errors.
  mlir::LogicalResult evaluate(llvm::ArrayRef<interpret::Tensor> inputs);

  /// Returns the labels of those values, and of values that depend only on
  /// sizes or weights; requires `evaluate`. Outputs follow, without an origin.
  const std::vector<Label> &getLabels() const { return labels; }
  mlir::Value getValue(size_t label) const { return values[label]; }
  mlir::MLIRContext *getContext() const { return function.get().getContext(); }
  /// Returns the label of output number `output`.
  size_t getOutput(size_t output) const { return firstOutput + output; }
  size_t getNumOutputs() const { return labels.size() - firstOutput; }

  /// Returns the value that is computed only from the inputs.
  const interpret::Tensor &getTensor(mlir::Value value) const {
    return exact.find(value)->second;
  }

  /// Makes later computations use `tensor` for `value`.
  void show(mlir::Value value, interpret::Tensor tensor);
  bool isShown(mlir::Value value) const { return shown.count(value); }

  /// Computes the op of `value` from shown operands, or, for operands that are
  /// not shown, from values computed from shown ones: in doubles, or with every
  /// operation `rounded` to its element type.
  mlir::FailureOr<interpret::Tensor> compute(mlir::Value value, bool rounded);

  /// Returns the ops of the model that `compute` runs, in order, without those
  /// that depend only on weights.
  std::vector<Origin> listOps(mlir::Value value) const;
  /// Returns the shown values that these ops read; inputs have no place.
  std::vector<Origin> listReads(mlir::Value value) const;

private:
  void decompose();
  std::vector<mlir::Operation *> findOps(mlir::Value value) const;
  void addOrigin(mlir::Value value, std::vector<Origin> &origins) const;
  void addLabels();
  mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
  run(mlir::Operation *op, llvm::ArrayRef<interpret::Tensor> operands,
      bool rounded, bool checkIndices);

  using Tensors = llvm::DenseMap<mlir::Value, interpret::Tensor>;

  mlir::OwningOpRef<mlir::func::FuncOp> function;
  interpret::Options options;
  interpret::Symbols symbols;
  unsigned numOutputs;
  /// A name that a composite gave to a value.
  struct Composite {
    Origin origin;
    mlir::Value value;
    bool isOwn; // whether it was in the model
  };
  std::vector<Composite> composites;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseSet<mlir::Operation *> live, ofInputs;
  std::vector<Label> labels;
  std::vector<mlir::Value> values; // by label
  size_t firstOutput = 0;
  Tensors exact, shown;
  /// Values that are not shown, computed from shown ones.
  Tensors local[2];
};

} // namespace tenon::compare

#endif // TENON_COMPARE_REFERENCEGRAPH_H

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

/// A copy of a model's function in which composite ops stand as the ops that
/// they mean, since a compiler may show those; what a composite computed keeps
/// its name.
///
/// A value can be computed from the inputs alone, or from what a run has shown
/// of earlier values: then what went wrong before does not count.
class ReferenceGraph {
public:
  /// `options` are those of domain f64. `function` stays as it is.
  ReferenceGraph(mlir::func::FuncOp function, interpret::Options options);

  /// Computes all values that depend on the inputs and that outputs need.
  /// Reports its errors.
  mlir::LogicalResult evaluate(llvm::ArrayRef<interpret::Tensor> inputs);

  /// Of those values, and of what depends on sizes or weights alone; after
  /// `evaluate`. Outputs follow, with no origin.
  const std::vector<Label> &getLabels() const { return labels; }
  mlir::Value getValue(size_t label) const { return values[label]; }
  mlir::MLIRContext *getContext() const { return function.get().getContext(); }
  /// The label of output number `output`.
  size_t getOutput(size_t output) const { return firstOutput + output; }
  size_t getNumOutputs() const { return labels.size() - firstOutput; }

  /// As computed from the inputs alone.
  const interpret::Tensor &getTensor(mlir::Value value) const {
    return exact.find(value)->second;
  }

  /// From now on, what is computed from `value` is computed from `tensor`.
  void show(mlir::Value value, interpret::Tensor tensor);
  bool isShown(mlir::Value value) const { return shown.count(value); }

  /// What the op of `value` gives for shown operands, and for operands that are
  /// computed of shown ones where they are not shown themselves: in doubles, or
  /// with every operation `rounded` to the type of its elements.
  mlir::FailureOr<interpret::Tensor> compute(mlir::Value value, bool rounded);

  /// The ops of the model that `compute` runs, but for those that depend on
  /// weights alone, in their order.
  std::vector<Origin> listOps(mlir::Value value) const;
  /// The shown values that these ops read; inputs have no place.
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
    bool isOwn; // it was in the model
  };
  std::vector<Composite> composites;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseSet<mlir::Operation *> live, ofInputs;
  std::vector<Label> labels;
  std::vector<mlir::Value> values; // by label
  size_t firstOutput = 0;
  Tensors exact, shown;
  /// Of values that are not shown: computed from shown ones.
  Tensors local[2];
};

} // namespace tenon::compare

#endif // TENON_COMPARE_REFERENCEGRAPH_H

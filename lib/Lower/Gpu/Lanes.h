//===- Lanes.h - wide accesses to neighbouring elements -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that computes several neighbouring elements uses one wide access for
// operand elements that are also contiguous, and one access for an operand
// element that is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_LANES_H
#define TENON_LIB_LOWER_GPU_LANES_H

#include "GpuKernelBuilder.h"

namespace tenon::lower {

/// A variable that is a multiple of `count`, plus the number of the lane.
struct LaneVar {
  unsigned var = 0;
  int64_t count = 1;
  /// Loads with this number or a higher one have a different value in each
  /// lane, regardless of their index: they are results of earlier kernel loops
  /// at the element itself.
  unsigned firstVarying = ~0u;
};

/// How an index depends on the variable.
struct LaneIndex {
  /// The difference of the index from lane to lane; nullopt if it is irregular.
  std::optional<int64_t> stride;
  /// A divisor of the first lane's index.
  int64_t divisor = 1;
};
LaneIndex analyzeLanes(const graph::Expr &index, const LaneVar &lane);

/// Returns a divisor of the size for all values of its symbols.
int64_t getDivisor(const graph::SymInt &size);

/// Returns the largest number of lanes (a power of two) for which every access
/// to the elements can be one wide access, or 1 if that has no benefit.
int64_t countLanes(const LoopPlan &plan, LaneVar lane);

/// Emits an element for successive values of a variable.
class LaneEmitter {
public:
  /// `first` is the variable's value in lane 0.
  LaneEmitter(GpuKernelBuilder &kernel, const ExprEmitter &at,
              const LaneVar &var, mlir::Value first);

  int64_t size() const { return lanes.size(); }
  /// Sets the value of a subexpression in each lane.
  void setValues(const graph::Expr &part, llvm::ArrayRef<mlir::Value> values);
  llvm::SmallVector<mlir::Value> emit(const graph::Expr &element);
  /// Stores the lanes' values at `position`, whose stride must be 1 if there
  /// are several lanes.
  void store(llvm::ArrayRef<mlir::Value> values, mlir::Value pointer,
             const graph::Expr &position, mlir::Type type);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  void prepare(const graph::Expr &root);
  void prepareLoad(const graph::Expr &load);
  void prepareSelect(const graph::Expr &select);
  void prepareReduce(const graph::Expr &reduce);
  bool isSame(const graph::Expr &condition) const;
  Values emitBranch(mlir::Value condition, mlir::Type type,
                    llvm::function_ref<Values(LaneEmitter &)> then,
                    llvm::function_ref<Values(LaneEmitter &)> otherwise);

  GpuKernelBuilder &kernel;
  LaneVar var;
  std::vector<ExprEmitter> lanes;
  llvm::DenseSet<const graph::ExprNode *> prepared;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_LANES_H

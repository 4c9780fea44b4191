//===- BatchGenerator.h - steps of models over samples ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_GENERATE_BATCHGENERATOR_H
#define TENON_LIB_GENERATE_BATCHGENERATOR_H

#include "OpProposals.h"
#include "tenon/Generate/BatchModels.h"

namespace tenon::generate {

/// A value and the axis that is meant to have its samples.
struct Sampled {
  mlir::Value value;
  unsigned axis = 0;
  graph::SymInt rows = 1;

  explicit operator bool() const { return value != nullptr; }
  graph::Shape getShape() const { return graph::getShape(value); }
};

class BatchGenerator : public GraphGenerator {
public:
  /// A way to add an op or a few; says whether it fitted.
  struct Step {
    std::string name;
    bool (*add)(BatchGenerator &);
  };

  BatchGenerator(mlir::MLIRContext *context, uint64_t seed)
      : GraphGenerator(context, seed, /*dynamic=*/true) {}

  BatchModel generate(unsigned ops);

  mlir::Type f32() { return builder.getF32Type(); }
  /// A value of f32 with samples, a recent one more often.
  Sampled pickSampled(unsigned minRank = 1);
  /// A value of the same type with samples along the same axis.
  Sampled pickLike(const Sampled &other);
  /// An axis that has no samples; std::nullopt if there is none that fits.
  std::optional<unsigned> pickOther(const Sampled &x, bool isConstant = false);
  /// Makes a value one with samples; false if it is null.
  bool put(mlir::Value value, unsigned axis, const graph::SymInt &rows);
  bool put(mlir::Value value, const Sampled &like) {
    return put(value, like.axis, like.rows);
  }
  /// Adds or multiplies values of one type.
  bool combine(const Sampled &x, mlir::Value other);
  /// Broadcasts a value that is the same for all samples, and claims so.
  mlir::Value repeat(mlir::Value value, const graph::Shape &shape,
                     const Sampled &like);
  /// Claims that a value has equal rows for all samples.
  void claimUniform(mlir::Value value, unsigned axis,
                    const graph::SymInt &rows);
  /// x with an axis of size 1 at `place`.
  Sampled insertAxis(const Sampled &x, unsigned place);
  mlir::Value newWhole(const graph::Shape &shape) {
    return newInput(shape, f32());
  }
  /// An input of indices from 0 to `limit`; of the samples if axis 0 has n.
  mlir::Value newIndices(const graph::Shape &shape, const graph::SymInt &limit);
  mlir::Value iota(const graph::Shape &shape, unsigned axis,
                   mlir::Type element);
  /// A size that depends on the number of samples.
  graph::SymInt anyCounted();
  void alsoReturn(mlir::Value value) { returned.push_back(value); }

  const graph::SymInt n = graph::SymInt::symbol("n");

private:
  void addArguments();
  bool addOneOf(llvm::ArrayRef<Step> steps, std::string &name);
  void finishModel();

  BatchModel model;
  std::vector<Sampled> sampled;
  std::vector<mlir::Value> returned;
};

/// Steps that do with each sample the same.
llvm::ArrayRef<BatchGenerator::Step> listSampleSteps();
/// Steps that may not.
llvm::ArrayRef<BatchGenerator::Step> listTricks();

} // namespace tenon::generate

#endif // TENON_LIB_GENERATE_BATCHGENERATOR_H

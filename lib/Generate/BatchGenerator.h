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

/// A value and the axis that is meant to have its samples, as graph::SampleAxis
/// describes it.
struct Sampled {
  mlir::Value value;
  unsigned axis = 0;
  graph::SymInt rows = 1, outer = 1;

  explicit operator bool() const { return value != nullptr; }
  graph::Shape getShape() const { return graph::getShape(value); }
  /// Whether nothing but samples and their rows is on the axis.
  bool isPlain() const { return outer == graph::SymInt(1); }
  /// Whether an index of the axis is that of a sample.
  bool isEach() const { return isPlain() && rows == graph::SymInt(1); }
};

class BatchGenerator : public GraphGenerator {
public:
  /// A way to add an op or a few; says whether it fitted.
  struct Step {
    std::string name;
    bool (*add)(BatchGenerator &);
  };
  /// Steps that do with each sample the same, and those that may not.
  struct Kind {
    std::string name;
    llvm::ArrayRef<Step> steps, tricks;
  };

  BatchGenerator(mlir::MLIRContext *context, uint64_t seed,
                 std::vector<Kind> kinds)
      : GraphGenerator(context, seed, /*dynamic=*/true),
        kinds(std::move(kinds)) {}

  BatchModel generate(unsigned ops);

  mlir::Type f32() { return builder.getF32Type(); }
  /// A value of f32 with samples, a recent one more often.
  Sampled pickSampled(unsigned minRank = 1);
  /// A value of the same type with samples along the same axis.
  Sampled pickLike(const Sampled &other);
  /// An axis that has no samples; std::nullopt if there is none that fits.
  std::optional<unsigned> pickOther(const Sampled &x, bool isConstant = false);
  /// Makes a value one with samples; false if it is null.
  bool put(mlir::Value value, unsigned axis, const graph::SymInt &rows,
           const graph::SymInt &outer = 1);
  bool put(mlir::Value value, const Sampled &like) {
    return put(value, like.axis, like.rows, like.outer);
  }
  /// The same, as the value that was put.
  Sampled putNew(mlir::Value value, unsigned axis, const graph::SymInt &rows,
                 const graph::SymInt &outer = 1) {
    return put(value, axis, rows, outer) ? sampled.back() : Sampled();
  }
  /// Adds or multiplies values of one type.
  bool combine(const Sampled &x, mlir::Value other);
  /// Broadcasts a value that is the same for all samples, and claims so.
  mlir::Value repeat(mlir::Value value, const graph::Shape &shape,
                     const Sampled &like);
  /// Claims that a value has equal rows for all samples.
  void claimUniform(mlir::Value value, unsigned axis, const graph::SymInt &rows,
                    const graph::SymInt &outer = 1);
  /// x with an axis of size 1 at `place`.
  Sampled insertAxis(const Sampled &x, unsigned place);
  /// Merges `before` axes before the samples and `behind` axes behind them.
  Sampled merge(const Sampled &x, unsigned before, unsigned behind);
  /// Makes axes of what is before the samples, and often of their rows.
  Sampled unmerge(const Sampled &x);
  Sampled transpose(const Sampled &x, llvm::ArrayRef<int64_t> perm);
  /// Exchanges axes `a` and `b`.
  Sampled exchange(const Sampled &x, unsigned a, unsigned b);
  /// A value whose samples are in the middle of an axis; merges one if needed.
  Sampled pickMerged();
  mlir::Value newWhole(const graph::Shape &shape) {
    return newInput(shape, f32());
  }
  /// An input of indices from 0 to `limit`; of the samples if axis 0 has n.
  mlir::Value newIndices(const graph::Shape &shape, const graph::SymInt &limit);
  mlir::Value iota(const graph::Shape &shape, unsigned axis,
                   mlir::Type element);
  /// A size that depends on the number of samples.
  graph::SymInt anyCounted();
  /// The symbol that the size of x has for the number of samples.
  graph::SymInt numberOf(const Sampled &x) const;
  mlir::Value reshape(mlir::Value x, const graph::Shape &shape) {
    return build("reshape", {x}, {sizes("shape", shape)});
  }
  mlir::Value broadcast(mlir::Value x, const graph::Shape &shape) {
    return build("broadcast", {x}, {sizes("shape", shape)});
  }
  /// `count` indices from `start` on, `step` apart, of one axis.
  mlir::Value sliceAxis(mlir::Value x, unsigned axis,
                        const graph::SymInt &start, const graph::SymInt &count,
                        int64_t step = 1);
  /// x, of one axis, along `axis` of a shape.
  mlir::Value spread(mlir::Value x, const graph::Shape &shape, unsigned axis);
  /// A value of f32 that is the same for all samples, which are where those of
  /// x are; null if a random way to make one does not fit.
  mlir::Value uniform(const graph::Shape &shape, const Sampled &x);
  mlir::Type i64() { return builder.getI64Type(); }
  /// Integers that are all the same.
  mlir::Value fill(const graph::Shape &shape, int64_t value);
  mlir::Value toNumbers(mlir::Value x);
  /// Integers of shape [number], each of which is its own index.
  mlir::Value position(const graph::SymInt &number);
  /// The same shape, but some element is the index of another sample; all are
  /// below `number`.
  mlir::Value wrongPosition(const graph::SymInt &number);
  /// Integers from 0 to before `size`, which is at least 1.
  mlir::Value bounded(const graph::Shape &shape, int64_t size);
  void alsoReturn(mlir::Value value) { returned.push_back(value); }
  /// Claims that a value is a sum or a mean over samples, and returns it if it
  /// is a number; false if it is null.
  bool putPooled(mlir::Value value, graph::Pooling pooling);
  /// A value that is claimed to be pooled; null if there is none.
  mlir::Value pickPooled();
  graph::Pooling getPooling(mlir::Value value) const {
    return model.cut.pooled.lookup(value);
  }

  const graph::SymInt n = graph::SymInt::symbol("n");
  /// Another symbol that stands for the number of samples.
  const graph::SymInt m = graph::SymInt::symbol("m");

private:
  void addArguments();
  const Kind &pickKind();
  /// Mostly returns values that no step has used.
  void returnUnused(llvm::SmallVectorImpl<mlir::Value> &results);
  bool addOneOf(llvm::ArrayRef<Step> steps, std::string &name);
  void finishModel();

  /// Those of the model's steps.
  std::vector<Kind> kinds;
  BatchModel model;
  std::vector<Sampled> sampled;
  std::vector<mlir::Value> returned, pooled;
  bool hasFurther = false;
};

/// Steps that do with each sample the same, and those that may not.
llvm::ArrayRef<BatchGenerator::Step> listSampleSteps();
llvm::ArrayRef<BatchGenerator::Step> listTricks();
/// Samples in the middle of an axis.
llvm::ArrayRef<BatchGenerator::Step> listMerges();
llvm::ArrayRef<BatchGenerator::Step> listMergeTricks();
/// Reads at the positions of samples.
llvm::ArrayRef<BatchGenerator::Step> listPositions();
llvm::ArrayRef<BatchGenerator::Step> listPositionTricks();
/// Masks that are computed from such positions.
llvm::ArrayRef<BatchGenerator::Step> listMasks();
llvm::ArrayRef<BatchGenerator::Step> listMaskTricks();
/// Values that are the same for all samples, and repeated for each.
llvm::ArrayRef<BatchGenerator::Step> listRepeats();
llvm::ArrayRef<BatchGenerator::Step> listRepeatTricks();
/// Sums and means over samples, such as losses.
llvm::ArrayRef<BatchGenerator::Step> listLosses();
llvm::ArrayRef<BatchGenerator::Step> listLossTricks();
/// Arguments with another symbol for the number of samples.
llvm::ArrayRef<BatchGenerator::Step> listSymbols();
llvm::ArrayRef<BatchGenerator::Step> listSymbolTricks();

} // namespace tenon::generate

#endif // TENON_LIB_GENERATE_BATCHGENERATOR_H

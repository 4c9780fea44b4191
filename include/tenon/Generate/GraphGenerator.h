//===- GraphGenerator.h - random graphs ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_GRAPHGENERATOR_H
#define TENON_GENERATE_GRAPHGENERATOR_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace tenon::generate {

/// Builds a module with one function @main, op by op. Attributes are drawn so
/// that most ops fit; those that the op itself refuses are not added.
class GraphGenerator {
public:
  GraphGenerator(mlir::MLIRContext *context, uint64_t seed, bool dynamic);

  /// A way to add an op, or several; says whether it did.
  using Proposal = std::function<bool(GraphGenerator &)>;

  /// A graph of `ops` ops or some more (constants and broadcasts between them).
  /// With `special`, that is asked half of the time.
  mlir::OwningOpRef<mlir::ModuleOp> generate(unsigned ops,
                                             const Proposal &special = {});
  /// A graph of `kind` for each element type that takes it, with several
  /// choices of shapes and attributes; null when no choice fits.
  mlir::OwningOpRef<mlir::ModuleOp> generateEach(llvm::StringRef kind);

  /// Names of everything that `generate` can add.
  static std::vector<std::string> listKinds();

  struct Kind {
    std::string name;
    Proposal add;
  };

  // What proposals draw from. Random choices:
  int64_t below(int64_t end) { return random() % end; }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  double number(double low, double high);

  // Types:
  mlir::Type anyFloat();
  mlir::Type anyInteger();
  mlir::Type anyElement();
  mlir::Type i1() { return builder.getI1Type(); }
  /// A random shape; its first axis may be a symbol.
  graph::Shape anyShape(unsigned minRank, unsigned maxRank,
                        int64_t maxSize = 6);
  /// Whether shapes may have symbols.
  bool isDynamic() const { return dynamic; }
  /// Whether a value of this shape is small enough.
  static bool isSmall(const graph::Shape &shape);

  // Values: Some value that `fits`, a new input if there is none; null when the
  // forced type does not fit.
  mlir::Value pickValue(llvm::function_ref<bool(mlir::RankedTensorType)> fits,
                        llvm::function_ref<mlir::Type()> element,
                        unsigned minRank = 0, unsigned maxRank = 4);
  mlir::Value pickFloat(unsigned minRank = 0, unsigned maxRank = 4);
  mlir::Value pickInteger(unsigned minRank = 0, unsigned maxRank = 4);
  mlir::Value pickNumber(unsigned minRank = 0, unsigned maxRank = 4);
  mlir::Value pickAny(unsigned minRank = 0, unsigned maxRank = 4);
  /// Another value of the same type: an old one, or a new input or constant.
  mlir::Value pickSame(mlir::Value other);
  mlir::Value newInput(const graph::Shape &shape, mlir::Type element);
  /// All values to choose from, oldest first.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// Adds results of ops that were built otherwise, to choose from.
  void offer(mlir::ValueRange results) {
    values.insert(values.end(), results.begin(), results.end());
  }
  /// A new input, or a parameter if the shape is constant.
  mlir::Value newWeight(const graph::Shape &shape, mlir::Type element);
  /// A splat of `value`.
  mlir::Value newConstant(const graph::Shape &shape, mlir::Type element,
                          double value);
  /// Integers in [low, high], of a constant shape.
  mlir::Value newIntegers(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                          int64_t low, int64_t high);

  // Ops:
  using Attributes = llvm::SmallVector<mlir::NamedAttribute>;
  mlir::NamedAttribute ints(llvm::StringRef name,
                            llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute sizes(llvm::StringRef name, const graph::Shape &shape);
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute real(llvm::StringRef name, double value);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value);
  /// Adds a unit attribute sometimes.
  void maybe(Attributes &attributes, llvm::StringRef name);
  /// The op, or null when it does not fit. Its results become values to choose
  /// from.
  mlir::Operation *add(llvm::StringRef name, mlir::ValueRange operands,
                       Attributes attributes = {});
  /// Like `add`, for an op with one result; null if it does not fit.
  mlir::Value build(llvm::StringRef name, mlir::ValueRange operands,
                    Attributes attributes = {});

  std::mt19937_64 random;
  mlir::OpBuilder builder;
  mlir::Type forcedElement; // of generateEach

protected:
  void begin();
  /// The module, whose function returns `results`.
  mlir::OwningOpRef<mlir::ModuleOp> finish(mlir::ValueRange results);

private:
  static const std::vector<Kind> &kinds();
  llvm::SmallVector<mlir::Value> getUnused();

  bool dynamic;
  /// Whether computed floats are to be taken seldom.
  bool avoidsComputed = false;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::vector<mlir::Value> values;
  unsigned parameters = 0;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_GRAPHGENERATOR_H

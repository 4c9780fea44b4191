//===- Facts.h - small tensors known at import ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX models compute shapes with ordinary operators (Shape, Gather, Concat,
// Mul, ...). The importer evaluates them on facts: small tensors whose elements
// are numbers or size expressions over the dimension symbols.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_FACTS_H
#define TENON_LIB_IMPORT_ONNX_FACTS_H

#include "Tensor.h"

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <optional>
#include <variant>
#include <vector>

namespace tenon::onnx {

class NodeProto;

/// An element: an integer (also of a floating-point tensor, where it is exact)
/// or a floating-point number.
class Fact {
public:
  Fact(graph::SymInt value) : value(std::move(value)) {}
  /// -2^63, which a SymInt does not hold, is kept as a number.
  Fact(int64_t value);
  Fact(int value) : Fact(int64_t(value)) {}
  /// Whole numbers become integers.
  static Fact number(double value);

  const graph::SymInt *getInteger() const {
    return std::get_if<graph::SymInt>(&value);
  }
  /// The number, where it is constant.
  std::optional<double> getNumber() const;
  std::optional<int64_t> getConstantInteger() const;

private:
  explicit Fact(double value) : value(value) {}
  std::variant<graph::SymInt, double> value;
};

struct FactTensor {
  artifact::DType dtype = artifact::DType::I64;
  llvm::SmallVector<int64_t> shape;
  std::vector<Fact> elements;

  int64_t size() const { return elements.size(); }
  int64_t rank() const { return shape.size(); }
  /// The elements as integers; nullopt where one is not.
  std::optional<graph::Shape> getIntegers() const;
  std::optional<llvm::SmallVector<int64_t>> getConstantIntegers() const;
  std::optional<llvm::SmallVector<double>> getNumbers() const;
  bool isConstant() const;

  /// A vector of i64.
  static FactTensor vector(llvm::ArrayRef<graph::SymInt> values);
  static FactTensor scalar(graph::SymInt value);
  /// nullopt for tensors too large to be facts.
  static std::optional<FactTensor> fromTensor(const OnnxTensor &tensor);
};

/// An integer vector start, start + delta, ... of `count` elements, where the
/// count may be symbolic: what Range makes.
struct Progression {
  graph::SymInt start, delta, count;
  graph::SymInt at(const graph::SymInt &index) const {
    return start + delta * index;
  }
};

/// Tensors with more elements are data, not facts.
constexpr int64_t maxFactElements = 4096;

/// What a node's parameters are, as fact evaluation asks for them.
struct FactQuery {
  const NodeProto &node;
  int64_t opset;
  /// Input facts; null where the optional input is absent.
  llvm::ArrayRef<const FactTensor *> inputs;
};

/// The node's outputs; nullopt where this operator, or these inputs, are not
/// computed at import.
std::optional<std::vector<FactTensor>> evaluateFacts(const FactQuery &query);

/// The element as a bound that is clamped to a tensor's sizes: -2^63, which is
/// how exporters say "from the beginning", becomes the least SymInt. nullopt
/// for numbers that are not integers.
std::optional<graph::SymInt> getBound(const Fact &fact);

/// Rounds a number to the element type, as storing it would.
Fact roundTo(artifact::DType dtype, Fact value);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_FACTS_H

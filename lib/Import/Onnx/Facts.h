//===- Facts.h - small tensors known at import ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX models compute shapes with ordinary operators (Shape, Gather, Concat,
// Mul, ...). The importer evaluates these on facts: small tensors whose
// elements are numbers or size expressions over the dimension symbols.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_FACTS_H
#define TENON_LIB_IMPORT_ONNX_FACTS_H

#include "Tensor.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <optional>
#include <variant>
#include <vector>

namespace tenon::onnx {

class NodeProto;

/// An element: an integer or a floating-point number. Elements of
/// floating-point tensors are integers if this is exact.
class Fact {
public:
  Fact(graph::SymInt value) : value(std::move(value)) {}
  /// -2^63, which a SymInt cannot represent, is stored as a number.
  Fact(int64_t value);
  Fact(int value) : Fact(int64_t(value)) {}
  /// Converts integral numbers to integers.
  static Fact number(double value);

  const graph::SymInt *getInteger() const {
    return std::get_if<graph::SymInt>(&value);
  }
  /// The number, if it is constant.
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
  /// The elements as integers; nullopt if an element is not an integer.
  std::optional<graph::Shape> getIntegers() const;
  std::optional<llvm::SmallVector<int64_t>> getConstantIntegers() const;
  std::optional<llvm::SmallVector<double>> getNumbers() const;
  bool isConstant() const;

  /// Creates a vector of i64.
  static FactTensor vector(llvm::ArrayRef<graph::SymInt> values);
  static FactTensor scalar(graph::SymInt value);
  /// Returns nullopt for tensors that are too large to be facts.
  static std::optional<FactTensor> fromTensor(const OnnxTensor &tensor);
};

/// An integer vector start, start + delta, ... with `count` elements, as in the
/// result of Range. The count may be symbolic.
struct Progression {
  graph::SymInt start, delta, count;
  graph::SymInt at(const graph::SymInt &index) const {
    return start + delta * index;
  }
};

/// Tensors with more elements are data, not facts.
constexpr int64_t maxFactElements = 4096;

/// A node and the facts known about its inputs.
struct FactQuery {
  const NodeProto &node;
  int64_t opset;
  /// Input facts; null if an optional input is absent.
  llvm::ArrayRef<const FactTensor *> inputs;
  /// Takes what sizes must satisfy for the result; may be null.
  graph::Conditions conditions = nullptr;
};

/// Returns the node's outputs; nullopt if this operator, or these inputs, are
/// not evaluated at import.
std::optional<std::vector<FactTensor>> evaluateFacts(const FactQuery &query);

/// Returns the element as a bound that is clamped to a tensor's sizes. -2^63,
/// which exporters use for "from the beginning", becomes the minimum SymInt.
/// Returns nullopt for numbers that are not integers.
std::optional<graph::SymInt> getBound(const Fact &fact);

/// Rounds a number to the element type, as if it were stored.
Fact roundTo(artifact::DType dtype, Fact value);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_FACTS_H

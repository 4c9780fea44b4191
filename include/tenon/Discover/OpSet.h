//===- OpSet.h - the ops of which rules are made --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_OPSET_H
#define TENON_DISCOVER_OPSET_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tenon::discover {

using Sizes = llvm::SmallVector<int64_t, 4>;

/// How the numbers of an attribute become symbols in a rule.
enum class Freedom : uint8_t {
  /// Each number is a symbol of its own, as the sizes of a split are.
  Own,
  /// Equal numbers at equal positions are one symbol in a rule, as strides and
  /// pads are.
  Shared
};

/// Ops of one name whose attributes differ only in numbers that a rule may
/// leave open: splits along an axis, convolutions of some layout.
struct OpFamily {
  struct Numbers {
    std::string name;
    unsigned count;
    Freedom freedom;
  };
  /// In the graph dialect, without its prefix.
  std::string op;
  unsigned numOperands = 1, numResults = 1;
  /// Attributes that decide what a rule says, as text: `axis = 1`.
  std::string text;
  std::vector<
      std::pair<std::string, std::function<mlir::Attribute(mlir::Builder &)>>>
      fixed;
  /// Attributes of type `#graph.dims`.
  std::vector<Numbers> numbers;
  /// Whether operands may have further leading axes, for which the op then
  /// computes the same.
  bool takesLeadingAxes = true;
  /// The same on operands without their leading axis. Null if the op does not
  /// treat the parts along that axis alike.
  std::function<OpFamily()> withoutLeadingAxis;
};

/// An op of a family, with all its numbers in the order of the attributes.
struct OpChoice {
  unsigned family;
  Sizes numbers;
  bool operator<(const OpChoice &other) const {
    return std::tie(family, numbers) < std::tie(other.family, other.numbers);
  }
};

/// The ops that an enumeration may use, with choices of their attributes.
class OpSet {
public:
  /// Returns what is wrong with `names`, or an empty string.
  std::string add(mlir::MLIRContext *context,
                  llvm::ArrayRef<std::string> names);
  /// The names of ops that have choices of their own; behind a dot, the flag
  /// that they have (`matmul.transpose_b`). Every elementwise op without
  /// attributes is known, too.
  static std::vector<std::string> listNames();

  bool has(llvm::StringRef name) const {
    return llvm::is_contained(names, name);
  }
  llvm::ArrayRef<std::string> getNames() const { return names; }
  const OpFamily &getFamily(unsigned number) const { return families[number]; }

  /// All choices of the op `name` for operands of these shapes. Some may not
  /// be valid.
  std::vector<OpChoice> choose(llvm::StringRef name,
                               llvm::ArrayRef<Sizes> shapes);
  unsigned getNumOperands(llvm::StringRef name) const;
  bool isElementwise(unsigned family) const {
    return elementwiseOperands.count(families[family].op);
  }

  /// The family of the same op on operands without their leading axis, if it
  /// treats the parts along that axis alike.
  std::optional<unsigned> dropLeadingAxis(unsigned family);

  /// Builds an op with inferred types. Returns null if it is not valid; errors
  /// are reported as diagnostics.
  mlir::Operation *build(mlir::OpBuilder &builder, unsigned family,
                         llvm::ArrayRef<graph::SymInt> numbers,
                         mlir::ValueRange operands) const;

private:
  unsigned getFamily(OpFamily family);

  std::vector<std::string> names;
  std::vector<OpFamily> families;
  std::map<std::string, unsigned> byText;
  std::map<std::string, unsigned> elementwiseOperands;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_OPSET_H

//===- Instances.h - a rule at given sizes --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_INSTANCES_H
#define TENON_PROVE_INSTANCES_H

#include "tenon/Dialect/Rule/Analysis/DeterminedSizes.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Interpret/Interpreter.h"

#include <map>
#include <memory>
#include <string>

namespace tenon::prove {

/// splitmix64: the same numbers on every platform.
struct Random {
  uint64_t state;
  uint64_t next();
  /// An integer from `low` to `high`, both included.
  int64_t in(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (high - low + 1));
  }
};

/// The order of the field in which polynomials are compared.
inline constexpr uint64_t fieldPrime = (uint64_t(1) << 61) - 1;

class MatchedSides;

/// Chooses values for the symbols of a rule, and evaluates the rule's sides as
/// they are in a model where the rule fires. All choices follow from the seed.
class Instances {
public:
  using Values = std::map<std::string, int64_t>;
  /// Sets a floating-point element of an operand.
  using FillFn = llvm::function_ref<void(interpret::Cell &)>;

  explicit Instances(rule::RuleOp rule, uint64_t seed = 20260101);
  ~Instances();

  /// The rule's symbols in the order of their first occurrence.
  llvm::ArrayRef<std::string> getSymbols() const { return symbols; }
  /// The values of the symbols since the last `draw` or `choose`.
  const Values &getValues() const { return values; }

  /// Gives every symbol the value of `choice`, unless an equation determines
  /// another value. Returns false if the source is not valid at these sizes, if
  /// the rule does not match it there, or if an operand has more than
  /// `maxElements` elements.
  bool choose(llvm::function_ref<int64_t(llvm::StringRef)> choice,
              int64_t maxElements = 4096);
  /// Draws values from `least` to `most` for the symbols; an equation may
  /// determine other values. The rule matches its source there, and no operand
  /// has more than `maxElements` elements. Returns false if 500 attempts found
  /// no such values.
  bool draw(int64_t least, int64_t most, int64_t maxElements = 4096);

  /// Makes one tensor per operand, for `domain`. Floating-point elements come
  /// from `fill` unless a condition states them; integers are small or extreme.
  /// Fails if there is not enough memory.
  mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
  makeInputs(FillFn fill,
             interpret::Domain::Kind domain = interpret::Domain::Kind::F64);

  /// Returns what a side of the rule yields for `inputs`. Fails with the reason
  /// in `problem` if an op is not valid or not defined for them. Sets `opaque`
  /// if the domain is the field and the side has other operations than those of
  /// a ring or field.
  mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
  evaluate(mlir::Region &side, llvm::ArrayRef<interpret::Tensor> inputs,
           interpret::Domain domain, bool *opaque = nullptr,
           bool trackErrors = false);

  /// Whether the source computes only finite numbers for `inputs`, also inside
  /// of sums and in any order, in its own types.
  bool staysInRange(llvm::ArrayRef<interpret::Tensor> inputs);

  Random random;
  std::string problem;
  /// Whether integers are also drawn from both ends of their types.
  bool drawsExtremes = false;
  /// How much may be computed: one step for each element, also of intermediate
  /// expressions, and some for each op of an instance. When none are left,
  /// nothing more is drawn or evaluated.
  static constexpr uint64_t unbounded = UINT64_MAX;
  uint64_t stepsLeft = unbounded;
  bool isSpent() const { return stepsLeft == 0; }

private:
  int64_t drawInteger(mlir::IntegerType type);
  std::optional<llvm::SmallVector<int64_t>> getSizes(mlir::Type type,
                                                     int64_t maxElements) const;

  rule::RuleOp rule;
  llvm::SmallVector<std::string> symbols;
  llvm::SmallVector<rule::DeterminedSize> determined;
  std::unique_ptr<MatchedSides> sides;
  Values values;
};

} // namespace tenon::prove

#endif // TENON_PROVE_INSTANCES_H

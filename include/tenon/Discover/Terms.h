//===- Terms.h - small graphs, each stored once ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_TERMS_H
#define TENON_DISCOVER_TERMS_H

#include "tenon/Discover/OpSet.h"
#include "tenon/Interpret/CompiledOp.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <deque>
#include <unordered_map>

namespace tenon::discover {

/// A value of a graph: an input, or a result of an op. Equal values have equal
/// numbers, so that a graph shares all that it computes twice.
using ValueId = uint32_t;
using OpId = uint32_t;
/// A replacement of inputs.
using Renaming = llvm::SmallVector<std::pair<ValueId, ValueId>, 8>;

/// Graphs of ops with concrete sizes. Ops are stored by their choice and their
/// operands; a graph is the value that it computes.
class Terms {
public:
  static constexpr unsigned maxOps = 7;
  static constexpr int64_t maxElements = 512;
  /// Inputs of one shape, of which there are as many as are asked for.
  struct InputKind {
    Sizes shape;
    /// What rules call the sizes, a letter each.
    llvm::StringLiteral letters;
  };
  struct Op {
    uint32_t choice = 0;
    llvm::SmallVector<ValueId, 2> operands;
    ValueId firstResult = 0;
    uint32_t numResults = 1;
    /// The op and all that it depends on, sorted.
    std::array<OpId, maxOps> ops{};
    uint8_t numOps = 0;
    /// The size as a tree, in which nothing is shared.
    uint32_t treeSize = 1;
  };

  Terms(mlir::MLIRContext *context, OpSet &set, llvm::ArrayRef<InputKind> kinds,
        interpret::Domain domain);

  ValueId getInput(unsigned kind, unsigned number);
  /// Adds an op, or finds the same one. Returns null if it is not valid for
  /// these operands, if its graph has more than `maxOps` ops, or if a result
  /// has more than `maxElements` elements.
  const Op *add(const OpChoice &choice, llvm::ArrayRef<ValueId> operands) {
    return add(getChoiceId(choice), operands);
  }
  /// The same, for the choice of another op.
  const Op *add(uint32_t choice, llvm::ArrayRef<ValueId> operands);
  /// All choices of the op `name` for operands of these shapes.
  const std::vector<OpChoice> &choose(llvm::StringRef name,
                                      llvm::ArrayRef<ValueId> operands);

  bool isInput(ValueId value) const { return values[value].op == none; }
  unsigned getKind(ValueId input) const { return values[input].kind; }
  llvm::StringRef getLetters(ValueId input) const {
    return kinds[getKind(input)].letters;
  }
  unsigned getNumber(ValueId input) const { return values[input].result; }
  OpId getOpId(ValueId value) const { return values[value].op; }
  const Op &getOp(ValueId value) const { return ops[values[value].op]; }
  const Op &getOpAt(OpId op) const { return ops[op]; }
  unsigned getResult(ValueId value) const { return values[value].result; }
  const OpChoice &getChoice(const Op &op) const { return choices[op.choice]; }
  const OpFamily &getFamily(const Op &op) const {
    return set.getFamily(choices[op.choice].family);
  }
  const Sizes &getShape(ValueId value) const {
    return shapes[values[value].shape];
  }
  unsigned getShapeId(ValueId value) const { return values[value].shape; }
  OpSet &getOpSet() const { return set; }
  mlir::MLIRContext *getContext() const { return context; }
  interpret::Domain getDomain() const { return domain; }

  /// The number of ops of a graph with these results.
  unsigned countOps(llvm::ArrayRef<ValueId> results) const;
  /// The ops of a graph with these results, each after those that it reads.
  llvm::SmallVector<OpId, 8> listOps(llvm::ArrayRef<ValueId> results) const;
  /// The inputs of a graph, in the order in which they are read first.
  llvm::SmallVector<ValueId, 8>
  listInputs(llvm::ArrayRef<ValueId> results) const;
  /// A total order: fewer ops first, then smaller trees. Negative if `a` comes
  /// first.
  int compare(ValueId a, ValueId b) const;
  /// The graph with inputs replaced; those that are not named stay. Fails if it
  /// would not be valid.
  std::optional<ValueId> substitute(ValueId value, const Renaming &renaming);
  /// The renaming that numbers the inputs of each kind in the order in which
  /// `value` reads them first.
  Renaming canonicalize(llvm::ArrayRef<ValueId> values);
  /// For messages: `matmul(x0, add(x1, x2))`.
  std::string str(ValueId value) const;

  /// Evaluates an op on operands of the shapes that it was added with.
  mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
  evaluateOp(const Op &op, llvm::ArrayRef<interpret::Tensor> operands) const;

  /// Everything that is added after `mark` is forgotten by `rollBack`.
  struct Mark {
    size_t ops, values;
  };
  Mark mark() const { return {ops.size(), values.size()}; }
  void rollBack(Mark mark);
  /// How often values were forgotten, whose numbers may be used again.
  uint64_t getNumRollBacks() const { return numRollBacks; }
  size_t getNumValues() const { return values.size(); }

private:
  static constexpr OpId none = UINT32_MAX;
  struct Value {
    OpId op = none;
    uint32_t result = 0; // of an input: its number
    uint16_t shape = 0;
    uint16_t kind = 0;
  };
  /// A choice on operands of given shapes.
  struct Instance {
    llvm::SmallVector<uint16_t, 2> results;
    std::optional<interpret::CompiledOp> compiled; // none if not valid
  };
  using Key = llvm::SmallVector<uint32_t, 4>;
  struct KeyHash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };

  unsigned getShapeId(const Sizes &shape);
  uint32_t getChoiceId(const OpChoice &choice);
  Instance &getInstance(uint32_t choice, llvm::ArrayRef<ValueId> operands);
  static Key makeKey(uint32_t choice, llvm::ArrayRef<ValueId> operands);

  mlir::MLIRContext *context;
  OpSet &set;
  std::vector<InputKind> kinds;
  interpret::Domain domain;
  std::vector<Sizes> shapes;
  std::map<Sizes, unsigned> shapeIds;
  std::vector<OpChoice> choices;
  std::map<OpChoice, uint32_t> choiceIds;
  std::vector<Value> values;
  std::deque<Op> ops;
  std::unordered_map<Key, OpId, KeyHash> byKey;
  std::map<std::pair<unsigned, unsigned>, ValueId> inputs;
  std::unordered_map<Key, Instance, KeyHash> instances;
  std::map<std::pair<std::string, llvm::SmallVector<uint32_t, 2>>,
           std::vector<OpChoice>>
      choicesByShape;
  uint64_t numRollBacks = 0;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_TERMS_H

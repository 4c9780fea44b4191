//===- Enumerator.h - all small graphs of an op set -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs are enumerated by their number of ops. Operands are representatives
// only (Quartz, Xu and others, PLDI 2022, section 5): of graphs that are equal,
// the first in the order of graphs. A graph is generated once, with its inputs
// numbered as it reads them, and not stored unless its fingerprint was seen.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_ENUMERATOR_H
#define TENON_DISCOVER_ENUMERATOR_H

#include "tenon/Discover/Equations.h"
#include "tenon/Discover/Fingerprints.h"

#include "llvm/ADT/DenseSet.h"

namespace tenon::discover {

class Enumerator {
public:
  /// Graphs that `equations` rewrite are not generated, nor are those that
  /// `open` ones do, which are not proved.
  Enumerator(Terms &terms, Equations &equations, Equations &open)
      : terms(terms), equations(equations), open(open) {}

  /// Lets a graph be an operand. It is in canonical form, and has as many ops
  /// as those before it or more.
  void addRepresentative(ValueId value);
  llvm::ArrayRef<ValueId> getRepresentatives(unsigned numOps) const;

  static constexpr unsigned maxOperands = 3;
  /// A graph: a result of an op on operands that `terms` keeps. There are
  /// millions of them.
  struct Generated {
    /// In the names of the op set, and in the choices for these operands.
    uint16_t name, choice;
    std::array<ValueId, maxOperands> operands;
    uint8_t numOperands, result;

    /// The value, which `terms` then keeps.
    ValueId add(Terms &terms) const;
  };
  /// Called with each graph, and with its value, which is forgotten afterwards.
  using Visit = llvm::function_ref<void(const Generated &, ValueId)>;
  /// Prepares the enumeration of all graphs with `numOps` ops (at least 1)
  /// whose operands are representatives, and which no equation rewrites, in
  /// canonical form. Returns the number of parts that they are enumerated in.
  size_t begin(unsigned numOps);
  /// Enumerates one part. Parts have no graph in common, and any order of them
  /// gives the same graphs.
  void enumerate(size_t part, Visit visit);

  /// What was generated, and what was left out because an equation rewrites
  /// it, or one that is not proved, since the enumerator was created.
  uint64_t generated = 0, rewritten = 0, leftOpen = 0;

private:
  // Names are numbers in the op set.
  void visitPairs(unsigned name, ValueId first, unsigned numOps);
  void visitShared(unsigned name, ValueId first, unsigned numOps);
  void visitTriples(unsigned name, ValueId first, unsigned numOps);
  void apply(unsigned name, llvm::ArrayRef<ValueId> operands);
  /// Calls `use` with `value` under all renamings of its inputs to inputs of
  /// `before` and, in order, to others; those in `fixed` are decided.
  void rename(ValueId value, llvm::ArrayRef<ValueId> before,
              const Renaming &fixed, llvm::function_ref<void(ValueId)> use);
  bool isRepresentative(ValueId value);
  /// Whether no equation rewrites an instance of a representative.
  bool isNormal(ValueId value);

  Terms &terms;
  Equations &equations, &open;
  std::vector<std::vector<ValueId>> levels;
  llvm::DenseSet<ValueId> known;
  /// Representatives with an op whose graph, in canonical form, is the key's.
  llvm::DenseMap<ValueId, std::vector<std::pair<ValueId, ValueId>>> containing;
  llvm::DenseMap<ValueId, bool> normal;
  llvm::DenseSet<std::pair<ValueId, ValueId>> sharedPairs;
  unsigned numOperandOps = 0;
  Visit *visit = nullptr;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_ENUMERATOR_H

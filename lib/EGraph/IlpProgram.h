//===- IlpProgram.h - extraction as an integer linear program -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A 0/1 variable per node states whether it is chosen, and a variable in [0, 1]
// per class states whether it is needed. A solution may contain cycles unless
// they are excluded, for which there are two ways:
//
// Loop formulas: for a set of classes, one must be provided by a node that
// needs no class of the set. They are strong, but too many to add all of them,
// so they are added for the cycles that solutions have.
//
// Levels: a class has a higher level than the classes that it is computed from.
// These exclude all cycles, but are weak.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_ILPPROGRAM_H
#define TENON_LIB_EGRAPH_ILPPROGRAM_H

#include "ExtractionIndex.h"
#include "IlpSolver.h"

namespace tenon::egraph {

class IlpProgram {
public:
  /// Choices that cost more than `bound`, which must be above 0, need not be
  /// solutions.
  IlpProgram(const ExtractionIndex &index, double bound);

  const IlpModel &getModel() const { return model; }
  /// Returns the solution that represents a choice.
  std::vector<double> getValues(const Extraction &choice) const;
  /// Returns, for each class, the chosen node that provides it without a cycle,
  /// or -1.
  std::vector<int> derive(llvm::ArrayRef<double> values) const;
  bool givesRoots(llvm::ArrayRef<int> provider) const;

  /// Adds the loop formulas of all cycles of two classes.
  void cutPairs();
  /// Adds loop formulas that this solution violates. In it, `derive` finds no
  /// provider for some of the roots.
  void cutCycles(llvm::ArrayRef<double> values);
  /// Adds the levels. Must be called once.
  void addLevels();

private:
  using List = ExtractionIndex::List;

  int addColumn(double cost, bool integral);
  void addNeeds(unsigned c);
  bool isChosen(unsigned n, llvm::ArrayRef<double> values) const;
  void extend(llvm::ArrayRef<double> values, std::vector<int> &provider) const;
  void addLoopFormulas(llvm::ArrayRef<unsigned> set);
  int addSelection(unsigned n, unsigned c);

  const ExtractionIndex &index;
  IlpModel model;
  /// For each node and for each class, its variable, or -1 if it has none.
  std::vector<int> column, classColumn;

  /// For each class, its strongly connected component, and the variable of its
  /// level, or -1 if it has none.
  std::vector<int> component, levelColumn;
  std::vector<unsigned> componentSize;
  /// Which of its several results a node is chosen for.
  struct Selection {
    unsigned node, cls;
    int column;
  };
  std::vector<Selection> selections;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_ILPPROGRAM_H

//===- IlpProgram.h - extraction as an integer linear program -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A 0/1 variable per node says whether it is chosen, one in [0, 1] per class
// whether it is needed. Both may be part of a cycle as long as nothing is said
// about it; there are two ways to say it:
//
// Loop formulas: of a set of classes, one must be given by a node that needs
// none of the set. They are strong, but too many to say them all, so they are
// added for the cycles that solutions have.
//
// Levels: a class is above those that it is computed from. These exclude all
// cycles, but are weak.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_ILPPROGRAM_H
#define TENON_LIB_EGRAPH_ILPPROGRAM_H

#include "ExtractionIndex.h"
#include "IlpSolver.h"

namespace tenon::egraph {

class IlpProgram {
public:
  /// A choice that costs more than `bound`, which is above 0, need not be a
  /// solution.
  IlpProgram(const ExtractionIndex &index, double bound);

  const IlpModel &getModel() const { return model; }
  /// A choice as a solution.
  std::vector<double> getValues(const Extraction &choice) const;
  /// By class, the chosen node that gives it without a cycle, or -1.
  std::vector<int> derive(llvm::ArrayRef<double> values) const;
  bool givesRoots(llvm::ArrayRef<int> provider) const;

  /// Adds the loop formulas of all cycles of two classes.
  void cutPairs();
  /// Adds loop formulas that this solution, in which `derive` leaves roots out,
  /// violates.
  void cutCycles(llvm::ArrayRef<double> values);
  /// Once: adds the levels.
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
  /// By node and by class: its variable, -1 where it has none.
  std::vector<int> column, classColumn;

  /// By class: the component of classes that may need each other that it is
  /// in, and its level's variable, -1 where it has none.
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

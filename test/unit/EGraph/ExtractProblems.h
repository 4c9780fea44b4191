//===- ExtractProblems.h - extraction problems for tests ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_EGRAPH_EXTRACTPROBLEMS_H
#define TENON_TEST_UNIT_EGRAPH_EXTRACTPROBLEMS_H

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::egraph::test {

/// Builds a problem class by class; costs are in microseconds.
class ProblemBuilder {
public:
  unsigned addClass() { return problem.numClasses++; }
  /// A node; returns its number.
  unsigned add(llvm::ArrayRef<unsigned> outputs,
               llvm::ArrayRef<unsigned> inputs, double microseconds);
  /// A node that gives a class of its own; returns the class.
  unsigned give(llvm::ArrayRef<unsigned> inputs, double microseconds);

  ExtractionProblem problem;
};

/// Up to 12 classes and 24 nodes of one to three results, some free, with
/// cycles.
ExtractionProblem makeSmallProblem(unsigned seed);

/// What saturation makes of a network: blocks of siblings that may be merged in
/// pairs and pairs of pairs, free views back and forth, other implementations,
/// and residual connections. Has `numNodes` nodes and some.
ExtractionProblem makeNetwork(unsigned numNodes, unsigned seed);

/// Twice as many nodes as classes; each gives three classes, and all classes
/// are roots.
ExtractionProblem makeCover(unsigned numClasses);

} // namespace tenon::egraph::test

#endif // TENON_TEST_UNIT_EGRAPH_EXTRACTPROBLEMS_H

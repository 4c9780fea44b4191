//===- EnumeratorTest.cpp - all small graphs, each once -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Enumerator.h"
#include "SmallTerms.h"

#include <set>

using namespace tenon::discover;
using namespace tenon::discover::test;

/// All graphs with at most `maxOps` ops, in canonical form, by adding ops to
/// all graphs as long as something is new.
static std::set<std::string>
enumerateNaively(SmallTerms &graphs, unsigned maxOps, bool ofHeads = false) {
  std::set<ValueId> all;
  for (unsigned n = 0; n <= maxOps * (ofHeads ? 2 : 1); ++n)
    all.insert(ofHeads ? graphs.heads(n) : graphs.input(n));
  for (size_t before = 0; before < all.size();) {
    before = all.size();
    std::vector<ValueId> known(all.begin(), all.end());
    auto add = [&](llvm::StringRef name, llvm::ArrayRef<ValueId> operands) {
      if (graphs.terms->countOps(operands) >= maxOps)
        return;
      for (const OpChoice &choice : graphs.terms->choose(name, operands))
        if (const Terms::Op *op = graphs.terms->add(choice, operands))
          for (unsigned n = 0; n < op->numResults; ++n)
            all.insert(op->firstResult + n);
    };
    for (const std::string &name : graphs.set.getNames())
      for (ValueId a : known) {
        if (graphs.set.getNumOperands(name) == 1) {
          add(name, a);
          continue;
        }
        for (ValueId b : known) {
          if (graphs.set.getNumOperands(name) == 2) {
            add(name, {a, b});
            continue;
          }
          if (graphs.terms->countOps({a, b}) < maxOps)
            for (ValueId c : known)
              add(name, {a, b, c});
        }
      }
  }
  std::set<std::string> texts;
  for (ValueId value : all)
    if (!graphs.terms->isInput(value))
      texts.insert(graphs.terms->str(
          *graphs.terms->substitute(value, graphs.terms->canonicalize(value))));
  return texts;
}

/// The same by the enumerator, without any equation. Fails if a graph is
/// generated twice.
static std::set<std::string> enumerate(SmallTerms &graphs, unsigned maxOps,
                                       bool ofHeads = false) {
  Equations none(*graphs.terms);
  Enumerator enumerator(*graphs.terms, none, none);
  enumerator.addRepresentative(ofHeads ? graphs.heads(0) : graphs.input(0));
  std::set<std::string> texts;
  for (unsigned numOps = 1; numOps <= maxOps; ++numOps) {
    std::vector<Enumerator::Generated> found;
    size_t numParts = enumerator.begin(numOps);
    for (size_t part = 0; part < numParts; ++part)
      enumerator.enumerate(
          part, [&](const Enumerator::Generated &graph, ValueId value) {
            EXPECT_TRUE(texts.insert(graphs.terms->str(value)).second)
                << graphs.terms->str(value);
            found.push_back(graph);
          });
    for (const Enumerator::Generated &graph : found)
      enumerator.addRepresentative(graph.add(*graphs.terms));
  }
  return texts;
}

TEST(Enumerator, FindsEveryGraphOnce) {
  for (auto [names, maxOps] :
       {std::pair(std::vector<std::string>{"add"}, 3u),
        std::pair(std::vector<std::string>{"matmul", "relu"}, 3u),
        std::pair(std::vector<std::string>{"concat", "split"}, 2u),
        std::pair(std::vector<std::string>{"sub", "split"}, 3u)}) {
    SmallTerms graphs(names), others(names);
    EXPECT_EQ(enumerate(graphs, maxOps), enumerateNaively(others, maxOps))
        << names.front();
  }
}

TEST(Enumerator, FindsEveryGraphOfThreeOperandsOnce) {
  SmallTerms graphs({"attention", "relu"}), others({"attention", "relu"});
  std::set<std::string> found = enumerate(graphs, 2, /*ofHeads=*/true);
  EXPECT_EQ(found, enumerateNaively(others, 2, /*ofHeads=*/true));
  // Any of three operands may be the same.
  EXPECT_EQ(enumerate(graphs, 1, /*ofHeads=*/true).size(), 5u + 1u);
}

TEST(Enumerator, GraphsWithInstancesAreLeftOut) {
  SmallTerms graphs({"relu"});
  ValueId once = graphs.make("relu", {graphs.input(0)});
  Candidate idempotent = {{graphs.make("relu", {once})}, {once}};
  std::string reason;
  auto stated = generalize(&graphs.context, *graphs.terms, idempotent, "twice",
                           {false, {}, {}}, reason);
  ASSERT_TRUE(succeeded(stated)) << reason;
  Equations equations(*graphs.terms), open(*graphs.terms);
  equations.add(idempotent, *stated);
  Enumerator enumerator(*graphs.terms, equations, open);
  enumerator.addRepresentative(graphs.input(0));
  enumerator.addRepresentative(once);
  unsigned found = 0;
  size_t numParts = enumerator.begin(2);
  ASSERT_EQ(numParts, 2u);
  for (size_t part = 0; part < numParts; ++part)
    enumerator.enumerate(
        part, [&](const Enumerator::Generated &, ValueId) { ++found; });
  EXPECT_EQ(found, 0u);
  EXPECT_EQ(enumerator.rewritten, 1u);
}

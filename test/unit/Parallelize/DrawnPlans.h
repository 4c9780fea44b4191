//===- DrawnPlans.h - random graphs and clusters ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PARALLELIZE_DRAWNPLANS_H
#define TENON_TEST_UNIT_PARALLELIZE_DRAWNPLANS_H

#include "tenon/Parallelize/Plan.h"

#include <cstdlib>
#include <random>

namespace tenon::parallelize {

inline OperatorGraph drawGraph(std::mt19937_64 &random, unsigned count) {
  auto below = [&](uint64_t most) {
    return static_cast<double>(random() % most);
  };
  OperatorGraph graph;
  for (unsigned op = 0; op < count; ++op) {
    Operator node;
    double work = 1 + below(8), fixed = below(3);
    node.forward = {fixed, work};
    node.backwardInput = {fixed, work};
    node.backwardWeight = {fixed, work};
    node.weightBytes = 10 + random() % 50;
    node.resultBytes = 1 + random() % 8;
    node.savedBytes = 1 + random() % 16;
    for (unsigned operand = 0; operand < op; ++operand)
      if (random() % 3 == 0 || (operand + 1 == op && random() % 2))
        node.operands.push_back(operand);
    graph.push_back(std::move(node));
  }
  return graph;
}

/// A cluster of random speed and memory.
inline Cluster drawCluster(std::mt19937_64 &random, unsigned numDevices) {
  Cluster cluster;
  cluster.count = numDevices;
  cluster.perNode = 1 + random() % 3;
  cluster.memoryBytes = 200 + random() % 1000;
  double speed = static_cast<double>(1 + random() % 16);
  cluster.inside = {0.1, 4 * speed};
  cluster.between = {0.5, speed};
  return cluster;
}

/// Every other cluster has devices of which each has numbers of its own.
inline void drawDevices(std::mt19937_64 &random, Cluster &cluster) {
  if (random() % 2)
    return;
  auto from = [&](std::initializer_list<double> some) {
    return some.begin()[random() % some.size()];
  };
  for (unsigned device = 0; device < cluster.count; ++device)
    cluster.devices.push_back(
        {from({1, 1, 0.5, 0.75}),
         static_cast<int64_t>(static_cast<double>(cluster.memoryBytes) *
                              from({1, 1, 0.5})),
         from({1, 0.25})});
}

/// How many random cases are tried: more in the long runs of docs/testing.md.
inline unsigned getNumDrawn(const char *variable, unsigned usual) {
  const char *text = getenv(variable);
  return text ? strtoul(text, nullptr, 10) : usual;
}

} // namespace tenon::parallelize

#endif // TENON_TEST_UNIT_PARALLELIZE_DRAWNPLANS_H

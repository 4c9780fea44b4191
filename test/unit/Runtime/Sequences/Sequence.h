//===- Sequence.h - a random sequence of calls of one instance
//--------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCE_H
#define TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCE_H

#include "Call.h"

#include <gtest/gtest.h>

#include <atomic>

namespace tenon::runtime {

/// TENON_CALL_SEQUENCES: how many a test does; else 300.
int countSequences();
/// TENON_CALL_SEED, and a number of the test's own.
uint64_t sequenceSeed(uint64_t test);

/// What happened, to see that everything does.
struct SequenceCounts {
  std::atomic<int> right{0}, refused{0}, unplannable{0}, failedSteps{0},
      failedMemory{0}, inferred{0}, loaded{0}, inUse{0};
};

/// Calls of one instance, which comes and goes. Everything that is wrong is a
/// failure of the test, with the sequence's seed.
class Sequence {
public:
  Sequence(SequenceModel &model, uint64_t seed, SequenceCounts &counts)
      : model(model), seed(seed), random(static_cast<unsigned>(seed)),
        counts(counts) {}
  virtual ~Sequence() = default;

  /// Loads an instance and makes some calls of each kind, in random order.
  void run();

protected:
  /// A call whose results are compared. `mayBeInUse`: other threads call, too.
  void callRight(Model &instance, bool mayBeInUse = false);

  virtual void step();
  /// Where the tensors of a right call lie.
  virtual void placeTensors(Call &call);

  void load();
  void callWrong();
  void callUnplannable();
  void callFailingStep();
  void callWithoutMemory();
  void inferRight();
  void inferWrong();
  void share();
  Content drawContent();
  void expectNone(const std::string &problem, const char *what);

  SequenceModel &model;
  const uint64_t seed;
  Random random;
  SequenceCounts &counts;
  std::unique_ptr<Model> instance;
};

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCE_H

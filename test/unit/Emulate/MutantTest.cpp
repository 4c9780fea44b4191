//===- MutantTest.cpp - wrong kernels are found out -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of all kinds get one fault each. The emulator must report it, or the
// results must be wrong, at one of the model's sizes at least. Missing barriers
// must be reported, whatever the numbers are.
//
//===----------------------------------------------------------------------===//

#include "MutantPoint.h"
#include "MutantProgram.h"

#include "tenon/Driver/Registration.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlir;
using namespace mutant;
using tenon::emulate::ErrorKind;

namespace {
struct Candidate {
  Program *program;
  Point point;
};

class MutantTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    DialectRegistry registry;
    tenon::registerAllDialects(registry);
    context = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    models = new std::vector<Model>(getModels());
    programs = new std::vector<std::unique_ptr<Program>>;
    for (const Model &model : *models) {
      auto program = std::make_unique<Program>(*context, model);
      if (program->isUsable())
        programs->push_back(std::move(program));
    }
  }
  static void TearDownTestSuite() {
    delete programs;
    delete models;
    delete context;
  }

  static std::vector<Candidate> listCandidates();
  static Outcome run(const Candidate &candidate);
  static void expectCaught(const Candidate &candidate, const Outcome &outcome);

  static MLIRContext *context;
  static std::vector<Model> *models;
  static std::vector<std::unique_ptr<Program>> *programs;
};
} // namespace

MLIRContext *MutantTest::context;
std::vector<Model> *MutantTest::models;
std::vector<std::unique_ptr<Program>> *MutantTest::programs;

std::vector<Candidate> MutantTest::listCandidates() {
  std::vector<Candidate> candidates;
  for (const auto &program : *programs)
    for (Point &point : listPoints(program->getKernels()))
      candidates.push_back({program.get(), std::move(point)});
  return candidates;
}

/// What comes of the first of the model's runs in which it is caught.
Outcome MutantTest::run(const Candidate &candidate) {
  OwningOpRef<ModuleOp> kernels =
      plant(candidate.program->getKernels(), candidate.point);
  Outcome outcome;
  if (!kernels) {
    outcome.kind = Outcome::Broken;
    outcome.text = "the verifier refuses it";
    return outcome;
  }
  size_t numRuns = candidate.program->getNumRuns();
  for (size_t i = 0; i < numRuns && outcome.kind == Outcome::Right; ++i)
    outcome = candidate.program->run(*kernels, i);
  return outcome;
}

/// Whether the emulator must find it by what orders accesses: in one order of
/// execution, the numbers may well be right.
static bool isDisorder(const Point &point) {
  return point.fault == Fault::Barrier || point.fault == Fault::AsyncWait ||
         (point.fault == Fault::Store && point.variant == 1);
}

void MutantTest::expectCaught(const Candidate &candidate,
                              const Outcome &outcome) {
  const Point &point = candidate.point;
  auto name = [&] {
    return std::string(getName(point.fault)) + " (" + point.text + ") of " +
           candidate.program->getModel().name + ", op " +
           std::to_string(point.op) + ": " + outcome.describe();
  };
  EXPECT_NE(outcome.kind, Outcome::Right) << name();
  EXPECT_NE(outcome.kind, Outcome::Broken) << name();
  if (isDisorder(point))
    EXPECT_TRUE(outcome.kind == Outcome::Error &&
                (outcome.error == ErrorKind::Race ||
                 outcome.error == ErrorKind::Uninitialized ||
                 outcome.error == ErrorKind::AsyncCopy))
        << name();
}

TEST_F(MutantTest, KernelsAreOfAllKinds) {
  for (const auto &program : *programs) {
    bool found = false;
    unsigned count = 0;
    program->getKernels().walk([&](Operation *op) {
      found |= op->getName().getStringRef() == program->getModel().has;
      count += isa<gpu::GPUFuncOp>(op);
    });
    EXPECT_EQ(count, program->getModel().numKernels)
        << program->getModel().name;
    EXPECT_TRUE(found) << program->getModel().name << ": expected an op "
                       << program->getModel().has;
  }
}

TEST_F(MutantTest, RightKernelsAreNotAccused) {
  EXPECT_EQ(programs->size(), models->size());
  for (const auto &program : *programs)
    for (size_t i = 0; i < program->getNumRuns(); ++i) {
      Outcome outcome = program->run(program->getKernels(), i);
      EXPECT_EQ(outcome.kind, Outcome::Right)
          << program->getModel().name << ", run " << i << ": " << outcome.text;
    }
}

/// Barriers that MutantEquivalence.h holds redundant are: no run misses them.
TEST_F(MutantTest, RedundantBarriersAreNotMissed) {
  for (const auto &program : *programs) {
    std::vector<Point> redundant;
    listPoints(program->getKernels(), &redundant);
    for (const Point &point : redundant) {
      std::printf("redundant: %s of %s, op %u\n", point.text.c_str(),
                  program->getModel().name, point.op);
      EXPECT_EQ(run({program.get(), point}).kind, Outcome::Right);
    }
  }
}

/// Some of each kind, drawn, in a table.
TEST_F(MutantTest, DrawnFaultsAreCaught) {
  std::vector<Candidate> candidates = listCandidates();
  // Not std::shuffle, which draws differently elsewhere.
  std::mt19937 random(17);
  for (size_t i = candidates.size(); i > 1; --i)
    std::swap(candidates[i - 1], candidates[random() % i]);
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.point.fault < b.point.fault;
  });
  constexpr unsigned kMost = 10;
  unsigned counts[kNumFaults] = {}, total = 0;
  for (const Candidate &candidate : candidates) {
    const Point &point = candidate.point;
    if (counts[static_cast<unsigned>(point.fault)] == kMost)
      continue;
    ++counts[static_cast<unsigned>(point.fault)];
    Outcome outcome = run(candidate);
    expectCaught(candidate, outcome);
    std::string text = llvm::formatv(
        "{0,-10} {1,-32} {2,-17} {3}", getName(point.fault), point.text,
        candidate.program->getModel().name, outcome.describe());
    std::printf("%s\n", text.c_str());
    RecordProperty("mutant" + std::to_string(total++), text);
  }
  for (unsigned fault = 0; fault < kNumFaults; ++fault)
    EXPECT_GE(counts[fault], 5u) << getName(static_cast<Fault>(fault));
  EXPECT_GE(total, 40u);
}

/// All of them. One that survives is of code that no size of its model needs:
/// add a size, or prove in MutantEquivalence.h that nothing needs it.
TEST_F(MutantTest, AllFaultsAreCaught) {
  std::map<std::pair<Fault, std::string>, unsigned> counts;
  for (const Candidate &candidate : listCandidates()) {
    Outcome outcome = run(candidate);
    expectCaught(candidate, outcome);
    ++counts[{candidate.point.fault, outcome.describe()}];
  }
  for (const auto &[key, count] : counts)
    std::printf("%-10s %-18s %5u\n", getName(key.first), key.second.c_str(),
                count);
}

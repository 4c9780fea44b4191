//===- Sequence.cpp - a random sequence of calls of one instance
//------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequence.h"
#include "FailingMemory.h"

#include <cstdlib>
#include <new>
#include <optional>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime {

int countSequences() {
  const char *text = std::getenv("TENON_CALL_SEQUENCES");
  return text ? std::atoi(text) : 300;
}

uint64_t sequenceSeed(uint64_t test) {
  const char *text = std::getenv("TENON_CALL_SEED");
  return (text ? std::strtoull(text, nullptr, 10) : 1) * 1000003 + test * 7919;
}

void Sequence::expectNone(const std::string &problem, const char *what) {
  EXPECT_EQ(problem, "") << model.name << ", seed " << seed << ", " << what;
}

void Sequence::run() {
  load();
  for (int i = 0; i < 16 && instance && !testing::Test::HasFailure(); ++i)
    step();
  // Whatever came before, the last is as the first.
  if (instance)
    callRight(*instance);
  Model::unload(std::move(instance));
}

void Sequence::step() {
  size_t kind = draw(random, 100);
  if (kind < 40)
    return callRight(*instance);
  if (kind < 62)
    return callWrong();
  if (kind < 70)
    return callUnplannable();
  if (kind < 75)
    return callFailingStep();
  if (kind < 84)
    return callWithoutMemory();
  if (kind < 89)
    return inferRight();
  if (kind < 95)
    return inferWrong();
  if (kind < 98)
    return share();
  load();
}

Content Sequence::drawContent() {
  return draw(random, 8) == 0 ? Content::WithNan : Content::Numbers;
}

/// Also with too little memory, which at worst is an error.
void Sequence::load() {
  Model::unload(std::move(instance));
  ++counts.loaded;
  if (draw(random, 3) == 0) {
    FailingMemory memory(1 + static_cast<int>(draw(random, 200)),
                         static_cast<int>(draw(random, 3)),
                         /*onlyBlocks=*/draw(random, 2));
    try {
      if (auto made = model.load())
        instance = std::move(*made);
    } catch (const std::bad_alloc &) {
    }
  }
  if (instance)
    return;
  auto made = model.load();
  EXPECT_TRUE(made) << model.name << ": " << made.error();
  if (made)
    instance = std::move(*made);
}

void Sequence::placeTensors(Call &call) {
  if (model.isDonated && draw(random, 2))
    call.donate();
}

void Sequence::callRight(Model &called, bool mayBeInUse) {
  Call call(model, pick(random, model.sizes), drawContent());
  placeTensors(call);
  Status status = call.run(called);
  if (mayBeInUse && !status &&
      status.error().rfind("the instance is in use", 0) == 0) {
    ++counts.inUse;
    return;
  }
  ++counts.right;
  expectNone(status.error(), "a right call");
  if (status)
    expectNone(call.compare(), "a right call");
}

void Sequence::callWrong() {
  Call call(model, pick(random, model.sizes), Content::Numbers);
  if (model.isDonated && draw(random, 2))
    call.donate();
  if (!call.spoil(random, /*toRun=*/true))
    return;
  ++counts.refused;
  Status status = call.run(*instance);
  EXPECT_FALSE(status) << model.name << ", seed " << seed;
  expectNone(call.compareUntouched(), "a wrong call");
  // Sometimes the same sizes come again at once, and right.
  if (draw(random, 2) == 0)
    return;
  Call again(model, call.symbols, Content::Numbers);
  ++counts.right;
  expectNone(again.run(*instance).error(), "after a wrong call");
  expectNone(again.compare(), "after a wrong call");
}

void Sequence::callUnplannable() {
  if (model.unplannable.empty())
    return;
  Call call(model, pick(random, model.unplannable), Content::Numbers);
  ++counts.unplannable;
  EXPECT_FALSE(call.run(*instance)) << model.name << ", seed " << seed;
  expectNone(call.compareUntouched(), "a call that can't be planned");
}

void Sequence::callFailingStep() {
  const Sizes &symbols = pick(random, model.sizes);
  if (!model.canFailStep || symbols[0] == 0)
    return;
  Call call(model, symbols, Content::FailsStep);
  ++counts.failedSteps;
  EXPECT_FALSE(call.run(*instance)) << model.name << ", seed " << seed;
}

/// A right call that may be short of memory: it gives the right result, or an
/// error.
void Sequence::callWithoutMemory() {
  const Sizes &symbols = pick(random, model.sizes);
  Content content = drawContent();
  // New instances have memory.
  model.expected(symbols, content);
  Call call(model, symbols, content);
  std::optional<Status> status;
  int failures;
  {
    // Planning makes some hundred objects, and few blocks.
    bool onlyBlocks = draw(random, 2);
    size_t most = onlyBlocks ? 6 : draw(random, 2) ? 20 : 250;
    FailingMemory memory(1 + static_cast<int>(draw(random, most)),
                         static_cast<int>(draw(random, 4)) * 5, onlyBlocks);
    try {
      status = call.run(*instance);
    } catch (const std::bad_alloc &) {
    }
    failures = memory.failures();
  }
  counts.failedMemory += failures > 0;
  if (!status || !*status) {
    EXPECT_GT(failures, 0) << model.name << ", seed " << seed;
    return;
  }
  expectNone(call.compare(), "a call short of memory");
}

void Sequence::inferRight() {
  Call call(model, pick(random, model.sizes), Content::Numbers);
  ++counts.inferred;
  expectNone(call.inferShapes(*instance).error(), "asking for sizes");
  expectNone(call.compareShapes(), "asking for sizes");
}

void Sequence::inferWrong() {
  Call call(model, pick(random, model.sizes), Content::Numbers);
  if (!call.spoil(random, /*toRun=*/false))
    return;
  ++counts.inferred;
  EXPECT_FALSE(call.inferShapes(*instance)) << model.name << ", seed " << seed;
  for (const tenon_tensor &tensor : call.out)
    EXPECT_EQ(tensor.dtype.bits, 0) << model.name << ", seed " << seed;
}

/// Two threads make calls at once.
void Sequence::share() {
  std::thread other([&, next = random()] {
    Sequence second(model, next, counts);
    for (int i = 0; i < 3; ++i)
      second.callRight(*instance, /*mayBeInUse=*/true);
  });
  for (int i = 0; i < 3; ++i)
    callRight(*instance, /*mayBeInUse=*/true);
  other.join();
}

} // namespace tenon::runtime

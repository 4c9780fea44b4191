//===- RandomRunsTest.cpp - random programs of ranks are run --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random graphs of tasks on random ranks, in random orders, end and compute
// what they should: on threads, one after the other, and over NCCL. All numbers
// are exact in f32, so no result depends on how samples are cut.
// TENON_PIPELINE_RUNS says how many there are; the test takes 500.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestProgram.h"
#include "RankProgram.h"

#include "gtest/gtest.h"

#include <array>
#include <cstdlib>
#include <random>

using namespace tenon::runtime;
using Numbers = RankProgram::Numbers;

namespace {
constexpr int64_t numSamples = 8, width = 3;
constexpr int32_t numEntries = 2; // of callers: the same in another order
const char *const entryNames[] = {"first", "second"};

/// Its task i has the samples [i * part, (i + 1) * part).
struct Node {
  Numbers operands; // nodes before it; -1: the caller's input
  int64_t part;
  Numbers ranks;
  bool isMean;     // whether ranks take the mean of what they sum
  Numbers results; // tensors, by task; -1: it was not planned yet

  int32_t getRank(int64_t task) const { return ranks[task % ranks.size()]; }
};

class RandomRun {
public:
  RandomRun(uint64_t seed, bool isCuda);
  void run(int32_t numThreads, int32_t channels);

private:
  size_t below(size_t count) { return random() % count; }
  RankProgram::Shape getShape(int64_t samples) const {
    return isTurned ? RankProgram::Shape{width, samples}
                    : RankProgram::Shape{samples, width};
  }
  int64_t getPlace(int64_t samples, int64_t sample, int64_t column) const {
    return isTurned ? column * samples + sample : sample * width + column;
  }
  void addNode(size_t numRanks);
  void addTasks(bool isCuda);
  void plan();
  bool isReady(const Node &node, int64_t task) const;
  void planTask(size_t node, int64_t task);
  int32_t planOperand(int32_t node, int64_t begin, int64_t end, int32_t rank);
  std::vector<float> getValues(int32_t node) const;

  std::mt19937_64 random;
  bool isTurned; // whether samples are columns
  std::vector<Node> nodes;
  std::deque<std::vector<RankProgram>> ranks; // by entry
  std::vector<tenon_rank_program> tables[numEntries];
  int32_t numMessages = 0;
  std::deque<std::string> names;
  TestProgram test;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

static void add(const int64_t *, void *const *buffers, void *, int64_t lo,
                int64_t hi) {
  auto *const *values = reinterpret_cast<float *const *>(buffers);
  for (int64_t i = lo; i < hi; ++i)
    values[2][i] = values[0][i] + values[1][i];
}

void RandomRun::addNode(size_t numRanks) {
  Node &node = nodes.emplace_back();
  for (size_t other = 0; other + 1 < nodes.size(); ++other)
    if (below(2) == 0)
      node.operands.push_back(static_cast<int32_t>(other));
  while (node.operands.size() < 2)
    node.operands.push_back(-1);
  node.part = int64_t(1) << below(4);
  node.isMean = below(2) == 0;
  for (size_t rank = 0; rank < numRanks; ++rank)
    node.ranks.push_back(static_cast<int32_t>(rank));
  // Means are exact.
  size_t wanted = size_t(1) << below(3);
  while (node.ranks.size() > wanted || node.ranks.size() == 3)
    node.ranks.erase(node.ranks.begin() + below(node.ranks.size()));
}

/// Node K has the states 2 K, which is its parameter, and 2 K + 1, to which its
/// forward task, entry 2 + 2 K, adds. The next entry is its update.
void RandomRun::addTasks(bool isCuda) {
  static const float zeros[numSamples * width] = {};
  auto addSum = [&](int32_t a, int32_t b, int32_t target, int64_t count) {
    if (isCuda)
      test.addLaunch("add", {a, b, target}, "add", count, /*threads=*/1);
    else
      test.addKernel("add", {a, b, target}, add, count);
  };
  auto keep = [&](const char *prefix, size_t number) {
    names.push_back(prefix + std::to_string(number));
    return names.back().c_str();
  };
  test.entry.name = entryNames[0];
  for (int32_t entry = 0; entry < numEntries; ++entry) {
    if (entry > 0)
      test.startEntry(entryNames[entry]);
    test.entry.ranks = tables[entry].data();
    test.addInput("x", getShape(numSamples));
    test.addOutput("y", getShape(numSamples));
    test.addOutput("loss", {});
    test.addOutput("same", getShape(numSamples));
  }
  for (size_t number = 0; number < nodes.size(); ++number) {
    const Node &node = nodes[number];
    int64_t count = node.part * width;
    int32_t p = test.addState(keep("p", number), {count});
    int32_t g = test.addState(keep("g", number), {count}, nullptr,
                              tenon::artifact::DType::F32, -1, true);
    int32_t zero = test.addConstant(zeros, 4 * count);
    test.startEntry(keep("forward", number));
    Numbers given;
    for (size_t i = 0; i < node.operands.size(); ++i)
      given.push_back(test.addInput(keep("x", i), getShape(node.part)));
    int32_t y = test.addOutput("y", getShape(node.part));
    int32_t loss = test.addOutput("loss", {});
    for (size_t i = 1; i < given.size(); ++i)
      addSum(i == 1 ? given[0] : y, given[i], y, count);
    addSum(y, y, loss, 1);
    addSum(g, y, g, count);
    test.startEntry(keep("update", number));
    addSum(p, g, p, count);
    test.addCopy("reset", zero, g);
  }
  if (isCuda)
    test.addImage("sm_80", "add 4\n");
  tenon_program &program = test.get();
  program.device = isCuda ? TENON_PROGRAM_CUDA : TENON_PROGRAM_CPU;
  program.num_ranks = static_cast<int32_t>(tables[0].size());
  program.num_tasks = program.num_entries - numEntries;
}

//===----------------------------------------------------------------------===//
// Programs of ranks
//===----------------------------------------------------------------------===//

/// Returns a tensor of the rank with samples of a node or of the caller.
/// Messages have the same order on all ranks, so that none waits for ever.
int32_t RandomRun::planOperand(int32_t number, int64_t begin, int64_t end,
                               int32_t rank) {
  RankProgram &program = ranks.back()[rank];
  int32_t axis = isTurned ? 1 : 0;
  int32_t target = program.addBuffer(getShape(end - begin));
  if (number < 0) {
    int32_t x = program.addCallers(TENON_BUFFER_INPUT, 0, getShape(numSamples));
    int32_t part = program.addPart(x, axis, begin, end - begin);
    if (below(2) == 0)
      return part;
    program.addCopy(part, target);
    return target;
  }
  Node &node = nodes[number];
  std::vector<std::array<int64_t, 3>> parts; // tensor, begin, end
  int32_t group = numMessages;
  // As NCCL matches messages by their order, receives keep it.
  size_t early = std::min(below(6), program.size()), numReceived = 0;
  for (int64_t task = begin / node.part; task * node.part < end; ++task) {
    int64_t first = task * node.part, last = first + node.part;
    int64_t from = std::max(first, begin), to = std::min(last, end);
    int32_t owner = node.getRank(task), source = node.results[task];
    RankProgram &other = ranks.back()[owner];
    bool isPart = from > first || to < last;
    if (isPart)
      source = other.addPart(source, axis, from - first, to - from);
    if (owner != rank) {
      if (isPart) {
        int32_t sent = other.addBuffer(getShape(to - from));
        other.addCopy(source, sent);
        source = sent;
      }
      int32_t message = numMessages++;
      other.begin(TENON_RANK_SEND, message, message, source, {rank});
      if (below(2) == 0)
        other.wait();
      source = program.addBuffer(getShape(to - from));
      program.begin(TENON_RANK_RECEIVE, message, group, source, {owner}, early);
      ++numReceived;
    }
    if (from == begin && to == end && below(2) == 0)
      target = source;
    parts.push_back({source, from - begin, to - begin});
  }
  program.wait(below(2) == 0 ? numReceived : SIZE_MAX);
  for (auto [source, from, to] : parts)
    if (source != target)
      program.addCopy(static_cast<int32_t>(source),
                      program.addPart(target, axis, from, to - from));
  return target;
}

void RandomRun::planTask(size_t number, int64_t task) {
  Node &node = nodes[number];
  int64_t begin = task * node.part, end = begin + node.part;
  int32_t rank = node.getRank(task), axis = isTurned ? 1 : 0;
  RankProgram &program = ranks.back()[rank];
  Numbers used;
  for (int32_t operand : node.operands)
    used.push_back(planOperand(operand, begin, end, rank));
  auto addCallers = [&](int32_t kind, int32_t index) {
    int32_t whole = program.addCallers(kind, index, getShape(numSamples));
    return program.addPart(whole, axis, begin, node.part);
  };
  bool isLast = number + 1 == nodes.size();
  bool isDirect = isLast && below(2) == 0;
  int32_t y = isDirect ? addCallers(TENON_BUFFER_OUTPUT, 0)
                       : program.addBuffer(getShape(node.part));
  int32_t loss = program.addBuffer({});
  used.insert(used.end(), {y, loss});
  program.addTask(static_cast<int32_t>(numEntries + 2 * number), used, begin,
                  end);
  node.results[task] = y;
  if (!isLast)
    return;
  if (!isDirect)
    program.addCopy(y, addCallers(TENON_BUFFER_OUTPUT, 0));
  program.addCopy(addCallers(TENON_BUFFER_INPUT, 0),
                  addCallers(TENON_BUFFER_OUTPUT, 2));
  tenon_rank_step sum = {};
  sum.kind = TENON_RANK_ADD;
  sum.begin = begin;
  sum.factor = 0.5;
  program.addStep(sum, {loss, program.addCallers(TENON_BUFFER_OUTPUT, 1, {})});
}

bool RandomRun::isReady(const Node &node, int64_t task) const {
  int64_t begin = task * node.part, end = begin + node.part;
  for (int32_t operand : node.operands)
    for (int64_t i = begin; operand >= 0 && i < end; ++i)
      if (nodes[operand].results[i / nodes[operand].part] < 0)
        return false;
  return true;
}

/// Plans the tasks in a random order.
void RandomRun::plan() {
  std::vector<std::pair<size_t, int64_t>> left;
  for (size_t number = 0; number < nodes.size(); ++number) {
    nodes[number].results.assign(numSamples / nodes[number].part, -1);
    for (int64_t task = 0; task < numSamples / nodes[number].part; ++task)
      left.emplace_back(number, task);
  }
  while (!left.empty()) {
    size_t place = below(left.size());
    auto [number, task] = left[place];
    Node &node = nodes[number];
    if (!isReady(node, task))
      continue;
    left.erase(left.begin() + place);
    planTask(number, task);
    bool isDone = std::count(node.results.begin(), node.results.end(), -1) == 0;
    if (!isDone || node.ranks.size() == 1)
      continue;
    for (int32_t rank : node.ranks) {
      ranks.back()[rank].beginSum(numMessages, numMessages,
                                  {static_cast<int32_t>(2 * number + 1)},
                                  node.ranks, node.isMean);
      if (below(4) == 0)
        ranks.back()[rank].wait();
    }
    numMessages += 2;
  }
  for (size_t rank = 0; rank < ranks.back().size(); ++rank) {
    RankProgram &program = ranks.back()[rank];
    program.wait();
    program.addBarrier();
    for (size_t number = 0; number < nodes.size(); ++number)
      if (std::count(nodes[number].ranks.begin(), nodes[number].ranks.end(),
                     static_cast<int32_t>(rank)))
        program.addTask(static_cast<int32_t>(numEntries + 2 * number + 1), {});
  }
}

RandomRun::RandomRun(uint64_t seed, bool isCuda)
    : random(seed), isTurned(below(2)) {
  size_t numRanks = 1 + below(4);
  for (size_t count = 2 + below(6); nodes.size() < count;)
    addNode(numRanks);
  for (std::vector<tenon_rank_program> &table : tables) {
    ranks.emplace_back(numRanks);
    plan();
    for (RankProgram &rank : ranks.back())
      table.push_back(rank.get());
  }
  addTasks(isCuda);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Of all samples, as the caller has them. -1: the input.
std::vector<float> RandomRun::getValues(int32_t number) const {
  std::vector<float> values(numSamples * width);
  for (size_t i = 0; number < 0 && i < values.size(); ++i)
    values[i] = static_cast<float>(i % 5);
  for (size_t i = 0; number >= 0 && i < nodes[number].operands.size(); ++i) {
    std::vector<float> more = getValues(nodes[number].operands[i]);
    for (size_t j = 0; j < values.size(); ++j)
      values[j] += more[j];
  }
  return values;
}

void RandomRun::run(int32_t numThreads, int32_t channels) {
  SCOPED_TRACE(testing::Message()
               << "threads " << numThreads << ", channels " << channels);
  LoadSettings settings;
  settings.options.struct_size = sizeof settings.options;
  settings.options.ranks = numThreads;
  settings.options.channels = channels;
  settings.options.watchdog_seconds = 20;
  settings.options.options.trace = below(4) == 0;
  const tenon_program *programs[] = {&test.get(), nullptr};
  auto model = Model::load(programs, settings);
  ASSERT_TRUE(model) << model.error();
  std::vector<std::vector<float>> values;
  for (size_t number = 0; number < nodes.size(); ++number)
    values.push_back(getValues(static_cast<int32_t>(number)));
  TestTensor x(getShape(numSamples));
  x.data = getValues(-1);
  for (int iteration = 1; iteration <= 3; ++iteration) {
    TestTensor y(getShape(numSamples)), loss({}), same = y;
    std::vector<tenon_tensor> in = list({&x}), out = list({&y, &loss, &same});
    auto status = (*model)->run(entryNames[iteration % numEntries], in.data(),
                                in.size(), out.data(), out.size());
    ASSERT_TRUE(status) << status.error();
    ASSERT_EQ(y.data, values.back());
    ASSERT_EQ(same.data, x.data);
    float sum = 0;
    for (int64_t first = 0; first < numSamples; first += nodes.back().part)
      sum += values.back()[getPlace(numSamples, first, 0)];
    ASSERT_EQ(loss.data[0], sum);
    for (size_t number = 0; number < nodes.size(); ++number) {
      const Node &node = nodes[number];
      TestTensor p({node.part * width}), expected = p;
      tenon_tensor tensor = p.get();
      std::string name = "p" + std::to_string(number);
      ASSERT_TRUE((*model)->getState(name.c_str(), &tensor));
      ASSERT_FALSE((*model)->getState(("g" + name.substr(1)).c_str(), &tensor));
      float weight = node.isMean ? 1.0F / float(node.ranks.size()) : 1;
      for (int64_t sample = 0; sample < numSamples; ++sample)
        for (int64_t column = 0; column < width; ++column)
          expected.data[getPlace(node.part, sample % node.part, column)] +=
              float(iteration) * weight *
              values[number][getPlace(numSamples, sample, column)];
      ASSERT_EQ(p.data, expected.data) << name;
    }
  }
  ASSERT_TRUE((*model)->traceJson());
}

TEST(RandomRuns, ComputeWhatTheyShould) {
  const char *wanted = std::getenv("TENON_PIPELINE_RUNS");
  const char *first = std::getenv("TENON_PIPELINE_SEED");
  uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 500;
  uint64_t seed = first ? std::strtoull(first, nullptr, 10) : 1;
  useFakeDevices();
  for (uint64_t number = seed; number < seed + count; ++number) {
    SCOPED_TRACE(number);
    RandomRun onHost(number, /*isCuda=*/false);
    onHost.run(1, TENON_CHANNELS_LOCAL);
    onHost.run(0, TENON_CHANNELS_LOCAL);
    if (number % 4 == 0) {
      RandomRun onDevices(number, /*isCuda=*/true);
      onDevices.run(0, TENON_CHANNELS_LOCAL);
      onDevices.run(0, TENON_CHANNELS_NCCL);
    }
    if (testing::Test::HasFailure())
      break;
  }
}

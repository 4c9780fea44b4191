//===- GradientSumTest.cpp - sums of states over ranks --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline/GradientSum.h"
#include "../Runtime/TestProgram.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::runtime;

namespace {
constexpr int64_t sizes[] = {37, 1, 200};
const char *const names[] = {"s0", "s1", "s2"};
constexpr int64_t bufferSize = 50;

/// The states and a buffer of some ranks, whose elements are all different.
class Ranks {
public:
  explicit Ranks(int count) : transports(count) {
    for (size_t i = 0; i < std::size(sizes); ++i)
      tables.addState(names[i], {sizes[i]});
    const tenon_program &program = tables.get();
    std::vector<int64_t> ranks;
    for (int rank = 0; rank < count; ++rank)
      ranks.push_back(rank);
    for (int rank = 0; rank < count; ++rank) {
      models.push_back(std::move(*Model::load(program, {}, "")));
      std::vector<Summand> summands;
      for (size_t i = 0; i < std::size(sizes); ++i) {
        summands.push_back({names[i],
                            /*tensor=*/-1,
                            artifact::DType::F32,
                            {sizes[i]},
                            /*isMean=*/i == 2});
        std::vector<float> values(sizes[i]);
        for (int64_t j = 0; j < sizes[i]; ++j)
          values[j] = getValue(rank, i, j);
        access(rank, i, values, /*isWrite=*/true);
      }
      summands.push_back(
          {"", /*tensor=*/0, artifact::DType::F64, {bufferSize}});
      sums.push_back(std::make_unique<GradientSum>(
          *models.back(), transports.get(rank), memory, ranks, 0, summands));
      EXPECT_TRUE(sums.back()->allocate());
      std::vector<double> &buffer = buffers.emplace_back(bufferSize);
      for (size_t j = 0; j < buffer.size(); ++j)
        buffer[j] = 0.1 * (rank + 1) + static_cast<double>(j);
    }
  }

  /// The tensors of a rank: its buffer.
  std::vector<tenon_tensor> getTensors(int rank) {
    tenon_tensor tensor = {};
    tensor.data = buffers[rank].data();
    return {tensor};
  }

  static float getValue(int rank, size_t state, int64_t element) {
    return static_cast<float>(rank + 1) * 0.1F + static_cast<float>(state) +
           1e-3F * static_cast<float>(element);
  }
  void access(int rank, size_t state, std::vector<float> &values,
              bool isWrite) {
    int64_t size = sizes[state];
    tenon_tensor tensor = {};
    tensor.data = values.data();
    tensor.device_type = TENON_DEVICE_CPU;
    tensor.ndim = 1;
    tensor.dtype = artifact::toDLDType(artifact::DType::F32);
    tensor.shape = &size;
    EXPECT_TRUE(isWrite ? models[rank]->setState(names[state], &tensor)
                        : models[rank]->getState(names[state], &tensor));
  }

  TestProgram tables;
  HostMemory memory;
  LocalTransports transports;
  std::vector<std::vector<double>> buffers;
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::unique_ptr<GradientSum>> sums;
};
} // namespace

TEST(GradientSum, IsInTheOrderOfRanks) {
  for (int count : {1, 2, 3, 5}) {
    Ranks ranks(count);
    // In another order, and twice.
    for (int round = 0; round < 2; ++round) {
      for (int rank = count - 1; rank >= 0; --rank)
        ASSERT_TRUE(ranks.sums[rank]->begin(ranks.getTensors(rank)));
      for (int numDone = 0; numDone < count;) {
        numDone = 0;
        for (int rank = count - 1; rank >= 0; --rank) {
          artifact::Expected<bool> isDone = ranks.sums[rank]->advance(false);
          ASSERT_TRUE(isDone) << isDone.error();
          numDone += *isDone;
        }
      }
      if (round > 0)
        continue;
      for (int rank = 0; rank < count; ++rank) {
        for (int64_t j = 0; j < bufferSize; ++j) {
          double sum = 0.1 + static_cast<double>(j);
          for (int other = 1; other < count; ++other)
            sum += 0.1 * (other + 1) + static_cast<double>(j);
          EXPECT_EQ(ranks.buffers[rank][j], sum) << rank << " " << j;
        }
        for (size_t i = 0; i < std::size(sizes); ++i) {
          std::vector<float> values(sizes[i]);
          ranks.access(rank, i, values, /*isWrite=*/false);
          for (int64_t j = 0; j < sizes[i]; ++j) {
            float sum = Ranks::getValue(0, i, j);
            for (int other = 1; other < count; ++other)
              sum += Ranks::getValue(other, i, j);
            if (i == 2)
              sum /= static_cast<float>(count);
            EXPECT_EQ(values[j], sum) << rank << " " << i << " " << j;
          }
        }
      }
    }
  }
}

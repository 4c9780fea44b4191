//===- ClassFitTest.cpp - rates of kernels from measurements --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/ClassFit.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace tenon::cost;

static DeviceProfile getCpu() { return llvm::cantFail(getProfile("cpu")); }

static ClassRates getRates() {
  ClassRates rates;
  rates.start = 2e-6;
  rates.row = 5e-9;
  rates.matrixFlop = 1 / 100e9;
  rates.vectorFlop = 1 / 20e9;
  rates.remainderFlop = 1 / 5e9;
  rates.streamedFlop = 1 / 30e9;
  rates.byte = 1 / 40e9;
  rates.memoryByte = 1 / 10e9;
  rates.weightByte = 1 / 15e9;
  return rates;
}

/// Kernels of all sizes, of which the amounts of work do not depend on each
/// other; `noise` is the deviation of the logarithms of their times.
static std::vector<ClassSample> draw(unsigned count, double noise) {
  std::mt19937_64 random(7);
  auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<>(std::log(low),
                                                     std::log(high))(random));
  };
  std::normal_distribution<> normal(0, 1);
  std::vector<ClassSample> samples;
  for (unsigned i = 0; i < count; ++i) {
    Work work;
    work.rows = between(1, 1e4);
    work.matrixFlops = between(1e4, 1e9);
    work.vectorFlops = between(1e3, 1e7);
    work.bytesRead = between(1e3, 1e7);
    work.bytesWritten = between(1e3, 1e7);
    work.bytesWeights = between(1e2, 1e7);
    work.remainderFlops = between(1e-3, 1) * work.matrixFlops;
    work.streamedFlops = i % 3 == 0 ? work.matrixFlops : 0;
    double seconds = estimateByRates(work, getRates(), getCpu()).seconds *
                     std::exp(noise * normal(random));
    samples.push_back({"onednn conv", work, seconds});
  }
  return samples;
}

TEST(ClassFit, FindsRates) {
  ClassRates found = fitRates(draw(60, 0), getCpu()).at("onednn conv");
  ClassRates real = getRates();
  EXPECT_NEAR(found.start / real.start, 1, 0.05);
  EXPECT_NEAR(found.row / real.row, 1, 0.05);
  EXPECT_NEAR(found.matrixFlop / real.matrixFlop, 1, 0.05);
  EXPECT_NEAR(found.vectorFlop / real.vectorFlop, 1, 0.05);
  EXPECT_NEAR(found.remainderFlop / real.remainderFlop, 1, 0.05);
  EXPECT_NEAR(found.streamedFlop / real.streamedFlop, 1, 0.05);
  EXPECT_NEAR(found.byte / real.byte, 1, 0.05);
  EXPECT_NEAR(found.memoryByte / real.memoryByte, 1, 0.05);
  EXPECT_NEAR(found.weightByte / real.weightByte, 1, 0.05);
  EXPECT_LT(found.deviation, 0.01);
  EXPECT_EQ(found.kernels, 60u);
}

TEST(ClassFit, NoiseIsTold) {
  ClassRates found = fitRates(draw(400, 0.3), getCpu()).at("onednn conv");
  EXPECT_NEAR(found.matrixFlop / getRates().matrixFlop, 1, 0.15);
  EXPECT_NEAR(found.deviation, 0.3, 0.05);
}

/// Two equal kernels of which one takes four times as long as the other are
/// predicted at the geometric mean, not near the lower time, to which relative
/// errors draw.
TEST(ClassFit, BothErrorsCount) {
  std::vector<ClassSample> samples;
  Work work;
  work.bytesRead = 1e6;
  for (unsigned i = 0; i < 8; ++i)
    samples.push_back({"cpu copy", work, i % 2 ? 4e-6 : 1e-6});
  ClassRates rates = fitRates(samples, getCpu()).at("cpu copy");
  EXPECT_NEAR(estimateByRates(work, rates, getCpu()).seconds, 2e-6, 1e-7);
}

/// Larger kernels that take less time than small ones do not make a rate
/// negative.
TEST(ClassFit, NoRateIsNegative) {
  std::vector<ClassSample> samples;
  for (unsigned i = 1; i <= 8; ++i) {
    Work work;
    work.bytesRead = 1e5 * i;
    work.vectorFlops = 1e5 * (9 - i);
    samples.push_back({"cpu copy", work, 1e-6 * (9 - i)});
  }
  ClassRates rates = fitRates(samples, getCpu()).at("cpu copy");
  EXPECT_GE(rates.byte, 0);
  EXPECT_LT(rates.byte, 1e-20);
  EXPECT_GE(rates.start, 0);
  EXPECT_GT(rates.vectorFlop, 0);
}

/// Weights that are small and vary little say nothing about large ones.
TEST(ClassFit, BytesHaveALimit) {
  std::vector<ClassSample> samples;
  for (unsigned i = 1; i <= 8; ++i) {
    Work work;
    work.bytesWeights = 1000 * i;
    samples.push_back({"onednn conv", work, 1e-6 * i});
  }
  ClassRates rates = fitRates(samples, getCpu()).at("onednn conv");
  EXPECT_LE(rates.weightByte, 3 / getCpu().memoryBandwidth);
}

TEST(ClassFit, FewKernelsAndThoseWithoutClassAreLeftOut) {
  std::vector<ClassSample> samples = draw(kLeastKernels - 1, 0);
  for (ClassSample sample : draw(20, 0)) {
    sample.kernelClass = "";
    samples.push_back(sample);
  }
  EXPECT_TRUE(fitRates(samples, getCpu()).empty());
}

TEST(ClassFit, TermsSum) {
  Work work = draw(1, 0).front().work;
  Cost cost = estimateByRates(work, getRates(), getCpu());
  double sum = 0;
  for (const Term &term : cost.terms)
    sum += term.seconds;
  EXPECT_DOUBLE_EQ(sum, cost.seconds);
  ASSERT_EQ(cost.terms.size(), 5u);
  EXPECT_EQ(cost.terms[0].name, "compute");
  EXPECT_EQ(cost.terms[1].name, "memory");
  EXPECT_EQ(cost.terms[2].name, "weights");
  EXPECT_EQ(cost.terms[3].name, "rows");
  EXPECT_EQ(cost.terms[4].name, "start");
}

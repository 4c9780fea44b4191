//===- ClassFit.cpp - rates of kernels from measurements ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/ClassFit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace tenon;
using namespace tenon::cost;

namespace {
/// The amounts of a kernel's work, in the order of `kRates`; the start of a
/// kernel happens once.
using Amounts = std::array<double, 9>;
} // namespace

static constexpr std::array<double ClassRates::*, 9> kRates = {
    &ClassRates::start,       &ClassRates::row,
    &ClassRates::matrixFlop,  &ClassRates::vectorFlop,
    &ClassRates::byte,        &ClassRates::memoryByte,
    &ClassRates::weightByte,  &ClassRates::remainderFlop,
    &ClassRates::streamedFlop};

static Amounts getAmounts(const Work &work, const DeviceProfile &profile) {
  double bytes = work.bytesRead + work.bytesWritten;
  return {1,
          work.rows,
          work.matrixFlops,
          work.vectorFlops,
          bytes,
          bytes <= profile.cacheBytes ? 0 : bytes,
          work.bytesWeights,
          work.remainderFlops,
          work.streamedFlops};
}

/// No byte takes longer than three from memory: where few bytes vary, they
/// would stand for something else, and larger kernels would seem to take
/// forever.
static Amounts getLimits(const DeviceProfile &profile) {
  Amounts limits;
  limits.fill(std::numeric_limits<double>::infinity());
  for (auto [rate, limit] : zip(kRates, limits))
    if (rate == &ClassRates::byte || rate == &ClassRates::memoryByte ||
        rate == &ClassRates::weightByte)
      limit = 3 / profile.memoryBandwidth;
  return limits;
}

/// Minimizes |A x - b|^2 with 0 <= x <= limits.
static Amounts solve(ArrayRef<Amounts> rows, ArrayRef<double> results,
                     const Amounts &limits) {
  // Enough for nine unknowns: later sweeps change no digit that matters.
  constexpr unsigned kSweeps = 2000;
  std::array<Amounts, 9> products{};
  Amounts sums{}, solution{};
  for (auto [row, result] : zip(rows, results))
    for (size_t i = 0; i < row.size(); ++i) {
      sums[i] += row[i] * result;
      for (size_t j = 0; j < row.size(); ++j)
        products[i][j] += row[i] * row[j];
    }
  for (unsigned sweep = 0; sweep < kSweeps; ++sweep)
    for (size_t i = 0; i < solution.size(); ++i) {
      if (products[i][i] == 0)
        continue;
      double rest = sums[i];
      for (size_t j = 0; j < solution.size(); ++j)
        if (j != i)
          rest -= products[i][j] * solution[j];
      solution[i] = std::clamp(rest / products[i][i], 0.0, limits[i]);
    }
  return solution;
}

static double getDeviation(ArrayRef<const ClassSample *> samples,
                           ArrayRef<double> predicted) {
  double squares = 0;
  for (auto [sample, cost] : zip(samples, predicted))
    squares += std::pow(std::log(cost / sample->seconds), 2);
  return std::sqrt(squares / samples.size());
}

/// Minimizes the squares of log(predicted / measured), in which a cost that is
/// k times too low counts as much as one that is k times too high, by Gauss and
/// Newton's method: the logarithm is linear around the last prediction.
static ClassRates fit(ArrayRef<const ClassSample *> samples,
                      const DeviceProfile &profile) {
  constexpr unsigned kRounds = 20;
  ClassRates best;
  SmallVector<double> predicted;
  for (const ClassSample *sample : samples)
    predicted.push_back(sample->seconds);
  for (unsigned round = 0; round < kRounds; ++round) {
    SmallVector<Amounts> rows;
    SmallVector<double> results;
    for (auto [sample, cost] : zip(samples, predicted)) {
      rows.push_back(getAmounts(sample->work, profile));
      for (double &amount : rows.back())
        amount /= cost;
      results.push_back(1 - std::log(cost / sample->seconds));
    }
    ClassRates rates;
    for (auto [rate, value] :
         zip(kRates, solve(rows, results, getLimits(profile))))
      rates.*rate = value;
    for (auto [sample, cost] : zip(samples, predicted))
      cost = std::max(estimateByRates(sample->work, rates, profile).seconds,
                      sample->seconds / 100);
    rates.deviation = getDeviation(samples, predicted);
    if (round == 0 || rates.deviation < best.deviation)
      best = rates;
  }
  best.kernels = samples.size();
  return best;
}

std::map<std::string, ClassRates>
tenon::cost::fitRates(ArrayRef<ClassSample> samples,
                      const DeviceProfile &profile) {
  std::map<std::string, SmallVector<const ClassSample *>> byClass;
  for (const ClassSample &sample : samples)
    if (sample.seconds > 0 && !sample.kernelClass.empty())
      byClass[sample.kernelClass].push_back(&sample);
  std::map<std::string, ClassRates> rates;
  for (const auto &[name, members] : byClass)
    if (members.size() >= kLeastKernels)
      rates[name] = fit(members, profile);
  return rates;
}

Cost tenon::cost::estimateByRates(const Work &work, const ClassRates &rates,
                                  const DeviceProfile &profile) {
  Amounts amounts = getAmounts(work, profile);
  Amounts seconds;
  for (size_t i = 0; i < amounts.size(); ++i)
    seconds[i] = amounts[i] * (rates.*kRates[i]);
  Cost cost;
  auto add = [&](StringRef name, double value) {
    cost.seconds += value;
    if (value > 0)
      cost.terms.push_back({name.str(), value});
  };
  add("compute", seconds[2] + seconds[3] + seconds[7] + seconds[8]);
  add("memory", seconds[4] + seconds[5]);
  add("weights", seconds[6]);
  add("rows", seconds[1]);
  add("start", seconds[0]);
  return cost;
}

//===- CostDatabase.cpp - measured costs ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace tenon::cost;

bool Device::operator==(const Device &other) const {
  return target == other.target && processor == other.processor &&
         threads == other.threads && versions == other.versions;
}

std::string Device::str() const {
  std::string text = target + " on " + processor + ", " +
                     std::to_string(threads) +
                     (threads == 1 ? " thread" : " threads");
  for (const auto &[library, version] : versions)
    text += ", " + library + " " + version;
  return text;
}

double Measurement::getMargin() const {
  // With this many runs, the spread of the runs describes the machine rather
  // than the kernel.
  constexpr uint64_t kEnough = 10;
  // The usual standard deviation of the logarithm of a kernel's time on an
  // otherwise idle machine, and its weight in runs.
  constexpr double kUsual = 0.15, kWeight = 4;
  if (runs >= kEnough)
    return 0;
  double own = 0;
  // The 10 % and 90 % quantiles of a normal distribution are 2.56 deviations
  // apart. With a single run they are equal.
  if (runs > 1 && low > 0 && high > low)
    own = std::log(high / low) / 2.56;
  double count = std::max<uint64_t>(runs, 1);
  double deviation = std::sqrt((kWeight * kUsual * kUsual + count * own * own) /
                               (kWeight + count));
  // The deviation of a median is 1.25 times that of a mean.
  return kPessimism * 1.25 * deviation / std::sqrt(count);
}

const Measurement *CostDatabase::lookup(StringRef kernelKey) const {
  auto it = entries.find(kernelKey);
  return it == entries.end() ? nullptr : &it->second;
}

void CostDatabase::add(StringRef kernelKey, const Measurement &measurement) {
  auto [it, inserted] = entries.try_emplace(kernelKey.str(), measurement);
  if (!inserted && it->second.roofline > 0)
    ratios[getKernelKind(kernelKey)].erase(std::log(it->second.roofline));
  it->second = measurement;
  if (measurement.roofline > 0)
    ratios[getKernelKind(kernelKey)][std::log(measurement.roofline)] =
        measurement.median / measurement.roofline;
}

std::optional<double> CostDatabase::getRatio(StringRef kernelKey,
                                             double roofline) const {
  auto kind = ratios.find(getKernelKind(kernelKey));
  if (kind == ratios.end() || roofline <= 0)
    return std::nullopt;
  double at = std::log(roofline);
  auto above = kind->second.lower_bound(at);
  if (above == kind->second.end())
    return std::prev(above)->second;
  if (above == kind->second.begin())
    return above->second;
  auto below = std::prev(above);
  double part = (at - below->first) / (above->first - below->first);
  return below->second + part * (above->second - below->second);
}

void CostDatabase::add(RunMeasurement run) {
  for (RunMeasurement &known : modelRuns)
    if (known.graph == run.graph && known.kernels == run.kernels) {
      known = std::move(run);
      return;
    }
  modelRuns.push_back(std::move(run));
}

void CostDatabase::add(Admission admission) {
  for (Admission &known : admissions)
    if (known.backend == admission.backend &&
        known.pattern == admission.pattern) {
      known = std::move(admission);
      return;
    }
  admissions.push_back(std::move(admission));
}

const Admission *CostDatabase::lookupAdmission(StringRef backend,
                                               StringRef pattern) const {
  for (const Admission &known : admissions)
    if (known.backend == backend && known.pattern == pattern)
      return &known;
  return nullptr;
}

Error CostDatabase::merge(const CostDatabase &other) {
  if (device != other.device)
    return createStringError("costs of different devices can't be mixed: '" +
                             device.str() + "' and '" + other.device.str() +
                             "'");
  for (const auto &[key, measurement] : other.entries) {
    const Measurement *known = lookup(key);
    if (!known || known->runs < measurement.runs)
      add(key, measurement);
  }
  for (const RunMeasurement &run : other.modelRuns)
    add(run);
  // A failure in either database is kept.
  for (const Admission &admission : other.admissions) {
    const Admission *known =
        lookupAdmission(admission.backend, admission.pattern);
    if (!known || known->failure.empty())
      add(admission);
  }
  return Error::success();
}

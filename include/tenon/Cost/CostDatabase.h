//===- CostDatabase.h - measured costs ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A JSON file (docs/formats.md): entries keyed by device, versions of the
// libraries, threads and kernel, each with the distribution that was measured.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_COSTDATABASE_H
#define TENON_COST_COSTDATABASE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tenon::cost {

/// Where costs were measured. Costs of different devices are never mixed.
struct Device {
  /// "cpu:x86-64-v3", and the processor's own name.
  std::string target, processor;
  unsigned threads = 1;
  /// Libraries by name: "onednn" -> "2.6.3".
  std::map<std::string, std::string> versions;

  bool operator==(const Device &other) const;
  bool operator!=(const Device &other) const { return !(*this == other); }
  std::string str() const;
};

/// Deviations from what is expected that decisions reckon with: 19 of 20 errors
/// of a normal distribution lie below.
inline constexpr double kPessimism = 1.645;

/// Times of one kernel, in seconds.
struct Measurement {
  double median = 0, low = 0, high = 0; // 10 % and 90 %
  uint64_t runs = 0;
  /// What the roofline said of it; 0: not known. Kernels of the same kind at
  /// other sizes are predicted from the two together.
  double roofline = 0;

  /// The logarithm of the factor by which the median of few runs may lie above
  /// or below that of many; 0 from 10 runs on.
  double getMargin() const;
};

/// A whole model under one plan, without traces between its kernels.
struct PlanMeasurement {
  /// Which graph, and which kernels: hashes.
  std::string graph, kernels;
  /// "mixed", "all:onednn": for people.
  std::string plan;
  /// Sum of the kernels' medians, and what a run took (median, seconds).
  double sum = 0, measured = 0;
  unsigned numKernels = 0;
};

/// Whether a pattern of a backend computes what it stands for. Holds for the
/// versions of the device.
struct Admission {
  std::string backend, pattern;
  /// Empty: results agreed with the interpreter. Else what went wrong.
  std::string failure;
};

class CostDatabase {
public:
  explicit CostDatabase(Device device) : device(std::move(device)) {}

  /// Fails with the file's name and what is wrong with it.
  static llvm::Expected<CostDatabase> read(llvm::StringRef path);
  /// Atomically: the file is the old one or the new one.
  llvm::Error write(llvm::StringRef path) const;

  const Device &getDevice() const { return device; }
  /// Null where the kernel (see getKernelKey) was not measured.
  const Measurement *lookup(llvm::StringRef kernelKey) const;
  void add(llvm::StringRef kernelKey, const Measurement &measurement);
  /// Measured over roofline, for a kernel that was not measured: of kernels
  /// whose text differs in the sizes of activations alone, those next in
  /// roofline cost, interpolated. None: there are none.
  std::optional<double> getRatio(llvm::StringRef kernelKey,
                                 double roofline) const;

  /// One of the same graph and kernels is replaced.
  void add(PlanMeasurement plan);
  llvm::ArrayRef<PlanMeasurement> getPlans() const { return plans; }

  /// One of the same backend and pattern is replaced.
  void add(Admission admission);
  llvm::ArrayRef<Admission> getAdmissions() const { return admissions; }
  /// Null: nobody has looked.
  const Admission *lookupAdmission(llvm::StringRef backend,
                                   llvm::StringRef pattern) const;

  /// Takes entries of `other` that are missing here; of two, the one with more
  /// runs. Fails where the devices differ.
  llvm::Error merge(const CostDatabase &other);
  size_t size() const { return entries.size(); }

private:
  void print(llvm::raw_ostream &os) const;

  Device device;
  std::map<std::string, Measurement, std::less<>> entries;
  /// By kind: measured over roofline, by the logarithm of the roofline.
  std::map<std::string, std::map<double, double>, std::less<>> ratios;
  std::vector<PlanMeasurement> plans;
  std::vector<Admission> admissions;
};

/// The kernel's text with the sizes of what is not a weight left out.
std::string getKernelKind(llvm::StringRef kernelKey);

} // namespace tenon::cost

#endif // TENON_COST_COSTDATABASE_H

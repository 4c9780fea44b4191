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

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::cost {

/// The device on which costs were measured. Costs of different devices are
/// never mixed.
struct Device {
  /// "cpu:x86-64-v3", and the processor's name.
  std::string target, processor;
  unsigned threads = 1;
  /// Libraries by name: "onednn" -> "2.6.3".
  std::map<std::string, std::string> versions;

  bool operator==(const Device &other) const;
  bool operator!=(const Device &other) const { return !(*this == other); }
  std::string str() const;
};

/// The number of standard deviations that decisions allow for: 19 of 20 errors
/// of a normal distribution lie below it.
inline constexpr double kPessimism = 1.645;

/// Times of one kernel, in seconds.
struct Measurement {
  double median = 0, low = 0, high = 0; // quantiles of 10 % and 90 %
  uint64_t runs = 0;
  /// The roofline estimate of the kernel; 0 if unknown. Kernels of the same
  /// kind at other sizes are predicted from both values.
  double roofline = 0;

  /// The logarithm of the factor by which the median of few runs may differ
  /// from the median of many runs; 0 from 10 runs on.
  double getMargin() const;
};

/// The time of a whole model under one placement plan, without traces between
/// its kernels.
struct RunMeasurement {
  /// Hashes of the graph and of the kernels.
  std::string graph, kernels;
  /// "mixed" or "all:onednn"; for display only.
  std::string plan;
  /// The sum of the kernels' medians, and the median time of a run, in seconds.
  double sum = 0, measured = 0;
  unsigned numKernels = 0;
};

/// Whether a backend's pattern computes what it claims to compute. Valid for
/// the library versions of the device.
struct Admission {
  std::string backend, pattern;
  /// What went wrong; empty if the results agreed with the interpreter.
  std::string failure;
};

class CostDatabase {
public:
  explicit CostDatabase(Device device) : device(std::move(device)) {}

  /// Fails with the file's name and what is wrong in the file.
  static llvm::Expected<CostDatabase> read(llvm::StringRef path);
  /// The same, once for a context.
  static llvm::Expected<std::shared_ptr<const CostDatabase>>
  read(mlir::MLIRContext *context, llvm::StringRef path);
  /// Writes atomically: the file has either the old or the new contents.
  llvm::Error write(llvm::StringRef path) const;

  const Device &getDevice() const { return device; }
  /// Returns null if the kernel (see getKernelKey) was not measured.
  const Measurement *lookup(llvm::StringRef kernelKey) const;
  void add(llvm::StringRef kernelKey, const Measurement &measurement);
  /// Predicts measured over roofline time for a kernel that was not measured.
  /// Interpolates between those kernels that differ only in the sizes of
  /// activations and are closest in roofline cost. Returns nothing if there are
  /// no such kernels.
  std::optional<double> getRatio(llvm::StringRef kernelKey,
                                 double roofline) const;

  /// Replaces an entry of the same graph and kernels.
  void add(RunMeasurement run);
  llvm::ArrayRef<RunMeasurement> getModelRuns() const { return modelRuns; }

  /// Replaces an entry of the same backend and pattern.
  void add(Admission admission);
  llvm::ArrayRef<Admission> getAdmissions() const { return admissions; }
  /// Returns null if the pattern was never tested.
  const Admission *lookupAdmission(llvm::StringRef backend,
                                   llvm::StringRef pattern) const;

  /// Adds the entries of `other` that are missing here; if both have an entry,
  /// keeps the one with more runs. Fails if the devices differ.
  llvm::Error merge(const CostDatabase &other);
  size_t size() const { return entries.size(); }

private:
  void print(llvm::raw_ostream &os) const;

  Device device;
  std::map<std::string, Measurement, std::less<>> entries;
  /// By kind: measured over roofline time, by the logarithm of the roofline.
  std::map<std::string, std::map<double, double>, std::less<>> ratios;
  std::vector<RunMeasurement> modelRuns;
  std::vector<Admission> admissions;
};

/// The kernel's text without the sizes of operands that are not weights.
std::string getKernelKind(llvm::StringRef kernelKey);

} // namespace tenon::cost

#endif // TENON_COST_COSTDATABASE_H

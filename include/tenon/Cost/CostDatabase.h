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
#include <string>

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

/// Times of one kernel, in seconds.
struct Measurement {
  double median = 0, low = 0, high = 0; // 10 % and 90 %
  uint64_t runs = 0;
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
  /// Takes entries of `other` that are missing here; of two, the one with more
  /// runs. Fails where the devices differ.
  llvm::Error merge(const CostDatabase &other);
  size_t size() const { return entries.size(); }

private:
  Device device;
  std::map<std::string, Measurement, std::less<>> entries;
};

} // namespace tenon::cost

#endif // TENON_COST_COSTDATABASE_H

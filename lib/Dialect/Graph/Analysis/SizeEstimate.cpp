//===- SizeEstimate.cpp - numbers in place of symbolic sizes --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace tenon::graph;

int64_t tenon::graph::estimateSize(const SymInt &size) {
  std::optional<int64_t> value = size.evaluate(
      [](llvm::StringRef) { return std::optional<int64_t>(kEstimatedSymbol); });
  return std::max<int64_t>(value.value_or(1), 1);
}

double tenon::graph::estimateElements(llvm::ArrayRef<SymInt> shape) {
  double count = 1;
  for (const SymInt &size : shape)
    count *= static_cast<double>(estimateSize(size));
  return count;
}

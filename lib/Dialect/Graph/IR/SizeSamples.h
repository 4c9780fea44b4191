//===- SizeSamples.h - values of sizes at sample points -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_IR_SIZESAMPLES_H
#define TENON_LIB_DIALECT_GRAPH_IR_SIZESAMPLES_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::graph {

/// The assumptions of this thread: each value is at least 0.
llvm::ArrayRef<SymInt> getSizeAssumptions();

/// During its lifetime, this thread assumes nothing: for what is kept longer
/// than an assumption lives.
class NoSizeAssumptions {
public:
  NoSizeAssumptions();
  ~NoSizeAssumptions();
  NoSizeAssumptions(const NoSizeAssumptions &) = delete;

private:
  std::vector<SymInt> suspended;
};

/// A text that identifies the assumptions; empty if there are none.
std::string getAssumptionKey();

/// The symbols of `value`, each once, in the order of their first occurrence.
std::vector<std::string> getSymbols(const SymInt &value);

/// Whether `holds` is true of the value at all of a fixed set of small and
/// large sizes at which `value` is defined and the assumptions hold.
bool holdsAtSamples(const SymInt &value,
                    llvm::function_ref<bool(int64_t)> holds);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_IR_SIZESAMPLES_H

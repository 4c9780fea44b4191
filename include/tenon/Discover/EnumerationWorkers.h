//===- EnumerationWorkers.h - several processes enumerate -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs of one size are enumerated by forked processes, which see all terms,
// equations and samples without copying them. Each writes what it generates to
// a file, sorted by fingerprint, in runs of bounded size, so that neither the
// graphs of the last level nor the operands that were named anew for them take
// memory. What is found does not depend on the number of processes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_ENUMERATIONWORKERS_H
#define TENON_DISCOVER_ENUMERATIONWORKERS_H

#include "tenon/Discover/Enumerator.h"

namespace tenon::discover {

class EnumerationWorkers {
public:
  struct Limits {
    /// Processes; 0 for as many as there are processors.
    unsigned processes = 0;
    /// What each process collects before it writes.
    size_t bytes = size_t(256) << 20;
  };
  EnumerationWorkers(Terms &terms, Enumerator &enumerator,
                     Fingerprints &fingerprints, Limits limits);
  EnumerationWorkers(Terms &terms, Enumerator &enumerator,
                     Fingerprints &fingerprints)
      : EnumerationWorkers(terms, enumerator, fingerprints, Limits()) {}

  struct Record {
    /// Whether inputs have equal effects (`Fingerprints::Sketch`).
    bool hasTies;
    /// A graph that was generated, as bytes. They are ordered as operands are:
    /// by when these became representatives.
    llvm::StringRef graph;
  };
  /// Called with all graphs whose sketches have one hash, in a fixed order.
  using Visit = llvm::function_ref<void(uint64_t hash, llvm::ArrayRef<Record>)>;
  /// Enumerates all graphs with `numOps` ops (`Enumerator::begin`), and then
  /// visits them by ascending hash. `advance` is called meanwhile with the
  /// share that is done. Returns what went wrong, or an empty string: a process
  /// ended early, or the folder of temporary files is full.
  std::string enumerate(unsigned numOps, Visit visit,
                        llvm::function_ref<void(double)> advance);
  /// Adds a graph that was visited to the terms.
  ValueId add(llvm::StringRef graph);

private:
  struct Shared;
  class Process;

  Terms &terms;
  Enumerator &enumerator;
  Fingerprints &fingerprints;
  Limits limits;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_ENUMERATIONWORKERS_H

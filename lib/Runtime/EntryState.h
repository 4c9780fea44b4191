//===- EntryState.h - an entry of an instance -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ENTRYSTATE_H
#define TENON_LIB_RUNTIME_ENTRYSTATE_H

#include "CallState.h"

namespace tenon::runtime {

/// An entry of an instance: its tables, and the sizes that it is planned for.
/// The instance's arrays by buffer or by step hold the data of all entries,
/// because no two entries share a buffer or step.
struct EntryState {
  /// `index`: number among the program's entries; prepare follows them.
  EntryState(const tenon_entry &table, int32_t index, int32_t cudaDevice)
      : table(table), index(index), call(table, cudaDevice) {}

  const int64_t *symbols() const { return call.symbols(); }

  const tenon_entry &table;
  const int32_t index;
  CallState call;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ENTRYSTATE_H

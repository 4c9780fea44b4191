//===- FailingMemory.h - memory that runs out when a test says so
//-----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program is linked with --wrap, so that the runtime's own calls of mmap
// and aligned_alloc come here first, and so do its operators new. Libraries
// that it opens (oneDNN) get their memory as usual.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_SEQUENCES_FAILINGMEMORY_H
#define TENON_TEST_UNIT_RUNTIME_SEQUENCES_FAILINGMEMORY_H

namespace tenon::runtime {

/// While it lives, the `number`th request for memory of this thread fails,
/// counted from 1, and `further` more after it. `onlyBlocks`: only those for
/// the data of instances count, not the objects of C++.
class FailingMemory {
public:
  FailingMemory(int number, int further, bool onlyBlocks);
  ~FailingMemory();
  /// How many requests failed.
  int failures() const;
};

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_SEQUENCES_FAILINGMEMORY_H

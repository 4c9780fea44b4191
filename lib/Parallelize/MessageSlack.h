//===- MessageSlack.h - how long messages have buffers ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of ranks (RankMessages.cpp) give messages more time than the
// simulation says that they take; the memory of a plan (StageMemory.cpp) has
// their buffers for as long.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_MESSAGESLACK_H
#define TENON_LIB_PARALLELIZE_MESSAGESLACK_H

#include <cstddef>

namespace tenon::parallelize {

/// How many tasks before the one that needs it a receive begins.
inline constexpr size_t kReceivesAhead = 2;
/// How many messages to one rank over one link may be on their way. (What a
/// forward task sends in training has been read when its gradients are there.)
inline constexpr size_t kSendsAhead = 4;

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_MESSAGESLACK_H

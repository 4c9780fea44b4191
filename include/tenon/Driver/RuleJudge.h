//===- RuleJudge.h - who decides rules ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_RULEJUDGE_H
#define TENON_DRIVER_RULEJUDGE_H

#include "tenon/Optimize/RuleSet.h"

namespace tenon {

/// Rules are proved by tenon/Prove, and certificates checked by the kernel of
/// proofs. What the kernel accepted is remembered by a hash of all that it
/// looked at, in the file that the environment names as TENON_PROOF_CACHE
/// (empty: in none), else in tenon/proofs below XDG_CACHE_HOME or ~/.cache. A
/// file that can't be read or written is no error: certificates are then
/// checked by every process.
optimize::RuleJudge makeRuleJudge();

} // namespace tenon

#endif // TENON_DRIVER_RULEJUDGE_H

//===- UsageStatus.h - exit status of wrong usage -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_USAGESTATUS_H
#define TENON_DRIVER_USAGESTATUS_H

namespace tenon {

/// For programs whose command line is read inside of MLIR, which ends the
/// program with status 1 when it is wrong: while an object lives, exit(1) ends
/// the program with status 2 instead. Returning from main is not affected. What
/// LLVM calls a fatal error (a full disk) ends it with status 1.
class UsageStatus {
public:
  UsageStatus();
  ~UsageStatus();
  UsageStatus(const UsageStatus &) = delete;
  UsageStatus &operator=(const UsageStatus &) = delete;
};

} // namespace tenon

#endif // TENON_DRIVER_USAGESTATUS_H

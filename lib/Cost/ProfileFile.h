//===- ProfileFile.h - reading profiles from JSON -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_COST_PROFILEFILE_H
#define TENON_LIB_COST_PROFILEFILE_H

#include "tenon/Cost/DeviceProfile.h"

namespace tenon::cost {

/// Reads a file with one profile (docs/formats.md).
llvm::Expected<DeviceProfile> readProfile(llvm::StringRef path);

} // namespace tenon::cost

#endif // TENON_LIB_COST_PROFILEFILE_H

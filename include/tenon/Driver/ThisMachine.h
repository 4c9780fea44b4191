//===- ThisMachine.h - the machine that Tenon runs on ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_THISMACHINE_H
#define TENON_DRIVER_THISMACHINE_H

#include "tenon/Backend/Backend.h"
#include "tenon/Cost/CostDatabase.h"

#include <string>

namespace tenon {

/// This machine as a device of costs: its processor, and the versions of Tenon
/// and of the libraries that it has.
cost::Device describeThisMachine(llvm::StringRef target, unsigned threads,
                                 const backend::BackendRegistry &backends);

/// Where the profile of this machine belongs, which `tenon-profile --calibrate`
/// writes: the file that TENON_CALIBRATION names (empty: none), else one in
/// tenon/profiles below XDG_CACHE_HOME or ~/.cache. Its name is that of the
/// processor and a hash of the versions, so that what another machine or
/// another version wrote is not found. Empty if there is no such place.
std::string getCalibrationPath(const backend::BackendRegistry &backends);

/// The profile of this machine: that file, if it exists or TENON_CALIBRATION
/// names it; else the one that comes with Tenon for processors of this kind;
/// else empty.
std::string findCalibration(const backend::BackendRegistry &backends);

} // namespace tenon

#endif // TENON_DRIVER_THISMACHINE_H

//===- ProgramText.h - steps of ranks in words ------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_PROGRAMTEXT_H
#define TENON_LIB_PARALLELIZE_PROGRAMTEXT_H

#include "tenon/Parallelize/RankPrograms.h"

#include <string>

namespace tenon::parallelize {

/// Such as "backward 2 of stage 1".
std::string getTaskText(const Task &task);

/// Such as "sends values of link 0, samples 0 to 3, to rank 1".
std::string getTransferText(const Transfer &transfer);

/// Such as "step 4 of rank 1 (forward 0 of stage 1)".
std::string getStepText(unsigned rank, size_t number, const Step &step);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_PROGRAMTEXT_H

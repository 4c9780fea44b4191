//===- NcclHeaderTest.cpp - own declarations of NCCL ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled where nccl.h is found.
//
//===----------------------------------------------------------------------===//

#include "CudaHeaderCheck.h"
#include "Nccl/Nccl.h"

#include <nccl.h>

namespace own = tenon::runtime::nccl;

#define TENON_CHECK(NAME, SYMBOL, PARAMETERS)                                  \
  static_assert(                                                               \
      IsCalledAlike<decltype(own::Nccl::NAME), decltype(&::SYMBOL)>::value,    \
      #SYMBOL);
TENON_NCCL_FUNCTIONS(TENON_CHECK)
#undef TENON_CHECK

static_assert(int(own::Success) == ncclSuccess &&
              int(own::InProgress) == ncclInProgress &&
              int(own::Int8) == ncclInt8 && int(own::Float32) == ncclFloat32 &&
              int(own::Float64) == ncclFloat64 && int(own::Sum) == ncclSum &&
              int(own::Average) == ncclAvg &&
              own::noColor == NCCL_SPLIT_NOCOLOR);
static_assert(sizeof(own::UniqueId) == sizeof(ncclUniqueId));

// Newer versions add members behind, and read as many as `size` says.
static_assert(
    sizeof(own::Config) <= sizeof(ncclConfig_t) &&
    offsetof(own::Config, magic) == offsetof(ncclConfig_t, magic) &&
    offsetof(own::Config, version) == offsetof(ncclConfig_t, version) &&
    offsetof(own::Config, blocking) == offsetof(ncclConfig_t, blocking) &&
    offsetof(own::Config, netName) == offsetof(ncclConfig_t, netName) &&
    offsetof(own::Config, splitShare) == offsetof(ncclConfig_t, splitShare));

TEST(NcclHeader, DefaultsAreThoseOfTheHeader) {
  ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  own::Config ours;
  EXPECT_EQ(ours.magic, theirs.magic);
  EXPECT_EQ(ours.minCTAs, theirs.minCTAs);
  EXPECT_EQ(ours.netName, theirs.netName);
  EXPECT_EQ(ours.splitShare, theirs.splitShare);
}

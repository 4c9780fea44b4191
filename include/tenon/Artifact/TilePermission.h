//===- TilePermission.h - whether a process may use tiles -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_TILEPERMISSION_H
#define TENON_ARTIFACT_TILEPERMISSION_H

#include <sys/syscall.h>
#include <unistd.h>

namespace tenon::artifact {

/// Asks Linux for the registers of AMX, which a process has only then
/// (Documentation/arch/x86/xstate.rst). The permission holds for the process.
/// Returns false if it is not given, or if there are none.
inline bool askForTiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TILEPERMISSION_H

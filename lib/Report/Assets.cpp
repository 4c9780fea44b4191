//===- Assets.cpp - style and script of the page --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assets.h"

#include "tenon/Report/Assets.inc"

namespace tenon::report {

llvm::StringRef getStyle() { return styleText; }

llvm::StringRef getScript() { return scriptText; }

llvm::StringRef getTimelineScript() { return timelineText; }

} // namespace tenon::report

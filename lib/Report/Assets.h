//===- Assets.h - style and script of the page ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_REPORT_ASSETS_H
#define TENON_LIB_REPORT_ASSETS_H

#include "llvm/ADT/StringRef.h"

namespace tenon::report {

/// Return the files of `assets/`: ASCII, without an HTML end tag in them.
llvm::StringRef getStyle();
llvm::StringRef getScript();
/// The script of the page of a pipeline.
llvm::StringRef getTimelineScript();

} // namespace tenon::report

#endif // TENON_LIB_REPORT_ASSETS_H

//===- TextReport.h - a comparison for the terminal ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPARE_TEXTREPORT_H
#define TENON_TOOLS_TENON_COMPARE_TEXTREPORT_H

#include "tenon/Report/CompareReport.h"

#include "llvm/Support/raw_ostream.h"

namespace tenon::compare {

/// The verdicts, and the growth of errors in some lines.
void printReport(const report::CompareReport &report, llvm::raw_ostream &os);

} // namespace tenon::compare

#endif // TENON_TOOLS_TENON_COMPARE_TEXTREPORT_H

//===- HtmlText.h - escaping text for a page ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_REPORT_HTMLTEXT_H
#define TENON_LIB_REPORT_HTMLTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tenon::report {

/// Escapes a text for the content of elements and attributes.
std::string escapeHtml(llvm::StringRef text);

/// Returns the source expression of a content for the content security policy.
std::string getHashSource(llvm::StringRef content);

} // namespace tenon::report

#endif // TENON_LIB_REPORT_HTMLTEXT_H

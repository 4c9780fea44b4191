//===- Json.h - JSON texts from other programs ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_JSON_H
#define TENON_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace tenon {

/// Like llvm::json::parse, which recurses as deeply as the text is nested and
/// takes the last of equal names. Fails at what artifact::parseJson refuses:
/// more than 64 nested levels, names that an object has twice. Integers beyond
/// int64 become doubles.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace tenon

#endif // TENON_SUPPORT_JSON_H

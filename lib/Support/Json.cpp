//===- Json.cpp - JSON texts from other programs --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Json.h"
#include "tenon/Artifact/Json.h"

using namespace tenon;

llvm::Expected<llvm::json::Value> tenon::parseJson(llvm::StringRef text) {
  // LLVM's parser recurses at each level, and takes the last of equal names.
  if (auto checked = artifact::parseJson(text); !checked)
    return llvm::createStringError(checked.error());
  return llvm::json::parse(text);
}

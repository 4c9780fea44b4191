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

/// Recurses as deeply as artifact::parseJson allows.
static llvm::json::Value convert(artifact::JsonValue value) {
  using Kind = artifact::JsonValue::Kind;
  switch (value.kind) {
  case Kind::Null:
    return nullptr;
  case Kind::Bool:
    return value.boolean;
  case Kind::Integer:
    return value.integer;
  case Kind::Number:
    return value.number;
  case Kind::String:
    return std::move(value.string);
  case Kind::Array: {
    llvm::json::Array array;
    array.reserve(value.array.size());
    for (artifact::JsonValue &element : value.array)
      array.push_back(convert(std::move(element)));
    return array;
  }
  case Kind::Object: {
    llvm::json::Object object;
    for (auto &[name, member] : value.members)
      object.try_emplace(std::move(name), convert(std::move(member)));
    return object;
  }
  }
  llvm_unreachable("unknown kind");
}

llvm::Expected<llvm::json::Value> tenon::parseJson(llvm::StringRef text) {
  // LLVM's parser recurses at each level, and takes the last of equal names.
  auto parsed = artifact::parseJson(text);
  if (!parsed)
    return llvm::createStringError(parsed.error());
  return convert(std::move(*parsed));
}

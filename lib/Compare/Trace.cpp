//===- Trace.cpp - the values that one run computed ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Trace.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tenon::compare;

std::string Origin::describe() const {
  std::string text = op.empty() ? "a value" : op;
  if (places.empty())
    return text;
  text += " at " + places.front();
  for (const std::string &place : drop_begin(places))
    text += ", " + place;
  return text;
}

Origin tenon::compare::parseOrigin(StringRef text) {
  Origin origin;
  auto [places, op] = text.rsplit(' ');
  if (op.empty() && !text.contains(' ')) {
    op = places;
    places = "";
  }
  auto [name, number] = op.split('#');
  if (number.getAsInteger(10, origin.result))
    origin.result = 0;
  origin.op = name.str();
  SmallVector<StringRef> parts;
  places.split(parts, '\t', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    origin.places.push_back(part.str());
  return origin;
}

//===- Status.cpp - errors as values --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Status.h"

#include <cstdio>

namespace tenon::artifact {

void detail::append(std::string &out, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  out += text;
}

std::string formatShape(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string out;
  for (int64_t size : shape) {
    if (!out.empty())
      out += 'x';
    out += size < 0 ? "?" : std::to_string(size);
  }
  return out;
}

} // namespace tenon::artifact

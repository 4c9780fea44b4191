//===- Origins.cpp - locations of values in the model ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Origins.h"

#include "tenon/Dialect/Graph/IR/Origin.h"

using namespace mlir;
using namespace tenon;

std::string tenon::lower::describeOrigin(kernel::CallOp call, unsigned result) {
  auto value = dyn_cast<OpResult>(call.getYielded()[result]);
  return value ? graph::getOrigin(value) : std::string();
}

//===- Tables.h - tables of kernel costs ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_TABLES_H
#define TENON_TOOLS_TENON_PROFILE_TABLES_H

#include "PlacedModel.h"
#include "tenon/Cost/CostDatabase.h"

/// Predicted beside measured costs, the most expensive kernels first.
void printMeasured(const PlacedModel &model,
                   const tenon::cost::CostDatabase &database);

/// The cost of every kernel, term by term. `profile`: what predicted it.
void printCosts(const PlacedModel &model, llvm::StringRef profile,
                bool hasDatabase);

#endif // TENON_TOOLS_TENON_PROFILE_TABLES_H

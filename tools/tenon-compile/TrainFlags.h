//===- TrainFlags.h - options of training ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPILE_TRAINFLAGS_H
#define TENON_TOOLS_TENON_COMPILE_TRAINFLAGS_H

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Differentiate/Passes.h"

#include <functional>
#include <map>
#include <string>

/// Options of training as the command line states them.
struct TrainFlags {
  tenon::differentiate::GraphTrainOptions options;
  /// Whether --train and --train-loss-scale were stated.
  bool isOn = false, hasLossScale = false;
  /// --train-list.
  bool lists = false;
  /// The first option that was stated beside --train; empty: none.
  std::string first;
  /// By its name without --train-, what becomes of an option's value.
  std::map<std::string, tenon::artifact::OptionTable::Action, std::less<>>
      actions;
};

/// Adds --train=LOSS, and --train-NAME for each further option of
/// --graph-train; --train=F.json reads all of them from an object.
void addTrainFlags(tenon::artifact::OptionTable &table, TrainFlags &flags);

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
std::string checkTrainFlags(const TrainFlags &flags);

#endif // TENON_TOOLS_TENON_COMPILE_TRAINFLAGS_H

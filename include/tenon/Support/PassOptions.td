//===- PassOptions.td - options of passes that tools have -----*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_PASSOPTIONS_TD
#define TENON_SUPPORT_PASSOPTIONS_TD

include "tenon/Artifact/Options.td"

include "mlir/Pass/PassBase.td"

/// An option of a pass with its unit and, for a number, its range in C++; empty:
/// that of the type, or what the pass itself checks.
class ToolPassOption<string cppName, string argument, string type,
                     string default, Unit unit_, string description,
                     string least_ = "", string most_ = "">
    : Option<cppName, argument, type, default, description> {
  Unit unit = unit_;
  string least = least_;
  string most = most_;
}

class ToolPassListOption<string cppName, string argument, string type,
                         Unit unit_, string description>
    : ListOption<cppName, argument, type, description> {
  Unit unit = unit_;
}

#endif // TENON_SUPPORT_PASSOPTIONS_TD

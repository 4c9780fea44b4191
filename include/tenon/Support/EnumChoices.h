//===- EnumChoices.h - enumerations as options of command lines -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_ENUMCHOICES_H
#define TENON_SUPPORT_ENUMCHOICES_H

#include "tenon/Artifact/OptionTable.h"

#include "llvm/ADT/StringRef.h"

namespace tenon {

/// Returns the values of an enumeration by their names: getName(T) and
/// getAll(T) are found in T's namespace.
template <typename T> artifact::OptionTable::Choices<T> getChoices() {
  artifact::OptionTable::Choices<T> choices;
  for (T value : getAll(T()))
    choices.emplace_back(getName(value).str(), value);
  return choices;
}

} // namespace tenon

#endif // TENON_SUPPORT_ENUMCHOICES_H

//===- EnumOption.h - options of passes that are enums -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_ENUMOPTION_H
#define TENON_SUPPORT_ENUMOPTION_H

#include "tenon/Support/Numerics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

namespace tenon {

/// Parses an option by the names of an enum: getName(T) and getAll(T) are found
/// in T's namespace. LLVM's generic parser does not say which names it expects.
template <typename T>
class EnumOptionParser : public llvm::cl::basic_parser<T> {
public:
  using llvm::cl::basic_parser<T>::basic_parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             T &value) {
    std::string names;
    llvm::ArrayRef<T> all = getAll(T());
    for (T choice : all) {
      if (getName(choice) == text) {
        value = choice;
        return false;
      }
      names += names.empty() ? "" : choice == all.back() ? " or " : ", ";
      names += getName(choice);
    }
    return option.error("expected " + names + ", but got '" + text + "'");
  }
  llvm::StringRef getValueName() const override { return "name"; }
  void printOptionDiff(const llvm::cl::Option &option, T value,
                       const llvm::cl::OptionValue<T> &, size_t width) const {
    this->printOptionName(option, width);
    llvm::outs() << "= " << getName(value) << "\n";
  }
};

} // namespace tenon

namespace llvm::cl {
template <>
class parser<tenon::FpMode> : public tenon::EnumOptionParser<tenon::FpMode> {
public:
  using EnumOptionParser::EnumOptionParser;
};
template <>
class parser<tenon::Precision>
    : public tenon::EnumOptionParser<tenon::Precision> {
public:
  using EnumOptionParser::EnumOptionParser;
};
} // namespace llvm::cl

#endif // TENON_SUPPORT_ENUMOPTION_H

//===- CompileFlags.cpp - options that several tools have ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompileFlags.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;

void tenon::addCompileFlags(artifact::OptionTable &table,
                            CompileOptions &options,
                            const std::vector<std::string> &plans,
                            const std::string &binds) {
  table.add("--optimize", [&options](std::string_view value) {
    options.optimize.required = true;
    return artifact::OptionTable::choose(
        value,
        {{"off", OptimizeEngine::Off},
         {"egraph", OptimizeEngine::EGraph},
         {"backtrack", OptimizeEngine::Backtrack}},
        options.optimize.engine);
  });
  table.addText("--rules", options.optimize.rules);
  table.add("--precision", [&options](std::string_view value) -> Status {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return makeError("expected ", kPrecisions.str(), ", but got '", value,
                       "'");
    options.policy.precision = *precision;
    options.stated.precision = true;
    return Status::success();
  });
  table.addTexts("--without", options.without, "the name of a backend");
  table.add("--place", [&options, plans](std::string_view value) -> Status {
    options.plan = value;
    std::string_view all = "all:";
    if (value == "mixed" || llvm::is_contained(plans, value) ||
        (value.size() > all.size() && value.substr(0, all.size()) == all))
      return Status::success();
    std::vector<std::string> names = {"mixed"};
    names.insert(names.end(), plans.begin(), plans.end());
    names.push_back("all:BACKEND");
    return makeError("expected ", artifact::OptionTable::joinChoices(names),
                     ", but got '", value, "'");
  });
  table.add("--bind", [&options, binds](std::string_view value) -> Status {
    if (value.find('=') == value.npos)
      return makeError("expected ", binds, ", but got '", value, "'");
    options.binds.emplace_back(value);
    return Status::success();
  });
}

std::string tenon::checkPrecision(const Policy &policy,
                                  const std::string &targets) {
  if (policy.precision != Precision::TF32 || !policy.archs.empty())
    return "";
  return "--precision: tf32 is a precision of CUDA targets; expected "
         "--target=cuda:..., but got '" +
         targets + "'";
}

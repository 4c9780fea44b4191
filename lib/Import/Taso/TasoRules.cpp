//===- TasoRules.cpp - TASO's substitution rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Import/TasoRules.h"

#include "RuleFile.h"
#include "RuleShapes.h"
#include "RuleStatement.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::taso;

FailureOr<std::string>
tenon::importTasoRules(StringRef bytes, Location loc,
                       const TasoImportOptions &options) {
  FailureOr<std::vector<Rule>> rules = readRules(bytes, loc);
  if (failed(rules))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Rules of a TASO substitution file, written by tenon-rules "
        "import-taso.\n// Sizes, strides and pads are generalized; "
        "convolutions of a source have one\n// group; the number of groups in "
        "a target follows from its channel counts.\n";
  rule::RuleWriter writer(os);
  bool anyFailed = false;
  for (const Rule &one : *rules) {
    FailureOr<RuleShapes> shapes = inferShapes(one, loc, options.equalChannels);
    anyFailed |= failed(shapes);
    if (succeeded(shapes))
      writer.write(stateRule(one, *shapes));
  }
  if (anyFailed)
    return failure();
  return text;
}

//===- CommandLine.cpp - options of tenon-fuzz ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Generate/BatchModels.h"
#include "tenon/Generate/GraphGenerator.h"
#include "tenon/Support/EnumChoices.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using artifact::makeError;
using artifact::Status;
using generate::GraphGenerator;

static Status parseOps(std::string_view value, FuzzLine &line) {
  auto [fewest, most] = StringRef(value).split("..");
  if (fewest.getAsInteger(10, line.fewest) ||
      most.getAsInteger(10, line.most) || line.fewest < 1 ||
      line.most < line.fewest || line.most > 1000)
    return makeError("expected A..B with numbers from 1 to 1000, but got '",
                     value, "'");
  return Status::success();
}

static Status parseEachOp(std::string_view kind, FuzzLine &line) {
  line.eachOp = true;
  line.only = kind;
  return Status::success();
}

static Status parseEmulate(std::string_view value, FuzzLine &line) {
  line.emulation = parseEmulation(value.empty() ? "f32" : StringRef(value));
  if (!line.emulation)
    return makeError("expected f32, tf32 or strict, but got '", value, "'");
  return Status::success();
}

static Status parseOutputs(std::string_view value, FuzzLine &line) {
  line.outputs = value;
  if (std::error_code error = llvm::sys::fs::create_directories(value))
    return makeError("'", value, "' can't be made: ", error.message());
  return Status::success();
}

#define GEN_FUZZ_DEF
#include "tenon-fuzz/Options.inc"

std::optional<int> tenon::fuzz::parse(int argc, char **argv,
                                      CommandLine &line) {
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return status;
  if (line.list) {
    for (const std::string &kind : GraphGenerator::listKinds())
      llvm::outs() << kind << "\n";
    return 0;
  }
  auto reject = [](const std::string &message) {
    return artifact::rejectUsage(kFuzzLineTool, message);
  };
  if (line.assemble && !line.emulation)
    return reject("--assemble is for --emulate");
  if (!line.only.empty() &&
      !llvm::is_contained(GraphGenerator::listKinds(), line.only))
    return reject("no kind of op '" + line.only + "' (see --list)");
  std::vector<std::string> kinds = generate::listBatchKinds();
  for (const std::string &kind : line.batchSteps)
    if (!llvm::is_contained(kinds, kind))
      return reject("no kind of steps '" + kind + "' (see --help)");
  if (line.batchSteps.empty())
    line.batchSteps = std::move(kinds);
  if (line.most == 0) {
    bool isSmall = line.placement || line.differentiate || line.batch;
    line.fewest = line.optimize || isSmall ? 3 : line.extraction ? 2 : 5;
    line.most = line.optimize ? 16 : line.extraction || isSmall ? 12 : 40;
  }
  return std::nullopt;
}

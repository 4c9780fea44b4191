//===- CommandLine.cpp - the command line of tenon-interpret ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tenon/Artifact/RunFlags.h"
#include "tenon/Driver/EmulateProgram.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;
using llvm::StringRef;

/// [NAME=]@F.
static bool parseNamedFile(StringRef text,
                           std::pair<std::string, std::string> &into) {
  auto [name, file] = text.rsplit('@');
  if (text.find('@') == StringRef::npos || file.empty() ||
      (!name.empty() && !name.consume_back("=")))
    return false;
  into = {name.str(), file.str()};
  return true;
}

static Status parseOutput(std::string_view value, CommandLine &line) {
  std::pair<std::string, std::string> file;
  if (!parseNamedFile(value, file))
    return makeError("expected [NAME=]@FILE, but got '", value, "'");
  line.outputs.push_back(file);
  return Status::success();
}

static Status parseDomain(std::string_view value, CommandLine &line) {
  std::optional<interpret::Domain> domain = interpret::Domain::parse(value);
  if (!domain)
    return makeError("expected f64, f32 or field:SEED, but got '", value, "'");
  line.domain = *domain;
  return Status::success();
}

static Status parseEmulate(std::string_view value, CommandLine &line) {
  line.emulatesAsPlaced = value.empty();
  line.emulate = parseEmulation(value.empty() ? "f32" : value);
  if (!line.emulate)
    return makeError("expected f32, tf32 or strict, but got '", value, "'");
  return Status::success();
}

#define GEN_INTERPRET_DEF
#include "tenon-interpret/Options.inc"

std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line) {
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return status;
  auto reject = [](const char *message) {
    return artifact::rejectUsage(kCommandLineTool, message);
  };
  if (line.emulate &&
      (line.naive || line.domain.kind != interpret::Domain::Kind::F64))
    return reject("--emulate computes as a GPU does, in no other domain");
  if (!line.saveStatePath.empty() &&
      line.domain.kind == interpret::Domain::Kind::Field)
    return reject("--save-state writes numbers, and the domain field has "
                  "residues");
  return std::nullopt;
}

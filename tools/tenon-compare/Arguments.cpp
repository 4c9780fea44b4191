//===- Arguments.cpp - the command line of tenon-compare -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "tenon/Artifact/RunFlags.h"

#include "tenon/Support/Numerics.h"
#include "llvm/Support/Path.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::compare;
using artifact::makeError;
using artifact::Status;
using llvm::StringRef;

bool tenon::compare::isModelFile(const std::string &path) {
  StringRef extension = llvm::sys::path::extension(path);
  return extension == ".onnx" || extension == ".mlir" || extension == ".mlirbc";
}

/// 2^-11 stands for the 10 bits that tf32 and f16 keep.
static double getRoundoff(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return 0;
  case Precision::TF32:
  case Precision::F16:
    return 0x1p-11;
  case Precision::BF16:
    return 0x1p-8;
  }
  llvm_unreachable("unknown precision");
}

static Status parseUnit(std::string_view value, Arguments &arguments) {
  std::optional<Precision> precision = parsePrecision(value);
  if (!precision)
    return makeError("expected ", kPrecisions.str(), ", but got '", value, "'");
  arguments.options.unit = getRoundoff(*precision);
  return Status::success();
}

static Status parseModel(std::string_view value, Arguments &arguments) {
  arguments.model = value;
  if (!isModelFile(arguments.model))
    return makeError("expected an .onnx, .mlir or .mlirbc file, but got '",
                     value, "'");
  return Status::success();
}

#define GEN_COMPARE_DEF
#include "tenon-compare/Options.inc"

std::optional<int> tenon::compare::parseArguments(int argc, char **argv,
                                                  Arguments &arguments) {
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, arguments, table))
    return status;
  auto reject = [](const std::string &message) {
    return artifact::rejectUsage(kArgumentsTool, message);
  };
  if (arguments.builds.size() < 2)
    return reject("expected two builds of a model");
  if (arguments.builds.size() > 2)
    return reject("expected two builds, but got a third one: '" +
                  arguments.builds[2] + "'");
  if (!arguments.model.empty() && llvm::any_of(arguments.builds, isModelFile))
    return reject("--model is for two artifacts: one of the two that are "
                  "compared is a model already");
  return std::nullopt;
}

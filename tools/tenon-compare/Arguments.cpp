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

static constexpr llvm::StringLiteral helpText =
    R"(Runs two builds of a model on the same inputs and names the first value that
differs.

usage: tenon-compare A B [options]

A and B are artifacts (.so) or models (.onnx, .mlir, .mlirbc). A model judges the
other one: each of its ops is computed of what the other has computed before, so
that an error counts at the op that makes it and not at those that follow. If
both are models, the first judges. If both are artifacts, the second is compared
with the first.

  --model M             two artifacts: let the model judge both
  --input [NAME=]@F.pb|@F.npy|random:SEED[:SHAPE][:DISTRIBUTION]
                        an input; without NAME: in order (repeatable). Inputs
                        that are not given are random:0
  --params @F.safetensors|random:SEED
                        the weights of both (default: their own)
  --entry E             models: the function to run (default: main)
  --rtol R, --atol A    what outputs, and values that no model judges, may
                        differ: A + R * max|expected| (default: 1e-3, 0)
  --factor F            how many times the rounding errors of a plain evaluation
                        in its types a value may deviate that a model judges
                        (default: 32)
  --precision P         what the artifact computes in: f32 (default), tf32, f16
                        or bf16, as it was compiled
  --threads N           (default: OMP_NUM_THREADS, else the number of cores)
  --json F              write all figures as JSON
  --report F.html       write a page with the error along the graph
  --version, --help

exit status: 0 all values agree, 1 an error or a value that differs, 2 wrong usage
)";

static int wrongUsage(const llvm::Twine &message) {
  llvm::errs() << "tenon-compare: error: " << message
               << "\nsee tenon-compare --help\n";
  return 2;
}

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

static void addFlags(artifact::OptionTable &table, Arguments &arguments) {
  CompareOptions &options = arguments.options;
  artifact::addSpecs(table, "--input", /*filesOnly=*/false, arguments.inputs);
  artifact::addMeasure(table, "--rtol", options.allowance.relative);
  artifact::addMeasure(table, "--atol", options.allowance.absolute);
  artifact::addMeasure(table, "--factor", options.factor);
  artifact::addParams(table, arguments.paramsPath, arguments.paramsSeed);
  table.addNumber("--threads", arguments.threads, 1u, 1024u);
  table.addText("--entry", arguments.entry, "a name");
  table.addText("--json", arguments.json, "a file name");
  table.addText("--report", arguments.report, "a file name");
  table.add("--precision", [&options](std::string_view value) -> Status {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return makeError("expected ", kPrecisions.str(), ", but got '", value,
                       "'");
    options.unit = getRoundoff(*precision);
    return Status::success();
  });
  table.add("--model", [&arguments](std::string_view value) -> Status {
    arguments.model = value;
    if (!isModelFile(arguments.model))
      return makeError("expected an .onnx, .mlir or .mlirbc file, but got '",
                       value, "'");
    return Status::success();
  });
}

std::optional<int> tenon::compare::parseArguments(int argc, char **argv,
                                                  Arguments &arguments) {
  artifact::OptionTable table;
  bool help = false, version = false;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, help);
  table.addSwitch("--version", version);
  addFlags(table, arguments);
  Status parsed = table.parse(argc, argv, [&](std::string_view name) -> Status {
    if (!arguments.second.empty())
      return makeError("expected two builds, but got a third one: '", name,
                       "'");
    (arguments.first.empty() ? arguments.first : arguments.second) = name;
    return Status::success();
  });
  if (!parsed)
    return wrongUsage(parsed.error());
  if (help || version) {
    if (help)
      llvm::outs() << helpText;
    else
      llvm::outs() << "tenon-compare " << TENON_VERSION << "\n";
    return 0;
  }
  if (arguments.second.empty())
    return wrongUsage("expected two builds of a model");
  if (!arguments.model.empty() &&
      (isModelFile(arguments.first) || isModelFile(arguments.second)))
    return wrongUsage("--model is for two artifacts: one of the two that are "
                      "compared is a model already");
  return std::nullopt;
}

//===- Arguments.cpp - the command line of tenon-compare -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "tenon/Support/Policy.h"
#include "llvm/Support/Path.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tenon;
using namespace tenon::compare;
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

static std::optional<int> parseOption(StringRef name, const std::string &value,
                                      Arguments &arguments) {
  if (name == "--input") {
    auto spec = artifact::parseInputSpec(value);
    if (!spec)
      return wrongUsage(name + ": " + spec.error());
    arguments.inputs.push_back(*spec);
    return std::nullopt;
  }
  if (name == "--rtol" || name == "--atol" || name == "--factor") {
    double number;
    if (StringRef(value).getAsDouble(number) || !(number >= 0) ||
        std::isinf(number))
      return wrongUsage(name +
                        " expects a number that is not negative, but got '" +
                        value + "'");
    CompareOptions &options = arguments.options;
    (name == "--rtol"   ? options.allowance.relative
     : name == "--atol" ? options.allowance.absolute
                        : options.factor) = number;
    return std::nullopt;
  }
  if (name == "--params") {
    StringRef text = value;
    uint64_t seed;
    arguments.paramsSeed.reset();
    arguments.paramsPath.clear();
    if (text.consume_front("random:") && !text.getAsInteger(10, seed))
      arguments.paramsSeed = seed;
    else if (StringRef(value).starts_with("@") && value.size() > 1)
      arguments.paramsPath = value.substr(1);
    else
      return wrongUsage("--params expects @FILE or random:SEED, but got '" +
                        value + "'");
    return std::nullopt;
  }
  if (name == "--precision") {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return wrongUsage("--precision expects " + kPrecisions + ", but got '" +
                        value + "'");
    arguments.options.unit = getRoundoff(*precision);
    return std::nullopt;
  }
  if (name == "--threads") {
    if (StringRef(value).getAsInteger(10, arguments.threads) ||
        arguments.threads == 0 || arguments.threads > 1024)
      return wrongUsage("--threads expects 1 to 1024, but got '" + value + "'");
    return std::nullopt;
  }
  if (value.empty())
    return wrongUsage(name + " expects a " +
                      (name == "--entry" ? "name" : "file name"));
  if (name == "--model") {
    if (!isModelFile(value))
      return wrongUsage("--model expects an .onnx, .mlir or .mlirbc file, but "
                        "got '" +
                        value + "'");
    arguments.model = value;
  } else if (name == "--entry") {
    arguments.entry = value;
  } else {
    (name == "--json" ? arguments.json : arguments.report) = value;
  }
  return std::nullopt;
}

std::optional<int>
tenon::compare::parseArguments(llvm::ArrayRef<const char *> list,
                               Arguments &arguments) {
  for (size_t i = 0; i < list.size(); ++i) {
    StringRef argument = list[i];
    if (argument == "--help" || argument == "-h") {
      llvm::outs() << helpText;
      return 0;
    }
    if (argument == "--version") {
      llvm::outs() << "tenon-compare " << TENON_VERSION << "\n";
      return 0;
    }
    if (!argument.starts_with("-")) {
      if (!arguments.second.empty())
        return wrongUsage("expected two builds, but got a third one: '" +
                          argument + "'");
      (arguments.first.empty() ? arguments.first : arguments.second) =
          argument.str();
      continue;
    }
    auto [name, value] = argument.split('=');
    static const char *const known[] = {
        "--model", "--input",  "--params",    "--entry",   "--rtol",  "--atol",
        "--json",  "--factor", "--precision", "--threads", "--report"};
    if (!llvm::is_contained(known, name))
      return wrongUsage("unknown option '" + name + "'");
    if (name == argument) {
      if (i + 1 == list.size())
        return wrongUsage(name + " needs a value");
      value = list[++i];
    }
    if (std::optional<int> status = parseOption(name, value.str(), arguments))
      return status;
  }
  if (arguments.second.empty())
    return wrongUsage("expected two builds of a model");
  if (!arguments.model.empty() &&
      (isModelFile(arguments.first) || isModelFile(arguments.second)))
    return wrongUsage("--model is for two artifacts: one of the two that are "
                      "compared is a model already");
  return std::nullopt;
}

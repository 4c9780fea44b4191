//===- CommandLine.cpp - the command line of tenon-interpret ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tenon/Driver/EmulateProgram.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tenon;
using llvm::StringRef;

static constexpr llvm::StringLiteral helpText =
    R"(Evaluates a model by what its ops mean.

usage: tenon-interpret MODEL.mlir|MODEL.onnx [options]

  --entry NAME          the public function to run (default: main, or the only one)
  --input [NAME=]@F.pb|@F.npy|random:SEED[:SHAPE][:DISTRIBUTION]
                        an input; without NAME: in order (repeatable).
                        DISTRIBUTION is normal, uniform(a,b) or int(a,b)
  --expect [NAME=]@F    compare an output with a file (repeatable)
  --rtol R, --atol A    an error is at most A + R * max|expected|
                        (default: 1e-3, 0)
  --output [NAME=]@F    write an output to a .npy or .pb file (repeatable)
  --params @F.safetensors|random:SEED
                        the weights (default: the file that the model names)
  --state @F.safetensors
                        what the states hold before the run (default: their
                        initial values)
  --save-state F.safetensors
                        write what they hold after it; may be the same file
  --domain D            f64 (default), f32 (rounds every operation), or
                        field:SEED (modulo 2^61 - 1)
  --naive               evaluate element by element: slow, the same results
  --emulate[=f32|tf32|strict]
                        run the GPU kernels of a placed module on the CPU and
                        check them (tenon-compile --target=cuda:sm_80
                        --stop-after=place writes one); tf32 and strict: as
                        --precision=tf32 and --fp=strict compile them
  --bind SYMBOL=SIZE    import an ONNX model with a dimension fixed to a size
  --bind NAME=@F        import an ONNX model with an input fixed to a tensor
  --threads N           (default: OMP_NUM_THREADS, else the number of cores)
  --version, --help

exit status: 0 success, 1 the model or a check failed, 2 wrong usage
)";

static int wrongUsage(const llvm::Twine &message) {
  llvm::errs() << "tenon-interpret: error: " << message
               << "\nsee tenon-interpret --help\n";
  return 2;
}

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

static std::optional<int> parseOption(StringRef name, const std::string &value,
                                      CommandLine &line) {
  if (name == "--input" || name == "--expect") {
    auto spec = artifact::parseInputSpec(value);
    if (!spec)
      return wrongUsage(name + ": " + spec.error());
    if (name == "--expect" && spec->path.empty())
      return wrongUsage("--expect needs a file, but got '" + value + "'");
    (name == "--input" ? line.inputs : line.expects).push_back(*spec);
    return std::nullopt;
  }
  if (name == "--rtol" || name == "--atol") {
    double number;
    if (StringRef(value).getAsDouble(number) || !(number >= 0) ||
        std::isinf(number))
      return wrongUsage(name +
                        " expects a number that is not negative, but "
                        "got '" +
                        value + "'");
    (name == "--rtol" ? line.tolerance.relative : line.tolerance.absolute) =
        number;
    return std::nullopt;
  }
  if (int64_t size;
      name == "--bind" &&
      !StringRef(value).rsplit('=').second.getAsInteger(10, size)) {
    StringRef symbol = StringRef(value).rsplit('=').first;
    auto [entry, isNew] = line.sizes.try_emplace(symbol.str(), size);
    if (symbol.empty() || size < 0 || entry->second != size)
      return wrongUsage("--bind expects one size of 0 or more for a dimension, "
                        "but got '" +
                        value + "'");
    return std::nullopt;
  }
  if (name == "--output" || name == "--bind") {
    std::pair<std::string, std::string> file;
    if (!parseNamedFile(value, file) ||
        (name == "--bind" && file.first.empty()))
      return wrongUsage(name + " expects " +
                        (name == "--bind" ? "SYMBOL=SIZE or " : "") +
                        "NAME=@FILE, but got '" + value + "'");
    (name == "--output" ? line.outputs : line.binds).push_back(file);
    return std::nullopt;
  }
  if (name == "--params") {
    StringRef text = value;
    uint64_t seed;
    if (text.consume_front("random:") && !text.getAsInteger(10, seed))
      line.paramsSeed = seed;
    else if (StringRef(value).starts_with("@") && value.size() > 1)
      line.paramsPath = value.substr(1);
    else
      return wrongUsage("--params expects @FILE or random:SEED, but got '" +
                        value + "'");
    return std::nullopt;
  }
  if (name == "--entry" || name == "--save-state") {
    if (value.empty())
      return wrongUsage(name + " needs a " +
                        (name == "--entry" ? "name" : "file"));
    (name == "--entry" ? line.entry : line.saveStatePath) = value;
    return std::nullopt;
  }
  if (name == "--state") {
    if (value.size() < 2 || value[0] != '@')
      return wrongUsage("--state expects @FILE, but got '" + value + "'");
    line.statePath = value.substr(1);
    return std::nullopt;
  }
  if (name == "--domain") {
    std::optional<interpret::Domain> domain = interpret::Domain::parse(value);
    if (!domain)
      return wrongUsage("--domain expects f64, f32 or field:SEED, but got '" +
                        value + "'");
    line.domain = *domain;
    return std::nullopt;
  }
  if (name == "--emulate") {
    line.emulate = parseEmulation(value);
    if (!line.emulate)
      return wrongUsage("--emulate expects f32, tf32 or strict, but got '" +
                        value + "'");
    return std::nullopt;
  }
  if (name == "--threads") {
    if (StringRef(value).getAsInteger(10, line.threads) || line.threads == 0 ||
        line.threads > 1024)
      return wrongUsage("--threads expects 1 to 1024, but got '" + value + "'");
    return std::nullopt;
  }
  return wrongUsage("unknown option '" + name + "'");
}

std::optional<int> parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                    CommandLine &line) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      llvm::outs() << helpText;
      return 0;
    }
    if (argument == "--version") {
      llvm::outs() << "tenon-interpret " << TENON_VERSION << "\n";
      return 0;
    }
    if (argument == "--naive") {
      line.naive = true;
      continue;
    }
    if (argument == "--emulate") {
      line.emulate = parseEmulation("f32");
      continue;
    }
    if (!argument.starts_with("-")) {
      if (!line.model.empty())
        return wrongUsage("more than one model: '" + line.model + "' and '" +
                          argument + "'");
      line.model = argument.str();
      continue;
    }
    auto [name, value] = argument.split('=');
    if (name == argument) {
      static const char *const known[] = {
          "--entry", "--input",      "--expect", "--rtol",
          "--atol",  "--output",     "--bind",   "--params",
          "--state", "--save-state", "--domain", "--threads"};
      if (!llvm::is_contained(known, name))
        return wrongUsage("unknown option '" + name + "'");
      if (i + 1 == arguments.size())
        return wrongUsage(name + " needs a value");
      value = arguments[++i];
    }
    if (std::optional<int> status = parseOption(name, value.str(), line))
      return status;
  }
  if (line.model.empty())
    return wrongUsage("no model is given");
  if (line.emulate &&
      (line.naive || line.domain.kind != interpret::Domain::Kind::F64))
    return wrongUsage("--emulate computes as a GPU does, in no other domain");
  if (!line.saveStatePath.empty() &&
      line.domain.kind == interpret::Domain::Kind::Field)
    return wrongUsage("--save-state writes numbers, and the domain field has "
                      "residues");
  return std::nullopt;
}

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

#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;
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
                        --stop-after=place writes one), as the module says, or
                        as --precision=f32, tf32 or --fp=strict compile them
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

/// --output.
static void addOutputs(artifact::OptionTable &table, CommandLine &line) {
  table.add("--output", [&line](std::string_view value) -> Status {
    std::pair<std::string, std::string> file;
    if (!parseNamedFile(value, file))
      return makeError("expected [NAME=]@FILE, but got '", value, "'");
    line.outputs.push_back(file);
    return Status::success();
  });
}

static void addFlags(artifact::OptionTable &table, CommandLine &line) {
  artifact::addSpecs(table, "--input", /*filesOnly=*/false, line.inputs);
  artifact::addSpecs(table, "--expect", /*filesOnly=*/true, line.expects);
  artifact::addTolerance(table, line.tolerance);
  artifact::addParams(table, line.paramsPath, line.paramsSeed);
  artifact::addFile(table, "--state", line.statePath);
  addOutputs(table, line);
  artifact::addBinds(table, line.sizes, line.binds);
  table.addText("--entry", line.entry, "a name");
  table.addText("--save-state", line.saveStatePath, "a file name");
  table.addNumber("--threads", line.threads, 1u, 1024u);
  table.addSwitch("--naive", line.naive);
  table.add("--domain", [&line](std::string_view value) -> Status {
    std::optional<interpret::Domain> domain = interpret::Domain::parse(value);
    if (!domain)
      return makeError("expected f64, f32 or field:SEED, but got '", value,
                       "'");
    line.domain = *domain;
    return Status::success();
  });
  table.addOptional("--emulate", [&line](std::string_view value) -> Status {
    line.emulatesAsPlaced = value.empty();
    line.emulate = parseEmulation(value.empty() ? "f32" : value);
    if (!line.emulate)
      return makeError("expected f32, tf32 or strict, but got '", value, "'");
    return Status::success();
  });
}

std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line) {
  artifact::OptionTable table;
  bool help = false, version = false;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, help);
  table.addSwitch("--version", version);
  addFlags(table, line);
  Status parsed = table.parse(argc, argv, [&](std::string_view name) -> Status {
    if (!line.model.empty())
      return makeError("expected one model, but got '", line.model, "' and '",
                       name, "'");
    line.model = name;
    return Status::success();
  });
  if (!parsed)
    return wrongUsage(parsed.error());
  if (help || version) {
    if (help)
      llvm::outs() << helpText;
    else
      llvm::outs() << "tenon-interpret " << TENON_VERSION << "\n";
    return 0;
  }
  if (line.model.empty())
    return wrongUsage("expected a model");
  if (line.emulate &&
      (line.naive || line.domain.kind != interpret::Domain::Kind::F64))
    return wrongUsage("--emulate computes as a GPU does, in no other domain");
  if (!line.saveStatePath.empty() &&
      line.domain.kind == interpret::Domain::Kind::Field)
    return wrongUsage("--save-state writes numbers, and the domain field has "
                      "residues");
  return std::nullopt;
}

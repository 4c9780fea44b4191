//===- Certificate.cpp - what was proved of an artifact -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Certificate.h"
#include "CompareRanks.h"
#include "tenon/Artifact/ArtifactLibrary.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Parallelize/CheckRanks.h"
#include "tenon/Support/File.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

std::string tenon::getDigest(StringRef text) {
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

RankMemoryLimit tenon::getMemoryLimit(ModuleOp module, pipe::MeshAttr mesh,
                                      ArrayRef<int64_t> devices) {
  RankMemoryLimit limit;
  if (mesh && !mesh.getMemoryBytes().empty())
    for (int64_t device : devices)
      limit.bytes.push_back(
          static_cast<uint64_t>(*mesh.getMemoryBytes(device)));
  auto countBytes = [](Value value) {
    return static_cast<uint64_t>(
        program::countBytes(program::getTensorType(value))
            .getConstant()
            .value_or(0));
  };
  for (auto ranks : module.getOps<program::RanksOp>()) {
    uint64_t bytes = 0;
    for (auto input : ranks.getBody().getOps<program::InputOp>())
      bytes += countBytes(input.getResult());
    for (auto output : ranks.getBody().getOps<program::OutputOp>())
      bytes += countBytes(output.getResult());
    limit.givenBytes = std::max(limit.givenBytes, bytes);
  }
  return limit;
}

RankMemoryLimit tenon::getMemoryLimit(pipe::ProgramOp program) {
  SmallVector<int64_t> devices;
  for (uint64_t rank = 0; rank < program.getRanks(); ++rank)
    devices.push_back(program.getDevice(static_cast<int64_t>(rank)));
  return getMemoryLimit(program->getParentOfType<ModuleOp>(),
                        program.getMesh().value_or(pipe::MeshAttr()), devices);
}

static std::string getError(const artifact::ArtifactLibrary &library) {
  const char *reason = library.lastError();
  return reason && *reason ? reason : "no reason was given";
}

static LogicalResult checkMemory(const artifact::ArtifactLibrary &library,
                                 const RankMemoryLimit &limit, Location loc,
                                 llvm::raw_ostream *os) {
  if (!library.planMemory)
    return emitError(loc) << "the library can't plan its memory: compile it "
                             "again";
  tenon_load_options options = {};
  options.struct_size = sizeof options;
  options.options.random_params = library.manifest.parametersFile.empty();
  // Weights in place, inputs and outputs are in the memory of hosts.
  bool isOnHost = !StringRef(library.manifest.target).starts_with("cuda");
  if (!isOnHost)
    options.channels = TENON_CHANNELS_NCCL;
  for (int32_t rank = 0; rank < library.manifest.ranks; ++rank) {
    tenon_memory_plan plan = {};
    plan.struct_size = sizeof plan;
    if (library.planMemory(&options, rank, &plan) != 0) {
      emitWarning(loc) << "the memory of ranks is not proved: "
                       << getError(library);
      return success();
    }
    uint64_t bytes = plan.bytes;
    std::string parts;
    if (isOnHost) {
      bytes += plan.in_place_bytes + limit.givenBytes;
      parts = (" (" + Twine(plan.bytes) + " that it allocates, " +
               Twine(plan.in_place_bytes) + " of weights in place, " +
               Twine(limit.givenBytes) + " of inputs and outputs)")
                  .str();
    }
    bool isKnown = static_cast<size_t>(rank) < limit.bytes.size();
    if (isKnown && bytes > limit.bytes[rank])
      return emitError(loc)
             << "rank " << rank << " needs " << bytes << " bytes" << parts
             << ", but its device has " << limit.bytes[rank];
    if (!os)
      continue;
    *os << "memory of rank " << rank << ": " << bytes << " bytes";
    if (isKnown)
      *os << " of " << limit.bytes[rank];
    if (plan.num_plugin_steps > 0)
      *os << ", beside what plug-ins have for themselves";
    *os << "\n";
  }
  return success();
}

LogicalResult tenon::checkMemory(const std::string &file,
                                 const RankMemoryLimit &limit, Location loc,
                                 llvm::raw_ostream *os) {
  artifact::Expected<artifact::ArtifactLibrary> library =
      artifact::ArtifactLibrary::open(file);
  if (!library)
    return emitError(loc) << library.error();
  return ::checkMemory(*library, limit, loc, os);
}

/// The module of a certificate, if it is the one that the artifact knows.
static OwningOpRef<ModuleOp>
readCertificate(const artifact::ArtifactLibrary &library,
                const std::string &file, MLIRContext &context) {
  Location loc = UnknownLoc::get(&context);
  const artifact::Manifest &manifest = library.manifest;
  if (manifest.ranks == 0) {
    emitError(loc) << "'" << file << "' is not a pipeline";
    return nullptr;
  }
  if (manifest.certificateFile.empty()) {
    emitError(loc) << "'" << file
                   << "' has no certificate: it was compiled from a module "
                      "without the plan";
    return nullptr;
  }
  SmallString<128> beside = path::parent_path(file);
  path::append(beside, manifest.certificateFile);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text =
      readInputFile(beside.str().str());
  if (!text) {
    emitError(loc) << llvm::toString(text.takeError());
    return nullptr;
  }
  if (getDigest((*text)->getBuffer()) != manifest.certificateDigest) {
    emitError(loc) << "'" << beside << "' is not the certificate of '" << file
                   << "': its SHA-256 is another one";
    return nullptr;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), {});
  return parseSourceFile<ModuleOp>(sources, &context);
}

LogicalResult tenon::checkArtifact(const std::string &file,
                                   MLIRContext &context,
                                   llvm::raw_ostream &os) {
  Location loc = UnknownLoc::get(&context);
  artifact::Expected<artifact::ArtifactLibrary> library =
      artifact::ArtifactLibrary::open(file);
  if (!library)
    return emitError(loc) << library.error();
  OwningOpRef<ModuleOp> module = readCertificate(*library, file, context);
  if (!module)
    return failure();
  pipe::ProgramOp program = pipe::getProgram(*module);
  if (!program)
    return emitError(loc) << "the certificate has no pipe.program";
  if (failed(parallelize::checkRanks(program)))
    return failure();
  os << "proved: the programs of " << program.getRanks()
     << " ranks end, and compute the model\n";
  os.flush(); // diagnostics go elsewhere
  if (!library->tables || library->version != TENON_ABI_VERSION)
    return emitError(loc) << "'" << file
                          << "': its tables have the ABI version "
                          << library->version << ", but this tool has "
                          << TENON_ABI_VERSION;
  const tenon_artifact &tables = *library->tables();
  for (const tenon_program *const *one = tables.programs; *one; ++one)
    if (std::optional<std::string> difference = compareRanks(*module, **one))
      return emitError(loc) << "'" << file << "' does not run what is proved ("
                            << (*one)->target << "): " << *difference;
  os << "the tables of the library are those of these programs\n";
  os.flush();
  return ::checkMemory(*library, getMemoryLimit(program), loc, &os);
}

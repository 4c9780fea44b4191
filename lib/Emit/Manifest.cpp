//===- Manifest.cpp - the manifest and the header of an artifact ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
#include "ConstantData.h"
#include "Thunks.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using graph::SymInt;
using llvm::json::OStream;

/// Writes a constant as a number, and an expression as text.
static void writeSize(OStream &json, const SymInt &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    json.value(*constant);
  else
    json.value(size.str());
}

template <typename Op> static void writeValue(OStream &json, Op value) {
  mlir::RankedTensorType type = program::getTensorType(value.getResult());
  json.attribute("name", llvm::json::fixUTF8(value.getName()));
  json.attribute("dtype",
                 artifact::dtypeName(*getDType(type.getElementType())));
  json.attributeArray("shape", [&] {
    for (const SymInt &size : graph::getShape(type)) {
      // Only sizes that a caller may choose have names.
      if (size.isConstant() || size.getSymbol())
        writeSize(json, size);
      else
        json.value(nullptr);
    }
  });
}

static llvm::SmallVector<llvm::StringRef> getFeatureNames(uint32_t features) {
  llvm::SmallVector<llvm::StringRef> names;
  const std::pair<uint32_t, llvm::StringRef> all[] = {
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  {TENON_CPU_##NAME, name},
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL) {TENON_CPU_##NAME, name},
#include "tenon/Artifact/Cpus.def"
  };
  for (const auto &[bit, name] : all)
    if (features & bit)
      names.push_back(name);
  return names;
}

/// Writes the plug-ins that the artifact opens, in the order of their first
/// steps.
static void writePlugins(OStream &json, const ProgramView &program) {
  llvm::SetVector<llvm::StringRef> seen;
  program.target->walk([&](PluginOp plugin) {
    if (seen.insert(plugin.getBackend()))
      json.object([&] {
        json.attribute("name", llvm::json::fixUTF8(plugin.getBackend()));
        json.attribute("file", llvm::json::fixUTF8(plugin.getFile()));
        json.attribute("version", llvm::json::fixUTF8(plugin.getVersion()));
      });
  });
}

static void writeStep(OStream &json, mlir::Operation *step, bool prepares,
                      Device device) {
  json.attribute("name", llvm::json::fixUTF8(getStepName(step)));
  llvm::TypeSwitch<mlir::Operation *>(step)
      .Case([&](LaunchOp launch) {
        json.attribute("backend", getName(device));
        json.attribute("kernel",
                       launch.getKernel().getLeafReference().getValue());
      })
      .Case([&](CallOp call) {
        json.attribute("backend", stringifyLibrary(call.getLibrary()));
        json.attribute("kernel", call.getPrimitive().getPrimitiveName());
      })
      .Case([&](PluginOp plugin) {
        json.attribute("backend", plugin.getBackend());
        json.attribute("kernel", plugin.getPattern());
      })
      .Case([&](CopyOp) { json.attribute("backend", "copy"); });
  if (prepares)
    json.attribute("prepare", true);
  SymInt flops = countFlops(step);
  if (flops != SymInt(0)) {
    json.attributeBegin("flops");
    writeSize(json, flops);
    json.attributeEnd();
  }
}

/// Writes the steps of an entry and, if requested, those of load.
static void writeSteps(OStream &json, const ProgramView &program,
                       const ProgramPart &entry, bool withPrepare) {
  json.attributeArray("steps", [&] {
    auto write = [&](const ProgramPart &part, bool prepares) {
      for (mlir::Operation *step : part.steps)
        json.object(
            [&] { writeStep(json, step, prepares, program.getDevice()); });
    };
    if (withPrepare)
      write(program.prepare, true);
    write(entry, false);
  });
}

/// Null if it depends on symbols.
static void writeBytes(OStream &json, llvm::StringRef name, int64_t bytes) {
  if (bytes < 0)
    json.attribute(name, nullptr);
  else
    json.attribute(name, bytes);
}

/// Returns the arena size of the entry that needs the largest one.
static int64_t getArenaBytes(const ProgramView &program) {
  int64_t bytes = 0;
  for (const ProgramPart *part : program.getParts()) {
    if (part->arenaBytes < 0)
      return -1;
    bytes = std::max(bytes, part->arenaBytes);
  }
  return bytes;
}

static void writeStorage(OStream &json, const ProgramView &program) {
  writeBytes(json, "arena_bytes", getArenaBytes(program));
  writeBytes(json, "prepared_bytes", program.preparedBytes);
  writeBytes(json, "constant_bytes", program.constantBytes);
}

static void writeFeatures(OStream &json, const ProgramView &program) {
  json.attributeArray("cpu_features", [&] {
    for (llvm::StringRef name : getFeatureNames(program.host.getFeatureBits()))
      json.value(name);
  });
}

/// Writes the members that differ between the programs of an artifact.
static void writeTarget(OStream &json, const ProgramView &program) {
  json.attribute("device", getName(program.getDevice()));
  writeFeatures(json, program);
  llvm::StringSet<> kernels;
  program.target->walk([&](LaunchOp launch) {
    kernels.insert(launch.getKernel().getLeafReference());
  });
  json.attribute("kernels", static_cast<int64_t>(kernels.size()));
  if (program.isForGpu())
    json.attributeArray("images", [&] {
      for (ImageAttr image : program.getImages())
        json.object([&] {
          json.attribute("arch", image.getArch());
          json.attribute("kind", image.getIsPtx() ? "ptx" : "cubin");
          json.attribute("bytes", static_cast<int64_t>(image.getData().size()));
        });
    });
  writeStorage(json, program);
  SymInt scratch = 0;
  for (const ProgramPart *part : program.getParts())
    scratch = SymInt::max(scratch, part->scratchBytes);
  writeBytes(json, "workspace_bytes", scratch.getConstant().value_or(-1));
}

/// Writes what callers of an entry need to know.
static void writeBoundary(OStream &json, const ProgramPart &entry) {
  json.attributeArray("symbols", [&] {
    for (const std::string &symbol : entry.symbols)
      json.value(llvm::json::fixUTF8(symbol));
  });
  json.attributeArray("inputs", [&] {
    for (InputOp input : entry.inputs)
      json.object([&] {
        writeValue(json, input);
        if (std::optional<uint32_t> donated = input.getDonates())
          json.attribute("donated_to", static_cast<int64_t>(*donated));
      });
  });
  json.attributeArray("outputs", [&] {
    for (OutputOp output : entry.outputs)
      json.object([&] { writeValue(json, output); });
  });
}

/// The states that callers see.
static llvm::SmallVector<StateOp> getStates(const ProgramView &program) {
  llvm::SmallVector<StateOp> states = program.states;
  llvm::erase_if(states, [](StateOp state) { return state.getTransient(); });
  return states;
}

static void writeEntries(OStream &json, const ProgramView &program) {
  json.attributeArray("entries", [&] {
    for (const ProgramPart &entry : program.getCalled())
      json.object([&] {
        json.attribute("name", llvm::json::fixUTF8(entry.name));
        writeBoundary(json, entry);
        // The steps of the first entry were written above.
        if (&entry != &program.entries.front())
          writeSteps(json, program, entry, /*withPrepare=*/false);
      });
  });
  if (program.states.empty())
    return;
  json.attributeArray("states", [&] {
    for (StateOp state : getStates(program))
      json.object([&] {
        writeValue(json, state);
        if (state.getSource())
          json.attribute(
              "parameter",
              llvm::json::fixUTF8(
                  state.getSource().getDefiningOp<ParameterOp>().getName()));
      });
  });
}

std::string tenon::emit::getManifest(llvm::ArrayRef<ProgramView> programs,
                                     kernel::TargetAttr target,
                                     const EmitOptions &options,
                                     llvm::StringRef name,
                                     llvm::StringRef paramsFile) {
  const ProgramView &program = programs.front();
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("name", llvm::json::fixUTF8(name));
    json.attribute("compiler", options.toolVersion);
    json.attribute("target", program.targetName);
    writeFeatures(json, program);
    json.attribute("fp", getName(target.getNumerics().fp));
    json.attribute("precision", getName(target.getNumerics().precision));
    writeBoundary(json, program.entries.front());
    json.attributeArray("parameters", [&] {
      for (ParameterOp param : program.params)
        json.object([&] { writeValue(json, param); });
    });
    if (!paramsFile.empty())
      json.attribute("parameters_file", llvm::json::fixUTF8(paramsFile));
    bool hasPlugins =
        program.target
            ->walk([](PluginOp) { return mlir::WalkResult::interrupt(); })
            .wasInterrupted();
    if (hasPlugins)
      json.attributeArray("plugins", [&] { writePlugins(json, program); });
    if (program.isOfRanks())
      json.attributeObject("pipeline", [&] {
        RanksOp ranks = program.entries.front().ranks;
        json.attribute("ranks", static_cast<int64_t>(ranks.getRanks().size()));
        const CertificateFile &certificate = options.certificate;
        if (certificate.name.empty())
          return;
        json.attribute("certificate_file",
                       llvm::json::fixUTF8(certificate.name));
        json.attribute("certificate_sha256", certificate.digest);
        if (!certificate.plan.empty()) {
          json.attributeBegin("plan");
          json.rawValue(certificate.plan);
          json.attributeEnd();
        }
      });
    writeStorage(json, program);
    writeSteps(json, program, program.entries.front(), /*withPrepare=*/true);
    writeEntries(json, program);
    json.attributeArray("targets", [&] {
      for (size_t i = 0; i < programs.size(); ++i)
        json.object([&] {
          json.attribute("target", programs[i].targetName);
          writeTarget(json, programs[i]);
          // The steps of the first program were written above.
          if (i > 0)
            writeSteps(json, programs[i], programs[i].entries.front(),
                       /*withPrepare=*/true);
        });
    });
  });
  return text;
}

static const char abiText[] = {
#include "AbiText.inc"
};

/// Makes a text safe for a C comment: replaces anything that could end it.
static std::string sanitize(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isPrint(c) && c != '*' && c != '\\' && c != '?' ? c : '_';
  return result;
}

template <typename Op> static std::string describe(Op value) {
  mlir::RankedTensorType type = program::getTensorType(value.getResult());
  std::string text;
  llvm::raw_string_ostream os(text);
  os << sanitize(value.getName()) << ": "
     << artifact::dtypeName(*getDType(type.getElementType())) << " [";
  llvm::interleaveComma(graph::getShape(type), os);
  os << "]";
  // Sizes may contain division and multiplication, which must not form "*/".
  for (size_t at; (at = text.find("*/")) != std::string::npos;)
    text.replace(at, 2, "* /");
  return text;
}

std::string tenon::emit::getHeader(llvm::ArrayRef<ProgramView> programs,
                                   const EmitOptions &options) {
  const ProgramView &program = programs.front();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Written by " << options.toolVersion << " for ";
  llvm::interleave(
      llvm::seq<size_t>(programs.size()),
      [&](size_t i) { os << programs[i].targetName; }, [&] { os << " and "; });
  os << ".";
  auto list = [&](const auto &values) {
    for (const auto &[position, value] : llvm::enumerate(values))
      os << " *   " << position << ": " << describe(value) << "\n";
  };
  bool isOnly = program.getCalled().size() == 1;
  for (const ProgramPart &entry : program.getCalled()) {
    if (isOnly)
      os << " The model's inputs:\n";
    else
      os << (&entry == &program.entries.front() ? "\n" : "") << " * Entry "
         << sanitize(entry.name) << ", its inputs:\n";
    list(entry.inputs);
    os << " * and its outputs:\n";
    list(entry.outputs);
    if (entry.symbols.empty())
      continue;
    os << " * Sizes that a caller chooses: ";
    llvm::interleaveComma(entry.symbols, os);
    os << "\n";
  }
  if (!program.states.empty()) {
    os << " * States:\n";
    list(getStates(program));
  }
  os << " */\n\n";
  os << renameFunctions(llvm::StringRef(abiText, sizeof(abiText)),
                        options.symbolPrefix);
  return text;
}

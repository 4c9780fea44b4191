//===- Manifest.cpp - what an artifact says of itself --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::backend;
using namespace tenon::lower;
using graph::SymInt;
using llvm::json::OStream;

/// A constant as a number, an expression as text.
static void writeSize(OStream &json, const SymInt &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    json.value(*constant);
  else
    json.value(size.str());
}

static void writeValue(OStream &json, const ModelValue &value) {
  json.attribute("name", llvm::json::fixUTF8(value.name));
  json.attribute("dtype",
                 artifact::dtypeName(*getDType(value.type.getElementType())));
  json.attributeArray("shape", [&] {
    for (const SymInt &size : graph::getShape(value.type)) {
      // Names are for what a caller may choose.
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
      {TENON_CPU_X86_64_V2, "x86-64-v2"},
      {TENON_CPU_X86_64_V3, "x86-64-v3"},
      {TENON_CPU_X86_64_V4, "x86-64-v4"},
      {TENON_CPU_AVX512_BF16, "avx512bf16"},
      {TENON_CPU_AVX512_FP16, "avx512fp16"}};
  for (const auto &[bit, name] : all)
    if (features & bit)
      names.push_back(name);
  return names;
}

/// The plug-ins that the artifact opens, in the order of their first steps.
static void writePlugins(OStream &json, const LoweredProgram &program) {
  llvm::SetVector<llvm::StringRef> seen;
  for (const Step &step : program.steps)
    if (step.kind == StepKind::Plugin && seen.insert(step.plugin.backend))
      json.object([&] {
        json.attribute("name", llvm::json::fixUTF8(step.plugin.backend));
        json.attribute("file", llvm::json::fixUTF8(step.plugin.file));
        json.attribute("version", llvm::json::fixUTF8(step.plugin.version));
      });
}

/// Averages with and without the padding have one name.
static llvm::StringRef getKernelName(SiteKind kind) {
  return stringifyPrimitive(kind == SiteKind::AvgPoolPadded ? SiteKind::AvgPool
                                                            : kind);
}

static void writeStep(OStream &json, const Step &step, bool prepares,
                      bool isForGpu) {
  json.attribute("name", llvm::json::fixUTF8(step.name));
  switch (step.kind) {
  case StepKind::Kernel:
    json.attribute("backend", isForGpu ? "cuda" : "cpu");
    json.attribute("kernel", step.kernel);
    break;
  case StepKind::Library:
    json.attribute("backend", stringifyLibrary(step.site.library));
    json.attribute("kernel", getKernelName(step.site.kind));
    break;
  case StepKind::Plugin:
    json.attribute("backend", step.plugin.backend);
    json.attribute("kernel", step.plugin.pattern);
    break;
  case StepKind::Copy:
    json.attribute("backend", "copy");
    break;
  }
  if (prepares)
    json.attribute("prepare", true);
  SymInt flops = countFlops(step);
  if (flops != SymInt(0)) {
    json.attributeBegin("flops");
    writeSize(json, flops);
    json.attributeEnd();
  }
}

static void writeSteps(OStream &json, const LoweredProgram &program) {
  json.attributeArray("steps", [&] {
    for (const auto &[position, step] : llvm::enumerate(program.steps))
      json.object([&, position = position, &step = step] {
        writeStep(json, step, position < program.numPrepareSteps,
                  program.isForGpu);
      });
  });
}

/// Null: it depends on symbols.
static void writeBytes(OStream &json, llvm::StringRef name, int64_t bytes) {
  if (bytes < 0)
    json.attribute(name, nullptr);
  else
    json.attribute(name, bytes);
}

static void writeStorage(OStream &json, const StoragePlan &storage) {
  writeBytes(json, "arena_bytes", storage.arenaBytes);
  writeBytes(json, "prepared_bytes", storage.preparedBytes);
  writeBytes(json, "constant_bytes", storage.constantBytes);
}

static std::string getTargetName(llvm::ArrayRef<LoweredProgram> programs,
                                 size_t position, const EmitOptions &options) {
  if (position < options.targetNames.size())
    return options.targetNames[position];
  if (!programs[position].isForGpu)
    return options.target.name;
  llvm::SmallVector<llvm::StringRef> archs;
  for (const GpuImage &image : programs[position].images)
    // Machine code and PTX of one architecture are one target.
    if (!llvm::is_contained(archs, image.arch))
      archs.push_back(image.arch);
  return "cuda:" + llvm::join(archs, ",");
}

/// What differs between the programs of an artifact.
static void writeTarget(OStream &json, const LoweredProgram &program,
                        const StoragePlan &storage) {
  json.attribute("device", program.isForGpu ? "cuda" : "cpu");
  llvm::StringSet<> kernels;
  for (const Step &step : program.steps)
    if (step.kind == StepKind::Kernel)
      kernels.insert(step.kernel);
  json.attribute("kernels", static_cast<int64_t>(kernels.size()));
  if (program.isForGpu)
    json.attributeArray("images", [&] {
      for (const GpuImage &image : program.images)
        json.object([&] {
          json.attribute("arch", image.arch);
          json.attribute("kind", image.isPtx ? "ptx" : "cubin");
          json.attribute("bytes", static_cast<int64_t>(image.bytes.size()));
        });
    });
  writeStorage(json, storage);
  writeBytes(json, "workspace_bytes",
             program.scratchBytes.getConstant().value_or(-1));
}

std::string tenon::emit::getManifest(llvm::ArrayRef<LoweredProgram> programs,
                                     llvm::ArrayRef<StoragePlan> storage,
                                     const EmitOptions &options,
                                     llvm::StringRef paramsFile) {
  const LoweredProgram &program = programs.front();
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("name", llvm::json::fixUTF8(program.name));
    json.attribute("compiler", options.toolVersion);
    json.attribute("target", getTargetName(programs, 0, options));
    json.attributeArray("cpu_features", [&] {
      for (llvm::StringRef name : getFeatureNames(options.target.cpuFeatures))
        json.value(name);
    });
    json.attribute("fp", getName(options.fp));
    json.attribute("precision", options.precision);
    json.attributeArray("symbols", [&] {
      for (const std::string &symbol : program.symbols)
        json.value(llvm::json::fixUTF8(symbol));
    });
    json.attributeArray("inputs", [&] {
      for (const auto &[position, input] : llvm::enumerate(program.inputs))
        json.object([&, position = position, &input = input] {
          writeValue(json, input);
          if (position < program.donations.size() &&
              program.donations[position] >= 0)
            json.attribute("donated_to", program.donations[position]);
        });
    });
    json.attributeArray("outputs", [&] {
      for (const ModelValue &output : program.outputs)
        json.object([&] { writeValue(json, output); });
    });
    json.attributeArray("parameters", [&] {
      for (const ModelValue &param : program.params)
        json.object([&] { writeValue(json, param); });
    });
    if (!paramsFile.empty())
      json.attribute("parameters_file", llvm::json::fixUTF8(paramsFile));
    if (llvm::any_of(program.steps, [](const Step &step) {
          return step.kind == StepKind::Plugin;
        }))
      json.attributeArray("plugins", [&] { writePlugins(json, program); });
    writeStorage(json, storage.front());
    writeSteps(json, program);
    json.attributeArray("targets", [&] {
      for (size_t i = 0; i < programs.size(); ++i)
        json.object([&] {
          json.attribute("target", getTargetName(programs, i, options));
          writeTarget(json, programs[i], storage[i]);
          // Those of the first stand above.
          if (i > 0)
            writeSteps(json, programs[i]);
        });
    });
  });
  return text;
}

static const char abiText[] = {
#include "AbiText.inc"
};

/// One line of a C comment: what could end the comment is replaced.
static std::string describe(const ModelValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (char c : value.name)
    os << (llvm::isPrint(c) && c != '*' && c != '\\' && c != '?' ? c : '_');
  os << ": " << artifact::dtypeName(*getDType(value.type.getElementType()))
     << " [";
  llvm::interleaveComma(graph::getShape(value.type), os);
  os << "]";
  return text;
}

std::string tenon::emit::getHeader(llvm::ArrayRef<LoweredProgram> programs,
                                   const EmitOptions &options) {
  const LoweredProgram &program = programs.front();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Written by " << options.toolVersion << " for ";
  llvm::interleave(
      llvm::seq<size_t>(programs.size()),
      [&](size_t i) { os << getTargetName(programs, i, options); },
      [&] { os << " and "; });
  os << ". The model's inputs:\n";
  auto list = [&](llvm::ArrayRef<ModelValue> values) {
    for (const auto &[position, value] : llvm::enumerate(values)) {
      std::string line = describe(value);
      // Sizes may divide and multiply: no "*/" may come of it.
      for (size_t at; (at = line.find("*/")) != std::string::npos;)
        line.replace(at, 2, "* /");
      os << " *   " << position << ": " << line << "\n";
    }
  };
  list(program.inputs);
  os << " * and its outputs:\n";
  list(program.outputs);
  if (!program.symbols.empty()) {
    os << " * Sizes that a caller chooses: ";
    llvm::interleaveComma(program.symbols, os);
    os << "\n";
  }
  os << " */\n\n";
  os.write(abiText, sizeof(abiText));
  return text;
}

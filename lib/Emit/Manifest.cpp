//===- Manifest.cpp - what an artifact says of itself --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
#include "tenon/Artifact/Program.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/SetVector.h"
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

static llvm::StringRef getKernelName(SiteKind kind) {
  switch (kind) {
  case SiteKind::Matmul:
    return "matmul";
  case SiteKind::Conv:
    return "conv";
  case SiteKind::ConvTranspose:
    return "conv_transpose";
  case SiteKind::MaxPool:
    return "max_pool";
  case SiteKind::AvgPool:
  case SiteKind::AvgPoolPadded:
    return "avg_pool";
  case SiteKind::Lrn:
    return "lrn";
  case SiteKind::Softmax:
    return "softmax";
  case SiteKind::LayerNorm:
    return "layer_norm";
  }
  llvm_unreachable("unknown kind of library call");
}

static void writeStep(OStream &json, const Step &step, bool prepares) {
  json.attribute("name", llvm::json::fixUTF8(step.name));
  switch (step.kind) {
  case StepKind::Kernel:
    json.attribute("backend", "cpu");
    json.attribute("kernel", step.kernel);
    break;
  case StepKind::Library:
    json.attribute("backend", step.site.library == SiteLibrary::Winograd
                                  ? tenon::kernel::kWinogradBackend
                                  : tenon::kernel::kOneDnnBackend);
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

std::string tenon::emit::getManifest(const LoweredProgram &program,
                                     const StoragePlan &storage,
                                     const EmitOptions &options,
                                     llvm::StringRef paramsFile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, 1);
  auto writeBytes = [&](llvm::StringRef name, int64_t bytes) {
    if (bytes < 0)
      json.attribute(name, nullptr);
    else
      json.attribute(name, bytes);
  };
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("name", llvm::json::fixUTF8(program.name));
    json.attribute("compiler", options.toolVersion);
    json.attribute("target", options.target.name);
    json.attributeArray("cpu_features", [&] {
      for (llvm::StringRef name : getFeatureNames(options.target.cpuFeatures))
        json.value(name);
    });
    json.attribute("fp", getName(options.fp));
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
    writeBytes("arena_bytes", storage.arenaBytes);
    writeBytes("prepared_bytes", storage.preparedBytes);
    writeBytes("constant_bytes", storage.constantBytes);
    json.attributeArray("steps", [&] {
      for (const auto &[position, step] : llvm::enumerate(program.steps))
        json.object([&, position = position, &step = step] {
          writeStep(json, step, position < program.numPrepareSteps);
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

std::string tenon::emit::getHeader(const LoweredProgram &program,
                                   const EmitOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Written by " << options.toolVersion << " for "
     << options.target.name << ". The model's inputs:\n";
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

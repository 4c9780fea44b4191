//===- Target.cpp - the CPU that code is generated for --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emit/Target.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace tenon;
using namespace tenon::emit;

static constexpr uint32_t levels[] = {TENON_CPU_X86_64_V2, TENON_CPU_X86_64_V3,
                                      TENON_CPU_X86_64_V4};

/// Sets the instruction set to x86-64-vN.
static void setLevel(Target &target, unsigned level) {
  target.cpu = "x86-64-v" + std::to_string(level);
  // LLVM has only generic timings for the levels.
  target.tuneCpu = target.cpu;
  target.vectorBits = level == 4 ? 512 : level == 3 ? 256 : 128;
  target.preferredBits = std::min(target.vectorBits, 256u);
  // Gathers and scatters that the vectorizer makes of strided accesses take
  // longer than loops without them, measured on an AMD EPYC, up to twice as
  // long.
  target.features = level == 4 ? "+prefer-no-gather,+prefer-no-scatter" : "";
  target.cpuFeatures = 0;
  for (unsigned below = 2; below <= level; ++below)
    target.cpuFeatures |= levels[below - 2];
}

/// Returns the target for this machine. The code uses only features that
/// cpu_features can express, so that a less capable machine refuses the
/// artifact instead of trapping.
static llvm::Expected<Target> getNativeTarget() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  auto has = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::all_of(
        names, [&](llvm::StringRef name) { return host.lookup(name); });
  };
  if (!has({"cx16", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}))
    return llvm::createStringError(
        "target cpu:native: expected a machine with x86-64-v2 or later");
  bool v3 = has({"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt", "movbe"});
  bool v4 =
      v3 && has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  Target target;
  target.name = "cpu:native";
  setLevel(target, v4 ? 4 : v3 ? 3 : 2);
  target.tuneCpu = llvm::sys::getHostCPUName().str();
  for (auto [name, bit] : {std::pair("avx512bf16", TENON_CPU_AVX512_BF16),
                           std::pair("avx512fp16", TENON_CPU_AVX512_FP16)})
    if (v4 && has({name})) {
      target.features += ",+" + std::string(name);
      target.cpuFeatures |= bit;
    }
  return target;
}

llvm::Expected<Target> tenon::emit::parseTarget(llvm::StringRef text) {
  if (text == "cpu:native")
    return getNativeTarget();
  llvm::StringRef level = text;
  unsigned number;
  if (level.consume_front("cpu:x86-64-v") && !level.getAsInteger(10, number) &&
      number >= 2 && number <= 4) {
    Target target;
    target.name = text.str();
    setLevel(target, number);
    return target;
  }
  return llvm::createStringError("expected the target cpu:x86-64-v2, "
                                 "cpu:x86-64-v3, cpu:x86-64-v4 or cpu:native, "
                                 "but got '" +
                                 text + "'");
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
tenon::emit::createTargetMachine(const Target &target, FpMode fp) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();

  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return llvm::createStringError("target '" + target.name + "': " + error);
  llvm::TargetOptions options;
  // Fusing a product and a sum, which rounds once instead of twice, counts as
  // reassociation. The flags of an operation allow it; index arithmetic is
  // never fused, because it selects elements.
  options.AllowFPOpFusion = fp == FpMode::Strict ? llvm::FPOpFusion::Strict
                                                 : llvm::FPOpFusion::Standard;
  options.FunctionSections = true;
  options.DataSections = true;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("target '" + target.name +
                                   "': LLVM has no code generator for it");
  return machine;
}

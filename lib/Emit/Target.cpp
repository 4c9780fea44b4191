//===- Target.cpp - LLVM's view of a CPU ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emit/Target.h"
#include "tenon/Artifact/Program.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace tenon;
using namespace tenon::emit;

llvm::StringRef tenon::emit::getTuneCpu(kernel::CpuAttr cpu) {
  // LLVM has only generic timings for the levels.
  return cpu.getTune().empty() ? cpu.getLevel() : cpu.getTune();
}

std::string tenon::emit::getFeatures(kernel::CpuAttr cpu) {
  std::string features = cpu.getLLVMFeatures();
  // Gathers and scatters that the vectorizer makes of strided accesses take
  // longer than loops without them, measured on an AMD EPYC, up to twice as
  // long.
  if (cpu.getFeatureBits() & TENON_CPU_X86_64_V4)
    return "+prefer-no-gather,+prefer-no-scatter" +
           (features.empty() ? "" : "," + features);
  return features;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
tenon::emit::createTargetMachine(kernel::CpuAttr cpu, FpMode fp) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();

  llvm::Triple triple(cpu.getTriple());
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return llvm::createStringError("target '" + cpu.getTargetName() +
                                   "': " + error);
  llvm::TargetOptions options;
  // Fusing a product and a sum, which rounds once instead of twice, counts as
  // reassociation. The flags of an operation allow it; index arithmetic is
  // never fused, because it selects elements.
  options.AllowFPOpFusion = fp == FpMode::Strict ? llvm::FPOpFusion::Strict
                                                 : llvm::FPOpFusion::Standard;
  options.FunctionSections = true;
  options.DataSections = true;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, cpu.getLevel(), getFeatures(cpu), options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("target '" + cpu.getTargetName() +
                                   "': LLVM has no code generator for it");
  return machine;
}

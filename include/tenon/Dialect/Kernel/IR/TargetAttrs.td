//===- TargetAttrs.td - the kernel dialect and its targets ----*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_KERNEL_TARGET_ATTRS_TD
#define TENON_KERNEL_TARGET_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/Interfaces.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::tenon::kernel";
  let summary = "subgraphs, each of which a backend runs";
  let description = [{
    A placed module is a function whose body is made of `kernel.call`s. Each
    keeps the graph that it stands for as its region, so that a placed module
    can still be interpreted, checked and printed.

    The attribute `kernel.target` of a module says what it is compiled for.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

def Kernel_DeviceTarget : AttrInterface<"DeviceTarget"> {
  let cppNamespace = "::tenon::kernel";
  let description = [{
    A device that code is generated for.
  }];
  let methods = [
    InterfaceMethod<"The kind of device.", "::tenon::Device", "getDevice">,
    InterfaceMethod<[{
      The name on command lines and in artifacts, such as `cpu:x86-64-v3`.
    }], "::std::string", "getTargetName">,
    InterfaceMethod<[{
      The profile that predicts its costs if no other is named.
    }], "::llvm::StringRef", "getProfileName">
  ];
}

def Kernel_CpuAttr : AttrDef<Kernel_Dialect, "Cpu",
    [DeclareAttrInterfaceMethods<Kernel_DeviceTarget>]> {
  let mnemonic = "cpu";
  let summary = "a CPU";
  let description = [{
    The level of its instruction set; `features`: what it has beyond it;
    `vector_bits`: the widest vectors of generated loops, by default the widest
    ones of the level; `tune`: LLVM's name of the processor whose timings are
    used; `triple`: by default `"x86_64-unknown-linux-gnu"`, and no other one is
    supported. Levels and features are those of tenon/Artifact/Cpus.def.

    Examples: `#kernel.cpu<"x86-64-v3">`,
    `#kernel.cpu<"x86-64-v4", features = ["avx512bf16"], vector_bits = 256, tune = "znver4">`
  }];
  let parameters = (ins StringRefParameter<"such as x86-64-v3">:$level,
                        ArrayRefParameter<"::mlir::StringAttr">:$features,
                        "unsigned":$vectorBits,
                        StringRefParameter<"empty: that of the level">:$tune,
                        StringRefParameter<"LLVM's triple">:$triple);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$level,
      CArg<"::llvm::ArrayRef<::mlir::StringAttr>", "{}">:$features,
      CArg<"::llvm::StringRef", "{}">:$tune)>];
  let extraClassDeclaration = [{
    /// TENON_CPU_* bits: what a machine must have to run the code.
    uint32_t getFeatureBits() const;
    /// LLVM's options of the features beyond the level, such as "+avx512bf16".
    ::std::string getLLVMFeatures() const;
  }];
}

def Kernel_CudaAttr : AttrDef<Kernel_Dialect, "Cuda",
    [DeclareAttrInterfaceMethods<Kernel_DeviceTarget>]> {
  let mnemonic = "cuda";
  let summary = "an architecture of NVIDIA GPUs";
  let description = [{
    One of tenon/Dialect/Kernel/IR/Gpus.def.

    Example: `#kernel.cuda<"sm_90">`
  }];
  let parameters = (ins StringRefParameter<"such as sm_90">:$arch);
  let assemblyFormat = "`<` $arch `>`";
  let genVerifyDecl = 1;
}

def Kernel_NumericsAttr : AttrDef<Kernel_Dialect, "Numerics"> {
  let mnemonic = "numerics";
  let summary = "what may be done to numbers";
  let description = [{
    The floating-point mode, and what f32 tensors are computed and stored in
    (tenon/Support/Numerics.h).

    Example: `#kernel.numerics<fp = reassociate, precision = f32>`
  }];
  let parameters = (ins "::tenon::FpMode":$fp, "::tenon::Precision":$precision);
  let hasCustomAssemblyFormat = 1;
}

def Kernel_TargetAttr : AttrDef<Kernel_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "what a module is compiled for";
  let description = [{
    A list of devices, and what may be done to numbers. An artifact has a program
    for each kind of device, that of the first one by default; all GPUs share
    one, and of several CPUs each has code of its own, of which a machine runs
    the most demanding one that it can. The first CPU also runs the code that all
    programs share; without one, it is `#kernel.cpu<"x86-64-v3">`.

    Constraints:

    1. There is a device, and each of them once.
    2. Each CPU has all of the first one.
    3. The precision `tf32` has a GPU.

    Example:

    ```mlir
    module attributes {
      kernel.target = #kernel.target<
          [#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">, #kernel.cuda<"sm_90">],
          #kernel.numerics<fp = strict, precision = f32>>
    } {
    }
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::tenon::kernel::DeviceTarget">:$devices,
                        "::tenon::kernel::NumericsAttr":$numericsAttr);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins
      "::llvm::ArrayRef<::tenon::kernel::DeviceTarget>":$devices,
      "::tenon::Numerics":$numerics)>];
  let extraClassDeclaration = [{
    ::tenon::Numerics getNumerics() const;
    /// The kind of the first device.
    ::tenon::Device getDevice() const;
    bool isForGpu() const { return getDevice() == ::tenon::Device::Cuda; }
    ::llvm::SmallVector<CpuAttr, 4> getCpus() const;
    ::llvm::SmallVector<CudaAttr, 4> getGpus() const;
    /// The CPU of what all programs share.
    CpuAttr getHost() const;
    /// The targets of the programs of an artifact, the default one first: one
    /// for each kind of device. CPUs do not round factors.
    ::llvm::SmallVector<TargetAttr, 4> getUnits() const;
  }];
}

#endif // TENON_KERNEL_TARGET_ATTRS_TD

//===- RefusalTest.cpp - programs that are not emitted --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "tenon/Emit/Emit.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;

static std::string
emitAndExpectError(llvm::ArrayRef<std::string> targets,
                   llvm::function_ref<void(mlir::ModuleOp)> change = nullptr) {
  TestFolder folder;
  std::string message;
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(targets);
  if (!module)
    return message;
  if (change)
    change(*module);
  mlir::ScopedDiagnosticHandler handler(&getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EmitOptions options;
  EXPECT_TRUE(failed(emitObjectFile(*module, options, folder / "m.o")));
  EXPECT_EQ(readText(folder / "m.o"), "");
  EXPECT_EQ(readText(folder / "m.h"), "");
  return message;
}

static const char pluginStep[] = R"(
      program.plugin "p" "mine" "relu"(%x, %y) file "libmine.so" version "1"
        hash 7 items(1) lifted [false, false] constant [false, false] results 1
        : tensor<16xf32>, tensor<16xTYPE>)";

TEST(Refusal, BadLaunchesAreRefused) {
  std::string text = makeTwoStepsOnGpu(16);
  size_t begin = text.find("attributes {"), end = text.find("]}", begin);
  EXPECT_EQ(emitAndExpectError(text.substr(0, begin) + text.substr(end + 2)),
            "step 'graph.add': no GPU image contains its kernel");
  EXPECT_EQ(emitAndExpectError(substitute(
                substitute(makeTwoStepsOnGpu(16), "live 0 to 1", "live 0 to 2"),
                "    program.run {",
                "    program.run {" + substitute(pluginStep, "TYPE", "f32"))),
            "step 'p': plug-ins have no code for a GPU");
  auto launchOther = [](llvm::StringRef other) {
    return substitute(
        substitute(makeTwoSteps(16), "@kernels::@scale", "@kernels::@other"),
        "llvm.func @scale", other.str() + "\nllvm.func @scale");
  };
  EXPECT_EQ(emitAndExpectError(launchOther("  llvm.func @other()")),
            "step 'graph.scale': kernel 'other' is not defined");
  EXPECT_EQ(emitAndExpectError(
                launchOther("  llvm.func @other() {\n    llvm.return\n  }")),
            "step 'graph.scale': kernel 'other' does not have the type of "
            "tenon_kernel_fn");
}

TEST(Refusal, ProgramsThatDifferAreRefused) {
  EXPECT_EQ(emitAndExpectError({makeTwoSteps(16), makeTwoSteps(16)}),
            "an artifact has at most one program for cpu:x86-64-v3");
  EXPECT_EQ(emitAndExpectError({makeTwoSteps(16), makeTwoStepsOnGpu(24)}),
            "targets of one artifact: input 'x' is not the same for all");
  EXPECT_EQ(emitAndExpectError(
                {makeTwoSteps(16),
                 substitute(makeTwoStepsOnGpu(16), "tensor<16xf32>\n    %t",
                            "tensor<16xf32> donates 0\n    %t")}),
            "targets of one artifact: donations are not the same for all");
  EXPECT_EQ(
      emitAndExpectError({makeTwoSteps(16), substitute(makeTwoStepsOnGpu(16),
                                                       "@main", "@other")}),
      "targets of one artifact: expected the entry 'main', but got "
      "'other'");
  std::string more = "  program.entry @more {\n    program.run {\n    }\n  }\n";
  EXPECT_EQ(emitAndExpectError(
                {makeTwoSteps(16),
                 substitute(makeTwoStepsOnGpu(16), "  program.entry @main",
                            more + "  program.entry @main")}),
            "targets of one artifact: expected 1 entries of each, but got 2");
  auto add = [](const std::string &target, llvm::StringRef buffer) {
    return substitute(target, "  %plus =", buffer.str() + "\n  %plus =");
  };
  std::string state = "  %s = program.state \"s\" : tensor<2xf32>";
  EXPECT_EQ(
      emitAndExpectError({add(makeTwoSteps(16), state), makeTwoStepsOnGpu(16)}),
      "targets of one artifact: expected 1 states of each, but got 0");
  EXPECT_EQ(emitAndExpectError(
                {add(makeTwoSteps(16), state),
                 add(makeTwoStepsOnGpu(16), substitute(state, "<2x", "<3x"))}),
            "targets of one artifact: state 's' is not the same for all");
  std::string param = "  %w = program.parameter \"w\" : tensor<2xf32>";
  EXPECT_EQ(emitAndExpectError(
                {add(makeTwoSteps(16), param),
                 add(makeTwoStepsOnGpu(16), substitute(param, "<2x", "<3x"))}),
            "targets of one artifact: parameter 'w' is not the same for all");
}

TEST(Refusal, BadProgramsAreRefused) {
  EXPECT_EQ(emitAndExpectError(llvm::ArrayRef<std::string>()),
            "there is no program to emit");
  EXPECT_EQ(emitAndExpectError(std::string("program.target cpu {\n}\n")),
            "a target has no entry");
  EXPECT_EQ(emitAndExpectError(addStep(16, "      %c = llvm.mlir.zero : i32")),
            "the runtime does not support the step 'llvm.mlir.zero' yet");
  // Types that the dialects know, and the C ABI does not.
  EXPECT_EQ(
      emitAndExpectError(substitute(makeTwoSteps(16), "\"x\" : tensor<16xf32>",
                                    "\"x\" : tensor<16xi16>")),
      "input 'x' has an element type that the C ABI has no name for");
  EXPECT_EQ(
      emitAndExpectError(substitute(makeTwoSteps(16), "\"y\" : tensor<16xf32>",
                                    "\"y\" : tensor<16xf8E4M3FN>")),
      "output 'y' has an element type that the C ABI has no name for");
  EXPECT_EQ(emitAndExpectError(substitute(makeTwoEntries(), "tensor<2xi64>",
                                          "tensor<2xui16>")),
            "state 'z' has an element type that the C ABI has no name for");
  EXPECT_EQ(emitAndExpectError(substitute(makeWithParameter(),
                                          "\"w\" : tensor<4xf32>",
                                          "\"w\" : tensor<4xi4>")),
            "parameter 'w' has an element type that the C ABI has no name for");
  EXPECT_EQ(
      emitAndExpectError(addStep(16, substitute(pluginStep, "TYPE", "i16"))),
      "step 'p': an operand has an element type without a name in the C "
      "ABI");
  EXPECT_EQ(emitAndExpectError(substitute(makeTwoSteps(16),
                                          "dense<2.0> : tensor<1xf32>",
                                          "dense<2> : tensor<1xi16>")),
            "constant has an element type without a form in memory");
  EXPECT_EQ(emitAndExpectError(addStep(16, R"(
      program.call "s" onednn #program.softmax(%x, %y)
        : tensor<?xf32>, tensor<16xf32>)")),
            "call_sizes_2: size is unknown; expected an expression over the "
            "model's dimension symbols");
}

TEST(Refusal, ConstantsAreWhole) {
  auto emitWith = [](mlir::DenseResourceElementsHandle handle) {
    auto type =
        mlir::RankedTensorType::get({2}, mlir::Float32Type::get(&getContext()));
    return emitAndExpectError(makeTwoSteps(16), [&](mlir::ModuleOp module) {
      module->walk([&](program::ConstantOp constant) {
        constant.setValueAttr(
            mlir::DenseResourceElementsAttr::get(type, handle));
      });
    });
  };
  auto &manager =
      mlir::DenseResourceElementsHandle::getManagerInterface(&getContext());
  EXPECT_EQ(emitWith(manager.insert("none")),
            "constant's resource 'none' has no data");
  EXPECT_EQ(emitWith(manager.insert(
                "few", mlir::UnmanagedAsmResourceBlob::allocateInferAlign(
                           llvm::ArrayRef<float>(1.0f)))),
            "constant holds 4 bytes; expected 8");
}

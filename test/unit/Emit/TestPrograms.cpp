//===- TestPrograms.cpp - programs built by hand -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace tenon;
using namespace tenon::lower;
using graph::SymInt;

mlir::MLIRContext &emit::test::getContext() {
  static mlir::MLIRContext context;
  context.loadDialect<graph::GraphDialect, mlir::LLVM::LLVMDialect>();
  return context;
}

/// buffers[last][i] = buffers[0][i] OP buffers[1][i or 0], for i in [lo, hi).
static std::string binaryKernel(llvm::StringRef name, llvm::StringRef op,
                                bool scalar) {
  std::string index = scalar ? "%zero" : "%i";
  return "llvm.func @" + name.str() + R"(
      (%symbols: !llvm.ptr, %buffers: !llvm.ptr, %scratch: !llvm.ptr,
       %lo: i64, %hi: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %zero = llvm.mlir.constant(0 : i64) : i64
    %a1 = llvm.getelementptr %buffers[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %a2 = llvm.getelementptr %buffers[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %b0 = llvm.load %buffers : !llvm.ptr -> !llvm.ptr
    %b1 = llvm.load %a1 : !llvm.ptr -> !llvm.ptr
    %b2 = llvm.load %a2 : !llvm.ptr -> !llvm.ptr
    llvm.br ^head(%lo : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %hi : i64
    llvm.cond_br %more, ^body, ^exit
  ^body:
    %p0 = llvm.getelementptr %b0[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p1 = llvm.getelementptr %b1[)" +
         index + R"(] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p2 = llvm.getelementptr %b2[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %p0 : !llvm.ptr -> f32
    %y = llvm.load %p1 : !llvm.ptr -> f32
    %z = llvm.)" +
         op.str() + R"( %x, %y : f32
    llvm.store %z, %p2 : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^exit:
    llvm.return
  }
)";
}

static mlir::RankedTensorType floats(const SymInt &size) {
  return graph::getTensorType(
      {size}, mlir::Float32Type::get(&emit::test::getContext()));
}

static Buffer scalar(float value) {
  Buffer buffer;
  buffer.kind = BufferKind::Constant;
  buffer.data = mlir::DenseElementsAttr::get(
      mlir::cast<mlir::ShapedType>(floats(1)), value);
  buffer.bytes = 4;
  return buffer;
}

static Buffer storage(BufferKind kind, const SymInt &bytes, unsigned first = 0,
                      unsigned last = 0) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.bytes = bytes;
  buffer.firstStep = first;
  buffer.lastStep = last;
  return buffer;
}

static Step kernelStep(llvm::StringRef kernel, llvm::ArrayRef<unsigned> buffers,
                       const SymInt &extent) {
  Step step;
  step.name = "graph." + kernel.str();
  step.kernel = kernel.str();
  step.buffers.append(buffers.begin(), buffers.end());
  step.extent = extent;
  step.grain = 4;
  return step;
}

static void parseKernels(LoweredProgram &program, llvm::StringRef text) {
  program.kernels =
      mlir::parseSourceString<mlir::ModuleOp>(text, &emit::test::getContext());
}

LoweredProgram emit::test::makeTwoSteps(const SymInt &size, float constant) {
  LoweredProgram program;
  program.name = "two_steps";
  parseKernels(program, binaryKernel("add", "fadd", true) +
                            binaryKernel("scale", "fmul", true));
  size.visitSymbols([&](llvm::StringRef symbol) {
    if (!llvm::is_contained(program.symbols, symbol))
      program.symbols.push_back(symbol.str());
  });
  program.inputs = {{"x", floats(size)}};
  program.outputs = {{"y", floats(size)}};
  program.donations = {-1};
  SymInt bytes = SymInt(4) * size;
  program.buffers = {storage(BufferKind::Input, bytes), scalar(constant),
                     storage(BufferKind::Arena, bytes, 0, 1), scalar(2),
                     storage(BufferKind::Output, bytes)};
  program.steps = {kernelStep("add", {0, 1, 2}, size),
                   kernelStep("scale", {2, 3, 4}, size)};
  return program;
}

LoweredProgram emit::test::makeTwoStepsOnGpu(const SymInt &size) {
  LoweredProgram program = makeTwoSteps(size);
  program.isForGpu = true;
  // What is left of the kernels must not be looked at.
  parseKernels(program, "llvm.func @add()");
  program.steps[0].kernel = "add_one";
  program.steps[0].buffers = {0, 2};
  program.steps[1].kernel = "twice_through_workspace";
  program.steps[1].buffers = {2, 4};
  for (Step &step : program.steps) {
    step.extent = size.ceilDiv(SymInt(8));
    step.blockThreads = 8;
  }
  program.steps[1].sharedBytes = 64;
  program.scratchBytes = SymInt(4) * size;
  unsigned numSymbols = program.symbols.size();
  std::string image = "add_one " + std::to_string(3 + numSymbols) +
                      "\ntwice_through_workspace " +
                      std::to_string(3 + numSymbols) + "\n";
  program.images = {{"sm_80", false, image + "\n"},
                    {"sm_80", true, image},
                    {"sm_90", true, image}};
  return program;
}

LoweredProgram emit::test::makeWithParameter() {
  LoweredProgram program;
  program.name = "with_parameter";
  parseKernels(program, binaryKernel("add", "fadd", false));
  program.inputs = {{"x", floats(4)}};
  program.params = {{"w", floats(4)}};
  program.outputs = {{"y", floats(4)}};
  program.buffers = {storage(BufferKind::Input, 16),
                     storage(BufferKind::Param, 16),
                     storage(BufferKind::Output, 16)};
  program.steps = {kernelStep("add", {0, 1, 2}, 4)};
  return program;
}

emit::test::TestFolder::TestFolder() {
  llvm::SmallString<128> folder;
  if (!llvm::sys::fs::createUniqueDirectory("tenon-emit-test", folder))
    path = folder.str().str();
}

emit::test::TestFolder::~TestFolder() {
  llvm::sys::fs::remove_directories(path);
}

std::string emit::test::TestFolder::operator/(llvm::StringRef name) const {
  return path + "/" + name.str();
}

std::string emit::test::readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

int emit::test::run(llvm::StringRef program,
                    llvm::ArrayRef<std::string> arguments) {
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(program);
  if (!found)
    return -1;
  llvm::SmallVector<llvm::StringRef> command = {*found};
  command.append(arguments.begin(), arguments.end());
  return llvm::sys::ExecuteAndWait(*found, command);
}

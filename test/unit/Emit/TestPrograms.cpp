//===- TestPrograms.cpp - programs built by hand -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "tenon/Dialect/Kernel/IR/Targets.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tenon;
using emit::test::substitute;
using graph::SymInt;

mlir::MLIRContext &emit::test::getContext() {
  static mlir::MLIRContext context;
  context.loadDialect<graph::GraphDialect, mlir::LLVM::LLVMDialect,
                      program::ProgramDialect>();
  return context;
}

mlir::OwningOpRef<mlir::ModuleOp>
emit::test::parse(llvm::ArrayRef<std::string> targets, llvm::StringRef name,
                  llvm::StringRef devices) {
  std::string text = "module @" + name.str() + " {\n";
  for (const std::string &target : targets)
    text += target;
  text += "}\n";
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &emit::test::getContext());
  EXPECT_TRUE(module) << text;
  if (module)
    kernel::setTarget(*module,
                      kernel::makeTarget(&emit::test::getContext(), devices));
  return module;
}

std::string emit::test::substitute(std::string text, llvm::StringRef from,
                                   llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str() << " in\n" << text;
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string emit::test::getFloats(const SymInt &size) {
  std::string text;
  llvm::raw_string_ostream(text) << graph::getTensorType(
      {size}, mlir::Float32Type::get(&emit::test::getContext()));
  return text;
}

/// buffers[2][i] = buffers[0][i] OP buffers[1][i or 0], for i in [lo, hi).
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

std::string emit::test::getKernels() {
  return "  builtin.module @kernels {\n" + binaryKernel("add", "fadd", true) +
         binaryKernel("scale", "fmul", true) +
         binaryKernel("sum", "fadd", false) + "  }\n";
}

/// The names of its symbols, as an entry lists them, and how many they are.
static std::string listSymbols(const SymInt &size, unsigned &count) {
  llvm::SmallVector<std::string> symbols;
  size.visitSymbols([&](llvm::StringRef symbol) {
    if (!llvm::is_contained(symbols, symbol))
      symbols.push_back(symbol.str());
  });
  count = symbols.size();
  std::string text;
  for (const std::string &symbol : symbols)
    text += (text.empty() ? "symbols [\"" : ", \"") + symbol + "\"";
  return text.empty() ? text : text + "]";
}

/// A target of one entry, which has the buffers of `makeTwoSteps`.
static std::string makeTarget(llvm::StringRef head, const SymInt &size,
                              float constant, llvm::StringRef scratch,
                              llvm::StringRef steps, llvm::StringRef kernels) {
  unsigned unused;
  std::string text = substitute(R"(
program.target HEAD {
  %plus = program.constant dense<VALUE> : tensor<1xf32>
  %times = program.constant dense<2.0> : tensor<1xf32>
  program.entry @main SYMBOLS SCRATCH {
    %x = program.input "x" : TYPE
    %t = program.arena : TYPE live 0 to 1 PLACE
    %y = program.output "y" : TYPE
    program.run {
STEPS
    }
  }
KERNELS
}
)",
                                "HEAD", head);
  std::string value = llvm::formatv("{0:e}", constant);
  text = substitute(text, "VALUE", value);
  text = substitute(text, "SYMBOLS", listSymbols(size, unused));
  text = substitute(text, "SCRATCH", scratch);
  text = substitute(text, "TYPE", emit::test::getFloats(size));
  text = substitute(text, "PLACE", size.isConstant() ? "at 0" : "");
  text = substitute(text, "STEPS", steps);
  return substitute(text, "KERNELS", kernels);
}

std::string emit::test::makeTwoSteps(const SymInt &size, float constant) {
  std::string steps = R"(
      program.launch "graph.add" @kernels::@add(%x, %plus, %t)
        extent(EXTENT) grain 4
      program.launch "graph.scale" @kernels::@scale(%t, %times, %y)
        extent(EXTENT) grain 4)";
  return makeTarget("cpu", size, constant, "",
                    substitute(steps, "EXTENT", size.str()), getKernels());
}

std::string emit::test::addStep(const SymInt &size, llvm::StringRef step) {
  return substitute(makeTwoSteps(size), "\n    }\n  }\n",
                    "\n" + step.str() + "\n    }\n  }\n");
}

std::string emit::test::makeTwoStepsOnGpu(const SymInt &size) {
  unsigned numSymbols;
  listSymbols(size, numSymbols);
  std::string numbers = std::to_string(3 + numSymbols) + "\\0A";
  std::string image =
      "add_one " + numbers + "twice_through_workspace " + numbers;
  std::string head = R"(cuda attributes {images = [
    #program.image<"sm_80" cubin "IMAGE\0A">,
    #program.image<"sm_80" ptx "IMAGE">,
    #program.image<"sm_90" ptx "IMAGE">]})";
  std::string steps = R"(
      program.launch "graph.add" @kernels::@add_one(%x, %t)
        extent(EXTENT) block 8
      program.launch "graph.scale" @kernels::@twice_through_workspace(%t, %y)
        extent(EXTENT) block 8 shared 64)";
  // What is left of the kernels must not be looked at.
  return makeTarget(substitute(head, "IMAGE", image), size, 1,
                    "scratch(" + (SymInt(4) * size).str() + ")",
                    substitute(steps, "EXTENT", size.ceilDiv(SymInt(8)).str()),
                    R"(
  builtin.module @kernels {
    llvm.func @add_one()
    llvm.func @twice_through_workspace()
  })");
}

std::string emit::test::makeWithParameter() {
  return R"(
program.target cpu {
  %w = program.parameter "w" : tensor<4xf32>
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      program.launch "graph.add" @kernels::@sum(%x, %w, %y) extent(4) grain 4
    }
  }
)" + getKernels() +
         "}\n";
}

std::string emit::test::makeTwoEntries() {
  return R"(
program.target cpu {
  %w = program.parameter "w" : tensor<1xf32>
  %s = program.state "s" : tensor<1xf32> = dense<3.0> : tensor<1xf32>
  %zeros = program.state "z" : tensor<2xi64>
  %ten = program.constant dense<10.0> : tensor<1xf32>
  %p = program.prepared : tensor<1xf32>
  program.prepare {
    %q = program.arena : tensor<1xf32> live 0 to 1 at 0
    program.launch "graph.mul" @kernels::@scale(%w, %ten, %q) extent(1)
    program.copy "copy to p" %q to %p
  }
  program.entry @step symbols ["n"] {
    %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
    %t = program.arena : tensor<?xf32, #graph.dims<n>> live 0 to 1
      holds "m.mlir:2:3 graph.add"
    %y = program.output "y" : tensor<?xf32, #graph.dims<n>>
    program.run {
      program.launch "graph.add" @kernels::@add(%x, %s, %t) extent(n)
      program.copy "copy to y" %t to %y
      program.launch "graph.add" @kernels::@sum(%s, %p, %s) extent(1)
    }
  }
  program.entry @peek symbols ["m", "k"] scratch(8 * m) {
    %x = program.input "x" : tensor<?x?xf32, #graph.dims<m, k>>
    %t = program.arena : tensor<?x?xf32, #graph.dims<m, k>> live 0 to 1
    %y = program.output "z" : tensor<?x?xf32, #graph.dims<m, k>>
      holds "m.mlir:7:3 graph.mul"
    program.require "expected m of at least 2" (m - 2)
    program.run {
      program.launch "graph.mul" @kernels::@scale(%x, %s, %t) extent(m * k)
      program.copy "copy to z" %t to %y
    }
  }
)" + getKernels() +
         "}\n";
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

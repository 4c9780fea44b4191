//===- Compile.cpp - arguments and ops of a kernel ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon::emulate;

Compiler::Compiler(gpu::GPUFuncOp function)
    : function(function), program(std::make_unique<Program>()) {
  program->name = function.getName().str();
  program->specials.fill(noUnit);
}

LogicalResult Compiler::fail(Operation *op, const Twine &what) {
  if (error)
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getName(ErrorKind::Unsupported) << ": " << what << "; in kernel @"
     << program->name << " at " << op->getName() << ", ";
  op->getLoc().print(os);
  error.emplace(ErrorKind::Unsupported, std::move(text));
  return failure();
}

/// Returns true if an op may have undefined results although its operands are
/// defined.
static bool makesUndefined(Operation *op) {
  if (isa<ub::PoisonOp, LLVM::UndefOp, LLVM::PoisonOp>(op))
    return true;
  if (auto shuffle = dyn_cast<vector::ShuffleOp>(op))
    return llvm::is_contained(shuffle.getMask(),
                              vector::ShuffleOp::kPoisonIndex);
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return !isAlwaysDefined(shuffle);
  return isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op) &&
         !matchPattern(op->getOperand(1), m_Constant());
}

static std::optional<std::array<uint32_t, 3>>
getSizes(std::optional<ArrayRef<int32_t>> sizes) {
  if (!sizes || sizes->size() != 3)
    return std::nullopt;
  return std::array<uint32_t, 3>{static_cast<uint32_t>((*sizes)[0]),
                                 static_cast<uint32_t>((*sizes)[1]),
                                 static_cast<uint32_t>((*sizes)[2])};
}

LogicalResult Compiler::compileFunction() {
  Operation *op = function;
  program->origins.push_back(
      {op->getName().getStringRef().str(), op->getLoc()});
  if (function.isExternal())
    return fail(op, "the kernel has no body");
  if (!function.getWorkgroupAttributions().empty() ||
      !function.getPrivateAttributions().empty())
    return fail(op, "attributions of memory are not emulated: expected a "
                    "global in address space 3");
  program->knownBlockSize = getSizes(function.getKnownBlockSize());
  program->knownGridSize = getSizes(function.getKnownGridSize());
  op->walk([&](Operation *inner) { mayBeUndefined |= makesUndefined(inner); });
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    std::optional<Kinds> kinds = getKinds(type);
    if (!kinds ||
        isa<VectorType, LLVM::LLVMStructType, LLVM::LLVMArrayType>(type)) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return fail(op, "argument " + Twine(argument.getArgNumber()) +
                          " of type " + text + " is not emulated");
    }
    Slots slots = newSlots(*kinds);
    set(argument, slots);
    program->parameters.push_back(
        {slots[0].unit, kinds->front(), isa<LLVM::LLVMPointerType>(type)});
  }
  if (failed(compileBlocks(function.getBody())))
    return failure();
  for (uint32_t jump : jumps) {
    Instruction &instruction = program->code[jump];
    instruction.immediate = labelTargets[instruction.immediate];
  }
  return success();
}

LogicalResult Compiler::compileOp(Operation *op) {
  for (Type type : op->getResultTypes()) {
    if (getKinds(type))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return fail(op, "the emulator does not know the type " + text);
  }
  program->origins.push_back(
      {op->getName().getStringRef().str(), op->getLoc()});
  for (auto compile : {&Compiler::compileArithmetic, &Compiler::compileControl,
                       &Compiler::compileMemory, &Compiler::compileVector,
                       &Compiler::compileGpu})
    if (std::optional<LogicalResult> result = (this->*compile)(op))
      return *result;
  return fail(op, "the emulator does not know the op '" +
                      op->getName().getStringRef() + "'");
}

LogicalResult Compiler::compileOps(mlir::Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(compileOp(&op)))
      return failure();
  // The moves and jumps at the end belong to the terminator.
  Operation *end = block.getTerminator();
  program->origins.push_back(
      {end->getName().getStringRef().str(), end->getLoc()});
  return success();
}

llvm::Expected<std::unique_ptr<Program>> Compiler::compile() {
  if (failed(compileFunction()))
    return llvm::make_error<EmulationError>(std::move(*error));
  return std::move(program);
}

Kernel::Kernel(std::unique_ptr<Program> program)
    : program(std::move(program)) {}
Kernel::~Kernel() = default;
Kernel::Kernel(Kernel &&) = default;
Kernel &Kernel::operator=(Kernel &&) = default;

llvm::Expected<Kernel> Kernel::compile(gpu::GPUFuncOp function) {
  llvm::Expected<std::unique_ptr<Program>> program =
      Compiler(function).compile();
  if (!program)
    return program.takeError();
  return Kernel(std::move(*program));
}

StringRef Kernel::getName() const { return program->name; }

uint64_t Kernel::getStaticSharedBytes() const {
  uint64_t bytes = 0;
  for (const SharedVariable &variable : program->shared)
    bytes += variable.isDynamic ? 0 : variable.bytes;
  return bytes;
}

//===- Compiler.h - kernels from MLIR to instructions ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_COMPILER_H
#define TENON_LIB_EMULATE_COMPILER_H

#include "Handlers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace tenon::emulate {

/// Where an element of a value is kept, and whether it is defined: a bit that
/// is set where it is not, or noUnit if it always is.
struct Slot {
  uint32_t unit = 0;
  uint32_t undefined = noUnit;
};
using Slots = llvm::SmallVector<Slot, 4>;
using Kinds = llvm::SmallVector<Kind, 4>;

/// Whether every lane of a shuffle reads a lane that takes part in it.
bool isAlwaysDefined(mlir::gpu::ShuffleOp shuffle);

class Compiler {
public:
  explicit Compiler(mlir::gpu::GPUFuncOp function);
  llvm::Expected<std::unique_ptr<Program>> compile();

private:
  using LogicalResult = llvm::LogicalResult;
  using Label = unsigned;

  // Compile.cpp
  LogicalResult compileFunction();
  LogicalResult compileOp(mlir::Operation *op);
  /// The ops of a block but its terminator.
  LogicalResult compileOps(mlir::Block &block);
  LogicalResult fail(mlir::Operation *op, const llvm::Twine &what);

  // Emission (Emission.cpp)
  uint32_t newUnit(Kind kind);
  /// Fresh units that follow each other.
  Slots newSlots(llvm::ArrayRef<Kind> kinds);
  uint32_t newConstant(Kind kind, uint64_t bits);
  uint32_t newList(llvm::ArrayRef<uint32_t> units);
  Instruction &emit(Handler handler, uint32_t result,
                    llvm::ArrayRef<uint32_t> operands, uint64_t immediate = 0);
  /// A unit that is set where one of these is; noUnit where none can be.
  uint32_t joinUndefined(llvm::ArrayRef<Slot> slots);
  void checkDefined(llvm::ArrayRef<Slot> slots);
  /// Applies a handler to single elements.
  Slot emitFunction(Handler handler, Kind result, llvm::ArrayRef<Slot> operands,
                    uint64_t immediate = 0);
  /// Copies all in the active lanes, as if at once.
  void emitMoves(llvm::ArrayRef<Kind> kinds, llvm::ArrayRef<Slot> targets,
                 llvm::ArrayRef<Slot> sources);
  Label newLabel();
  /// Ways from jumps to `label` meet here.
  void bind(Label label);
  void emitJump(Label label);
  void emitBranchIfNot(uint32_t condition, Label label);

  // Values (Emission.cpp)
  /// The kinds of the elements of a type, nothing where it is unknown.
  std::optional<Kinds> getKinds(mlir::Type type);
  Kind getKind(mlir::Type type) { return getKinds(type)->front(); }
  Slots get(mlir::Value value) { return values.lookup(value); }
  void set(mlir::Value value, llvm::ArrayRef<Slot> slots);
  /// Fresh slots for a value that is set from several places, and so may be
  /// undefined if anything in the kernel may be.
  Slots declare(mlir::Value value);
  Slots getAll(mlir::ValueRange range, Kinds &kinds);

  // Compile*.cpp: each gives nothing for an op that is not of its kind.
  std::optional<LogicalResult> compileArithmetic(mlir::Operation *op);
  std::optional<LogicalResult> compileControl(mlir::Operation *op);
  std::optional<LogicalResult> compileMemory(mlir::Operation *op);
  std::optional<LogicalResult> compileVector(mlir::Operation *op);
  std::optional<LogicalResult> compileGpu(mlir::Operation *op);

  LogicalResult compileConstant(mlir::Operation *op, mlir::Attribute value);
  LogicalResult compileElementwise(mlir::Operation *op, llvm::StringRef name);
  LogicalResult compileShift(mlir::Operation *op, llvm::StringRef name);
  LogicalResult compileSelect(mlir::Operation *op);
  LogicalResult compileCast(mlir::Operation *op, llvm::StringRef name);
  LogicalResult compileExtended(mlir::Operation *op, llvm::StringRef name);
  /// Bits of the operand as the result's type, of the same size in all.
  LogicalResult compileBitcast(mlir::Operation *op);
  void compileUndefined(mlir::Operation *op);

  LogicalResult compileIf(mlir::Operation *op);
  LogicalResult compileFor(mlir::Operation *op);
  LogicalResult compileWhile(mlir::Operation *op);
  LogicalResult compileIndexSwitch(mlir::Operation *op);
  LogicalResult compileBlocks(mlir::Region &region);
  LogicalResult compileBranch(mlir::Operation *op);

  LogicalResult compileAddress(mlir::Operation *op);
  LogicalResult compileAddressOf(mlir::Operation *op);
  LogicalResult compileLoad(mlir::Operation *op);
  LogicalResult compileStore(mlir::Operation *op);
  std::optional<uint64_t> getAccessAlignment(mlir::Operation *op,
                                             mlir::Type type,
                                             std::optional<uint64_t> stated);

  LogicalResult compileExtract(mlir::Operation *op);
  LogicalResult compileInsert(mlir::Operation *op);
  LogicalResult compileSlice(mlir::Operation *op);
  LogicalResult compileReduction(mlir::Operation *op);
  /// The element that static and dynamic positions name, in pieces of `piece`
  /// elements of a vector of this shape: a number or, else, a slot.
  std::optional<uint64_t> getPosition(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<mlir::OpFoldResult> where,
                                      Slot &dynamic);

  LogicalResult compileSpecial(mlir::Operation *op, Special special);
  LogicalResult compileShuffle(mlir::Operation *op);
  LogicalResult compileMatrixProduct(mlir::Operation *op);
  LogicalResult compileLoadMatrix(mlir::Operation *op);
  LogicalResult compileAsyncCopy(mlir::Operation *op);

  mlir::gpu::GPUFuncOp function;
  std::unique_ptr<Program> program;
  llvm::DenseMap<mlir::Value, Slots> values;
  llvm::DenseMap<std::pair<unsigned, uint64_t>, uint32_t> constants;
  llvm::DenseMap<mlir::Operation *, uint32_t> sharedNumbers;
  llvm::DenseMap<mlir::Block *, Label> blockLabels;
  std::vector<uint32_t> labelTargets;
  /// Jumps, whose immediate is a label yet.
  std::vector<uint32_t> jumps;
  bool mayBeUndefined = false;
  std::optional<EmulationError> error;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_COMPILER_H

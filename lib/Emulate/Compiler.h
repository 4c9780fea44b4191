//===- Compiler.h - compilation of kernels to instructions ----------------===//
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

/// The unit of an element of a value, and the unit with a bit that is set if
/// the element is undefined. The latter is noUnit if it is always defined.
struct Slot {
  uint32_t unit = 0;
  uint32_t undefined = noUnit;
};
using Slots = llvm::SmallVector<Slot, 4>;
using Kinds = llvm::SmallVector<Kind, 4>;

/// Returns true if every lane of a shuffle reads a lane that takes part in it.
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
  /// Compiles the ops of a block except its terminator.
  LogicalResult compileOps(mlir::Block &block);
  LogicalResult fail(mlir::Operation *op, const llvm::Twine &what);

  // Emission (Emission.cpp)
  uint32_t newUnit(Kind kind);
  /// Returns new units that are consecutive.
  Slots newSlots(llvm::ArrayRef<Kind> kinds);
  uint32_t newConstant(Kind kind, uint64_t bits);
  uint32_t newList(llvm::ArrayRef<uint32_t> units);
  Instruction &emit(Handler handler, uint32_t result,
                    llvm::ArrayRef<uint32_t> operands, uint64_t immediate = 0);
  /// Returns a unit that is set if one of these is undefined, or noUnit if none
  /// of them can be undefined.
  uint32_t joinUndefined(llvm::ArrayRef<Slot> slots);
  void checkDefined(llvm::ArrayRef<Slot> slots);
  /// Applies a handler to single elements.
  Slot emitFunction(Handler handler, Kind result, llvm::ArrayRef<Slot> operands,
                    uint64_t immediate = 0);
  /// Emits copies of all sources in the active lanes, as if they were
  /// simultaneous.
  void emitMoves(llvm::ArrayRef<Kind> kinds, llvm::ArrayRef<Slot> targets,
                 llvm::ArrayRef<Slot> sources);
  Label newLabel();
  /// Binds `label` here. Paths from jumps to it join at this point.
  void bind(Label label);
  void emitJump(Label label);
  void emitBranchIfNot(uint32_t condition, Label label);

  // Values (Emission.cpp)
  /// Returns the kinds of the elements of a type, or nullopt if the type is not
  /// supported.
  std::optional<Kinds> getKinds(mlir::Type type);
  Kind getKind(mlir::Type type) { return getKinds(type)->front(); }
  Slots get(mlir::Value value) { return values.lookup(value); }
  void set(mlir::Value value, llvm::ArrayRef<Slot> slots);
  /// Returns new slots for a value that is assigned in several places. They may
  /// be undefined if any value in the kernel may be.
  Slots declare(mlir::Value value);
  Slots getAll(mlir::ValueRange range, Kinds &kinds);

  // Compile*.cpp: each function returns nullopt for ops that it does not
  // handle.
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
  /// Reinterprets the bits of the operand as the result's type, of the same
  /// total size.
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
  /// Returns the position of the element at static and dynamic indices, in
  /// units of `piece` elements of a vector of this shape. If it is not
  /// constant, sets `dynamic` instead.
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
  /// Jumps whose immediate is still a label.
  std::vector<uint32_t> jumps;
  bool mayBeUndefined = false;
  std::optional<EmulationError> error;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_COMPILER_H

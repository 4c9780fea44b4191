//===- Emulator.h - emulation of GPU kernels on the CPU -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs `gpu.func` kernels as a GPU would, for tests, and reports errors that a
// GPU hides: data races, accesses outside of memory, misaligned accesses, reads
// of uninitialized memory, barriers and shuffles that not all threads reach,
// and asynchronous copies that no thread waited for. docs/emulator.md lists the
// supported ops and the checks.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMULATE_EMULATOR_H
#define TENON_EMULATE_EMULATOR_H

#include "tenon/Emulate/Memory.h"

#include "llvm/Support/Error.h"

#include <array>
#include <memory>
#include <string>

namespace mlir::gpu {
class GPUFuncOp;
} // namespace mlir::gpu

namespace tenon::emulate {

/// The kind of an error.
enum class ErrorKind {
  /// The kernel contains an op, a type or a form of an op that is not emulated.
  Unsupported,
  /// The arguments or the configuration do not match the kernel.
  BadLaunch,
  /// Two threads access the same byte, at least one of them writes, and the
  /// accesses are not ordered.
  Race,
  /// An address is outside of its allocation, or belongs to no allocation.
  OutOfBounds,
  /// An address is not a multiple of the access's alignment.
  Misaligned,
  /// A write to read-only memory.
  ReadOnly,
  /// A read of memory that was never written, or a use of an undefined value.
  Uninitialized,
  /// A barrier, a shuffle or a matrix op that not all threads reach.
  Divergent,
  /// Bytes of an asynchronous copy are used before the wait for it, or no
  /// thread waits for the copy.
  AsyncCopy,
  /// An arithmetic operation with an undefined result: a division by zero.
  Arithmetic,
  /// The launch needs more instructions than LaunchConfig::instructionBudget.
  Budget
};

/// Returns the name of a kind: "race", "out of bounds", ...
llvm::StringRef getName(ErrorKind kind);

/// The error of compile and launch. The text begins with the kind's name and
/// contains the kernel, block, thread, address and location as far as they are
/// known.
class EmulationError : public llvm::ErrorInfo<EmulationError> {
public:
  static char ID;

  EmulationError(ErrorKind kind, std::string text)
      : kind(kind), text(std::move(text)) {}

  ErrorKind getKind() const { return kind; }
  llvm::StringRef getText() const { return text; }

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  ErrorKind kind;
  std::string text;
};

/// The value of one kernel argument.
class Argument {
public:
  enum class Kind { Pointer, Integer, Float };

  Argument(Pointer pointer) : kind(Kind::Pointer), bits(pointer.bits) {}
  /// For arguments of type i1 to i64 and index.
  Argument(int64_t value)
      : kind(Kind::Integer), bits(static_cast<uint64_t>(value)) {}
  Argument(int32_t value) : Argument(static_cast<int64_t>(value)) {}
  /// For arguments of any floating-point type, rounded to it.
  Argument(double value) : kind(Kind::Float), number(value) {}
  Argument(float value) : Argument(static_cast<double>(value)) {}

  Kind getKind() const { return kind; }
  uint64_t getBits() const { return bits; }
  double getNumber() const { return number; }

private:
  Kind kind;
  uint64_t bits = 0;
  double number = 0;
};

struct LaunchConfig {
  /// The number of blocks in x, y and z; at least 1 each.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  /// The number of threads of a block in x, y and z; at least 1 each, and at
  /// most 1024 in total.
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// The size of the external (dynamic) shared memory.
  uint64_t dynamicSharedBytes = 0;
  /// The number of instructions that all threads together may execute.
  uint64_t instructionBudget = uint64_t(1) << 33;
};

/// Counts of the work that a launch did.
struct LaunchStatistics {
  /// Instructions that threads executed, summed over threads. Moves that only
  /// rename values (vector.insert, llvm.bitcast, ...) do not count.
  uint64_t instructions = 0;
  /// Barriers that blocks passed, summed over blocks.
  uint64_t barriers = 0;
  /// Bytes that threads read and wrote by loads, stores and copies.
  uint64_t globalReadBytes = 0, globalWrittenBytes = 0;
  uint64_t sharedReadBytes = 0, sharedWrittenBytes = 0;
  /// Number of warp-wide matrix products.
  uint64_t matrixProducts = 0;
};

class Program;

/// A kernel in executable form. It may be launched many times. The MLIR context
/// of the function must outlive it, but the function itself need not.
class Kernel {
public:
  /// Fails with ErrorKind::Unsupported at the first op that is not emulated.
  /// Globals of shared memory are looked up in the function's module.
  static llvm::Expected<Kernel> compile(mlir::gpu::GPUFuncOp function);

  ~Kernel();
  Kernel(Kernel &&);
  Kernel &operator=(Kernel &&);

  llvm::StringRef getName() const;
  /// Returns the size of the shared memory that the kernel declares, without
  /// the dynamic shared memory.
  uint64_t getStaticSharedBytes() const;
  const Program &getProgram() const { return *program; }

private:
  explicit Kernel(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

/// Runs all blocks, one after the other. The first error ends the launch, and
/// memory then contains what was written before it. `statistics` may be null.
llvm::Error launch(const Kernel &kernel, const LaunchConfig &config,
                   llvm::ArrayRef<Argument> arguments, Memory &memory,
                   LaunchStatistics *statistics = nullptr);

} // namespace tenon::emulate

#endif // TENON_EMULATE_EMULATOR_H

//===- Backend.h - what can run pieces of a graph -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend says which pieces of a graph it can run (Collage's interface:
// patterns and rules of legality, PACT'22, section 4) and what a placed piece
// is as a call of its library. What a piece costs is not the backend's to say:
// it is measured. Own code (kernel::isOwnCode) is no backend of this list: it
// runs what nobody else takes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_BACKEND_H
#define TENON_BACKEND_BACKEND_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/DialectInterface.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <vector>

namespace tenon::backend {

/// Ops of one block that can run as one kernel.
struct Piece {
  /// Those that compute, the root first, and constants that the call takes in.
  llvm::SmallVector<mlir::Operation *> ops;
  /// "conv+add+relu": what it is, for people and for databases of costs.
  std::string pattern;
};

/// What a program is for.
enum class Device { Cpu, Cuda };
/// "cpu" or "cuda": also the name of own code there.
llvm::StringRef getOwnCode(Device device);

class Backend {
public:
  virtual ~Backend();

  /// As in `kernel.call` and on command lines.
  virtual llvm::StringRef getName() const = 0;
  /// Programs for other devices do without it.
  virtual Device getDevice() const { return Device::Cpu; }
  /// Of the library, as it would be loaded on this machine: "2.6.3". Empty:
  /// it is not on this machine; pieces may be given to it all the same, for
  /// others.
  virtual std::string getVersion() const = 0;
  /// Whether its results are those of the graph's ops, one by one, in the
  /// order of their sums; if not, it is left out under `--fp=strict`.
  virtual bool isStrict() const { return false; }
  /// Whether its patterns are known to compute what they stand for. Those of
  /// others are placed only once they were admitted (see cost::Admission).
  virtual bool isTrusted() const { return false; }

  /// Appends every piece of the block that it can run: of pieces with the same
  /// root, one with less epilogue before one with more.
  virtual void match(mlir::Block &block,
                     llvm::SmallVectorImpl<Piece> &pieces) const = 0;
  /// The call that a placed piece is. Emits a diagnostic where the region is
  /// not one that it can run (somebody may have edited the plan).
  virtual mlir::FailureOr<LibraryCall> describe(kernel::CallOp call) const = 0;
};

/// The backends of a context, in the order in which they were added.
class BackendRegistry : public mlir::DialectInterface::Base<BackendRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BackendRegistry)

  explicit BackendRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  /// Of a context whose kernel dialect is loaded; empty where nothing was
  /// registered.
  static BackendRegistry &get(mlir::MLIRContext *context);

  /// Fails where the name is taken.
  llvm::Error add(std::unique_ptr<Backend> backend);
  /// Null: there is none of this name.
  const Backend *lookup(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<Backend>> getBackends() const {
    return backends;
  }
  /// The device of a backend, own code among them; none: it is unknown.
  std::optional<Device> getDevice(llvm::StringRef name) const;
  /// "cpu, onednn, openblas": those for a device, with own code.
  std::string getNames(Device device) const;

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_BACKEND_H

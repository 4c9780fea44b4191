//===- Backend.h - libraries that can run subgraphs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend reports which subgraphs it can run (Collage's interface: patterns
// and legality rules, PACT'22, section 4), and describes a placed subgraph as a
// call of its library. Its costs are measured; what is not measured is
// estimated from the work of its kernels, which a backend may correct.
// Generated code (kernel::isGeneratedCode) is not in the list of backends: it
// runs the ops that no backend takes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_BACKEND_H
#define TENON_BACKEND_BACKEND_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Cost/KernelWork.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Support/Numerics.h"

#include "mlir/IR/DialectInterface.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <vector>

namespace tenon::backend {

/// A subgraph: ops of one block that can run as one kernel.
struct Subgraph {
  /// The computing ops, the root first, and the constants that the call
  /// absorbs.
  llvm::SmallVector<mlir::Operation *> ops;
  /// A description such as "conv+add+relu", for users and for cost databases.
  std::string pattern;
};

/// "cpu" or "cuda": also the name of generated code there.
llvm::StringRef getGeneratedCode(Device device);

class Backend {
public:
  virtual ~Backend();

  /// The name in `kernel.call` and on command lines.
  virtual llvm::StringRef getName() const = 0;
  /// The device of its programs; programs for other devices ignore the backend.
  virtual Device getDevice() const { return Device::Cpu; }
  /// Returns the version of the library that this machine would load, such as
  /// "2.6.3", or an empty string if it is not on this machine. Subgraphs may
  /// still be placed on it, for other machines.
  virtual std::string getVersion() const = 0;
  /// Returns whether its results are those of the graph's ops, one by one, in
  /// the order of their sums. If not, it is not used under `--fp=strict`.
  virtual bool isStrict() const { return false; }
  /// Returns whether its patterns are known to be correct. Patterns of other
  /// backends are placed only after they were admitted (see cost::Admission).
  virtual bool isTrusted() const { return false; }

  /// Appends every subgraph of the block that it can run. Subgraphs with the
  /// same root are in the order of growing epilogues.
  virtual void match(mlir::Block &block,
                     llvm::SmallVectorImpl<Subgraph> &subgraphs) const = 0;
  /// Returns the call for a placed subgraph. Emits a diagnostic if it cannot
  /// run the region (a user may have edited the placement plan).
  virtual mlir::FailureOr<LibraryCall>
  describe(kernel::CallOp call, const Numerics &numerics) const = 0;
  /// Changes `work`, the sum over the ops of a placed subgraph, to that of the
  /// backend's algorithm, if that is different (cost::KernelWork).
  virtual void adjustWork(kernel::CallOp, const cost::SizeValues &,
                          cost::Work &) const {}
  /// The same of a matmul or convolution that may be placed here, in whichever
  /// layout, if its weight exists once the model is loaded; false if it may
  /// not, or if the algorithm has the work of the op.
  virtual bool adjustWork(mlir::Operation *, const cost::SizeValues &,
                          cost::Work &) const {
    return false;
  }
};

/// The backends of a context, in the order of registration.
class BackendRegistry : public mlir::DialectInterface::Base<BackendRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BackendRegistry)

  explicit BackendRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the registry of a context whose kernel dialect is loaded; empty if
  /// no backend was registered.
  static BackendRegistry &get(mlir::MLIRContext *context);

  /// Fails if the name is already used.
  llvm::Error add(std::unique_ptr<Backend> backend);
  /// Returns null if there is none of this name.
  const Backend *lookup(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<Backend>> getBackends() const {
    return backends;
  }
  /// Returns the device of a backend or of generated code; nullopt if unknown.
  std::optional<Device> getDevice(llvm::StringRef name) const;
  /// Returns the names for a device, with generated code: "cpu, onednn,
  /// openblas".
  std::string getNames(Device device) const;

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_BACKEND_H

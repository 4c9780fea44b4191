//===- SharedFiles.h - what a context has read from files -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes name rules, costs and profiles by files. Each is read once, into an
// object that the context owns and that is only read: by copies of a pass, by
// other passes, and by those of other units. It is read again if a file has
// changed.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_IR_SHAREDFILES_H
#define TENON_DIALECT_KERNEL_IR_SHAREDFILES_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <mutex>

namespace tenon::kernel {

class SharedFiles : public mlir::DialectInterface::Base<SharedFiles> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SharedFiles)

  explicit SharedFiles(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the files of a context, which loads the kernel dialect.
  static SharedFiles &get(mlir::MLIRContext *context);

  /// Returns what `read` makes of files and folders, an Expected or FailureOr
  /// of a pointer to a T. `key` names T, and all that the object depends on
  /// beside the files. An error is not kept.
  template <typename T, typename Read>
  auto read(llvm::StringRef key, llvm::ArrayRef<std::string> paths, Read read)
      -> decltype(read()) {
    std::string place = getPlace(key, paths), state = getState(paths);
    if (std::shared_ptr<const void> known = find(place, state))
      return std::static_pointer_cast<const T>(std::move(known));
    auto made = read();
    if (isSuccess(made))
      keep(place, state, *made);
    return made;
  }

private:
  template <typename T> static bool isSuccess(llvm::Expected<T> &made) {
    return static_cast<bool>(made);
  }
  template <typename T> static bool isSuccess(mlir::FailureOr<T> &made) {
    return succeeded(made);
  }

  static std::string getPlace(llvm::StringRef key,
                              llvm::ArrayRef<std::string> paths);
  /// Returns a text that differs if a file, or one in a folder, is another one.
  static std::string getState(llvm::ArrayRef<std::string> paths);
  std::shared_ptr<const void> find(llvm::StringRef place,
                                   llvm::StringRef state);
  void keep(llvm::StringRef place, llvm::StringRef state,
            std::shared_ptr<const void> object);

  std::mutex mutex;
  /// By key and paths: the state of the files, and what was read. Older states
  /// are forgotten; who uses an object shares it.
  llvm::StringMap<std::pair<std::string, std::shared_ptr<const void>>> objects;
};

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_IR_SHAREDFILES_H

//===- LoadedTables.h - emitted tables in this process ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTEST_EMIT_LOADEDTABLES_H
#define TENON_UNITTEST_EMIT_LOADEDTABLES_H

#include "TestPrograms.h"
#include "tenon/Artifact/Program.h"

namespace tenon::emit::test {

/// An emitted object that is linked with stand-ins of the runtime's functions,
/// which note in `called`, `first` and `last` what they are called with.
class LoadedTables {
public:
  /// `artifact` is null where it can't be emitted, linked or opened.
  explicit LoadedTables(llvm::ArrayRef<std::string> targets,
                        const std::string &prefix = "tenon");

  /// The address of a symbol; null: there is none.
  void *find(const std::string &name) const;

  const tenon_artifact *artifact = nullptr;
  const tenon_program *const *tables = nullptr;
  const tenon_program *table = nullptr; // the first

private:
  void *library = nullptr;
  TestFolder folder;
};

} // namespace tenon::emit::test

#endif // TENON_UNITTEST_EMIT_LOADEDTABLES_H

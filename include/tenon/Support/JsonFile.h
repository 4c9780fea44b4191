//===- JsonFile.h - reading members of JSON files -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_JSONFILE_H
#define TENON_SUPPORT_JSONFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <initializer_list>

namespace tenon {

/// Reads a file of one JSON object whose `schema_version` is 1.
llvm::Expected<llvm::json::Object> readJsonFile(llvm::StringRef path);

/// The members of an object. Every error names the file and the member, after
/// the prefix `where` ("entry 3: ", or empty).
class JsonMembers {
public:
  JsonMembers(llvm::StringRef path, std::string where,
              const llvm::json::Object &object)
      : path(path), where(std::move(where)), object(object) {}

  llvm::Error fail(const llvm::Twine &what) const;
  /// Fails on a member that is not in `names`, so that misspelt names are
  /// found.
  llvm::Error checkNames(std::initializer_list<llvm::StringRef> names) const;
  llvm::Error get(llvm::StringRef name, std::string &out) const;
  /// A finite number of at least 0, or above 0 if `positive`.
  llvm::Error get(llvm::StringRef name, double &out, bool positive) const;
  /// An integer of at least `least`.
  llvm::Error get(llvm::StringRef name, uint64_t &out, uint64_t least) const;
  llvm::Expected<const llvm::json::Object *>
  getObject(llvm::StringRef name) const;
  llvm::Expected<const llvm::json::Array *>
  getArray(llvm::StringRef name) const;

private:
  llvm::Error expected(llvm::StringRef name, const llvm::Twine &what) const;

  llvm::StringRef path;
  std::string where;
  const llvm::json::Object &object;
};

} // namespace tenon

#endif // TENON_SUPPORT_JSONFILE_H

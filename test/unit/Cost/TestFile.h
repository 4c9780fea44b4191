//===- TestFile.h - files of tests ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_COST_TESTFILE_H
#define TENON_TEST_UNIT_COST_TESTFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <string>

namespace tenon::cost::test {

/// A temporary file that goes with the object.
class TestFile {
public:
  explicit TestFile(llvm::StringRef text) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tenon-cost", "json",
                                                    descriptor, name));
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
  }
  ~TestFile() { llvm::sys::fs::remove(name); }

  std::string path() const { return name.str().str(); }
  std::string text() const {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    EXPECT_TRUE(static_cast<bool>(buffer));
    return (*buffer)->getBuffer().str();
  }

private:
  llvm::SmallString<128> name;
};

/// The message of a failure; "success" if there is none.
template <typename T> std::string message(llvm::Expected<T> value) {
  return value ? "success" : llvm::toString(value.takeError());
}
inline std::string message(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "success";
}

inline void expectContains(const std::string &text, llvm::StringRef part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected '" << part.str() << "' in '" << text << "'";
}

} // namespace tenon::cost::test

#endif // TENON_TEST_UNIT_COST_TESTFILE_H

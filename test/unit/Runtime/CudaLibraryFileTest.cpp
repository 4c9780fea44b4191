//===- CudaLibraryFileTest.cpp - tests of where libraries are found -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuda/LibraryFile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace tenon;
using namespace tenon::runtime::cuda;
using artifact::Status;

namespace {
/// Names that no machine has, in a toolkit of the test's own.
class CudaLibraryFile : public testing::Test {
protected:
  CudaLibraryFile() {
    std::filesystem::remove_all(root);
    ::setenv("CUDAToolkit_ROOT", root.c_str(), 1);
    ::unsetenv("TENON_TEST_LIBRARY");
  }
  ~CudaLibraryFile() override {
    std::filesystem::remove_all(root);
    if (old)
      ::setenv("CUDAToolkit_ROOT", oldRoot.c_str(), 1);
    else
      ::unsetenv("CUDAToolkit_ROOT");
    ::unsetenv("TENON_TEST_LIBRARY");
  }

  std::string addFile(const std::string &folder, const char *name) {
    std::filesystem::create_directories(root + folder);
    std::filesystem::copy_file(TENON_FIXTURES "/not-ours.so",
                               root + folder + name);
    return root + folder + name;
  }

  /// The library that was started, and after ": " the outcome. `taken`: which
  /// one starts.
  std::string open(std::vector<std::string> files, size_t taken = 1) {
    std::string started;
    size_t count = 0;
    Status status =
        openLibrary({"the test's library", "compile with --without=test",
                     "TENON_TEST_LIBRARY", std::move(files)},
                    [&](void *library, const std::string &file) -> Status {
                      started += (count ? ", " : "") + file;
                      EXPECT_TRUE(library);
                      if (++count == taken)
                        return Status::success();
                      return artifact::makeError("refused ", count);
                    });
    return started + ": " + (status ? "taken" : status.error());
  }

  std::string root =
      testing::TempDir() + "tenon-toolkit-" + std::to_string(::getpid());
  const char *old = std::getenv("CUDAToolkit_ROOT");
  std::string oldRoot = old ? old : "";
};
} // namespace

TEST_F(CudaLibraryFile, WhereTheLoaderLooksThenInTheToolkit) {
  EXPECT_EQ(open({"libm.so.6", "libdl.so.2"}), "libm.so.6: taken");
  std::string first = addFile("/lib64/", "libtenon-1.so"),
              second = addFile("/lib64/", "libtenon-2.so"),
              other = addFile("/lib/x86_64-linux-gnu/", "libtenon-1.so");
  EXPECT_EQ(open({"libtenon-0.so", "libtenon-1.so"}), first + ": taken");
  // One that does not start is not the end.
  std::vector<std::string> files = {"libtenon-1.so", "libm.so.6",
                                    "libtenon-2.so"};
  EXPECT_EQ(open(files, 4),
            first + ", " + other + ", libm.so.6, " + second + ": taken");
  EXPECT_EQ(open(files, 5),
            first + ", " + other + ", libm.so.6, " + second + ": refused 1");
}

TEST_F(CudaLibraryFile, TheVariableNamesTheOnlyOne) {
  addFile("/lib64/", "libtenon-1.so");
  std::string elsewhere = addFile("/wheel/", "libtenon-1.so.9");
  ::setenv("TENON_TEST_LIBRARY", elsewhere.c_str(), 1);
  EXPECT_EQ(open({"libtenon-1.so", "libm.so.6"}), elsewhere + ": taken");
  EXPECT_EQ(open({"libtenon-1.so"}, 2), elsewhere + ": refused 1");
}

TEST_F(CudaLibraryFile, None) {
  std::string end = " can be opened: libtenon-1.so: cannot open shared object "
                    "file: No such file or directory; install it, name its "
                    "file in TENON_TEST_LIBRARY, or compile with "
                    "--without=test";
  EXPECT_EQ(open({"libtenon-1.so", "libtenon-2.so"}),
            ": this artifact calls the test's library, but neither "
            "libtenon-1.so nor libtenon-2.so" +
                end);
  EXPECT_NE(open({"libtenon-1.so"}).find("libtenon-1.so can't be opened: "),
            std::string::npos);
}

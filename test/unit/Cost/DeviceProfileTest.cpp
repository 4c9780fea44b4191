//===- DeviceProfileTest.cpp - profiles by name and by file ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/DeviceProfile.h"
#include "TestFile.h"

using namespace tenon::cost;
using namespace tenon::cost::test;

static const std::string kProfile = R"({
  "schema_version": 1, "name": "mine", "source": "a data sheet",
  "matrix_flops_32": 1e12, "matrix_flops_16": 2e12,
  "vector_flops": 1e11, "memory_bandwidth": 1e11, "cache_bandwidth": 4e11,
  "cache_bytes": 1048576, "weight_bandwidth": 0, "weight_seconds": 0,
  "launch_seconds": 1e-6, "half_peak_flops": 0,
 "own_matrix_flops": 0, "library_seconds": 0})";

static std::string readError(llvm::StringRef from, llvm::StringRef to) {
  std::string text = kProfile;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  TestFile input(text);
  std::string error = message(getProfile(input.path()));
  expectContains(error, input.path());
  return error;
}

TEST(DeviceProfile, BuiltIn) {
  EXPECT_EQ(getProfileNames(),
            (std::vector<std::string>{"cpu", "a100", "h100", "h200"}));
  for (const std::string &name : getProfileNames()) {
    llvm::Expected<DeviceProfile> profile = getProfile(name);
    ASSERT_TRUE(static_cast<bool>(profile));
    EXPECT_EQ(profile->name, name);
    EXPECT_FALSE(profile->source.empty());
    EXPECT_GT(profile->matrixFlops32, 0);
    EXPECT_GT(profile->matrixFlops16, 0);
    EXPECT_GT(profile->vectorFlops, 0);
    EXPECT_GT(profile->cacheBandwidth, profile->memoryBandwidth);
    EXPECT_GT(profile->memoryBandwidth, 0);
  }
}

TEST(DeviceProfile, File) {
  TestFile input(kProfile);
  llvm::Expected<DeviceProfile> profile = getProfile(input.path());
  ASSERT_TRUE(static_cast<bool>(profile)) << message(std::move(profile));
  EXPECT_EQ(profile->name, "mine");
  EXPECT_EQ(profile->source, "a data sheet");
  EXPECT_EQ(profile->matrixFlops32, 1e12);
  EXPECT_EQ(profile->matrixFlops16, 2e12);
  EXPECT_EQ(profile->vectorFlops, 1e11);
  EXPECT_EQ(profile->memoryBandwidth, 1e11);
  EXPECT_EQ(profile->cacheBandwidth, 4e11);
  EXPECT_EQ(profile->cacheBytes, 1048576);
  EXPECT_EQ(profile->launchSeconds, 1e-6);
  EXPECT_EQ(profile->halfPeakFlops, 0);
}

TEST(DeviceProfile, Errors) {
  expectContains(message(getProfile("t4")),
                 "no device profile 't4': expected cpu, a100, h100, h200, or a "
                 "JSON file");
  expectContains(message(getProfile("none.json")), "can't open 'none.json'");
  expectContains(readError("\"name\"", "\"semantics\": \"fused\", \"name\""),
                 "'semantics' was removed, because all profiles count fused "
                 "kernels: delete the member");
  expectContains(readError("1e12", "0"),
                 "'matrix_flops_32': expected a number above 0, but got 0");
  expectContains(readError("1e-6", "-1"),
                 "'launch_seconds': expected a number of at least 0");
  expectContains(readError("\"vector_flops\"", "\"vector_flop\""),
                 "unknown member 'vector_flop'");
  expectContains(readError("\"vector_flops\": 1e11,", ""),
                 "'vector_flops' is missing");
  expectContains(readError("\"mine\"", "1"), "'name': expected a text");
}

static const std::string kClasses =
    R"("library_seconds": 0, "classes": {"onednn conv": {"start": 1e-6,
  "row": 1e-9, "matrix_flop": 1e-11, "vector_flop": 0, "remainder_flop": 0, "streamed_flop": 0,
  "byte": 2e-11,
  "memory_byte": 1e-10, "weight_byte": 3e-11, "deviation": 0.1,
  "kernels": 12}})";

TEST(DeviceProfile, WrittenAndRead) {
  DeviceProfile profile = llvm::cantFail(getProfile("h100"));
  profile.name = "mine \"2\"";
  ClassRates &rates = profile.classes["cuda matmul"];
  rates.start = 1.5e-6;
  rates.matrixFlop = 1.25e-12;
  // What a fit writes is read, however bad it is.
  rates.deviation = 1.25;
  rates.kernels = 9;
  TestFile file("");
  EXPECT_EQ(message(writeProfile(profile, file.path())), "success");
  DeviceProfile read = llvm::cantFail(getProfile(file.path()));
  EXPECT_EQ(read.name, profile.name);
  EXPECT_EQ(read.source, profile.source);
  EXPECT_EQ(read.device, tenon::Device::Cuda);
  EXPECT_EQ(read.matrixFlops16, profile.matrixFlops16);
  EXPECT_EQ(read.halfPeakFlops, profile.halfPeakFlops);
  ASSERT_EQ(read.classes.size(), 1u);
  const ClassRates &found = read.classes.at("cuda matmul");
  EXPECT_EQ(found.start, rates.start);
  EXPECT_EQ(found.matrixFlop, rates.matrixFlop);
  EXPECT_EQ(found.vectorFlop, 0);
  EXPECT_EQ(found.deviation, rates.deviation);
  EXPECT_EQ(found.kernels, rates.kernels);
}

TEST(DeviceProfile, ClassErrors) {
  auto error = [](llvm::StringRef from, llvm::StringRef to) {
    std::string classes = kClasses;
    size_t at = classes.find(from);
    EXPECT_NE(at, std::string::npos);
    classes.replace(at, from.size(), to);
    return readError("\"library_seconds\": 0", classes);
  };
  expectContains(error("1e-11", "-1"),
                 "classes: 'onednn conv': 'matrix_flop': expected a number of "
                 "at least 0");
  expectContains(error("1e-11", "1e300"),
                 "classes: 'onednn conv': 'matrix_flop': expected at most 1");
  expectContains(error("\"row\"", "\"rows\""),
                 "classes: 'onednn conv': unknown member 'rows'");
  expectContains(error("\"row\": 1e-9, ", ""),
                 "classes: 'onednn conv': 'row' is missing");
  expectContains(error("12", "0"), "classes: 'onednn conv': 'kernels': ");
}

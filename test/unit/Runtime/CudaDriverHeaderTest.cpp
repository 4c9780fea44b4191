//===- CudaDriverHeaderTest.cpp - own declarations of the driver ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled where cuda.h is found. What the toolkit's stub of a driver says is
// tried where it is.
//
//===----------------------------------------------------------------------===//

#include "Cuda/Driver.h"
#include "CudaHeaderCheck.h"

// Declares functions by their names in the library, and not the newest under
// the name of all.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <cstdlib>
#include <string>

namespace cu = tenon::runtime::cuda;

#define TENON_CHECK(NAME, SYMBOL, PARAMETERS)                                  \
  static_assert(                                                               \
      IsCalledAlike<decltype(cu::Driver::NAME), decltype(&::SYMBOL)>::value,   \
      #SYMBOL);
TENON_CUDA_FUNCTIONS(TENON_CHECK)
#undef TENON_CHECK

static_assert(sizeof(cu::DeviceAddress) == sizeof(CUdeviceptr) &&
              sizeof(cu::DeviceNumber) == sizeof(CUdevice) &&
              sizeof(cu::Result) == sizeof(CUresult));

static_assert(int(cu::Success) == CUDA_SUCCESS &&
              int(cu::OutOfMemory) == CUDA_ERROR_OUT_OF_MEMORY &&
              int(cu::StubLibrary) == CUDA_ERROR_STUB_LIBRARY &&
              int(cu::NoDevice) == CUDA_ERROR_NO_DEVICE &&
              int(cu::InvalidImage) == CUDA_ERROR_INVALID_IMAGE &&
              int(cu::NoBinaryForGpu) == CUDA_ERROR_NO_BINARY_FOR_GPU &&
              int(cu::EccUncorrectable) == CUDA_ERROR_ECC_UNCORRECTABLE &&
              int(cu::InvalidPtx) == CUDA_ERROR_INVALID_PTX &&
              int(cu::NvlinkUncorrectable) == CUDA_ERROR_NVLINK_UNCORRECTABLE);
static_assert(
    int(cu::JitCompilerNotFound) == CUDA_ERROR_JIT_COMPILER_NOT_FOUND &&
    int(cu::UnsupportedPtxVersion) == CUDA_ERROR_UNSUPPORTED_PTX_VERSION &&
    int(cu::NotFound) == CUDA_ERROR_NOT_FOUND &&
    int(cu::IllegalAddress) == CUDA_ERROR_ILLEGAL_ADDRESS &&
    int(cu::LaunchTimeout) == CUDA_ERROR_LAUNCH_TIMEOUT &&
    int(cu::ContextIsDestroyed) == CUDA_ERROR_CONTEXT_IS_DESTROYED &&
    int(cu::Assert) == CUDA_ERROR_ASSERT &&
    int(cu::HardwareStackError) == CUDA_ERROR_HARDWARE_STACK_ERROR &&
    int(cu::LaunchFailed) == CUDA_ERROR_LAUNCH_FAILED &&
    int(cu::MpsClientTerminated) == CUDA_ERROR_MPS_CLIENT_TERMINATED &&
    int(cu::ExternalDevice) == CUDA_ERROR_EXTERNAL_DEVICE &&
    int(cu::Unknown) == CUDA_ERROR_UNKNOWN);
// Between these two lie instructions and accesses that the device refuses.
static_assert(CUDA_ERROR_ILLEGAL_INSTRUCTION >
                  CUDA_ERROR_HARDWARE_STACK_ERROR &&
              CUDA_ERROR_INVALID_PC < CUDA_ERROR_LAUNCH_FAILED);
// Newer than toolkits that have all functions.
#if CUDA_VERSION >= 13000
static_assert(int(cu::Contained) == CUDA_ERROR_CONTAINED &&
              int(cu::TensorMemoryLeak) == CUDA_ERROR_TENSOR_MEMORY_LEAK);
#endif

static_assert(int(cu::ComputeCapabilityMajor) ==
                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR &&
              int(cu::ComputeCapabilityMinor) ==
                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR &&
              int(cu::MaxSharedBytesPerBlock) ==
                  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(int(cu::MaxThreadsPerBlock) ==
                  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK &&
              int(cu::StaticSharedBytes) ==
                  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES &&
              int(cu::MaxDynamicSharedBytes) ==
                  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(int(cu::JitErrorLog) == CU_JIT_ERROR_LOG_BUFFER &&
              int(cu::JitErrorLogBytes) == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES &&
              int(cu::StreamNonBlocking) == CU_STREAM_NON_BLOCKING &&
              int(cu::CaptureThreadLocal) ==
                  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);

TEST(CudaHeader, StubIsNoDriver) {
  const char *root = std::getenv("CUDAToolkit_ROOT");
  std::string stub = std::string(root && *root ? root : "/usr/local/cuda") +
                     "/lib64/stubs/libcuda.so";
  if (!::dlopen(stub.c_str(), RTLD_LAZY | RTLD_LOCAL))
    GTEST_SKIP() << ::dlerror();
  ::setenv("TENON_CUDA_DRIVER", stub.c_str(), 1);
  auto driver = cu::Driver::open(", or do without");
  ::unsetenv("TENON_CUDA_DRIVER");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error(), "this artifact's program is for CUDA, but " + stub +
                                " is the toolkit's stub, not a driver; run it "
                                "on a machine with an NVIDIA driver, or do "
                                "without");
}

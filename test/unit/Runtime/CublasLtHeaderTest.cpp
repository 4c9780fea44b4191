//===- CublasLtHeaderTest.cpp - own declarations of cuBLASLt --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled where cublasLt.h is found. What the library does without a device is
// tried where it can be opened.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CublasLt.h"
#include "CudaHeaderCheck.h"

#include <cublasLt.h>

using Lt = tenon::runtime::cuda::CublasLt;

#define TENON_CHECK(NAME, SYMBOL, RESULT, PARAMETERS)                          \
  static_assert(IsCalledAlike<decltype(Lt::NAME), decltype(&::SYMBOL)>::value, \
                #SYMBOL);
TENON_CUBLASLT_FUNCTIONS(TENON_CHECK)
#undef TENON_CHECK

static_assert(int(Lt::Success) == CUBLAS_STATUS_SUCCESS &&
              int(Lt::NotSupported) == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(int(Lt::Float) == CUDA_R_32F && int(Lt::Half) == CUDA_R_16F &&
              int(Lt::BFloat) == CUDA_R_16BF);
static_assert(int(Lt::Compute32) == CUBLAS_COMPUTE_32F &&
              int(Lt::ComputeTf32) == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(int(Lt::AsItIs) == CUBLAS_OP_N &&
              int(Lt::Transposed) == CUBLAS_OP_T);
static_assert(int(Lt::TransposeA) == CUBLASLT_MATMUL_DESC_TRANSA &&
              int(Lt::TransposeB) == CUBLASLT_MATMUL_DESC_TRANSB &&
              int(Lt::EpilogueOf) == CUBLASLT_MATMUL_DESC_EPILOGUE &&
              int(Lt::BiasPointer) == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(int(Lt::NoEpilogue) == CUBLASLT_EPILOGUE_DEFAULT &&
              int(Lt::Relu) == CUBLASLT_EPILOGUE_RELU &&
              int(Lt::Bias) == CUBLASLT_EPILOGUE_BIAS &&
              int(Lt::GeluTanh) == CUBLASLT_EPILOGUE_GELU &&
              int(Lt::Relu | Lt::Bias) == CUBLASLT_EPILOGUE_RELU_BIAS &&
              int(Lt::GeluTanh | Lt::Bias) == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(int(Lt::BatchCount) == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT &&
              int(Lt::BatchStride) ==
                  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(
    int(Lt::MaxWorkspaceBytes) == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES &&
    int(Lt::ReductionSchemes) == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK &&
    int(Lt::AlignmentA) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES &&
    int(Lt::AlignmentB) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES &&
    int(Lt::AlignmentC) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES &&
    int(Lt::AlignmentD) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(int(Lt::ReduceInComputeType) ==
                  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE &&
              int(Lt::AlgorithmId) == CUBLASLT_ALGO_CONFIG_ID);
static_assert(sizeof(Lt::Algorithm) == sizeof(cublasLtMatmulAlgo_t) &&
              sizeof(Lt::Found) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(Lt::Found, workspaceBytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(Lt::Found, state) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, state));

/// The real library takes every attribute with the size that Tenon gives it.
TEST(CudaHeader, CublasLtTakesTheDescriptions) {
  void *library = ::dlopen("libcublasLt.so.13", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    library = ::dlopen("/usr/local/cuda/lib64/libcublasLt.so.13",
                       RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    GTEST_SKIP() << ::dlerror();
  Lt lt;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  lt.NAME = reinterpret_cast<decltype(lt.NAME)>(::dlsym(library, #SYMBOL));    \
  ASSERT_TRUE(lt.NAME) << #SYMBOL;
  TENON_CUBLASLT_FUNCTIONS(TENON_GET)
#undef TENON_GET
  Lt::Product product = nullptr;
  Lt::Layout layout = nullptr;
  Lt::Preference preference = nullptr;
  ASSERT_EQ(lt.productCreate(&product, Lt::ComputeTf32, Lt::Float), 0);
  int32_t transposed = Lt::Transposed;
  uint32_t epilogue = Lt::GeluTanh | Lt::Bias;
  const void *bias = &epilogue;
  EXPECT_EQ(lt.productSet(product, Lt::TransposeA, &transposed, 4), 0);
  EXPECT_EQ(lt.productSet(product, Lt::TransposeB, &transposed, 4), 0);
  EXPECT_EQ(lt.productSet(product, Lt::EpilogueOf, &epilogue, 4), 0);
  EXPECT_EQ(lt.productSet(product, Lt::BiasPointer, &bias, 8), 0);
  EXPECT_NE(lt.productSet(product, Lt::BiasPointer, &bias, 4), 0);
  ASSERT_EQ(lt.layoutCreate(&layout, Lt::Half, 8, 16, 8), 0);
  int32_t count = 3;
  int64_t stride = 128;
  EXPECT_EQ(lt.layoutSet(layout, Lt::BatchCount, &count, 4), 0);
  EXPECT_EQ(lt.layoutSet(layout, Lt::BatchStride, &stride, 8), 0);
  ASSERT_EQ(lt.preferenceCreate(&preference), 0);
  uint64_t bytes = 1 << 20;
  uint32_t schemes = Lt::ReduceInComputeType, alignment = 16;
  EXPECT_EQ(lt.preferenceSet(preference, Lt::MaxWorkspaceBytes, &bytes, 8), 0);
  EXPECT_EQ(lt.preferenceSet(preference, Lt::ReductionSchemes, &schemes, 4), 0);
  for (int operand :
       {Lt::AlignmentA, Lt::AlignmentB, Lt::AlignmentC, Lt::AlignmentD})
    EXPECT_EQ(lt.preferenceSet(preference, operand, &alignment, 4), 0);
  EXPECT_EQ(lt.preferenceDestroy(preference), 0);
  EXPECT_EQ(lt.layoutDestroy(layout), 0);
  EXPECT_EQ(lt.productDestroy(product), 0);
}

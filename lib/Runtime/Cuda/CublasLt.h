//===- CublasLt.h - the cuBLASLt functions that Tenon calls ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The declarations are repeated here, because Tenon is built without the CUDA
// toolkit; a test compares them with cublasLt.h if that is found. The library
// is opened when a model that calls it is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CUBLASLT_H
#define TENON_LIB_RUNTIME_CUDA_CUBLASLT_H

#include "Driver.h"

namespace tenon::runtime::cuda {

struct CublasLt {
  using Status = int; // cublasStatus_t
  enum : Status { Success = 0, NotSupported = 15 };
  using Handle = struct CublasLtTag *;
  using Product = struct CublasLtMatmulTag *;  // cublasLtMatmulDesc_t
  using Layout = struct CublasLtLayoutTag *;   // cublasLtMatrixLayout_t
  using Preference = struct CublasLtPrefTag *; // cublasLtMatmulPreference_t
  struct Algorithm {                           // cublasLtMatmulAlgo_t
    uint64_t data[8];
  };
  struct Found { // cublasLtMatmulHeuristicResult_t
    Algorithm algorithm;
    size_t workspaceBytes;
    Status state;
    float waves;
    int reserved[4];
  };

  // cudaDataType_t
  enum : int { Float = 0, Half = 2, BFloat = 14 };
  // cublasComputeType_t
  enum : int { Compute32 = 68, ComputeTf32 = 77 };
  // cublasOperation_t
  enum : int32_t { AsItIs = 0, Transposed = 1 };
  // cublasLtMatmulDescAttributes_t
  enum : int {
    TransposeA = 3,  // int32_t
    TransposeB = 4,  // int32_t
    EpilogueOf = 7,  // uint32_t
    BiasPointer = 8, // const void *
  };
  // cublasLtEpilogue_t; Bias is a bit that combines with the others.
  enum : uint32_t { NoEpilogue = 1, Relu = 2, Bias = 4, GeluTanh = 32 };
  // cublasLtMatrixLayoutAttribute_t
  enum : int {
    BatchCount = 5, // int32_t
    BatchStride = 6 // int64_t, in elements
  };
  // cublasLtMatmulPreferenceAttributes_t
  enum : int {
    MaxWorkspaceBytes = 1, // uint64_t
    ReductionSchemes = 3,  // uint32_t
    AlignmentA = 5,        // uint32_t, like B, C and D
    AlignmentB = 6,
    AlignmentC = 7,
    AlignmentD = 8
  };
  // cublasLtReductionScheme_t: partial sums are added in the compute type.
  enum : uint32_t { ReduceInComputeType = 2 };
  // cublasLtMatmulAlgoConfigAttributes_t
  enum : int { AlgorithmId = 0 }; // int32_t

/// Name here, name in the library, return type, parameters.
#define TENON_CUBLASLT_FUNCTIONS(F)                                            \
  F(getVersion, cublasLtGetVersion, size_t, ())                                \
  F(getStatusName, cublasLtGetStatusName, const char *, (Status))              \
  F(getStatusString, cublasLtGetStatusString, const char *, (Status))          \
  F(create, cublasLtCreate, Status, (Handle *))                                \
  F(destroy, cublasLtDestroy, Status, (Handle))                                \
  F(productCreate, cublasLtMatmulDescCreate, Status, (Product *, int, int))    \
  F(productDestroy, cublasLtMatmulDescDestroy, Status, (Product))              \
  F(productSet, cublasLtMatmulDescSetAttribute, Status,                        \
    (Product, int, const void *, size_t))                                      \
  F(layoutCreate, cublasLtMatrixLayoutCreate, Status,                          \
    (Layout *, int, uint64_t, uint64_t, int64_t))                              \
  F(layoutDestroy, cublasLtMatrixLayoutDestroy, Status, (Layout))              \
  F(layoutSet, cublasLtMatrixLayoutSetAttribute, Status,                       \
    (Layout, int, const void *, size_t))                                       \
  F(preferenceCreate, cublasLtMatmulPreferenceCreate, Status, (Preference *))  \
  F(preferenceDestroy, cublasLtMatmulPreferenceDestroy, Status, (Preference))  \
  F(preferenceSet, cublasLtMatmulPreferenceSetAttribute, Status,               \
    (Preference, int, const void *, size_t))                                   \
  F(findAlgorithm, cublasLtMatmulAlgoGetHeuristic, Status,                     \
    (Handle, Product, Layout, Layout, Layout, Layout, Preference, int,         \
     Found *, int *))                                                          \
  F(algorithmGet, cublasLtMatmulAlgoConfigGetAttribute, Status,                \
    (const Algorithm *, int, void *, size_t, size_t *))                        \
  F(matmul, cublasLtMatmul, Status,                                            \
    (Handle, Product, const void *, const void *, Layout, const void *,        \
     Layout, const void *, const void *, Layout, void *, Layout,               \
     const Algorithm *, void *, size_t, Stream))

#define TENON_DECLARE(NAME, SYMBOL, RESULT, PARAMETERS)                        \
  RESULT(*NAME) PARAMETERS = nullptr;
  TENON_CUBLASLT_FUNCTIONS(TENON_DECLARE)
#undef TENON_DECLARE

  /// Belongs to the context that was current when it was opened.
  Handle handle = nullptr;

  /// Opens the library, libcublasLt.so.13 or .12 (first the one that matches
  /// the driver) or the one that the environment variable TENON_CUBLASLT names,
  /// and makes a handle.
  static artifact::Expected<CublasLt> open(const Driver &driver);

  /// For example "CUBLAS_STATUS_NOT_SUPPORTED (...)".
  std::string describe(Status status) const;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUBLASLT_H

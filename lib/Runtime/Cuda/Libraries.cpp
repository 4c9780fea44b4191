//===- Libraries.cpp - the CUDA libraries that a model calls --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"
#include "LibraryFile.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// For example "12.1.0"; `version` is in the format of cublasLtGetVersion().
static std::string formatVersion(size_t version) {
  return concat(version / 10000, ".", version / 100 % 100, ".", version % 100);
}

/// Earlier versions compute wrong products of 16-bit matrices whose row stride
/// is much larger than the row length. (PyTorch excludes these versions, too.)
static constexpr size_t firstVersion = 120100;

Expected<CublasLt> CublasLt::open(const Driver &driver) {
  LibraryNames names{"cuBLASLt",
                     "compile with --without=cublaslt",
                     "TENON_CUBLASLT",
                     {"libcublasLt.so.13", "libcublasLt.so.12"}};
  if (driver.version < 13000)
    std::swap(names.files[0], names.files[1]);
  CublasLt lt;
  auto start = [&](void *library, const std::string &file) -> artifact::Status {
    const char *missing = nullptr;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  find(library, #SYMBOL, lt.NAME, missing);
    TENON_CUBLASLT_FUNCTIONS(TENON_GET)
#undef TENON_GET
    if (missing)
      return makeError("the library cuBLASLt (", file,
                       ") is too old: it lacks ", missing);
    size_t version = lt.getVersion();
    if (version < firstVersion)
      return makeError("the library cuBLASLt (", file,
                       ") is too old: expected version ",
                       formatVersion(firstVersion), " or later, but got ",
                       formatVersion(version),
                       ", whose products of 16-bit matrices can be wrong");
    if (Status status = lt.create(&lt.handle); status != Success)
      return makeError("the library cuBLASLt (", file,
                       ") does not start: ", lt.describe(status));
    return artifact::Status::success();
  };
  if (artifact::Status status = openLibrary(names, start); !status)
    return status.takeError();
  return lt;
}

std::string CublasLt::describe(Status status) const {
  const char *name = getStatusName(status), *text = getStatusString(status);
  return concat(name ? name : "an unknown status", " (",
                text ? text : "no explanation", ")");
}

Expected<CuDnn> CuDnn::open(Stream stream) {
  CuDnn dnn;
  auto start = [&](void *library, const std::string &file) -> artifact::Status {
    const char *missing = nullptr;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  find(library, #SYMBOL, dnn.NAME, missing);
    TENON_CUDNN_FUNCTIONS(TENON_GET)
#undef TENON_GET
    if (missing)
      return makeError("the library cuDNN (", file, ") is too old: it lacks ",
                       missing);
    Status status = dnn.create(&dnn.handle);
    if (status == Success) {
      status = dnn.setStream(dnn.handle, stream);
      if (status != Success)
        dnn.destroy(dnn.handle);
    }
    if (status != Success)
      return makeError("the library cuDNN (", file,
                       ") does not start: ", dnn.describe(status));
    return artifact::Status::success();
  };
  if (artifact::Status status = openLibrary({"cuDNN",
                                             "compile with --without=cudnn",
                                             "TENON_CUDNN",
                                             {"libcudnn.so.9"}},
                                            start);
      !status)
    return status.takeError();
  return dnn;
}

std::string CuDnn::describe(Status status) const {
  const char *name = getErrorString(status);
  char text[256] = "";
  getLastError(text, sizeof text);
  text[sizeof text - 1] = '\0';
  std::string result = name ? name : "an unknown status";
  return *text ? concat(result, " (", text, ")") : result;
}

Expected<const CublasLt *> Libraries::cublasLt() {
  if (!blas) {
    Expected<CublasLt> opened = CublasLt::open(ownDevice.driver());
    if (!opened)
      return opened.takeError();
    blas = *opened;
  }
  return static_cast<const CublasLt *>(&*blas);
}

Expected<const CuDnn *> Libraries::cuDnn() {
  if (!dnn) {
    Expected<CuDnn> opened = CuDnn::open(ownDevice.stream());
    if (!opened)
      return opened.takeError();
    dnn = *opened;
  }
  return static_cast<const CuDnn *>(&*dnn);
}

void Libraries::close() {
  if (blas && !ownDevice.isGone())
    blas->destroy(blas->handle);
  if (dnn && !ownDevice.isGone())
    dnn->destroy(dnn->handle);
  blas.reset();
  dnn.reset();
}

} // namespace tenon::runtime::cuda

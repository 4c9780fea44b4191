//===- Libraries.cpp - the libraries of CUDA that a model calls -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

namespace {
/// A library as messages name it.
struct Wanted {
  const char *name;     // "cuBLASLt"
  const char *backend;  // "cublaslt"
  const char *variable; // names the file in place of `files`
  std::vector<const char *> files;
};

struct Opened {
  void *library;
  std::string file;
};
} // namespace

static Expected<Opened> openLibrary(const Wanted &wanted) {
  std::vector<const char *> files = wanted.files;
  if (const char *named = std::getenv(wanted.variable); named && *named)
    files = {named};
  std::string reason;
  for (const char *file : files) {
    if (void *library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL))
      return Opened{library, file};
    const char *text = ::dlerror();
    if (reason.empty())
      reason = text ? text : "unknown reason";
  }
  std::string tried = files[0];
  if (files.size() > 1)
    tried = concat("neither ", files[0], " nor ", files[1]);
  return makeError(
      "this artifact calls ", wanted.name, ", but ", tried,
      files.size() > 1 ? " can be opened: " : " can't be opened: ", reason,
      "; install it, or compile with --without=", wanted.backend);
}

/// Finds one function; `missing` keeps the first that is not there.
template <typename F>
static void find(void *library, const char *symbol, F &function,
                 const char *&missing) {
  function = reinterpret_cast<F>(::dlsym(library, symbol));
  if (!function && !missing)
    missing = symbol;
}

Expected<CublasLt> CublasLt::open(const Driver &driver) {
  Wanted wanted{"cuBLASLt",
                "cublaslt",
                "TENON_CUBLASLT",
                {"libcublasLt.so.13", "libcublasLt.so.12"}};
  if (driver.version < 13000)
    std::swap(wanted.files[0], wanted.files[1]);
  Expected<Opened> opened = openLibrary(wanted);
  if (!opened)
    return opened.takeError();
  CublasLt lt;
  const char *missing = nullptr;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  find(opened->library, #SYMBOL, lt.NAME, missing);
  TENON_CUBLASLT_FUNCTIONS(TENON_GET)
#undef TENON_GET
  if (missing)
    return makeError("the library cuBLASLt (", opened->file,
                     ") is too old: it lacks ", missing);
  if (Status status = lt.create(&lt.handle); status != Success)
    return makeError("the library cuBLASLt (", opened->file,
                     ") does not start: ", lt.describe(status));
  return lt;
}

std::string CublasLt::describe(Status status) const {
  const char *name = getStatusName(status), *text = getStatusString(status);
  return concat(name ? name : "an unknown status", " (",
                text ? text : "no explanation", ")");
}

Expected<CuDnn> CuDnn::open(Stream stream) {
  Expected<Opened> opened =
      openLibrary({"cuDNN", "cudnn", "TENON_CUDNN", {"libcudnn.so.9"}});
  if (!opened)
    return opened.takeError();
  CuDnn dnn;
  const char *missing = nullptr;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  find(opened->library, #SYMBOL, dnn.NAME, missing);
  TENON_CUDNN_FUNCTIONS(TENON_GET)
#undef TENON_GET
  if (missing)
    return makeError("the library cuDNN (", opened->file,
                     ") is too old: it lacks ", missing);
  Status status = dnn.create(&dnn.handle);
  if (status == Success) {
    status = dnn.setStream(dnn.handle, stream);
    if (status != Success)
      dnn.destroy(dnn.handle);
  }
  if (status != Success)
    return makeError("the library cuDNN (", opened->file,
                     ") does not start: ", dnn.describe(status));
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
  if (blas)
    blas->destroy(blas->handle);
  if (dnn)
    dnn->destroy(dnn->handle);
  blas.reset();
  dnn.reset();
}

} // namespace tenon::runtime::cuda

//===- OpenMpi.cpp - the functions of Open MPI ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenMpi.h"

#include <dlfcn.h>
#include <string>
#include <type_traits>

using namespace tenon::artifact;

namespace tenon::runtime {

Expected<OpenMpi> OpenMpi::open() {
  // RTLD_GLOBAL, because Open MPI's plugins look up its symbols.
  void *library = nullptr;
  for (const char *name : {"libmpi.so.40", "libmpi.so"})
    if (!library)
      library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return makeError("cannot open Open MPI: ", ::dlerror(),
                     " (Debian: package libopenmpi3)");
  OpenMpi mpi = {};
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    void *symbol = ::dlsym(library, name);
    if (!symbol && missing.empty())
      missing = name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
  };
  find(mpi.Initialized, "MPI_Initialized");
  find(mpi.Init_thread, "MPI_Init_thread");
  find(mpi.Query_thread, "MPI_Query_thread");
  find(mpi.Comm_rank, "MPI_Comm_rank");
  find(mpi.Comm_size, "MPI_Comm_size");
  find(mpi.Isend, "MPI_Isend");
  find(mpi.Irecv, "MPI_Irecv");
  find(mpi.Test, "MPI_Test");
  find(mpi.Abort, "MPI_Abort");
  find(mpi.Finalize, "MPI_Finalize");
  find(mpi.world, "ompi_mpi_comm_world");
  find(mpi.byte, "ompi_mpi_byte");
  if (!missing.empty())
    return makeError("expected Open MPI, but libmpi.so has no '", missing, "'");
  return mpi;
}

} // namespace tenon::runtime

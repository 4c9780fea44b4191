//===- OpenMpi.h - the functions of Open MPI ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Open MPI is opened at run time, so that programs and artifacts start on
// machines without it. Its handles are addresses of objects in the library, so
// other implementations of MPI are not supported.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_OPENMPI_H
#define TENON_LIB_RUNTIME_PIPELINE_OPENMPI_H

#include "tenon/Artifact/Status.h"

#include <cstddef>

namespace tenon::runtime {

/// The functions that are used. Handles are pointers; null is
/// MPI_STATUS_IGNORE.
struct OpenMpi {
  int (*Initialized)(int *);
  int (*Init_thread)(int *, char ***, int, int *);
  int (*Query_thread)(int *);
  int (*Comm_rank)(void *, int *);
  int (*Comm_size)(void *, int *);
  int (*Isend)(const void *, int, void *, int, int, void *, void **);
  int (*Irecv)(void *, int, void *, int, int, void *, void **);
  int (*Test)(void **, int *, void *);
  int (*Abort)(void *, int);
  int (*Finalize)();
  void *world; // MPI_COMM_WORLD
  void *byte;  // MPI_BYTE

  /// Fails with a reason if the library can't be opened.
  static artifact::Expected<OpenMpi> open();
};

/// The support of threads that is asked for, and that is there.
constexpr int mpiThreadSerialized = 2, mpiThreadMultiple = 3;
/// MPI counts are ints: longer messages are sent in several parts.
constexpr size_t mostMpiBytes = size_t(1) << 30;

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_OPENMPI_H

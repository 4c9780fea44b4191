/*===- thunks.h - the C functions of an artifact
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

/* What tenon-compile emits into each artifact, for `the_artifact`; PREFIX names
 * the functions. */

#include "tenon/Artifact/RuntimeFunctions.h"

#ifndef PREFIX
#define PREFIX tenon
#endif
#define JOIN_NAMES(PREFIX, NAME) PREFIX##_##NAME
#define PUBLIC_NAME(PREFIX, NAME) JOIN_NAMES(PREFIX, NAME)

#pragma GCC diagnostic ignored "-Wpedantic"
#define THUNK_OF_ARTIFACT(RESULT, NAME, PARAMETERS, RUNTIME, ARGUMENTS)        \
  RESULT PUBLIC_NAME(PREFIX, NAME) PARAMETERS {                                \
    const tenon_artifact *artifact = &the_artifact;                            \
    return tenon_runtime_##NAME ARGUMENTS;                                     \
  }
#define THUNK(RESULT, NAME, PARAMETERS, ARGUMENTS)                             \
  RESULT PUBLIC_NAME(PREFIX, NAME) PARAMETERS {                                \
    return tenon_runtime_##NAME ARGUMENTS;                                     \
  }
TENON_RUNTIME_FUNCTIONS(THUNK_OF_ARTIFACT, THUNK)

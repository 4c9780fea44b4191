/*===- newer-cpu.c - an artifact for a processor to come
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

#define CPU_FEATURES (1u << 31)
#include "affine.c"

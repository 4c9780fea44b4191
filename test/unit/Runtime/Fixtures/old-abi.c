/*===- old-abi.c - an artifact of another version
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

#define ABI_VERSION 1000
#include "affine.c"

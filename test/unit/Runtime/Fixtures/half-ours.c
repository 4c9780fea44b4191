/*===- half-ours.c - an artifact that lacks functions
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

#include <stdint.h>

uint32_t tenon_abi_version(void) { return 1; }

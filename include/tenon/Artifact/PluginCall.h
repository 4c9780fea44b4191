//===- PluginCall.h - steps that run plug-in kernels ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table entry of a step of kind TENON_STEP_PLUGIN: which plug-in to open
// (tenon/Artifact/Backend.h), and the problem that it gets. The step's buffers
// are the operands of the pattern, then its results. As in Program.h, field
// order is part of the contract with lib/Emit.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_PLUGINCALL_H
#define TENON_ARTIFACT_PLUGINCALL_H

#include "tenon/Artifact/Program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_plugin_operand {
  tenon_dtype dtype;
  int32_t rank;        // of one item
  int32_t is_lifted;   // the buffer holds one tensor per item
  int32_t is_constant; // known when the model is loaded
} tenon_plugin_operand;

typedef struct tenon_plugin_call {
  const char *backend;    // the plug-in's name for itself
  const char *file;       // file name of the plug-in, without folder
  const char *pattern;    // name of the pattern
  uint64_t patterns_hash; // tenon_plugin_hash of the patterns compiled for
  int32_t num_operands;
  int32_t num_results;
  const tenon_plugin_operand *operands; // followed by the results
  int32_t num_symbols;
  const char *const *symbol_names;
  /// Writes the number of items, the values of the symbols, and the sizes of
  /// one item of all operands and results, axis by axis.
  tenon_sizes_fn sizes;
} tenon_plugin_call;

/// FNV-1a of a text.
static inline uint64_t tenon_plugin_hash(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; ++text)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_PLUGINCALL_H

//===- Plugin.h - plug-ins, opened at run time --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PLUGIN_H
#define TENON_LIB_RUNTIME_PLUGIN_H

#include "tenon/Artifact/Backend.h"
#include "tenon/Artifact/PluginCall.h"
#include "tenon/Artifact/Status.h"

namespace tenon::runtime {

/// Opens the plug-in that a step needs, and checks that it is the one that the
/// model was compiled for. It is searched for among the files of
/// TENON_BACKENDS, in the folders of TENON_BACKEND_PATH, in the artifact's
/// `folder`, in the folder of TENON_BACKEND_INSTALL (which tenon-run sets), and
/// finally by the system's loader. Plug-ins stay open until the process ends,
/// because their libraries start threads.
artifact::Expected<const tenon_backend *>
openPlugin(const tenon_plugin_call &call, const std::string &folder);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PLUGIN_H

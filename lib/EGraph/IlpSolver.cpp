//===- IlpSolver.cpp - integer linear programs to CBC ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CBC's C interface catches what its C++ code throws, and says it in the
// status. Limits are counts, never times: results are the same everywhere.
//
//===----------------------------------------------------------------------===//

#include "IlpSolver.h"

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <string>

#ifdef TENON_HAVE_CBC
#include <coin/Cbc_C_Interface.h>
#endif

using namespace tenon::egraph;

#ifndef TENON_HAVE_CBC

bool tenon::egraph::hasIlpSolver() { return false; }

IlpAnswer tenon::egraph::solveIlp(const IlpModel &, llvm::ArrayRef<double>,
                                  uint64_t) {
  return {};
}

#else

bool tenon::egraph::hasIlpSolver() { return true; }

/// The matrix by columns, as CBC takes it.
static void load(Cbc_Model *solver, const IlpModel &model) {
  const int columns = model.costs.size(), rows = model.rows.size();
  std::vector<CoinBigIndex> starts(columns + 1);
  for (const IlpModel::Row &row : model.rows)
    for (auto [column, value] : row.terms)
      ++starts[column + 1];
  for (int column = 0; column < columns; ++column)
    starts[column + 1] += starts[column];
  std::vector<int> index(starts.back());
  std::vector<double> values(starts.back()), atLeast;
  std::vector<CoinBigIndex> next(starts.begin(), starts.end() - 1);
  for (int r = 0; r < rows; ++r) {
    atLeast.push_back(model.rows[r].atLeast);
    for (auto [column, value] : model.rows[r].terms) {
      index[next[column]] = r;
      values[next[column]++] = value;
    }
  }
  std::vector<double> zeros(columns), ones(columns, 1.0);
  Cbc_loadProblem(solver, columns, rows, starts.data(), index.data(),
                  values.data(), zeros.data(), ones.data(), model.costs.data(),
                  atLeast.data(), nullptr);
  Cbc_setObjSense(solver, 1);
  // A start is matched by the names of columns. Where columns have names, Clp
  // 1.17 reads those of rows without looking whether there are any.
  for (int row = 0; row < rows; ++row)
    Cbc_setRowName(solver, row, ("r" + std::to_string(row)).c_str());
  for (int column = 0; column < columns; ++column) {
    Cbc_setColName(solver, column, ("x" + std::to_string(column)).c_str());
    if (model.integral[column])
      Cbc_setInteger(solver, column);
  }
}

IlpAnswer tenon::egraph::solveIlp(const IlpModel &model,
                                  llvm::ArrayRef<double> start,
                                  uint64_t maxTreeNodes) {
  // CBC asks for the current folder, and ends the process if that was removed.
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::current_path(folder))
    return {};
  Cbc_Model *solver = Cbc_newModel();
  load(solver, model);
  // Silent, one thread, exact to the last digit that costs have.
  Cbc_setLogLevel(solver, 0);
  Cbc_setParameter(solver, "log", "0");
  Cbc_setParameter(solver, "threads", "0");
  Cbc_setParameter(solver, "ratioGap", "0");
  Cbc_setParameter(solver, "allowableGap", "0");
  Cbc_setParameter(solver, "increment", "1e-6");
  // Its own preprocessing can leave bounds that cross, on which Clp aborts;
  // what it would take away is gone already (ExtractionIndex).
  Cbc_setParameter(solver, "preprocess", "off");
  const uint64_t maxNodes = std::min<uint64_t>(maxTreeNodes, 1u << 30);
  Cbc_setParameter(solver, "maxNodes", std::to_string(maxNodes).c_str());
  if (!start.empty()) {
    std::vector<int> columns(start.size());
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i] = i;
    Cbc_setMIPStartI(solver, columns.size(), columns.data(), start.data());
  }

  IlpAnswer answer;
  int status = -1;
  // The packaged libraries are built with assertions. One that fails must not
  // take the compiler along: it counts as no answer, and the model is left as
  // it is, since nobody knows how.
  llvm::CrashRecoveryContext::Enable();
  bool ran = llvm::CrashRecoveryContext().RunSafely(
      [&]() { status = Cbc_solve(solver); });
  llvm::CrashRecoveryContext::Disable();
  if (!ran)
    return answer;
  answer.treeNodes = std::max(0, Cbc_getNodeCount(solver));
  const double *best = Cbc_bestSolution(solver);
  if (status == 0 && Cbc_isProvenOptimal(solver) && best)
    answer.status = IlpAnswer::Optimal;
  else if (status == 1)
    answer.status = IlpAnswer::Stopped;
  if (answer.status != IlpAnswer::Failed && best)
    answer.values.assign(best, best + model.costs.size());
  Cbc_deleteModel(solver);
  return answer;
}

#endif

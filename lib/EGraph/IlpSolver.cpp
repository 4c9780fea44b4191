//===- IlpSolver.cpp - solution of integer linear programs by CBC ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CBC's C interface catches exceptions of its C++ code, and reports them in the
// status. Limits are counts, never times, so that results are reproducible.
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

/// Passes the matrix by columns, as CBC requires.
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
  // A start is matched by the names of columns. If columns have names, Clp 1.17
  // reads the names of rows without testing whether there are any.
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
  // CBC queries the current folder, and ends the process if it was removed.
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::current_path(folder))
    return {};
  Cbc_Model *solver = Cbc_newModel();
  load(solver, model);
  // No output, one thread, and no tolerance for the gap.
  Cbc_setLogLevel(solver, 0);
  Cbc_setParameter(solver, "log", "0");
  Cbc_setParameter(solver, "threads", "0");
  Cbc_setParameter(solver, "ratioGap", "0");
  Cbc_setParameter(solver, "allowableGap", "0");
  Cbc_setParameter(solver, "increment", "1e-6");
  // CBC's preprocessing can produce contradictory bounds, on which Clp aborts.
  // ExtractionIndex has already removed what it would remove.
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
  // The packaged libraries are built with assertions. A failed assertion must
  // not end the compiler: it counts as no answer, and the model is leaked,
  // because its state is unknown.
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

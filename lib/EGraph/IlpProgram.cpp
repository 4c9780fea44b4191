//===- IlpProgram.cpp - extraction as an integer linear program -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IlpProgram.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::egraph;

/// Costs are scaled so that the bound becomes this value, compared to which the
/// solver's tolerances, 1e-6 and below, are negligible.
static constexpr double scaledCost = 1e4;

IlpProgram::IlpProgram(const ExtractionIndex &index, double bound)
    : index(index), column(index.inputs.size(), -1),
      classColumn(index.givers.size(), -1), component(index.givers.size(), -1),
      levelColumn(index.givers.size(), -1) {
  for (unsigned n = 0; n < index.outputs.size(); ++n)
    if (!index.outputs[n].empty() && index.costs[n] <= bound)
      column[n] = addColumn(index.costs[n] * (scaledCost / bound), true);
  for (unsigned c = 0; c < index.givers.size(); ++c)
    if (!index.givers[c].empty())
      classColumn[c] = addColumn(0, false);
  for (unsigned c : index.roots)
    model.rows.push_back({{{classColumn[c], 1}}, 1});
  for (unsigned c = 0; c < index.givers.size(); ++c)
    if (classColumn[c] != -1)
      addNeeds(c);
}

int IlpProgram::addColumn(double cost, bool integral) {
  model.costs.push_back(cost);
  model.integral.push_back(integral);
  return model.costs.size() - 1;
}

/// If a chosen node reads class c, the class is needed, and a node must provide
/// it.
void IlpProgram::addNeeds(unsigned c) {
  IlpModel::Row given;
  for (unsigned n : index.givers[c])
    if (column[n] != -1)
      given.terms.push_back({column[n], 1});
  given.terms.push_back({classColumn[c], -1});
  model.rows.push_back(std::move(given));

  // Among nodes with only this one result, at most one is chosen, because each
  // would be chosen only for that class. Together they need class c once.
  std::vector<std::pair<unsigned, unsigned>> single;
  for (unsigned n : index.readers[c]) {
    if (column[n] == -1)
      continue;
    if (index.outputs[n].size() == 1)
      single.push_back({index.outputs[n][0], n});
    else
      model.rows.push_back({{{classColumn[c], 1}, {column[n], -1}}, 0});
  }
  llvm::sort(single);
  for (size_t i = 0; i < single.size();) {
    IlpModel::Row row;
    row.terms.push_back({classColumn[c], 1});
    for (unsigned output = single[i].first;
         i < single.size() && single[i].first == output; ++i)
      row.terms.push_back({column[single[i].second], -1});
    model.rows.push_back(std::move(row));
  }
}

std::vector<double> IlpProgram::getValues(const Extraction &choice) const {
  std::vector<double> values(model.costs.size());
  for (unsigned n : choice.nodes) {
    values[column[n]] = 1;
    for (unsigned c : index.outputs[n]) {
      if (choice.provider[c] != int(n))
        continue;
      values[classColumn[c]] = 1;
      if (levelColumn[c] == -1)
        continue;
      double &level = values[levelColumn[c]];
      for (unsigned input : index.inputs[n])
        if (component[input] == component[c])
          level = std::max(level, values[levelColumn[input]] +
                                      1.0 / componentSize[component[c]]);
    }
  }
  for (const Selection &selection : selections)
    values[selection.column] =
        choice.provider[selection.cls] == int(selection.node);
  return values;
}

bool IlpProgram::isChosen(unsigned n, llvm::ArrayRef<double> values) const {
  return column[n] != -1 && values[column[n]] > 0.5;
}

bool IlpProgram::givesRoots(llvm::ArrayRef<int> provider) const {
  return llvm::all_of(index.roots,
                      [&](unsigned c) { return provider[c] != -1; });
}

std::vector<int> IlpProgram::derive(llvm::ArrayRef<double> values) const {
  std::vector<int> provider(index.givers.size(), -1);
  extend(values, provider);
  return provider;
}

/// Adds the classes that can be derived from those that have a provider.
void IlpProgram::extend(llvm::ArrayRef<double> values,
                        std::vector<int> &provider) const {
  std::vector<unsigned> missing(index.inputs.size());
  std::vector<unsigned> ready;
  for (unsigned n = 0; n < index.inputs.size(); ++n) {
    missing[n] = llvm::count_if(index.inputs[n],
                                [&](unsigned c) { return provider[c] == -1; });
    if (isChosen(n, values) && missing[n] == 0)
      ready.push_back(n);
  }
  for (size_t i = 0; i < ready.size(); ++i)
    for (unsigned c : index.outputs[ready[i]]) {
      if (provider[c] != -1)
        continue;
      provider[c] = ready[i];
      for (unsigned reader : index.readers[c])
        if (--missing[reader] == 0 && isChosen(reader, values))
          ready.push_back(reader);
    }
}

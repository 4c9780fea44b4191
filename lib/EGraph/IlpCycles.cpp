//===- IlpCycles.cpp - elimination of cycles from an integer program ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IlpProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace tenon::egraph;

using List = ExtractionIndex::List;

/// Computes the strongly connected components that are reachable from `roots`
/// (Tarjan's algorithm, without recursion because graphs are thousands of nodes
/// deep).
static std::vector<List>
findComponents(unsigned numClasses, llvm::ArrayRef<unsigned> roots,
               llvm::function_ref<List(unsigned)> getNext) {
  struct Frame {
    unsigned cls;
    List next;
  };
  std::vector<unsigned> number(numClasses), low(numClasses);
  std::vector<char> closed(numClasses);
  std::vector<unsigned> open;
  std::vector<Frame> stack;
  std::vector<List> components;
  unsigned count = 0;
  auto enter = [&](unsigned c) {
    number[c] = low[c] = ++count;
    open.push_back(c);
    stack.push_back({c, getNext(c)});
  };
  for (unsigned root : roots) {
    if (number[root] == 0)
      enter(root);
    while (!stack.empty()) {
      unsigned c = stack.back().cls;
      if (!stack.back().next.empty()) {
        unsigned next = stack.back().next.pop_back_val();
        if (number[next] == 0)
          enter(next);
        else if (!closed[next])
          low[c] = std::min(low[c], number[next]);
        continue;
      }
      stack.pop_back();
      if (!stack.empty())
        low[stack.back().cls] = std::min(low[stack.back().cls], low[c]);
      if (low[c] != number[c])
        continue;
      auto begin = llvm::find(open, c);
      components.emplace_back(begin, open.end());
      open.erase(begin, open.end());
      for (unsigned member : components.back())
        closed[member] = true;
    }
  }
  return components;
}

/// If a class of the set is needed, it must be provided, directly or
/// indirectly, by a node that needs no class of the set.
void IlpProgram::addLoopFormulas(llvm::ArrayRef<unsigned> set) {
  List outside;
  for (unsigned c : set)
    for (unsigned n : index.givers[c])
      if (column[n] != -1 && llvm::none_of(index.inputs[n], [&](unsigned in) {
            return llvm::is_contained(set, in);
          }))
        outside.push_back(n);
  llvm::sort(outside);
  outside.erase(llvm::unique(outside), outside.end());
  IlpModel::Row given;
  for (unsigned n : outside)
    given.terms.push_back({column[n], 1});
  for (unsigned c : set) {
    IlpModel::Row row = given;
    row.terms.push_back({classColumn[c], -1});
    model.rows.push_back(std::move(row));
  }
}

// Most cycles have two classes: a view and its inverse, or a merge and a slice.
void IlpProgram::cutPairs() {
  for (unsigned c = 0; c < index.givers.size(); ++c) {
    List partners;
    for (unsigned n : index.givers[c])
      for (unsigned input : index.inputs[n])
        if (input > c && llvm::any_of(index.givers[input], [&](unsigned giver) {
              return llvm::binary_search(index.inputs[giver], c);
            }))
          partners.push_back(input);
    llvm::sort(partners);
    partners.erase(llvm::unique(partners), partners.end());
    for (unsigned partner : partners)
      addLoopFormulas({c, partner});
  }
}

void IlpProgram::cutCycles(llvm::ArrayRef<double> values) {
  std::vector<int> provider = derive(values);
  // Returns the needs of a class that has no derivation.
  auto getNext = [&](unsigned c) {
    List next;
    if (provider[c] == -1)
      for (unsigned n : index.givers[c])
        if (isChosen(n, values))
          for (unsigned input : index.inputs[n])
            if (provider[input] == -1)
              next.push_back(input);
    return next;
  };
  // Components that need no other component are cycles without an entry.
  // Components that need them may have their own cycles, so continue as if the
  // former were provided.
  while (!givesRoots(provider)) {
    List cut;
    for (const List &set :
         findComponents(index.givers.size(), index.roots, getNext)) {
      if (provider[set[0]] != -1 || llvm::any_of(set, [&](unsigned c) {
            return llvm::any_of(getNext(c), [&](unsigned next) {
              return !llvm::is_contained(set, next);
            });
          }))
        continue;
      addLoopFormulas(set);
      cut.append(set);
    }
    for (unsigned c : cut)
      provider[c] = index.givers[c].front();
    extend(values, provider);
  }
}

/// Returns the variable that is 1 if node `n` provides class `c`.
int IlpProgram::addSelection(unsigned n, unsigned c) {
  // A node with one result is chosen only to provide that result.
  if (index.outputs[n].size() == 1)
    return column[n];
  int selected = addColumn(0, true);
  selections.push_back({n, c, selected});
  model.rows.push_back({{{column[n], 1}, {selected, -1}}, 0});
  return selected;
}

void IlpProgram::addLevels() {
  auto getNext = [&](unsigned c) {
    List next;
    for (unsigned n : index.givers[c])
      if (column[n] != -1)
        next.append(index.inputs[n]);
    return next;
  };
  for (const List &set :
       findComponents(index.givers.size(), index.roots, getNext)) {
    if (set.size() == 1)
      continue;
    for (unsigned c : set) {
      component[c] = componentSize.size();
      levelColumn[c] = addColumn(0, false);
    }
    componentSize.push_back(set.size());
  }
  for (unsigned c = 0; c < index.givers.size(); ++c) {
    if (component[c] == -1)
      continue;
    const double step = 1.0 / componentSize[component[c]];
    IlpModel::Row given;
    for (unsigned n : index.givers[c]) {
      if (column[n] == -1)
        continue;
      int selected = addSelection(n, c);
      given.terms.push_back({selected, 1});
      // If it is not selected, the row only requires that levels are below 1.
      for (unsigned input : index.inputs[n])
        if (component[input] == component[c])
          model.rows.push_back(
              {{{levelColumn[c], 1}, {levelColumn[input], -1}, {selected, -1}},
               step - 1});
    }
    given.terms.push_back({classColumn[c], -1});
    model.rows.push_back(std::move(given));
  }
}

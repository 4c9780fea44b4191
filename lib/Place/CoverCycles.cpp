//===- CoverCycles.cpp - cycles among chosen subgraphs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverCycles.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tenon::place;

/// Returns, for each option of the cover, the options that read its items,
/// ascending. A cover of only some of the items has no edges to the others.
static std::vector<std::vector<unsigned>>
findReaders(const CoverProblem &problem, const std::vector<unsigned> &cover) {
  constexpr unsigned kNone = ~0u;
  std::vector<unsigned> ownerOf(problem.users.size(), kNone);
  for (auto [number, option] : llvm::enumerate(cover))
    for (unsigned item : problem.options[option].items)
      ownerOf[item] = number;
  std::vector<std::vector<unsigned>> readers(cover.size());
  for (auto [number, option] : llvm::enumerate(cover)) {
    std::vector<unsigned> &own = readers[number];
    for (unsigned item : problem.options[option].items)
      for (unsigned user : problem.users[item])
        if (ownerOf[user] != kNone && ownerOf[user] != number)
          own.push_back(ownerOf[user]);
    llvm::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return readers;
}

std::vector<unsigned>
tenon::place::findCycle(const CoverProblem &problem,
                        const std::vector<unsigned> &cover) {
  std::vector<std::vector<unsigned>> readers = findReaders(problem, cover);
  // Depth-first search with an explicit stack, because graphs may be long.
  enum { Unseen, Open, Done };
  std::vector<char> state(cover.size(), Unseen);
  std::vector<std::pair<unsigned, unsigned>> path; // also the next reader
  for (unsigned start = 0; start < cover.size(); ++start) {
    if (state[start] != Unseen)
      continue;
    path.push_back({start, 0});
    state[start] = Open;
    while (!path.empty()) {
      auto &[node, next] = path.back();
      if (next == readers[node].size()) {
        state[node] = Done;
        path.pop_back();
        continue;
      }
      unsigned to = readers[node][next++];
      if (state[to] == Open) {
        std::vector<unsigned> cycle;
        for (unsigned i = path.size(); i-- > 0;) {
          cycle.push_back(cover[path[i].first]);
          if (path[i].first == to)
            return cycle;
        }
      }
      if (state[to] == Unseen) {
        state[to] = Open;
        path.push_back({to, 0});
      }
    }
  }
  return {};
}

namespace {
/// Tarjan's algorithm with an explicit stack.
class Components {
public:
  explicit Components(const std::vector<std::vector<unsigned>> &next)
      : next(next), index(next.size(), 0), low(next.size(), 0),
        isOpen(next.size(), false) {}

  /// Returns the components of more than one node, each ascending.
  std::vector<std::vector<unsigned>> run();

private:
  void enter(unsigned node) {
    index[node] = low[node] = ++count;
    isOpen[node] = true;
    open.push_back(node);
    path.push_back({node, 0});
  }
  void leave(unsigned node);

  const std::vector<std::vector<unsigned>> &next;
  std::vector<unsigned> index, low; // from 1 on; 0 if not visited
  std::vector<bool> isOpen;
  std::vector<unsigned> open;
  std::vector<std::pair<unsigned, unsigned>> path; // also the next edge
  unsigned count = 0;
  std::vector<std::vector<unsigned>> found;
};
} // namespace

void Components::leave(unsigned node) {
  path.pop_back();
  if (!path.empty())
    low[path.back().first] = std::min(low[path.back().first], low[node]);
  if (low[node] != index[node])
    return;
  std::vector<unsigned> component;
  do {
    component.push_back(open.back());
    isOpen[open.back()] = false;
    open.pop_back();
  } while (component.back() != node);
  if (component.size() == 1)
    return;
  llvm::sort(component);
  found.push_back(std::move(component));
}

std::vector<std::vector<unsigned>> Components::run() {
  for (unsigned start = 0; start < next.size(); ++start) {
    if (index[start])
      continue;
    enter(start);
    while (!path.empty()) {
      auto &[node, edge] = path.back();
      if (edge == next[node].size()) {
        leave(node);
        continue;
      }
      unsigned to = next[node][edge++];
      if (!index[to])
        enter(to);
      else if (isOpen[to])
        low[node] = std::min(low[node], index[to]);
    }
  }
  return std::move(found);
}

std::vector<std::vector<unsigned>>
tenon::place::findTangles(const CoverProblem &problem,
                          const std::vector<unsigned> &cover) {
  std::vector<std::vector<unsigned>> readers = findReaders(problem, cover);
  std::vector<std::vector<unsigned>> tangles = Components(readers).run();
  for (std::vector<unsigned> &tangle : tangles)
    for (unsigned &member : tangle)
      member = cover[member];
  return tangles;
}

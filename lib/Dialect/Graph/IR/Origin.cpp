//===- Origin.cpp - texts that identify values ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Origin.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;

static constexpr size_t mostPlaces = 16;

static void addPlaces(Location loc, std::vector<std::string> &places) {
  auto add = [&](std::string place) {
    for (char &character : place)
      if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f)
        character = '?';
    if (!llvm::is_contained(places, place))
      places.push_back(std::move(place));
  };
  if (auto name = dyn_cast<NameLoc>(loc)) {
    if (name.getName().empty())
      return addPlaces(name.getChildLoc(), places);
    return add(name.getName().str());
  }
  if (auto line = dyn_cast<FileLineColRange>(loc))
    return add(llvm::sys::path::filename(line.getFilename()).str() + ":" +
               std::to_string(line.getStartLine()) + ":" +
               std::to_string(line.getStartColumn()));
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return addPlaces(call.getCallee(), places);
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      addPlaces(part, places);
}

std::vector<std::string> tenon::graph::getPlaces(Location loc) {
  std::vector<std::string> places;
  addPlaces(loc, places);
  if (places.size() > mostPlaces) {
    places.resize(mostPlaces - 1);
    places.push_back("...");
  }
  return places;
}

std::string tenon::graph::getOrigin(OpResult result) {
  Operation *op = result.getOwner();
  std::string text;
  for (const std::string &place : getPlaces(op->getLoc()))
    text += (text.empty() ? "" : "\t") + place;
  if (!text.empty())
    text += " ";
  text += op->getName().getStringRef();
  if (op->getNumResults() > 1)
    text += "#" + std::to_string(result.getResultNumber());
  return text;
}

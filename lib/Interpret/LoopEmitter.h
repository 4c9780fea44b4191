//===- LoopEmitter.h - instructions of loop programs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_LOOPEMITTER_H
#define TENON_LIB_INTERPRET_LOOPEMITTER_H

#include "LoopProgram.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::interpret::loops {

/// Appends instructions to a program, each in a scope.
class LoopEmitter {
protected:
  /// The register of a value, and the scope from which on it is known.
  struct Value {
    Register reg = none;
    int scope = Program::once;
    bool isVector = false;
  };

  explicit LoopEmitter(llvm::ArrayRef<int64_t> shape) {
    program.shape.assign(shape.begin(), shape.end());
    program.axes.assign(shape.size(), none);
    program.scopes.push_back({-1, 0, {}});
    program.scopes.push_back({Program::once, 1, {}});
  }

  Register newRegister(bool isVector) {
    program.isVector.push_back(isVector);
    return program.isVector.size() - 1;
  }

  int deeper(int a, int b) const {
    return program.scopes[a].depth >= program.scopes[b].depth ? a : b;
  }

  void append(int scope, const Instruction &instruction) {
    program.scopes[scope].steps.push_back(
        {false, static_cast<uint32_t>(program.instructions.size())});
    program.instructions.push_back(instruction);
  }

  Value emit(Instruction instruction, int scope, bool isVector) {
    Value value{newRegister(isVector), scope, isVector};
    instruction.dst = value.reg;
    instruction.isVector = isVector;
    append(scope, instruction);
    return value;
  }

  /// Emits an instruction on up to three operands, in the outermost scope in
  /// which all of them are known.
  Value emit(Instruction instruction, llvm::ArrayRef<Value> values) {
    bool isVector = llvm::any_of(values, [](Value v) { return v.isVector; });
    int scope = Program::once;
    Register *slots[] = {&instruction.a, &instruction.b, &instruction.c};
    for (auto [number, value] : llvm::enumerate(values)) {
      Value operand = isVector ? toVector(value) : value;
      *slots[number] = operand.reg;
      scope = deeper(scope, operand.scope);
    }
    return emit(instruction, scope, isVector);
  }

  Value toVector(Value value) {
    if (value.isVector)
      return value;
    auto [it, inserted] = broadcasts.try_emplace(value.reg);
    if (inserted) {
      Instruction instruction{Opcode::Broadcast};
      instruction.a = value.reg;
      it->second = emit(instruction, value.scope, true);
    }
    return it->second;
  }

  Value constant(Cell cell) {
    auto [it, inserted] = constants.try_emplace(cell.integer);
    if (inserted) {
      Instruction instruction{Opcode::Set};
      instruction.cell = cell;
      it->second = emit(instruction, Program::once, false);
    }
    return it->second;
  }

  Value constantIndex(int64_t value) {
    Cell cell;
    cell.integer = value;
    return constant(cell);
  }

  Program program;

private:
  llvm::DenseMap<Register, Value> broadcasts;
  llvm::DenseMap<int64_t, Value> constants;
};

} // namespace tenon::interpret::loops

#endif // TENON_LIB_INTERPRET_LOOPEMITTER_H

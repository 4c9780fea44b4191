//===- PipeDialect.td - the pipe dialect and its meshes -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PIPE_DIALECT_TD
#define TENON_PIPE_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::tenon::pipe";
  let summary = "models cut into stages that run on several ranks";
  let description = [{
    A program is a directed acyclic graph of stages. A stage is a subgraph of a
    model that runs on one rank, or on several that share its samples. Tensors
    that one stage passes to a stage of another rank go through a channel.

    Without schedules, every rank runs its stages once, in the order of the
    program. A program with a mini-batch is a pipeline: stages run for one
    micro-batch after the other, forward and in training backward, in the order
    of its schedules.

    The attribute `pipe.mesh` of a function says that every position of a mesh
    runs it, each on values of its own; `graph.all_reduce` adds up over axes of
    the mesh.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

def Pipe_MeshAttr : AttrDef<Pipe_Dialect, "Mesh"> {
  let mnemonic = "mesh";
  let summary = "devices or ranks along named axes";
  let description = [{
    Each axis has a name and a size. Positions are numbered in the order of their
    coordinates, the last of which changes fastest.

    Devices may have numbers: `memory_bytes`, one for each position, or one for
    all; `link_seconds` of latency and `link_bytes_per_second`, one for each axis.
    The link between two positions is that of the first axis along which they
    differ.

    Constraints:

    1. There is an axis. Names are distinct and not empty, sizes at least 1, and
       there are fewer than 2^31 positions.
    2. Bytes and bytes per second are above 0, and seconds at least 0.
    3. Latencies and bytes per second are given together.

    Examples: `#pipe.mesh<"data" = 2, "stage" = 4>`,
    `#pipe.mesh<"node" = 2, "device" = 4, memory_bytes = [17179869184], link_seconds = [5.0e-06, 5.0e-06], link_bytes_per_second = [1.25e+10, 5.0e+10]>`
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"int64_t">:$sizes,
                        "::mlir::DenseI64ArrayAttr":$memoryBytes,
                        "::mlir::DenseF64ArrayAttr":$linkSeconds,
                        "::mlir::DenseF64ArrayAttr":$linkBytesPerSecond);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    struct Link {
      double seconds = 0, bytesPerSecond = 0;
    };

    int64_t getNumPositions() const;
    /// The number of the axis of a name.
    ::std::optional<unsigned> findAxis(::llvm::StringRef name) const;
    /// The memory of a position, if it is known.
    ::std::optional<int64_t> getMemoryBytes(int64_t position) const;
    /// The link between two positions, if it is known and they differ.
    ::std::optional<Link> getLink(int64_t a, int64_t b) const;
    /// The positions that differ from one along some axes at most, ascending.
    ::llvm::SmallVector<int64_t> getGroup(int64_t position,
                                          ::mlir::ArrayAttr axes) const;
  }];
}

#endif // TENON_PIPE_DIALECT_TD

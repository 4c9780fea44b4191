//===- ScriptTest.cpp - the page's script, where node can run it ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace tenon::report;

static std::string getScript() {
  std::string page = renderHtml(makeSampleReport());
  return StringRef(page)
      .rsplit("<script>")
      .second.split("</script>")
      .first.str();
}

namespace {
class ScriptTest : public testing::Test {
protected:
  void SetUp() override {
    ErrorOr<std::string> found = sys::findProgramByName("node");
    if (!found)
      GTEST_SKIP() << "no node";
    node = *found;
  }

  /// The output of node for a file with this text.
  std::string run(StringRef text, ArrayRef<StringRef> options = {}) {
    SmallString<128> script, output;
    int fd;
    EXPECT_FALSE(sys::fs::createTemporaryFile("report", "js", fd, script));
    raw_fd_ostream(fd, /*shouldClose=*/true) << text;
    EXPECT_FALSE(sys::fs::createTemporaryFile("report", "txt", output));
    auto remove = scope_exit([&] {
      sys::fs::remove(script);
      sys::fs::remove(output);
    });
    SmallVector<StringRef> arguments = {node};
    arguments.append(options.begin(), options.end());
    arguments.push_back(script);
    std::optional<StringRef> redirects[] = {StringRef(), output.str(),
                                            output.str()};
    status = sys::ExecuteAndWait(node, arguments, std::nullopt, redirects,
                                 /*SecondsToWait=*/60);
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getFile(output);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  std::string node;
  int status = -1;
};
} // namespace

TEST_F(ScriptTest, IsValid) {
  std::string said = run(getScript(), {"--check"});
  EXPECT_EQ(status, 0) << said;
}

// What the script asks of a browser before it starts.
static const char browser[] = R"(
const document = { createElement: () => ({ getContext: () => ({}) }) };
const window = { addEventListener() {} };
)";

// In place of its start: lays out graphs, and looks for faults.
static const char checks[] = R"(
let seed = 1;
const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
function check(nodes, width, height) {
  const layout = layoutGraph(nodes, width, height);
  const paths = new EdgePaths(layout, nodes);
  layout.columns.forEach((column) => column.rows.forEach((row) => {
    row.forEach((v, i) => {
      const box = layout.vertices[v];
      if (!isFinite(box.x) || !isFinite(box.y)) throw new Error('no place');
      if (box.x - box.width / 2 < column.left - 0.01 ||
          box.x + box.width / 2 > column.right + 0.01) throw new Error('outside');
      const left = i > 0 ? layout.vertices[row[i - 1]] : null;
      if (left && left.x + left.width / 2 > box.x - box.width / 2 + 0.01) {
        throw new Error('overlap');
      }
    });
  }));
  layout.columns.forEach((column, i) => {
    if (i && layout.columns[i - 1].right >= column.left) throw new Error('columns overlap');
  });
  nodes.forEach((node, i) => node.inputs.forEach((input) => {
    const from = layout.vertices[input];
    const to = layout.vertices[i];
    if (from.layer >= to.layer) throw new Error('edge upward');
    if (/NaN|undefined/.test(paths.between(input, i))) throw new Error('path');
  }));
  return layout;
}
check([], 800, 600);
check([{ width: 60, inputs: [], group: -1 }], 800, 600);
for (const count of [2, 7, 50, 400]) {
  const nodes = Array.from({ length: count }, (_, i) => ({
    width: 40 + random(120), group: random(3) ? -1 : Math.floor(i / 3), floating: random(2) === 0,
    inputs: Array.from({ length: Math.min(i, random(4)) },
      () => Math.max(0, i - 1 - random(random(9) ? 4 : i))),
  }));
  const layout = check(nodes, 1000, 600);
  if (JSON.stringify(layout.vertices) !== JSON.stringify(check(nodes, 1000, 600).vertices)) {
    throw new Error('another layout');
  }
}
const chain = Array.from({ length: 100 }, (_, i) =>
  ({ width: 100, group: -1, inputs: i ? [i - 1] : [] }));
if (check(chain, 1000, 600).columns.length < 4) throw new Error('a chain was not folded');
console.log('done');
)";

TEST_F(ScriptTest, LayoutHasNoOverlaps) {
  std::string script = getScript();
  auto [head, tail] = StringRef(script).rsplit("start();");
  ASSERT_FALSE(tail.empty());
  std::string said = run((browser + head + checks + tail).str());
  EXPECT_EQ(status, 0);
  EXPECT_EQ(said, "done\n");
}

TEXTS += [
 ('include/tenon/Dialect/Kernel/Analysis/LoopPlan.h',
  'becomes a list of kernel loops. Every kernel loop is one index form, into which all\n// producers that need no storage were composed. All kernel loops of a kernel share\n// their leading "row" dimensions, so that one thread computes whole rows\n// through all kernel loops (softmax, norms) with row-local temporaries.',
  'becomes a list of kernel loops: the loop nests of one kernel. Each is one index\n// form, into which all producers that need no storage were composed. All loops of\n// a kernel share their leading "row" dimensions, so that one thread computes whole\n// rows through all of them (softmax, norms) with row-local temporaries.'),
 ('include/tenon/Dialect/Kernel/Analysis/LoopPlan.h', 'and every load of a kernel loop addresses the row of the loading kernel loop.',
  'and every load of a kernel loop addresses the row of that loop.'),
 ('include/tenon/Dialect/Kernel/Analysis/LoopPlan.h', 'struct KernelLoop {', '/// One loop nest of a kernel.\nstruct KernelLoop {'),
 ('include/tenon/Dialect/Kernel/Analysis/LoopPlan.h', 'struct LoopPlan {', '/// A kernel as loop nests over shared rows.\nstruct LoopPlan {'),
 ('lib/Cost/DeviceProfile.cpp', "// - generatedMatrixFlops of GPUs: half of the libraries' rate, an assumption until",
  "// - generatedMatrixFlops of GPUs: half of the libraries' rate, an assumption\n//   until"),
 ('lib/Runtime/CodeFolder.h', 'CodeFolder.h - the file of this artifact ---', 'CodeFolder.h - the folder of loaded code ---'),
 ('lib/Runtime/CodeFolder.cpp', 'CodeFolder.cpp - the file of this artifact -', 'CodeFolder.cpp - the folder of loaded code -'),
 ('include/tenon/Dialect/Program/IR/ProgramDialect.td',
  'def Program_PostOpKind : Program_Enum<"PostOpKind", "what is applied to a result", [',
  'def Program_PostOpKind : Program_Enum<"PostOpKind",\n                                      "what is applied to a result", ['),
 ('docs/placement.md', 'the [stage\n  plan](adr/0004', 'the [loop\n  plan](adr/0004'),
 ('docs/formats.md', "the files of a plan's stages", "the files of a deployment's stages"),
 ('docs/formats.md', '## The plan\n', '## The deployment\n'),
 ('docs/formats.md', '`.safetensors`) and the\nplan, which `tenon-run', '`.safetensors`) and the\ndeployment, which `tenon-run'),
 ('docs/glossary.md', '**derivation**: the steps,', '**deployment**: of a distributed run: which artifact runs on which rank, and the values\nthat go between them (`m.plan.json`).\n\n**derivation**: the steps,'),
 ('docs/glossary.md', '**kernel**: a placed region of the graph that one backend runs.\n',
  '**kernel**: a placed region of the graph that one backend runs.\n\n'
  '**kernel loop**: one loop nest of a generated kernel, which computes one index form\n'
  '(`kernel::KernelLoop`). A *loop plan* is a kernel as kernel loops over shared rows.\n'),
 ('docs/glossary.md', '''**plan**: of placement: which backend runs which ops, as kernels; the best cover, or
the one that was asked for (`mixed`, `all:B`). Of a distributed run: which artifact
runs on which rank, and the values that go between them (`m.plan.json`).
''', '''**placement plan**: which backend runs which ops, as kernels; the best cover, or the one
that was asked for (`mixed`, `all:B`).

**plan**: has a first word: a *placement plan*; a *loop plan* (see *kernel loop*); an
*arena plan*, the offsets of a model's tensors; an *entry plan* and a *site plan*, what
the runtime computes once for sizes of an entry and of a library call. The artifacts of
a distributed run form a *deployment*.
'''),
 ('docs/glossary.md', '**stage**: a convex part of the forward graph with its devices.\n',
  '**stage**: a convex part of the forward graph with its devices (`pipe.stage`). A step of\nthe compilation is a *phase*, a loop nest of a kernel a *kernel loop*.\n'),
 ('docs/glossary.md', '**prepare**: the steps', '**post-op**: an op that a library call applies to its result (`#program.post`).\n\n**prepare**: the steps'),
 ('docs/style.md', '| plan | always has a first word: *placement plan*, *memory plan*, *parallel plan* |',
  '| plan | always has a first word: *placement plan*, *loop plan*, *arena plan*; the artifacts of a distributed run are a *deployment* |'),
 ('docs/adr/README.md', 'GPU programs are stage plans, tables and an emulator', 'GPU programs are loop plans, tables and an emulator'),
 ('tools/tenon-run/CommandLine.h', '// 0: as the plan says', '// 0: as the deployment says'),
 ('tools/tenon-run/CommandLine.h', 'Whether the artifact is a plan, by its name', 'Whether the artifact is a deployment, by its name'),
 ('test/Architecture/names.test', '# Files are named by what is in them, include guards by their path.\n',
  '# Files are named by what is in them, include guards by their path. Names that were\n# replaced (old-names.txt) do not return.\n'),
 ('test/Architecture/names.test', 'RUN: rm -rf %t && mkdir -p %t/include/tenon/Support\n',
  'RUN: %python %S/lint.py old-names %tenon_src\n\nRUN: rm -rf %t && mkdir -p %t/include/tenon/Support %t/test/Architecture\n'
  'RUN: cp %S/old-names.txt %t/test/Architecture\n'),
 ('test/Architecture/names.test', 'CHECK: error: include/tenon/Support/Utils.h: expected the guard TENON_SUPPORT_UTILS_H, but got UTILS_H\n',
  'CHECK: error: include/tenon/Support/Utils.h: expected the guard TENON_SUPPORT_UTILS_H, but got UTILS_H\n\n'
  'RUN: echo "struct StagePlan; // fusedPosts" > %t/include/tenon/Support/Plan.h\n'
  'RUN: echo "struct LoopPlan; // stage plans" > %t/include/tenon/Support/LoopPlan.h\n'
  'RUN: not %python %S/lint.py old-names %t | FileCheck %s --check-prefix=OLD\n'
  'OLD-NOT: LoopPlan.h\n'
  "OLD: error: include/tenon/Support/Plan.h:1: expected 'LoopPlan', but got 'StagePlan'\n"
  "OLD-NEXT: error: include/tenon/Support/Plan.h:1: expected 'fusedPostOps', but got 'fusedPosts'\n"
  'OLD-NOT: LoopPlan.h\n'),
 ('test/Architecture/lint.py', 'def check_tests_check(root):', '''def check_old_names(root):
    """Names that were replaced do not return."""
    new = {}
    for line in tree.read(root, "test/Architecture/old-names.txt").splitlines():
        if line and not line.startswith("#"):
            before, after = line.split()
            new[before] = after
    old = re.compile(r"(?<![\\w-])(" + "|".join(map(re.escape, new)) + r")(?![\\w-])")
    errors = []
    paths = [p for p in tree.files(root, CODE + ("docs", "cmake"))
             if not p.startswith("docs/adr/")]
    for path in paths:
        for number, line in enumerate((tree.read(root, path) or "").splitlines(), 1):
            for found in old.findall(line):
                errors.append("%s:%d: expected '%s', but got '%s'"
                              % (path, number, new[found], found))
    return len(paths), errors


def check_tests_check(root):'''),
]
FILES['test/Architecture/old-names.txt'] = ('# Names that were replaced, and their successors. names.test fails if one returns.\n'
  + ''.join('%s %s\n' % i for i in sorted(WORDS.items())) )
TEXTS += [
 ('docs/adr/0004-index-forms-drive-code-generation.md', 'asks a *stage plan* whether', 'asks a *loop plan* whether'),
 ('docs/adr/0004-index-forms-drive-code-generation.md', 'What remains are stages (reductions\n  and values used several times) that share',
  'What remains are kernel loops\n  (reductions and values used several times) that share'),
 ('docs/adr/0013-gpu-programs-are-own-kernels-and-tables.md', 'GPU programs are stage plans,', 'GPU programs are loop plans,'),
 ('docs/adr/0013-gpu-programs-are-own-kernels-and-tables.md', 'the same stage plans as', 'the same loop plans as'),
 ('docs/style.md', '| program | what a device executes |\n| target | what a program is compiled for |\n',
  '| program | what a device executes |\n| target | what a program is compiled for |\n\n'
  '`test/Architecture/old-names.txt` lists identifiers that were replaced; `names.test` fails if one\nof them returns.\n'),
 ('test/Place/graph-place.mlir', '// A piece that has grown', '// A subgraph that has grown'),
 ('test/Place/pins-exclude.test', 'the sum is part of one piece only.', 'the sum is part of one subgraph only.'),
 ('test/tools/tenon-compile/edited-placement-plan.test', '# A plan is text: it says what each piece costs and what the runner-up would, can be\n# edited,',
  '# A placement plan is text: it says what each subgraph costs and what the runner-up\n# would, can be edited,'),
]

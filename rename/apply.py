#!/usr/bin/env python3
"""Renames files, identifiers and words of comments; run in the root of a tree.

Usage: apply.py [--no-format]. Idempotent. Rows that match nothing are listed at
the end (on a tree that is renamed already, that is all of them).
"""
import os, re, subprocess, sys

def git(*a):
    return subprocess.run(('git',) + a, capture_output=True, text=True, check=True).stdout
def tracked():
    out = git('ls-files', '-co', '--exclude-standard', 'include', 'lib', 'tools',
              'plugins', 'test', 'docs', 'cmake', 'scripts', '*.md', 'CMakeLists.txt')
    return sorted({f for f in out.splitlines() if os.path.isfile(f) and not os.path.islink(f)})

CXX = ('.h', '.cpp', '.c', '.def', '.inc', '.cu')
TEXT = CXX + ('.td', '.md', '.txt', '.test', '.mlir', '.py', '.cmake', '.in', '.cfg', '.js', '.sh')
SKIP = re.compile(r'^(CHANGELOG\.md|benchmarks/|test/Architecture/(old-names|names\.test))')

# ---- 1. files: regexp of the folder, old base name, new base name ----
MOVES = [
    ('include/tenon/Artifact', 'Plan.h', 'Deployment.h'),
    ('lib/Artifact', 'Plan.cpp', 'Deployment.cpp'),
    ('lib/Place', 'Plan.h', 'PlacementPlan.h'),
    ('lib/Place', 'Plan.cpp', 'PlacementPlan.cpp'),
    ('test/unit/.*', 'PlanTest.cpp', 'DeploymentTest.cpp'),
    ('.*', 'CompilePlan.h', 'CompileDeployment.h'),
    ('.*', 'CompilePlan.cpp', 'CompileDeployment.cpp'),
    ('.*', 'OutputPlan.h', 'PendingOutputs.h'),
    ('.*', 'OutputPlan.cpp', 'PendingOutputs.cpp'),
    ('.*', 'PlanRun.h', 'DeploymentRun.h'),
    ('.*', 'PlanRun.cpp', 'DeploymentRun.cpp'),
    ('.*', 'edited-plan.test', 'edited-placement-plan.test'),
    ('.*', 'PlanModel.h', 'RunTimeModel.h'),
    ('.*', 'PlanModel.cpp', 'RunTimeModel.cpp'),
    ('.*', 'PlanModelTest.cpp', 'RunTimeModelTest.cpp'),
    ('.*', 'PlanEntriesTest.cpp', 'RunMeasurementsTest.cpp'),
    ('.*', 'StagePlan.h', 'LoopPlan.h'),
    ('.*', 'StagePlan.cpp', 'LoopPlan.cpp'),
    ('.*', 'StageLoops.h', 'KernelLoops.h'),
    ('.*', 'StageLoops.cpp', 'KernelLoops.cpp'),
    ('.*', 'GpuPlan.h', 'GpuParts.h'),
    ('.*', 'GpuPlan.cpp', 'GpuParts.cpp'),
    ('.*', 'AttentionPiece.h', 'AttentionSubgraph.h'),
    ('.*', 'AttentionPiece.cpp', 'AttentionSubgraph.cpp'),
    ('.*', 'FormPieces.h', 'FormExpressions.h'),
    ('.*', 'FormPieces.cpp', 'FormExpressions.cpp'),
    ('.*', 'LawPieces.h', 'LawTerms.h'),
    ('.*', 'LawPieces.cpp', 'LawTerms.cpp'),
    ('.*', 'PieceCache.h', 'SubgraphCache.h'),
    ('.*', 'PieceCache.cpp', 'SubgraphCache.cpp'),
    ('.*', 'OwnClusters.h', 'GeneratedClusters.h'),
    ('.*', 'OwnClusters.cpp', 'GeneratedClusters.cpp'),
    ('.*', 'OwnKernels.cpp', 'GeneratedKernels.cpp'),
    ('.*', 'OwnThread.h', 'DedicatedThread.h'),
    ('.*', 'OwnThread.cpp', 'DedicatedThread.cpp'),
    ('.*', 'OwnFile.h', 'CodeFolder.h'),
    ('.*', 'OwnFile.cpp', 'CodeFolder.cpp'),
    ('.*', 'SitePosts.h', 'SitePostOps.h'),
    ('.*', 'SitePosts.cpp', 'SitePostOps.cpp'),
    ('.*', 'PostTail.h', 'PostOpTail.h'),
    ('.*', 'PostTail.cpp', 'PostOpTail.cpp'),
    ('lib/Backend/.*', 'Posts.cpp', 'PostOps.cpp'),
    ('lib/Backend/.*', 'ChainPosts.cpp', 'ChainPostOps.cpp'),
]
AMBIGUOUS = {'Plan.h', 'Plan.cpp', 'Posts.cpp', 'PlanTest.cpp'}

# ---- 2. whole words in every text file (strings too) ----
WORDS = dict(r.split() for r in '''
StagePlan LoopPlan
planStages planLoops
StageEmitter KernelLoopEmitter
emitStage emitKernelLoop
bufferOfStage bufferOfLoop
stageNumber loopNumber
storeStage storeLoop
takeStages takeLoops
OutputPlan PendingOutputs
PlanStage DeploymentStage
parsePlan parseDeployment
PlanCompilation DeploymentCompilation
compilePlan compileDeployment
isPlanOutput isDeploymentOutput
runPlan runDeployment
PlanModel RunTimeModel
PlanMeasurement RunMeasurement
PlanEntries RunMeasurements
isOwnCode isGeneratedCode
getOwnCode getGeneratedCode
ownCode generatedCode
describeOwn describeGenerated
addOwnPieces addGeneratedCandidates
addLibraryPieces addLibraryCandidates
clusterOwnOps clusterGeneratedOps
makeOwnPiece getWithSplats
buildOwnKernel buildGeneratedKernel
numOwnKernels numGeneratedKernels
num-own-kernels num-generated-kernels
ownMatrixFlops generatedMatrixFlops
getOwnWork getGeneratedWork
OwnThread DedicatedThread
onOwnThread onDedicatedThread
ownThread dedicatedThread
findOwnFile findThisFile
ownFile thisFile
PieceCache SubgraphCache
PieceKeys SubgraphKeys
GoodPieces GoodSubgraphs
goodPieces goodSubgraphs
doubtBadPieces doubtBadSubgraphs
createPieceCache createSubgraphCache
AttentionPiece AttentionSubgraph
matchAttentionPiece matchAttentionSubgraph
LonePiece LoneSubgraph
useMinimalFiltering useWinograd
MinimalFilteringMultipliesLess WinogradMultipliesLess
PostKind PostOpKind
Program_PostKind Program_PostOpKind
PostAttr PostOpAttr
Program_PostAttr Program_PostOpAttr
stringifyPostKind stringifyPostOpKind
symbolizePostKind symbolizePostOpKind
PostTail PostOpTail
addPost addPostOp
addPosts addPostOps
addPostOperand addPostOpOperand
addPostOperands addPostOpOperands
applyPost applyPostOp
firstPosts firstPostOps
fusedPosts fusedPostOps
isBinaryPost isBinaryPostOp
kMostPosts kMostPostOps
takePost takePostOp
visitPost visitPostOp
tenon_post tenon_post_op
num_posts num_post_ops
CarefulPostsAllFollow CarefulPostOpsAllFollow
ConvPosts ConvPostOps
MatmulBinaryPosts MatmulBinaryPostOps
MatmulPosts MatmulPostOps
MatmulPostsThatLieOtherwise MatmulPostOpsThatLieOtherwise
PostsOfOneKindDiffer PostOpsOfOneKindDiffer
'''.strip().splitlines())
WORD_RE = re.compile(r'(?<![\w-])(' + '|'.join(sorted(map(re.escape, WORDS), key=len, reverse=True)) + r')(?![\w-]|=)')

# ---- 3. rows for some files: regexp of paths, what ('code', 'comment', 'text'),
# regexp, replacement. 'code' leaves strings, includes and comments alone;
# 'comment' sees comments only (of .td and .md: everything, with 'text').
KL = (r'^(lib/Lower/|lib/Dialect/Kernel/|include/tenon/Dialect/Kernel/|include/tenon/Lower/'
      r'|lib/Place/(Own|Generated)Clusters|test/unit/Lower/|lib/Emit/|lib/Emulate/)')
TAKEN = (r'^lib/Lower/(BlockedReduction|Gpu/Contraction\w*|Gpu/GpuKernelBuilder|KernelBuilder'
         r'|(Stage|Kernel)Loops)\.(h|cpp)$')
DEP = (r'^(include/tenon/Artifact/Deployment|lib/Artifact/Deployment|lib/Driver/CompileDeployment'
       r'|tools/tenon-run/DeploymentRun|test/unit/.*/DeploymentTest)')
PIECE = (r'^(lib/Backend/|include/tenon/Backend/|lib/Place/|include/tenon/Place/|include/tenon/Driver/'
         r'|lib/Driver/|tools/tenon-profile/Admit|tools/tenon-fuzz/PlacementMode|test/unit/Place/)')
POST = (r'^(lib/Backend/|include/tenon/Backend/|lib/Runtime/(?!Channels/)|lib/Dialect/Program/|lib/Emit/'
        r'|lib/Lower/Steps|include/tenon/Artifact/Program|test/unit/(Runtime|Emit|Backend|Emulate)/)')
SITE = r'^lib/Runtime/(?!Cuda/|Channels/)(?!.*CallState)'
ROWS = [
    # kernel loops
    (KL, 'code', r'\bkernel::Stage\b', 'kernel::KernelLoop'),
    (KL, 'code', r'\bStage\b', 'KernelLoop'),
    (KL, 'code', r'\baddStage\b', 'addKernelLoop'),
    (KL, 'code', r'\bnumStages\b', 'numLoops'),
    (KL, 'code', r'\bstages\b', 'loops'),
    (TAKEN, 'code', r'\bstage\b', 'kernelLoop'),
    (KL, 'code', r'\bstage\b', 'loop'),
    (KL, 'comment', r'`stage`', '`loop`'),
    (KL, 'comment', r'\bstages\b', 'kernel loops'),
    (KL, 'comment', r'\bStages\b', 'Kernel loops'),
    (KL, 'comment', r"(?<!pipe\.)\bstage\b", 'kernel loop'),
    (r'MutantModels\.cpp$', 'comment', r'all of another stage\b', 'all of another kernel loop'),
    (r'^test/Lower/donation\.mlir$', 'text', r'// A stage reads', '// A kernel loop reads'),
    (r'^docs/gpu\.md$', 'text', r'\| stages of one shape', '| kernel loops of one shape'),
    (r'^docs/gpu\.md$', 'text', r'through all stages', 'through all kernel loops'),
    (r'^docs/gpu\.md$', 'text', r'\| elementwise stages', '| elementwise kernel loops'),
    (r'^lib/Place/(Own|Generated)Clusters\.cpp$', 'comment', r'\bkernel loop plan\b', 'loop plan'),
    # deployment
    (DEP + r'|^tools/tenon-run/', 'code', r'\bisPlan\b', 'isDeployment'),
    (r'^tools/tenon-run/DeploymentRun', 'comment', r'Runs the plan `line', 'Runs the deployment `line'),
    (DEP, 'code', r'\bPlan\b', 'Deployment'),
    (DEP, 'code', r'\bgetPlan\b', 'getDeployment'),
    (DEP, 'code', r'\bplan\b', 'deployment'),
    (DEP, 'comment', r'\b(A|a|the|The|of a|its) plan\b(?!\.json)', r'\1 deployment'),
    (DEP, 'comment', r'\bplans\b', 'deployments'),
    # plan of a placement
    (r'^lib/Place/', 'code', r'\bPlan\b', 'PlacementPlan'),
    # plan of a site
    (SITE, 'code', r'(?<!::)\bPlan\b(?!\s*>\s*artifact)', 'SitePlan'),
    (SITE, 'code', r'\bLibrarySite::Plan\b', 'LibrarySite::SitePlan'),
    # measured runs
    (r'^(include/tenon|lib)/(Cost|Place|Driver|Report)/|^test/unit/Cost/|^tools/tenon-profile/', 'code', r'\bgetPlans\b', 'getModelRuns'),
    (r'^(include/tenon|lib)/Cost/|^test/unit/Cost/|^lib/Driver/', 'code', r'\bgetNumPlans\b', 'getNumRuns'),
    (r'^(include/tenon|lib)/Cost/(RunTime|Plan)Model', 'code', r'\bnumPlans\b', 'numRuns'),
    (r'^(include/tenon|lib)/Cost/', 'comment', r'CostDatabase::getPlans\b', 'CostDatabase::getModelRuns'),
    (r'^(include/tenon|lib)/Cost/(RunTime|Plan)Model', 'comment', r'Learns from the plans of all', 'Learns from the measured runs of all'),
    (r'^(include/tenon|lib)/Cost/(RunTime|Plan)Model', 'comment', r'Without plans\b', 'Without runs'),
    (r'^(include/tenon|lib)/Cost/CostDatabase', 'code', r'\bplans\b', 'modelRuns'),
    (r'^(include/tenon|lib)/Cost/CostDatabase', 'code', r'\bRunMeasurement plan\b', 'RunMeasurement run'),
    (r'^lib/Cost/CostDatabase|^lib/Cost/(RunTime|Plan)Model\.cpp', 'code', r'(?<![.>])\bplan\b', 'run'),
    (r'^lib/Cost/CostDatabaseFile', 'code', r'\breadPlan\b', 'readRun'),
    # generated code
    (r'^lib/Cost/CostModel\.cpp$|^lib/Place/(Own|Generated)Clusters', 'code', r'\bisOwn\b', 'isGenerated'),
    # subgraphs of backends
    (PIECE, 'code', r'\bbackend::Piece\b', 'backend::Subgraph'),
    (PIECE, 'code', r'\bPiece\b', 'Subgraph'),
    (PIECE, 'code', r'\bgetPiece\b', 'getSubgraph'),
    (PIECE, 'code', r'\bcheckPieces\b', 'checkSubgraphs'),
    (PIECE, 'code', r'\bpieces\b', 'subgraphs'),
    (PIECE, 'code', r'\bpiece\b', 'subgraph'),
    (PIECE, 'comment', r'\bpieces\b', 'subgraphs'),
    (PIECE, 'comment', r'\bpiece\b', 'subgraph'),
    (r'(AttentionSteps|Attention(Piece|Subgraph))\.cpp$', 'code', r'\bpiece\b', 'subgraph'),
    # post-ops
    (r'^lib/Emit/', 'code', r'tenon_site, posts\b', 'tenon_site, post_ops'),
    (r'^include/tenon/Artifact/Program\.h$', 'code', r'\*posts\b', '*post_ops'),
    (r'^(lib/Runtime|test/unit)/', 'code', r'\b(site|table|conv)(\.|->)posts\b', r'\1\2post_ops'),
    (POST, 'code', r'\bPost\b', 'PostOp'),
    (POST, 'code', r'\bposts\b', 'postOps'),
    (POST, 'code', r'\bpost\b', 'postOp'),
    (POST, 'comment', r'`post`', '`postOp`'),
    (r'ProgramDialect\.td$', 'text', r'"Post">', '"PostOp">'),
    (r'\.(h|cpp|c|def|td|md)$', 'text', r'\bTENON_POST_(?!OP_)', 'TENON_POST_OP_'),
]

used = {}
def hit(key, n):
    used[key] = used.get(key, 0) + n

TOKEN = re.compile(r'(?P<inc>^[ \t]*#[ \t]*include[^\n]*)|(?P<com>//[^\n]*|/\*.*?\*/)|'
                   r'(?P<raw>R"(?P<d>[^()\s\\]{0,16})\(.*?\)(?P=d)")|'
                   r'(?P<str>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\')', re.S | re.M)
def segments(text):
    at = 0
    for m in TOKEN.finditer(text):
        if m.start() > at:
            yield 'code', text[at:m.start()]
        kind = m.lastgroup
        yield ('comment' if m.group('com') is not None else
               'include' if m.group('inc') is not None else 'string'), m.group(0)
        at = m.end()
    yield 'code', text[at:]

def rebanner(text, base):
    lines = text.split('\n', 1)
    m = re.match(r'//===-+ *(\S+) - (.*?)\s*(-\*- C\+\+ -\*-)?-*===//$', lines[0])
    if not m or '-*- tablegen' in lines[0]:
        return text
    head = '//===- %s - %s ' % (base, m.group(2).rstrip('- '))
    tail = '===//'
    if m.group(3) and len(head) + 3 + len(m.group(3)) + len(tail) <= 80:
        tail = m.group(3) + '-===//'
    if len(head) + len(tail) > 80:
        print('banner over 80 columns:', head)
    lines[0] = head.rstrip() + ' ' + '-' * (80 - len(head) - len(tail)) + tail
    return '\n'.join(lines)

def main():
    # files
    for folder, old, new in MOVES:
        for f in tracked():
            d, b = os.path.split(f)
            if b == old and re.fullmatch(folder, d) and not SKIP.match(f):
                subprocess.run(['git', 'mv', f, os.path.join(d, new)], check=True)
                hit(('move', old), 1)
    names = {old: new for _, old, new in MOVES if old not in AMBIGUOUS}
    name_re = re.compile(r'(?<![\w-])(' + '|'.join(map(re.escape, names)) + r')(?![\w-])')
    guards = {}
    for _, old, new in MOVES:
        if old.endswith('.h'):
            guards.setdefault(new, []).append(old)
    changed = []
    for f in tracked():
        if SKIP.match(f) or not f.endswith(TEXT):
            continue
        try:
            before = text = open(f, encoding='utf-8', newline='').read()
        except UnicodeDecodeError:
            continue
        base = os.path.basename(f)
        # names of files
        def count(m):
            hit(('name', m.group(1)), 1)
            return names[m.group(1)]
        text = name_re.sub(count, text)
        text = text.replace('tenon/Artifact/Plan.h', 'tenon/Artifact/Deployment.h')
        if f.startswith('lib/Place/'):
            text = text.replace('"Plan.h"', '"PlacementPlan.h"')
            text = re.sub(r'===- Plan\.(h|cpp) ', r'===- PlacementPlan.\1 ', text)
        if re.match('lib/Backend/.*CMakeLists', f):
            text = re.sub(r'(?m)^(\s+)Posts\.cpp$', r'\1PostOps.cpp', text)
        if f == 'lib/Artifact/CMakeLists.txt':
            text = re.sub(r'(?m)^(\s+)Plan\.cpp$', r'\1Deployment.cpp', text)
        if f == 'lib/Place/CMakeLists.txt':
            text = re.sub(r'(?m)^(\s+)Plan\.cpp$', r'\1PlacementPlan.cpp', text)
        if base == 'CMakeLists.txt' and f.startswith('test/unit'):
            text = re.sub(r'(?<![\w])PlanTest\.cpp', 'DeploymentTest.cpp', text)
        # guards
        for old in guards.get(base, ()):
            o, n = (x.upper().replace('.', '_') for x in (old, base))
            text = re.sub(r'\b(TENON_\w+_)%s\b' % o, r'\1' + n, text)
        # words
        def word(m):
            hit(('word', m.group(1)), 1)
            return WORDS[m.group(1)]
        text = WORD_RE.sub(word, text)
        # rows
        for i, (paths, what, pattern, to) in enumerate(ROWS):
            if not re.search(paths, f):
                continue
            if what == 'text':
                text, n = re.subn(pattern, to, text)
            elif f.endswith(CXX):
                out, n = [], 0
                for kind, s in segments(text):
                    if kind == what:
                        s, k = re.subn(pattern, to, s)
                        n += k
                    out.append(s)
                text = ''.join(out)
            else:
                continue
            hit(('row', i), n)
        if (f.endswith(('.h', '.cpp', '.td')) and
                (base in guards or text.split('\n', 1)[0] != before.split('\n', 1)[0]
                 or ' %s ' % base not in text[:80])):
            text = rebanner(text, base)
        if base == 'CMakeLists.txt' and text != before:
            text = sort_lists(before, text)
        if text != before:
            open(f, 'w', encoding='utf-8', newline='').write(text)
            changed.append(f)
    renamed = [f for f in git('diff', '--name-only', '--diff-filter=d', 'HEAD').splitlines()]
    sources = [f for f in sorted(set(changed) | set(renamed))
               if f.endswith(('.h', '.cpp')) and os.path.isfile(f) and not f.startswith('plugins')]
    apply_texts()
    if '--no-format' not in sys.argv and sources:
        for i in range(0, len(sources), 40):
            subprocess.run(['clang-format-22', '-i'] + sources[i:i + 40], check=True)
    print(len(changed), 'files changed')
    quiet = [('move ' + o) for _, o, _ in MOVES if not used.get(('move', o))]
    quiet += ['word ' + w for w in WORDS if not used.get(('word', w))]
    quiet += ['row %s %s' % (r[0][:40], r[2]) for i, r in enumerate(ROWS) if not used.get(('row', i))]
    for q in quiet:
        print('matches nothing:', q)

def sort_lists(before, text):
    """Moves renamed sources to their places in lists that are (nearly) sorted."""
    key = lambda l: l.strip().rsplit('.', 1)[0]
    a, b = before.split('\n'), text.split('\n')
    if len(a) != len(b):
        return text
    i = 0
    while i < len(b):
        j = i
        while j < len(b) and re.match(r'^\s+[\w/-]+\.(cpp|c)$', b[j]):
            j += 1
        falls = sum(key(x) > key(y) for x, y in zip(a[i:j], a[i + 1:j]))
        if a[i:j] != b[i:j] and falls <= 2:
            new = [l for l, o in zip(b[i:j], a[i:j]) if l != o]
            run = [l for l, o in zip(b[i:j], a[i:j]) if l == o]
            for l in new:
                at = next((k for k, o in enumerate(run) if key(o) > key(l)), len(run))
                run.insert(at, l)
            b[i:j] = run
        i = max(j, i + 1)
    return '\n'.join(b)

TEXTS = []   # (file, old, new): exact passages
FILES = {}   # file: contents, written if absent
exec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'texts.py')).read()) \
    if os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'texts.py')) else None

def norm(text):
    return re.sub(r'[\s/]+', ' ', text)

def apply_texts():
    for f, old, new in TEXTS:
        if not os.path.exists(f):
            print('no file', f)
            continue
        text = open(f, encoding='utf-8').read()
        if norm(new) in norm(text) and (old not in text or old in new):
            continue
        if old not in text:
            print('no passage in %s: %s' % (f, old[:60].replace('\n', ' ')))
            continue
        open(f, 'w', encoding='utf-8').write(text.replace(old, new, 1))
    for f, contents in FILES.items():
        if not os.path.exists(f):
            open(f, 'w', encoding='utf-8').write(contents)

main()

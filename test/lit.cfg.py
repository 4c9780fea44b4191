# Configuration of Tenon's tests. What the machine has (CUDA, Open MPI, AVX-512,
# the shared material) is looked up when the tests start, so that one build
# gives the right answer on every machine.

import ctypes
import importlib.util
import os
import shutil
import subprocess

import lit.formats
import lit.util

config.name = "Tenon"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".onnx-test"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tenon_obj_root, "test")

source_root = config.tenon_src_root
tools_dir = config.tenon_tools_dir

# One thread unless a test says otherwise: results do not depend on the machine,
# and lit already runs one test per core.
config.environment["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", "1")
config.environment["PATH"] = os.pathsep.join(
    [tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
for name in (
    "HOME",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "CCACHE_DIR",
    "CUDAToolkit_ROOT",
    "CUDA_VISIBLE_DEVICES",
    "CI",
    "TENON_CHECK_ROUNDTRIP",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sanitized:
    # LLVM's headers poison memory that LLVM's own library, which is not built
    # with sanitizers, then uses.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:" + os.environ.get(
        "ASAN_OPTIONS", "")
# Open MPI refuses to run as root, and binds ranks to cores that may be shared.
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
config.environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
config.environment["OMPI_MCA_hwloc_base_binding_policy"] = "none"

# Certificates that a test's tool checked need no second check by another test.
config.environment["TENON_PROOF_CACHE"] = os.path.join(config.test_exec_root, "proofs")

# Plug-ins are those that a test names: what the optimizer and the placement do
# does not depend on the machine's.
config.environment["TENON_BACKENDS"] = "none"
# Nor on how fast its processor is.
config.environment["TENON_CALIBRATION"] = ""

# ---- tiers ------------------------------------------------------------------
# A test that takes long requires "slow", one that takes very long "full".

tier = os.environ.get("TENON_TEST_TIER", "full")
if tier not in ("fast", "slow", "full"):
    lit_config.fatal("TENON_TEST_TIER: expected fast, slow or full, but got '%s'" % tier)

# ---- features ---------------------------------------------------------------


def may_use_tiles():
    """Whether Linux gives this process the registers of AMX."""
    return ctypes.CDLL(None).syscall(158, 0x1023, 18) == 0


def cpu_flags():
    try:
        with open("/proc/cpuinfo") as f:
            for line in f:
                if line.startswith("flags"):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


def cuda_root():
    for root in (os.environ.get("CUDAToolkit_ROOT"), "/usr/local/cuda"):
        if root and os.path.isfile(os.path.join(root, "include", "cuda.h")):
            return root
    return None


def has_cuda_device():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def mpi_runs():
    mpirun = shutil.which("mpirun")
    return mpirun is not None and lit.util.executeCommand(
        [mpirun, "--version"], env=os.environ
    )[2] == 0


def has_debug_output():
    """Builds with NDEBUG have no --debug-only."""
    command = [os.path.join(tools_dir, "tenon-opt"), "--debug-only=x", "-"]
    try:
        return lit.util.executeCommand(command, input="", env=os.environ)[2] == 0
    except OSError:
        return False


def has_openblas():
    try:
        return ctypes.CDLL("libopenblas.so.0").openblas_get_parallel() == 2
    except (OSError, AttributeError):
        return False


cuda = cuda_root()
ptxas = os.path.join(cuda, "bin", "ptxas") if cuda else None
if not (ptxas and os.access(ptxas, os.X_OK)):
    ptxas = shutil.which("ptxas")
shared = os.path.normpath(os.path.join(source_root, os.pardir, "shared"))
flags = cpu_flags()

features = {
    "z3": config.have_z3,
    "cbc": config.have_cbc,
    "z3-program": shutil.which("z3") is not None,
    "cvc5": shutil.which("cvc5") is not None,
    "cuda-toolkit": cuda is not None,
    "ptxas": ptxas is not None,
    "cuda-device": has_cuda_device(),
    "openmpi": mpi_runs(),
    "openblas": has_openblas(),
    "shared": os.path.isdir(os.path.join(shared, "onnx")),
    "python3-numpy": importlib.util.find_spec("numpy") is not None,
    "python3-onnx": importlib.util.find_spec("onnx") is not None,
    "avx2": {"avx2", "fma", "bmi2"} <= flags,
    "avx512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags,
    "avx512vnni": {"avx512f", "avx512_vnni"} <= flags,
    "amx": {"amx_tile", "amx_int8", "amx_bf16", "avx512_bf16"} <= flags
           and may_use_tiles(),
    "debug-output": has_debug_output(),
    "asan": config.sanitized,
    "slow": tier in ("slow", "full"),
    "full": tier == "full",
}
for name, present in features.items():
    if present:
        config.available_features.add(name)
lit_config.note(
    "features: " + " ".join(sorted(n for n, p in features.items() if p))
    + "; absent: " + (" ".join(sorted(n for n, p in features.items() if not p)) or "none")
)

# ---- substitutions ----------------------------------------------------------

config.substitutions += [
    ("%tenon_src", source_root),
    ("%tenon_obj", config.tenon_obj_root),
    ("%tenon_tools", tools_dir),
    ("%llvm_tools", config.llvm_tools_dir),
    ("%tenon_tblgen", " -I ".join([
        os.path.join(config.tenon_obj_root, "utils", "tenon-tblgen", "tenon-tblgen"),
        os.path.join(source_root, "include"),
        os.path.join(os.path.dirname(config.llvm_tools_dir), "include")])),
    ("%shared", shared),
    ("%openblas", os.path.join(config.tenon_obj_root, "lib", "tenon", "backends",
                               "tenon-openblas.so")),
    # Open MPI frees not all that it takes.
    ("%mpirun", "env ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=0 mpirun"
     if config.sanitized else "mpirun"),
    ("%test_backends", os.path.join(config.tenon_obj_root, "test", "backends")),
    ("%ptxas", ptxas or "ptxas"),
    ("%cuda_root", cuda or "/usr/local/cuda"),
    ("%python", config.python_executable),
    ("%cc", config.host_cc),
    ("%cxx", config.host_cxx),
    ("%cmake", config.cmake_command),
]

# Names of tools become full paths, so that a test never runs an installed copy.
# A tool of this build that is missing from disk stops the run with its name.
# `tenon-opt` grows --verify-roundtrip when TENON_CHECK_ROUNDTRIP=1.
roundtrip = os.environ.get("TENON_CHECK_ROUNDTRIP", "0") not in ("", "0")


def substitute_tool(name, command):
    # Whole words only: not part of a path, of another name, or of an option.
    config.substitutions.append(
        (r"(?<![-\w./])" + name.replace(".", r"\.") + r"(?![-\w./=])", command)
    )


for tool in config.tenon_tools:
    path = os.path.join(tools_dir, tool)
    if not os.path.exists(path):
        # Not fatal: `tenon-lit FILE` is used while other tools are being built.
        lit_config.warning("%s is not built: its tests will fail" % tool)
    if tool == "tenon-opt" and roundtrip:
        path += " --verify-roundtrip"
    substitute_tool(tool, path)
for tool in ("FileCheck", "not", "count", "split-file", "mlir-opt",
             "mlir-translate", "mlir-runner", "mlir-tblgen"):
    path = os.path.join(config.llvm_tools_dir, tool)
    if not os.path.exists(path):
        lit_config.fatal("%s is missing: scripts/setup installs it" % path)
    if tool == "FileCheck":
        path += " --enable-var-scope"
    substitute_tool(tool, path)

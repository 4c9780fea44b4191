# GoogleTest programs: each test of each program is one lit test.

import os

import lit.formats

config.name = "Tenon-Unit"
config.test_format = lit.formats.GoogleTest("bin", "Tests")
config.suffixes = []
config.test_source_root = os.path.join(config.tenon_obj_root, "test", "unit")
config.test_exec_root = config.test_source_root
config.environment["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", "1")
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sanitized:  # See the other lit.cfg.py.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:" + os.environ.get(
        "ASAN_OPTIONS", "")
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
